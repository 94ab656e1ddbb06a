//! Poses of many bodies, read from and written to the program's arrays. The unsafe code of this file accesses these arrays.

use core::mem::MaybeUninit;
use core::slice;

use evenstep_flat::Error;
use evenstep_flat::poses::{Dimensions, Rows};

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_result};

/// Bodies that are drawn between their last two states, one body a row.
///
/// A row in the plane is 4 floats: x, y, and cosine and sine of the angle. A row in space is 7: x, y, z, and the rotation as a
/// unit quaternion x, y, z, w. Rows lie one after the other.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PosesId {
    /// 0 refers to no object.
    pub id: u64,
}

fn change(poses: PosesId, run: impl FnOnce(&mut Rows) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(poses.id, |rows| Ok(run(rows)?)))
}

/// Checks that an address may be that of an array of `count` floats.
fn check_array(floats: *const f32, count: usize) -> Result<(), Status> {
    match floats {
        _ if floats.is_null() || !floats.is_aligned() => Err(Status::Null),
        _ if count > isize::MAX as usize / size_of::<f32>() => Err(Status::Size),
        _ => Ok(()),
    }
}

/// Creates poses without rows, in 2 or 3 dimensions.
/// Errors: NULL, OBJECTS; RANGE for another number of dimensions.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_create(dimensions: u32, poses: Option<&mut MaybeUninit<PosesId>>) -> Status {
    write_result(poses, || {
        let dimensions = match dimensions {
            2 => Dimensions::Two,
            3 => Dimensions::Three,
            _ => return Err(Status::Range),
        };
        let id = objects::insert(Object::Rows(Box::new(Rows::new(dimensions))))?;
        Ok(PosesId { id })
    })
}

/// Destroys poses.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_destroy(poses: PosesId) -> Status {
    catch_panics(|| objects::destroy::<Rows>(poses.id))
}

/// Writes how many rows there are.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_count(poses: PosesId, rows: Option<&mut MaybeUninit<usize>>) -> Status {
    write_result(rows, || {
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.len()))
    })
}

/// Adds a row for a body that is at rest in a state, and writes its number. This and es_poses_remove are the only functions of
/// poses that allocate.
/// Errors: NULL, OBJECT, THREAD, NOT_FINITE; SIZE if there are fewer floats than a row has.
///
/// # Safety
///
/// `state` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_add(
    poses: PosesId,
    state: *const f32,
    floats: usize,
    row: Option<&mut MaybeUninit<usize>>,
) -> Status {
    write_result(row, || {
        check_array(state, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are read before this returns.
        let state = unsafe { slice::from_raw_parts(state, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.push(state)?))
    })
}

/// Removes a row. The last one takes its number.
/// Errors: OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_remove(poses: PosesId, row: usize) -> Status {
    change(poses, |poses| poses.remove(row))
}

/// Takes the states of all rows after a step. Call it once in each step. floats must be at least the number of rows times the floats
/// of a row.
/// Errors: NULL, OBJECT, THREAD, NOT_FINITE, SIZE.
///
/// # Safety
///
/// `states` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_commit(poses: PosesId, states: *const f32, floats: usize) -> Status {
    catch_panics(|| {
        check_array(states, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are read before this returns.
        let states = unsafe { slice::from_raw_parts(states, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.commit(states)?))
    })
}

/// Begins a step in which only the rows that move are set, with es_poses_set: for many bodies of which most rest.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_begin_step(poses: PosesId) -> Status {
    change(poses, |poses| {
        poses.begin_step();
        Ok(())
    })
}

/// Takes the state of one row after the step that es_poses_begin_step began.
/// Errors: NULL, OBJECT, THREAD, MISSING, NOT_FINITE, SIZE.
///
/// # Safety
///
/// `state` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_set(poses: PosesId, row: usize, state: *const f32, floats: usize) -> Status {
    catch_panics(|| {
        check_array(state, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are read before this returns.
        let state = unsafe { slice::from_raw_parts(state, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.set(row, state)?))
    })
}

/// Marks the next state of a row as a teleport: the body is drawn at its new pose only, not between. Call it before es_poses_commit
/// or es_poses_set.
/// Errors: OBJECT, THREAD, MISSING.
#[unsafe(no_mangle)]
pub extern "C" fn es_poses_teleport(poses: PosesId, row: usize) -> Status {
    change(poses, |poses| poses.teleport(row))
}

/// Moves both states of a row by 2 or 3 floats and keeps the motion between them, for when the origin of the world moves. The
/// program must shift its own array by the same offset.
/// Errors: NULL, OBJECT, THREAD, MISSING, NOT_FINITE, SIZE.
///
/// # Safety
///
/// `by` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_shift(poses: PosesId, row: usize, by: *const f32, floats: usize) -> Status {
    catch_panics(|| {
        check_array(by, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are read before this returns.
        let by = unsafe { slice::from_raw_parts(by, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.shift(row, by)?))
    })
}

/// Writes the drawn poses of all rows at the alpha of the frame. Rotations take the shorter way. The array must not be one that
/// es_poses_commit reads at the same time.
/// Errors: NULL, OBJECT, THREAD, SIZE; NOT_FINITE if alpha is NaN.
///
/// # Safety
///
/// `drawn` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_draw(poses: PosesId, alpha: f64, drawn: *mut f32, floats: usize) -> Status {
    catch_panics(|| {
        check_array(drawn, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are written before this returns. Any bits are a float.
        let drawn = unsafe { slice::from_raw_parts_mut(drawn, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.draw(alpha, drawn)?))
    })
}

/// Like es_poses_draw, but writes matrices for instanced drawing, column by column: 3 columns of 2 floats for each row in the plane,
/// 4 columns of 4 in space.
/// Errors: NULL, OBJECT, THREAD, SIZE; NOT_FINITE if alpha is NaN.
///
/// # Safety
///
/// `drawn` is NULL or the address of `floats` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn es_poses_draw_matrices(poses: PosesId, alpha: f64, drawn: *mut f32, floats: usize) -> Status {
    catch_panics(|| {
        check_array(drawn, floats)?;
        // SAFETY: the caller guarantees the address of `floats` floats, which are written before this returns. Any bits are a float.
        let drawn = unsafe { slice::from_raw_parts_mut(drawn, floats) };
        objects::with_object(poses.id, |poses: &mut Rows| Ok(poses.draw_matrices(alpha, drawn)?))
    })
}
