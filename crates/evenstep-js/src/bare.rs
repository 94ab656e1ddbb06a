//! What the standard library would bring: an allocator, and what happens in a panic.

use core::panic::PanicInfo;

#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// A fault of ours: JavaScript gets a `RuntimeError`. Bad input never leads here.
#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
