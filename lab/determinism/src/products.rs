//! Arithmetic with known results. The results of a processor or an emulator that fails here are worthless.

use std::hint::black_box;

use anyhow::{Result, ensure};

/// Fails if the exact product of two `f32` is not exact in `f64`.
///
/// QEMU before 8.1 (8.0.4 in its series) reads the first factor of the s390x's MDEBR as an `f64`: 1.5 × 1.25 is
/// 0.15625000062565148 there.
pub(crate) fn check() -> Result<()> {
    for (x, y, exact) in [
        (1.5, 1.25, 1.875),
        (-3.0, 0.75, -2.25),
        (0.1_f32, 1.0, f64::from(0.1_f32)),
    ] {
        let found = product(black_box(x), black_box(y));
        ensure!(
            found == exact,
            "this processor is broken, or what emulates it: {x} × {y} = {found}"
        );
    }
    Ok(())
}

/// A separate function, because the compiler uses another instruction if a factor comes from memory.
#[inline(never)]
fn product(x: f32, y: f32) -> f64 {
    f64::from(x) * f64::from(y)
}
