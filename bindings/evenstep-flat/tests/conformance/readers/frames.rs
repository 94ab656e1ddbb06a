//! Frames of a timestep, by flat functions.

use evenstep::Overrun;
use evenstep_flat::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};
use evenstep_flat::timestep::{Frame, Timestep, carry, stretch};
use evenstep_flat::{Error, Exact};

/// Runs the script by flat functions.
pub(crate) struct Reader {
    timestep: Timestep,
    answered: Option<Frame>,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            timestep: Timestep::new(1, 1).unwrap(),
            answered: None,
        }
    }

    /// Carries out a call, if it is one of this part. Returns whether it is.
    pub(crate) fn call(&mut self, name: &str, numbers: &[i64]) -> Result<bool, Error> {
        let number = |at: usize| numbers[at];
        let small = |at: usize| u32::try_from(numbers[at]).unwrap();
        let timestep = &mut self.timestep;
        match name {
            "timestep" => *timestep = Timestep::new(small(0), small(1))?,
            "lookahead" => timestep.set_lookahead()?,
            "filter" => timestep.add_filter(&FilterSettings {
                kind: FILTER_DISPLAY_CLOCK,
            })?,
            "max_delta" => timestep.set_max_delta(number(0))?,
            "max_steps" => timestep.set_max_steps(Some(small(0))),
            "unset_max_steps" => timestep.set_max_steps(None),
            "drop" => timestep.set_overrun(Overrun::Drop),
            "carry" => timestep.set_overrun(carry(number(0))?),
            "stretch" => timestep.set_overrun(stretch(small(0), small(1))?),
            "scale" => timestep.set_time_scale(small(0), small(1))?,
            "step_once" => timestep.step_once(),
            "suspend" => timestep.pause(),
            "resume" => timestep.resume(),
            "resync" => timestep.resync(),
            "reset" => timestep.reset(),
            "frame" => self.answered = Some(timestep.begin_frame(number(0))?),
            "give_back" => self.answered = Some(timestep.give_back(small(0))?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(crate) fn answer(&self) -> String {
        let (frame, timestep) = (self.answered.unwrap(), &self.timestep);
        let exact = |time: Result<Exact, Error>| {
            let time = time.unwrap();
            let whole = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
            let numer = whole(time.numer_high, time.numer_low);
            format!(
                "{}+{numer:x}/{:x}",
                time.seconds,
                whole(time.denom_high, time.denom_low)
            )
        };
        assert_eq!(frame.tick - frame.first_tick, u64::from(frame.steps));
        format!(
            "= {} {} {} {:x} {} {} {} {} {} {}",
            frame.first_tick,
            frame.tick,
            frame.single_steps,
            frame.alpha.to_bits(),
            frame.clamped,
            frame.paused,
            frame.dropped,
            u32::from(frame.is_behind),
            exact(timestep.overstep()),
            exact(timestep.drawn_time()),
        )
    }
}
