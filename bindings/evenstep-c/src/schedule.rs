//! Several rates in one order.

use core::mem::MaybeUninit;

use evenstep_flat::filter::FilterSettings;
use evenstep_flat::schedule::{ScheduleLost, TaskStep, Tasks};
use evenstep_flat::timestep::{carry, stretch};
use evenstep_flat::{Error, Exact, Overrun};

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_option, write_result};

/// Tasks at different rates, such as physics at 120 Hz and decisions at 10 Hz, stepped from one clock. Steps run in the order in
/// which they end; steps that end at the same time run in the order in which their tasks were added.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleId {
    /// 0 refers to no object.
    pub id: u64,
}

fn change(schedule: ScheduleId, run: impl FnOnce(&mut Tasks) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(schedule.id, |tasks| Ok(run(tasks)?)))
}

fn query<T>(
    schedule: ScheduleId,
    out: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce(&mut Tasks) -> Result<T, Error>,
) -> Status {
    write_result(out, || objects::with_object(schedule.id, |tasks| Ok(run(tasks)?)))
}

/// Creates a schedule without tasks.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_create(schedule: Option<&mut MaybeUninit<ScheduleId>>) -> Status {
    write_result(schedule, || {
        let id = objects::insert(Object::Tasks(Box::new(Tasks::new())))?;
        Ok(ScheduleId { id })
    })
}

/// Destroys a schedule.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_destroy(schedule: ScheduleId) -> Status {
    catch_panics(|| objects::destroy::<Tasks>(schedule.id))
}

/// Adds a task of numer / denom steps a second, whose steps end phase nanoseconds later than without a phase. Writes its number: 0,
/// 1, 2 and so on. At most 1024 tasks.
/// Errors: NULL, OBJECT, THREAD, RATIO, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_add(
    schedule: ScheduleId,
    numer: u32,
    denom: u32,
    phase: i64,
    task: Option<&mut MaybeUninit<u32>>,
) -> Status {
    query(schedule, task, |tasks| tasks.add(numer, denom, phase))
}

/// Begins a frame at a time of any clock, in nanoseconds, like es_timestep_begin_frame. Writes the time that was lost.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE, TIME_WENT_BACK.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_begin_frame(
    schedule: ScheduleId,
    now: i64,
    lost: Option<&mut MaybeUninit<ScheduleLost>>,
) -> Status {
    query(schedule, lost, |tasks| tasks.begin_frame(now))
}

/// Begins a frame that is delta nanoseconds later than the last one.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_advance(
    schedule: ScheduleId,
    delta: i64,
    lost: Option<&mut MaybeUninit<ScheduleLost>>,
) -> Status {
    query(schedule, lost, |tasks| tasks.advance(delta))
}

/// Writes the next step that is due. NONE when all have run. Run the step before the next call.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_next_step(schedule: ScheduleId, step: Option<&mut MaybeUninit<TaskStep>>) -> Status {
    write_option(step, || {
        objects::with_object(schedule.id, |tasks: &mut Tasks| Ok(tasks.next_step()))
    })
}

/// Takes back the step that es_schedule_next_step wrote last: it stays due, and is returned again next.
/// Errors: OBJECT, THREAD; ORDER if there was none since the frame began.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_refuse(schedule: ScheduleId) -> Status {
    change(schedule, Tasks::refuse)
}

/// Writes where to draw a task between its previous state (0) and its current state (1).
/// Errors: NULL, OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_alpha(schedule: ScheduleId, task: u32, alpha: Option<&mut MaybeUninit<f64>>) -> Status {
    query(schedule, alpha, |tasks| tasks.alpha(task))
}

/// Writes the tick of a task's next step.
/// Errors: NULL, OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_tick(schedule: ScheduleId, task: u32, tick: Option<&mut MaybeUninit<u64>>) -> Status {
    query(schedule, tick, |tasks| tasks.tick(task))
}

/// Writes the simulated time that has arrived.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_now(schedule: ScheduleId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(schedule, time, |tasks| Ok(tasks.now()))
}

/// Writes whether time is kept back for later frames.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_is_behind(schedule: ScheduleId, behind: Option<&mut MaybeUninit<bool>>) -> Status {
    query(schedule, behind, |tasks| Ok(tasks.is_behind()))
}

/// Writes the nanoseconds of real time until the next step is due. NONE if no step will become due, as in a pause. Zero after a
/// resume.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_until_next_step(
    schedule: ScheduleId,
    nanoseconds: Option<&mut MaybeUninit<i64>>,
) -> Status {
    write_option(nanoseconds, || {
        objects::with_object(schedule.id, |tasks: &mut Tasks| Ok(tasks.until_next_step()))
    })
}

/// Adds a filter, like es_timestep_add_filter.
/// Errors: NULL, OBJECT, THREAD, ORDER, FULL, RANGE, RATIO, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_add_filter(schedule: ScheduleId, filter: Option<&FilterSettings>) -> Status {
    catch_panics(|| {
        let filter = filter.ok_or(Status::Null)?;
        objects::with_object(schedule.id, |tasks: &mut Tasks| Ok(tasks.add_filter(filter)?))
    })
}

/// Sets the longest accepted time between two frames, in nanoseconds. Unless set, it is 250 ms where time that does not fit is dropped,
/// and has no limit where it is kept.
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

/// Drops time that does not fit, like es_timestep_set_overrun_drop.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_drop(schedule: ScheduleId) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(Overrun::Drop);
        Ok(())
    })
}

/// Keeps time that does not fit, like es_timestep_set_overrun_carry.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_carry(schedule: ScheduleId, max_backlog: i64) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(carry(max_backlog)?);
        Ok(())
    })
}

/// Keeps time that does not fit and catches up at a limited speed, like es_timestep_set_overrun_stretch.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_overrun_stretch(schedule: ScheduleId, numer: u32, denom: u32) -> Status {
    change(schedule, |tasks| {
        tasks.set_overrun(stretch(numer, denom)?);
        Ok(())
    })
}

/// Sets how fast simulated time runs, like es_timestep_set_time_scale.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_schedule_set_time_scale(schedule: ScheduleId, numer: u32, denom: u32) -> Status {
    change(schedule, |tasks| tasks.set_time_scale(numer, denom))
}

/// Begins a known pause, like es_timestep_suspend. Steps that are due stay due.
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
