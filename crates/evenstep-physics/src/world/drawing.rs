//! Keeps the last two poses of each body, and computes the pose that is drawn between two steps.

use evenstep::Vector as _;
use evenstep::{Blend as _, Smoothed, Smoothing};

use crate::arena::BodyKey;
use crate::body_motion::{BodyMotion, PoseStore as _};
use crate::engine::{Engine, PhysicsVector as _, VectorOf};

/// A body as it is drawn.
#[derive(Debug)]
#[non_exhaustive]
pub struct DrawnBody<'a, P, U> {
    /// The key of the body.
    pub key: BodyKey,
    /// The program's data of the body.
    pub data: &'a U,
    /// The pose at which to draw the body.
    pub pose: P,
}

/// The last two poses of all bodies, by slot, and the poses that are drawn.
pub(crate) struct Drawing<M: BodyMotion> {
    slots: Vec<SlotState>,
    styles: Vec<Style<M>>,
    history: M::Poses,
    /// The interpolated poses of the last blend.
    blended: Vec<M::Pose>,
    /// Slots of bodies that are drawn from poses and velocities, each once.
    motion_slots: Vec<u32>,
    /// Slots of bodies whose drawn pose changed since the last [`take_changed`](Self::take_changed), each once, so that the list
    /// is bounded by the number of bodies.
    changed: Vec<u32>,
    /// The number of steps begun, from 1; wraps around.
    step_count: u32,
}

/// The state of a slot that a step accesses for each body that moved. It is small and stored separately, for the cache. The two flags
/// that say whether the slot is listed outlive the body.
#[derive(Clone, Copy)]
struct SlotState {
    generation: u64,
    /// The step in which the body last moved.
    moved_in: u32,
    is_alive: bool,
    /// Whether the slot is in [`Drawing::changed`].
    is_changed: bool,
    /// Whether the slot is in [`Drawing::motion_slots`].
    needs_velocity: bool,
}

/// Replaces the velocity of the centre of mass with the velocity of the body's origin, which is the point that is drawn.
pub(super) fn with_origin_velocity<E: Engine>(engine: &E, body: E::Handle, motion: E::Motion) -> E::Motion {
    let arm = engine
        .center_of_mass(body)
        .map(|center| motion.position().plus(center, -1.0));
    match arm {
        Some(arm) if arm != VectorOf::<E>::ZERO => {
            let around = E::Motion::tangential_velocity(motion.angular_velocity(), arm);
            motion.with_velocity(motion.velocity().add(around))
        }
        _ => motion,
    }
}

/// How a body is drawn between steps.
struct Style<M: BodyMotion> {
    smoothing: Smoothing,
    /// The last two states, if velocities are needed to draw the body. Most bodies are interpolated between their poses, which
    /// are stored in [`Drawing::history`].
    motions: Option<Box<Smoothed<M>>>,
}

impl SlotState {
    const fn new(key: BodyKey) -> Self {
        Self {
            generation: key.generation,
            moved_in: 0,
            is_alive: true,
            is_changed: false,
            needs_velocity: false,
        }
    }

    const fn key(&self, slot: u32) -> BodyKey {
        BodyKey {
            slot,
            generation: self.generation,
        }
    }
}

impl<M: BodyMotion> Style<M> {
    const DEFAULT: Self = Self {
        smoothing: Smoothing::Interpolate,
        motions: None,
    };
}

// A derived `clone_from` would not reuse memory.
impl<M: BodyMotion> Clone for Style<M> {
    fn clone(&self) -> Self {
        Self {
            smoothing: self.smoothing,
            motions: self.motions.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.smoothing = source.smoothing;
        self.motions.clone_from(&source.motions);
    }
}

impl<M: BodyMotion> Drawing<M> {
    pub(crate) fn new() -> Self {
        Self {
            slots: Vec::new(),
            styles: Vec::new(),
            history: M::Poses::default(),
            blended: Vec::new(),
            motion_slots: Vec::new(),
            changed: Vec::new(),
            step_count: 1,
        }
    }

    pub(crate) const fn history(&self) -> &M::Poses {
        &self.history
    }

