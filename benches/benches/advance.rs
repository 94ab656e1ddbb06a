//! The cost of one frame of the loop: `FixedTimestep::advance` and its steps, compared with an accumulator written by hand and
//! the crates `game-loop` and `fixedstep`. Every entry steps a position at 60 Hz under the same jittered 144 Hz
//! deltas, except `fixedstep`, which reads the clock itself and therefore runs in real time.

use std::cell::Cell;
use std::hint::black_box;
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

fn by_evenstep(timestep: &mut FixedTimestep, deltas: &[Duration]) -> f32 {
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    for delta in black_box(deltas) {
        let frame = timestep.advance(*delta);
        for step in frame.steps() {
            previous = current;
            current += 3.0 * step.dt as f32;
        }
        drawn += previous + (current - previous) * frame.alpha() as f32;
    }
    drawn
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

fn by_fixedstep(frames: usize) -> f32 {
    let mut timer = FixedStep::start(60.0);
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    for _ in 0..black_box(frames) {
        while timer.update() {
            previous = current;
            current += 3.0 / 60.0;
        }
        drawn += previous + (current - previous) * timer.render_delta() as f32;
    }
    drawn
}

fn main() {
    let deltas = deltas();
    let whole = FixedTimestep::new(Rate::hz(60));
    let ntsc = FixedTimestep::new(Rate::new(60_000, 1_001).expect("not zero"));
    let slow = whole.clone().with_time_scale(TimeScale::new(1, 10).expect("not zero"));
    let carry = whole.clone().with_overrun(Overrun::Carry {
        max_backlog: Duration::from_millis(100),
    });
    let run = |timestep: &FixedTimestep| {
        let (mut timestep, deltas) = (timestep.clone(), &deltas);
        move || {
            black_box(by_evenstep(&mut timestep, deltas));
        }
    };
    let table = Comparison::new("One frame: take the delta, run the steps, blend", FRAMES)
        .entry("f32 accumulator by hand", || {
            black_box(by_hand(&deltas));
        })
        .entry("evenstep, 60 Hz", run(&whole))
        .entry("evenstep, 60000/1001 Hz", run(&ntsc))
        .entry("evenstep, 60 Hz at 1/10 speed", run(&slow))
        .entry("evenstep, 60 Hz, carry", run(&carry))
        .entry("game-loop 1.3", || {
            black_box(by_game_loop(&deltas));
        })
        .entry("fixedstep 0.3 (reads the clock)", || {
            black_box(by_fixedstep(FRAMES));
        })
        .run();
    print!("{table}");
}
