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
    assert_eq!(scenes, 28);
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

#[test]
fn all_missiles_hit_on_every_engine() {
    let info = SceneInfo::by_name("missiles").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        let mut timestep = FixedTimestep::new(info.rate).with_max_steps(30);
        for _ in 0..100 {
            timestep
                .advance(Duration::from_millis(100))
                .steps()
                .for_each(|step| scene.step(&step));
        }
        assert_eq!(scene.outcome(), Outcome::Ended("all missiles hit"), "{engine}");
    }
}

/// Runs a scene for a number of seconds.
fn run(scene: &mut dyn Scene, rate: Rate, seconds: f64) {
    let steps = (seconds / rate.period_secs_f64()) as u64;
    (0..steps).for_each(|tick| scene.step(&Step::new(tick, rate)));
}

fn place(scene: &dyn Scene) -> [f64; 2] {
    let mut values = Vec::new();
    scene.read(&mut values);
    [values[0].position, values[1].position]
}

#[test]
fn the_car_crosses_the_bridge_and_climbs_the_hills_on_every_engine() {
    let info = SceneInfo::by_name("bridge").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        let (mut flat, mut highest) = (0.0_f64, 0.0_f64);
        for tick in 0..u64::from(info.seconds) * 60 {
            scene.step(&Step::new(tick, info.rate));
            let [x, y] = place(&*scene);
            assert!(y > -2.0, "{engine}: it fell at {x}, {y}");
            if (9.0..13.0).contains(&x) {
                flat = flat.max(y);
            } else if x > 18.0 {
                highest = highest.max(y);
            }
        }
        let [x, _] = place(&*scene);
        assert!(
            x > 22.0 && highest > flat + 0.1,
            "{engine}: at {x}, {flat} and {highest} m high"
        );
    }
}

#[test]
fn the_character_stays_on_its_lift_on_every_engine() {
    let info = SceneInfo::by_name("platforms").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for tick in 0..600_u64 {
            scene.step(&Step::new(tick, info.rate));
            let mut values = Vec::new();
            scene.read(&mut values);
            let phase = (tick + 1) % 300;
            let lift = 4.0 * phase.min(300 - phase) as f64 / 150.0;
            let (x, y) = (values[2].position, values[3].position - lift);
            assert!(
                (-1.6..-0.7).contains(&x),
                "{engine}, tick {tick}: {x} m from the middle"
            );
            assert!((0.95..1.25).contains(&y), "{engine}, tick {tick}: {y} m high");
            (left, right) = (left.min(x), right.max(x));
        }
        assert!(right - left > 0.3, "{engine}: it walks from {left} to {right}");
    }
}

#[test]
fn lifts_carry_what_stands_on_them_on_every_engine() {
    let info = SceneInfo::by_name("platforms").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        run(&mut *scene, info.rate, 2.5);
        let [_, top] = place(&*scene);
        assert!((top - 4.75).abs() < 0.1, "{engine}: {top} m at the top");
        for tick in 150..300 {
            scene.step(&Step::new(tick, info.rate));
        }
        let [x, bottom] = place(&*scene);
        assert!(
            (bottom - 0.75).abs() < 0.1 && x.abs() < 0.2,
            "{engine}: {x}, {bottom} at the bottom"
        );
    }
}

#[test]
fn all_crosses_pass_the_gate_on_every_engine() {
    let info = SceneInfo::by_name("gates").unwrap();
    for engine in engines(info) {
        let mut scene = build(info, engine);
        run(&mut *scene, info.rate, f64::from(info.seconds));
        assert_eq!(scene.outcome(), Outcome::Ended("all came through the gate"), "{engine}");
    }
}

#[test]
fn dolls_hold_together_as_they_fall() {
    let info = SceneInfo::by_name("ragdoll").unwrap();
    let mut scene = build(info, "rapier3d");
    for tick in 0..480 {
        scene.step(&Step::new(tick, info.rate));
        let mut parts = Vec::new();
        scene.blocks(&mut parts);
        for doll in parts.chunks(11) {
            let [head, chest] = [doll[0], doll[1]].map(|part| part.pose.position);
            let apart = (head[0] - chest[0]).abs().max((head[1] - chest[1]).abs());
            assert!(apart < 0.6, "{apart} m between head and chest at tick {tick}");
        }
    }
    let [x, y] = place(&*scene);
    assert!(x > 0.3 && (-4.0..2.0).contains(&y), "the first head is at {x}, {y}");
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
        ("bridge", Some("box2d")),
        ("bridge", Some("rapier2d")),
        ("bridge", Some("rapier3d")),
        ("ragdoll", Some("rapier3d")),
        ("platforms", Some("box2d")),
        ("platforms", Some("rapier2d")),
        ("platforms", Some("rapier3d")),
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
