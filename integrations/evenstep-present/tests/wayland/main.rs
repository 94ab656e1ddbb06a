//! The Wayland adapter, and the proxy between programs and a compositor, with a compositor that knows what became of each frame; the adapter
//! with weston, too.
#![cfg(target_os = "linux")]

mod adapter;
mod animation;
mod client;
mod compositor;
mod proxy;
mod weston;
