//! What the standard library would bring: an allocator, and what happens in a panic.

use core::panic::PanicInfo;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// A small one that finds free memory by its size, so that the thousandth object costs what the first did.
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// A fault of ours: JavaScript gets a `RuntimeError`. Bad input never leads here.
#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
