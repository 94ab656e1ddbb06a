//! Hashes the bits of numbers, and never of types whose size depends on the platform.

use std::time::Duration;

use evenstep_scenes::StateHash;

/// Collects numbers, and returns the hash of their bits.
#[derive(Default)]
pub(crate) struct Bits(StateHash);

impl Bits {
    pub(crate) fn whole(&mut self, number: u64) {
        self.0 = std::mem::take(&mut self.0).u64(number);
    }

    pub(crate) fn float(&mut self, number: f64) {
        self.whole(number.to_bits());
    }

    pub(crate) fn floats(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.whole(u64::from(number.to_bits()));
        }
    }

    pub(crate) fn time(&mut self, time: Duration) {
        self.whole(time.as_secs());
        self.whole(u64::from(time.subsec_nanos()));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0 = std::mem::take(&mut self.0).bytes(bytes);
    }

    pub(crate) fn finish(self) -> u64 {
        self.0.finish()
    }
}
