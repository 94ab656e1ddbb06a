//! When frames are presented.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::present::{Feedback, Refresh, RefreshGrid};

use crate::objects::{self, Object};
use crate::status::{Status, answer, answer_some, carry_out};

/// The refreshes of a display, from reports of presented frames: by wp_presentation on Wayland,
/// VK_EXT_present_timing, DXGI or Metal. It says when the next refresh is, which a pacer needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefreshGridId {
    /// 0 is no object.
    pub id: u64,
}

fn change(grid: RefreshGridId, run: impl FnOnce(&mut RefreshGrid) -> Result<(), Error>) -> Status {
    carry_out(|| objects::with(grid.id, |grid| Ok(run(grid)?)))
}

fn ask<T>(
    grid: RefreshGridId,
    place: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce(&mut RefreshGrid) -> Result<Option<T>, Error>,
) -> Status {
    answer_some(place, || objects::with(grid.id, |grid| Ok(run(grid)?)))
}

/// Creates a grid of no display yet.
/// Errors: NULL, OBJECTS.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_create(grid: Option<&mut MaybeUninit<RefreshGridId>>) -> Status {
    answer(grid, || {
        let id = objects::keep(Object::RefreshGrid(Box::new(RefreshGrid::new())))?;
        Ok(RefreshGridId { id })
    })
}

/// Destroys a grid.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_destroy(grid: RefreshGridId) -> Status {
    carry_out(|| objects::destroy::<RefreshGrid>(grid.id))
}

/// A frame is submitted to the system, at a time before it is presented. Its id is a number of the program's own, from
/// 1; one that is not larger than the last is ignored.
/// Errors: OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_submit(grid: RefreshGridId, id: u64, time: i64) -> Status {
    change(grid, |grid| grid.submit(id, time))
}

/// Takes the system's report of a frame, and the time at which it arrived. A report that comes late, never, twice, out of order
/// or on another clock is allowed for.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_observe(grid: RefreshGridId, feedback: Option<&Feedback>, arrived: i64) -> Status {
    carry_out(|| {
        let feedback = feedback.ok_or(Status::Null)?;
        objects::with(grid.id, |grid: &mut RefreshGrid| Ok(grid.observe(feedback, arrived)?))
    })
}

/// Writes the first refresh after a time that no frame in flight takes: what es_pacer_next_frame needs. NONE where it is not
/// known: until a frame was presented whose refresh is announced, or eight otherwise, and where frames follow no grid.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_next(
    grid: RefreshGridId,
    now: i64,
    refresh: Option<&mut MaybeUninit<Refresh>>,
) -> Status {
    ask(grid, refresh, |grid| grid.next_refresh(now))
}

/// Writes when a frame that begins now, and is submitted after those in flight, will be presented. NONE where it is not known.
/// Errors: NULL, OBJECT, THREAD, NEGATIVE.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_predict(
    grid: RefreshGridId,
    now: i64,
    refresh: Option<&mut MaybeUninit<Refresh>>,
) -> Status {
    ask(grid, refresh, |grid| grid.predict(now))
}

/// Writes how many frames were submitted after the newest presented one.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_refresh_grid_in_flight(grid: RefreshGridId, frames: Option<&mut MaybeUninit<u32>>) -> Status {
    ask(grid, frames, |grid| Ok(Some(grid.frames_in_flight())))
}
