//! The physics scenes, on every engine.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed, Step};
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Outcome, SCENES, Scene, SceneInfo, ScriptInterpolation, two_blocks};

fn frame_length(rate: &str) -> Duration {
    Duration::from_secs_f64(rate.parse::<Rate>().unwrap().period_secs_f64())
}

#[test]
#[ignore = "takes several seconds"]
fn every_physics_scene_is_the_same_bits_at_any_display_rate_on_every_engine() {
    let mut scenes = 0;
    for info in SCENES {
        for engine in info.engines {
            let hash = |rate: &str| {
                let mut scene = info.build(engine).unwrap();
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
    assert_eq!(scenes, 14);
}

#[test]
#[ignore = "takes several seconds"]
fn fixed_steps_let_blocks_sink_at_most_half_as_deep_as_one_step_a_frame() {
    let info = SceneInfo::by_name("falling-blocks").unwrap();
    for engine in info.engines {
        let deepest = |mut timestep: Timestep| {
            let mut scene = info.build(engine).unwrap();
            for _ in 0..50 {
                let frame = timestep.advance(Duration::from_millis(100));
                frame.steps().for_each(|step| scene.step(&step));
            }
            scene.deepest().unwrap()
        };
        let fixed = deepest(Timestep::fixed(FixedTimestep::new(info.rate).with_max_steps(30)));
        let variable = deepest(Timestep::variable());
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
    for engine in info.engines {
        let mut scene = info.build(engine).unwrap();
        run(&mut *scene, info.rate, 8.0);
        assert_eq!(scene.outcome(), Outcome::Ended("all came through the gate"), "{engine}");
    }
}

/// The largest vertical speed of the first block between two times in seconds, in m/s.
fn fastest(scene: &mut dyn Scene, rate: Rate, from: f64, to: f64) -> f64 {
    let mut fastest: f64 = 0.0;
    for tick in 0..(to / rate.period_secs_f64()) as u64 {
        scene.step(&Step::new(tick, rate));
        let values = scene.read();
        if tick as f64 * rate.period_secs_f64() >= from {
            fastest = fastest.max(values[1].velocity.abs());
        }
    }
    fastest
}

#[test]
fn blocks_bounce_with_a_threshold_at_the_scale_of_the_world_and_stick_with_one_in_the_wrong_unit() {
    let info = SceneInfo::by_name("two-blocks").unwrap();
    for engine in info.engines {
        let fastest_with = |threshold: f32| {
            let mut scene = two_blocks(engine, threshold).unwrap();
            fastest(&mut *scene, info.rate, 4.0, 6.0)
        };
        // 50 px/s are 1 m/s. Taken for 50 m/s, which are 2500 px/s, no hit bounces.
        let (scaled, unscaled) = (fastest_with(50.0), fastest_with(2500.0));
        println!("{engine}: {scaled} m/s, {unscaled} m/s");
        assert!(scaled > 2.0, "{engine}: {scaled} m/s");
        assert!(unscaled < 0.5, "{engine}: {unscaled} m/s");
    }
}

#[test]
fn a_script_with_an_accumulator_of_its_own_lags_a_step_more_than_interpolation_with_the_loops() {
    let info = SceneInfo::by_name("two-blocks").unwrap();
    let period = info.rate.period_secs_f64();
    for engine in info.engines {
        let mut scene = info.build(engine).unwrap();
        let place = |scene: &dyn Scene| scene.read()[0];
        let start = place(&*scene);
        let mut timestep = FixedTimestep::new(info.rate);
        let mut ours = Smoothed::new(start.position);
        let mut script = ScriptInterpolation::new(start.position, period);
        // Until the block comes near a wall, it moves across at a constant speed.
        for frame in 1..60_u32 {
            let delta = Duration::from_nanos(16_666_667);
            let advanced = timestep.advance(delta);
            for step in advanced.steps() {
                script.fixed_update(place(&*scene).position);
                ours.begin_step();
                scene.step(&step);
                ours.set(place(&*scene).position);
            }
            let drawn = [ours.at(advanced.alpha()), script.update(delta.as_secs_f64())];
            if frame < 12 {
                continue;
            }
            let now = start.position + start.velocity * (f64::from(frame) * delta.as_secs_f64());
            let [ours, theirs] = drawn.map(|drawn| (now - drawn) / start.velocity / period);
            assert!((ours - 1.0).abs() < 1e-3, "{engine}, frame {frame}: {ours} steps");
            assert!((theirs - 2.0).abs() < 1e-3, "{engine}, frame {frame}: {theirs} steps");
        }
    }
}
