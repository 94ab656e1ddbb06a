//! Random scripts of settings, frames and input, and random states that are blended, as hashes of all results. The header for C plays the
//! same ones (`bindings/c/tests/scripts.c`, `blend.c`) and must have the same hashes, which `stored/random-scripts.txt` keeps. To say which
//! call differs, `stored/random-scripts-calls.txt` has a line for each call of the first ones.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, mem};

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::{InputBuffer, InputEvent};
use evenstep::poses::{Affine2, Affine3, Quat, Rot2};
use evenstep::{Angle, Blend, FixedTimestep, FrameClock, Overrun, Rate, Smoothing, TimeScale};

use crate::conformance::{RATES, SCALES};

/// *splitmix64*, by S. Vigna.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn small(&mut self, end: u64) -> u32 {
        self.below(end) as u32
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * (self.next() >> 40) as f64 / f64::from(1 << 24)
    }
}

/// A number that a call answered, with its name.
type Answer = (&'static str, u64);

/// A hash of all numbers, with the newest of them.
#[derive(Default)]
struct Hash(u64, Vec<Answer>);

impl Hash {
    fn add(&mut self, name: &'static str, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b1_85eb_ca87).rotate_left(27);
        self.1.push((name, number));
    }

    /// Forgets the newest numbers, and returns them.
    fn take(&mut self) -> Vec<Answer> {
        mem::take(&mut self.1)
    }

    fn add_time(&mut self, name: &'static str, secs: u64, (numer, denom): (u128, u128)) {
        for number in [secs, numer as u64, denom as u64] {
            self.add(name, number);
        }
    }

    fn add_floats(&mut self, name: &'static str, floats: &[f32]) {
        floats.iter().for_each(|float| self.add(name, float.to_bits().into()));
    }

    /// The line of a number of scripts or rows, or of the poses of the rows.
    fn line(&self, of: impl Display) -> String {
        format!("{of} {:016x}", self.0)
    }
}

/// The default filter, or none.
struct Filter(Option<DisplayClock>);

impl DeltaFilter for Filter {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.0.as_mut().map_or(delta, |filter| filter.apply(delta))
    }

    fn residual(&self) -> i64 {
        self.0.as_ref().map_or(0, DeltaFilter::residual)
    }

    fn max_lead(&self) -> Duration {
        self.0.as_ref().map_or(Duration::ZERO, DeltaFilter::max_lead)
    }
}

/// A call, with its settings and what it answered.
type Call = (String, Vec<Answer>);

/// The stored line of a call: its numbers, or only a character that stands for them, which is another one in 63 of 64 cases if a number
/// is.
fn line(answers: &[Answer], is_whole: bool) -> String {
    if is_whole {
        let numbers: Vec<String> = answers.iter().map(|(_, number)| number.to_string()).collect();
        return numbers.join(" ");
    }
    let mut hash = Hash::default();
    answers.iter().for_each(|(name, number)| hash.add(name, *number));
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
    char::from(digits[(hash.0 >> 58) as usize]).to_string()
}

struct Player {
    random: Random,
    clock: FrameClock<Filter>,
    timestep: FixedTimestep,
    input: InputBuffer<u32>,
    /// The events since the last frame, and the steps of a frame that are given back.
    told: String,
}

