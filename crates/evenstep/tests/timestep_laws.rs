//! That time does not drift, for a century; the machine of `FixedTimestep` compares every call with exact arithmetic.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, SimTime, TimeScale};
use num_bigint::BigInt;
use num_rational::BigRational;

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

fn scale(scale: TimeScale) -> Exact {
    ratio(scale.numer(), scale.denom())
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
