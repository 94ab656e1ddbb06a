//! Poses of many bodies are bit-identical to each body's own smoothing.

use evenstep::Smoothed;
use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use proptest::prelude::*;

/// What happens to bodies.
#[derive(Clone, Debug)]
enum Action<T> {
    Push(T),
    SwapRemove(usize),
    BeginStep,
    Save,
    Restore,
    Set(usize, T),
    SetRange(usize, Vec<T>),
    Teleport(usize, T),
    Reset(usize, T),
    Shift(usize),
    Draw(f64),
}

fn actions<T: Clone + std::fmt::Debug>(
    pose: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Vec<Action<T>>> {
    let index = 0..200_usize;
    let action = prop_oneof![
        8 => pose.clone().prop_map(Action::Push),
        2 => prop_oneof![index.clone().prop_map(Action::SwapRemove), index.clone().prop_map(Action::Shift)],
        3 => Just(Action::BeginStep),
        1 => Just(Action::Save),
        1 => Just(Action::Restore),
        8 => (index.clone(), pose.clone()).prop_map(|(index, pose)| Action::Set(index, pose)),
        2 => (index.clone(), prop::collection::vec(pose.clone(), 0..150)).prop_map(|(start, poses)| Action::SetRange(start, poses)),
        2 => (index.clone(), pose.clone()).prop_map(|(index, pose)| Action::Teleport(index, pose)),
        1 => (index, pose).prop_map(|(index, pose)| Action::Reset(index, pose)),
        3 => prop_oneof![Just(0.0), Just(1.0), 0.0..1.0].prop_map(Action::Draw),
    ];
    prop::collection::vec(action, 0..400)
}

fn pose2() -> impl Strategy<Value = Pose2> + Clone {
    // Quarter turns among them, whose blends have no shorter way.
    let angle = prop_oneof![
        -10.0..10.0_f32,
        (0..4_u8).prop_map(|quarter| f32::from(quarter) * std::f32::consts::FRAC_PI_2)
    ];
    (-1e3..1e3_f32, -1e3..1e3_f32, angle).prop_map(|(x, y, angle)| Pose2::new([x, y], Rot2::from_radians(angle)))
}

fn pose3() -> impl Strategy<Value = Pose3> + Clone {
    // Small turns and large ones.
    let axis = prop_oneof![
        prop::array::uniform3(-0.03..0.03_f32),
        prop::array::uniform3(-4.0..4.0_f32)
    ];
    let position = prop::array::uniform3(-1e3..1e3_f32);
    (position, axis).prop_map(|(position, axis)| Pose3::new(position, Quat::from_scaled_axis(axis)))
}

fn numbers2(pose: &Pose2) -> [f32; 4] {
    let [x, y] = pose.position;
    [x, y, pose.rotation.cos, pose.rotation.sin]
}

fn numbers3(pose: &Pose3) -> [f32; 7] {
    let ([x, y, z], turn) = (pose.position, pose.rotation);
    [x, y, z, turn.x, turn.y, turn.z, turn.w]
}

fn bits<const N: usize>(numbers: &[f32; N]) -> [u32; N] {
    numbers.map(f32::to_bits)
}

macro_rules! laws {
    ($test:ident, $poses:ty, $pose:ty, $matrix:expr, $strategy:expr, $numbers:path) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(100))]

            #[test]
            fn $test(script in actions($strategy), places in prop_oneof![Just(400), 0..60_usize]) {
                let mut poses = <$poses>::new();
                let mut bodies: Vec<Smoothed<$pose>> = Vec::new();
                let is_right = |drawn: &$pose, body: &Smoothed<$pose>, alpha| {
                    let [drawn, expected, previous, current] = [drawn, &body.at(alpha), body.previous(), body.current()].map($numbers);
                    let rests = bits(&previous) == bits(&current);
                    bits(&drawn) == bits(&expected) && (!rests || bits(&drawn) == bits(&current))
                };
                // Buffers may be shorter than there are bodies.
                let mut drawn: Vec<$pose> = vec![<$pose>::IDENTITY; places];
                let mut matrices = vec![$matrix; places];
                // What a copy of the states would hold, and since when.
                let mut kept = Vec::new();
                let mut saved = None;
                for action in script {
                    match action {
                        Action::Push(pose) => {
                            prop_assert_eq!(poses.push(pose), bodies.len());
                            bodies.push(Smoothed::new(pose));
                        }
                        Action::SwapRemove(index) => {
                            let removed = (index < bodies.len()).then(|| *bodies.swap_remove(index).current());
                            prop_assert_eq!(poses.swap_remove(index), removed);
                        }
                        Action::BeginStep => {
                            let states = (0..400).map(|index| (poses.previous(index), poses.current(index)));
                            kept.push((poses.step(), states.collect::<Vec<_>>()));
                            poses.begin_step();
                            bodies.iter_mut().for_each(Smoothed::begin_step);
                        }
                        Action::Save => saved = Some((poses.clone(), bodies.clone())),
                        Action::Restore => {
                            if let Some((old, states)) = &saved {
                                poses.restore(old);
                                bodies.clone_from(states);
                            }
                        }
                        Action::Set(index, pose) => {
                            poses.set(index, pose);
                            bodies.get_mut(index).into_iter().for_each(|body| body.set(pose));
                        }
                        Action::SetRange(start, states) => {
                            poses.set_range(start, &states);
                            bodies.iter_mut().skip(start).zip(states).for_each(|(body, state)| body.set(state));
                        }
                        Action::Teleport(index, pose) => {
                            poses.teleport(index, pose);
                            if let Some(body) = bodies.get_mut(index) {
                                body.teleport();
                                body.set(pose);
                            }
                        }
                        Action::Reset(index, pose) => {
                            poses.reset(index, pose);
                            bodies.get_mut(index).into_iter().for_each(|body| *body = Smoothed::new(pose));
                        }
                        Action::Shift(index) => {
                            poses.shift(index, |pose| pose.position[0] += 64.0);
                            let body = bodies.get_mut(index).into_iter();
                            body.for_each(|body| body.shift(|pose| pose.position[0] += 64.0));
                        }
                        Action::Draw(alpha) => {
                            poses.clone().blend_matrices(alpha, &mut matrices);
                            poses.blend(alpha, &mut drawn);
                            let mut all = vec![$matrix; bodies.len()];
                            poses.blend_range_matrices(0, alpha, &mut all);
                            let places = places.min(bodies.len());
                            prop_assert_eq!(&matrices[..places], &all[..places]);
                            for (index, (drawn, body)) in drawn.iter().zip(&bodies).enumerate() {
                                prop_assert!(is_right(drawn, body, alpha), "body {}: {:?} for {:?}", index, drawn, body);
                            }
                        }
                    }
                }
                prop_assert_eq!(poses.len(), bodies.len());
                for (from, states) in &kept {
                    let moved: Vec<_> = poses.moved_since(*from).flatten().collect();
                    prop_assert!(moved.iter().all(|index| *index < poses.len()));
                    for index in (0..poses.len()).filter(|index| !moved.contains(index)) {
                        prop_assert_eq!((poses.previous(index), poses.current(index)), states[index], "body {}", index);
                    }
                }
                for (index, body) in bodies.iter().enumerate() {
                    prop_assert_eq!(poses.previous(index), Some(*body.previous()));
                    prop_assert_eq!(poses.current(index), Some(*body.current()));
                    prop_assert_eq!(poses.has_teleported(index), body.is_teleport());
                }
                for start in (0..bodies.len()).step_by(7) {
                    let mut some = vec![<$pose>::IDENTITY; 40];
                    poses.blend_range(start, 0.375, &mut some);
                    for (drawn, body) in some.iter().zip(&bodies[start..]) {
                        prop_assert!(is_right(drawn, body, 0.375), "{:?} for {:?}", drawn, body);
                    }
                }
            }
        }
    };
}

