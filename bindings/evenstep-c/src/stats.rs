//! Statistics.

use core::mem::MaybeUninit;

use evenstep_flat::stats::{Report, Stats};
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_option, write_result};
use crate::timestep::TimestepId;

/// Statistics of the last 240 frames.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatsId {
    /// 0 refers to no object.
    pub id: u64,
}

/// Creates statistics without frames.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_create(stats: Option<&mut MaybeUninit<StatsId>>) -> Status {
    write_result(stats, || {
        let id = objects::insert(Object::Stats(Box::new(Stats::new())))?;
        Ok(StatsId { id })
    })
}

/// Destroys statistics.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_destroy(stats: StatsId) -> Status {
    catch_panics(|| objects::destroy::<Stats>(stats.id))
}

/// Records the timestep's last frame. Call it once a frame, after steps were given back.
/// Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_record(stats: StatsId, timestep: TimestepId) -> Status {
    catch_panics(|| {
        objects::with_object(timestep.id, |timestep: &mut Timestep| {
            objects::with_object(stats.id, |stats: &mut Stats| Ok(stats.record(timestep)?))
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
    write_option(nanoseconds, || {
        objects::with_object(stats.id, |stats: &mut Stats| Ok(stats.frame_time(percent)?))
    })
}

/// Writes all statistics. It sorts the frame times, so call it only when the report is shown.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_stats_report(stats: StatsId, report: Option<&mut MaybeUninit<Report>>) -> Status {
    write_result(report, || {
        objects::with_object(stats.id, |stats: &mut Stats| Ok(stats.report()))
    })
}
