//! How bodies are drawn between steps.

use evenstep::integrate::Vector as _;
use evenstep::{Blend as _, Smoothed, Smoothing};

use crate::arena::BodyKey;
use crate::body_motion::{BodyMotion, ManyPoses as _};
use crate::engine::{Engine, PhysicsVector as _, VectorOf};

/// The last two poses of all bodies, by slots, and what is drawn of them.
pub(crate) struct Drawing<M: BodyMotion> {
    marks: Vec<Mark>,
    styles: Vec<Style<M>>,
    history: M::Poses,
    /// As they were drawn last.
    blended: Vec<M::Pose>,
    /// Slots of bodies whose drawing needs velocities, each once.
    curved: Vec<u32>,
    /// Slots of bodies whose drawn pose changed since it was last asked for, each once, so that it stays short where nobody
    /// asks.
    changed: Vec<u32>,
    /// Steps begun, from 1, around and around.
    steps: u32,
}

/// What a step reads and writes of a body that moved: little, and apart from the rest, since many bodies move. Whether its
/// slot is listed outlives the body.
#[derive(Clone, Copy)]
struct Mark {
    generation: u64,
    /// The step in which it moved last.
    moved_in: u32,
    is_alive: bool,
    /// Whether its slot is listed among those whose drawn pose changed.
    is_changed: bool,
    /// Whether its slot is listed among those whose drawing needs velocities.
    is_curved: bool,
}

/// A motion with the velocity of the body's origin, which is what is drawn, instead of that of its centre of mass.
pub(super) fn of_origin<E: Engine>(engine: &E, body: E::Handle, motion: E::Motion) -> E::Motion {
    let arm = engine
        .center_of_mass(body)
        .map(|center| motion.position().plus(center, -1.0));
    match arm {
        Some(arm) if arm != VectorOf::<E>::ZERO => {
            let around = E::Motion::circling(motion.angular_velocity(), arm);
            motion.with_velocity(motion.velocity().add(around))
        }
        _ => motion,
    }
}

/// How a body is drawn.
struct Style<M: BodyMotion> {
    smoothing: Smoothing,
    /// Its last two states, where its drawing needs velocities: most bodies are drawn between their poses, which are kept
    /// together.
    curve: Option<Box<Smoothed<M>>>,
}

