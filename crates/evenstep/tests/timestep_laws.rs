//! The laws of `FixedTimestep`, over the whole domain of its inputs, in exact arithmetic.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Overrun, Rate, SimDuration, SimTime, TimeScale};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

type Exact = BigRational;

fn ratio(numer: impl Into<BigInt>, denom: impl Into<BigInt>) -> Exact {
    Exact::new(numer.into(), denom.into())
}

fn instant(time: SimTime) -> Exact {
    let (numer, denom) = time.subsec();
    ratio(time.secs(), 1) + ratio(numer, denom)
}

fn length(time: SimDuration) -> Exact {
    let (numer, denom) = time.subsec();
    ratio(time.secs(), 1) + ratio(numer, denom)
}

fn secs(duration: Duration) -> Exact {
    ratio(duration.as_nanos(), 1_000_000_000)
}

fn period(rate: Rate) -> Exact {
    ratio(rate.denom(), rate.numer())
}

fn scale(scale: TimeScale) -> Exact {
    ratio(scale.numer(), scale.denom())
}

/// What a program can do to a timestep between two frames.
#[derive(Clone, Debug)]
enum Action {
    Advance(Duration),
    AdvanceAndGiveBack(Duration, u32),
    Scale(TimeScale),
    Overrun(Overrun),
    MaxSteps(u32),
    MaxDelta(Duration),
    StepOnce,
    Suspend,
    Resume,
    Resync,
}

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0..50_000_000_u64).prop_map(Duration::from_nanos),
        2 => (0..10_000_000_000_u64).prop_map(Duration::from_nanos),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
        1 => Just(Duration::ZERO),
        1 => Just(Duration::MAX),
    ]
}

fn any_rate() -> impl Strategy<Value = Rate> {
    prop_oneof![
        4 => (1..1000_u32, 1..50_u32),
        2 => Just((60_000, 1_001)),
        1 => (1..=u32::MAX, 1..=u32::MAX),
        1 => Just((u32::MAX, 1)),
        1 => Just((1, u32::MAX)),
    ]
    .prop_map(|(numer, denom)| Rate::new(numer, denom).unwrap())
}

fn any_scale() -> impl Strategy<Value = TimeScale> {
    prop_oneof![
        4 => (0..20_u32, 1..20_u32),
        1 => (any::<u32>(), 1..=u32::MAX),
    ]
    .prop_map(|(numer, denom)| TimeScale::new(numer, denom).unwrap())
}

fn any_overrun() -> impl Strategy<Value = Overrun> {
    prop_oneof![
        Just(Overrun::Drop),
        any_duration().prop_map(|max_backlog| Overrun::Carry { max_backlog }),
        any_scale().prop_map(|max_speed| Overrun::Stretch { max_speed }),
    ]
}

fn any_max_steps() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..20_u32, 1 => any::<u32>()]
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        12 => any_duration().prop_map(Action::Advance),
        2 => (any_duration(), any_max_steps()).prop_map(|(delta, unrun)| Action::AdvanceAndGiveBack(delta, unrun)),
        2 => any_scale().prop_map(Action::Scale),
        1 => any_overrun().prop_map(Action::Overrun),
        1 => any_max_steps().prop_map(Action::MaxSteps),
        1 => any_duration().prop_map(Action::MaxDelta),
        1 => Just(Action::StepOnce),
        1 => Just(Action::Suspend),
        2 => Just(Action::Resume),
        1 => Just(Action::Resync),
    ]
}

/// Both sides of the conservation law, kept up frame by frame.
struct Ledger {
    rate: Rate,
    ticks: Exact,
    arrived: Exact,
    given: Exact,
}

impl Ledger {
    fn new(rate: Rate) -> Self {
        let zero = || ratio(0, 1);
        Self {
            rate,
            ticks: zero(),
            arrived: zero(),
            given: zero(),
        }
    }

    fn enter(&mut self, frame: &Frame, delta: Duration, at: TimeScale) {
        let lost = frame.lost();
        let period = period(self.rate);
        self.ticks += ratio(frame.steps().len(), 1);
        self.arrived += secs(delta - lost.suspended) * scale(at) + ratio(frame.single_steps(), 1) * &period;
        self.given += secs(lost.clamped) * scale(at) + ratio(lost.dropped, 1) * &period + length(lost.rounded);
    }

