//! How the last frames went.

use evenstep_flat::Error;
use evenstep_flat::stats::Stats;

use crate::call::Call;
use crate::calls::stats as calls;
use crate::object::{Object, timestep};
use crate::slots::Slots;

pub(crate) fn answer(stats: &mut Stats, call: &Call, others: &[Object], slots: &mut Slots) -> Result<(), Error> {
    match call.what {
        calls::RECORD => stats.record(&timestep(others, call)?.core)?,
        calls::FRAME_TIME => slots.whole(stats.frame_time(call.numbers[0])?),
        _ => report(stats, slots),
    }
    Ok(())
}

/// Frames, alphas, times in nanoseconds, dropped, error in seconds, eight counts; then the integers.
fn report(stats: &Stats, slots: &mut Slots) {
    let report = stats.report();
    slots.number(0, report.frames as f64);
    slots.number(1, report.alpha_least);
    slots.number(2, report.alpha_mean);
    slots.number(3, report.alpha_largest);
    slots.number(4, report.frame_time_median as f64);
    slots.number(5, report.frame_time_p99 as f64);
    slots.number(6, report.frame_time_longest as f64);
    slots.number(7, report.dropped as f64);
    slots.number(8, report.animation_error);
    for (at, count) in report.steps_per_frame.into_iter().enumerate() {
        slots.number(9 + at, f64::from(count));
    }
    slots.integer(17, report.clamped);
    slots.integer(18, report.suspended);
}
