//! The cost of one frame of the loop: `FixedTimestep::advance` and its steps, compared with an accumulator written by hand and
//! the crates `game-loop` and `fixedstep`, in nanoseconds and, where valgrind is installed, in instructions. Every way steps a position at
//! 60 Hz under the same jittered 144 Hz deltas, except `fixedstep`, which reads the clock itself and therefore runs in real time.

use std::cell::Cell;
use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
use evenstep_benches::Comparison;
use fixedstep::FixedStep;
use game_loop::{GameLoop, TimeTrait};

const FRAMES: usize = 100_000;

/// 144 Hz with up to 2 ms of jitter, the same in every run.
fn deltas() -> Vec<Duration> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..FRAMES)
        .map(|_| Duration::from_nanos(random.u64(5_944_444..7_944_444)))
        .collect()
}

fn by_hand(deltas: &[Duration]) -> f32 {
    const STEP: f32 = 1.0 / 60.0;
    let (mut accumulator, mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for delta in black_box(deltas) {
        accumulator += delta.as_secs_f32().min(0.25);
        while accumulator >= STEP {
            accumulator -= STEP;
            previous = current;
            current += 3.0 * STEP;
        }
        drawn += previous + (current - previous) * (accumulator / STEP);
    }
    drawn
}

fn by_evenstep(deltas: &[Duration], mut timestep: FixedTimestep) -> f32 {
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    for delta in black_box(deltas) {
        let frame = timestep.advance(*delta);
        for step in frame.steps() {
            previous = current;
            current += 3.0 * step.dt_f32();
        }
        drawn += previous + (current - previous) * frame.alpha() as f32;
    }
    drawn
}

fn by_evenstep_at_60_hz(deltas: &[Duration]) -> f32 {
    by_evenstep(deltas, FixedTimestep::new(Rate::hz(60)))
}

fn by_evenstep_with_settings(deltas: &[Duration]) -> f32 {
    let carry = Overrun::Carry {
        max_backlog: Duration::from_millis(100),
    };
    let timestep = FixedTimestep::new(Rate::new(60_000, 1_001).expect("not zero")).with_overrun(carry);
    by_evenstep(
        deltas,
        timestep.with_time_scale(TimeScale::new(1, 10).expect("not zero")),
    )
}

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

/// A clock for `game-loop` that follows the deltas of the comparison.
#[derive(Clone, Copy)]
struct GivenTime(f64);

impl TimeTrait for GivenTime {
    fn now() -> Self {
        Self(NOW.get())
    }

    fn sub(&self, other: &Self) -> f64 {
        self.0 - other.0
    }

    fn supports_sleep() -> bool {
        false
    }

    fn sleep(_: f64) {}
}

fn by_game_loop(deltas: &[Duration]) -> f32 {
    let mut game = GameLoop::<_, GivenTime, ()>::new((0.0_f32, 0.0_f32, 0.0_f32), 60, 0.25, ());
    for delta in black_box(deltas) {
        NOW.set(NOW.get() + delta.as_secs_f64());
        game.next_frame(
            |g| g.game = (g.game.1, g.game.1 + 3.0 * g.fixed_time_step() as f32, g.game.2),
            |g| g.game.2 += g.game.0 + (g.game.1 - g.game.0) * g.blending_factor() as f32,
        );
    }
    game.game.2
}

fn by_fixedstep(deltas: &[Duration]) -> f32 {
    let mut timer = FixedStep::start(60.0);
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    for _ in black_box(deltas) {
        while timer.update() {
            previous = current;
            current += 3.0 / 60.0;
        }
        drawn += previous + (current - previous) * timer.render_delta() as f32;
    }
    drawn
}

/// A way to run frames with these deltas.
type Way = fn(&[Duration]) -> f32;

const WAYS: [(&str, Way); 5] = [
    ("f32 accumulator by hand", by_hand),
    ("evenstep, 60 Hz", by_evenstep_at_60_hz),
    ("evenstep, 60000/1001 Hz, 1/10 speed, carry", by_evenstep_with_settings),
    ("game-loop 1.3", by_game_loop),
    ("fixedstep 0.3 (reads the clock)", by_fixedstep),
];

fn main() {
    let deltas = deltas();
    let arguments: Vec<String> = env::args().collect();
    // `advance NUMBER FRAMES` runs one way, so that its instructions can be counted.
    if let [_, way, frames] = &arguments[..] {
        let (way, frames): (usize, usize) = (way.parse().expect("a number"), frames.parse().expect("a number"));
        black_box(WAYS[way].1(&deltas[..frames]));
        return;
    }
    let comparison = Comparison::new("One frame: take the delta, run the steps, blend", FRAMES);
    let comparison = WAYS.iter().fold(comparison, |comparison, (name, way)| {
        let deltas = &deltas;
        comparison.entry(name, move || {
            black_box(way(deltas));
        })
    });
    print!("{}", comparison.run());
    println!("Instructions of one frame");
    for (number, (name, _)) in WAYS.iter().enumerate() {
        match instructions(number, FRAMES).zip(instructions(number, FRAMES / 10)) {
            Some((many, few)) => println!("  {name:42}  {:9.1}", (many - few) / (FRAMES - FRAMES / 10) as f64),
            None => println!("  {name:42}  not counted: valgrind did not run"),
        }
    }
}

/// The instructions of this program when it runs `frames` frames in one way.
fn instructions(way: usize, frames: usize) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().ok()?)
        .args([way.to_string(), frames.to_string()])
        .output()
        .ok()?;
    let report = String::from_utf8(output.stderr).ok()?;
    let (_, count) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok()
}
