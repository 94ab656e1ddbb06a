//! The reference model, a plain list of bodies, and the random calls.

use std::time::Duration;

use evenstep::Smoothing;
use proptest::prelude::*;

use crate::fake_engine::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Gone,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) life: Life,
    pub(crate) data: u32,
    pub(crate) is_kinematic: bool,
    /// Whether the body's life ended with the last call.
    pub(crate) left_now: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) bodies: Vec<Body>,
    saved: Option<Vec<Body>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    ForceForFrame,
    Force,
    Impulse,
    Constant,
    Drag,
    AtPoint,
    SetPrevious,
    Teleport,
    Velocity,
    GravityScale,
    MoveTo,
}

#[derive(Clone, Debug)]
pub(crate) enum Call {
    Create(f32, bool),
    Adopt(f32, bool),
    /// The indices of two bodies.
    Hinge(usize, usize),
    /// The body, and its movement in metres in one step.
    Ride(usize, f32),
    Remove(usize),
    Release(usize),
    DestroyThroughEngine(usize),
    MoveThroughEngine(usize, f32),
    Act(usize, Act, f32),
    Smooth(usize, Smoothing),
    Attach(usize),
    Detach,
    /// Milliseconds, the kind of update, and whether the program fails.
    Update(u64, u8, bool),
    Fault(Fault),
    Read(usize),
    Save,
    Restore,
}

impl Reference {
    /// A model with one body.
    pub(crate) fn new() -> Self {
        let mut first = Self {
            bodies: Vec::new(),
            saved: None,
        };
        first.add(false);
        first
    }

    pub(crate) fn body(&self, number: usize) -> Body {
        self.bodies[number % self.bodies.len()]
    }

    pub(crate) fn last_data(&self) -> u32 {
        self.bodies.last().map_or(0, |body| body.data)
    }

    fn add(&mut self, is_kinematic: bool) {
        let body = Body {
            life: Life::Alive,
            data: self.bodies.len() as u32,
            is_kinematic,
            left_now: false,
        };
        self.bodies.push(body);
    }
}

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => -20.0..20.0_f32,
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
    ]
}

/// Any call, with any arguments.
pub(crate) fn any_call() -> impl Strategy<Value = Call> {
    let body = || 0..12_usize;
    let act = prop::sample::select(vec![
        Act::ForceForFrame,
        Act::Force,
        Act::Impulse,
        Act::Constant,
        Act::Drag,
        Act::AtPoint,
        Act::SetPrevious,
        Act::Teleport,
        Act::Velocity,
        Act::GravityScale,
        Act::MoveTo,
    ]);
    let smoothing = prop::sample::select(vec![
        Smoothing::None,
        Smoothing::Interpolate,
        Smoothing::Hermite,
        Smoothing::Extrapolate {
            horizon: Duration::from_millis(30),
        },
    ]);
    let fault = prop::sample::select(vec![
        Fault::Refuse,
        Fault::FailCallback,
        Fault::FalseReport,
        Fault::NonFinite,
    ]);
    prop_oneof![
        2 => (any_number(), any::<bool>()).prop_map(|(x, is_kinematic)| Call::Create(x, is_kinematic)),
        2 => (-20.0..20.0_f32, any::<bool>()).prop_map(|(x, is_kinematic)| Call::Adopt(x, is_kinematic)),
        2 => (body(), body()).prop_map(|(first, second)| Call::Hinge(first, second)),
        2 => (body(), -0.2..0.2_f32).prop_map(|(body, by)| Call::Ride(body, by)),
        2 => body().prop_map(Call::Remove),
        1 => body().prop_map(Call::Release),
        1 => body().prop_map(Call::DestroyThroughEngine),
        1 => (body(), -20.0..20.0_f32).prop_map(|(body, x)| Call::MoveThroughEngine(body, x)),
        8 => (body(), act, any_number()).prop_map(|(body, act, value)| Call::Act(body, act, value)),
        2 => (body(), smoothing).prop_map(|(body, smoothing)| Call::Smooth(body, smoothing)),
        1 => body().prop_map(Call::Attach),
        1 => Just(Call::Detach),
        8 => (0..90_u64, 0..6_u8, prop::bool::weighted(0.2)).prop_map(|(millis, way, fails)| Call::Update(millis, way, fails)),
        2 => fault.prop_map(Call::Fault),
        2 => body().prop_map(Call::Read),
        1 => Just(Call::Save),
        1 => Just(Call::Restore),
    ]
}

impl Reference {
    /// Applies the effect of a call to the list.
    pub(crate) fn apply(&mut self, call: &Call) {
        let state = self;
        let count = state.bodies.len();
        state.bodies.iter_mut().for_each(|body| body.left_now = false);
        match call {
            Call::Create(x, is_kinematic) if x.is_finite() => state.add(*is_kinematic),
            Call::Adopt(_, is_kinematic) => state.add(*is_kinematic),
            Call::Remove(body) | Call::Release(body) | Call::DestroyThroughEngine(body) => {
                let body = &mut state.bodies[body % count];
                body.left_now = body.life == Life::Alive;
                body.life = Life::Gone;
            }
            Call::Save => state.saved = Some(state.bodies.clone()),
            Call::Restore => {
                if let Some(saved) = &state.saved {
                    let (known, later) = state.bodies.split_at_mut(saved.len());
                    known.copy_from_slice(saved);
                    later.iter_mut().for_each(|body| body.life = Life::Gone);
                }
            }
            _ => {}
        }
    }
}
