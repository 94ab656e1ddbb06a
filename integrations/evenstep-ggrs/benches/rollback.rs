//! The cost of a rollback of eight ticks with 200 awake boxes, and the share of the physics engine.

#[path = "../tests/sessions/boxes.rs"]
mod boxes;

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use boxes::{Boxes, Flat};
use evenstep::history::Rewind as _;
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_ggrs::ggrs::{Config, PredictRepeatLast, SessionBuilder};
use evenstep_ggrs::{Rollback, RollbackGame as _};
use evenstep_physics::{Box2d, Rapier2d, Rapier3d};
use std::time::Duration;

const BOXES: usize = 200;
const BACK: usize = 8;
const TIMES: usize = 200;

struct Setup;

impl Config for Setup {
    type Input = i8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = usize;
}

fn main() {
    println!("{BOXES} boxes, {BACK} ticks back; {TIMES} runs, in microseconds: a tenth was faster (half, nine tenths)");
    measure::<Rapier2d>("Rapier 2D");
    measure::<Rapier3d>("Rapier 3D");
    measure::<Box2d>("Box2D");
}

/// Durations of an action in microseconds: the 10th percentile, which other load on the machine hardly affects, the median and the 90th
/// percentile.
struct Times([f64; 3]);

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tenth, half, most] = self.0;
        write!(f, "{tenth:.0} ({half:.0}, {most:.0})")
    }
}

fn time(mut action: impl FnMut()) -> Times {
    let mut times: Vec<f64> = (0..TIMES)
        .map(|_| {
            let begin = Instant::now();
            action();
            begin.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Times([TIMES / 10, TIMES / 2, TIMES * 9 / 10].map(|place| times[place]))
}

fn measure<E: Flat>(name: &str) {
    let mut game = Boxes::<E>::new(BOXES);
    let mut tick = 0;
    let mut step = |game: &mut Boxes<E>| {
        game.step(&Step::new(tick, Rate::hz(60)), &vec![1, -1]);
        game.take_events(&mut Vec::new());
        tick += 1;
    };
    (0..120).for_each(|_| step(&mut game));
    let stepped = time(|| step(&mut game));
    let mut ring: Vec<_> = (0..=BACK).map(|_| game.save()).collect();
    let saved = time(|| {
        ring.rotate_left(1);
        game.save_into(&mut ring[0]);
    });
    let restored = time(|| game.restore(&ring[0]));
    let hashed = time(|| _ = black_box(game.checksum()));
    // The same ticks each time, because their cost changes as boxes touch and separate.
    let (again, rest) = ring.split_at_mut(1);
    let sparse = time(|| {
        game.restore(&again[0]);
        (0..BACK).for_each(|_| step(&mut game));
        game.save_into(&mut rest[0]);
    });
    println!("{name}: step {stepped}, save {saved}, restore {restored}, checksum {hashed}");
    println!(
        "  saving one state (sparse saving): {sparse}, {:.1} steps",
        sparse.0[0] / stepped.0[0]
    );
    println!(
        "  in a sync test, which saves and hashes each tick: {}, with a new tick",
        dense::<E>()
    );
    println!("  {} of {BOXES} move", game.moving());
}

/// A frame of a sync test: eight ticks back, each of them saved and hashed, and one new tick.
fn dense<E: Flat>() -> Times {
    let builder = SessionBuilder::<Setup>::new()
        .with_max_prediction_window(BACK + 1)
        .with_check_distance(BACK);
    let mut session = builder.start_synctest_session().expect("a session");
    let (mut game, mut rollback) = (Boxes::<E>::new(BOXES), Rollback::new());
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut frame = || {
        let frame = timestep.advance(Duration::from_nanos(16_666_667));
        let ran = rollback.run(&mut session, &mut game, &mut timestep, frame, |_, player| {
            1 - 2 * player as i8
        });
        let _ = ran.expect("the same states");
    };
    (0..120).for_each(|_| frame());
    time(frame)
}
