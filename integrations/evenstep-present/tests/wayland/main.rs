//! The Wayland adapter with a compositor that knows what became of each frame, and with weston.
#![cfg(target_os = "linux")]

mod adapter;
mod animation;
#[path = "../../../../tools/evenstep-cli/tests/proxy/client.rs"]
#[expect(dead_code, reason = "the tests of the proxy use more of it")]
mod client;
#[path = "../../../../tools/evenstep-cli/tests/proxy/compositor.rs"]
mod compositor;
mod weston;
