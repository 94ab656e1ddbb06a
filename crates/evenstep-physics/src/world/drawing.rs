//! Keeps the last two poses of each body, and computes the pose that is drawn between two steps.

use evenstep::poses::Poses;
use evenstep::{Smoothed, Smoothing, Vector as _};
use rustc_hash::FxHashMap;

use crate::arena::BodyKey;
use crate::body_motion::BodyMotion;
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
    history: Poses<M::Pose>,
    /// The interpolated poses of the last blend.
    blended: Vec<M::Pose>,
    /// The bodies that are not interpolated between their poses, by slot.
    styles: FxHashMap<u32, Style<M>>,
}

/// How a body is drawn that is not interpolated between its poses.
#[derive(Clone, Copy)]
struct Style<M> {
    smoothing: Smoothing,
    /// The last two states, with velocities.
    motions: Smoothed<M>,
    /// Whether the body has moved since the begin of the last step.
    has_moved: bool,
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

impl<M: BodyMotion> Drawing<M> {
    pub(crate) fn new() -> Self {
        Self {
            history: Poses::new(),
            blended: Vec::new(),
            styles: FxHashMap::default(),
        }
    }

    /// Adds a body; its first frames show it at `pose`.
    pub(crate) fn insert(&mut self, slot: u32, pose: M::Pose) {
        if !self.history.reset(slot as usize, pose) {
            self.history.push(pose);
            self.blended.push(pose);
        }
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        self.styles.remove(&slot);
    }

    /// A body's newest simulated pose.
    pub(crate) fn current(&self, slot: u32) -> Option<M::Pose> {
        self.history.current(slot as usize)
    }

    /// Sets how a body is drawn. `motion` is its simulated state.
    pub(crate) fn set_smoothing(&mut self, slot: u32, smoothing: Smoothing, motion: M) {
        self.styles.remove(&slot);
        let index = slot as usize;
        let states = (self.history.previous(index), self.history.current(index));
        if let (true, (Some(previous), Some(current))) = (smoothing != Smoothing::Interpolate, states) {
            let mut motions = Smoothed::new(motion.with_pose(previous));
            motions.set(motion.with_pose(current));
            if self.history.has_teleported(index) {
                motions.teleport();
            }
            let style = Style {
                smoothing,
                motions,
                has_moved: true,
            };
            self.styles.insert(slot, style);
        }
    }

    /// Begins a step: the current poses become the previous ones.
    pub(crate) fn begin_step(&mut self) {
        self.history.begin_step();
        self.styles.values_mut().for_each(|style| {
            style.motions.begin_step();
            style.has_moved = false;
        });
    }

    /// Sets a body's pose. `motion` reads its velocities too, if they are needed.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, pose: M::Pose, motion: impl FnOnce() -> M) {
        self.set_velocity(slot, motion);
        self.history.set(slot as usize, pose);
    }

    /// Sets a body's velocity, if velocities are needed to draw the body.
    #[inline]
    pub(crate) fn set_velocity(&mut self, slot: u32, motion: impl FnOnce() -> M) {
        if let Some(style) = self.styles.get_mut(&slot) {
            style.motions.set(motion());
            style.has_moved = true;
        }
    }

    /// Sets a body's state without interpolation from the previous one.
    pub(crate) fn teleport(&mut self, slot: u32, motion: M) {
        self.history.teleport(slot as usize, motion.pose());
        self.set_velocity(slot, || motion);
        if let Some(style) = self.styles.get_mut(&slot) {
            style.motions.teleport();
        }
    }

    /// Sets a body's pose before the last step.
    pub(crate) fn set_previous(&mut self, slot: u32, pose: M::Pose) {
        self.history.set_previous(slot as usize, pose);
        if let Some(style) = self.styles.get_mut(&slot) {
            let previous = style.motions.current().with_pose(pose);
            style.motions.set_previous(previous);
        }
    }

    /// Ends a step: the velocity of bodies that fell asleep is set to zero, so that they are not extrapolated with the last
    /// velocity that the engine reported.
    pub(crate) fn end_step(&mut self) {
        let asleep = self.styles.values_mut().filter(|style| !style.has_moved);
        asleep.for_each(|style| style.motions.set(M::at(style.motions.current().pose())));
    }

    /// Interpolates all bodies that have moved, for [`drawn`](Self::drawn).
    pub(crate) fn blend(&mut self, alpha: f64) {
        self.history.blend(alpha, &mut self.blended);
    }

    /// The drawn pose of a body, after [`blend`](Self::blend).
    #[inline]
    pub(crate) fn drawn(&self, slot: u32, alpha: f64, dt: f64) -> Option<M::Pose> {
        let styled = self.drawn_in_style(slot, alpha, dt);
        styled.or_else(|| self.blended.get(slot as usize).copied())
    }

    /// The drawn pose of one body, without [`blend`](Self::blend).
    pub(crate) fn drawn_single(&self, slot: u32, alpha: f64, dt: f64) -> Option<M::Pose> {
        self.drawn_in_style(slot, alpha, dt).or_else(|| {
            let mut drawn = [self.current(slot)?];
            self.history.blend_range(slot as usize, alpha, &mut drawn);
            Some(drawn[0])
        })
    }

    fn drawn_in_style(&self, slot: u32, alpha: f64, dt: f64) -> Option<M::Pose> {
        let style = self.styles.get(&slot)?;
        Some(style.motions.drawn(style.smoothing, alpha, dt).pose())
    }

    /// Copies the state that [`restore`](Self::restore) needs into an existing copy, whose memory is reused.
    pub(crate) fn save_into(&self, saved: &mut Self) {
        saved.history.clone_from(&self.history);
        saved.styles.clone_from(&self.styles);
    }

    pub(crate) fn restore(&mut self, saved: &Self) {
        self.history.restore(&saved.history);
        self.styles.clone_from(&saved.styles);
        let history = &self.history;
        self.blended.clear();
        self.blended
            .extend((0..history.len()).filter_map(|slot| history.current(slot)));
    }
}
