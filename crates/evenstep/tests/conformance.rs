//! The conformance script, `stored/conformance.txt`: calls, made from a seed, with the core's exact answers. Each language plays it.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, f64::consts::TAU, fs};

use evenstep::filter::{DeltaFilter, DisplayClock, PlaybackClock, PlaybackReport, RefreshClock};
use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{Angle, FixedTimestep, Frame, FrameClock, Overrun, Rate, Smoothed, Smoothing, TimeScale};

const HEAD: &str = "\
# Conformance script, made from a seed by crates/evenstep/tests/conformance.rs. Each line is a call; a line that begins with = is the
# result of the line before it. Each section, which ## begins, is made from a seed of its own.
#
# filter, before the first frame, gives the timestep the default filter.
# Of is_paused: 1 if paused. Of backward_frames: frames whose time was before that of an earlier one. Of frame and give_back: first tick, tick, single steps, bits of alpha (hexadecimal), nanoseconds clamped
# and paused, steps dropped, 1 if behind; then, as seconds+numerator/denominator (fractions hexadecimal), overstep and drawn time.
# input creates a buffer for the timestep: capacity, 1 if it keeps what happens in pauses. Of press and release the key, of motion and wheel
# right and down; of the same with _at, which have a time, the time before that.
# Of play, a frame of both at a time: events that wait, late, reordered, refused, paused, foreign; then for each step its tick, three numbers
# for keys 1 to 3, and motion and wheel, right and down, bits of doubles (hexadecimal). The number of a key is ten times its presses, plus 1
# if it is held, 2 if it is down, 4 if it was released.
# The numbers of smoothed are its state and what it wraps at or 0, as are those of the calls for it that follow, bits of a double
# as a signed integer. smoothed_step begins a step and sets the state, smoothed_previous sets the state before it. Of smoothed_at: bits of what is drawn (hexadecimal), 1 if
# it teleported.
# playback and refresh begin a clock that follows a song, or a display with a number of steps a second. Of follow_frame: its time in
# nanoseconds, its position, its speed in 2^-24, 1 if it follows. Of follow_at: its time and its position at a time of the program's clock.
";

/// What the calls are for.
struct Core {
    clock: FrameClock<Box<dyn DeltaFilter>>,
    timestep: FixedTimestep,
    frame: Frame,
    input: InputBuffer<u32>,
    playback: PlaybackClock,
    /// In place of the playback, if the display is followed.
    refresh: Option<RefreshClock>,
    number: Smoothed<f64>,
    /// In place of the number, if it wraps.
    angle: Option<Smoothed<Angle>>,
}

impl Core {
    fn new() -> Self {
        let timestep = FixedTimestep::new(Rate::hz(1));
        Self {
            clock: FrameClock::with_filter(Box::new(())),
            frame: timestep.idle_frame(),
            timestep,
            input: InputBuffer::new(0),
            playback: PlaybackClock::new(),
            refresh: None,
            number: Smoothed::new(0.0),
            angle: None,
        }
    }

