//! What is measured: a game that notes in which step it gets each press.

use std::thread;
use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::{Button, InputEvent};
use evenstep_present::x11::RawInput;
use winit::keyboard::KeyCode;

/// winit's input.
pub(crate) type Input = InputEvent<Button>;

/// The keys that are tapped in turn, with their codes in Linux. Several keys keep two taps in one frame apart.
pub(crate) const KEYS: [(u32, KeyCode); 8] = [
    (16, KeyCode::KeyQ),
    (17, KeyCode::KeyW),
    (18, KeyCode::KeyE),
    (19, KeyCode::KeyR),
    (20, KeyCode::KeyT),
    (21, KeyCode::KeyY),
    (22, KeyCode::KeyU),
    (23, KeyCode::KeyI),
];

/// Steps a second.
pub(crate) const STEPS: u32 = 60;

pub(crate) trait Game {
    /// Takes keys from here from now on.
    fn listen(&mut self, keys: RawInput);
    /// Waits for the next refresh of the display and runs the steps that are due. Returns false if no more input can arrive.
    fn frame(&mut self) -> bool;
    fn played(self: Box<Self>) -> Played;
}

/// What a game has noted.
pub(crate) struct Played {
    /// The begin of the first step.
    pub(crate) origin: Duration,
    /// The stamp of each press, if the game knows it.
    pub(crate) stamps: Vec<Duration>,
    /// The step that took it.
    pub(crate) ticks: Vec<u64>,
}

/// Waits for the next refresh of a display of nearly this rate.
pub(crate) fn wait_for_refresh(clock: &MonotonicClock, hertz: u32) {
    // The rate is slightly off, as with real displays, so that frames end at every fraction of a step in turn.
    let refresh = Duration::from_secs(7) / (7 * hertz + 1);
    let wait = refresh.as_nanos() - clock.now().as_nanos() % refresh.as_nanos();
    thread::sleep(Duration::from_nanos(wait as u64));
}
