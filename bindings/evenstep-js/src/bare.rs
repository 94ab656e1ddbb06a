//! What the standard library would bring: an allocator, and what happens in a panic.

use core::panic::PanicInfo;

use talc::cell::TalcSyncCell;
use talc::wasm::{WasmBinning, WasmGrowAndClaim};

/// A small one that finds free memory by its size, so that the thousandth object costs what the first did.
#[global_allocator]
static ALLOCATOR: TalcSyncCell<WasmGrowAndClaim, WasmBinning> = TalcSyncCell::new_wasm(WasmGrowAndClaim);

/// A fault of ours: JavaScript gets a `RuntimeError`. Bad input never leads here.
#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