    /// Carries out a call. Returns the line of its answer, if it has one.
    fn call(&mut self, call: &str) -> String {
        let words: Vec<&str> = call.split(' ').collect();
        let number = |at: usize| words[at].parse::<i64>().unwrap();
        let small = |at| u32::try_from(number(at)).unwrap();
        let nanos = |at| Duration::from_nanos(number(at) as u64);
        let ratio = || TimeScale::new(small(1), small(2)).unwrap();
        let by = |at: usize| [number(at) as f64, number(at + 1) as f64];
        let (timestep, input) = (&mut self.timestep, &mut self.input);
        match words[0] {
            "timestep" => {
                self.clock = FrameClock::with_filter(Box::new(()));
                *timestep = FixedTimestep::new(Rate::new(small(1), small(2)).unwrap());
            }
            "filter" => self.clock = FrameClock::with_filter(Box::new(DisplayClock::new())),
            "lookahead" => *timestep = timestep.clone().with_lookahead(),
            "max_delta" => timestep.set_max_delta(nanos(1)),
            "max_steps" => timestep.set_max_steps(small(1)),
            "unset_max_steps" => timestep.set_max_steps(None),
            "drop" => timestep.set_overrun(Overrun::Drop),
            "carry" => timestep.set_overrun(Overrun::Carry { max_backlog: nanos(1) }),
            "stretch" => timestep.set_overrun(Overrun::Stretch { max_speed: ratio() }),
            "scale" => timestep.set_time_scale(ratio()),
            "step_once" => timestep.step_once(),
            "pause" => timestep.pause(),
            "resume_dropping" => timestep.resume_dropping(),
            "resume" => timestep.resume(),
            "reset" => timestep.reset(),
            "backward_frames" => return format!("= {}\n", self.clock.backward_frames()),
            "is_paused" => return format!("= {}\n", u8::from(timestep.is_paused())),
            "frame" => {
                self.frame = timestep.advance(self.clock.begin_frame(nanos(1)).delta);
                return self.frame_answer();
            }
            "give_back" => {
                self.frame = timestep.give_back(self.frame, small(1));
                return self.frame_answer();
            }
            "input" if small(2) == 1 => *input = InputBuffer::new(small(1) as usize).keep_pauses(),
            "input" => *input = InputBuffer::new(small(1) as usize),
            "press" => input.push(InputEvent::Press(small(1))),
            "release" => input.push(InputEvent::Release(small(1))),
            "release_all" => input.push(InputEvent::ReleaseAll),
            "motion" => input.push(InputEvent::Motion(by(1))),
            "wheel" => input.push(InputEvent::Wheel(by(1))),
            "press_at" => input.push_at(nanos(1), InputEvent::Press(small(2))),
            "release_at" => input.push_at(nanos(1), InputEvent::Release(small(2))),
            "release_all_at" => input.push_at(nanos(1), InputEvent::ReleaseAll),
            "motion_at" => input.push_at(nanos(1), InputEvent::Motion(by(2))),
            "wheel_at" => input.push_at(nanos(1), InputEvent::Wheel(by(2))),
            "play" => return self.play(nanos(1)),
            "playback" => (self.playback, self.refresh) = (PlaybackClock::new(), None),
            "refresh" => self.refresh = Some(RefreshClock::new(Rate::new(small(1), small(2)).unwrap())),
            "follow_latency" => self.playback.set_latency(nanos(1)),
            "follow_rate" => self.playback.set_playback_rate(ratio()),
            "follow_loop" => self.playback.set_loop_points(nanos(1)..nanos(2)),
            "follow_pause" => match &mut self.refresh {
                Some(clock) => clock.pause(),
                None => self.playback.pause(),
            },
            "follow_resume" => match &mut self.refresh {
                Some(clock) => clock.resume(),
                None => self.playback.resume(),
            },
            "follow_report" => self.playback.report(PlaybackReport {
                at: nanos(1),
                position: nanos(2),
            }),
            "follow_frame" => {
                let song = &mut self.playback;
                let (time, position, speed, follows) = match &mut self.refresh {
                    Some(clock) => (
                        clock.begin_frame(nanos(1)),
                        Duration::ZERO,
                        clock.speed(),
                        clock.is_following(),
                    ),
                    None => (
                        song.begin_frame(nanos(1)),
                        song.position(),
                        song.speed(),
                        song.is_following(),
                    ),
                };
                let speed = speed * f64::from(1 << 24);
                let (time, position) = (time.now().as_nanos(), position.as_nanos());
                return format!("= {time} {position} {speed} {}\n", u8::from(follows));
            }
            "follow_at" => {
                let (time, position) = match &self.refresh {
                    Some(clock) => (clock.time_at(nanos(1)), Duration::ZERO),
                    None => (self.playback.time_at(nanos(1)), self.playback.position_at(nanos(1))),
                };
                return format!("= {} {}\n", time.as_nanos(), position.as_nanos());
            }
            name => return self.call_smoothed(name, &words[1..]),
        }
        String::new()
    }

    fn frame_answer(&self) -> String {
        let (frame, lost) = (&self.frame, self.frame.lost());
        let exact = |secs: u64, (numer, denom): (u128, u128)| format!("{secs}+{numer:x}/{denom:x}");
        let (overstep, drawn) = (frame.overstep(), frame.shown_time(Smoothing::Interpolate));
        format!(
            "= {} {} {} {:x} {} {} {} {} {} {}\n",
            frame.tick() - u64::from(frame.step_count()),
            frame.tick(),
            frame.single_steps(),
            frame.alpha().to_bits(),
            lost.clamped.as_nanos(),
            lost.paused.as_nanos(),
            lost.dropped,
            u8::from(frame.is_behind()),
            exact(overstep.secs(), overstep.subsec()),
            exact(drawn.secs(), drawn.subsec()),
        )
    }

