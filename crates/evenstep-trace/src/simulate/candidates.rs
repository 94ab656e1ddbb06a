//! The filters that the default one is compared with, as games write them.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::filter::DeltaFilter;

/// Neither leads the clock by more, in nanoseconds. As the default filter.
const MAX_LEAD: i64 = 4_000_000;

/// A filter that conserves time.
pub(crate) struct Candidate {
    /// The newest deltas in nanoseconds, and the most of them.
    deltas: VecDeque<i64>,
    most: usize,
    /// Chooses the output, from these deltas and the time that is owed with the last of them.
    choose: fn(&VecDeque<i64>, i64) -> i64,
    /// The residual.
    owed: i64,
}

impl Candidate {
    /// The mean of the last four deltas, and a quarter of what is owed.
    pub(crate) fn average() -> Self {
        Self::new(4, |deltas, owed| {
            let mean = deltas.iter().sum::<i64>() / deltas.len() as i64;
            mean + (owed - deltas[deltas.len() - 1]) / 4
        })
    }

    /// Rounds the time that is owed to a whole number of refresh intervals, if it is within an eighth of one. The interval is the mean of
    /// the last 32 deltas, without those farther than an eighth from their median.
    pub(crate) fn snap() -> Self {
        Self::new(32, |deltas, owed| {
            let Some(interval) = interval(deltas) else { return owed };
            let snapped = (owed + interval / 2) / interval * interval;
            let is_near = (owed - snapped).abs() <= interval / 8;
            if is_near { snapped } else { owed }
        })
    }

    fn new(most: usize, choose: fn(&VecDeque<i64>, i64) -> i64) -> Self {
        let deltas = VecDeque::new();
        Self {
            deltas,
            most,
            choose,
            owed: 0,
        }
    }
}

fn interval(deltas: &VecDeque<i64>) -> Option<i64> {
    let mut sorted: Vec<i64> = deltas.iter().copied().collect();
    sorted.sort_unstable();
    let median = *sorted.get(16)?;
    sorted.retain(|delta| (delta - median).abs() <= median / 8);
    Some(sorted.iter().sum::<i64>() / sorted.len() as i64).filter(|interval| *interval > 0)
}

/// Recorded deltas are far below 292 years.
fn nanos(delta: Duration) -> i64 {
    i64::try_from(delta.as_nanos()).unwrap_or(i64::MAX)
}

impl DeltaFilter for Candidate {
    fn apply(&mut self, delta: Duration) -> Duration {
        self.deltas.push_back(nanos(delta));
        if self.deltas.len() > self.most {
            self.deltas.pop_front();
        }
        let owed = self.owed.saturating_add(nanos(delta));
        let given = (self.choose)(&self.deltas, owed).clamp(0, owed.saturating_add(MAX_LEAD).max(0));
        self.owed = owed - given;
        Duration::from_nanos(given.unsigned_abs())
    }

    fn residual(&self) -> i64 {
        self.owed
    }

    fn max_lead(&self) -> Duration {
        Duration::from_nanos(MAX_LEAD.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_conserve_time_and_keep_their_lead(
            deltas in prop::collection::vec((0..400_000_000_u64).prop_map(Duration::from_nanos), 1..200),
        ) {
            for filter in [&mut Candidate::average() as &mut dyn DeltaFilter, &mut Candidate::snap()] {
                let (mut came_in, mut given) = (0, 0);
                for delta in &deltas {
                    came_in += nanos(*delta);
                    given += nanos(filter.apply(*delta));
                    prop_assert_eq!(filter.residual(), came_in - given);
                    prop_assert!(filter.residual() >= -MAX_LEAD);
                }
            }
        }
    }

    fn outputs(filter: &mut dyn DeltaFilter, deltas: &[u64]) -> Vec<u128> {
        let micros = |delta: &u64| filter.apply(Duration::from_micros(*delta)).as_micros();
        deltas.iter().map(micros).collect()
    }

    #[test]
    fn an_average_is_the_mean_of_four_deltas_and_a_quarter_of_what_is_owed() {
        // Owed before each: 0, 0, 4 and 3 ms.
        let deltas = [8_000, 16_000, 12_000, 4_000];
        assert_eq!(
            outputs(&mut Candidate::average(), &deltas),
            [8_000, 12_000, 13_000, 10_750]
        );
    }

    #[test]
    fn deltas_near_whole_intervals_snap_to_them_once_there_are_seventeen() {
        let mut snap = Candidate::snap();
        assert_eq!(outputs(&mut snap, &[16_000; 17]), [16_000; 17]);
        // The mean stays within 100 µs of 16 ms, and an eighth of it is 2 ms.
        let near = outputs(&mut snap, &[17_000])[0];
        assert!((15_900..16_100).contains(&near), "{near} µs");
        let far = outputs(&mut Candidate::snap(), &[[16_000; 17].as_slice(), &[24_000]].concat())[17];
        assert_eq!(far, 24_000);
    }
}
