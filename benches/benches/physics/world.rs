//! The costs of a world apart from its steps: saving and restoring it, finding the changes that the program made through the
//! engine, and removing bodies.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use evenstep::poses::Motion2;
use evenstep_benches::Comparison;
use evenstep_physics::{Box2d, Engine, Rapier2d};

use crate::sliding::{run_system, system};

pub(crate) fn run() {
    let box2d = || Box2d::new([0.0, -10.0]).expect("a world");
    let rapier = || Rapier2d::new([0.0, -10.0]);
    for bodies in [400, 1_000, 2_000] {
        print!(
            "{}",
            saving(
                &title("Box2D", bodies, "to save and to restore a world"),
                box2d(),
                bodies
            )
        );
        print!(
            "{}",
            saving(
                &title("Rapier 2D", bodies, "to save and to restore a world"),
                rapier(),
                bodies
            )
        );
    }
    for bodies in [1_000, 10_000] {
        let what = "a look at what the program did through the engine";
        print!("{}", looking(&title("Box2D", bodies, what), box2d(), bodies));
        print!("{}", looking(&title("Rapier 2D", bodies, what), rapier(), bodies));
    }
    println!("all bodies are removed at once, each");
    for bodies in [1_000, 10_000, 100_000] {
        println!("  Box2D, {bodies:6} bodies     {:9.2} ns", removing(box2d(), bodies));
        println!("  Rapier 2D, {bodies:6} bodies {:9.2} ns", removing(rapier(), bodies));
    }
}

fn title(engine: &str, bodies: usize, what: &str) -> String {
    format!("{engine}, {bodies} bodies awake: {what}")
}

/// The cost of a rollback compared with a step.
fn saving<E: Engine<Motion = Motion2>>(title: &str, engine: E, bodies: usize) -> String {
    const TIMES: usize = 20;
    let physics = RefCell::new(system(engine, bodies, true));
    let saved = physics.borrow().save().expect("it can be saved");
    let mut ring: Vec<_> = (0..8)
        .map(|_| physics.borrow().save().expect("it can be saved"))
        .collect();
    Comparison::new(title, TIMES)
        .entry("a step", || run_system(&mut physics.borrow_mut(), TIMES, false))
        .entry("save", || {
            for _ in 0..TIMES {
                black_box(physics.borrow().save().expect("it can be saved"));
            }
        })
        .entry("save into a ring of 8", || {
            for _ in 0..TIMES {
                ring.rotate_left(1);
                physics.borrow().save_into(&mut ring[0]).expect("it can be saved");
            }
        })
        .entry("restore", || {
            for _ in 0..TIMES {
                physics.borrow_mut().restore(&saved).expect("it is its own");
            }
        })
        .run()
}

/// The cost of a step, with and without a call of `engine_mut` before it.
fn looking<E: Engine<Motion = Motion2>>(title: &str, engine: E, bodies: usize) -> String {
    let times = 20_000 / bodies;
    let physics = RefCell::new(system(engine, bodies, true));
    Comparison::new(title, times)
        .entry("a step", || run_system(&mut physics.borrow_mut(), times, false))
        .entry("a step after engine_mut", || {
            for _ in 0..times {
                black_box(physics.borrow_mut().world_mut().engine_mut());
                run_system(&mut physics.borrow_mut(), 1, false);
            }
        })
        .run()
}

/// The time to remove a body in nanoseconds, including the step after all are removed.
fn removing<E: Engine<Motion = Motion2>>(engine: E, bodies: usize) -> f64 {
    let mut physics = system(engine, bodies, false);
    let keys: Vec<_> = physics.world().keys().skip(1).collect();
    let start = Instant::now();
    for key in &keys {
        physics.world_mut().remove(*key).expect("it is there");
    }
    run_system(&mut physics, 1, false);
    start.elapsed().as_nanos() as f64 / keys.len() as f64
}
