//! The physics scenes, on every engine.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Rate, VariableTimestep};
use evenstep_scenes::{Kind, Outcome, SCENES, Scene, SceneInfo};

fn engines(info: &SceneInfo) -> &'static [&'static str] {
    match info
        .settings
        .iter()
        .find(|setting| setting.key == "engine")
        .map(|setting| setting.kind)
    {
        Some(Kind::Choice(engines)) => engines,
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
    assert_eq!(scenes, 18);
}

#[test]
fn fixed_steps_let_blocks_sink_at_most_half_as_deep_as_one_step_a_frame() {
    let info = SceneInfo::by_name("falling-blocks").unwrap();
    for engine in engines(info) {
        let deepest = |advance: &mut dyn FnMut(Duration) -> Frame| {
            let mut scene = build(info, engine);
            for _ in 0..50 {
                advance(Duration::from_millis(100))
                    .steps()
                    .for_each(|step| scene.step(&step));
            }
            scene.flaw().unwrap().value
        };
        let mut fixed = FixedTimestep::new(info.rate).with_max_steps(30);
        let mut variable = VariableTimestep::new();
        let (fixed, variable) = (
            deepest(&mut |delta| fixed.advance(delta)),
            deepest(&mut |delta| variable.advance(delta)),
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
