//! The accumulator.

use evenstep_flat::filter::Given;
use evenstep_flat::timestep::{Frame, Timestep, carry, stretch};
use evenstep_flat::{Error, Overrun};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::slots::{Slots, status, take};
use crate::time::nanoseconds;

/// A fixed timestep. Its slots: numbers for first tick, tick, alpha, dt, steps, single steps, is behind, is rounded; integers for
/// clamped, suspended, dropped; then an exact time.
#[wasm_bindgen]
pub struct RawTimestep {
    pub(super) core: Timestep<Given>,
    slots: Slots<16>,
}

/// The first slot of the exact time.
const EXACT: usize = 11;

#[wasm_bindgen]
impl RawTimestep {
    /// With a rate of `numer / denom` hertz; none if one of them is zero.
    pub fn create(numer: u32, denom: u32) -> Option<Self> {
        let core = Timestep::given(numer, denom).ok()?;
        let mut slots = Slots::new();
        slots.number(3, f64::from(denom) / f64::from(numer));
        Some(Self { core, slots })
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// A frame at a time.
    pub fn begin_frame(&mut self, millis: f64, nanos: f64) -> u32 {
        let frame = nanoseconds(millis, nanos).and_then(|now| self.core.begin_frame(now));
        self.write(frame)
    }

    /// A frame so long after the last one.
    pub fn advance(&mut self, millis: f64, nanos: f64) -> u32 {
        let frame = nanoseconds(millis, nanos).and_then(|delta| self.core.advance(delta));
        self.write(frame)
    }

    /// A frame so long after the last one, and what a filter made of that.
    pub fn advance_given(&mut self, millis: f64, nanos: f64, delta: f64, residual: f64, max_lead: f64) -> u32 {
        let frame = nanoseconds(millis, nanos).and_then(|passed| {
            self.core
                .advance_given(passed, given(passed, delta, residual, max_lead))
        });
        self.write(frame)
    }

    /// Takes steps back.
    pub fn give_back(&mut self, unrun: u32) -> u32 {
        let frame = self.core.give_back(unrun);
        self.write(frame)
    }

    fn write(&mut self, frame: Result<Frame, Error>) -> u32 {
        take(frame, |frame| {
            let numbers = [
                frame.first_tick as f64,
                frame.tick as f64,
                frame.alpha,
                frame.dt,
                f64::from(frame.steps),
                f64::from(frame.single_steps),
                f64::from(u8::from(frame.is_behind)),
                f64::from(u8::from(frame.is_rounded)),
            ];
            for (at, number) in numbers.into_iter().enumerate() {
                self.slots.number(at, number);
            }
            self.slots.integer(8, frame.clamped);
            self.slots.integer(9, frame.suspended);
            self.slots.integer(10, frame.dropped.cast_signed());
        })
    }

    /// Writes an exact time of the last frame: overstep, current, drawn or extrapolated time, or what was rounded.
    pub fn exact(&mut self, which: u32) -> u32 {
        let time = match which {
            0 => self.core.overstep(),
            1 => self.core.current_time(),
            2 => self.core.drawn_time(),
            3 => self.core.extrapolated_time(),
            _ => self.core.rounded(),
        };
        take(time, |time| self.slots.exact(EXACT, &time))
    }

    /// The longest delta that is believed.
    pub fn set_max_delta(&mut self, nanos: i64) -> u32 {
        status(self.core.set_max_delta(nanos))
    }

    /// The most steps in a frame; none lets it follow from the longest delta.
    pub fn set_max_steps(&mut self, steps: Option<u32>) {
        self.core.set_max_steps(steps);
    }

    /// The most steps in a frame.
    pub fn max_steps(&self) -> u32 {
        self.core.max_steps()
    }

    /// Steps that do not fit are dropped.
    pub fn overrun_drop(&mut self) {
        self.core.set_overrun(Overrun::Drop);
    }

    /// Steps that do not fit are kept.
    pub fn overrun_carry(&mut self, max_backlog: i64) -> u32 {
        take(carry(max_backlog), |policy| self.core.set_overrun(policy))
    }

    /// Steps that do not fit are made up for at a limited speed.
    pub fn overrun_stretch(&mut self, numer: u32, denom: u32) -> u32 {
        take(stretch(numer, denom), |policy| self.core.set_overrun(policy))
    }

    /// How fast simulated time runs.
    pub fn set_time_scale(&mut self, numer: u32, denom: u32) -> u32 {
        status(self.core.set_time_scale(numer, denom))
    }

    /// Runs one step ahead.
    pub fn set_lookahead(&mut self) -> u32 {
        status(self.core.set_lookahead())
    }

    /// Grants a step that no time pays for.
    pub fn step_once(&mut self) {
        self.core.step_once();
    }

    /// Begins a known pause.
    pub fn suspend(&mut self) {
        self.core.suspend();
    }

    /// Ends it.
    pub fn resume(&mut self) {
        self.core.resume();
    }

    /// Whether there is a known pause.
    pub fn is_suspended(&self) -> bool {
        self.core.is_suspended()
    }

    /// Lets go of the time behind.
    pub fn resync(&mut self) {
        self.core.resync();
    }

    /// Starts over at tick 0.
    pub fn reset(&mut self) {
        self.core.reset();
    }

    /// Nanoseconds until the next step is due; none if no time brings one.
    pub fn until_next_step(&self) -> Option<f64> {
        self.core.until_next_step().map(|nanos| nanos as f64)
    }

    /// The tick of the next step.
    pub fn tick(&self) -> f64 {
        self.core.tick() as f64
    }

    /// Nanoseconds between the last two frames.
    pub fn delta(&self) -> f64 {
        self.core.delta() as f64
    }
}

/// What a filter of the program's made of what passed: whole nanoseconds below 2^53, 104 days. More than that goes past it.
pub(super) fn given(passed: i64, delta: f64, residual: f64, max_lead: f64) -> Given {
    let past = (passed - MOST_FILTERED).max(0);
    Given {
        delta: (delta as i64).saturating_add(past),
        residual: residual as i64,
        max_lead: max_lead as i64,
    }
}

/// The longest delta that a filter sees, JavaScript's `Number.MAX_SAFE_INTEGER`.
const MOST_FILTERED: i64 = (1 << 53) - 1;