    /// Adds a body; its first frames show it at `pose`.
    pub(crate) fn insert(&mut self, key: BodyKey, pose: M::Pose) {
        let index = key.index();
        if index < self.slots.len() {
            let slot_state = &mut self.slots[index];
            *slot_state = SlotState {
                is_changed: slot_state.is_changed,
                needs_velocity: slot_state.needs_velocity,
                ..SlotState::new(key)
            };
            self.styles[index] = Style::DEFAULT;
            self.history.reset(index, pose);
        } else {
            self.slots.push(SlotState::new(key));
            self.styles.push(Style::DEFAULT);
            self.history.push(pose);
            self.blended.push(pose);
        }
        self.mark_changed(key);
    }

    pub(crate) fn remove(&mut self, key: BodyKey) {
        self.slots[key.index()].is_alive = false;
        self.styles[key.index()] = Style::DEFAULT;
    }

    /// The key of the body in a slot, and whether velocities are needed to draw the body.
    #[inline]
    pub(crate) fn in_slot(&self, slot: u32) -> Option<(BodyKey, bool)> {
        let slot_state = self.slots.get(slot as usize).filter(|slot_state| slot_state.is_alive)?;
        Some((slot_state.key(slot), slot_state.needs_velocity))
    }

    /// Whether velocities are needed to draw a body.
    pub(crate) fn needs_velocity(&self, key: BodyKey) -> bool {
        self.styles[key.index()].motions.is_some()
    }

    /// A body's newest simulated pose.
    pub(crate) fn current(&self, key: BodyKey) -> Option<M::Pose> {
        self.history.current(key.index())
    }

    /// Sets how a body is drawn. `motion` is its simulated state.
    pub(crate) fn set_smoothing(&mut self, key: BodyKey, smoothing: Smoothing, motion: M) {
        let index = key.index();
        let states = (self.history.previous(index), self.history.current(index));
        let style = &mut self.styles[index];
        style.smoothing = smoothing;
        style.motions = None;
        if let (Smoothing::Extrapolate { .. } | Smoothing::Hermite, (Some(previous), Some(current))) =
            (smoothing, states)
        {
            let mut motions = Smoothed::new(motion.with_pose(previous));
            motions.set(motion.with_pose(current));
            if self.history.has_teleported(index) {
                motions.teleport();
            }
            style.motions = Some(Box::new(motions));
            if !std::mem::replace(&mut self.slots[index].needs_velocity, true) {
                self.motion_slots.push(key.slot);
            }
        }
        self.mark_moved(key);
    }

    /// Begins a step: the current poses become the previous ones.
    pub(crate) fn begin_step(&mut self) {
        self.step_count = self.step_count.wrapping_add(1);
        self.history.begin_step();
        let (styles, slots) = (&mut self.styles, &mut self.slots);
        self.motion_slots.retain(|slot| {
            let motions = styles[*slot as usize].motions.as_mut();
            let needs_velocity = motions.map(|motions| motions.begin_step()).is_some();
            slots[*slot as usize].needs_velocity = needs_velocity;
            needs_velocity
        });
    }

    /// Sets a body's pose after the step.
    #[inline]
    pub(crate) fn set_pose(&mut self, key: BodyKey, pose: M::Pose) {
        self.mark_moved(key);
        self.history.set(key.index(), pose);
    }

    /// Sets a body's pose and velocities after the step.
    pub(crate) fn set_motion(&mut self, key: BodyKey, motion: M) {
        if let Some(motions) = &mut self.styles[key.index()].motions {
            motions.set(motion);
        }
        self.set_pose(key, motion.pose());
    }

    /// Sets a body's state without interpolation from the previous one.
    pub(crate) fn teleport(&mut self, key: BodyKey, motion: M) {
        self.set_motion(key, motion);
        self.history.teleport(key.index(), motion.pose());
        if let Some(motions) = &mut self.styles[key.index()].motions {
            motions.teleport();
        }
    }

    /// Sets a body's velocity, if velocities are needed to draw the body.
    pub(crate) fn set_velocity(&mut self, key: BodyKey, motion: M) {
        if self.styles[key.index()].motions.is_some() {
            self.set_motion(key, motion);
        }
    }

    /// Ends a step: the velocity of bodies that fell asleep is set to zero, so that they are not extrapolated with the last
    /// velocity that the engine reported.
    pub(crate) fn end_step(&mut self) {
        for slot in &self.motion_slots {
            let index = *slot as usize;
            if self.slots[index].moved_in != self.step_count
                && let Some(motions) = &mut self.styles[index].motions
            {
                motions.set(M::at(motions.current().pose()));
            }
        }
    }

