//! Frames of a timestep under settings of all kinds.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::{Backlog, FixedTimestep, Overrun, Rate, SimDuration, SimTime, Smoothing, TimeScale};

/// Writes calls and the core's answers.
struct Writer {
    text: String,
    core: FixedTimestep,
    filter: Option<DisplayClock>,
    now: i64,
    begun: bool,
    random: fastrand::Rng,
}

const RATES: &[(u32, u32)] = &[
    (60, 1),
    (60_000, 1_001),
    (144, 1),
    (1, 3),
    (10_000, 1),
    (4_294_967_291, 4_294_967_279),
];

const SCALES: &[(u32, u32)] = &[
    (1, 1),
    (0, 1),
    (1, 10),
    (3, 1),
    (7, 9),
    (4_294_967_291, 4_294_967_279),
    (1_000_003, 999_983),
];

impl Writer {
    fn timestep(&mut self, (numer, denom): (u32, u32)) {
        self.core = FixedTimestep::new(Rate::new(numer, denom).unwrap());
        (self.now, self.begun) = (self.random.i64(0..1_000_000_000_000), false);
        self.line(format_args!("timestep {numer} {denom}"));
        if self.random.u32(..4) == 0 {
            self.core = self.core.clone().with_lookahead();
            self.line(format_args!("lookahead"));
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Changes a setting, mostly.
    fn set(&mut self) {
        match self.random.u32(..12) {
            0 => {
                let nanos = self.random.u64(0..400_000_000);
                self.core.set_max_delta(Duration::from_nanos(nanos));
                self.line(format_args!("max_delta {nanos}"));
            }
            1 => {
                let steps = self.random.u32(0..6);
                self.core.set_max_steps(steps);
                self.line(format_args!("max_steps {steps}"));
            }
            2 => {
                self.core.set_max_steps(None);
                self.line(format_args!("unset_max_steps"));
            }
            3 => {
                self.core.set_overrun(Overrun::Drop);
                self.line(format_args!("drop"));
            }
            4 | 5 => {
                let nanos = self.random.u64(0..500_000_000);
                let max_backlog = Duration::from_nanos(nanos);
                self.core.set_overrun(Overrun::Carry { max_backlog });
                self.line(format_args!("carry {nanos}"));
            }
            6 | 7 => {
                let (numer, denom) = (self.random.u32(1..20), self.random.u32(1..10));
                let max_speed = TimeScale::new(numer, denom).unwrap();
                self.core.set_overrun(Overrun::Stretch { max_speed });
                self.line(format_args!("stretch {numer} {denom}"));
            }
            8 | 9 => {
                let (numer, denom) = SCALES[self.random.usize(..SCALES.len())];
                self.core.set_time_scale(TimeScale::new(numer, denom).unwrap());
                self.line(format_args!("scale {numer} {denom}"));
            }
            10 => {
                self.core.step_once();
                self.line(format_args!("step_once"));
            }
            _ => self.pause(),
        }
    }

    fn pause(&mut self) {
        match self.random.u32(..4) {
            0 => {
                self.core.pause();
                self.line(format_args!("suspend"));
            }
            1 => {
                self.core.resume(Backlog::Drop);
                self.line(format_args!("resync"));
            }
            2 if self.begun => {
                self.core.reset();
                self.line(format_args!("reset"));
            }
            _ => {
                self.core.resume(Backlog::Keep);
                self.line(format_args!("resume"));
            }
        }
    }

    fn frame(&mut self) {
        let delta = match self.random.u32(..10) {
            0 => 0,
            1 => self.random.i64(0..2_000_000_000),
            2 => self.random.i64(0..1_000_000_000_000_000),
            _ => self.random.i64(1_000_000..40_000_000),
        };
        self.now += delta;
        let passed = if self.begun {
            Duration::from_nanos(delta as u64)
        } else {
            Duration::ZERO
        };
        self.begun = true;
        self.answered(passed);
    }

    /// Frames behind a filter: of a display at 144 Hz, read up to 2 ms late, now and then missed; then at 60 Hz, 20 Hz and 500 Hz, with a
    /// hitch after each, and with times that repeat.
    fn filtered(&mut self) {
        self.timestep((60, 1));
        self.line(format_args!("filter"));
        self.begun = true;
        self.answered(Duration::ZERO);
        self.filter = Some(DisplayClock::new());
        for (period, late, hitch) in [
            (6_944_444, 2_000_000, 250_000_000),
            (16_666_667, 500_000, 250_000_001),
            (50_000_000, 9_000_000, 4_000_000_000),
            (2_000_000, 3_000_000, 251_000_000),
        ] {
            let (begin, mut refresh) = (self.now, 0);
            for frame in 0..110 {
                refresh += 1 + i64::from(self.random.u32(..25) == 0);
                let late = self.random.i64(0..late);
                let now = (begin + refresh * period + late).max(self.now);
                let now = if frame == 109 { now + hitch } else { now };
                let passed = Duration::from_nanos((now - self.now) as u64);
                self.now = now;
                self.answered(passed);
            }
        }
        self.filter = None;
    }

    /// A frame after so much time.
    fn answered(&mut self, passed: Duration) {
        let filtered = self.filter.as_mut().map(|filter| filter.apply(passed));
        let frame = self.core.advance(filtered.unwrap_or(passed));
        let now = self.now;
        self.line(format_args!("frame {now}"));
        self.answer(&frame);
        if frame.steps().len() > 1 && self.random.u32(..5) == 0 {
            let unrun = self.random.u32(..=frame.steps().len().min(9) as u32);
            let frame = self.core.give_back(frame, unrun);
            self.line(format_args!("give_back {unrun}"));
            self.answer(&frame);
        }
    }

    fn answer(&mut self, frame: &evenstep::Frame) {
        let (lost, steps) = (frame.lost(), frame.steps().len() as u64);
        let line = format!(
            "= {} {} {} {:x} {} {} {} {} {} {}",
            frame.tick() - steps,
            frame.tick(),
            frame.single_steps(),
            frame.alpha().to_bits(),
            lost.clamped.as_nanos(),
            lost.paused.as_nanos(),
            lost.dropped,
            u32::from(frame.is_behind()),
            length(frame.overstep()),
            instant(frame.shown_time(Smoothing::Interpolate)),
        );
        self.line(format_args!("{line}"));
    }
}

fn length(length: SimDuration) -> String {
    let (numer, denom) = length.subsec();
    format!("{}+{numer:x}/{denom:x}", length.secs())
}

fn instant(time: SimTime) -> String {
    let (numer, denom) = time.subsec();
    format!("{}+{numer:x}/{denom:x}", time.secs())
}

/// This part of the script, as the core has it.
pub(crate) fn made() -> String {
    let mut writer = Writer {
        text: String::new(),
        core: FixedTimestep::new(Rate::hz(1)),
        filter: None,
        now: 0,
        begun: false,
        random: fastrand::Rng::with_seed(60_000),
    };
    for rate in RATES.iter().chain(RATES) {
        writer.timestep(*rate);
        for _ in 0..24 {
            while writer.random.bool() {
                writer.set();
            }
            writer.frame();
        }
    }
    writer.filtered();
    writer.text
}
