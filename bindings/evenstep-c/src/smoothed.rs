//! Numbers that are drawn between their last two states.

use core::mem::MaybeUninit;

use evenstep_flat::smoothed::Smoothed;

use crate::status::{Status, answer, carry_out};

/// Makes a number that is drawn between its last two states. It is no object, and need not be destroyed: before each step call
/// es_smoothed_begin_step, then change its current number at will. wrap is its period, such as 360 for an angle in degrees
/// or the width of a world that is left on one side and entered on the other; 0 if it does not.
/// Errors: NULL; NOT_FINITE and RANGE if wrap is not a number from 0 on.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_init(state: f64, wrap: f64, smoothed: Option<&mut MaybeUninit<Smoothed>>) -> Status {
    answer(smoothed, || Ok(Smoothed::new(state, wrap)?))
}

/// Begins a step: the current number becomes the previous one.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_begin_step(smoothed: Option<&mut Smoothed>) -> Status {
    change(smoothed, Smoothed::begin_step)
}

/// Says that the number teleports in the present step: it is drawn at its new value, not between.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_teleport(smoothed: Option<&mut Smoothed>) -> Status {
    change(smoothed, Smoothed::teleport)
}

/// Moves both numbers, for when the origin of the world moves. That is no motion.
/// Errors: NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_shift(smoothed: Option<&mut Smoothed>, by: f64) -> Status {
    change(smoothed, |smoothed| smoothed.shift(by))
}

/// The number to be drawn at a frame's alpha. One that wraps goes the shorter way, and may come out beyond where it wraps.
#[unsafe(no_mangle)]
pub extern "C" fn es_smoothed_at(smoothed: Smoothed, alpha: f64) -> f64 {
    smoothed.at(alpha)
}

fn change(smoothed: Option<&mut Smoothed>, change: impl FnOnce(&mut Smoothed)) -> Status {
    carry_out(|| {
        change(smoothed.ok_or(Status::Null)?);
        Ok(())
    })
}
