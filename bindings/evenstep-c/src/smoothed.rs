//! Numbers that are drawn between their last two states.

use core::mem::MaybeUninit;

use evenstep_flat::smoothed::Smoothed;

use crate::status::{Status, catch_panics, write_result};

/// Initialises a number that is drawn between its last two states. It is a plain struct and need not be destroyed. Call
/// es_smoothed_begin_step before each step, then assign to its current number in the step. wrap is the period of the number, such as
/// 360 for an angle in degrees or the width of a world that is left on one side and entered on the other; 0 if it does not wrap.
/// Errors: NULL; NOT_FINITE and RANGE if wrap is not a number from 0 on.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_init(state: f64, wrap: f64, smoothed: Option<&mut MaybeUninit<Smoothed>>) -> Status {
    write_result(smoothed, || Ok(Smoothed::new(state, wrap)?))
}

/// Begins a step: the current number becomes the previous one.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_begin_step(smoothed: Option<&mut Smoothed>) -> Status {
    change(smoothed, Smoothed::begin_step)
}

/// Marks the number as teleported in this step: it is drawn at its new value, not between.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_teleport(smoothed: Option<&mut Smoothed>) -> Status {
    change(smoothed, Smoothed::teleport)
}

/// Adds `by` to both numbers, when the origin of the world moves. This is not motion.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_shift(smoothed: Option<&mut Smoothed>, by: f64) -> Status {
    change(smoothed, |smoothed| smoothed.shift(by))
}

/// Returns the number to draw at a frame's alpha. A number that wraps is blended the shorter way, and the result may lie outside of
/// one period.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_at(smoothed: Smoothed, alpha: f64) -> f64 {
    smoothed.at(alpha)
}

fn change(smoothed: Option<&mut Smoothed>, change: impl FnOnce(&mut Smoothed)) -> Status {
    catch_panics(|| {
        change(smoothed.ok_or(Status::Null)?);
        Ok(())
    })
}