    /// A frame with input: what its steps see, and what was counted.
    fn play(&mut self, now: Duration) -> String {
        let time = self.clock.begin_frame(now);
        self.frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &self.frame);
        let counts = self.input.counts();
        let counts = [
            counts.late,
            counts.reordered,
            counts.refused,
            counts.paused,
            counts.foreign,
        ];
        let mut answer = format!(
            "= {} {}",
            self.input.len(),
            counts.map(|count| count.to_string()).join(" ")
        );
        for step in self.frame.steps() {
            let controls = self.input.controls(&step);
            write!(answer, " {}", step.tick).unwrap();
            for key in KEYS {
                let seen = 10 * controls.presses(&key)
                    + u32::from(controls.is_held_at_end(&key))
                    + 2 * u32::from(controls.is_down(&key))
                    + 4 * u32::from(controls.was_released(&key));
                write!(answer, " {seen}").unwrap();
            }
            for by in [controls.motion(), controls.wheel()].as_flattened() {
                write!(answer, " {:x}", by.to_bits()).unwrap();
            }
        }
        answer + "\n"
    }

    fn call_smoothed(&mut self, name: &str, words: &[&str]) -> String {
        let float = |at: usize| f64::from_bits(words[at].parse::<i64>().unwrap() as u64);
        match (name, &mut self.angle) {
            ("smoothed", _) => {
                self.number = Smoothed::new(float(0));
                self.angle = (float(1) != 0.0).then(|| Smoothed::new(Angle::new(float(0))));
            }
            ("smoothed_step", Some(angle)) => angle.step(|angle| *angle = Angle::new(float(0))),
            ("smoothed_step", None) => self.number.step(|number| *number = float(0)),
            ("smoothed_previous", Some(angle)) => angle.set_previous(Angle::new(float(0))),
            ("smoothed_previous", None) => self.number.set_previous(float(0)),
            ("smoothed_teleport", Some(angle)) => angle.teleport(),
            ("smoothed_teleport", None) => self.number.teleport(),
            ("smoothed_shift", Some(angle)) => angle.shift(|angle| *angle = Angle::new(angle.radians() + float(0))),
            ("smoothed_shift", None) => self.number.shift(|number| *number += float(0)),
            ("smoothed_at", angle) => {
                let (drawn, is_teleport) = match angle {
                    Some(angle) => (angle.at(float(0)).radians(), angle.is_teleport()),
                    None => (self.number.at(float(0)), self.number.is_teleport()),
                };
                return format!("= {:x} {}\n", drawn.to_bits(), u8::from(is_teleport));
            }
            _ => panic!("no call is named {name}"),
        }
        String::new()
    }
}

pub(crate) const RATES: [(u32, u32); 6] = [
    (60, 1),
    (60_000, 1_001),
    (144, 1),
    (1, 3),
    (10_000, 1),
    (4_294_967_291, 4_294_967_279),
];

pub(crate) const SCALES: [(u32, u32); 7] = [
    (1, 1),
    (0, 1),
    (1, 10),
    (3, 1),
    (7, 9),
    (4_294_967_291, 4_294_967_279),
    (1_000_003, 999_983),
];

const KEYS: std::ops::Range<u32> = 1..4;

/// Writes calls, and carries them out.
struct Script {
    text: String,
    core: Core,
    now: u64,
    random: fastrand::Rng,
}

