//! Several rates in one order.

use core::mem::MaybeUninit;

use evenstep_flat::filter::FilterSettings;
use evenstep_flat::present::Feedback;
use evenstep_flat::schedule::{ScheduleLost, TaskStep, Tasks};
use evenstep_flat::timestep::{carry, stretch};
use evenstep_flat::{Error, Exact, Overrun};

use crate::objects::{self, Object};
use crate::status::{Status, answer, answer_some, carry_out};

/// Tasks at rates of their own, such as physics at 120 Hz and decisions at 10 Hz, stepped from one clock in one order: that in
/// which their steps end, and where several end at once that in which the tasks were added.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleId {
    /// 0 is no object.
    pub id: u64,
}

fn change(schedule: ScheduleId, run: impl FnOnce(&mut Tasks) -> Result<(), Error>) -> Status {
    carry_out(|| objects::with(schedule.id, |tasks| Ok(run(tasks)?)))
}

fn ask<T>(
    schedule: ScheduleId,
    place: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce(&mut Tasks) -> Result<T, Error>,
) -> Status {
    answer(place, || objects::with(schedule.id, |tasks| Ok(run(tasks)?)))
}

/// Creates a schedule without tasks.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_create(schedule: Option<&mut MaybeUninit<ScheduleId>>) -> Status {
    answer(schedule, || {
        let id = objects::keep(Object::Tasks(Box::new(Tasks::new())))?;
        Ok(ScheduleId { id })
    })
}

/// Destroys a schedule.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_destroy(schedule: ScheduleId) -> Status {
    carry_out(|| objects::destroy::<Tasks>(schedule.id))
}

/// Adds a task of numer / denom steps a second, whose steps end phase nanoseconds later than they would, and writes its number:
/// 0, 1, 2 and so on. At most 1024.
/// Errors: NULL, OBJECT, THREAD, RATIO, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_add(
    schedule: ScheduleId,
    numer: u32,
    denom: u32,
    phase: i64,
    task: Option<&mut MaybeUninit<u32>>,
) -> Status {
    ask(schedule, task, |tasks| tasks.add(numer, denom, phase))
}

/// Begins a frame at a time of any clock, in nanoseconds, as es_timestep_begin_frame. Writes the time that was given up.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE, TIME_WENT_BACK.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_begin_frame(
    schedule: ScheduleId,
    now: i64,
    lost: Option<&mut MaybeUninit<ScheduleLost>>,
) -> Status {
    ask(schedule, lost, |tasks| tasks.begin_frame(now))
}

/// Begins a frame that is delta nanoseconds later than the last one.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_advance(
    schedule: ScheduleId,
    delta: i64,
    lost: Option<&mut MaybeUninit<ScheduleLost>>,
) -> Status {
    ask(schedule, lost, |tasks| tasks.advance(delta))
}

/// Writes the next step that is due. NONE when all have run. Run it before you ask for the next.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_next_step(schedule: ScheduleId, step: Option<&mut MaybeUninit<TaskStep>>) -> Status {
    answer_some(step, || {
        objects::with(schedule.id, |tasks: &mut Tasks| Ok(tasks.next_step()))
    })
}

/// Takes back the step that es_schedule_next_step wrote last: it stays due, and comes again first.
/// Errors: OBJECT, THREAD; ORDER if there was none since the frame began.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_refuse(schedule: ScheduleId) -> Status {
    change(schedule, Tasks::refuse)
}

/// Writes where to draw a task between its previous state (0) and its current one.
/// Errors: NULL, OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_alpha(schedule: ScheduleId, task: u32, alpha: Option<&mut MaybeUninit<f64>>) -> Status {
    ask(schedule, alpha, |tasks| tasks.alpha(task))
}

/// Writes the tick of a task's next step.
/// Errors: NULL, OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_tick(schedule: ScheduleId, task: u32, tick: Option<&mut MaybeUninit<u64>>) -> Status {
    ask(schedule, tick, |tasks| tasks.tick(task))
}

/// Writes the simulated time that has arrived.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_now(schedule: ScheduleId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    ask(schedule, time, |tasks| Ok(tasks.now()))
}

