//! The cost of a rollback of eight ticks with 200 awake boxes, and the share of the physics engine.

#[path = "../tests/sessions/boxes.rs"]
mod boxes;

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use boxes::{Boxes, Flat};
use evenstep::history::Rewind as _;
use evenstep::snapshot;
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_ggrs::ggrs::{Config, PredictRepeatLast, SessionBuilder};
use evenstep_ggrs::{Rollback, RollbackGame as _};
use evenstep_physics::{Box2d, Rapier2d, Rapier3d};
use std::time::Duration;

const BOXES: usize = 200;
const MANY: usize = 1000;
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
    compare_with_a_step();
    share_of_bodies_in_a_save(false);
    share_of_bodies_in_a_save(true);
}

/// What a desync monitor does in each tick, beside the step of the engine.
fn compare_with_a_step() {
    let (mut game, mut tick) = (Boxes::<Rapier3d>::new(MANY), 0);
    let mut step = |game: &mut Boxes<Rapier3d>| {
        game.step(&Step::new(tick, Rate::hz(60)), &vec![1, -1]);
        game.take_events(&mut Vec::new());
        tick += 1;
    };
    (0..120).for_each(|_| step(&mut game));
    let mut ratios = Vec::new();
    let (mut stepped, mut hashed) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let [step, hash] = [
            once(|| step(&mut game)),
            once(|| _ = black_box(snapshot::hash(black_box(&game.system)))),
        ];
        stepped.push(step);
        hashed.push(hash);
        ratios.push(hash / step);
    }
    ratios.sort_by(f64::total_cmp);
    let percent = 100.0 * ratios[TIMES / 2];
    println!(
        "Rapier 3D, {MANY} boxes of which {} move: step {}, hash of all bodies field by field {}, {percent:.1} % of the step beside it",
        game.moving(),
        Times::of(stepped),
        Times::of(hashed)
    );
}

/// An upper bound of what a save would gain by sharing bodies that sleep: the part of it that copies bodies and colliders.
fn share_of_bodies_in_a_save(is_resting: bool) {
    let mut game = Boxes::<Rapier3d>::new(MANY);
    if is_resting {
        let keys: Vec<_> = game.system.world().iter().map(|(key, ..)| key).collect();
        for key in keys {
            // Walls do not move anyway.
            let _ = game.system.world_mut().set_velocity(key, [0.0; 3]);
        }
    }
    let push = i8::from(!is_resting);
    (0..240).for_each(|tick| game.step(&Step::new(tick, Rate::hz(60)), &vec![push, -push]));
    let mut saved = game.save();
    let whole = time(|| game.save_into(&mut saved));
    let world = game.system.world().engine().world();
    let awake = world
        .bodies
        .iter()
        .filter(|(_, body)| body.is_dynamic() && !body.is_sleeping());
    println!("Rapier 3D, {MANY} boxes, {} of them awake", awake.count());
    let (mut bodies, mut colliders) = (world.bodies.clone(), world.colliders.clone());
    let (mut narrow, mut broad) = (world.narrow_phase.clone(), world.broad_phase.clone());
    let bodies = time(|| bodies.clone_from(&world.bodies));
    let colliders = time(|| colliders.clone_from(&world.colliders));
    let narrow = time(|| narrow.clone_from(&world.narrow_phase));
    let broad = time(|| broad.clone_from(&world.broad_phase));
    println!("  a save {whole}: bodies {bodies}, colliders {colliders}, narrow phase {narrow}, broad phase {broad}");
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

impl Times {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self([TIMES / 10, TIMES / 2, TIMES * 9 / 10].map(|place| times[place]))
    }
}

/// Microseconds of an action.
fn once(action: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    action();
    begin.elapsed().as_secs_f64() * 1e6
}

fn time(mut action: impl FnMut()) -> Times {
    Times::of((0..TIMES).map(|_| once(&mut action)).collect())
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