    /// Interpolates all bodies that have moved, for [`drawn`](Self::drawn).
    pub(crate) fn blend(&mut self, alpha: f64) {
        self.history.blend(alpha, &mut self.blended);
    }

    /// The drawn pose of a body, after [`blend`](Self::blend).
    #[inline]
    pub(crate) fn drawn(&self, key: BodyKey, alpha: f64, dt: f64) -> Option<M::Pose> {
        self.drawn_with(key, alpha, dt, || self.blended.get(key.index()).copied())
    }

    /// The drawn pose of one body, without [`blend`](Self::blend).
    pub(crate) fn drawn_single(&self, key: BodyKey, alpha: f64, dt: f64) -> Option<M::Pose> {
        let index = key.index();
        self.drawn_with(key, alpha, dt, || {
            let current = self.history.current(index)?;
            if alpha > 0.0 && self.history.has_teleported(index) {
                return Some(current);
            }
            Some(self.history.previous(index)?.blend(&current, alpha))
        })
    }

    /// The drawn pose of a body by its smoothing; `blended` interpolates between its last two poses.
    #[inline]
    fn drawn_with(
        &self,
        key: BodyKey,
        alpha: f64,
        dt: f64,
        blended: impl FnOnce() -> Option<M::Pose>,
    ) -> Option<M::Pose> {
        let style = self.styles.get(key.index())?;
        match (style.smoothing, &style.motions) {
            (Smoothing::Interpolate, _) => blended(),
            (smoothing, Some(motions)) => Some(motions.drawn(smoothing, alpha, dt).pose()),
            _ => self.history.current(key.index()),
        }
    }

    /// Visits the keys of the bodies whose drawn pose changed since the last call, each once.
    pub(crate) fn take_changed(&mut self, mut visit: impl FnMut(&Self, BodyKey)) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.retain(|slot| {
            let index = *slot as usize;
            let slot_state = self.slots[index];
            if slot_state.is_alive {
                visit(self, slot_state.key(*slot));
            }
            // The drawn pose of a body that moved in the last step changes in the next frame too.
            let is_changed = slot_state.is_alive && slot_state.moved_in == self.step_count;
            self.slots[index].is_changed = is_changed;
            is_changed
        });
        self.changed = changed;
    }

    #[inline]
    fn mark_moved(&mut self, key: BodyKey) {
        self.slots[key.index()].moved_in = self.step_count;
        self.mark_changed(key);
    }

    #[inline]
    fn mark_changed(&mut self, key: BodyKey) {
        let slot_state = &mut self.slots[key.index()];
        if !std::mem::replace(&mut slot_state.is_changed, true) {
            self.changed.push(key.slot);
        }
    }

    /// Copies the state that [`restore`](Self::restore) needs.
    pub(crate) fn save(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            styles: self.styles.clone(),
            history: self.history.clone(),
            blended: Vec::new(),
            motion_slots: self.motion_slots.clone(),
            changed: Vec::new(),
            step_count: self.step_count,
        }
    }

    /// Copies the state into an existing copy, whose memory is reused.
    pub(crate) fn save_into(&self, saved: &mut Self) {
        saved.slots.clone_from(&self.slots);
        saved.styles.clone_from(&self.styles);
        saved.history.clone_from(&self.history);
        saved.motion_slots.clone_from(&self.motion_slots);
        saved.step_count = self.step_count;
    }

    pub(crate) fn restore(&mut self, saved: &Self) {
        self.slots.clone_from(&saved.slots);
        self.styles.clone_from(&saved.styles);
        self.history.restore(&saved.history);
        let history = &self.history;
        self.blended.clear();
        self.blended
            .extend((0..history.len()).filter_map(|slot| history.current(slot)));
        self.motion_slots.clone_from(&saved.motion_slots);
        self.step_count = saved.step_count;
        self.changed.clear();
        for (slot, slot_state) in (0..).zip(&mut self.slots) {
            slot_state.is_changed = slot_state.is_alive;
            self.changed.extend(slot_state.is_alive.then_some(slot));
        }
    }
}
