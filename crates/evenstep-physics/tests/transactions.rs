//! Forces and impulses act exactly once and for the right duration, with any frames, overrun policies and failed steps.

#[path = "common/fake_engine.rs"]
mod fake_engine;

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Overrun, Rate, SimTime, Smoothing, Step, TimeScale};
use evenstep_physics::{BodyDef, BodyKey, Contact, PhysicsError, PhysicsSystem, Shape, StepHandler, World, Wrench};
use fake_engine::{FakeEngine, Fault};
use proptest::prelude::*;

type System = PhysicsSystem<FakeEngine, u32>;

const FRAME: Duration = Duration::from_nanos(16_666_667);

fn system() -> (System, BodyKey) {
    let mut physics = System::new(FakeEngine::default(), FixedTimestep::new(Rate::hz(60)));
    let key = physics.world_mut().create(&BodyDef::new(Shape::Ball(1.0)), 7).unwrap();
    (physics, key)
}

fn speed(physics: &System, key: BodyKey) -> f64 {
    f64::from(physics.world().motion(key).unwrap().velocity[0])
}

fn faults(physics: &mut System, faults: &[Fault]) {
    physics.world_mut().engine_mut().faults.extend(faults);
}

#[test]
fn forces_that_the_program_applied_in_a_refused_step_are_rolled_back() {
    let (mut physics, key) = system();
    let other = physics.world_mut().create(&BodyDef::new(Shape::Ball(1.0)), 8).unwrap();
    physics.timestep_mut().set_overrun(Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    });
    physics
        .world_mut()
        .set_constant_force(key, Wrench::linear([60.0, 0.0]))
        .unwrap();
    physics
        .world_mut()
        .apply_impulse(key, Wrench::linear([1.0, 0.0]))
        .unwrap();
    faults(&mut physics, &[Fault::Refuse, Fault::Refuse]);
    let mut tries = 0;
    while physics.timestep().tick() < 1 {
        let _ = physics.update(FRAME, |world: &mut World<FakeEngine, u32>, _: &Step| {
            tries += 1;
            world.apply_impulse(key, Wrench::linear([10.0, 0.0])).unwrap();
            world.apply_force(other, Wrench::linear([60.0, 0.0])).unwrap();
            world.set_constant_force(key, Wrench::linear([120.0, 0.0])).unwrap();
        });
    }
    let ticks = physics.timestep().tick();
    assert_eq!(tries, 2 + ticks);
    // The initial speed of 1 m/s, plus 10 m/s from the impulse and 2 m/s from the constant force of 120 N for each step that was carried
    // out.
    let expected = 1.0 + 12.0 * ticks as f64;
    assert!(
        (speed(&physics, key) - expected).abs() < 1e-4,
        "{}",
        speed(&physics, key)
    );
    assert!((speed(&physics, other) - ticks as f64).abs() < 1e-4);
}

/// A handler that fails when told to.
struct Failing {
    steps: Vec<u64>,
    fail_in: Option<u64>,
}

#[derive(Debug, PartialEq)]
enum Failure {
    Own,
    Physics(PhysicsError),
}

impl From<PhysicsError> for Failure {
    fn from(error: PhysicsError) -> Self {
        Self::Physics(error)
    }
}

impl StepHandler<FakeEngine, u32> for Failing {
    type Error = Failure;

    fn step(&mut self, _: &mut World<FakeEngine, u32>, step: &Step) -> Result<(), Failure> {
        if self.fail_in.take_if(|tick| *tick == step.tick).is_some() {
            return Err(Failure::Own);
        }
        self.steps.push(step.tick);
        Ok(())
    }

    fn contact(&mut self, world: &mut World<FakeEngine, u32>, contact: &Contact<FakeEngine>) -> Result<(), Failure> {
        assert!(contact.keys().into_iter().flatten().all(|key| world.contains(key)));
        Ok(())
    }
}

#[test]
fn an_error_of_the_program_is_returned_and_its_step_is_due_again() {
    let (mut physics, key) = system();
    physics.timestep_mut().set_overrun(Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    });
    let mut game = Failing {
        steps: Vec::new(),
        fail_in: Some(1),
    };
    let frame = physics.advance(3 * FRAME);
    assert_eq!(physics.run(frame, &mut game), Err(Failure::Own));
    assert_eq!(physics.timestep().tick(), 1);
    let frame = physics.advance(FRAME);
    physics.run(frame, &mut game).unwrap();
    assert_eq!(game.steps, [0, 1, 2, 3]);
    faults(&mut physics, &[Fault::FailCallback, Fault::None]);
    // The engine carried out the step, so it is not due again.
    let frame = physics.advance(FRAME);
    assert!(matches!(physics.run(frame, &mut game), Err(Failure::Physics(_))));
    let frame = physics.advance(FRAME);
    physics.run(frame, &mut game).unwrap();
    assert_eq!(game.steps, [0, 1, 2, 3, 4, 5]);
    assert_eq!(speed(&physics, key), 0.0);
}

