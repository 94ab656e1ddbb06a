//! What acts on bodies: one table, from the call to the engine's step.

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
pub(crate) const fn units_of(tick: Tick) -> Range<u128> {
    (tick as u128) << 32..(tick as u128 + 1) << 32
}

/// Forces, impulses and targets of the coming step, and how forces are spread over time.
pub(crate) struct Forces<E: Engine> {
    table: Vec<Entry<E>>,
    /// By slots of bodies: where in the table they are, counted from 1.
    places: Vec<u32>,
    /// Forces of earlier frames that reach beyond the last step.
    held: Vec<Held<E>>,
    /// The simulated time of the present frame.
    frame: Range<u128>,
    /// Entries as they were before the present step changed them, while a step is being prepared.
    undo: Vec<(u32, Entry<E>)>,
    /// How many entries there were when the present step began, while it is being prepared.
    mark: Option<usize>,
    actions: Vec<Action<E>>,
}

/// What acts on a body.
struct Entry<E: Engine> {
    key: BodyKey,
    /// Acts while the present frame lasts.
    frame: WrenchOf<E>,
    /// Acts until it is replaced.
    constant: WrenchOf<E>,
    /// Acts in the next step only.
    step: WrenchOf<E>,
    /// Acts before the next step.
    impulse: WrenchOf<E>,
    /// Acts in the next step only.
    drag: Drag<VectorOf<E>>,
    target: Option<PoseOf<E>>,
    /// The sum of all forces, in the present step.
    force: WrenchOf<E>,
    /// Whether it had a target in the last step, and has to be stopped.
    is_driven: bool,
    /// Whether forces of earlier frames act on.
    is_held: bool,
    /// Whether it is among those that can be undone.
    is_kept: bool,
}

/// A force and when it acts.
struct Held<E: Engine> {
    key: BodyKey,
    force: WrenchOf<E>,
    time: Range<u128>,
}

/// How a force or impulse acts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acts {
    InFrame,
    Constantly,
    InStep,
    AsImpulse,
}

impl<E: Engine> Forces<E> {
    pub(crate) const fn new() -> Self {
        Self {
            table: Vec::new(),
            places: Vec::new(),
            held: Vec::new(),
            frame: 0..0,
            undo: Vec::new(),
            mark: None,
            actions: Vec::new(),
        }
    }

    /// Adds a force or impulse; a constant one replaces the last.
    pub(crate) fn add(&mut self, key: BodyKey, wrench: WrenchOf<E>, acts: Acts) {
        let entry = self.entry(key);
        let sum = match acts {
            Acts::InFrame => &mut entry.frame,
            Acts::InStep => &mut entry.step,
            Acts::AsImpulse => &mut entry.impulse,
            Acts::Constantly => {
                entry.constant = wrench;
                return;
            }
        };
        *sum = sum.plus(wrench, 1.0);
    }

    /// Adds a drag.
    pub(crate) fn add_drag(&mut self, key: BodyKey, drag: Drag<VectorOf<E>>) {
        let entry = self.entry(key);
        entry.drag = entry.drag.and(drag);
    }

    /// Where a kinematic body is to be after the next step.
    pub(crate) fn set_target(&mut self, key: BodyKey, target: PoseOf<E>) {
        self.entry(key).target = Some(target);
    }

    /// The entry of a body, which can be undone from here on.
    fn entry(&mut self, key: BodyKey) -> &mut Entry<E> {
        let slot = key.index();
        if self.places.len() <= slot {
            self.places.resize(slot + 1, 0);
        }
        let place = (self.places[slot] as usize).wrapping_sub(1);
        let place = match self.table.get(place) {
            Some(entry) if entry.key == key => place,
            _ => {
                self.table.push(Entry::new(key));
                self.places[slot] = self.table.len() as u32;
                self.table.len() - 1
            }
        };
        let entry = &mut self.table[place];
        if self.mark.is_some_and(|mark| place < mark) && !entry.is_kept {
            self.undo.push((place as u32, *entry));
            entry.is_kept = true;
        }
        entry
    }

    /// Begins a frame of which the simulated time is known. What earlier frames hold beyond its beginning was dropped.
    pub(crate) fn begin_frame(&mut self, time: Range<u128>) {
        for held in &mut self.held {
            held.time.end = held.time.end.min(time.start);
        }
        self.frame = time;
    }

