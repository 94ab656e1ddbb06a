//! Paths of followers: the same at every display, and finite for any input.

use std::collections::BTreeMap;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::{FixedTimestep, Rate, Smoothed, Smoothing};

const MS: Duration = Duration::from_millis(1);

/// The drawn positions of a target and its follower in the display's frames, at each drawn time in nanoseconds.
fn drawn(camera: Follower<1>, path: &[f64], frames: u32) -> Vec<(u128, f64, f64)> {
    let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(u32::MAX);
    let (mut camera, mut target) = (camera, Smoothed::new([path[0]]));
    let mut drawn = Vec::new();
    let frame = Duration::from_secs(1) / frames;
    for _ in 0..frames * path.len() as u32 / 50 {
        let frame = timestep.advance(frame);
        for step in frame.steps() {
            let Some(now) = path.get(step.tick as usize) else { break };
            target.step(|at| *at = [*now]);
            camera.step([*now], step.dt);
        }
        let time = frame.shown_time(Smoothing::Interpolate).to_duration().as_nanos();
        drawn.push((time, target.at(frame.alpha())[0], camera.at(frame.alpha())[0]));
    }
    drawn
}

proptest! {
    #[test]
    fn every_display_shows_the_same_path(path in prop::collection::vec(-10.0..10.0_f64, 50)) {
        let camera = Follower::new([path[0]]).with_lag(150 * MS).with_dead_zone(0.5).with_look_ahead(50 * MS);
        let all: BTreeMap<_, _> = drawn(camera, &path, 1_000).into_iter().map(|(time, target, eye)| (time, (target, eye))).collect();
        for frames in [25, 50, 125, 250] {
            for (time, target, eye) in drawn(camera, &path, frames) {
                prop_assert_eq!(all.get(&time), Some(&(target, eye)), "after {} ns at {} Hz", time, frames);
            }
        }
    }

    #[test]
    fn a_straight_path_is_the_same_for_any_division_into_steps(
        lag in 0..500_u64, speed in -20.0..20.0_f64, cuts in prop::collection::vec(0.001..0.1_f64, 1..20),
    ) {
        let start = Follower::new([1.0]).with_lag(Duration::from_millis(lag));
        let (mut once, mut often, mut time) = (start, start, 0.0);
        for dt in &cuts {
            time += dt;
            often.step([1.0 + speed * time], *dt);
        }
        once.step([1.0 + speed * time], time);
        prop_assert!((once.at(1.0)[0] - often.at(1.0)[0]).abs() < 1e-9);
    }

    #[test]
    fn it_never_leaves_its_limits_and_never_loses_the_target(
        path in prop::collection::vec([-10.0..10.0_f64, -10.0..10.0], 1..60), radius in 0.0..3.0_f64, alpha in 0.0..1.0_f64,
    ) {
        let mut camera = Follower::new([0.0; 2]).with_lag(50 * MS).with_dead_zone(radius).with_limits([-4.0, 1.0], [6.0, -1.0]);
        for target in path {
            camera.step(target, 0.02);
            let [x, y] = camera.at(alpha);
            prop_assert!((-4.0..=6.0).contains(&x) && y == 0.0);
            let [dx, dy] = [0, 1].map(|axis| camera.current.focus[axis] - target[axis]);
            prop_assert!((dx * dx + dy * dy).sqrt() <= radius + 1e-9);
        }
    }

    #[test]
    fn no_step_makes_it_jump(path in prop::collection::vec(-10.0..10.0_f64, 2..60), lag in 0..300_u64) {
        let mut camera = Follower::new([0.0]).with_lag(Duration::from_millis(lag));
        for target in path {
            let before = camera.at(1.0);
            camera.step([target], 0.02);
            prop_assert_eq!(camera.at(0.0), before);
            prop_assert!((camera.at(1.0 - 1e-9)[0] - camera.at(1.0)[0]).abs() < 1e-6);
        }
    }
}