    fn assert_conserved(&self, frame: &Frame) {
        let stepped = &self.ticks * period(self.rate);
        assert_eq!(stepped + length(frame.overstep()) + &self.given, self.arrived);
    }
}

fn assert_well_formed(frame: &Frame, rate: Rate) {
    assert!((0.0..1.0).contains(&frame.alpha()), "alpha {}", frame.alpha());
    assert!(
        (0.0..1.0).contains(&(frame.alpha() as f32)),
        "alpha as f32 {}",
        frame.alpha() as f32
    );
    assert!(frame.is_behind() || length(frame.overstep()) < period(rate));
    let first = frame.tick() - frame.steps().len() as u64;
    for (tick, step) in (first..).zip(frame.steps().take(8)) {
        assert_eq!(step.tick, tick);
        if ratio(tick + 1, 1) * period(rate) >= ratio(u64::MAX, 1) {
            assert_eq!(step.end().secs(), u64::MAX); // 584 billion years: it says so, and stays there
            continue;
        }
        assert_eq!(instant(step.start()), ratio(tick, 1) * period(rate));
        assert_eq!(instant(step.end()), ratio(tick + 1, 1) * period(rate));
    }
}

/// Everything but a frame.
fn set(timestep: &mut FixedTimestep, action: Action) {
    match action {
        Action::Advance(_) | Action::AdvanceAndGiveBack(..) => {}
        Action::Scale(scale) => timestep.set_time_scale(scale),
        Action::Overrun(overrun) => timestep.set_overrun(overrun),
        Action::MaxSteps(max_steps) => timestep.set_max_steps(max_steps),
        Action::MaxDelta(max_delta) => timestep.set_max_delta(max_delta),
        Action::StepOnce => timestep.step_once(),
        Action::Suspend => timestep.suspend(),
        Action::Resume => timestep.resume(),
        Action::Resync => timestep.resync(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn time_is_conserved_under_any_calls(
        rate in any_rate(),
        actions in prop::collection::vec(any_action(), 1..40),
    ) {
        let mut timestep = FixedTimestep::new(rate);
        let mut ledger = Ledger::new(rate);
        let mut enter = |timestep: &mut FixedTimestep, delta, unrun| {
            let at = timestep.time_scale();
            let frame = timestep.advance(delta);
            let frame = timestep.give_back(frame, unrun);
            ledger.enter(&frame, delta, at);
            ledger.assert_conserved(&frame);
            assert_well_formed(&frame, rate);
        };
        for action in actions {
            match action {
                Action::Advance(delta) => enter(&mut timestep, delta, 0),
                Action::AdvanceAndGiveBack(delta, unrun) => enter(&mut timestep, delta, unrun),
                other => set(&mut timestep, other),
            }
        }
        enter(&mut timestep, Duration::from_millis(10), 0);
    }

    #[test]
    fn without_a_cap_the_tick_count_is_the_floor_of_time_times_rate(
        rate in any_rate(),
        deltas in prop::collection::vec((0..400_000_000_u64).prop_map(Duration::from_nanos), 1..50),
    ) {
        let mut timestep = FixedTimestep::new(rate).with_max_steps(u32::MAX).with_max_delta(Duration::MAX);
        let mut elapsed = Duration::ZERO;
        for delta in deltas {
            let frame = timestep.advance(delta);
            elapsed += delta - frame.lost().clamped;
            let ticks = (secs(elapsed) / period(rate)).floor().to_integer();
            prop_assert_eq!(BigInt::from(frame.tick()), ticks);
        }
    }

    #[test]
    fn with_drop_alpha_is_the_same_as_without_the_cap(
        rate in any_rate(),
        max_steps in 1..4_u32,
        deltas in prop::collection::vec((0..250_000_000_u64).prop_map(Duration::from_nanos), 1..50),
    ) {
        let mut capped = FixedTimestep::new(rate).with_max_steps(max_steps);
        let mut free = FixedTimestep::new(rate).with_max_steps(u32::MAX);
        for delta in deltas {
            prop_assert_eq!(capped.advance(delta).alpha(), free.advance(delta).alpha());
        }
    }

    #[test]
    fn a_change_of_scale_leaves_alpha_where_it_is(
        rate in any_rate(),
        delta in (0..250_000_000_u64).prop_map(Duration::from_nanos),
        scales in prop::collection::vec(any_scale(), 1..6),
    ) {
        let mut timestep = FixedTimestep::new(rate).with_max_steps(u32::MAX);
        let before = timestep.advance(delta).alpha();
        for scale in scales {
            timestep.set_time_scale(scale);
            let after = timestep.advance(Duration::ZERO).alpha();
            prop_assert!((after - before).abs() < 1e-8, "{} became {}", before, after);
        }
    }

    #[test]
    fn scales_with_small_denominators_never_round(
        rate in any_rate(),
        changes in prop::collection::vec((0..30_u32, 1..=16_u32, 0..100_000_000_u64), 1..60),
    ) {
        let mut timestep = FixedTimestep::new(rate);
        for (numer, denom, nanos) in changes {
            timestep.set_time_scale(TimeScale::new(numer, denom).unwrap());
            prop_assert!(timestep.advance(Duration::from_nanos(nanos)).lost().rounded.is_zero());
        }
    }

    #[test]
    fn stretching_never_runs_faster_than_its_speed_while_behind(
        speed in (11..40_u32).prop_map(|tenths| TimeScale::new(tenths, 10).unwrap()),
        deltas in prop::collection::vec((1..60_000_000_u64).prop_map(Duration::from_nanos), 2..80),
    ) {
        let mut timestep = FixedTimestep::new(Rate::hz(60))
            .with_max_steps(3)
            .with_overrun(Overrun::Stretch { max_speed: speed });
        let mut before = timestep.advance(Duration::ZERO);
        for delta in deltas {
            let frame = timestep.advance(delta);
            if before.is_behind() && before.tick() > 0 {
                let shown = instant(frame.drawn_time()) - instant(before.drawn_time());
                prop_assert!(shown <= secs(delta) * scale(speed));
            }
            before = frame;
        }
    }

    #[test]
    fn the_drawn_time_is_the_sum_of_deltas_less_one_period(
        rate in any_rate(),
        deltas in prop::collection::vec((0..250_000_000_u64).prop_map(Duration::from_nanos), 1..50),
    ) {
        let mut timestep = FixedTimestep::new(rate).with_max_steps(u32::MAX);
        let mut elapsed = Duration::ZERO;
        for delta in deltas {
            let frame = timestep.advance(delta);
            elapsed += delta - frame.lost().clamped;
            let shown = if frame.tick() == 0 { ratio(0, 1) } else { secs(elapsed) - period(rate) };
            prop_assert_eq!(instant(frame.drawn_time()), shown);
        }
    }
}

#[test]
fn a_century_of_frames_does_not_drift() {
    let day = Duration::from_secs(86_400);
    let days = 36_525;
    for (rate, ticks) in [
        (Rate::hz(60), 3_155_760_000 * 60),
        (Rate::new(60_000, 1_001).unwrap(), 3_155_760_000 * 60_000 / 1_001),
        (Rate::new(5_994, 100).unwrap(), 3_155_760_000 * 5_994 / 100),
        (Rate::hz(144), 3_155_760_000 * 144),
        (Rate::new(1_000, 7).unwrap(), 3_155_760_000 * 1_000 / 7),
    ] {
        let mut timestep = FixedTimestep::new(rate).with_max_delta(day).with_max_steps(u32::MAX);
        for _ in 0..days {
            // Uneven thirds, so that no day ends exactly on the grid.
            let parts = [Duration::from_nanos(1), Duration::from_nanos(7_777_777_777)];
            for part in [parts[0], parts[1], day - parts[0] - parts[1]] {
                let _ = timestep.advance(part);
            }
        }
        assert_eq!(timestep.tick(), ticks, "at {rate}");
    }
}
