//! A loop of the program's own.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use evenstep::input::{Button, Controls, InputBuffer, InputEvent};
use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
use evenstep_present::x11::RawInput;
use winit::keyboard::PhysicalKey;
use winit::platform::scancode::PhysicalKeyExtScancode as _;

use crate::game::{Game, Input, KEYS, Played, STEPS, wait_for_refresh};

/// Waits for the display, and takes input in steps.
pub(crate) struct PlainGame {
    clock: MonotonicClock,
    received: Receiver<(Duration, Input)>,
    keys: Option<RawInput>,
    hertz: u32,
    frames: FrameClock<()>,
    timestep: FixedTimestep,
    input: InputBuffer<Input>,
    controls: Controls<Button>,
    played: Played,
}

impl PlainGame {
    pub(crate) fn new(clock: MonotonicClock, received: Receiver<(Duration, Input)>, hertz: u32) -> Self {
        let mut frames = FrameClock::new(());
        let origin = clock.now();
        frames.begin_frame(origin);
        Self {
            clock,
            received,
            keys: None,
            hertz,
            frames,
            // Hitches of a busy machine are not clamped, so that steps keep their times.
            timestep: FixedTimestep::new(Rate::hz(STEPS))
                .with_max_delta(Duration::from_secs(60))
                .with_max_steps(10_000),
            input: InputBuffer::new(256),
            controls: Controls::new(),
            played: Played {
                origin,
                stamps: Vec::new(),
                ticks: Vec::new(),
            },
        }
    }

    fn take(&mut self, at: Duration, input: Input) {
        if matches!(input, InputEvent::Press(_)) {
            self.played.stamps.push(at);
        }
        let _ = self.input.push(at, input); // cannot fail: there is room for the states of a thousand keys
    }
}

/// A key of the server as one of winit's.
fn of_winit(event: InputEvent<u32>) -> Option<Input> {
    let button = |code| match PhysicalKey::from_scancode(code) {
        PhysicalKey::Code(key) => Some(Button::Key(key)),
        PhysicalKey::Unidentified(_) => None,
    };
    match event {
        InputEvent::Press(code) => button(code).map(InputEvent::Press),
        InputEvent::Release(code) => button(code).map(InputEvent::Release),
        InputEvent::ReleaseAll => Some(InputEvent::ReleaseAll),
        _ => None,
    }
}

impl Game for PlainGame {
    fn listen(&mut self, keys: RawInput) {
        self.keys = Some(keys);
    }

    fn frame(&mut self) -> bool {
        wait_for_refresh(&self.clock, self.hertz);
        let now = self.clock.now();
        let is_connected = loop {
            match self.received.try_recv() {
                Ok((at, input)) if self.keys.is_none() => self.take(at, input),
                Ok(_) => {}
                Err(error) => break error == TryRecvError::Empty,
            }
        };
        if let Some(keys) = &mut self.keys {
            let events = keys.poll(&self.clock).unwrap_or_default(); // the taps are counted at the end
            for (at, event) in events {
                if let Some(input) = of_winit(event) {
                    self.take(at, input);
                }
            }
        }
        let time = self.frames.begin_frame(now);
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        for step in frame.steps() {
            self.controls.take(&mut self.input, &step);
            // The keys are counted in the order in which they are tapped.
            while let Some((_, key)) = KEYS.get(self.played.ticks.len() % KEYS.len())
                && self.controls.was_pressed(&Button::Key(*key))
            {
                self.played.ticks.push(step.tick);
            }
        }
        is_connected
    }

    fn played(self: Box<Self>) -> Played {
        self.played
    }
}