laws!(
    bodies_in_the_plane_are_blended_as_each_by_itself,
    Poses2,
    Pose2,
    [[0.0; 2]; 3],
    pose2(),
    numbers2
);
laws!(
    bodies_in_space_are_blended_as_each_by_itself,
    Poses3,
    Pose3,
    [[0.0; 4]; 4],
    pose3(),
    numbers3
);

#[test]
fn bodies_that_rest_are_drawn_once_more_and_then_left_alone() {
    let mut poses = Poses2::new();
    for _ in 0..200 {
        poses.push(Pose2::IDENTITY);
    }
    let mut drawn = vec![Pose2::IDENTITY; 200];
    poses.blend(0.5, &mut drawn);
    poses.begin_step();
    poses.set(70, Pose2::new([2.0, 0.0], Rot2::IDENTITY));
    poses.blend(0.5, &mut drawn);
    assert_eq!(drawn[70].position, [1.0, 0.0]);
    poses.begin_step();
    let nowhere = Pose2::new([f32::NAN; 2], Rot2::IDENTITY);
    drawn.fill(nowhere);
    poses.blend(0.5, &mut drawn);
    assert_eq!(drawn[70].position, [2.0, 0.0]);
    assert!(
        drawn[0].position[0].is_nan() && drawn[199].position[0].is_nan(),
        "other blocks rest"
    );
    drawn.fill(nowhere);
    poses.blend(0.7, &mut drawn);
    assert!(drawn.iter().all(|pose| pose.position[0].is_nan()));
}

