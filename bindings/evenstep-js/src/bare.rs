//! The parts of the standard library that this crate needs without it: an allocator and a panic handler.

use core::panic::PanicInfo;

use talc::cell::TalcSyncCell;
use talc::wasm::{WasmBinning, WasmGrowAndClaim};

/// A small allocator that finds free memory by size, so that creating the thousandth object costs as much as the first.
#[global_allocator]
static ALLOCATOR: TalcSyncCell<WasmGrowAndClaim, WasmBinning> = TalcSyncCell::new_wasm(WasmGrowAndClaim);

/// Aborts after a panic, which is a bug in this library: JavaScript gets a `RuntimeError`. Invalid input never panics.
#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
