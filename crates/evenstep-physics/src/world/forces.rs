//! The table of forces, impulses, drag and kinematic targets: turns the program's calls into the actions of a step.

use std::ops::Range;

use evenstep::Tick;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::arena::BodyKey;
use crate::body_motion::BodyMotion;
use crate::drag::Drag;
use crate::engine::{Action, Engine};
use crate::wrench::Wrench;

/// Units of simulated time in a step, as [`Frame::covered`](evenstep::Frame::covered) counts them.
const UNITS_PER_STEP: f64 = (1_u64 << 32) as f64;

/// The units of simulated time that a step covers.
pub(crate) const fn time_units_of(tick: Tick) -> Range<u128> {
    (tick as u128) << 32..(tick as u128 + 1) << 32
}

/// The type of forces with torques of a motion.
type WrenchOf<M> = Wrench<<M as BodyMotion>::Vector, <M as BodyMotion>::Angular>;

/// What acts on each body. [`write_actions`](Forces::write_actions) sorts it.
type Table<M> = IndexMap<BodyKey, Entry<M>, FxBuildHasher>;

/// Forces, impulses and targets of the next step, and the simulated time over which forces act.
pub(crate) struct Forces<M: BodyMotion> {
    table: Table<M>,
    /// Forces for the next frame.
    for_next: Vec<(BodyKey, WrenchOf<M>)>,
    /// Forces for the frame that was begun and has not been run.
    for_begun: Vec<(BodyKey, WrenchOf<M>)>,
    /// Forces for frames that were run.
    for_frames: Vec<FrameForce<M>>,
    /// The simulated time of the frame that is run now.
    frame: Option<Range<u128>>,
    /// The table at the start of the present step, and the number of forces for frames that were run.
    before_step: (Table<M>, usize),
}

/// A force that acts for a frame.
#[derive(Clone)]
struct FrameForce<M: BodyMotion> {
    key: BodyKey,
    force: WrenchOf<M>,
    /// The simulated time in which it acts.
    time: Range<u128>,
}

/// What acts on one body besides forces for frames.
#[derive(Clone, Copy)]
pub(super) struct Entry<M: BodyMotion> {
    /// The force that acts until it is replaced.
    pub(super) constant: WrenchOf<M>,
    /// The force that acts in the next step only.
    pub(super) step: WrenchOf<M>,
    /// The impulse at the start of the next step.
    pub(super) impulse: WrenchOf<M>,
    /// The drag in the next step only.
    pub(super) drag: Drag<M::Vector>,
    /// The pose that a kinematic body reaches at the end of the next step.
    pub(super) target: Option<M::Pose>,
    /// Whether the body had a target in the last step, so that it must be stopped now.
    had_target: bool,
    /// The sum of all forces, in the present step.
    force: WrenchOf<M>,
}

impl<M: BodyMotion> Forces<M> {
    pub(crate) fn new() -> Self {
        Self {
            table: Table::default(),
            for_next: Vec::new(),
            for_begun: Vec::new(),
            for_frames: Vec::new(),
            frame: None,
            before_step: (Table::default(), 0),
        }
    }

    /// Adds a force for the frame that is run now, or else for the next one.
    pub(crate) fn add_for_frame(&mut self, key: BodyKey, force: WrenchOf<M>) {
        if force.is_zero() {
            return;
        }
        match self.frame.clone() {
            Some(time) => self.for_frames.push(FrameForce { key, force, time }),
            None => self.for_next.push((key, force)),
        }
    }

    /// Forgets the target of a body, if it has one, also if the present step is undone. Returns whether the body moves towards a target or
    /// has just reached one, and was still to be stopped.
    pub(crate) fn clear_target(&mut self, key: BodyKey) -> bool {
        let forget = |table: &mut Table<M>| {
            table.get_mut(&key).is_some_and(|entry| {
                entry.target = None;
                std::mem::take(&mut entry.had_target)
            })
        };
        forget(&mut self.before_step.0);
        forget(&mut self.table)
    }

