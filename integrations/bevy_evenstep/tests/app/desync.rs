//! The game with faults of the core's tests as a resource of two apps, of which one has a fault.

use std::any::type_name;
use std::time::Duration;

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::rewind::{RewindHistory, RewindResourcePlugin, resimulate};
use bevy_evenstep::{CurrentStep, ExactLoopPlugin, Timestep};
use evenstep::history::Rewind as _;
use evenstep::{Snapshot, Tick};

use crate::common::app;
use crate::frames::frame;

#[path = "../../../../crates/evenstep/tests/faulty.rs"]
mod faulty;

use faulty::{Fault, Faulty, State};

/// The state, which the plugin saves and restores.
#[derive(Resource, Clone, Snapshot)]
struct Match(State);

/// The machine, which it does not, and the tick from which on it has its fault.
#[derive(Resource)]
struct Machine(Faulty, Tick);

/// Both players move in every other tick, and fire once.
fn play(mut machine: ResMut<Machine>, mut game: ResMut<Match>, step: Res<CurrentStep>) {
    let Machine(faulty, begin) = &mut *machine;
    let keys = 2 * (step.tick % 2) as u8 + u8::from(step.tick + 1 == *begin);
    faulty.restore(&game.0);
    faulty.step(&step, &[keys; 2]);
    game.0 = faulty.save();
}

fn draw(mut machine: ResMut<Machine>, mut game: ResMut<Match>) {
    machine.0.draw();
    game.0 = machine.0.save();
}

/// An app after some ticks, which has gone back by three of them after the tick `begin`.
fn run(seed: u64, fault: Option<Fault>, begin: Tick) -> App {
    let mut app = app((ExactLoopPlugin::hz(50), RewindResourcePlugin::<Match>::by_field()));
    let faulty = Faulty::new(seed, fault.map(|fault| (fault, begin)));
    app.insert_resource(Match(faulty.save()))
        .insert_resource(Machine(faulty, begin))
        .insert_resource(RewindHistory::new(100))
        .add_systems(FixedUpdate, play)
        .add_systems(Update, draw);
    loop {
        frame(&mut app, Duration::from_millis(20));
        let ticks = app.world().resource::<Timestep>().tick();
        if ticks == begin + 1 {
            assert_eq!(resimulate(app.world_mut(), begin - 2), Ok(3));
        }
        if ticks == begin + 10 {
            return app;
        }
    }
}

#[test]
fn a_fault_of_each_of_ten_kinds_is_named_by_tick_type_and_field() {
    for (seed, fault) in (0..).zip(Fault::ALL) {
        let begin = 10 + 7 * seed;
        let [here, there] = [None, Some(fault)].map(|fault| run(seed, fault, begin));
        let [here, there] = [&here, &there].map(|app| app.world().resource::<RewindHistory>());
        let states = here
            .ticks()
            .filter_map(|tick| Some((tick, here.state(tick)?, there.state(tick)?)));
        let mut dumps = states.map(|(tick, here, there)| (here.dump(tick), there.dump(tick)));
        let desync = dumps.find_map(|(here, there)| here.compare(&there));
        let desync = desync.unwrap_or_else(|| panic!("{fault:?}: nothing differs"));
        let tick = match fault {
            // From the tick on to which the app went back.
            Fault::FieldForgottenInRestore => begin - 1,
            // What was drawn before it went back is forgotten.
            Fault::RandomNumberDrawnInRendering | Fault::SoundThatSteps => begin + 2,
            _ => begin + 1,
        };
        assert_eq!(desync.tick, tick, "{fault:?}: {desync}");
        let path = &desync.differences[0].path;
        let paths = fault.paths((seed % 2) as usize).into_iter();
        let mut paths = paths.map(|path| format!("resources.{}.0.{path}", type_name::<Match>()));
        assert!(paths.any(|expected| expected == *path), "{fault:?}: {desync}");
    }
}
