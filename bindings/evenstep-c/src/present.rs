//! When frames are presented.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::present::{Feedback, Refresh, RefreshGrid};

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_option, write_result};

/// The refreshes of a display, estimated from reports of presented frames: wp_presentation on Wayland, VK_EXT_present_timing, DXGI
/// or Metal. It predicts the next refresh, which a pacer needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefreshGridId {
    /// 0 refers to no object.
    pub id: u64,
}

fn change(grid: RefreshGridId, run: impl FnOnce(&mut RefreshGrid) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(grid.id, |grid| Ok(run(grid)?)))
}

fn query<T>(
    grid: RefreshGridId,
    out: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce(&mut RefreshGrid) -> Result<Option<T>, Error>,
) -> Status {
    write_option(out, || objects::with_object(grid.id, |grid| Ok(run(grid)?)))
}

/// Creates a grid without reports.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_create(grid: Option<&mut MaybeUninit<RefreshGridId>>) -> Status {
    write_result(grid, || {
        let id = objects::insert(Object::RefreshGrid(Box::new(RefreshGrid::new())))?;
        Ok(RefreshGridId { id })
    })
}

/// Destroys a grid.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_destroy(grid: RefreshGridId) -> Status {
    catch_panics(|| objects::destroy::<RefreshGrid>(grid.id))
}

/// Records that a frame is submitted to the system, at a time before it is presented. The program numbers its frames from 1; an id
/// that is not larger than the last one is ignored.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_submit(grid: RefreshGridId, id: u64, time: i64) -> Status {
    change(grid, |grid| grid.submit(id, time))
}

/// Takes the system's report of a frame, and the time at which the report arrived. Reports may be late, missing, repeated, out of
/// order or on another clock.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_observe(grid: RefreshGridId, feedback: Option<&Feedback>, arrived: i64) -> Status {
    catch_panics(|| {
        let feedback = feedback.ok_or(Status::Null)?;
        objects::with_object(grid.id, |grid: &mut RefreshGrid| Ok(grid.observe(feedback, arrived)?))
    })
}

/// Writes the first refresh after `time` that no frame in flight will use: the argument of es_pacer_next_frame. NONE while it is not
/// known: until one frame was presented whose report has the refresh period, or eight without it, and if presentation times follow
/// no grid.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_next(
    grid: RefreshGridId,
    now: i64,
    refresh: Option<&mut MaybeUninit<Refresh>>,
) -> Status {
    query(grid, refresh, |grid| grid.next_refresh(now))
}

/// Writes when a frame that begins now, and is submitted after the frames in flight, will be presented. NONE if it is not known.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_predict(
    grid: RefreshGridId,
    now: i64,
    refresh: Option<&mut MaybeUninit<Refresh>>,
) -> Status {
    query(grid, refresh, |grid| grid.predict(now))
}

/// Writes how many frames were submitted after the newest presented one.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_in_flight(grid: RefreshGridId, frames: Option<&mut MaybeUninit<u32>>) -> Status {
    query(grid, frames, |grid| Ok(Some(grid.frames_in_flight())))
}
