//! Numbers that are drawn, by flat functions.

use evenstep_flat::Error;
use evenstep_flat::smoothed::Smoothed as Flat;

use crate::smoothing::answer;

/// Runs the script by flat functions.
#[derive(Default)]
pub(crate) struct Reader {
    flat: Flat,
    answer: String,
}

impl Reader {
    /// Carries out a call, if it is one of this part. Returns whether it is.
    pub(crate) fn call(&mut self, name: &str, numbers: &[i64]) -> Result<bool, Error> {
        let float = |at: usize| f64::from_bits(numbers[at] as u64);
        let flat = &mut self.flat;
        match name {
            "smoothed" => *flat = Flat::new(float(0), float(1))?,
            "smoothed_step" => {
                flat.begin_step();
                flat.current = float(0);
            }
            "smoothed_teleport" => flat.teleport(),
            "smoothed_shift" => flat.shift(float(0)),
            "smoothed_at" => self.answer = answer((flat.at(float(0)), flat.is_teleport())),
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(crate) fn answer(&self) -> String {
        self.answer.clone()
    }
}
