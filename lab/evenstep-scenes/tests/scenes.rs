//! Fixed steps give bit-identical states at any display rate; variable steps do not.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed, Smoothing, Step, TimeScale};
use evenstep_scenes::Integrator;
use evenstep_scenes::hockey::{Charge, Hockey, LEVELS};
use evenstep_scenes::spring::Spring;
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Outcome, SCENES, Scene, SceneInfo};
use proptest::prelude::*;

const TICKS: u64 = 600;

fn build(name: &str) -> Box<dyn Scene> {
    SceneInfo::by_name(name).unwrap().build("").unwrap()
}

/// The hash after tick 600, at frames of these lengths over and over.
fn hash_at_fixed_steps(name: &str, timestep: &mut FixedTimestep, deltas: &[Duration]) -> u64 {
    let mut scene = build(name);
    for delta in deltas.iter().cycle() {
        for step in timestep.advance(*delta).steps() {
            if step.tick == TICKS {
                return scene.hash();
            }
            scene.step(&step);
        }
    }
    unreachable!("deltas are not empty")
}

fn straight_hash(name: &str) -> u64 {
    let mut scene = build(name);
    let rate = SceneInfo::by_name(name).unwrap().rate;
    (0..TICKS).for_each(|tick| scene.step(&Step::new(tick, rate)));
    scene.hash()
}

fn frame_length(rate: &str) -> Duration {
    Duration::from_secs_f64(rate.parse::<Rate>().unwrap().period_secs_f64())
}

#[test]
fn every_scene_is_the_same_bits_at_any_display_rate() {
    for info in SCENES.iter().filter(|info| info.engines.is_empty()) {
        let expected = straight_hash(info.name);
        for rate in ["10", "24", "30", "59.94", "60", "75", "144", "240", "2700"] {
            let hash = hash_at_fixed_steps(info.name, &mut FixedTimestep::new(info.rate), &[frame_length(rate)]);
            assert_eq!(hash, expected, "{} at {rate} frames a second", info.name);
        }
    }
}

#[test]
fn slow_motion_and_pauses_do_not_change_the_state() {
    for info in SCENES.iter().filter(|info| info.engines.is_empty()) {
        let mut slow = FixedTimestep::new(info.rate).with_time_scale(TimeScale::new(3, 10).unwrap());
        let frames = [16, 17, 4, 200].map(Duration::from_millis);
        assert_eq!(
            hash_at_fixed_steps(info.name, &mut slow, &frames),
            straight_hash(info.name)
        );

        let mut timestep = FixedTimestep::new(info.rate);
        let mut scene = build(info.name);
        let mut tick = 0;
        for n in 0.. {
            match n % 7 {
                2 => timestep.set_time_scale(TimeScale::PAUSED),
                4 => timestep.step_once(),
                5 => timestep.set_time_scale(TimeScale::NORMAL),
                _ => {}
            }
            let due = timestep.advance(Duration::from_millis(13)).steps();
            for step in due.take_while(|step| step.tick < TICKS) {
                scene.step(&step);
                tick = step.tick + 1;
            }
            if tick == TICKS {
                break;
            }
        }
        assert_eq!(scene.hash(), straight_hash(info.name));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_jitter_gives_the_same_bits(
        millis in prop::collection::vec(0..400_u64, 1..40).prop_filter("time passes", |all| all.iter().any(|ms| *ms > 0)),
    ) {
        let deltas: Vec<Duration> = millis.into_iter().map(Duration::from_millis).collect();
        let mut timestep = FixedTimestep::new(SceneInfo::by_name("hockey").unwrap().rate);
        prop_assert_eq!(hash_at_fixed_steps("hockey", &mut timestep, &deltas), straight_hash("hockey"));
    }
}

#[test]
fn steps_that_follow_the_display_give_another_path_on_every_display() {
    let hash_after_ten_seconds = |rate: &str| {
        let mut scene = build("hockey");
        let mut timestep = Timestep::variable();
        let delta = frame_length(rate);
        let frames = (10.0 / delta.as_secs_f64()).round() as u32;
        for _ in 0..frames {
            timestep.advance(delta).steps().for_each(|step| scene.step(&step));
        }
        scene.hash()
    };
    let mut hashes = ["24", "30", "60", "75", "144"].map(hash_after_ten_seconds);
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn every_level_is_won_by_its_solution_and_not_without_it() {
    for level in &LEVELS {
        let play = |placed: &[Charge]| {
            let mut game = Hockey::new(level, placed).unwrap();
            for tick in 0.. {
                game.step(&Step::new(tick, Rate::hz(60)));
                if game.outcome() != Outcome::Running {
                    break;
                }
            }
            game.outcome()
        };
        assert_eq!(play(level.solution), Outcome::Ended("goal"), "{}", level.name);
        assert_ne!(play(&[]), Outcome::Ended("goal"), "{}", level.name);
        let link = Charge::format_list(level.solution);
        assert_eq!(Charge::parse_list(&link).unwrap(), level.solution);
    }
}

#[test]
fn invalid_charges_are_rejected_with_a_reason() {
    for (text, complaint) in [
        ("1,2", "charges: \"1,2\" is not x,y,µC"),
        ("1,2,x", "charges: \"1,2,x\" is not x,y,µC"),
        (
            "1,2,inf",
            "charges: charge[0]: charge inf must be from -1000 to 1000 µC",
        ),
        ("1,2,3;4,5,6;7,8,9", "charges: 3 placed, but this level allows 2"),
        ("8,20,50", "charges: charge[0]: position 8, 20 is on top of the puck"),
        ("-1,20,50", "charges: charge[0]: position -1, 20 is outside the field"),
    ] {
        let placed = Charge::parse_list(text);
        let error = placed.and_then(|placed| Hockey::new(&LEVELS[0], &placed)).unwrap_err();
        assert!(error.to_string().starts_with(complaint), "{error}");
    }
}

/// Where a spring of 1 kg and 1 N·s/m is, `seconds` after it was released at 100 m: the closed form of weak damping.
#[expect(
    clippy::disallowed_methods,
    reason = "it is compared with a tolerance, and never hashed"
)]
fn exact(stiffness: f64, seconds: f64) -> f64 {
    let omega = (stiffness - 0.25).sqrt();
    let (sin, cos) = (omega * seconds).sin_cos();
    100.0 * (-0.5 * seconds).exp() * (cos + 0.5 / omega * sin)
}

