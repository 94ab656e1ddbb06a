//! Laws of `FixedTimestep` in exact arithmetic; its machine compares every call with such arithmetic.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, SimTime, Smoothing, TimeScale};
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

fn secs(duration: Duration) -> Exact {
    ratio(duration.as_nanos(), 1_000_000_000)
}

fn period(rate: Rate) -> Exact {
    ratio(rate.denom(), rate.numer())
}

fn scale(scale: TimeScale) -> Exact {
    ratio(scale.numer(), scale.denom())
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

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
            prop_assert_eq!(timestep.advance(Duration::ZERO).alpha(), before);
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
                let shown = instant(frame.shown_time(Smoothing::Interpolate)) - instant(before.shown_time(Smoothing::Interpolate));
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
            prop_assert_eq!(instant(frame.shown_time(Smoothing::Interpolate)), shown);
        }
    }
}

#[test]
fn a_century_of_frames_does_not_drift() {
    let half_day = Duration::from_secs(43_200);
    let half_days = 2 * 36_525;
    for (rate, ticks) in [
        (Rate::hz(60), 3_155_760_000 * 60),
        (Rate::new(60_000, 1_001).unwrap(), 3_155_760_000 * 60_000 / 1_001),
        (Rate::new(5_994, 100).unwrap(), 3_155_760_000 * 5_994 / 100),
        (Rate::hz(144), 3_155_760_000 * 144),
        (Rate::new(1_000, 7).unwrap(), 3_155_760_000 * 1_000 / 7),
    ] {
        let mut timestep = FixedTimestep::new(rate)
            .with_max_delta(half_day)
            .with_max_steps(u32::MAX);
        for _ in 0..half_days {
            // Uneven thirds, so that no third ends exactly on the grid.
            let parts = [Duration::from_nanos(1), Duration::from_nanos(7_777_777_777)];
            for part in [parts[0], parts[1], half_day - parts[0] - parts[1]] {
                let _ = timestep.advance(part);
            }
        }
        assert_eq!(timestep.tick(), ticks, "at {rate}");
    }
}

#[test]
fn at_a_constant_scale_simulated_time_stays_within_a_nanosecond_of_exact() {
    for (numer, denom, secs_of_frame) in [
        (1, 3, 31_557), // a century of them
        (7, 9, 31_557),
        (1_000_003, 999_983, 15_000),
        (u32::MAX - 4, u32::MAX, 3),
    ] {
        let speed = TimeScale::new(numer, denom).unwrap();
        let mut timestep = FixedTimestep::new(Rate::new(60_000, 1_001).unwrap())
            .with_time_scale(speed)
            .with_max_steps(u32::MAX)
            .with_max_delta(Duration::MAX);
        let mut elapsed = Duration::ZERO;
        for n in 0..100_000 {
            let delta = Duration::new(secs_of_frame, 600_000_000 - n);
            elapsed += delta;
            let frame = timestep.advance(delta);
            if n % 1000 == 999 {
                let simulated = instant(SimTime::at_tick(frame.tick(), timestep.rate()) + frame.overstep());
                let missing = secs(elapsed) * scale(speed) - simulated;
                assert!(missing >= ratio(0, 1) && missing < ratio(1, 1_000_000_000), "{missing}");
            }
        }
    }
}
