//! `Poses`, as motions in the plane, against a list of bodies that are smoothed one by one.

use std::time::Duration;

use evenstep::poses::{Motion2, Motions2, Pose2, Rot2};
use evenstep::{Extrapolate as _, Smoothed, Smoothing};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::script;

static CALLS: Calls = Calls::new();

/// Seconds between steps.
const DT: f64 = 0.1;

/// Bodies that a buffer has room for: some more and some fewer than there are.
const ROOM: usize = 70;

/// Where neighbours begin that are drawn by themselves, and how many they are.
const RANGES: [(usize, usize); 5] = [(0, 32), (5, 9), (31, 34), (64, 0), (usize::MAX, 3)];

type Matrix = [[f32; 2]; 3];

/// How a program draws, always in the same way.
#[derive(Clone, Copy, Debug)]
enum Way {
    Straight,
    With(Smoothing),
}

const WAYS: &[Way] = &[
    Way::Straight,
    Way::With(Smoothing::None),
    Way::With(Smoothing::Interpolate),
    Way::With(Smoothing::Hermite),
];

#[derive(Clone, Debug)]
enum Call {
    Push(Motion2),
    SwapRemove(usize),
    BeginStep,
    Set(usize, Motion2),
    SetAll(Vec<Motion2>),
    SetRange(usize, Vec<Motion2>),
    Teleport(usize, Motion2),
    Reset(usize, Motion2),
    Shift(usize, [f32; 2]),
    Draw(f64),
    Save,
    Restore,
}

#[derive(Clone, Debug)]
struct Model {
    way: Way,
    bodies: Vec<Smoothed<Motion2>>,
    saved: Vec<Smoothed<Motion2>>,
    removed: Option<Motion2>,
}

fn any_motion() -> impl Strategy<Value = Motion2> {
    let angle = prop_oneof![-0.1..0.1_f32, -10.0..10.0_f32];
    (-1e3..1e3_f32, -1e3..1e3_f32, angle, -9.0..9.0_f32).prop_map(|(x, y, angle, speed)| Motion2 {
        pose: Pose2::new([x, y], Rot2::from_radians(angle)),
        velocity: [speed, -speed],
        angular_velocity: speed / 3.0,
    })
}

fn any_index() -> impl Strategy<Value = usize> {
    prop_oneof![20 => 0..90_usize, 1 => Just(usize::MAX)]
}