    /// Ends the frame, which turned out to last until `end`, at the start of step `next`.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick, is_alive: impl Fn(BodyKey) -> bool) {
        let now = units_of(next).start;
        let time = self.frame.start.max(now)..end;
        self.held.retain(|held| held.time.end > now && is_alive(held.key));
        for entry in &mut self.table {
            let force = std::mem::replace(&mut entry.frame, Wrench::ZERO);
            if !time.is_empty() && !force.is_zero() {
                let (key, time) = (entry.key, time.clone());
                self.held.push(Held { key, force, time });
            }
        }
        self.frame = 0..0;
        for entry in &mut self.table {
            entry.is_held = false;
        }
        for held in &self.held {
            let place = (self.places[held.key.index()] as usize).wrapping_sub(1);
            if let Some(entry) = self.table.get_mut(place) {
                entry.is_held = entry.key == held.key;
            }
        }
        self.forget(is_alive);
    }

    /// Drops entries of bodies that are gone or on which nothing acts any more.
    fn forget(&mut self, is_alive: impl Fn(BodyKey) -> bool) {
        let places = &mut self.places;
        let mut kept = 0;
        self.table.retain(|entry| {
            let keep = entry.acts() && is_alive(entry.key);
            kept += u32::from(keep);
            places[entry.key.index()] = if keep { kept } else { 0 };
            keep
        });
    }

    /// Prepares a step that can be undone.
    pub(crate) fn begin_step(&mut self) {
        self.mark = Some(self.table.len());
    }

    /// Puts everything back to where it was when the step began.
    pub(crate) fn undo_step(&mut self) {
        let mark = self.mark.take().unwrap_or(self.table.len());
        for (place, entry) in self.undo.drain(..) {
            self.table[place as usize] = entry;
        }
        self.table.truncate(mark);
        self.find_places();
    }

    /// What acts in a step, on bodies that there still are.
    pub(crate) fn actions<U>(&mut self, tick: Tick, engine: &E, bodies: &Arena<Body<E, U>>) -> &[Action<E>] {
        let step = units_of(tick);
        let of_frame = share(&self.frame, &step);
        for entry in &mut self.table {
            entry.force = entry.constant.plus(entry.frame, of_frame).plus(entry.step, 1.0);
        }
        for held in &self.held {
            let place = (self.places[held.key.index()] as usize).wrapping_sub(1);
            if let Some(entry) = self.table.get_mut(place).filter(|entry| entry.key == held.key) {
                entry.force = entry.force.plus(held.force, share(&held.time, &step));
            }
        }
        self.actions.clear();
        for entry in self.table.iter().filter(|entry| entry.acts_now()) {
            if let Some(body) = bodies.get(entry.key) {
                let stop = || {
                    engine
                        .motion(body.handle)
                        .filter(|_| entry.is_driven)
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

    /// The step was done: what acted in it only acts no more.
    pub(crate) fn end_step(&mut self) {
        self.mark = None;
        self.undo.clear();
        for entry in &mut self.table {
            entry.step = Wrench::ZERO;
            entry.impulse = Wrench::ZERO;
            entry.drag = Drag::ZERO;
            entry.is_driven = entry.target.take().is_some();
            entry.is_kept = false;
        }
    }
}

impl<E: Engine> Entry<E> {
    const fn new(key: BodyKey) -> Self {
        Self {
            key,
            frame: Wrench::ZERO,
            constant: Wrench::ZERO,
            step: Wrench::ZERO,
            impulse: Wrench::ZERO,
            drag: Drag::ZERO,
            target: None,
            force: Wrench::ZERO,
            is_driven: false,
            is_held: false,
            is_kept: false,
        }
    }

    /// Whether something acts in the present step.
    fn acts_now(&self) -> bool {
        let is_pushed = !self.force.is_zero() || !self.impulse.is_zero() || !self.drag.is_zero();
        is_pushed || self.target.is_some() || self.is_driven
    }

    /// Whether something acts now or later.
    fn acts(&self) -> bool {
        let acting = [&self.frame, &self.constant, &self.step, &self.impulse];
        let is_moved = self.is_held || self.is_driven || self.target.is_some() || !self.drag.is_zero();
        is_moved || acting.iter().any(|wrench| !wrench.is_zero())
    }
}

// Derived, they would ask the same of the engine.
impl<E: Engine> Clone for Entry<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for Entry<E> {}

impl<E: Engine> Clone for Held<E> {
    fn clone(&self) -> Self {
        let (key, force, time) = (self.key, self.force, self.time.clone());
        Self { key, force, time }
    }
}

/// Forces at a moment between steps.
pub(crate) struct SavedForces<E: Engine> {
    table: Vec<Entry<E>>,
    held: Vec<Held<E>>,
}

impl<E: Engine> Forces<E> {
    pub(crate) fn save(&self) -> SavedForces<E> {
        SavedForces {
            table: self.table.clone(),
            held: self.held.clone(),
        }
    }

    pub(crate) fn save_into(&self, saved: &mut SavedForces<E>) {
        saved.table.clone_from(&self.table);
        saved.held.clone_from(&self.held);
    }

    pub(crate) fn restore(&mut self, saved: &SavedForces<E>) {
        self.table.clone_from(&saved.table);
        self.held.clone_from(&saved.held);
        self.undo.clear();
        self.mark = None;
        self.find_places();
    }

    /// Notes anew where in the table bodies are.
    fn find_places(&mut self) {
        self.places.fill(0);
        for (place, entry) in (1..).zip(&self.table) {
            self.places[entry.key.index()] = place;
        }
    }
}

/// The part of a step that a force acts in.
fn share(time: &Range<u128>, step: &Range<u128>) -> f64 {
    let (start, end) = (time.start.max(step.start), time.end.min(step.end));
    end.saturating_sub(start) as u64 as f64 / UNITS_PER_STEP
}
