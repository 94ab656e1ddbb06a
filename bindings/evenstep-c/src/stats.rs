//! Statistics.

use core::mem::MaybeUninit;

use evenstep_flat::stats::{Report, Stats};
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::status::{Status, answer, answer_some, carry_out};
use crate::timestep::TimestepId;

/// Statistics of the last 240 frames.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatsId {
    /// 0 is no object.
    pub id: u64,
}

/// Creates statistics of no frames.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_create(stats: Option<&mut MaybeUninit<StatsId>>) -> Status {
    answer(stats, || {
        let id = objects::keep(Object::Stats(Box::new(Stats::new())))?;
        Ok(StatsId { id })
    })
}

/// Destroys statistics.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_destroy(stats: StatsId) -> Status {
    carry_out(|| objects::destroy::<Stats>(stats.id))
}

/// Records the timestep's last frame. Call it once a frame, after steps were given back.
/// Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_record(stats: StatsId, timestep: TimestepId) -> Status {
    carry_out(|| {
        objects::with(timestep.id, |timestep: &mut Timestep| {
            objects::with(stats.id, |stats: &mut Stats| Ok(stats.record(timestep)?))
        })
    })
}

/// Writes a percentile of the last frame times, in nanoseconds. NONE before the first frame.
/// Errors: NULL, OBJECT, THREAD, NOT_FINITE; RANGE beyond 0 to 100.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_frame_time(
    stats: StatsId,
    percent: f64,
    nanoseconds: Option<&mut MaybeUninit<i64>>,
) -> Status {
    answer_some(nanoseconds, || {
        objects::with(stats.id, |stats: &mut Stats| Ok(stats.frame_time(percent)?))
    })
}

/// Writes all of it. Sorts the frames: call it only when the figures are read.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_report(stats: StatsId, report: Option<&mut MaybeUninit<Report>>) -> Status {
    answer(report, || {
        objects::with(stats.id, |stats: &mut Stats| Ok(stats.report()))
    })
}
