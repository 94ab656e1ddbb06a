//! The timestep.

use core::mem::MaybeUninit;

use evenstep_flat::filter::FilterSettings;
use evenstep_flat::timestep::{Frame, Timestep, carry, stretch};
use evenstep_flat::{Error, Exact, Overrun};

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_option, write_result};

/// A fixed timestep: times of frames go in, equal steps come out.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimestepId {
    /// 0 refers to no object.
    pub id: u64,
}

/// Calls `run` with a timestep and returns the status.
fn change(timestep: TimestepId, run: impl FnOnce(&mut Timestep) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(timestep.id, |timestep| Ok(run(timestep)?)))
}

/// Calls `run` with a timestep and writes its result to `out`.
#[inline]
fn query<T>(
    timestep: TimestepId,
    out: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce(&mut Timestep) -> Result<T, Error>,
) -> Status {
    write_result(out, || objects::with_object(timestep.id, |timestep| Ok(run(timestep)?)))
}

/// Begins a frame, which `run` writes directly to the caller's `frame`.
#[inline]
fn begin(
    timestep: TimestepId,
    frame: Option<&mut MaybeUninit<Frame>>,
    run: impl FnOnce(&mut Timestep, &mut MaybeUninit<Frame>) -> Result<(), Error>,
) -> Status {
    catch_panics(|| {
        let frame = frame.ok_or(Status::Null)?;
        objects::with_object(timestep.id, |timestep| Ok(run(timestep, frame)?))
    })
}

/// Creates a timestep that grants numer / denom steps a second, exactly: 60, 1 is 60 Hz, 60000, 1001 is the rate of NTSC
/// video.
/// Errors: NULL, RATIO, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_create(numer: u32, denom: u32, timestep: Option<&mut MaybeUninit<TimestepId>>) -> Status {
    write_result(timestep, || {
        let id = objects::insert(Object::Timestep(Timestep::new(numer, denom)?))?;
        Ok(TimestepId { id })
    })
}

/// Destroys a timestep. Calls with it then return OBJECT.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_destroy(timestep: TimestepId) -> Status {
    catch_panics(|| objects::destroy::<Timestep>(timestep.id))
}

/// Begins a frame at a time of any clock, in nanoseconds. Call it once for each frame, run the steps that it returns,
/// and draw. The first frame sets the beginning of time and has no step. Since times are absolute, no rounding adds up.
/// A time that is up to a second earlier than the last frame counts as the last frame's.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE; TIME_WENT_BACK if it is earlier by more, and then the next frame counts from the last.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_begin_frame(
    timestep: TimestepId,
    now: i64,
    frame: Option<&mut MaybeUninit<Frame>>,
) -> Status {
    begin(timestep, frame, |timestep, frame| timestep.begin_frame_into(now, frame))
}

/// Begins a frame that is delta nanoseconds later than the last one, for programs that know only that. Before the first frame
/// the clock is at zero.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE; RANGE if the sum of all deltas exceeds 292 years.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_advance(
    timestep: TimestepId,
    delta: i64,
    frame: Option<&mut MaybeUninit<Frame>>,
) -> Status {
    begin(timestep, frame, |timestep, frame| timestep.advance_into(delta, frame))
}

/// Takes back the last `unrun` steps of this frame, for which the program had no time. The overrun policy decides about them.
/// Writes the resulting frame, which is the one to draw.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame; RANGE if the frame has fewer steps.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_give_back(
    timestep: TimestepId,
    unrun: u32,
    frame: Option<&mut MaybeUninit<Frame>>,
) -> Status {
    query(timestep, frame, |timestep| timestep.give_back(unrun))
}

/// Adds a filter for the time between frames after the existing filters; at most eight.
/// Errors: NULL, OBJECT, THREAD; ORDER after the first frame; FULL; RANGE, RATIO and NEGATIVE for its settings.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_add_filter(timestep: TimestepId, filter: Option<&FilterSettings>) -> Status {
    catch_panics(|| {
        let filter = filter.ok_or(Status::Null)?;
        objects::with_object(timestep.id, |timestep: &mut Timestep| Ok(timestep.add_filter(filter)?))
    })
}

/// Writes the refresh rate in hertz to which a display clock among the filters is locked. NONE while none is locked.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_refresh_rate(timestep: TimestepId, hertz: Option<&mut MaybeUninit<f64>>) -> Status {
    write_option(hertz, || {
        objects::with_object(timestep.id, |timestep: &mut Timestep| Ok(timestep.refresh_hz()))
    })
}

/// Writes the nanoseconds that clamps among the filters have cut off so far. The sum of this and of the times that frames report as
/// clamped, suspended, dropped and rounded is all time that did not reach the simulation.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_filtered_out(timestep: TimestepId, nanoseconds: Option<&mut MaybeUninit<i64>>) -> Status {
    query(timestep, nanoseconds, |timestep| Ok(timestep.filtered_out()))
}