#[test]
fn a_frame_is_run_once_and_only_the_one_that_was_begun() {
    let (mut physics, _) = system();
    let mut game = |_: &mut World<FakeEngine, u32>, _: &Step| Ok::<_, PhysicsError>(());
    let frame = physics.advance(2 * FRAME);
    let less = physics.timestep_mut().give_back(frame, 1);
    assert_eq!(physics.run(frame, &mut game), Err(PhysicsError::ForeignFrame));
    assert_eq!(physics.run(less, &mut game), Ok(()));
    assert_eq!(physics.run(less, &mut game), Err(PhysicsError::ForeignFrame));
    let forgotten = physics.advance(FRAME);
    let next = physics.advance(FRAME);
    assert_eq!(
        forgotten.tick(),
        next.tick(),
        "steps that were never run are given back"
    );
    assert_eq!(physics.run(next, &mut game), Ok(()));
}

#[test]
fn a_step_in_a_loop_of_the_programs_own_drops_a_frame_that_was_begun() {
    let (mut physics, key) = system();
    let mut game = |_: &mut World<FakeEngine, u32>, _: &Step| Ok::<_, PhysicsError>(());
    let push = Wrench::linear([60.0, 0.0]);
    physics.world_mut().apply_force_for_frame(key, push).unwrap();
    let begun = physics.advance(FRAME);
    physics.world_mut().apply_force_for_frame(key, push).unwrap();
    physics.run_step(&Step::new(0, Rate::hz(60)), &mut game).unwrap();
    assert_eq!((physics.timestep().tick(), speed(&physics, key)), (0, 1.0));
    assert_eq!(physics.run(begun, &mut game), Err(PhysicsError::ForeignFrame));
}

#[test]
fn a_faulty_engine_does_not_corrupt_other_bodies() {
    let (mut physics, first) = system();
    let second = physics.world_mut().create(&BodyDef::new(Shape::Ball(1.0)), 8).unwrap();
    let mut game = Failing {
        steps: Vec::new(),
        fail_in: None,
    };
    faults(
        &mut physics,
        &[Fault::FalseReport, Fault::NonFinite, Fault::DestroyBody],
    );
    for _ in 0..3 {
        let frame = physics.advance(FRAME);
        physics.run(frame, &mut game).unwrap();
    }
    assert_eq!(physics.world_mut().take_non_finite(), [first]);
    assert!(physics.world().motion(first).is_err() && physics.pose(second).is_ok());
    assert!(
        physics
            .world_mut()
            .apply_impulse(first, Wrench::linear([1.0, 0.0]))
            .is_ok()
    );
    // The next look at the engine's bodies detects this.
    let _ = physics.world_mut().engine_mut();
    let frame = physics.advance(FRAME);
    physics.run(frame, &mut game).unwrap();
    assert!(!physics.world().contains(first));
    assert_eq!(physics.world_mut().take_destroyed(), [(first, 7)]);
}

#[test]
fn a_frame_that_was_begun_and_partly_given_back_leaves_ticks_and_bodies_together() {
    let mut game = |_: &mut World<FakeEngine, u32>, _: &Step| Ok::<_, PhysicsError>(());
    for given_back in 0..4 {
        let (mut physics, key) = system();
        let world = physics.world_mut();
        world.apply_impulse(key, Wrench::linear([1.0, 0.0])).unwrap();
        world.apply_force_for_frame(key, Wrench::linear([60.0, 0.0])).unwrap();
        let frame = physics.advance(3 * FRAME);
        let _ = physics.timestep_mut().give_back(frame, given_back);
        let saved = physics.save().unwrap();
        let next = physics.advance(FRAME);
        physics.run(next, &mut game).unwrap();
        let place = |physics: &System| physics.world().motion(key).unwrap().pose.position[0] * 60.0;
        assert!(
            (place(&physics) - physics.timestep().tick() as f32).abs() < 1e-4,
            "{given_back} given back"
        );
        physics.restore(&saved).unwrap();
        assert_eq!(
            (physics.timestep().tick(), place(&physics)),
            (0, 0.0),
            "{given_back} given back"
        );
        physics.update(FRAME, |_, _| {}).unwrap();
        assert_eq!(
            speed(&physics, key),
            1.0,
            "the force for the dropped frame acts no more"
        );
    }
}

/// The action of a script between two frames.
#[derive(Clone, Debug)]
enum Change {
    Nothing,
    Scale(u32, u32),
    StepOnce,
    Pause,
    Resume,
    Resync,
    MaxSteps(u32),
    Policy(u8),
    Reset,
}

#[derive(Clone, Debug)]
struct Moment {
    change: Change,
    nanos: u64,
    force: f32,
    give_back: u32,
    refuse: bool,
    /// The frame is begun and not run.
    forget: bool,
}

