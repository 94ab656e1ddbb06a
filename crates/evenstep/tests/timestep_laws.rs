//! That time does not drift, for a century; the machine of `FixedTimestep` compares every call with exact arithmetic.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate};

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
