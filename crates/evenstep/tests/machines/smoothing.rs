//! `Smoothed` against two plain states, and `Correction` against its documentation.

use std::time::Duration;

use evenstep::history::Correction;
use evenstep::{PositionVelocity, Smoothed, Smoothing};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::script;

mod smoothed {
    use super::*;

    static CALLS: Calls = Calls::new();

    type State = PositionVelocity<f64>;

    #[derive(Clone, Debug)]
    enum Call {
        Step(f64),
        BeginStep,
        Set(f64),
        Change(f64),
        SetPrevious(f64),
        Teleport,
        Shift(f64),
        At(f64),
        Drawn(Smoothing, f64, f64),
        Save,
        Restore,
    }

    #[derive(Clone, Debug)]
    struct Model {
        previous: f64,
        current: f64,
        has_teleported: bool,
        saved: Option<(f64, f64, bool)>,
    }

    fn moving(position: f64) -> State {
        PositionVelocity {
            position,
            velocity: position / 2.0,
        }
    }

    impl Model {
        /// The drawn state, on a straight path.
        fn at(&self, alpha: f64) -> f64 {
            if alpha <= 0.0 {
                self.previous
            } else if alpha >= 1.0 || self.has_teleported {
                self.current
            } else {
                self.previous + (self.current - self.previous) * alpha
            }
        }
    }

    fn any_alpha() -> impl Strategy<Value = f64> {
        prop_oneof![8 => 0.0..1.0_f64, 1 => prop::sample::select(vec![-1.0, 0.0, 1.0, 7.0])]
    }

    impl ReferenceStateMachine for Model {
        type State = Self;
        type Transition = Call;

        fn init_state() -> BoxedStrategy<Self> {
            (-100.0..100.0_f64)
                .prop_map(|first| Self {
                    previous: first,
                    current: first,
                    has_teleported: false,
                    saved: None,
                })
                .boxed()
        }

        fn transitions(_: &Self) -> BoxedStrategy<Call> {
            let number = || prop_oneof![8 => -100.0..100.0_f64, 1 => prop::sample::select(vec![0.0, -0.0, 1e300])];
            let horizon = prop_oneof![
                Just(Duration::ZERO),
                (0..200_u64).prop_map(Duration::from_millis),
                Just(Duration::MAX)
            ];
            let smoothing = prop_oneof![
                Just(Smoothing::None),
                Just(Smoothing::Interpolate),
                Just(Smoothing::Hermite),
                horizon.prop_map(|horizon| Smoothing::Extrapolate { horizon }),
            ];
            prop_oneof![
                2 => (-9.0..9.0_f64).prop_map(Call::Step),
                4 => Just(Call::BeginStep),
                4 => number().prop_map(Call::Set),
                2 => (-9.0..9.0_f64).prop_map(Call::Change),
                1 => number().prop_map(Call::SetPrevious),
                1 => Just(Call::Teleport),
                1 => (-9.0..9.0_f64).prop_map(Call::Shift),
                4 => any_alpha().prop_map(Call::At),
                4 => (smoothing, any_alpha(), 0.0..0.1_f64).prop_map(|(smoothing, alpha, dt)| Call::Drawn(smoothing, alpha, dt)),
                1 => Just(Call::Save),
                1 => Just(Call::Restore),
            ]
            .boxed()
        }

        fn apply(mut model: Self, call: &Call) -> Self {
            match call {
                Call::Step(by) => {
                    (model.previous, model.has_teleported) = (model.current, false);
                    model.current += by;
                }
                Call::BeginStep => (model.previous, model.has_teleported) = (model.current, false),
                Call::Set(state) => model.current = *state,
                Call::Change(by) => model.current += by,
                Call::SetPrevious(state) => (model.previous, model.has_teleported) = (*state, false),
                Call::Teleport => model.has_teleported = true,
                Call::Shift(by) => {
                    model.previous += by;
                    model.current += by;
                }
                Call::Save => model.saved = Some((model.previous, model.current, model.has_teleported)),
                Call::Restore => {
                    if let Some(saved) = model.saved {
                        (model.previous, model.current, model.has_teleported) = saved;
                    }
                }
                Call::At(_) | Call::Drawn(..) => {}
            }
            model
        }
    }