fn any_moment() -> impl Strategy<Value = Moment> {
    let change = prop_oneof![
        6 => Just(Change::Nothing),
        1 => (0..4_u32, 1..4_u32).prop_map(|(numer, denom)| Change::Scale(numer, denom)),
        1 => Just(Change::StepOnce),
        1 => Just(Change::Pause),
        2 => Just(Change::Resume),
        1 => Just(Change::Resync),
        1 => (0..6_u32).prop_map(Change::MaxSteps),
        1 => (0..3_u8).prop_map(Change::Policy),
        1 => Just(Change::Reset),
    ];
    let give_back = prop_oneof![4 => Just(0), 1 => 1..4_u32];
    (
        change,
        0..60_000_000_u64,
        -8..8_i32,
        give_back,
        prop::bool::weighted(0.15),
        prop::bool::weighted(0.15),
    )
        .prop_map(|(change, nanos, force, give_back, refuse, forget)| Moment {
            change,
            nanos,
            force: force as f32,
            give_back,
            refuse,
            forget,
        })
}

fn change(timestep: &mut FixedTimestep, change: &Change) {
    match *change {
        Change::Nothing => {}
        Change::Scale(numer, denom) => timestep.set_time_scale(TimeScale::new(numer, denom).unwrap()),
        Change::StepOnce => timestep.step_once(),
        Change::Pause => timestep.pause(),
        Change::Resume => timestep.resume(),
        Change::Resync => timestep.resume_dropping(),
        Change::MaxSteps(steps) => timestep.set_max_steps(steps),
        Change::Policy(0) => timestep.set_overrun(Overrun::Drop),
        Change::Policy(1) => timestep.set_overrun(Overrun::Carry {
            max_backlog: Duration::from_millis(80),
        }),
        Change::Policy(_) => timestep.set_overrun(Overrun::Stretch {
            max_speed: TimeScale::new(3, 2).unwrap(),
        }),
        Change::Reset => timestep.reset(),
    }
}

/// The position at which a frame ends in simulated time: steps that were carried out, plus time that is kept.
fn end_of(frame: &Frame) -> SimTime {
    frame.shown_time(Smoothing::None) + frame.overstep()
}

/// A simple model of forces by the intervals of simulated time in which they were applied.
#[derive(Default)]
struct Model {
    stretches: Vec<(SimTime, SimTime, f64)>,
    speed: f64,
}

impl Model {
    /// A frame from `start` to `end` with a force, of which steps up to `now` were carried out. Earlier forces end at `start`:
    /// the rest of their time was given up.
    fn frame(&mut self, start: SimTime, end: SimTime, now: SimTime, force: f64) {
        for stretch in &mut self.stretches {
            stretch.1 = stretch.1.min(start);
        }
        self.stretches.push((start, end, force));
        for (start, end, force) in &mut self.stretches {
            let done = (*end).min(now);
            if done > *start {
                self.speed += *force * (done - *start).as_secs_f64();
                *start = done;
            }
        }
        self.stretches.retain(|(start, end, _)| end > start);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_impulse_of_forces_is_that_of_the_time_that_reached_the_simulation(
        script in prop::collection::vec(any_moment(), 1..40),
    ) {
        let (mut physics, key) = system();
        let mut model = Model::default();
        let mut forgotten = None;
        let mut game = |_: &mut World<FakeEngine, u32>, _: &Step| Ok::<_, PhysicsError>(());
        for moment in &script {
            change(physics.timestep_mut(), &moment.change);
            if moment.refuse {
                faults(&mut physics, &[Fault::None, Fault::Refuse]);
            }
            physics.world_mut().apply_force_for_frame(key, Wrench::linear([moment.force, 0.0])).unwrap();
            // The end of the time that is kept before the frame, found with a frame of zero length on a copy.
            let mut copy = physics.timestep().clone();
            if let Some(forgotten) = forgotten.take() {
                let _ = copy.give_back(forgotten, u32::MAX);
            }
            copy.set_max_steps(0);
            copy.set_overrun(Overrun::Stretch { max_speed: TimeScale::NORMAL });
            copy.pause();
            let settled = copy.advance(Duration::ZERO);
            // Without single steps.
            copy.set_overrun(Overrun::Drop);
            let kept = end_of(&copy.give_back(settled, u32::MAX));
            let frame = physics.advance(Duration::from_nanos(moment.nanos));
            let frame = physics.timestep_mut().give_back(frame, moment.give_back);
            if moment.forget {
                physics.world_mut().engine_mut().faults.clear();
                if frame.step_count() > 0 {
                    let idle = physics.timestep().idle_frame();
                    prop_assert_eq!(physics.run(idle, &mut game), Err(PhysicsError::ForeignFrame));
                }
                forgotten = Some(frame);
                continue;
            }
            let _ = physics.run(frame, &mut game);
            physics.world_mut().engine_mut().faults.clear();
            let (end, now) = (end_of(physics.frame()), physics.frame().shown_time(Smoothing::None));
            model.frame(kept.min(end), end, now, f64::from(moment.force));
            let speed = speed(&physics, key);
            prop_assert!((speed - model.speed).abs() < 1e-4, "{} instead of {}", speed, model.speed);
        }
    }
}
