//! The ways of stepping that a `FixedTimestep` is compared with.

use std::time::Duration;

use evenstep::compare::{EitherFrame, Timestep, VariableFrame, VariableTimestep};
use evenstep::{FixedTimestep, Rate, SimTime, TimeScale};

const MS: Duration = Duration::from_millis(1);

#[test]
fn variable_stepping_runs_one_step_of_the_whole_delta() {
    let mut timestep = VariableTimestep::new();
    let lengths = |frame: VariableFrame| frame.steps().map(|step| step.dt).collect::<Vec<_>>();
    assert_eq!(lengths(timestep.advance(20 * MS)), [0.02]);
    assert_eq!(lengths(timestep.advance(Duration::ZERO)), [0.0; 0]);
    let clamped = timestep.advance(Duration::from_secs(1));
    assert_eq!((lengths(clamped), clamped.lost().clamped), (vec![0.25], 750 * MS));
    let clamped = EitherFrame::from(clamped);
    assert_eq!(clamped.drawn_time(), SimTime::at(270 * MS));
    assert!(clamped.alpha() > 0.999_999 && (clamped.alpha() as f32) < 1.0);
}

#[test]
fn semi_fixed_stepping_runs_whole_steps_and_a_rest() {
    let mut timestep = VariableTimestep::semi_fixed(Rate::hz(100));
    let frame = timestep.advance(25 * MS);
    let spans: Vec<_> = frame.steps().map(|step| (step.dt, step.end())).collect();
    assert_eq!(
        spans,
        [
            (0.01, SimTime::at(10 * MS)),
            (0.01, SimTime::at(20 * MS)),
            (0.005, SimTime::at(25 * MS))
        ]
    );
}

#[test]
fn locked_stepping_runs_one_fixed_step_a_frame() {
    let mut timestep = VariableTimestep::locked(Rate::hz(60));
    for delta in [Duration::ZERO, MS, Duration::MAX] {
        let frame = timestep.advance(delta);
        assert_eq!(frame.steps().map(|step| step.dt).collect::<Vec<_>>(), [1.0 / 60.0]);
        assert_eq!(frame.current_time(), SimTime::at_tick(frame.tick(), Rate::hz(60)));
    }
    timestep.set_time_scale(TimeScale::PAUSED);
    assert_eq!(timestep.advance(MS).steps().len(), 0);
}

#[test]
fn variable_stepping_accepts_any_delta_and_scale() {
    for scale in [(0, 1), (1, u32::MAX), (u32::MAX, 1), (u32::MAX, u32::MAX - 1)] {
        let scale = TimeScale::new(scale.0, scale.1).unwrap();
        for mut timestep in [
            VariableTimestep::new(),
            VariableTimestep::semi_fixed(Rate::hz(u32::MAX)),
        ] {
            timestep.set_time_scale(scale);
            timestep.set_max_delta(Duration::MAX);
            for delta in [Duration::MAX, Duration::from_nanos(1), Duration::MAX] {
                let frame = timestep.advance(delta);
                assert!(frame.steps().take(3).all(|step| step.dt.is_finite()));
            }
        }
    }
}

#[test]
fn a_program_can_switch_between_fixed_and_variable_steps() {
    for mut timestep in [
        Timestep::from(FixedTimestep::new(Rate::hz(50))),
        Timestep::from(VariableTimestep::new()),
    ] {
        timestep.set_time_scale(TimeScale::new(1, 2).unwrap());
        let simulated: f64 = timestep.advance(80 * MS).steps().map(|step| step.dt).sum();
        assert_eq!(simulated, 0.04);
    }
}