    struct Program {
        smoothed: Smoothed<State>,
        saved: Option<Smoothed<State>>,
    }

    impl StateMachineTest for Program {
        type SystemUnderTest = Self;
        type Reference = Model;

        fn init_test(model: &Model) -> Self {
            let smoothed = call!(Smoothed::new(moving(model.current)));
            Self { smoothed, saved: None }
        }

        fn apply(mut program: Self, model: &Model, call: Call) -> Self {
            let Self { smoothed, saved } = &mut program;
            match call {
                Call::Step(by) => {
                    let position = call!(smoothed.step(|state| {
                        *state = moving(state.position + by);
                        state.position
                    }));
                    assert_eq!(position, model.current);
                }
                Call::BeginStep => call!(smoothed.begin_step()),
                Call::Set(state) => call!(smoothed.set(moving(state))),
                Call::Change(_) => *call!(smoothed.current_mut()) = moving(model.current),
                Call::SetPrevious(state) => call!(smoothed.set_previous(moving(state))),
                Call::Teleport => call!(smoothed.teleport()),
                Call::Shift(by) => call!(smoothed.shift(|state| *state = moving(state.position + by))),
                Call::At(alpha) => assert_eq!(call!(smoothed.at(alpha)).position, model.at(alpha)),
                Call::Drawn(smoothing, alpha, dt) => {
                    let drawn = call!(smoothed.drawn(smoothing, alpha, dt)).position;
                    match smoothing {
                        Smoothing::None => assert_eq!(drawn, model.current),
                        Smoothing::Interpolate => assert_eq!(drawn, model.at(alpha)),
                        Smoothing::Extrapolate { horizon } => {
                            let ahead = (alpha * dt).clamp(0.0, horizon.as_secs_f64());
                            assert_eq!(drawn, model.current + model.current / 2.0 * ahead);
                        }
                        Smoothing::Hermite if model.has_teleported || alpha <= 0.0 || alpha >= 1.0 => {
                            assert_eq!(drawn, model.at(alpha));
                        }
                        Smoothing::Hermite => {
                            // No farther off the straight way than the velocities can carry it.
                            let most = (model.previous.abs() + model.current.abs()) * (dt + 1.0);
                            assert!((drawn - model.at(alpha)).abs() <= most, "{drawn}");
                        }
                        _ => unreachable!("no other smoothing is generated"),
                    }
                }
                Call::Save => *saved = Some(*smoothed),
                Call::Restore => {
                    if let Some(saved) = saved {
                        *smoothed = *saved;
                    }
                }
            }
            program
        }

        fn check_invariants(Self { smoothed, .. }: &Self, model: &Model) {
            assert_eq!(call!(smoothed.previous()).position.to_bits(), model.previous.to_bits());
            assert_eq!(call!(smoothed.current()).position.to_bits(), model.current.to_bits());
            assert_eq!(call!(smoothed.is_teleport()), model.has_teleported);
        }
    }

    #[test]
    fn a_state_is_drawn_between_its_last_two() {
        script::run::<Program>(256, 60);
        CALLS.assert_complete("Smoothed", &[include_str!("../../src/drawing/smoothed.rs")], &[]);
    }
}

mod correction {
    use super::*;

    static CALLS: Calls = Calls::new();

    #[derive(Clone, Debug)]
    enum Call {
        /// The truth moves by this, and the drawn state stays.
        Correct(f32),
        /// The truth is given again, unchanged.
        Confirm,
        /// Something was drawn somewhere, and the truth is somewhere.
        CorrectAt(f32, f32),
        Advance(Duration),
    }

    #[derive(Clone, Debug)]
    struct Setting {
        duration: Duration,
        snap_beyond: f64,
    }

    impl ReferenceStateMachine for Setting {
        type State = Self;
        type Transition = Call;