#[test]
fn matrices_place_a_corner_where_the_pose_does() {
    let mut poses = Poses3::new();
    let quarter = Quat::from_scaled_axis([0.0, 0.0, std::f32::consts::FRAC_PI_2]);
    poses.push(Pose3::new([1.0, 2.0, 3.0], quarter));
    let mut matrices = [[[f32::NAN; 4]; 4]];
    poses.blend_range_matrices(0, 0.5, &mut matrices);
    // The first axis turns into the second.
    let [first, second, ..] = matrices[0];
    assert!((first[1] - 1.0).abs() < 1e-6 && (second[0] + 1.0).abs() < 1e-6);
    assert_eq!(matrices[0][3], [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(matrices[0].map(|axis| axis[3]), [0.0, 0.0, 0.0, 1.0]);
    let mut plane = Poses2::new();
    plane.push(Pose2::new([5.0, 6.0], Rot2::from_radians(std::f32::consts::FRAC_PI_2)));
    let mut matrices = [[[0.0; 2]; 3]];
    plane.blend_range_matrices(0, 0.5, &mut matrices);
    assert!((matrices[0][0][1] - 1.0).abs() < 1e-6 && (matrices[0][1][0] + 1.0).abs() < 1e-6);
    assert_eq!(matrices[0][2], [5.0, 6.0]);
}

/// Where a body is after a step: bodies turn little and far.
fn moving(body: u16, step: f32) -> Pose3 {
    let place = f32::from(body);
    let rotation = Quat::from_scaled_axis([0.01 * place * step, 0.2, step]);
    Pose3::new([place + step, place * step, 1.0], rotation)
}

#[test]
fn threads_that_blend_parts_write_the_bits_of_one_call() {
    const BODIES: u16 = 1000;
    let mut poses = Poses3::new();
    (0..BODIES).for_each(|body| _ = poses.push(moving(body, 0.0)));
    poses.begin_step();
    for body in (0..BODIES).filter(|body| body % 100 < 70) {
        poses.set(body.into(), moving(body, 1.0));
    }
    poses.teleport(7, moving(7, 5.0));
    for alpha in [0.0, 0.3, 1.0] {
        let mut expected = vec![Pose3::IDENTITY; BODIES.into()];
        let mut expected_matrices = vec![[[0.0; 4]; 4]; BODIES.into()];
        poses.blend_range(0, alpha, &mut expected);
        poses.blend_range_matrices(0, alpha, &mut expected_matrices);
        for part in [17, 33, 64, 999, 1000] {
            let mut drawn = vec![Pose3::IDENTITY; BODIES.into()];
            let mut matrices = vec![[[0.0; 4]; 4]; BODIES.into()];
            let poses = &poses;
            std::thread::scope(|scope| {
                let parts = drawn.chunks_mut(part).zip(matrices.chunks_mut(part));
                for (number, (drawn, matrices)) in parts.enumerate() {
                    scope.spawn(move || {
                        poses.blend_range(number * part, alpha, drawn);
                        poses.blend_range_matrices(number * part, alpha, matrices);
                    });
                }
            });
            let is_same = |one: &Pose3, other: &Pose3| bits(&numbers3(one)) == bits(&numbers3(other));
            assert!(
                drawn.iter().zip(&expected).all(|(one, other)| is_same(one, other)),
                "parts of {part}"
            );
            assert_eq!(matrices, expected_matrices, "parts of {part}");
        }
    }
}
