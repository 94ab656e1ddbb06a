//! The table of forces, impulses, drag and kinematic targets: turns the program's calls into the actions of a step.

use std::ops::Range;

use evenstep::Tick;

use super::body::Body;
use crate::arena::{Arena, BodyKey};
use crate::drag::Drag;
use crate::engine::{Action, BodyMotion as _, Engine, PoseOf, VectorOf, WrenchOf};
use crate::wrench::Wrench;

/// Units of simulated time in a step, as [`Frame::covered`](evenstep::Frame::covered) counts them.
const UNITS_PER_STEP: f64 = (1_u64 << 32) as f64;

/// The units of simulated time that a step covers.
pub(crate) const fn time_units_of(tick: Tick) -> Range<u128> {
    (tick as u128) << 32..(tick as u128 + 1) << 32
}

/// Forces, impulses and targets of the next step, and the simulated time over which forces act.
pub(crate) struct Forces<E: Engine> {
    table: Vec<Entry<E>>,
    /// By body slot: one plus the index of the body's entry in the table; 0 for a body without an entry.
    entry_numbers: Vec<u32>,
    /// Forces of earlier frames that act beyond the last step.
    carried: Vec<CarriedForce<E>>,
    /// The simulated time of the present frame.
    frame: Range<u128>,
    /// Copies of the entries that the present step changed, while a step is being prepared.
    undo_log: Vec<(u32, Entry<E>)>,
    /// The number of entries at the start of the present step, while it is being prepared.
    undo_len: Option<usize>,
    actions: Vec<Action<E>>,
}

/// Everything that acts on one body.
struct Entry<E: Engine> {
    key: BodyKey,
    /// The force that acts for the present frame, or for the next one.
    frame: WrenchOf<E>,
    /// The force for a frame that was begun and has not been run.
    begun: WrenchOf<E>,
    /// The force that acts until it is replaced.
    constant: WrenchOf<E>,
    /// The force that acts in the next step only.
    step: WrenchOf<E>,
    /// The impulse at the start of the next step.
    impulse: WrenchOf<E>,
    /// The drag in the next step only.
    drag: Drag<VectorOf<E>>,
    /// The pose that a kinematic body reaches at the end of the next step.
    target: Option<PoseOf<E>>,
    /// The sum of all forces, in the present step.
    force: WrenchOf<E>,
    /// Whether the body had a target in the last step, so that it must be stopped now.
    had_target: bool,
    /// Whether a force of an earlier frame still acts.
    has_carried_force: bool,
    /// Whether the undo log has a copy of this entry.
    is_logged: bool,
}

/// A force of an earlier frame that ends within a later step, and the simulated time in which it acts.
struct CarriedForce<E: Engine> {
    key: BodyKey,
    force: WrenchOf<E>,
    time: Range<u128>,
}

/// How long a force acts, or that it is an impulse.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForceMode {
    /// For the present frame.
    ForFrame,
    /// Until it is replaced.
    Constant,
    /// In the next step.
    ForStep,
    /// At the start of the next step.
    Impulse,
}

impl<E: Engine> Forces<E> {
    pub(crate) const fn new() -> Self {
        Self {
            table: Vec::new(),
            entry_numbers: Vec::new(),
            carried: Vec::new(),
            frame: 0..0,
            undo_log: Vec::new(),
            undo_len: None,
            actions: Vec::new(),
        }
    }

    /// Adds a force or impulse; a constant force replaces the last one.
    pub(crate) fn add(&mut self, key: BodyKey, wrench: WrenchOf<E>, mode: ForceMode) {
        let entry = self.entry(key);
        let sum = match mode {
            ForceMode::ForFrame => &mut entry.frame,
            ForceMode::ForStep => &mut entry.step,
            ForceMode::Impulse => &mut entry.impulse,
            ForceMode::Constant => {
                entry.constant = wrench;
                return;
            }
        };
        *sum = sum.plus(wrench, 1.0);
    }

    /// Adds a drag.
    pub(crate) fn add_drag(&mut self, key: BodyKey, drag: Drag<VectorOf<E>>) {
        let entry = self.entry(key);
        entry.drag = entry.drag.combined(drag);
    }

    /// Sets the pose that a kinematic body reaches at the end of the next step.
    pub(crate) fn set_target(&mut self, key: BodyKey, target: PoseOf<E>) {
        self.entry(key).target = Some(target);
    }

