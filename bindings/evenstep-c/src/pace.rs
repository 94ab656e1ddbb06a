//! When to begin a frame.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::pace::{Pacer, PacerReport, Plan};
use evenstep_flat::present::Refresh;

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_option, write_result};

/// A pacer decides when to begin the next frame: as late as possible for it to be ready for its refresh, so that the presented frame
/// has the most recent input. It never sleeps; the program sleeps until the begin of the plan.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacerId {
    /// 0 refers to no object.
    pub id: u64,
}

fn change(pacer: PacerId, run: impl FnOnce(&mut Pacer) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(pacer.id, |pacer| Ok(run(pacer)?)))
}

/// Creates a pacer without a frame limit. It plans for the largest cost of the last 128 frames and a margin of a millisecond.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_create(pacer: Option<&mut MaybeUninit<PacerId>>) -> Status {
    write_result(pacer, || {
        let id = objects::insert(Object::Pacer(Box::new(Pacer::new())))?;
        Ok(PacerId { id })
    })
}

/// Destroys a pacer.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_destroy(pacer: PacerId) -> Status {
    catch_panics(|| objects::destroy::<Pacer>(pacer.id))
}

/// Sets the percentage of frames planned to be in time; 100 unless set. A higher percentage misses fewer refreshes, a lower one has
/// less latency.
/// Errors: OBJECT, THREAD, NOT_FINITE; RANGE beyond 0 to 100.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_percentile(pacer: PacerId, percent: f64) -> Status {
    change(pacer, |pacer| pacer.set_percentile(percent))
}

/// Sets how many nanoseconds before its refresh a frame is planned to be ready; a millisecond unless set.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_margin(pacer: PacerId, margin: i64) -> Status {
    change(pacer, |pacer| pacer.set_margin(margin))
}

/// Plans for a display that waits for the frame (variable refresh). The interval between frames is at least the display's shortest
/// interval between refreshes plus margin nanoseconds, so that no frame has to wait for the display. 300000 is usual.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_variable_refresh(pacer: PacerId, margin: i64) -> Status {
    change(pacer, |pacer| pacer.set_variable_refresh(margin))
}

/// Limits the rate to numer / denom frames a second. Frame n is due exactly n periods after the first, so rounding does not
/// accumulate.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_limit(pacer: PacerId, numer: u32, denom: u32) -> Status {
    change(pacer, |pacer| pacer.set_limit(numer, denom))
}

/// Removes the limit. This is the default.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_unset_limit(pacer: PacerId) -> Status {
    change(pacer, |pacer| {
        pacer.unset_limit();
        Ok(())
    })
}

/// Saves power: limits the rate to numer / denom frames a second, and shows each frame for the same number of refreshes. A limit of
/// 60 becomes 48 on a display at 144 Hz.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_saving(pacer: PacerId, numer: u32, denom: u32) -> Status {
    change(pacer, |pacer| pacer.set_saving(numer, denom))
}

/// Turns off power saving. This is the default.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_unset_saving(pacer: PacerId) -> Status {
    change(pacer, |pacer| {
        pacer.unset_saving();
        Ok(())
    })
}

/// Decides when to begin the next frame. refresh is the next refresh of the display, as from es_refresh_grid_next, or NULL if it is
/// not known: then only limit and saving decide. Sleep until the begin of the plan; then read input, begin the timestep's frame, run
/// its steps and draw.
/// Errors: NULL without a plan, OBJECT, THREAD, NEGATIVE; then no frame is planned.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_next_frame(
    pacer: PacerId,
    now: i64,
    refresh: Option<&Refresh>,
    plan: Option<&mut MaybeUninit<Plan>>,
) -> Status {
    write_result(plan, || {
        objects::with_object(pacer.id, |pacer: &mut Pacer| Ok(pacer.next_frame(now, refresh)?))
    })
}

/// Records that a frame is ready: drawn and submitted. Its cost is measured from the begin of its plan.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE; RANGE for a plan that begins before it was asked for.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_finish(pacer: PacerId, plan: Option<&Plan>, ready: i64) -> Status {
    catch_panics(|| {
        let plan = plan.ok_or(Status::Null)?;
        objects::with_object(pacer.id, |pacer: &mut Pacer| Ok(pacer.finish(plan, ready)?))
    })
}

/// Writes the cost of a frame for which the pacer plans, in nanoseconds. NONE before eight frames are finished.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_cost(pacer: PacerId, nanoseconds: Option<&mut MaybeUninit<i64>>) -> Status {
    write_option(nanoseconds, || {
        objects::with_object(pacer.id, |pacer: &mut Pacer| Ok(pacer.cost()))
    })
}

/// Writes the latency that pacing saved and the refreshes that frames missed.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_report(pacer: PacerId, report: Option<&mut MaybeUninit<PacerReport>>) -> Status {
    write_result(report, || {
        objects::with_object(pacer.id, |pacer: &mut Pacer| Ok(pacer.report()))
    })
}
