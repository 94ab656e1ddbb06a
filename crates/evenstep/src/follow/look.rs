//! Mouse look.

use core::f64::consts::FRAC_PI_2;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::TimedEvents;
use crate::input::coalesce::Coalesce;
use crate::step::{Frame, Step};

/// The direction of a view: yaw and pitch in radians.
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LookAngles {
    /// About the upright axis, of any winding.
    pub yaw: f64,
    /// Up from the horizon.
    pub pitch: f64,
}

impl Coalesce for LookAngles {
    fn replaces(&self, _: &Self) -> bool {
        true
    }
}

/// Mouse look: the drawn view turns in every frame, and each step gets the angles at its time.
///
/// A view that turns in steps lags and jitters, because the hand does not move at the rate of the steps. If only the renderer knows the
/// view, shots miss the crosshair. So draw with [`angles`](Self::angles), which include every motion, and let each step aim with the
/// angles that [`step`](Self::step) returns.
///
/// ```
/// use evenstep::follow::Look;
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut clock = FrameClock::unfiltered();
/// clock.begin_frame(ms(0)); // the first frame
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut look = Look::new();
/// look.turn(ms(4), 0.25, 0.0); // when the mouse moved, and by how much
/// look.turn(ms(12), 0.5, 0.125);
///
/// let time = clock.begin_frame(ms(15));
/// let frame = timestep.advance(time.delta);
/// look.begin_frame(&time, &frame);
/// for step in frame.steps() {
///     assert_eq!(look.step(&step).yaw, 0.25); // the step of the first 10 ms
/// }
/// assert_eq!(look.angles().yaw, 0.75); // draw with this
/// ```
///
/// No motion is lost: once all steps up to a motion have run, their angles are bit-identical to those drawn. A motion that arrives late
/// goes to the next step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Look {
    drawn: LookAngles,
    stepped: LookAngles,
    /// The angles from each motion on.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::input::restored"))]
    turns: TimedEvents<LookAngles>,
    newest: Duration,
    highest: f64,
}

/// Motions between two steps that keep their times. Of more, the last counts.
const CAPACITY: usize = 4096;

impl Look {
    /// Straight ahead. The pitch stays within a quarter turn up and down.
    #[must_use]
    pub fn new() -> Self {
        Self {
            drawn: LookAngles::default(),
            stepped: LookAngles::default(),
            turns: TimedEvents::new(CAPACITY, false),
            newest: Duration::ZERO,
            highest: FRAC_PI_2,
        }
    }

    /// The same with a [pitch limit](Self::set_pitch_limit).
    #[must_use]
    pub const fn with_pitch_limit(mut self, radians: f64) -> Self {
        self.set_pitch_limit(radians);
        self
    }

    /// The pitch stays within this many radians up and down, from the next motion on; a quarter turn unless set. Its sign
    /// does not matter; NaN and infinity are no limit.
    pub const fn set_pitch_limit(&mut self, radians: f64) {
        self.highest = radians.abs();
    }

    /// Turns by `yaw` and `pitch` radians, because the mouse moved at a time of the frames' clock. Angles that are not finite are
    /// ignored. An earlier time is treated as the last motion's.
    pub fn turn(&mut self, at: Duration, yaw: f64, pitch: f64) {
        let angles = LookAngles {
            yaw: self.drawn.yaw + yaw,
            pitch: self.drawn.pitch + pitch,
        };
        self.look_at(at, angles);
    }

    /// Sets the angles at a time of the frames' clock: after a respawn, at the end of a cutscene. An angle that is not finite does not
    /// change.
    pub fn look_at(&mut self, at: Duration, angles: LookAngles) {
        self.newest = self.newest.max(at);
        let finite = |new: f64, old: f64| if new.is_finite() { new } else { old };
        let pitch = finite(angles.pitch, self.drawn.pitch);
        self.drawn = LookAngles {
            yaw: finite(angles.yaw, self.drawn.yaw),
            pitch: pitch.max(-self.highest).min(self.highest),
        };
        // There is always room for the newest.
        self.turns.push_at(self.newest, self.drawn);
    }

    /// The current angles, for drawing.
    #[must_use]
    pub const fn angles(&self) -> LookAngles {
        self.drawn
    }

    /// Assigns each motion to its step. Call it once a frame, before the steps, like
    /// [`InputBuffer::begin_frame`](crate::input::InputBuffer::begin_frame).
    pub fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.turns.begin_frame(time, frame);
    }

    /// The angles of a step: all motions up to its end.
    pub fn step(&mut self, step: &Step) -> LookAngles {
        while let Some((_, angles)) = self.turns.next(step) {
            self.stepped = angles;
        }
        self.stepped
    }
}

