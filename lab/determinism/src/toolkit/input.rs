//! `InputBuffer` and `Controls` behind the display clock, `EventQueue` in the order in which frames are drawn.

use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::input::{Controls, EventQueue, InputBuffer, InputEvent, Overflow};
use evenstep::{Frame, FrameClock, Rate};
use fastrand::Rng;

use super::settings::timesteps;
use crate::bits::Bits;
use crate::frames::Frames;

/// The capacity for events, which is occasionally too small.
const ROOM: usize = 8;

pub(super) fn run(frames: u32) -> u64 {
    let mut bits = Bits::default();
    for (seed, mut timestep) in (21..).zip(timesteps(Rate::hz(50))) {
        let mut player = Player::new(seed);
        let (mut displays, mut clock) = (Frames::new(seed), FrameClock::new(DisplayClock::new()));
        clock.begin_frame(Duration::ZERO);
        for _ in 0..frames / 4 {
            let delta = displays.next_delta();
            player.act(delta);
            let time = clock.begin_frame(player.now);
            let frame = timestep.advance(time.delta);
            player.buffer.begin_frame(&time, &frame);
            player.play(&frame, &mut bits);
        }
        let counts = player.buffer.counts();
        let counts = [counts.late, counts.reordered, counts.refused, player.sounds.dropped()];
        counts.into_iter().for_each(|count| bits.whole(count));
    }
    bits.finish()
}

struct Player {
    random: Rng,
    now: Duration,
    buffer: InputBuffer<InputEvent<u8>>,
    controls: Controls<u8>,
    sounds: EventQueue<u64>,
}

impl Player {
    fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            now: Duration::ZERO,
            buffer: InputBuffer::new(ROOM),
            controls: Controls::new(),
            sounds: EventQueue::new(ROOM, Overflow::DropOldest),
        }
    }

    /// Presses, releases and motion within a frame. Some events are reported late.
    fn act(&mut self, delta: Duration) {
        self.now += delta;
        for _ in 0..self.random.u32(0..3) {
            let ago = Duration::from_nanos(self.random.u64(0..30_000_000));
            let event = self.event();
            // Events that do not fit are counted.
            let _ = self.buffer.push(self.now.saturating_sub(ago), event);
        }
    }

    fn event(&mut self) -> InputEvent<u8> {
        let by = [
            f64::from(self.random.i32(-9..10)),
            f64::from(self.random.i32(-9..10)) / 3.0,
        ];
        match self.random.u32(0..20) {
            0..8 => InputEvent::Press(self.random.u8(0..5)),
            8..15 => InputEvent::Release(self.random.u8(0..5)),
            15..18 => InputEvent::Motion(by),
            18 => InputEvent::Wheel(by),
            _ => InputEvent::ReleaseAll,
        }
    }

    fn play(&mut self, frame: &Frame, bits: &mut Bits) {
        for step in frame.steps() {
            self.controls.take(&mut self.buffer, &step);
            for key in 0..5 {
                let presses = u64::from(self.controls.presses(&key));
                bits.whole(presses << 1 | u64::from(self.controls.is_held(&key)));
                if presses > 0 {
                    self.sounds.emit(&step, step.tick ^ u64::from(key));
                }
            }
            [self.controls.motion(), self.controls.wheel()]
                .as_flattened()
                .iter()
                .for_each(|by| bits.float(*by));
        }
        while let Some((tick, sound)) = self.sounds.next_due(frame.drawn_time()) {
            bits.whole(tick);
            bits.whole(sound);
        }
    }
}
