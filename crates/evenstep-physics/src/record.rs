//! What a world keeps of a body.

use evenstep::{Smoothed, Smoothing};

use crate::engine::LoadOf;
use crate::{Amount, BodyKey, Engine, Load};

/// What a step reads and writes of a body that moved: little, and apart from the rest, since many bodies move.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    birth: u64,
    /// The step in which it moved last, as the world counts them.
    pub(crate) moved_in: u32,
    pub(crate) is_alive: bool,
    /// Whether it is listed among those that are drawn elsewhere.
    pub(crate) is_changed: bool,
    /// Whether its drawing needs velocities.
    pub(crate) is_curved: bool,
}

impl Mark {
    pub(crate) const fn new(key: BodyKey) -> Self {
        Self {
            birth: key.birth,
            moved_in: 0,
            is_alive: true,
            is_changed: false,
            is_curved: false,
        }
    }

    pub(crate) const fn key(&self, slot: u32) -> BodyKey {
        BodyKey {
            slot,
            birth: self.birth,
        }
    }
}

/// A body: how it is drawn, what acts on it, and what the program keeps with it.
pub(crate) struct Record<E: Engine, U> {
    pub(crate) smoothing: Smoothing,
    /// Its last two states, where its drawing needs velocities: most bodies are drawn between their poses, which are kept
    /// together.
    pub(crate) curve: Option<Box<Smoothed<E::Motion>>>,
    pub(crate) handle: E::Handle,
    /// Made when something first acts on it: most bodies are moved by contacts and gravity only.
    loads: Option<Box<Loads<LoadOf<E>>>>,
    pub(crate) data: U,
}

/// What acts on a body.
#[derive(Clone, Copy)]
pub(crate) struct Loads<L> {
    /// A force that acts while the present frame lasts.
    pub(crate) frame: L,
    /// The impulse of earlier frames' forces on the part of the next step that they covered.
    pub(crate) carried: L,
    /// A force that acts until it is replaced.
    pub(crate) constant: L,
    /// A force that acts in the next step only.
    pub(crate) step: L,
    /// An impulse before the next step.
    pub(crate) impulse: L,
    /// Whether the body is listed among those on which something acts.
    pub(crate) is_listed: bool,
}

impl<V: Amount, S: Amount> Loads<Load<V, S>> {
    const NONE: Self = Self {
        frame: Load::ZERO,
        carried: Load::ZERO,
        constant: Load::ZERO,
        step: Load::ZERO,
        impulse: Load::ZERO,
        is_listed: false,
    };

    /// The force and the impulse of a step of `dt` seconds, of which the present frame covers `share`.
    fn take(&mut self, dt: f64, share: f64) -> (Load<V, S>, Load<V, S>) {
        let held = self.constant.plus(self.frame, share);
        let force = held.plus(self.step, 1.0).plus(self.carried, 1.0 / dt);
        (self.step, self.carried) = (Load::ZERO, Load::ZERO);
        (force, std::mem::replace(&mut self.impulse, Load::ZERO))
    }

    /// Carries the frame's force over, of which `seconds` reach into the next step. Answers whether anything acts on.
    fn end_frame(&mut self, seconds: f64) -> bool {
        self.carried = self.carried.plus(self.frame, seconds);
        self.frame = Load::ZERO;
        let acting = [&self.carried, &self.constant, &self.step, &self.impulse];
        self.is_listed = acting.into_iter().any(|load| !load.is_zero());
        self.is_listed
    }
}

impl<E: Engine, U> Record<E, U> {
    pub(crate) fn new(handle: E::Handle, data: U) -> Self {
        Self {
            smoothing: Smoothing::Interpolate,
            curve: None,
            handle,
            loads: None,
            data,
        }
    }

    pub(crate) fn loads_mut(&mut self) -> &mut Loads<LoadOf<E>> {
        self.loads.get_or_insert_with(|| Box::new(Loads::NONE))
    }

    /// See [`Loads::take`].
    pub(crate) fn take_loads(&mut self, dt: f64, share: f64) -> (LoadOf<E>, LoadOf<E>) {
        self.loads
            .as_mut()
            .map_or((Load::ZERO, Load::ZERO), |loads| loads.take(dt, share))
    }

    /// See [`Loads::end_frame`].
    pub(crate) fn end_frame(&mut self, seconds: f64) -> bool {
        self.loads.as_mut().is_some_and(|loads| loads.end_frame(seconds))
    }
}

impl<E: Engine, U: Clone> Clone for Record<E, U> {
    fn clone(&self) -> Self {
        Self {
            data: self.data.clone(),
            curve: self.curve.clone(),
            loads: self.loads.clone(),
            ..*self
        }
    }
}
