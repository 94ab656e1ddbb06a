//! Every delta filter. The display clock computes in floating point, and its numbers must be bit-identical, too.

use std::time::Duration;

use evenstep::Rate;
use evenstep::filter::{Clamp, DeltaFilter, DisplayClock, MovingAverage, Snap};

use crate::bits::Bits;
use crate::frames::Frames;

pub(super) fn run(frames: u32) -> u64 {
    let mut displays = Frames::new(41);
    let mut clock = DisplayClock::new();
    let others: &mut [&mut dyn DeltaFilter] = &mut [
        &mut Clamp::at(Duration::from_millis(100)),
        &mut Snap::to(Rate::hz(60)),
        &mut Snap::estimating(),
        &mut MovingAverage::<4>::new(),
        &mut (Clamp::default(), DisplayClock::new()),
    ];
    let mut bits = Bits::default();
    for _ in 0..frames {
        let delta = displays.next_delta();
        bits.time(clock.apply(delta));
        bits.whole(clock.residual() as u64);
        bits.float(clock.refresh_hz().unwrap_or_default());
        for filter in &mut *others {
            bits.time(filter.apply(delta));
            bits.whole(filter.residual() as u64);
        }
    }
    bits.finish()
}