/// Numbers of every size, and none.
fn any_number() -> impl Strategy<Value = f64> {
    let extreme = [1e307, -1e307, f64::MAX, f64::MIN, f64::INFINITY, f64::NAN, 1e-300, 0.0];
    prop_oneof![-10.0..10.0_f64, any::<f64>(), prop::sample::select(extreme.to_vec())]
}

proptest! {
    #[test]
    fn after_any_input_it_is_finite_and_finds_its_target_again(
        nonsense in prop::collection::vec((any_number(), any_number(), 0..4_u32), 1..8),
        start in any_number(), lag in 0..300_u64, alpha in 0.0..1.0_f64,
    ) {
        let mut camera = Follower::new([start, 0.0]).with_lag(Duration::from_millis(lag)).with_look_ahead(50 * MS);
        for (number, dt, call) in nonsense {
            match call {
                0 => camera.teleport([number, dt]),
                1 => camera.step([number, 0.0], 0.02),
                _ => camera.step([0.0, number], dt),
            }
            prop_assert!(camera.at(alpha).iter().all(|axis| axis.is_finite()) || !start.is_finite(), "{camera:?}");
        }
        // A spring that was a finite number of metres away has been there after this many time constants.
        (0..800).for_each(|_| camera.step([3.0, -1.0], 1.0));
        let [x, y] = camera.at(alpha);
        prop_assert!((x - 3.0).abs() < 1e-6 && (y + 1.0).abs() < 1e-6, "{x} {y}");
    }
}

#[test]
fn beside_a_target_that_moves_evenly_it_stands_still() {
    let path: Vec<f64> = (0..500).map(|tick| 0.13 * f64::from(tick)).collect();
    let camera = Follower::new([0.0]).with_lag(200 * MS);
    for (_, target, eye) in &drawn(camera, &path, 144)[1000..] {
        assert!((target - eye - 0.2 * 6.5).abs() < 1e-9, "{}", target - eye);
    }
}

#[test]
fn within_the_dead_zone_it_does_not_move_a_bit() {
    let mut camera = Follower::new([1.0, 2.0]).with_lag(100 * MS).with_dead_zone(0.5);
    for target in [[1.4, 2.0], [0.7, 2.3], [1.0, 1.6]] {
        camera.step(target, 0.02);
        assert_eq!(camera.at(0.7), [1.0, 2.0]);
    }
}

#[test]
fn a_look_ahead_as_long_as_the_lag_keeps_an_even_target_in_the_middle() {
    let mut camera = Follower::new([0.0]).with_lag(200 * MS).with_look_ahead(200 * MS);
    let target = |step: u32| 0.1 * f64::from(step);
    (1..=500).for_each(|step| camera.step([target(step)], 0.02));
    assert!((camera.at(1.0)[0] - target(500)).abs() < 1e-9);
}

#[test]
fn a_teleport_is_drawn_with_the_step_in_which_it_happens_and_not_before() {
    let mut camera = Follower::new([0.0]).with_lag(200 * MS);
    camera.step([1.0], 0.02);
    let before = camera.at(1.0);
    camera.teleport([100.0]);
    assert_eq!(camera.at(0.0), before);
    assert_eq!(camera.at(0.01), [100.0]);
    camera.step([100.0], 0.02);
    assert_eq!(camera.at(0.5), [100.0]);
}

#[test]
fn moving_the_origin_moves_all() {
    let mut camera = Follower::new([1.0]).with_lag(200 * MS).with_limits([0.0], [50.0]);
    camera.step([3.0], 0.02);
    let before = camera.at(0.5)[0];
    camera.shift([1000.0]);
    assert!((camera.at(0.5)[0] - 1000.0 - before).abs() < 1e-9);
    camera.step([2000.0], 10.0);
    camera.step([2000.0], 10.0);
    assert_eq!(camera.at(1.0), [1050.0]);
}