impl Default for Look {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::{FixedTimestep, FrameClock, Rate};

    const MS: Duration = Duration::from_millis(1);

    /// A clock without a filter, after its first frame at zero.
    fn started_clock() -> FrameClock<()> {
        let mut clock = FrameClock::unfiltered();
        clock.begin_frame(Duration::ZERO);
        clock
    }

    proptest! {
        #[test]
        fn angles_of_steps_are_bit_identical_to_those_drawn(
            turns in prop::collection::vec((0..5_000_u64, -0.3..0.3_f64, -0.3..0.3_f64), 0..200), frames in 20..400_u32,
        ) {
            let mut timestep = FixedTimestep::new(Rate::hz(60));
            let (mut clock, mut look) = (started_clock(), Look::new());
            let mut turns = turns;
            turns.sort_by_key(|turn| turn.0);
            let mut turns = turns.into_iter().peekable();
            let (delta, mut now) = (Duration::from_secs(1) / frames, Duration::ZERO);
            let mut stepped = LookAngles::default();
            while turns.peek().is_some() {
                now += delta;
                while let Some((at, yaw, pitch)) = turns.next_if(|turn| Duration::from_millis(turn.0) <= now) {
                    look.turn(Duration::from_millis(at), yaw, pitch);
                }
                let time = clock.begin_frame(now);
                let frame = timestep.advance(time.delta);
                look.begin_frame(&time, &frame);
                frame.steps().for_each(|step| stepped = look.step(&step));
            }
            let time = clock.begin_frame(now + 100 * MS);
            let frame = timestep.advance(time.delta);
            look.begin_frame(&time, &frame);
            frame.steps().for_each(|step| stepped = look.step(&step));
            prop_assert_eq!(stepped, look.angles());
        }
    }

    #[test]
    fn no_angle_is_lost_if_there_are_more_motions_than_it_keeps() {
        let mut timestep = FixedTimestep::new(Rate::hz(100));
        let mut look = Look::new();
        for turn in 0..CAPACITY + 100 {
            look.turn(Duration::from_micros(turn as u64), 0.001, 0.0);
        }
        let time = started_clock().begin_frame(30 * MS);
        let frame = timestep.advance(time.delta);
        look.begin_frame(&time, &frame);
        let mut stepped = LookAngles::default();
        frame.steps().for_each(|step| stepped = look.step(&step));
        assert_eq!(stepped, look.angles());
    }

    #[test]
    fn the_steps_angles_do_not_depend_on_the_display() {
        let stepped = |frames: u32| {
            let mut timestep = FixedTimestep::new(Rate::hz(50));
            let (mut clock, mut look, mut aimed) = (started_clock(), Look::new(), Vec::new());
            let frame = 1000 / frames;
            for now in (frame..=1000).step_by(frame as usize) {
                for at in now - frame..now {
                    let at = f64::from(at);
                    look.turn(at as u32 * MS, 0.01 * at, 1.0 - at / 500.0);
                }
                let time = clock.begin_frame(now * MS);
                let granted = timestep.advance(time.delta);
                look.begin_frame(&time, &granted);
                aimed.extend(granted.steps().map(|step| look.step(&step)));
            }
            aimed
        };
        assert_eq!(stepped(1000), stepped(40));
        assert_eq!(stepped(1000), stepped(250));
        assert_eq!(stepped(1000).len(), 50);
    }

    #[test]
    fn the_pitch_stays_within_its_limit_and_nonsense_turns_nothing() {
        let mut look = Look::new().with_pitch_limit(1.0);
        look.turn(MS, 0.5, 7.0);
        look.turn(MS, f64::NAN, f64::INFINITY);
        assert_eq!(look.angles(), LookAngles { yaw: 0.5, pitch: 1.0 });
        look.turn(MS, 0.0, -0.25);
        assert_eq!(look.angles().pitch, 0.75);
        for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            look.look_at(
                MS,
                LookAngles {
                    yaw: nonsense,
                    pitch: nonsense,
                },
            );
            assert_eq!(look.angles(), LookAngles { yaw: 0.5, pitch: 0.75 });
        }
        look.look_at(
            MS,
            LookAngles {
                yaw: f64::NAN,
                pitch: 0.25,
            },
        );
        look.turn(MS, 0.5, f64::MAX);
        assert_eq!(look.angles(), LookAngles { yaw: 1.0, pitch: 1.0 });
    }
}