    /// The bodies with targets in the present step.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (BodyKey, M::Pose)> {
        self.table.iter().filter_map(|(key, entry)| Some((*key, entry.target?)))
    }

    /// What acts on a body besides forces for frames.
    pub(super) fn entry(&mut self, key: BodyKey) -> &mut Entry<M> {
        self.table.entry(key).or_insert(Entry::NOTHING)
    }

    /// A frame is begun, for which the forces act that have been applied until now. Those of a frame that was begun and not run are dropped.
    pub(crate) fn begin_frame(&mut self) {
        self.for_begun.clear();
        self.for_begun.append(&mut self.for_next);
    }

    /// A frame that covers the simulated `time` is run, with the forces that were applied for it before and after its begin. Forces of earlier
    /// frames end where it begins, because later steps of those frames were dropped.
    pub(crate) fn run_frame(&mut self, time: &Range<u128>) {
        for force in &mut self.for_frames {
            force.time.end = force.time.end.min(time.start);
        }
        let forces = self.for_begun.drain(..).chain(self.for_next.drain(..));
        self.for_frames.extend(forces.map(|(key, force)| FrameForce {
            key,
            force,
            time: time.clone(),
        }));
        self.frame = Some(time.clone());
    }

    /// Ends the frame at the simulated time `end`, before the step of tick `next`. Forgets what no longer acts, or acts on bodies that no
    /// longer exist.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick, is_alive: impl Fn(BodyKey) -> bool) {
        let now = time_units_of(next).start;
        self.frame = None;
        self.for_frames.retain_mut(|force| {
            force.time = force.time.start.max(now)..force.time.end.min(end);
            !force.time.is_empty() && is_alive(force.key)
        });
        self.table.retain(|key, entry| entry.is_active() && is_alive(*key));
    }

    /// Prepares a step that can be undone.
    pub(crate) fn begin_step(&mut self) {
        self.before_step.0.clone_from(&self.table);
        self.before_step.1 = self.for_frames.len();
    }

    /// Restores the forces at the start of the step.
    pub(crate) fn undo_step(&mut self) {
        std::mem::swap(&mut self.table, &mut self.before_step.0);
        self.for_frames.truncate(self.before_step.1);
    }

    /// Writes the actions of a step, for the bodies that still exist, in the order of their slots: engines wake bodies in the order of the
    /// actions, and neither the order of the program's calls nor the frames shall change a bit.
    pub(crate) fn write_actions<E: Engine<Motion = M>>(
        &mut self,
        tick: Tick,
        engine: &E,
        handle_of: impl Fn(BodyKey) -> Option<E::Handle>,
        actions: &mut Vec<Action<E>>,
    ) {
        let step = time_units_of(tick);
        for entry in self.table.values_mut() {
            entry.force = entry.constant;
            entry.force.add(entry.step, 1.0);
        }
        for force in &self.for_frames {
            let entry = self.table.entry(force.key).or_insert(Entry::NOTHING);
            entry.force.add(force.force, overlap(&force.time, &step));
        }
        if !self.table.keys().is_sorted() {
            self.table.sort_unstable_keys();
        }
        actions.clear();
        for (key, entry) in self.table.iter().filter(|(_, entry)| entry.is_active_now()) {
            if let Some(body) = handle_of(*key) {
                let stop = || {
                    let motion = engine.motion(body).filter(|_| entry.had_target);
                    motion.map(|now| now.pose())
                };
                actions.push(Action {
                    body,
                    force: entry.force,
                    impulse: entry.impulse,
                    drag: entry.drag,
                    target: entry.target.or_else(stop),
                });
            }
        }
    }

    /// Ends a step that was carried out: removes the actions that apply to one step only.
    pub(crate) fn end_step(&mut self) {
        for entry in self.table.values_mut() {
            *entry = Entry {
                constant: entry.constant,
                had_target: entry.target.is_some(),
                ..Entry::NOTHING
            };
        }
    }

    /// Copies all forces between two steps into an existing copy, without the ones of a frame that was begun and not run, which a restored
    /// system does not run either.
    pub(crate) fn save_into(&self, saved: &mut Self) {
        saved.table.clone_from(&self.table);
        saved.for_next.clone_from(&self.for_next);
        saved.for_frames.clone_from(&self.for_frames);
    }

    pub(crate) fn restore(&mut self, saved: &Self) {
        self.table.clone_from(&saved.table);
        self.for_next.clone_from(&saved.for_next);
        self.for_begun.clear();
        self.for_frames.clone_from(&saved.for_frames);
    }
}

impl<M: BodyMotion> Entry<M> {
    const NOTHING: Self = Self {
        constant: Wrench::ZERO,
        step: Wrench::ZERO,
        impulse: Wrench::ZERO,
        drag: Drag::ZERO,
        target: None,
        had_target: false,
        force: Wrench::ZERO,
    };

    /// Whether anything acts in the present step.
    fn is_active_now(&self) -> bool {
        !self.force.is_zero() || self.is_moved()
    }

    /// Whether anything acts in the next step or later.
    fn is_active(&self) -> bool {
        !self.constant.is_zero() || !self.step.is_zero() || self.is_moved()
    }

    fn is_moved(&self) -> bool {
        !self.impulse.is_zero() || !self.drag.is_zero() || self.target.is_some() || self.had_target
    }
}

/// The fraction of a step in which a force acts.
fn overlap(time: &Range<u128>, step: &Range<u128>) -> f64 {
    let (start, end) = (time.start.max(step.start), time.end.min(step.end));
    end.saturating_sub(start) as u64 as f64 / UNITS_PER_STEP
}