fn ns(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

impl Player {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let (numer, denom) = match random.below(8) {
            rate @ 0..6 => RATES[rate as usize],
            rate => {
                let end = if rate == 6 { u32::MAX.into() } else { 1000 };
                let numer = 1 + random.small(end);
                (numer, 1 + random.small(end))
            }
        };
        let filter = Filter((random.below(2) == 1).then(DisplayClock::new));
        Self {
            random,
            clock: FrameClock::with_filter(filter),
            timestep: FixedTimestep::new(Rate::new(numer, denom).unwrap()),
            input: InputBuffer::new(1000),
            told: String::new(),
        }
    }

    /// Changes a setting, or the course of time.
    fn set(&mut self) {
        let (timestep, random) = (&mut self.timestep, &mut self.random);
        match random.below(12) {
            0 => {
                let edge = [0, 1, 9_000_000_000_000_000_000].get(random.below(8) as usize);
                timestep.set_max_delta(ns(edge.copied().unwrap_or_else(|| random.below(400_000_000))));
            }
            1 => {
                let is_edge = random.below(8) == 0;
                timestep.set_max_steps(if is_edge { u32::MAX } else { random.small(6) });
            }
            2 => timestep.set_max_steps(None),
            3 => timestep.set_overrun(Overrun::Drop),
            4 => {
                let max_backlog = ns(random.below(500_000_000));
                timestep.set_overrun(Overrun::Carry { max_backlog });
            }
            5 => {
                let numer = random.small(20);
                let max_speed = TimeScale::new(numer, 1 + random.small(10)).unwrap();
                timestep.set_overrun(Overrun::Stretch { max_speed });
            }
            6 => {
                let (numer, denom) = SCALES[random.below(7) as usize];
                timestep.set_time_scale(TimeScale::new(numer, denom).unwrap());
            }
            7 => {
                let numer = random.small(1000);
                timestep.set_time_scale(TimeScale::new(numer, 1 + random.small(1000)).unwrap());
            }
            8 => timestep.step_once(),
            9 => timestep.pause(),
            10 => timestep.resume(),
            _ => match random.below(4) {
                0 => timestep.resume_dropping(),
                1 => timestep.reset(),
                2 => timestep.set_max_delta(None),
                _ => {
                    let bits = random.below(65);
                    let max_backlog = ns(if bits == 64 { 0 } else { random.next() >> bits });
                    timestep.set_overrun(Overrun::Carry { max_backlog });
                }
            },
        }
    }

    /// An event between a time and the frame after it, or one that comes late.
    fn push(&mut self, now: u64, delta: u64) {
        let random = &mut self.random;
        let mut time = now + random.below(delta + 1);
        if random.below(4) == 3 {
            time = time.saturating_sub(random.below(delta + 1));
        }
        let (kind, key) = (random.below(8), 1 + random.small(3));
        let event = match kind {
            0..3 => InputEvent::Press(key),
            3..7 => InputEvent::Release(key),
            _ => InputEvent::ReleaseAll,
        };
        if random.below(3) == 0 {
            write!(self.told, ", {event:?}").unwrap();
            self.input.push(event);
        } else {
            write!(self.told, ", {event:?} at {time} ns").unwrap();
            self.input.push_at(ns(time), event);
        }
    }

    /// A frame: gives steps back at times, and runs eight steps at most.
    fn frame(&mut self, now: u64, hash: &mut Hash) {
        let time = self.clock.begin_frame(ns(now));
        let mut frame = self.timestep.advance(time.delta);
        if self.random.below(6) == 0 {
            let unrun = self.random.below(u64::from(frame.step_count()) + 2);
            write!(self.told, ", {unrun} steps given back").unwrap();
            frame = self.timestep.give_back(frame, unrun as u32);
        }
        self.input.begin_frame(&time, &frame);
        for step in frame.steps().take(8) {
            let controls = self.input.controls(&step);
            for (key, name) in (1..).zip(["key 1", "key 2", "key 3"]) {
                let flags = u32::from(controls.is_held_at_end(&key))
                    + 2 * u32::from(controls.is_down(&key))
                    + 4 * u32::from(controls.was_released(&key));
                hash.add(name, u64::from(10 * controls.presses(&key) + flags));
            }
        }
        let lost = frame.lost();
        for (name, number) in [
            ("first tick", frame.tick() - u64::from(frame.step_count())),
            ("tick", frame.tick()),
            ("single_steps", frame.single_steps().into()),
            ("clamped", lost.clamped.as_nanos() as u64),
            ("paused", lost.paused.as_nanos() as u64),
            ("dropped", lost.dropped),
            ("is_behind", frame.is_behind().into()),
            (
                "residual",
                u64::from_ne_bytes(self.clock.filter().residual().to_ne_bytes()),
            ),
            ("backward_frames", self.clock.backward_frames()),
        ] {
            hash.add(name, number);
        }
        hash.add_time("overstep", frame.overstep().secs(), frame.overstep().subsec());
        if frame.tick() > 0 {
            let shown = frame.shown_time(Smoothing::Interpolate);
            hash.add_time("shown_time", shown.secs(), shown.subsec());
        }
    }
}

/// Plays a script. Returns its frames, with their settings if `is_told`.
fn play(seed: u64, hash: &mut Hash, is_told: bool) -> Vec<Call> {
    let mut player = Player::new(seed);
    let mut now = 1 + player.random.below(1_000_000_000_000);
    player.frame(now, hash);
    let mut calls = vec![(format!("the first frame, at {now} ns"), hash.take())];
    for _ in 0..32 {
        while player.random.below(3) == 0 {
            player.set();
        }
        let delta = match player.random.below(10) {
            0 => 0,
            1 => player.random.below(2_000_000_000),
            2 => player.random.below(1_000_000_000_000_000),
            _ => 1_000_000 + player.random.below(39_000_000),
        };
        for _ in 0..player.random.below(3) {
            player.push(now, delta);
        }
        now += delta;
        // The clock may go back.
        let is_behind = player.random.below(8) == 0;
        let behind = if is_behind {
            player.random.below(3_000_000_000)
        } else {
            0
        };
        let now = now.saturating_sub(behind);
        let settings = is_told.then(|| format!("a frame at {now} ns of {:?}", player.timestep));
        player.frame(now, hash);
        let told = mem::take(&mut player.told);
        calls.push((settings.unwrap_or_default() + &told, hash.take()));
    }
    calls
}