/// Sets the longest accepted time between two frames, in nanoseconds. Longer times are cut off and reported as clamped. Unless set, it is
/// 250 ms where time that does not fit is dropped, and has no limit where it is kept.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_max_delta(timestep: TimestepId, max_delta: i64) -> Status {
    change(timestep, |timestep| timestep.set_max_delta(max_delta))
}

/// Sets the most steps of a frame. Unless set, they are as many as fit into the longest accepted time if that is set, or
/// into 250 ms.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_max_steps(timestep: TimestepId, max_steps: u32) -> Status {
    change(timestep, |timestep| {
        timestep.set_max_steps(Some(max_steps));
        Ok(())
    })
}

/// Unsets the most steps of a frame, so that as many are granted as fit into the longest accepted time.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_unset_max_steps(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.set_max_steps(None);
        Ok(())
    })
}

/// Drops steps that do not fit into a frame: the game slows down. This is the default.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_overrun_drop(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.set_overrun(Overrun::Drop);
        Ok(())
    })
}

/// Keeps steps that do not fit into a frame, up to a limit in nanoseconds of simulated time, and grants them in later frames that
/// have fewer steps than the most.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_overrun_carry(timestep: TimestepId, max_backlog: i64) -> Status {
    change(timestep, |timestep| {
        timestep.set_overrun(carry(max_backlog)?);
        Ok(())
    })
}

/// Keeps steps that do not fit into a frame, and lets simulated time run at most numer / denom times as fast until it has caught up.
/// Errors: OBJECT, THREAD, RATIO.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_overrun_stretch(timestep: TimestepId, numer: u32, denom: u32) -> Status {
    change(timestep, |timestep| {
        timestep.set_overrun(stretch(numer, denom)?);
        Ok(())
    })
}

/// Sets how fast simulated time runs: numer / denom seconds a second. 0, 1 is a pause, 1, 10 slow motion. The length of a step
/// never changes.
/// Errors: OBJECT, THREAD; RATIO if denom is 0.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_time_scale(timestep: TimestepId, numer: u32, denom: u32) -> Status {
    change(timestep, |timestep| timestep.set_time_scale(numer, denom))
}

/// Runs the simulation a step ahead: the blended state is then the present and not a step ago, but input acts a step later.
/// Errors: OBJECT, THREAD; ORDER after the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_set_lookahead(timestep: TimestepId) -> Status {
    change(timestep, Timestep::set_lookahead)
}

/// Grants one more step in the next frame without using up any time: for stepping through a pause.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_step_once(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.step_once();
        Ok(())
    })
}

/// Begins a known pause, such as a level that loads: until es_timestep_resume, time is reported as suspended.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_suspend(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.suspend();
        Ok(())
    })
}

/// Ends a known pause. The time until the next frame is its last.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_resume(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.resume();
        Ok(())
    })
}

/// Writes whether there is a known pause.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_is_suspended(timestep: TimestepId, suspended: Option<&mut MaybeUninit<bool>>) -> Status {
    query(timestep, suspended, |timestep| Ok(timestep.is_suspended()))
}

/// Drops the backlog after a pause that was noticed too late: the next frame drops steps that were kept back, and the time until
/// then counts as suspended.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_resync(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.resync();
        Ok(())
    })
}

/// Starts over at tick 0 with the same settings, filters and clock. Also retract the events that have not been presented yet, with
/// es_events_retract_from and tick 0: events of the new run would wait behind them.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_reset(timestep: TimestepId) -> Status {
    change(timestep, |timestep| {
        timestep.reset();
        Ok(())
    })
}

/// Writes the nanoseconds of real time until the next step is due, for which a loop can sleep. NONE if no step will become due, as
/// in a pause. Zero after a resume or a resync: the next frame ends the pause, and should begin at once.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_until_next_step(
    timestep: TimestepId,
    nanoseconds: Option<&mut MaybeUninit<i64>>,
) -> Status {
    write_option(nanoseconds, || {
        objects::with_object(timestep.id, |timestep: &mut Timestep| Ok(timestep.until_next_step()))
    })
}

/// Writes the simulated time that has arrived and has not been stepped yet.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_overstep(timestep: TimestepId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(timestep, time, |timestep| timestep.overstep())
}

/// Writes the simulated time of the newest state.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_current_time(timestep: TimestepId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(timestep, time, |timestep| timestep.current_time())
}

/// Writes the simulated time that the frame shows if it is blended at alpha. It never goes back.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_drawn_time(timestep: TimestepId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(timestep, time, |timestep| timestep.drawn_time())
}

/// Writes the simulated time that the frame shows if it is extrapolated.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_extrapolated_time(timestep: TimestepId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(timestep, time, |timestep| timestep.extrapolated_time())
}

/// Writes the simulated time that the last frame rounded away, because the time scale changed between fractions that have no
/// common denominator below 2^32.
/// Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_timestep_rounded(timestep: TimestepId, time: Option<&mut MaybeUninit<Exact>>) -> Status {
    query(timestep, time, |timestep| timestep.rounded())
}
