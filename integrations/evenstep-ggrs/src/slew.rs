//! The time scale of a machine that is ahead of or behind the others.

use evenstep::TimeScale;

/// The most ticks to which a machine responds: each changes its speed by a hundredth.
///
/// The number of ticks that GGRS reports is half the difference between two machines, averaged over 30 frames, so the response has a delay
/// of about 25 ticks. Both machines respond: at 1 % a difference shrinks by a hundredth of itself per tick, a quarter within the delay. So
/// the control loop does not oscillate.
const MAX_TICKS: i32 = 2;

/// The game's time scale, decreased for a machine that is `ahead` ticks ahead of the others and increased for one that is behind. Unchanged
/// where the product does not fit.
pub(crate) fn time_scale(game: TimeScale, ahead: i32) -> TimeScale {
    let ahead = ahead.clamp(-MAX_TICKS, MAX_TICKS);
    let slew = TimeScale::new(100_u32.saturating_add_signed(-ahead), 100).ok();
    slew.and_then(|slew| game.checked_mul(slew)).unwrap_or(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_ahead_runs_one_percent_slower_per_tick_and_two_percent_at_most() {
        let half = TimeScale::new(1, 2).unwrap();
        for (ahead, numer) in [
            (0, 100),
            (1, 99),
            (-1, 101),
            (2, 98),
            (-2, 102),
            (9, 98),
            (i32::MIN, 102),
            (i32::MAX, 98),
        ] {
            assert_eq!(
                time_scale(TimeScale::NORMAL, ahead),
                TimeScale::new(numer, 100).unwrap(),
                "{ahead}"
            );
            assert_eq!(
                time_scale(half, ahead),
                TimeScale::new(numer, 200).unwrap(),
                "{ahead}, at half speed"
            );
            assert_eq!(time_scale(TimeScale::PAUSED, ahead), TimeScale::PAUSED);
        }
    }

    #[test]
    fn a_time_scale_whose_product_does_not_fit_is_unchanged() {
        let fine = TimeScale::new(1_000_003, u32::MAX).unwrap();
        assert_eq!(time_scale(fine, 1), fine);
    }

    /// Two machines that measure half the difference between them as GGRS does: the mean of 30 frames, reported six frames late.
    #[test]
    fn two_machines_converge_without_oscillation() {
        for apart in [-12.0_f64, -5.0, 5.0, 12.0] {
            let mut gap = apart;
            let mut gaps = vec![0.0; 36];
            let (mut least, mut met) = (apart.abs(), None);
            for tick in 0..1_800 {
                gaps.push(gap);
                let measured = gaps[gaps.len() - 36..gaps.len() - 6].iter().sum::<f64>() / 30.0;
                let ahead = (measured / 2.0) as i32;
                let [one, other] = [ahead, -ahead].map(|ahead| time_scale(TimeScale::NORMAL, ahead).as_f64());
                gap += one - other;
                least = least.min(gap * apart.signum());
                met = met.or((gap.abs() < 2.5).then_some(tick));
            }
            assert!(least > -2.0 && gap.abs() < 2.5, "{apart} apart: {least} to {gap}");
            assert!(met.is_some_and(|tick| tick < 400), "{apart} apart: {met:?}");
        }
    }
}
