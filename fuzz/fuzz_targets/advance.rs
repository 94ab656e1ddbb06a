//! After any calls a timestep neither panics nor grants more than it may.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use evenstep::{Backlog, FixedTimestep, Overrun, Rate, TimeScale, Smoothing};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Action {
    Advance { secs: u64, nanos: u32 },
    AdvanceShortly(u32),
    GiveBack { nanos: u32, steps: u32 },
    Scale(u32, u32),
    Drop,
    Carry(Duration),
    Stretch(u32, u32),
    MaxSteps(u32),
    MaxDelta(Duration),
    StepOnce,
    Pause,
    Resume,
    Resync,
    Reset,
}

fuzz_target!(|input: (u32, u32, Vec<Action>)| {
    let (numer, denom, actions) = input;
    let Ok(rate) = Rate::new(numer, denom) else { return };
    let mut timestep = FixedTimestep::new(rate);
    for action in actions {
        let before = timestep.tick();
        let frame = match action {
            Action::Advance { secs, nanos } => timestep.advance(Duration::new(secs, nanos % 1_000_000_000)),
            Action::AdvanceShortly(nanos) => timestep.advance(Duration::from_nanos(nanos.into())),
            Action::GiveBack { nanos, steps } => {
                let frame = timestep.advance(Duration::from_nanos(nanos.into()));
                timestep.give_back(frame, steps)
            }
            other => {
                change(&mut timestep, other);
                continue;
            }
        };
        assert_eq!(before + frame.steps().len() as u64, timestep.tick());
        assert!(frame.steps().len() as u64 <= u64::from(timestep.max_steps()) + u64::from(frame.single_steps()));
        assert!((0.0..1.0).contains(&frame.alpha()) && (frame.alpha() as f32) < 1.0);
        assert!(frame.overstep().as_secs_f64().is_finite() && frame.shown_time(Smoothing::Interpolate).as_secs_f64().is_finite());
    }
});

fn change(timestep: &mut FixedTimestep, action: Action) {
    match action {
        Action::Scale(numer, denom) => {
            if let Ok(scale) = TimeScale::new(numer, denom) {
                timestep.set_time_scale(scale);
            }
        }
        Action::Drop => timestep.set_overrun(Overrun::Drop),
        Action::Carry(max_backlog) => timestep.set_overrun(Overrun::Carry { max_backlog }),
        Action::Stretch(numer, denom) => {
            if let Ok(max_speed) = TimeScale::new(numer, denom) {
                timestep.set_overrun(Overrun::Stretch { max_speed });
            }
        }
        Action::MaxSteps(steps) => timestep.set_max_steps(steps),
        Action::MaxDelta(delta) => timestep.set_max_delta(delta),
        Action::StepOnce => timestep.step_once(),
        Action::Pause => timestep.pause(),
        Action::Resume => timestep.resume(Backlog::Keep),
        Action::Resync => timestep.resume(Backlog::Drop),
        Action::Reset => timestep.reset(),
        Action::Advance { .. } | Action::AdvanceShortly(_) | Action::GiveBack { .. } => {}
    }
}