    /// Forgets the target of a body, if it has one, also if the present step is undone. Returns whether the body moves towards a target or
    /// has just reached one, and was still to be stopped.
    pub(crate) fn clear_target(&mut self, key: BodyKey) -> bool {
        let number = self.entry_numbers.get(key.index()).copied().unwrap_or(0);
        let index = (number as usize).wrapping_sub(1);
        let Some(entry) = self.table.get_mut(index).filter(|entry| entry.key == key) else {
            return false;
        };
        let had_target = std::mem::take(&mut entry.had_target);
        entry.target = None;
        let logged = self.undo_log.iter_mut();
        for (_, entry) in logged.filter(|(logged, _)| *logged as usize == index) {
            (entry.target, entry.had_target) = (None, false);
        }
        had_target
    }

    /// The bodies with targets in the present step.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (BodyKey, PoseOf<E>)> {
        let table = self.table.iter();
        table.filter_map(|entry| Some((entry.key, entry.target?)))
    }

    /// The entry of a body, mutably; the undo log keeps a copy of the entry.
    fn entry(&mut self, key: BodyKey) -> &mut Entry<E> {
        let slot = key.index();
        if self.entry_numbers.len() <= slot {
            self.entry_numbers.resize(slot + 1, 0);
        }
        let index = (self.entry_numbers[slot] as usize).wrapping_sub(1);
        let index = match self.table.get(index) {
            Some(entry) if entry.key == key => index,
            _ => {
                self.table.push(Entry::new(key));
                self.entry_numbers[slot] = self.table.len() as u32;
                self.table.len() - 1
            }
        };
        let entry = &mut self.table[index];
        if self.undo_len.is_some_and(|len| index < len) && !entry.is_logged {
            self.undo_log.push((index as u32, *entry));
            entry.is_logged = true;
        }
        entry
    }

    /// The forces for a frame that have been applied until now are those of a frame that is begun. Those of an earlier frame that was begun
    /// and not run are dropped.
    pub(crate) fn begin(&mut self) {
        for entry in &mut self.table {
            entry.begun = std::mem::replace(&mut entry.frame, Wrench::ZERO);
        }
    }

    /// The frame that was begun is now run, with the forces that were applied for it before and since.
    pub(crate) fn run_begun(&mut self) {
        for entry in &mut self.table {
            let begun = std::mem::replace(&mut entry.begun, Wrench::ZERO);
            entry.frame = begun.plus(entry.frame, 1.0);
        }
    }

    /// Begins a frame that covers the simulated `time`. Forces of earlier frames end where it begins, because later steps of those
    /// frames were dropped.
    pub(crate) fn begin_frame(&mut self, time: Range<u128>) {
        for carried in &mut self.carried {
            carried.time.end = carried.time.end.min(time.start);
        }
        self.frame = time;
    }

    /// Ends the frame at the simulated time `end`, before the step of tick `next`.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick, is_alive: impl Fn(BodyKey) -> bool) {
        let now = time_units_of(next).start;
        let time = self.frame.start.max(now)..end;
        self.carried
            .retain(|carried| carried.time.end > now && is_alive(carried.key));
        for entry in &mut self.table {
            let force = std::mem::replace(&mut entry.frame, Wrench::ZERO);
            if !time.is_empty() && !force.is_zero() {
                let (key, time) = (entry.key, time.clone());
                self.carried.push(CarriedForce { key, force, time });
            }
        }
        self.frame = 0..0;
        for entry in &mut self.table {
            entry.has_carried_force = false;
        }
        for carried in &self.carried {
            let index = (self.entry_numbers[carried.key.index()] as usize).wrapping_sub(1);
            if let Some(entry) = self.table.get_mut(index) {
                entry.has_carried_force = entry.key == carried.key;
            }
        }
        self.remove_inactive(is_alive);
    }

    /// Removes the entries of bodies that no longer exist or on which nothing acts.
    fn remove_inactive(&mut self, is_alive: impl Fn(BodyKey) -> bool) {
        let entry_numbers = &mut self.entry_numbers;
        let mut kept = 0;
        self.table.retain(|entry| {
            let keep = entry.is_active() && is_alive(entry.key);
            kept += u32::from(keep);
            entry_numbers[entry.key.index()] = if keep { kept } else { 0 };
            keep
        });
    }

    /// Prepares a step that can be undone.
    pub(crate) fn begin_step(&mut self) {
        self.undo_len = Some(self.table.len());
    }

    /// Restores the table at the start of the step.
    pub(crate) fn undo_step(&mut self) {
        let len = self.undo_len.take().unwrap_or(self.table.len());
        for (index, entry) in self.undo_log.drain(..) {
            self.table[index as usize] = entry;
        }
        self.table.truncate(len);
        self.rebuild_index();
    }

    /// The actions of a step, for the bodies that still exist.
    pub(crate) fn actions<U>(&mut self, tick: Tick, engine: &E, bodies: &Arena<Body<E, U>>) -> &[Action<E>] {
        let step = time_units_of(tick);
        let frame_fraction = overlap(&self.frame, &step);
        for entry in &mut self.table {
            entry.force = entry.constant.plus(entry.frame, frame_fraction).plus(entry.step, 1.0);
        }
        for carried in &self.carried {
            let index = (self.entry_numbers[carried.key.index()] as usize).wrapping_sub(1);
            if let Some(entry) = self.table.get_mut(index).filter(|entry| entry.key == carried.key) {
                entry.force = entry.force.plus(carried.force, overlap(&carried.time, &step));
            }
        }
        self.actions.clear();
        for entry in self.table.iter().filter(|entry| entry.is_active_now()) {
            if let Some(body) = bodies.get(entry.key) {
                let stop = || {
                    engine
                        .motion(body.handle)
                        .filter(|_| entry.had_target)
                        .map(|now| now.pose())
                };
                self.actions.push(Action {
                    body: body.handle,
                    force: entry.force,
                    impulse: entry.impulse,
                    drag: entry.drag,
                    target: entry.target.or_else(stop),
                });
            }
        }
        &self.actions
    }

    /// Ends a step that was carried out: removes the actions that apply to one step only.
    pub(crate) fn end_step(&mut self) {
        self.undo_len = None;
        self.undo_log.clear();
        for entry in &mut self.table {
            entry.step = Wrench::ZERO;
            entry.impulse = Wrench::ZERO;
            entry.drag = Drag::ZERO;
            entry.had_target = entry.target.take().is_some();
            entry.is_logged = false;
        }
    }
}