impl Script {
    fn new(seed: u64) -> Self {
        Self {
            text: String::new(),
            core: Core::new(),
            now: 0,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    fn call(&mut self, call: impl Display) {
        let call = call.to_string();
        let answer = self.core.call(&call);
        write!(self.text, "{call}\n{answer}").unwrap();
    }

    fn begin(&mut self, (numer, denom): (u32, u32)) {
        self.now = self.random.u64(1..1_000_000_000_000);
        self.call(format_args!("timestep {numer} {denom}"));
    }

    /// Begins a frame, with input or without, `nanos` nanoseconds after the last one.
    fn pass(&mut self, name: &str, nanos: u64) {
        self.now += nanos;
        let now = self.now;
        self.call(format_args!("{name} {now}"));
    }

    /// A frame of a clock that went back, at times.
    fn may_go_back(&mut self, name: &str) {
        if self.random.u32(..12) == 0 {
            let behind = self.now.saturating_sub(self.random.u64(..3_000_000_000));
            self.call(format_args!("{name} {behind}"));
            self.call("backward_frames");
        }
    }

    /// A frame of a timestep, which may give back steps.
    fn frame(&mut self, nanos: u64) {
        self.may_go_back("frame");
        self.pass("frame", nanos);
        let steps = self.core.frame.steps().len();
        if steps > 1 && self.random.u32(..5) == 0 {
            let unrun = self.random.usize(..=steps.min(9));
            self.call(format_args!("give_back {unrun}"));
        }
    }

    /// Pauses, resumes or starts over.
    fn pause(&mut self) {
        let call = ["pause", "resume_dropping", "reset", "resume"][self.random.usize(..4)];
        self.call(call);
        self.call("is_paused");
    }

    /// Changes a setting, mostly.
    fn set(&mut self) {
        let random = &mut self.random;
        let call = match random.u32(..12) {
            0 => {
                let edge = [0, 1, 9_000_000_000_000_000_000].get(random.usize(..8));
                format!(
                    "max_delta {}",
                    edge.copied().unwrap_or_else(|| random.u64(0..400_000_000))
                )
            }
            1 => format!("max_steps {}", [u32::MAX, 0, 1, 2, 3, 4, 5][random.usize(..7)]),
            2 => "unset_max_steps".to_owned(),
            3 => "drop".to_owned(),
            4 | 5 => {
                let edge = [0, 1, 9_000_000_000_000_000_000].get(random.usize(..9));
                format!("carry {}", edge.copied().unwrap_or_else(|| random.u64(0..500_000_000)))
            }
            6 | 7 => format!("stretch {} {}", random.u32(0..20), random.u32(1..10)),
            8 | 9 => {
                let (numer, denom) = SCALES[random.usize(..SCALES.len())];
                format!("scale {numer} {denom}")
            }
            10 => "step_once".to_owned(),
            _ => return self.pause(),
        };
        self.call(call);
    }

    /// Frames of all lengths under all settings.
    fn frames(&mut self) {
        for rate in RATES.iter().chain(&RATES) {
            self.begin(*rate);
            if self.random.u32(..4) == 0 {
                self.call("lookahead");
            }
            for _ in 0..24 {
                while self.random.bool() {
                    self.set();
                }
                let nanos = match self.random.u32(..10) {
                    0 => 0,
                    1 => self.random.u64(0..2_000_000_000),
                    2 => self.random.u64(0..1_000_000_000_000_000),
                    _ => self.random.u64(1_000_000..40_000_000),
                };
                self.frame(nanos);
            }
        }
    }

    /// Frames behind a filter: of a display at 144 Hz, read up to 2 ms late, now and then missed; then at 60 Hz, 20 Hz and 500 Hz, with a
    /// hitch after each, and with times that repeat.
    fn filtered(&mut self) {
        self.begin((60, 1));
        self.call("filter");
        self.frame(0);
        for (period, late, hitch) in [
            (6_944_444, 2_000_000, 250_000_000),
            (16_666_667, 500_000, 250_000_001),
            (50_000_000, 9_000_000, 4_000_000_000),
            (2_000_000, 3_000_000, 251_000_000),
        ] {
            let (begin, mut refresh) = (self.now, 0);
            for frame in 0..110 {
                refresh += 1 + u64::from(self.random.u32(..25) == 0);
                let now = (begin + refresh * period + self.random.u64(0..late)).max(self.now);
                let hitch = if frame == 109 { hitch } else { 0 };
                self.frame(now + hitch - self.now);
            }
        }
    }

    /// Refreshes that become longer, and shorter: the filter takes another period after as many frames in a row.
    fn refreshes_of_another_length(&mut self) {
        self.begin((60, 1));
        self.call("filter");
        for (nanos, frames) in [(16_666_667, 12), (33_333_333, 40), (8_333_333, 40)] {
            for _ in 0..frames {
                self.pass("frame", nanos);
            }
        }
    }

    /// An event before the next frame, or one that comes late.
    fn event(&mut self, nanos: u64) {
        let random = &mut self.random;
        let at = (self.now + random.u64(..=nanos)).saturating_sub(random.u64(..4) / 3 * nanos);
        let (key, x, y) = (random.u32(KEYS), random.i32(-9..9), random.i32(-9..9));
        let call = match random.u32(..16) {
            0..5 => format!("press_at {at} {key}"),
            5..10 => format!("release_at {at} {key}"),
            10 => format!("release_all_at {at}"),
            11 => format!("wheel_at {at} {x} {y}"),
            _ => format!("motion_at {at} {x} {y}"),
        };
        self.call(call);
    }

    /// An event without a time.
    fn untimed_event(&mut self) {
        let random = &mut self.random;
        let (key, x, y) = (random.u32(KEYS), random.i32(-9..9), random.i32(-9..9));
        let call = match random.u32(..16) {
            0..5 => format!("press {key}"),
            5..9 => format!("release {key}"),
            9 => "release_all".to_owned(),
            10 => format!("wheel {x} {y}"),
            _ => format!("motion {x} {y}"),
        };
        self.call(call);
    }

    /// Input without times, beside some with times: before the first frame, in pauses, through resets, and with a second clock whose times
    /// are before or after those of the first.
    fn untimed(&mut self) {
        for run in 0..16 {
            let rate = self.random.u32(20..200);
            let keeps = u8::from(self.random.u32(..5) == 0);
            self.call(format_args!("input 200 {keeps}"));
            for begin in 0..2 {
                self.begin((rate, 1));
                if run % 2 == 1 {
                    self.call("filter");
                }
                if self.random.u32(..4) == 0 {
                    self.call("lookahead");
                }
                if begin == 0 {
                    self.untimed_event();
                    self.event(30_000_000);
                    self.event(5_000_000_000);
                }
                self.pass("play", 0);
                for _ in 0..20 {
                    match self.random.u32(..24) {
                        0 => self.call("pause"),
                        1 | 2 => self.call("resume"),
                        3 => self.call("step_once"),
                        4 => self.call("reset"),
                        5 => self.call("scale 0 1"),
                        6 | 7 => self.call("scale 1 1"),
                        8 => self.call("carry 100000000"),
                        9 => self.call("max_steps 1"),
                        10 => self.call("unset_max_steps"),
                        11 => self.call(format_args!("press_at {} 2", self.now / 1000)),
                        12 => self.call(format_args!("press_at {} 3", self.now + 2_000_000_000)),
                        _ => {}
                    }
                    let nanos = match self.random.u32(..10) {
                        0 => 0,
                        1 => self.random.u64(..400_000_000),
                        _ => self.random.u64(1_000_000..60_000_000),
                    };
                    for _ in 0..self.random.u32(..4) {
                        self.untimed_event();
                    }
                    if self.random.u32(..5) == 0 {
                        self.event(nanos);
                    }
                    self.pass("play", nanos);
                }
            }
        }
    }

    /// Input through pauses, slow motion and full buffers.
    fn input(&mut self) {
        for run in 0..16 {
            let rate = self.random.u32(20..200);
            self.begin((rate, 1));
            if run % 2 == 1 {
                self.call("filter");
            }
            let capacity = [1, 2, 6, 200][self.random.usize(..4)];
            let keeps = u8::from(self.random.u32(..5) == 0 && capacity == 200);
            self.call(format_args!("input {capacity} {keeps}"));
            self.pass("play", 0);
            for _ in 0..24 {
                match self.random.u32(..42) {
                    9 | 10 => self.call("max_delta 0"),
                    11 | 12 => self.call("max_delta 250000000"),
                    13 | 14 => self.set(),
                    0 => self.call("pause"),
                    1 | 2 => self.call("resume"),
                    3 => self.call("step_once"),
                    4 => self.call("reset"),
                    5..9 => {
                        let scale = ["0 1", "0 1", "1 1", "1 1", "1 20", "3 2"][self.random.usize(..6)];
                        self.call(format_args!("scale {scale}"));
                    }
                    _ => {}
                }
                let nanos = match self.random.u32(..10) {
                    0 => 0,
                    1 => self.random.u64(..400_000_000),
                    _ => self.random.u64(1_000_000..30_000_000),
                };
                for _ in 0..self.random.u32(..6) {
                    self.event(nanos);
                }
                self.may_go_back("play");
                self.pass("play", nanos);
            }
        }
    }

    /// Numbers that are drawn between their last two states.
    fn smoothed(&mut self) {
        let bits = |number: f64| number.to_bits() as i64;
        for object in 0..24 {
            let wide = if object % 3 == 0 { 1e12 } else { 9.0 };
            let any = move |random: &mut fastrand::Rng| bits(wide * (2.0 * random.f64() - 1.0));
            let wrap = if object % 2 == 1 { TAU } else { 0.0 };
            let state = any(&mut self.random);
            self.call(format_args!("smoothed {state} {}", bits(wrap)));
            for _ in 0..30 {
                let call = match self.random.u32(..10) {
                    0..5 => format!("smoothed_step {}", any(&mut self.random)),
                    5 => "smoothed_teleport".to_owned(),
                    6 => format!("smoothed_shift {}", any(&mut self.random)),
                    _ => format!("smoothed_at {}", bits(1.2 * self.random.f64() - 0.1)),
                };
                self.call(call);
            }
        }
    }

    /// Numbers that are spawned moving, before and after steps and teleports.
    fn spawned(&mut self) {
        for object in 0..12 {
            let any = |random: &mut fastrand::Rng| (9.0 * (2.0 * random.f64() - 1.0)).to_bits() as i64;
            let wrap = if object % 2 == 1 { TAU } else { 0.0 };
            let state = any(&mut self.random);
            self.call(format_args!("smoothed {state} {}", wrap.to_bits() as i64));
            for _ in 0..20 {
                let call = match self.random.u32(..8) {
                    0 => format!("smoothed_step {}", any(&mut self.random)),
                    1 => "smoothed_teleport".to_owned(),
                    2..5 => format!("smoothed_previous {}", any(&mut self.random)),
                    _ => format!("smoothed_at {}", (1.2 * self.random.f64() - 0.1).to_bits() as i64),
                };
                self.call(call);
            }
        }
    }

    /// Songs in blocks, on devices that are fast or slow, with stalls, loops, pauses and seeks where a block begins; the last two have one and two blocks
    /// in each frame, and first reports that are wrong.
    fn followed_song(&mut self) {
        let uneven = 15_000_000..18_000_000;
        for (run, (block, frame_nanos)) in [
            (2_666_667, uneven.clone()),
            (92_879_818, uneven.clone()),
            (0, uneven.clone()),
            (21_333_333, uneven),
            (16_666_667, 16_666_666..16_666_668),
            (8_333_333, 16_666_666..16_666_667),
        ]
        .into_iter()
        .enumerate()
        {
            self.now = self.random.u64(1..1_000_000_000_000);
            self.call("playback");
            let (mut numer, mut denom, mut length) = (1, 1, u64::MAX);
            let (mut position, mut is_paused, mut stall, mut phase) = (0.0_f64, false, 0_u64, 0);
            for frame in 0..170_u32 {
                let nanos = if frame % 97 == 90 {
                    400_000_000
                } else {
                    self.random.u64(frame_nanos.clone())
                };
                self.now += nanos;
                let plays = u64::from(!is_paused) * nanos.saturating_sub(stall);
                stall = stall.saturating_sub(nanos);
                position += plays as f64 * 1.000_3 * f64::from(numer) / f64::from(denom);
                match self.random.u32(..90) {
                    0 => stall = [30_000_000, 100_000_000, 500_000_000][self.random.usize(..3)],
                    1 => {
                        position += 120_000_000.0;
                        phase = (position as u64).checked_rem(block).unwrap_or(0);
                    }
                    2 => position = 700_000_000.0,
                    3 => self.call("follow_latency 41000007"),
                    4 if run % 2 == 1 => {
                        (numer, denom) = [(1, 1), (5, 4), (2, 3), (100, 1), (0, 1)][self.random.usize(..5)];
                        self.call(format_args!("follow_rate {numer} {denom}"));
                        (numer, denom) = if numer == 100 { (16, 1) } else { (numer.max(1), denom) };
                    }
                    5 if length == u64::MAX => {
                        length = 900_000_001;
                        self.call("follow_loop 100000000 1000000001");
                    }
                    6 | 7 => {
                        is_paused = !is_paused;
                        self.call(if is_paused { "follow_pause" } else { "follow_resume" });
                    }
                    _ => {}
                }
                if length < u64::MAX && position > 1_000_000_001.0 {
                    position -= ((position - 100_000_000.0) / length as f64).floor() * length as f64;
                }
                let reported = (position as u64)
                    .saturating_sub(phase)
                    .checked_div(block)
                    .map_or(position as u64, |blocks| blocks * block + phase);
                let reported = if run > 3 && frame < 2 { 5_000_000_000 } else { reported };
                let at = self.now - self.random.u64(..3_000_000);
                self.call(format_args!("follow_report {at} {reported}"));
                self.pass("follow_frame", 0);
                if frame % 20 == 7 {
                    let at = self.now + 30_000_000 - self.random.u64(..60_000_000);
                    self.call(format_args!("follow_at {at}"));
                }
            }
        }
    }

    /// Songs with a seek that is a limit of the clock, to the nanosecond, and the one after it: what of a seek the clock catches up without hurry,
    /// what it passes over at once, the report that it does not believe, and when it no longer hurries.
    fn limits_of_a_song(&mut self) {
        // The frames from one report to the next, the frame with the seek, and the last frame; a range of seeks that contains the limit; and a
        // bound for what the last frame advances by, which is passed on one side of the limit only.
        for (frames, seeks, limit) in [
            ([1, 20, 22], 20_000_000..22_000_000, 17_500_000),
            ([1, 20, 22], 249_000_000..252_000_000, 17_500_000),
            ([3, 42, 46], 60_000_000..70_000_000, 17_500_000),
            ([6, 60, 60], -7_000_000..-6_000_000, 16_600_000),
            ([1, 20, 31], 40_000_000..46_000_000, 16_750_000),
        ] {
            let is_beyond = |seek| Self::sought(frames, seek).1 > limit;
            let (mut least, mut most) = (seeks.start, seeks.end);
            let at_start = is_beyond(least);
            assert_ne!(at_start, is_beyond(most), "there is no limit from {least} to {most}");
            while most - least > 1 {
                let middle = (least + most) / 2;
                if is_beyond(middle) == at_start {
                    least = middle
                } else {
                    most = middle
                }
            }
            self.text += &Self::sought(frames, least).0;
            self.text += &Self::sought(frames, most).0;
        }
    }

    /// A song that is followed, with one seek, in nanoseconds. Returns what it advances by in the last frame, too.
    fn sought([frames_a_report, seek_frame, last]: [u64; 3], seek: i64) -> (String, i64) {
        let mut script = Self::new(0);
        script.call("playback");
        let [mut position, mut advance, mut before] = [5_000_000_000; 3];
        for frame in 0..=last {
            script.now += 16_666_667;
            position += 16_666_667 + if frame == seek_frame { seek } else { 0 };
            if frame % frames_a_report == 0 {
                let now = script.now;
                script.call(format_args!("follow_report {now} {position}"));
            }
            script.pass("follow_frame", 0);
            let drawn = script.core.playback.position().as_nanos() as i64;
            (advance, before) = (drawn - before, drawn);
        }
        (script.text, advance)
    }

    /// Displays that miss refreshes, change their rate, and have none.
    fn followed_display(&mut self) {
        let runs = [((262_144, 4_389), 6_060_606), ((50, 1), 6_944_444)];
        for ((numer, denom), period) in runs {
            self.now = self.random.u64(1..1_000_000_000_000);
            self.call(format_args!("refresh {numer} {denom}"));
            let (begin, mut refresh) = (self.now, 0);
            for frame in 0..350 {
                refresh += 1 + u64::from(self.random.u32(..40) == 0);
                let late = if frame > 330 { period } else { 500_000 };
                let now =
                    begin + refresh * period + self.random.u64(..late) + if frame > 300 { 300_000_000 } else { 0 };
                self.now = now.max(self.now);
                if frame == 280 || frame == 285 {
                    self.call(if frame == 280 { "follow_pause" } else { "follow_resume" });
                }
                self.pass("follow_frame", 0);
                if frame % 50 == 20 {
                    let at = self.now + 9_000_000;
                    self.call(format_args!("follow_at {at}"));
                }
            }
        }
    }

    /// A frame a nanosecond before the end of a step of a second: its alpha is below 1 as a float, too.
    fn nearly_a_step(&mut self) {
        self.begin((1, 1));
        self.call("max_delta 999999999");
        self.pass("frame", 0);
        self.pass("frame", 999_999_999);
    }
}

/// Scripts at rates whose terms are at most 4.5 million, those of languages that count in doubles.
impl Script {
    /// Frames with input or without, of all lengths and under all settings. With input there are few enough steps to read.
    fn any_rate(&mut self) {
        let has_input = self.random.bool();
        let most = [1_000, 4_500_000][self.random.usize(..2)];
        let (numer, denom) = match self.random.usize(..8) {
            known @ 0..5 => RATES[known],
            _ => (self.random.u32(1..=most), self.random.u32(1..=most)),
        };
        self.begin((
            if has_input {
                numer.min(denom.saturating_mul(500))
            } else {
                numer
            },
            denom,
        ));
        for (call, one_of) in [("filter", 2), ("lookahead", 4)] {
            if self.random.u32(..one_of) == 0 {
                self.call(call);
            }
        }
        if has_input {
            let capacity = [1, 3, 200][self.random.usize(..3)];
            let keeps = u8::from(self.random.u32(..5) == 0 && capacity == 200);
            self.call(format_args!("input {capacity} {keeps}"));
        }
        let name = if has_input { "play" } else { "frame" };
        self.pass(name, 0);
        for _ in 0..32 {
            while self.random.u32(..3) == 0 {
                self.set();
            }
            if self.random.u32(..8) == 0 {
                let denom = self.random.u32(1..1_000);
                let numer = self.random.u32(..if has_input { 3 * denom } else { 1_000 });
                self.call(format_args!("scale {numer} {denom}"));
            }
            let nanos = match self.random.u32(..10) {
                0 => 0,
                1 | 2 if has_input => self.random.u64(..400_000_000),
                1 => self.random.u64(..2_000_000_000),
                2 => self.random.u64(..1_000_000_000_000_000),
                _ => self.random.u64(1_000_000..40_000_000),
            };
            if !has_input {
                self.frame(nanos);
                continue;
            }
            for _ in 0..self.random.u32(..3) {
                match self.random.bool() {
                    true => self.event(nanos),
                    false => self.untimed_event(),
                }
            }
            self.may_go_back(name);
            self.pass(name, nanos);
        }
    }
}

/// Scripts for `bindings/lua/tests/conformance.lua`, which `cargo ci --only Lua` plays: written where `EVENSTEP_RANDOM_SCRIPTS` says.
#[test]
fn a_thousand_random_scripts_make_every_call_and_lose_and_keep_time() {
    let mut text = String::new();
    for seed in 0..1_000 {
        let mut script = Script::new(seed);
        script.any_rate();
        text += &script.text;
    }
    let calls = [
        "filter",
        "lookahead",
        "max_delta",
        "max_steps",
        "unset_max_steps",
        "drop",
        "carry",
        "stretch",
        "scale",
        "step_once",
        "pause",
        "resume",
        "resume_dropping",
        "reset",
        "backward_frames",
        "frame",
        "give_back",
        "press",
        "release",
        "release_all",
        "motion",
        "wheel",
        "press_at",
        "release_at",
        "release_all_at",
        "motion_at",
        "wheel_at",
        "play",
    ];
    for call in calls {
        assert!(text.lines().any(|line| line.split(' ').next() == Some(call)), "{call}");
    }
    let frames: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.contains('/'))
        .map(|line| line.split(' ').collect())
        .collect();
    for (at, name) in [(5, "clamped"), (6, "paused"), (7, "dropped"), (8, "is_behind")] {
        let number = frames.iter().filter(|frame| frame[at] != "0").count();
        assert!(number > 500, "{name}: {number}");
    }
    if let Some(path) = env::var_os("EVENSTEP_RANDOM_SCRIPTS") {
        let path = PathBuf::from(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Its name, its seed, and what makes it.
type Section = (&'static str, u64, fn(&mut Script));

/// The sections of the script. Each has a seed of its own, so that a call that one of them gets leaves the others as they are.
const SECTIONS: [Section; 11] = [
    ("frames", 60_000, Script::frames),
    ("filtered", 60_001, Script::filtered),
    ("input", 60_002, Script::input),
    ("smoothed", 60_003, Script::smoothed),
    ("nearly a step", 60_004, Script::nearly_a_step),
    ("followed song", 60_005, Script::followed_song),
    ("followed display", 60_006, Script::followed_display),
    ("spawned", 60_007, Script::spawned),
    ("input without times", 60_008, Script::untimed),
    ("limits of a song", 60_009, Script::limits_of_a_song),
    (
        "refreshes of another length",
        60_010,
        Script::refreshes_of_another_length,
    ),
];

/// The script, as the core answers it.
pub(crate) fn made() -> String {
    let mut text = HEAD.to_owned();
    for (name, seed, make) in SECTIONS {
        let mut script = Script::new(seed);
        make(&mut script);
        text += &format!("## {name}\n{}", script.text);
    }
    text
}

/// The names of the numbers that a call returns, and of the numbers that it returns for each step of the frame.
fn names(call: &str) -> [&'static [&'static str]; 2] {
    match call {
        "frame" | "give_back" => [
            &[
                "first tick",
                "tick",
                "single steps",
                "bits of alpha",
                "clamped",
                "paused",
                "dropped",
                "is_behind",
                "overstep",
                "drawn time",
            ],
            &[],
        ],
        "play" => [
            &["events that wait", "late", "reordered", "refused", "paused", "foreign"],
            &[
                "tick",
                "key 1",
                "key 2",
                "key 3",
                "motion right",
                "motion down",
                "wheel right",
                "wheel down",
            ],
        ],
        "follow_frame" => [&["time", "position", "speed", "is_following"], &[]],
        "follow_at" => [&["time", "position"], &[]],
        "smoothed_at" => [&["bits of what is drawn", "is_teleport"], &[]],
        _ => [&["its number"], &[]],
    }
}

/// The names of the numbers of an answer that differ.
fn differing(call: &str, expected: &str, got: &str) -> String {
    let [first, each] = names(call.split(' ').next().unwrap_or_default());
    let numbers = expected.split(' ').zip(got.split(' ')).skip(1);
    let names = first.iter().chain(each.iter().cycle()).zip(numbers);
    let wrong = names.filter(|(_, (expected, got))| expected != got);
    let wrong: Vec<&str> = wrong.map(|(name, _)| *name).collect();
    match wrong.is_empty() {
        true => "the number of steps".to_owned(),
        false => wrong.join(", "),
    }
}

/// The first call whose answer differs, with the calls that it depends on: those since the last one that begins something.
fn first_difference(stored: &str, made: &str) -> Option<String> {
    let [stored, made] = [stored, made].map(|text| text.lines().collect::<Vec<_>>());
    let differs = |line: &usize| stored.get(*line) != made.get(*line);
    let at = (0..stored.len().max(made.len())).find(differs)?;
    let [expected, got] = [&stored, &made].map(|lines| lines.get(at).copied().unwrap_or("the end"));
    let before = &made[..at.min(made.len())];
    let begins = |line: &&str| {
        ["timestep ", "smoothed ", "playback", "refresh ", "#"]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let first = before.iter().rposition(begins).unwrap_or_default();
    let section = before
        .iter()
        .rfind(|line| line.starts_with("## "))
        .unwrap_or(&"## head");
    let place = format!("stored/conformance.txt:{}, section {:?}", at + 1, &section[3..]);
    if !(expected.starts_with('=') && got.starts_with('=')) {
        return Some(format!(
            "{place}: not an answer but a line of the script differs, which crates/evenstep/tests/conformance.rs makes:\n\
             expected {expected}\n     got {got}\nIf the script was to change: cargo xtask bless --only conformance"
        ));
    }
    let settings = before[first..].iter().filter(|line| !line.starts_with(['=', '#']));
    let calls: Vec<&str> = settings.copied().collect();
    let skipped = calls.len().saturating_sub(40);
    let wrong = differing(calls.last().unwrap_or(&""), expected, got);
    let calls = calls[skipped..].join("\n    ");
    Some(format!(
        "{place}: of the last call's answer differs: {wrong}. The calls up to it, without the first {skipped}:\n    {calls}\n\
         expected {expected}\n     got {got}\nIf the new answer is the right one, in every language: cargo xtask bless --only conformance"
    ))
}

#[test]
fn the_conformance_script_has_the_results_of_the_core() {
    let (path, made) = (
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../stored/conformance.txt"),
        made(),
    );
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let stored = fs::read_to_string(path).unwrap_or_default();
    if let Some(difference) = first_difference(&stored, &made) {
        panic!("{difference}");
    }
}