/// Writes whether time is kept back for later frames.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_is_behind(schedule: ScheduleId, answer: Option<&mut MaybeUninit<bool>>) -> Status {
    ask(schedule, answer, |tasks| Ok(tasks.is_behind()))
}

/// Writes the nanoseconds of real time until the next step is due. NONE if no time brings one. Zero after a resume or a resync.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_until_next_step(
    schedule: ScheduleId,
    nanoseconds: Option<&mut MaybeUninit<i64>>,
) -> Status {
    answer_some(nanoseconds, || {
        objects::with(schedule.id, |tasks: &mut Tasks| Ok(tasks.until_next_step()))
    })
}

/// Adds a filter, as es_timestep_add_filter.
/// Errors: NULL, OBJECT, THREAD, ORDER, FULL, RANGE, RATIO, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_add_filter(schedule: ScheduleId, filter: Option<&FilterSettings>) -> Status {
    carry_out(|| {
        let filter = filter.ok_or(Status::Null)?;
        objects::with(schedule.id, |tasks: &mut Tasks| Ok(tasks.add_filter(filter)?))
    })
}

/// Writes the frame number of the last frame's report, for es_schedule_observe. NONE without
/// a filter that follows reports.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_frame_id(schedule: ScheduleId, id: Option<&mut MaybeUninit<u64>>) -> Status {
    answer_some(id, || {
        objects::with(schedule.id, |tasks: &mut Tasks| Ok(tasks.frame_id()))
    })
}

/// Takes the system's report of a frame, and the time at which it arrived, both on the clock of the frames: for
/// ES_FILTER_PRESENT_CLOCK.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE; ORDER without that filter; RANGE for times before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_observe(schedule: ScheduleId, feedback: Option<&Feedback>, arrived: i64) -> Status {
    carry_out(|| {
        let feedback = feedback.ok_or(Status::Null)?;
        objects::with(schedule.id, |tasks: &mut Tasks| Ok(tasks.observe(feedback, arrived)?))
    })
}

/// Sets the longest accepted time between two frames, in nanoseconds; 250 ms unless set.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_max_delta(schedule: ScheduleId, max_delta: i64) -> Status {
    change(schedule, |tasks| tasks.set_max_delta(max_delta))
}

/// Sets how long the oldest step that is due may wait, in nanoseconds of simulated time; 250 ms unless set. Time beyond that
/// follows the overrun policy.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_max_behind(schedule: ScheduleId, max_behind: i64) -> Status {
    change(schedule, |tasks| tasks.set_max_behind(max_behind))
}

/// Sets the most simulated time that arrives in a frame, in nanoseconds; unlimited unless set.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_max_advance(schedule: ScheduleId, max_advance: i64) -> Status {
    change(schedule, |tasks| tasks.set_max_advance(max_advance))
}

/// Time that does not fit is given up, as es_timestep_set_overrun_drop.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_drop(schedule: ScheduleId) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(Overrun::Drop);
        Ok(())
    })
}

/// Time that does not fit is kept, as es_timestep_set_overrun_carry.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_carry(schedule: ScheduleId, max_backlog: i64) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(carry(max_backlog)?);
        Ok(())
    })
}

/// Time that does not fit is kept and made up for at a limited speed, as es_timestep_set_overrun_stretch.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_stretch(schedule: ScheduleId, numer: u32, denom: u32) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(stretch(numer, denom)?);
        Ok(())
    })
}

/// Sets how fast simulated time runs, as es_timestep_set_time_scale.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_time_scale(schedule: ScheduleId, numer: u32, denom: u32) -> Status {
    change(schedule, |tasks| tasks.set_time_scale(numer, denom))
}

/// Begins a known pause, as es_timestep_suspend. Steps that are due stay due.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_suspend(schedule: ScheduleId) -> Status {
    change(schedule, |tasks| {
        tasks.suspend();
        Ok(())
    })
}

/// Ends a known pause. The time until the next frame is its last.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_resume(schedule: ScheduleId) -> Status {
    change(schedule, |tasks| {
        tasks.resume();
        Ok(())
    })
}

/// Starts over at time zero with the same tasks, settings and clock.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_reset(schedule: ScheduleId) -> Status {
    change(schedule, |tasks| {
        tasks.reset();
        Ok(())
    })
}
