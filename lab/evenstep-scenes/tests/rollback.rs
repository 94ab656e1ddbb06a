//! Every scene on every engine, in a session that rolls back in every tick.

use std::time::Duration;

use evenstep::history::Rewind;
use evenstep::inspect::Dump;
use evenstep::{FixedTimestep, Rate, Step, Tick};
use evenstep_ggrs::ggrs::{Config, PredictRepeatLast, SessionBuilder};
use evenstep_ggrs::{InputStatus, Rollback, RollbackGame};
use evenstep_scenes::{SCENES, SavedScene, Scene, SceneInfo};

struct Setup;

impl Config for Setup {
    type Input = (i8, i8);
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = usize;
}

struct Nudged(Box<dyn Scene>);

impl Rewind for Nudged {
    type Saved = SavedScene;
    type Input = [f64; 2];

    fn save(&self) -> SavedScene {
        self.0.save().expect("every engine can be saved")
    }

    fn restore(&mut self, saved: &SavedScene) {
        self.0.restore(saved);
    }

    fn step(&mut self, step: &Step, nudge: &[f64; 2]) {
        if nudge != &[0.0; 2] {
            self.0.nudge(*nudge);
        }
        self.0.step(step);
    }
}

impl RollbackGame for Nudged {
    type PlayerInput = (i8, i8);
    type Event = ();

    fn input(players: &[((i8, i8), InputStatus)]) -> [f64; 2] {
        players.iter().fold([0.0; 2], |[x, y], ((right, up), _)| {
            [x + f64::from(*right) / 64.0, y + f64::from(*up) / 64.0]
        })
    }

    fn checksum(&self) -> u64 {
        self.0.hash()
    }
}

/// The input of player 0 or 1 in a tick: an occasional push.
fn push(player: usize, tick: u64) -> (i8, i8) {
    if tick % 29 == 7 * player as u64 + 3 {
        (16 - 24 * player as i8, 8)
    } else {
        (0, 0)
    }
}

fn sync_test(info: &SceneInfo, engine: &str, ticks: u64) {
    let build = || Nudged(info.build(engine).unwrap());
    let builder = SessionBuilder::<Setup>::new()
        .with_max_prediction_window(9)
        .with_check_distance(8);
    let mut session = builder.start_synctest_session().unwrap();
    let (mut game, mut rollback) = (build(), Rollback::new());
    let mut timestep = FixedTimestep::new(info.rate);
    while timestep.tick() < ticks {
        let frame = timestep.advance(Duration::from_nanos(info.rate.period_nanos()));
        let read = |step: &Step, player| push(player, step.tick);
        let ran = rollback.run(&mut session, &mut game, &mut timestep, frame, read);
        if let Err(error) = ran {
            panic!("{} on {engine:?}: {error}", info.name);
        }
    }
    let mut alone = build();
    for tick in 0..timestep.tick() {
        let players = [0, 1].map(|player| (push(player, tick), InputStatus::Confirmed));
        alone.step(&Step::new(tick, info.rate), &Nudged::input(&players));
    }
    assert_eq!(game.checksum(), alone.checksum(), "{} on {engine:?}", info.name);
}

/// A fault of a machine in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    LateInput,
    LostInput,
    TimeReadInAStep,
    StepInRendering,
    RollbackWithoutSteps,
}

/// The tick of the fault, and of the only input.
const WRONG: Tick = 12;

/// The hashes and the dumps of the states before all ticks of a machine that may have a fault.
fn states(info: &SceneInfo, engine: &str, fault: Option<Fault>) -> Vec<(u64, Dump)> {
    let mut scene = info.build(engine).unwrap();
    let mut saved = Vec::new();
    let states = (0..WRONG + 3).map(|tick| {
        let state = (scene.hash(), scene.dump(tick));
        saved.extend(scene.save());
        let nudged_at = match fault {
            Some(Fault::LateInput) => Some(WRONG + 1),
            Some(Fault::LostInput) => None,
            _ => Some(WRONG),
        };
        if nudged_at == Some(tick) {
            scene.nudge([0.5, 0.25]);
        }
        let fault = fault.filter(|_| tick == WRONG);
        let rate = match fault {
            Some(Fault::TimeReadInAStep) => Rate::hz(48),
            _ => info.rate,
        };
        scene.step(&Step::new(tick, rate));
        match fault {
            Some(Fault::StepInRendering) => scene.step(&Step::new(tick, rate)),
            Some(Fault::RollbackWithoutSteps) => scene.restore(&saved[tick as usize - 2]),
            _ => {}
        }
        state
    });
    states.collect()
}

#[test]
fn faults_in_every_scene_on_every_engine_are_named_by_tick_and_path() {
    let mut named = 0;
    for info in SCENES {
        for engine in engines(info) {
            let here = states(info, engine, None);
            for fault in [
                Fault::LateInput,
                Fault::LostInput,
                Fault::TimeReadInAStep,
                Fault::StepInRendering,
                Fault::RollbackWithoutSteps,
            ] {
                let case = format!("{fault:?} in {} on {engine:?}", info.name);
                let there = states(info, engine, Some(fault));
                let first = here.iter().zip(&there).position(|(here, there)| here.0 != there.0);
                let tick = first.unwrap_or_else(|| panic!("{case}: nothing differs"));
                assert_eq!(tick as Tick, WRONG + 1, "{case}");
                let desync = here[tick].1.compare(&there[tick].1);
                let desync = desync.unwrap_or_else(|| panic!("{case}: the dumps do not differ"));
                let path = &desync.differences[0].path;
                let is_body = path.starts_with("bodies[");
                assert!(
                    is_body || engine.is_empty() && path.contains("position"),
                    "{case}: {desync}"
                );
                named += 1;
            }
        }
    }
    assert_eq!(named, 85);
}

fn engines(info: &SceneInfo) -> &'static [&'static str] {
    if info.engines.is_empty() { &[""] } else { info.engines }
}

#[test]
fn rollback_in_every_tick_reproduces_the_state_of_every_scene_on_every_engine() {
    let mut pairs = 0;
    for info in SCENES {
        for engine in engines(info) {
            sync_test(info, engine, 24);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 17);
}