/// The hash of scripts, and the lines of the calls of the first ones.
fn scripts(number: u64, lines: &mut Vec<String>) -> String {
    let mut hash = Hash::default();
    for seed in 0..number {
        let calls = play(seed, &mut hash, false);
        if seed < TOLD {
            lines.extend(calls.iter().map(|(_, answers)| line(answers, seed < WHOLE)));
        }
    }
    hash.line(number)
}

/// A state of each kind that the header blends.
#[derive(Clone, Debug)]
struct Row {
    number: f64,
    floats: [f32; 3],
    rotation: [f32; 2],
    quat: [f32; 4],
    space: [f32; 16],
    plane: [f32; 6],
}

/// A unit vector, without a function of a library.
fn any_unit<const N: usize>(random: &mut Random) -> [f32; N] {
    let parts: [f32; N] = core::array::from_fn(|_| random.between(-1.0, 1.0) as f32);
    let (square, mut length) = (
        parts
            .iter()
            .fold(0.0, |sum, &part| sum + f64::from(part) * f64::from(part)),
        1.0,
    );
    for _ in 0..40 {
        length = 0.5 * (length + square / length);
    }
    parts.map(|part| (f64::from(part) / length) as f32)
}

impl Row {
    fn any(random: &mut Random) -> Self {
        let order = random.between(0.0, 3.0) as usize;
        let mut row = Self {
            number: random.between(-1000.0, 1000.0),
            floats: core::array::from_fn(|_| random.between(-1000.0, 1000.0) as f32),
            rotation: any_unit(random),
            quat: any_unit(random),
            space: [0.0; 16],
            plane: [0.0; 6],
        };
        let sign = |random: &mut Random| if random.between(-1.0, 1.0) < 0.0 { -2.0 } else { 2.0 };
        for at in (0..16).filter(|at| at % 4 < 3) {
            row.space[at] = random.between(-0.5, 0.5) as f32;
        }
        for axis in 0..3 {
            row.space[4 * axis + (axis + order) % 3] += sign(random);
        }
        row.plane = core::array::from_fn(|_| random.between(-0.5, 0.5) as f32);
        for axis in 0..2 {
            row.plane[2 * axis + (axis + order) % 2] += sign(random);
        }
        row
    }

    /// A state a little later.
    fn turn(&mut self, random: &mut Random) {
        for part in &mut self.quat {
            *part += random.between(-0.05, 0.05) as f32;
        }
        let square = self
            .quat
            .iter()
            .fold(0.0, |sum, &part| sum + f64::from(part) * f64::from(part));
        self.quat = self.quat.map(|part| (f64::from(part) * (1.5 - 0.5 * square)) as f32);
        self.rotation[0] += 0.01 * self.rotation[1];
        self.rotation[1] -= 0.01 * self.rotation[0];
        for at in (0..16).filter(|at| at % 4 < 3) {
            self.space[at] += random.between(-0.05, 0.05) as f32;
        }
    }

    /// Adds all parts to one hash, and those that a JavaScript program draws as poses to the other.
    fn add_blended(&self, newer: &Self, t: f64, hash: &mut Hash, poses: &mut Hash) {
        hash.add("number", self.number.blend(&newer.number, t).to_bits());
        let angle = Angle::new(self.number).blend(&Angle::new(newer.number), t);
        hash.add("angle", angle.radians().to_bits());
        let floats = self.floats.blend(&newer.floats, t);
        hash.add_floats("floats", &floats);
        poses.add_floats("floats", &floats);
        let rotation = |[cos, sin]: [f32; 2]| Rot2 { cos, sin };
        let Rot2 { cos, sin } = rotation(self.rotation).blend(&rotation(newer.rotation), t);
        hash.add_floats("rotation", &[cos, sin]);
        poses.add_floats("rotation", &[cos, sin]);
        let quat = |[x, y, z, w]: [f32; 4]| Quat::new(x, y, z, w);
        let Quat { x, y, z, w } = quat(self.quat).blend(&quat(newer.quat), t);
        hash.add_floats("quat", &[x, y, z, w]);
        poses.add_floats("quat", &[x, y, z, w]);
        let space = |m: [f32; 16]| Affine3 {
            columns: core::array::from_fn(|column| core::array::from_fn(|row| m[4 * column + row])),
        };
        for [x, y, z] in space(self.space).blend(&space(newer.space), t).columns {
            hash.add_floats("space", &[x, y, z, 0.0]);
        }
        let plane = |m: [f32; 6]| Affine2 {
            columns: core::array::from_fn(|column| [m[2 * column], m[2 * column + 1]]),
        };
        let plane = plane(self.plane).blend(&plane(newer.plane), t);
        hash.add_floats("plane", plane.columns.as_flattened());
    }
}