fn any_alpha() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 0.0..1.0_f64, 2 => prop::sample::select(vec![0.0, 1.0, -1.0, 2.0])]
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let horizon = (0..200_u64).prop_map(Duration::from_millis);
        let extrapolated = horizon.prop_map(|horizon| Way::With(Smoothing::Extrapolate { horizon }));
        let way = prop_oneof![5 => prop::sample::select(WAYS), 1 => extrapolated];
        let bodies = prop::collection::vec(any_motion(), 0..80);
        (way, bodies)
            .prop_map(|(way, bodies)| Self {
                way,
                bodies: bodies.into_iter().map(Smoothed::new).collect(),
                saved: Vec::new(),
                removed: None,
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Call> {
        prop_oneof![
            2 => any_motion().prop_map(Call::Push),
            2 => any_index().prop_map(Call::SwapRemove),
            4 => Just(Call::BeginStep),
            6 => (any_index(), any_motion()).prop_map(|(index, state)| Call::Set(index, state)),
            1 => prop::collection::vec(any_motion(), 0..90).prop_map(Call::SetAll),
            2 => (any_index(), prop::collection::vec(any_motion(), 0..50))
                .prop_map(|(start, states)| Call::SetRange(start, states)),
            2 => (any_index(), any_motion()).prop_map(|(index, state)| Call::Teleport(index, state)),
            2 => (any_index(), any_motion()).prop_map(|(index, state)| Call::Reset(index, state)),
            2 => (any_index(), any_motion()).prop_map(|(index, by)| Call::Shift(index, by.velocity)),
            6 => any_alpha().prop_map(Call::Draw),
            1 => Just(Call::Save),
            1 => Just(Call::Restore),
        ]
        .boxed()
    }

    fn apply(mut model: Self, call: &Call) -> Self {
        let bodies = &mut model.bodies;
        match call {
            Call::Push(state) => bodies.push(Smoothed::new(*state)),
            Call::SwapRemove(index) => {
                model.removed = (*index < bodies.len()).then(|| *bodies.swap_remove(*index).current());
            }
            Call::BeginStep => bodies.iter_mut().for_each(Smoothed::begin_step),
            Call::Set(index, state) => bodies.get_mut(*index).into_iter().for_each(|body| body.set(*state)),
            Call::SetAll(states) => bodies.iter_mut().zip(states).for_each(|(body, state)| body.set(*state)),
            Call::SetRange(start, states) => {
                let bodies = bodies.iter_mut().skip(*start);
                bodies.zip(states).for_each(|(body, state)| body.set(*state));
            }
            Call::Teleport(index, state) => {
                if let Some(body) = bodies.get_mut(*index) {
                    body.teleport();
                    body.set(*state);
                }
            }
            Call::Reset(index, state) => {
                bodies
                    .get_mut(*index)
                    .into_iter()
                    .for_each(|body| *body = Smoothed::new(*state));
            }
            Call::Shift(index, by) => {
                bodies
                    .get_mut(*index)
                    .into_iter()
                    .for_each(|body| body.shift(|state| shift(state, *by)));
            }
            Call::Save => model.saved.clone_from(bodies),
            Call::Restore => bodies.clone_from(&model.saved),
            Call::Draw(_) => {}
        }
        model
    }
}

fn shift(state: &mut Motion2, [x, y]: [f32; 2]) {
    state.pose.position[0] += x;
    state.pose.position[1] += y;
}

/// The drawn pose of a body. A body that has not moved is drawn at its state.
fn drawn(body: &Smoothed<Motion2>, way: Way, alpha: f64) -> Pose2 {
    let (previous, current) = (body.previous().pose, body.current().pose);
    match way {
        Way::With(Smoothing::Extrapolate { horizon }) => {
            let seconds = (alpha * DT).clamp(0.0, horizon.as_secs_f64());
            let moves = previous != current && seconds > 0.0;
            if moves {
                body.current().extrapolate(seconds).pose
            } else {
                current
            }
        }
        Way::With(Smoothing::Hermite) if previous == current => current,
        Way::With(smoothing) => body.drawn(smoothing, alpha, DT).pose,
        _ => body.at(alpha).pose,
    }
}

fn matrix(pose: &Pose2) -> Matrix {
    let Rot2 { cos, sin } = pose.rotation;
    [[cos, sin], [-sin, cos], pose.position]
}

/// A turn that is blended with itself is normalised again, beside bodies that move.
fn is_near(one: &Matrix, other: &Matrix) -> bool {
    let numbers = one.iter().flatten().zip(other.iter().flatten());
    numbers
        .into_iter()
        .all(|(one, other)| (one - other).abs() <= 2.0 * f32::EPSILON)
}

fn assert_drawn(came: &[Matrix], model: &Model, way: Way, alpha: f64) {
    assert_drawn_from(0, came, model, way, alpha);
}

fn assert_drawn_from(start: usize, came: &[Matrix], model: &Model, way: Way, alpha: f64) {
    for (came, body) in came.iter().zip(model.bodies.iter().skip(start)) {
        let expected = matrix(&drawn(body, way, alpha));
        let rests = body.previous().pose == body.current().pose;
        assert!(
            *came == expected || (rests && is_near(came, &expected)),
            "{came:?}, not {expected:?} of {body:?}"
        );
    }
}

struct Program {
    poses: Motions2,
    saved: Motions2,
    /// The buffers of poses and matrices: those of bodies that rest are not written again. Each has states of its own.
    drawn: (Vec<Pose2>, Motions2),
    matrices: (Vec<Matrix>, Motions2),
}

impl Program {
    /// Does the same with the states of both buffers and with states that are never drawn.
    fn each(&mut self, mut change: impl FnMut(&mut Motions2)) {
        change(&mut self.poses);
        change(&mut self.drawn.1);
        change(&mut self.matrices.1);
    }

    fn draw(&mut self, model: &Model, alpha: f64) {
        let ((drawn, poses), (matrices, of_matrices)) = (&mut self.drawn, &mut self.matrices);
        match model.way {
            Way::Straight => {
                call!(poses.blend(alpha, drawn));
                call!(of_matrices.blend_matrices(alpha, matrices));
            }
            Way::With(smoothing) => {
                call!(poses.blend_with(smoothing, alpha, DT, drawn));
                call!(of_matrices.blend_matrices_with(smoothing, alpha, DT, matrices));
            }
        }
        assert_drawn(&drawn.iter().map(matrix).collect::<Vec<_>>(), model, model.way, alpha);
        assert_drawn(matrices, model, model.way, alpha);
        let poses = &mut self.poses;
        let mut all = vec![Pose2::IDENTITY; ROOM];
        call!(poses.blend_all(alpha, &mut all));
        assert_drawn(&all.iter().map(matrix).collect::<Vec<_>>(), model, Way::Straight, alpha);
        let mut all = vec![Matrix::default(); ROOM];
        call!(poses.blend_all_matrices(alpha, &mut all));
        assert_drawn(&all, model, Way::Straight, alpha);
        for (start, count) in RANGES {
            let mut some = vec![Pose2::IDENTITY; count];
            call!(poses.blend_range(start, alpha, &mut some));
            let some: Vec<Matrix> = some.iter().map(matrix).collect();
            assert_drawn_from(start, &some, model, Way::Straight, alpha);
            let mut some = vec![Matrix::default(); count];
            call!(poses.blend_range_matrices(start, alpha, &mut some));
            assert_drawn_from(start, &some, model, Way::Straight, alpha);
        }
    }
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let mut poses = call!(Motions2::new());
        for body in &model.bodies {
            call!(poses.push(*body.current()));
        }
        Self {
            saved: Motions2::default(),
            drawn: (vec![Pose2::IDENTITY; ROOM], poses.clone()),
            matrices: (vec![Matrix::default(); ROOM], poses.clone()),
            poses,
        }
    }

    fn apply(mut program: Self, model: &Model, call: Call) -> Self {
        match call {
            Call::Push(state) => program.each(|poses| assert_eq!(poses.push(state) + 1, model.bodies.len())),
            Call::SwapRemove(index) => {
                program.each(|poses| assert_eq!(call!(poses.swap_remove(index)), model.removed));
            }
            Call::BeginStep => program.each(|poses| call!(poses.begin_step())),
            Call::Set(index, state) => {
                program.each(|poses| assert_eq!(call!(poses.set(index, state)), index < poses.len()))
            }
            Call::SetAll(states) => {
                program.each(|poses| assert_eq!(call!(poses.set_all(&states)), states.len() <= poses.len()))
            }
            Call::SetRange(start, states) => program.each(|poses| {
                assert_eq!(
                    call!(poses.set_range(start, &states)),
                    states.is_empty() || start.saturating_add(states.len()) <= poses.len()
                )
            }),
            Call::Teleport(index, state) => {
                program.each(|poses| assert_eq!(call!(poses.teleport(index, state)), index < poses.len()))
            }
            Call::Reset(index, state) => {
                program.each(|poses| assert_eq!(call!(poses.reset(index, state)), index < poses.len()))
            }
            Call::Shift(index, by) => program
                .each(|poses| assert_eq!(call!(poses.shift(index, |state| shift(state, by))), index < poses.len())),
            Call::Draw(alpha) => program.draw(model, alpha),
            Call::Save => program.saved = program.poses.clone(),
            Call::Restore => {
                let saved = program.saved.clone();
                program.each(|poses| {
                    let step = call!(poses.step());
                    call!(poses.restore(&saved));
                    assert!(poses.step() > step, "steps are counted on");
                    assert_eq!(
                        call!(poses.moved_since(poses.step()))
                            .map(|range| range.len())
                            .sum::<usize>(),
                        poses.len()
                    );
                });
            }
        }
        program
    }

    fn check_invariants(Self { poses, .. }: &Self, model: &Model) {
        assert_eq!(call!(poses.len()), model.bodies.len());
        assert_eq!(call!(poses.is_empty()), model.bodies.is_empty());
        for (index, body) in model.bodies.iter().enumerate() {
            assert_eq!(call!(poses.previous(index)), Some(*body.previous()));
            assert_eq!(call!(poses.current(index)), Some(*body.current()));
            assert_eq!(call!(poses.has_teleported(index)), body.is_teleport());
        }
        let beyond = model.bodies.len();
        assert_eq!(
            (
                poses.previous(beyond),
                poses.current(beyond),
                poses.has_teleported(beyond)
            ),
            (None, None, false)
        );
    }
}

#[test]
fn many_bodies_are_drawn_as_each_by_itself() {
    script::run::<Program>(64, 80);
    let source = include_str!("../../src/poses/many.rs");
    CALLS.assert_complete("Poses", &[source], &[]);
}
