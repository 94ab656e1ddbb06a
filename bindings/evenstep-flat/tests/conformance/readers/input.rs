//! Input, by flat functions.

use std::fmt::Write as _;

use evenstep_flat::Error;
use evenstep_flat::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};
use evenstep_flat::input::Input;
use evenstep_flat::timestep::Timestep;

use crate::input::{KEYS, key_seen};

/// Runs the script by flat functions.
pub(crate) struct Reader {
    timestep: Timestep,
    input: Input,
    answer: String,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            timestep: Timestep::new(1, 1).unwrap(),
            input: Input::new(1).unwrap(),
            answer: String::new(),
        }
    }

    /// Carries out a call, if it is one of this part. Returns whether it is.
    pub(crate) fn call(&mut self, name: &str, numbers: &[i64]) -> Result<bool, Error> {
        let small = |at: usize| u32::try_from(numbers[at]).unwrap();
        let (timestep, input) = (&mut self.timestep, &mut self.input);
        match name {
            "input" => {
                *timestep = Timestep::new(small(0), 1)?;
                if small(3) > 0 {
                    timestep.add_filter(&FilterSettings {
                        kind: FILTER_DISPLAY_CLOCK,
                    })?;
                }
                let make = if small(2) == 1 { Input::lossless } else { Input::new };
                *input = make(small(1))?;
            }
            "input_suspend" => timestep.pause(),
            "input_resume" => timestep.resume(),
            "input_step_once" => timestep.step_once(),
            "input_reset" => timestep.reset(),
            "input_scale" => timestep.set_time_scale(small(0), small(1))?,
            "press" => input.press(small(0), numbers[1])?,
            "release" => input.release(small(0), numbers[1])?,
            "release_all" => input.release_all(numbers[0])?,
            "motion" => input.motion(numbers[0] as f64, numbers[1] as f64, numbers[2])?,
            "wheel" => input.wheel(numbers[0] as f64, numbers[1] as f64, numbers[2])?,
            "play" => self.play(numbers[0])?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn play(&mut self, now: i64) -> Result<(), Error> {
        let frame = self.timestep.begin_frame(now)?;
        self.input.begin_frame(&self.timestep)?;
        let counts = self.input.counts();
        self.answer = format!(
            "= {} {} {} {} {}",
            counts.waiting, counts.late, counts.reordered, counts.refused, counts.paused
        );
        for tick in frame.first_tick..frame.tick {
            self.input.begin_step(tick)?;
            let input = &self.input;
            let keys = KEYS.map(|key| {
                let flags = [input.is_held(key), input.is_down(key), input.was_released(key)];
                key_seen(input.presses(key), flags).to_string()
            });
            let by = [input.moved(), input.turned()];
            let by = by.as_flattened().iter().map(f64::to_string);
            let seen: Vec<_> = keys.chain(by).collect();
            write!(self.answer, " {tick} {}", seen.join(" ")).unwrap();
        }
        Ok(())
    }

    pub(crate) fn answer(&self) -> String {
        self.answer.clone()
    }
}
