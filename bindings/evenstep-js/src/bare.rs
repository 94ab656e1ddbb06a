//! What the standard library would bring: an allocator, and what happens in a panic.

use core::panic::PanicInfo;

use lol_alloc::{FreeListAllocator, LockedAllocator};

/// A small one, which searches a list: objects allocate when they are created and when they grow, not in a frame.
#[global_allocator]
static ALLOCATOR: LockedAllocator<FreeListAllocator> = LockedAllocator::new(FreeListAllocator::new());

/// A fault of ours: JavaScript gets a `RuntimeError`. Bad input never leads here.
#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
