use evenstep::TimeScale;

/// Per tick that a machine is ahead, in ten-thousandths.
///
/// GGRS's figure is half of what lies between two machines, and the mean of 30 frames, so the answer comes about 25 ticks late.
/// Both machines answer: 1 % closes a gap by a hundredth of itself in each tick, a fourth of it within that delay. So it does not
/// swing.
const SLEW_PER_TICK: i32 = 100;

/// No machine is slower or faster than the game by more, in ten-thousandths.
const MAX_SLEW: i32 = 200;

/// The game's time scale, slower for a machine that is so many ticks ahead of the others, and faster for one that is behind;
/// unchanged where the product does not fit.
pub(crate) fn time_scale(game: TimeScale, ahead: i32) -> TimeScale {
    let slew = -ahead.saturating_mul(SLEW_PER_TICK).clamp(-MAX_SLEW, MAX_SLEW);
    let scale = TimeScale::new(10_000_u32.saturating_add_signed(slew), 10_000).ok();
    scale.and_then(|scale| game.checked_mul(scale)).unwrap_or(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_ahead_is_slower_by_one_percent_a_tick_and_two_at_most() {
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
    fn a_time_scale_whose_product_does_not_fit_stays_as_it_is() {
        let fine = TimeScale::new(1_000_003, u32::MAX).unwrap();
        assert_eq!(time_scale(fine, 1), fine);
    }

    /// Two machines that see half of what lies between them as GGRS does: the mean of 30 frames, told six frames late.
    #[test]
    fn two_machines_meet_without_swinging() {
        for apart in [-12.0_f64, -5.0, 5.0, 12.0] {
            let mut gap = apart;
            let mut gaps = vec![0.0; 36];
            let (mut least, mut met) = (apart.abs(), None);
            for tick in 0..1_800 {
                gaps.push(gap);
                let seen = gaps[gaps.len() - 36..gaps.len() - 6].iter().sum::<f64>() / 30.0;
                let ahead = (seen / 2.0) as i32;
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
