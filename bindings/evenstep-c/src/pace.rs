//! When to begin a frame.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::pace::{Pacer, PacerReport, Plan};
use evenstep_flat::present::Refresh;

use crate::objects::{self, Object};
use crate::status::{Status, answer, answer_some, carry_out};

/// A pacer: decides when to begin the next frame, as late as it can be and still be ready for its refresh, so that the presented frame has
/// the most recent input. It never sleeps; the program waits until a plan's begin.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacerId {
    /// 0 is no object.
    pub id: u64,
}

fn change(pacer: PacerId, run: impl FnOnce(&mut Pacer) -> Result<(), Error>) -> Status {
    carry_out(|| objects::with(pacer.id, |pacer| Ok(run(pacer)?)))
}

/// Creates a pacer without limit, which plans for the costs of all of the last 128 frames with a margin of a millisecond.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_create(pacer: Option<&mut MaybeUninit<PacerId>>) -> Status {
    answer(pacer, || {
        let id = objects::keep(Object::Pacer(Box::new(Pacer::new())))?;
        Ok(PacerId { id })
    })
}

/// Destroys a pacer.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_destroy(pacer: PacerId) -> Status {
    carry_out(|| objects::destroy::<Pacer>(pacer.id))
}

/// Sets the percentage of frames planned to be in time; 100 unless set. A higher one misses fewer refreshes, a lower one has less latency.
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

/// For a display that waits for the frame (variable refresh): the number of nanoseconds by which frames are farther apart than the shortest
/// time between its refreshes, so that none has to wait for the display. 300000 is usual.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_variable_refresh(pacer: PacerId, margin: i64) -> Status {
    change(pacer, |pacer| pacer.set_variable_refresh(margin))
}

/// At most numer / denom frames a second. Frame n is due n periods after the first, exactly, so nothing adds up.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_limit(pacer: PacerId, numer: u32, denom: u32) -> Status {
    change(pacer, |pacer| pacer.set_limit(numer, denom))
}

/// As many frames a second as there can be. So it is unless set otherwise.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_unset_limit(pacer: PacerId) -> Status {
    change(pacer, |pacer| {
        pacer.unset_limit();
        Ok(())
    })
}

/// Saves power: at most numer / denom frames a second, each shown for the same number of refreshes. 60 become 48 on a display at
/// 144 Hz.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_set_saving(pacer: PacerId, numer: u32, denom: u32) -> Status {
    change(pacer, |pacer| pacer.set_saving(numer, denom))
}

/// Saves no power any more.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_unset_saving(pacer: PacerId) -> Status {
    change(pacer, |pacer| {
        pacer.unset_saving();
        Ok(())
    })
}

/// Decides when to begin the next frame. refresh is the display's next one, as by es_refresh_grid_next, or NULL where no display
/// is known: then limit and saving alone decide. Sleep until the plan's begin; then read input, begin the timestep's frame,
/// run its steps and draw.
/// Errors: NULL without a plan, OBJECT, THREAD, NEGATIVE; then no frame is planned.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_next_frame(
    pacer: PacerId,
    now: i64,
    refresh: Option<&Refresh>,
    plan: Option<&mut MaybeUninit<Plan>>,
) -> Status {
    answer(plan, || {
        objects::with(pacer.id, |pacer: &mut Pacer| Ok(pacer.next_frame(now, refresh)?))
    })
}

/// A frame is ready: it is drawn and submitted. What it cost counts from its plan's begin.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE; RANGE for a plan that begins before it was asked for.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_finish(pacer: PacerId, plan: Option<&Plan>, ready: i64) -> Status {
    carry_out(|| {
        let plan = plan.ok_or(Status::Null)?;
        objects::with(pacer.id, |pacer: &mut Pacer| Ok(pacer.finish(plan, ready)?))
    })
}

/// Writes the cost of a frame that it plans for, in nanoseconds. NONE before eight frames are finished.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_cost(pacer: PacerId, nanoseconds: Option<&mut MaybeUninit<i64>>) -> Status {
    answer_some(nanoseconds, || {
        objects::with(pacer.id, |pacer: &mut Pacer| Ok(pacer.cost()))
    })
}

/// Writes the latency that pacing saved and the refreshes that it missed.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_pacer_report(pacer: PacerId, report: Option<&mut MaybeUninit<PacerReport>>) -> Status {
    answer(report, || {
        objects::with(pacer.id, |pacer: &mut Pacer| Ok(pacer.report()))
    })
}
