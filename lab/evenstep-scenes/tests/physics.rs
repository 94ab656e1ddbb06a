//! The physics scenes, on every engine.

use std::time::Duration;

use evenstep::history::{History, Rewind};
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_scenes::stepping::VariableTimestep;
use evenstep_scenes::{Outcome, SCENES, SavedScene, Scene, SceneInfo, SettingKind};

fn engines(info: &SceneInfo) -> &'static [&'static str] {
    match info
        .settings
        .iter()
        .find(|setting| setting.key == "engine")
        .map(|setting| setting.kind)
    {
        Some(SettingKind::Choice(engines)) => engines,
        _ => &[],
    }
}

fn build(info: &SceneInfo, engine: &str) -> Box<dyn Scene> {
    let mut settings = info.settings();
    settings.set(&format!("engine={engine}")).unwrap();
    info.build(&settings).unwrap()
}

fn frame_length(rate: &str) -> Duration {
    Duration::from_secs_f64(rate.parse::<Rate>().unwrap().period_secs_f64())
}

#[test]
fn every_physics_scene_is_the_same_bits_at_any_display_rate_on_every_engine() {
    let mut scenes = 0;
    for info in SCENES {
        for engine in engines(info) {
            let hash = |rate: &str| {
                let mut scene = build(info, engine);
                let mut timestep = FixedTimestep::new(info.rate).with_max_steps(30);
                while timestep.tick() < 90 {
                    let steps = timestep.advance(frame_length(rate)).steps();
                    steps
                        .take_while(|step| step.tick < 90)
                        .for_each(|step| scene.step(&step));
                }
                (scene.hash(), scene.outcome())
            };
            let expected = hash("60");
            for rate in ["10", "144"] {
                assert_eq!(hash(rate), expected, "{} on {engine} at {rate} Hz", info.name);
            }
            scenes += 1;
        }
    }
    assert_eq!(scenes, 15);
}

#[test]
fn fixed_steps_let_blocks_sink_at_most_half_as_deep_as_one_step_a_frame() {
    let info = SceneInfo::by_name("falling-blocks").unwrap();
    for engine in engines(info) {
        let deepest = |advance: &mut dyn FnMut(Duration) -> Vec<Step>| {
            let mut scene = build(info, engine);
            for _ in 0..50 {
                advance(Duration::from_millis(100))
                    .iter()
                    .for_each(|step| scene.step(step));
            }
            scene.step_error().unwrap().value
        };
        let mut fixed = FixedTimestep::new(info.rate).with_max_steps(30);
        let mut variable = VariableTimestep::new();
        let (fixed, variable) = (
            deepest(&mut |delta| fixed.advance(delta).steps().collect()),
            deepest(&mut |delta| variable.advance(delta).steps().collect()),
        );
        println!("{engine}: {fixed} m at fixed steps, {variable} m at one step a frame");
        assert!(fixed <= 0.5 * variable, "{engine}: {fixed} m and {variable} m");
    }
}

/// Runs a scene for a number of seconds.
fn run(scene: &mut dyn Scene, rate: Rate, seconds: f64) {
    let steps = (seconds / rate.period_secs_f64()) as u64;
    (0..steps).for_each(|tick| scene.step(&Step::new(tick, rate)));
}

#[test]
fn the_gate_removes_every_box_that_touches_it_on_every_engine() {
    let info = SceneInfo::by_name("gates").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        run(&mut *scene, info.rate, f64::from(info.seconds));
        assert_eq!(scene.outcome(), Outcome::Ended("all came through the gate"), "{engine}");
    }
}

/// A scene with its nudges, for a history.
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
        self.0.nudge(*nudge);
        self.0.step(step);
    }
}

#[test]
fn a_rollback_with_late_input_gives_the_state_of_a_run_with_that_input_from_the_start() {
    for (name, engine) in [
        ("spring", None),
        ("hockey", None),
        ("falling-blocks", Some("box2d")),
        ("snooker", Some("rapier2d")),
        ("tumble", Some("rapier3d")),
        ("gates", Some("box2d")),
        ("gates", Some("rapier2d")),
        ("gates", Some("rapier3d")),
    ] {
        let info = SceneInfo::by_name(name).unwrap();
        let build = || {
            let mut settings = info.settings();
            if let Some(engine) = engine {
                settings.set(&format!("engine={engine}")).unwrap();
            }
            Nudged(info.build(&settings).unwrap())
        };
        let nudge = |tick: u64| if tick == 25 { [0.5, 0.25] } else { [0.0; 2] };
        let (mut late, mut history) = (build(), History::new(info.rate, 8, usize::MAX));
        (0..60).for_each(|_| history.step(&mut late, [0.0; 2]));
        let without = late.0.hash();
        let steps = history.amend(&mut late, [(25, nudge(25))]).unwrap();
        assert_eq!(steps, 60 - 24);
        let mut straight = build();
        for tick in 0..60 {
            straight.step(&Step::new(tick, info.rate), &nudge(tick));
        }
        assert_eq!(late.0.hash(), straight.0.hash(), "{name}");
        assert_ne!(late.0.hash(), without, "{name}");
    }
}