impl Mark {
    const fn new(key: BodyKey) -> Self {
        Self {
            generation: key.generation,
            moved_in: 0,
            is_alive: true,
            is_changed: false,
            is_curved: false,
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
    const PLAIN: Self = Self {
        smoothing: Smoothing::Interpolate,
        curve: None,
    };
}

// Derived, it would not use memory again.
impl<M: BodyMotion> Clone for Style<M> {
    fn clone(&self) -> Self {
        Self {
            smoothing: self.smoothing,
            curve: self.curve.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.smoothing = source.smoothing;
        self.curve.clone_from(&source.curve);
    }
}

impl<M: BodyMotion> Drawing<M> {
    pub(crate) fn new() -> Self {
        Self {
            marks: Vec::new(),
            styles: Vec::new(),
            history: M::Poses::default(),
            blended: Vec::new(),
            curved: Vec::new(),
            changed: Vec::new(),
            steps: 1,
        }
    }

    pub(crate) const fn history(&self) -> &M::Poses {
        &self.history
    }

    /// Adds a body, which is drawn where it is.
    pub(crate) fn insert(&mut self, key: BodyKey, pose: M::Pose) {
        let index = key.index();
        if index < self.marks.len() {
            let mark = &mut self.marks[index];
            *mark = Mark {
                is_changed: mark.is_changed,
                is_curved: mark.is_curved,
                ..Mark::new(key)
            };
            self.styles[index] = Style::PLAIN;
            self.history.reset(index, pose);
        } else {
            self.marks.push(Mark::new(key));
            self.styles.push(Style::PLAIN);
            self.history.push(pose);
            self.blended.push(pose);
        }
        self.mark_changed(key);
    }

    pub(crate) fn remove(&mut self, key: BodyKey) {
        self.marks[key.index()].is_alive = false;
        self.styles[key.index()] = Style::PLAIN;
    }

    /// The key of the body in a slot, and whether velocities are needed to draw it.
    #[inline]
    pub(crate) fn in_slot(&self, slot: u32) -> Option<(BodyKey, bool)> {
        let mark = self.marks.get(slot as usize).filter(|mark| mark.is_alive)?;
        Some((mark.key(slot), mark.is_curved))
    }

    /// Whether velocities are needed to draw a body.
    pub(crate) fn is_curved(&self, key: BodyKey) -> bool {
        self.styles[key.index()].curve.is_some()
    }

    /// A body's newest pose.
    pub(crate) fn current(&self, key: BodyKey) -> Option<M::Pose> {
        self.history.current(key.index())
    }

    /// Sets how a body is drawn, whose true state is `motion`.
    pub(crate) fn set_smoothing(&mut self, key: BodyKey, smoothing: Smoothing, motion: M) {
        let index = key.index();
        let states = (self.history.previous(index), self.history.current(index));
        let style = &mut self.styles[index];
        style.smoothing = smoothing;
        style.curve = None;
        if let (Smoothing::Extrapolate { .. } | Smoothing::Hermite, (Some(previous), Some(current))) =
            (smoothing, states)
        {
            let mut curve = Smoothed::new(motion.with_pose(previous));
            curve.set(motion.with_pose(current));
            if self.history.has_jumped(index) {
                curve.teleport();
            }
            style.curve = Some(Box::new(curve));
            if !std::mem::replace(&mut self.marks[index].is_curved, true) {
                self.curved.push(key.slot);
            }
        }
        self.mark_moved(key);
    }

    /// Begins a step: what is newest becomes what was before it.
    pub(crate) fn begin_step(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        self.history.begin_step();
        let (styles, marks) = (&mut self.styles, &mut self.marks);
        self.curved.retain(|slot| {
            let curve = styles[*slot as usize].curve.as_mut();
            let is_curved = curve.map(|curve| curve.begin_step()).is_some();
            marks[*slot as usize].is_curved = is_curved;
            is_curved
        });
    }

    /// Where a body is after the step.
    #[inline]
    pub(crate) fn set_pose(&mut self, key: BodyKey, pose: M::Pose) {
        self.mark_moved(key);
        self.history.set(key.index(), pose);
    }

    /// The same of one whose drawing needs velocities.
    pub(crate) fn set_motion(&mut self, key: BodyKey, motion: M) {
        if let Some(curve) = &mut self.styles[key.index()].curve {
            curve.set(motion);
        }
        self.set_pose(key, motion.pose());
    }

    /// Draws a body where it is, without a motion between.
    pub(crate) fn teleport(&mut self, key: BodyKey, motion: M) {
        self.set_motion(key, motion);
        self.history.teleport(key.index(), motion.pose());
        if let Some(curve) = &mut self.styles[key.index()].curve {
            curve.teleport();
        }
    }

    /// A body's velocity changed, which matters to those that are drawn by it.
    pub(crate) fn set_velocity(&mut self, key: BodyKey, motion: M) {
        if self.styles[key.index()].curve.is_some() {
            self.set_motion(key, motion);
        }
    }

    /// Ends a step: bodies that fell asleep are not drawn ahead of where they are, whatever speed the engine still says
    /// that they have.
    pub(crate) fn end_step(&mut self) {
        for slot in &self.curved {
            let index = *slot as usize;
            if self.marks[index].moved_in != self.steps
                && let Some(curve) = &mut self.styles[index].curve
            {
                curve.set(M::at(curve.current().pose()));
            }
        }
    }

    /// Blends all bodies that have moved, for [`drawn`](Self::drawn).
    pub(crate) fn blend(&mut self, alpha: f64) {
        self.history.blend(alpha, &mut self.blended);
    }

    /// Where a body is drawn, among those that were just blended.
    #[inline]
    pub(crate) fn drawn(&self, key: BodyKey, alpha: f64, dt: f64) -> Option<M::Pose> {
        self.drawn_by(key, alpha, dt, || self.blended.get(key.index()).copied())
    }

    /// Where a body is drawn, by itself.
    pub(crate) fn drawn_alone(&self, key: BodyKey, alpha: f64, dt: f64) -> Option<M::Pose> {
        let index = key.index();
        self.drawn_by(key, alpha, dt, || {
            let current = self.history.current(index)?;
            if alpha > 0.0 && self.history.has_jumped(index) {
                return Some(current);
            }
            Some(self.history.previous(index)?.blend(&current, alpha))
        })
    }

    /// Where a body is drawn in its own way; `blended` says where it is between its last two poses.
    #[inline]
    fn drawn_by(
        &self,
        key: BodyKey,
        alpha: f64,
        dt: f64,
        blended: impl FnOnce() -> Option<M::Pose>,
    ) -> Option<M::Pose> {
        let style = self.styles.get(key.index())?;
        match (style.smoothing, &style.curve) {
            (Smoothing::Interpolate, _) => blended(),
            (smoothing, Some(curve)) => Some(curve.drawn(smoothing, alpha, dt).pose()),
            _ => self.history.current(key.index()),
        }
    }

    /// Visits the keys of bodies whose drawn pose changed since this was last asked, each once.
    pub(crate) fn take_changed(&mut self, mut visit: impl FnMut(&Self, BodyKey)) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.retain(|slot| {
            let index = *slot as usize;
            let mark = self.marks[index];
            if mark.is_alive {
                visit(self, mark.key(*slot));
            }
            // What moved in the last step is drawn elsewhere in the next frame too.
            let is_changed = mark.is_alive && mark.moved_in == self.steps;
            self.marks[index].is_changed = is_changed;
            is_changed
        });
        self.changed = changed;
    }

    #[inline]
    fn mark_moved(&mut self, key: BodyKey) {
        self.marks[key.index()].moved_in = self.steps;
        self.mark_changed(key);
    }

    #[inline]
    fn mark_changed(&mut self, key: BodyKey) {
        let mark = &mut self.marks[key.index()];
        if !std::mem::replace(&mut mark.is_changed, true) {
            self.changed.push(key.slot);
        }
    }

    /// A copy of all that a later [`restore`](Self::restore) needs.
    pub(crate) fn save(&self) -> Self {
        Self {
            marks: self.marks.clone(),
            styles: self.styles.clone(),
            history: self.history.clone(),
            blended: Vec::new(),
            curved: self.curved.clone(),
            changed: Vec::new(),
            steps: self.steps,
        }
    }

    /// The same, using memory again.
    pub(crate) fn save_into(&self, saved: &mut Self) {
        saved.marks.clone_from(&self.marks);
        saved.styles.clone_from(&self.styles);
        saved.history.clone_from(&self.history);
        saved.curved.clone_from(&self.curved);
        saved.steps = self.steps;
    }

    pub(crate) fn restore(&mut self, saved: &Self) {
        self.marks.clone_from(&saved.marks);
        self.styles.clone_from(&saved.styles);
        self.history.restore(&saved.history);
        let history = &self.history;
        self.blended.clear();
        self.blended
            .extend((0..history.len()).filter_map(|slot| history.current(slot)));
        self.curved.clone_from(&saved.curved);
        self.steps = saved.steps;
        self.changed.clear();
        for (slot, mark) in (0..).zip(&mut self.marks) {
            mark.is_changed = mark.is_alive;
            self.changed.extend(mark.is_alive.then_some(slot));
        }
    }
}
