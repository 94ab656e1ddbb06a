//! Input through pauses, slow motion and full buffers.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{Backlog, FixedTimestep, FrameClock, Rate, TimeScale};

pub(crate) const KEYS: std::ops::Range<u32> = 1..4;

/// Writes calls and the core's answers.
struct Writer {
    text: String,
    clock: FrameClock<Box<dyn DeltaFilter>>,
    timestep: FixedTimestep,
    input: InputBuffer<u32>,
    now: u64,
    random: fastrand::Rng,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Restarts, with little room or much.
    fn begin(&mut self, has_filter: bool) {
        let rate = self.random.u32(20..200);
        let capacity = [1, 2, 6, 200][self.random.usize(..4)];
        let keeps = self.random.u32(..5) == 0 && capacity == 200;
        let capacity_of = |capacity: u32| capacity as usize;
        self.clock = FrameClock::with_filter(if has_filter {
            Box::new(DisplayClock::new())
        } else {
            Box::new(())
        });
        self.timestep = FixedTimestep::new(Rate::hz(rate));
        self.input = if keeps {
            InputBuffer::lossless(capacity_of(capacity))
        } else {
            InputBuffer::new(capacity_of(capacity))
        };
        self.now = self.random.u64(1..1_000_000_000_000);
        let [keeps, has_filter] = [keeps, has_filter].map(u32::from);
        self.line(format_args!("input {rate} {capacity} {keeps} {has_filter}"));
        self.play(Duration::ZERO);
    }

    fn change(&mut self) {
        match self.random.u32(..12) {
            0 => {
                self.timestep.pause();
                self.line(format_args!("input_suspend"));
            }
            1 | 2 => {
                self.timestep.resume(Backlog::Keep);
                self.line(format_args!("input_resume"));
            }
            3 => {
                self.timestep.step_once();
                self.line(format_args!("input_step_once"));
            }
            4 => {
                self.timestep.reset();
                self.line(format_args!("input_reset"));
            }
            5..9 => {
                let (numer, denom) = [(0, 1), (0, 1), (1, 1), (1, 1), (1, 20), (3, 2)][self.random.usize(..6)];
                self.timestep.set_time_scale(TimeScale::new(numer, denom).unwrap());
                self.line(format_args!("input_scale {numer} {denom}"));
            }
            _ => {}
        }
    }

    /// An event before the next frame, or one that comes late.
    fn event(&mut self, delta: u64) {
        let at = (self.now + self.random.u64(..=delta)).saturating_sub(self.random.u64(..4) / 3 * delta);
        let (key, by) = (self.random.u32(KEYS), [self.random.i32(-9..9), self.random.i32(-9..9)]);
        let [x, y] = by.map(f64::from);
        let (event, line) = match self.random.u32(..16) {
            0..5 => (InputEvent::Press(key), format!("press {key} {at}")),
            5..10 => (InputEvent::Release(key), format!("release {key} {at}")),
            10 => (InputEvent::ReleaseAll, format!("release_all {at}")),
            11 => (InputEvent::Wheel([x, y]), format!("wheel {} {} {at}", by[0], by[1])),
            _ => (InputEvent::Motion([x, y]), format!("motion {} {} {at}", by[0], by[1])),
        };
        self.input.push(Duration::from_nanos(at), event);
        self.line(format_args!("{line}"));
    }

    /// A frame: what its steps see, and what was counted.
    fn play(&mut self, delta: Duration) {
        self.now += delta.as_nanos() as u64;
        let now = self.now;
        self.line(format_args!("play {now}"));
        let time = self.clock.begin_frame(Duration::from_nanos(now));
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        let counts = self.input.counts();
        let mut answer = format!(
            "= {} {} {} {} {}",
            self.input.len(),
            counts.late,
            counts.reordered,
            counts.refused,
            counts.paused
        );
        for step in frame.steps() {
            let controls = self.input.controls(&step);
            write!(answer, " {}", step.tick).unwrap();
            for key in KEYS {
                let flags = [
                    controls.is_held(&key),
                    controls.is_down(&key),
                    controls.was_released(&key),
                ];
                write!(answer, " {}", key_seen(controls.presses(&key), flags)).unwrap();
            }
            for by in [controls.motion(), controls.wheel()].as_flattened() {
                write!(answer, " {by}").unwrap();
            }
        }
        self.line(format_args!("{answer}"));
    }
}

/// The presses of a key, ten times as many, plus 1 if it is held, 2 if it is down, 4 if it was released.
pub(crate) fn key_seen(presses: u32, flags: [bool; 3]) -> u32 {
    presses * 10 + u32::from(flags[0]) + 2 * u32::from(flags[1]) + 4 * u32::from(flags[2])
}

/// This part of the script, as the core has it.
pub(crate) fn made() -> String {
    let mut writer = Writer {
        text: String::new(),
        clock: FrameClock::with_filter(Box::new(())),
        timestep: FixedTimestep::new(Rate::hz(1)),
        input: InputBuffer::new(0),
        now: 0,
        random: fastrand::Rng::with_seed(17),
    };
    for run in 0..16 {
        writer.begin(run % 2 == 1);
        for _ in 0..24 {
            if writer.random.u32(..3) == 0 {
                writer.change();
            }
            let delta = match writer.random.u32(..10) {
                0 => 0,
                1 => writer.random.u64(..400_000_000),
                _ => writer.random.u64(1_000_000..30_000_000),
            };
            for _ in 0..writer.random.u32(..6) {
                writer.event(delta);
            }
            writer.play(Duration::from_nanos(delta));
        }
    }
    writer.text
}