/// The hashes of blended rows, the lines of the first ones, and one row in words.
fn rows(number: u64, lines: &mut Vec<String>, told: Option<u64>) -> ([String; 2], Option<Call>) {
    let (mut random, mut hash, mut poses) = (Random(7), Hash::default(), Hash::default());
    let mut call = None;
    for index in 0..number {
        let t = random.between(0.0, 1.0);
        let older = Row::any(&mut random);
        let mut newer = older.clone();
        if index % 2 == 0 {
            newer = Row::any(&mut random);
        } else {
            newer.turn(&mut random);
        }
        older.add_blended(&newer, t, &mut hash, &mut poses);
        poses.take();
        let blended = hash.take();
        if index < TOLD {
            lines.push(line(&blended, index < WHOLE));
        }
        if told == Some(index) {
            call = Some((format!("{older:?} blended to {newer:?} at {t}"), blended));
        }
    }
    ([hash.line(number), poses.line("poses")], call)
}

/// The number of scripts, and of rows, of which each call has a line, and of which the line has all numbers.
const TOLD: u64 = 300;
const WHOLE: u64 = 24;

/// The calls of a script.
const CALLS: u64 = 33;

/// Fails with the place, the settings and the numbers of a call whose line is not the stored one.
fn fail(at: u64, expected: &str) -> ! {
    let (place, index, (call, answers)) = if at < TOLD * CALLS {
        let (seed, call) = (at / CALLS, at % CALLS);
        let told = play(seed, &mut Hash::default(), true).swap_remove(call as usize);
        (format!("seed {seed}, call {call}"), seed, told)
    } else {
        let row = at - TOLD * CALLS;
        let told = rows(TOLD, &mut Vec::new(), Some(row)).1.unwrap();
        (format!("blended row {row}"), row, told)
    };
    let numbers: Vec<&str> = expected.split(' ').collect();
    let differences = if index >= WHOLE {
        format!(
            "got {answers:?}, whose check is {:?}, expected numbers whose check is {expected:?}; to see them, raise WHOLE, and run the \
             test with EVENSTEP_WRITE=1 at the commit before",
            line(&answers, false)
        )
    } else if numbers.len() != answers.len() {
        format!("got {answers:?}, expected {numbers:?}")
    } else {
        let pairs = answers.iter().zip(numbers);
        let wrong = pairs.filter(|((_, got), expected)| got.to_string() != **expected);
        let wrong = wrong.map(|((name, got), expected)| format!("{name}: got {got}, expected {expected}"));
        wrong.collect::<Vec<_>>().join("\n")
    };
    panic!(
        "{place}: {call}\n{differences}\nIf the new answer is the right one, in every language: cargo xtask bless --only random-scripts"
    );
}

#[test]
fn scripts_and_blended_states_have_the_results_that_c_has() {
    let mut lines = Vec::new();
    let played = scripts(10_000, &mut lines);
    let ([blended, poses], _) = rows(20_000, &mut lines, None);
    let made = [played, blended, poses].join("\n") + "\n";
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../stored");
    let (hashes, of_calls) = (
        folder.join("random-scripts.txt"),
        folder.join("random-scripts-calls.txt"),
    );
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::write(&hashes, &made).unwrap();
        fs::write(&of_calls, lines.join("\n") + "\n").unwrap();
    }
    let stored = fs::read_to_string(of_calls).unwrap_or_default();
    let mut stored = stored.lines();
    for (at, line) in (0..).zip(&lines) {
        let expected = stored.next().unwrap_or_default();
        if expected != line {
            fail(at, expected);
        }
    }
    assert_eq!(
        fs::read_to_string(hashes).unwrap_or_default(),
        made,
        "the hash of 10000 scripts, that of 20000 blended rows or that of poses differs from the stored one, but no call of the first \
         {TOLD}: raise TOLD at the commit before to see which. If the new answer is the right one, in every language: cargo xtask \
         bless --only random-scripts"
    );
}
