//! Measures how late key events are stamped, and whether they reach their step: XTEST taps keys on an X server without a screen, with
//! imitated displays.
//!
//! `cargo run --release -p evenstep-examples --example event_times` prints the table of the book's page about input. It needs Xvfb.
//!
//! With *one thread*, winit's loop waits for the display in each frame, and events are stamped when the loop delivers them. With *two
//! threads*, winit's loop only stamps events, and the other thread waits for the display and runs steps, as in `src/run.rs`. With the
//! *server's times*, there is one thread, and `evenstep_present::x11::RawInput` is read in each frame. *Bevy* gets winit's events in each
//! frame, as its own window does, and the plugin spreads them over the frame.

#[cfg(target_os = "linux")]
mod bevy_game;
#[cfg(target_os = "linux")]
mod game;
#[cfg(target_os = "linux")]
mod hand;
#[cfg(target_os = "linux")]
mod measure;
#[cfg(target_os = "linux")]
mod plain_game;
#[cfg(target_os = "linux")]
#[path = "../../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("it needs X11");
}