        fn init_state() -> BoxedStrategy<Self> {
            let duration = prop_oneof![
                8 => (0..500_u64).prop_map(Duration::from_millis),
                1 => prop::sample::select(vec![Duration::ZERO, Duration::from_nanos(1), Duration::MAX]),
            ];
            let snap_beyond =
                prop_oneof![8 => 0.0..10.0_f64, 1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, -1.0])];
            (duration, snap_beyond)
                .prop_map(|(duration, snap_beyond)| Self { duration, snap_beyond })
                .boxed()
        }

        fn transitions(_: &Self) -> BoxedStrategy<Call> {
            // A quarter of the largest, so that differences are finite.
            let hostile = || {
                prop_oneof![
                    any::<f32>().prop_map(|far| far / 4.0),
                    -1.0..1.0_f32,
                    Just(f32::INFINITY)
                ]
            };
            let time = prop_oneof![
                8 => (0..100_000_u64).prop_map(Duration::from_micros),
                1 => prop::sample::select(vec![Duration::ZERO, Duration::MAX]),
            ];
            prop_oneof![
                4 => (-4.0..4.0_f32).prop_map(Call::Correct),
                4 => Just(Call::Confirm),
                1 => (hostile(), hostile()).prop_map(|(drawn, truth)| Call::CorrectAt(drawn, truth)),
                8 => time.prop_map(Call::Advance),
            ]
            .boxed()
        }

        fn apply(setting: Self, _: &Call) -> Self {
            setting
        }
    }

    struct Program {
        correction: Correction<f32>,
        /// How long ago the truth was last another one.
        since: Duration,
    }

    impl Program {
        fn correct(&mut self, drawn: f32, truth: f32, setting: &Setting) {
            let correction = &mut self.correction;
            call!(correction.correct(drawn, truth));
            let offset = f64::from(drawn - truth);
            let glides = offset.is_finite() && offset.abs() <= setting.snap_beyond && !setting.duration.is_zero();
            if !glides {
                assert!(call!(correction.is_done()), "{drawn} to {truth}");
            } else if offset != 0.0 {
                assert!(!correction.is_done());
                let shown = call!(correction.apply(truth));
                assert!(
                    (shown - drawn).abs() <= 1e-6 * drawn.abs().max(truth.abs()),
                    "{shown} for {drawn}"
                );
            }
        }
    }

    impl StateMachineTest for Program {
        type SystemUnderTest = Self;
        type Reference = Setting;

        fn init_test(setting: &Setting) -> Self {
            let correction = call!(Correction::new(setting.duration, setting.snap_beyond));
            Self {
                correction,
                since: Duration::MAX,
            }
        }

        fn apply(mut program: Self, setting: &Setting, call: Call) -> Self {
            let before = program.correction.apply(0.0);
            match call {
                Call::Correct(by) => {
                    program.correct(before - by, -by + by, setting);
                    program.since = Duration::ZERO;
                }
                Call::Confirm => program.correct(before, 0.0, setting),
                Call::CorrectAt(drawn, truth) => {
                    program.correct(drawn, truth, setting);
                    program.since = Duration::ZERO;
                }
                Call::Advance(time) => {
                    let correction = &mut program.correction;
                    call!(correction.advance(time));
                    program.since = program.since.saturating_add(time);
                }
            }
            program
        }

        fn check_invariants(program: &Self, setting: &Setting) {
            let shown = program.correction.apply(0.0);
            assert!(shown.is_finite(), "{shown}");
            // What was confirmed may have put off the end by the rounding of it, and is then not to be seen.
            if program.since >= setting.duration {
                assert!(
                    shown.abs() <= 1e-5 * (1.0 + setting.snap_beyond.min(f64::from(f32::MAX)) as f32),
                    "{shown}"
                );
            }
        }
    }

    #[test]
    fn a_correction_ends_in_time_and_is_continuous() {
        script::run::<Program>(256, 60);
        CALLS.assert_complete("Correction", &[include_str!("../../src/history/correction.rs")], &[]);
    }
}