#[test]
fn a_stiff_spring_at_ten_frames_a_second_explodes_in_one_step_a_frame_and_not_in_fixed_steps() {
    let ten_frames = |mut timestep: Timestep, mut spring: Spring| {
        let mut worst = 0.0_f64;
        for _ in 0..50 {
            for step in timestep.advance(Duration::from_millis(100)).steps() {
                spring.step(&step);
                let exact = exact(spring.k, step.end().as_secs_f64());
                worst = worst.max((spring.state.position - exact).abs());
            }
        }
        (spring, worst)
    };
    let stiff = |integrator| Spring {
        integrator,
        k: 10_000.0,
        ..Spring::default()
    };
    for integrator in Integrator::ALL {
        let (spring, _) = ten_frames(Timestep::variable(), stiff(integrator));
        assert!(spring.has_exploded(), "{integrator:?}");
        assert!(spring.state.position.is_finite());
    }
    let fixed = FixedTimestep::new(Rate::hz(1000)).with_max_steps(100);
    let (spring, worst) = ten_frames(Timestep::fixed(fixed), stiff(Integrator::RungeKutta4));
    assert!(!spring.has_exploded());
    assert!(worst < 0.01 * 100.0, "off by {worst} m");
}

/// The largest distance of the drawn swing from the exact one, in metres: 20 steps a second on a display at 144 Hz.
fn off_the_swing(smoothing: Smoothing) -> f64 {
    let mut spring = Spring {
        integrator: Integrator::RungeKutta4,
        ..Spring::default()
    };
    let mut timestep = FixedTimestep::new(Rate::hz(20));
    let mut swing = Smoothed::new(spring.state);
    let frames = (0..288).map(|_| {
        let frame = timestep.advance(frame_length("144"));
        for step in frame.steps() {
            spring.step(&step);
            swing.step(|state| *state = spring.state);
        }
        let drawn = swing.drawn(smoothing, frame.alpha(), 0.05).position;
        (drawn - exact(spring.k, frame.shown_time(smoothing).as_secs_f64())).abs()
    });
    frames.fold(0.0, f64::max)
}

#[test]
fn a_hermite_curve_follows_the_swing_that_a_straight_line_cuts() {
    let (line, curve) = (off_the_swing(Smoothing::Interpolate), off_the_swing(Smoothing::Hermite));
    assert!((0.25..0.35).contains(&line) && curve < 0.002, "{line} {curve}");
}