impl<E: Engine> Entry<E> {
    const fn new(key: BodyKey) -> Self {
        Self {
            key,
            frame: Wrench::ZERO,
            begun: Wrench::ZERO,
            constant: Wrench::ZERO,
            step: Wrench::ZERO,
            impulse: Wrench::ZERO,
            drag: Drag::ZERO,
            target: None,
            force: Wrench::ZERO,
            had_target: false,
            has_carried_force: false,
            is_logged: false,
        }
    }

    /// Whether anything acts in the present step.
    fn is_active_now(&self) -> bool {
        let is_pushed = !self.force.is_zero() || !self.impulse.is_zero() || !self.drag.is_zero();
        is_pushed || self.target.is_some() || self.had_target
    }

    /// Whether anything acts now or later.
    fn is_active(&self) -> bool {
        let acting = [&self.frame, &self.begun, &self.constant, &self.step, &self.impulse];
        let is_moved = self.has_carried_force || self.had_target || self.target.is_some() || !self.drag.is_zero();
        is_moved || acting.iter().any(|wrench| !wrench.is_zero())
    }
}

// Derived implementations would require `E: Clone` and `E: Copy`.
impl<E: Engine> Clone for Entry<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for Entry<E> {}

impl<E: Engine> Clone for CarriedForce<E> {
    fn clone(&self) -> Self {
        let (key, force, time) = (self.key, self.force, self.time.clone());
        Self { key, force, time }
    }
}

/// A saved copy of the forces between two steps.
pub(crate) struct SavedForces<E: Engine> {
    table: Vec<Entry<E>>,
    carried: Vec<CarriedForce<E>>,
}

impl<E: Engine> Forces<E> {
    pub(crate) fn save(&self) -> SavedForces<E> {
        let mut saved = SavedForces {
            table: Vec::new(),
            carried: Vec::new(),
        };
        self.save_into(&mut saved);
        saved
    }

    /// Saves all forces except those of a frame that was begun and not run, which a restored system does not run either.
    pub(crate) fn save_into(&self, saved: &mut SavedForces<E>) {
        saved.table.clone_from(&self.table);
        for entry in &mut saved.table {
            entry.begun = Wrench::ZERO;
        }
        saved.carried.clone_from(&self.carried);
    }

    pub(crate) fn restore(&mut self, saved: &SavedForces<E>) {
        self.table.clone_from(&saved.table);
        self.carried.clone_from(&saved.carried);
        self.undo_log.clear();
        self.undo_len = None;
        self.rebuild_index();
    }

    /// Rebuilds the index from slots to entries.
    fn rebuild_index(&mut self) {
        self.entry_numbers.fill(0);
        for (index, entry) in (1..).zip(&self.table) {
            self.entry_numbers[entry.key.index()] = index;
        }
    }
}

/// The fraction of a step in which a force acts.
fn overlap(time: &Range<u128>, step: &Range<u128>) -> f64 {
    let (start, end) = (time.start.max(step.start), time.end.min(step.end));
    end.saturating_sub(start) as u64 as f64 / UNITS_PER_STEP
}
