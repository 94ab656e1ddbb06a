//! The oracle: the best estimate that any clock could make.

use crate::world::likelihood::Reading;
use crate::world::{World, WorldFrame};

/// The bound of the oracle's error, in refreshes in either direction.
const FARTHEST: usize = 10;
const PLACES: usize = 2 * FARTHEST + 1;

/// The least likelihood of a timestamp per millisecond: the distributions are not exact in their far tails.
const LEAST_LIKELY: f64 = 1e-30;

/// The probabilities of being wrong by each number of refreshes, outside bursts of misses and within.
type Beliefs = [[f64; PLACES]; 2];

impl World {
    /// For each frame, the number of refreshes between the true refresh and the one that is most likely given all timestamps until then.
    /// The estimate is that of an oracle that knows the display, the program and the distribution of the clock's errors: everything except
    /// the missed refreshes and the lateness of each timestamp. No clock has this information. Empty without a fixed refresh.
    ///
    /// ```
    /// use evenstep_evaluation::World;
    ///
    /// let world = World::random(7);
    /// let named = world.named_refreshes(&world.frames(100));
    /// assert!(named.is_empty() || named.len() == 100);
    /// ```
    #[must_use]
    pub fn named_refreshes(&self, frames: &[WorldFrame]) -> Vec<i32> {
        if !self.is_fixed() {
            return Vec::new();
        }
        let mut beliefs = [[0.0; PLACES]; 2];
        beliefs[0][FARTHEST] = 1.0;
        let mut late_before = 0.0;
        let name = |(index, frame): (usize, &WorldFrame)| {
            beliefs = self.weigh(&beliefs, index, frame, late_before);
            late_before = frame.late_ms;
            most_likely(&beliefs)
        };
        frames.iter().enumerate().map(name).collect()
    }

    /// The beliefs after a frame, from the beliefs before it.
    fn weigh(&self, before: &Beliefs, index: usize, frame: &WorldFrame, late_before: f64) -> Beliefs {
        let refresh = frame.refresh_ms.unwrap_or_default();
        let off = |place: usize| (place as f64 - FARTHEST as f64) * refresh;
        let mut after = [[0.0; PLACES]; 2];
        for (is_burst, from) in [(false, &before[0]), (true, &before[1])] {
            for (was, belief) in from.iter().enumerate().filter(|(_, belief)| **belief > 0.0) {
                for (missed, to_burst, share) in self.misses.shares(is_burst) {
                    let Some(place) = (was + missed as usize).checked_sub(frame.missed as usize) else {
                        continue;
                    };
                    if place >= PLACES {
                        continue;
                    }
                    let likely = self.lateness.likelihood(Reading {
                        late: frame.late_ms - off(place),
                        late_before: late_before - off(was),
                        // One was read before the first frame.
                        index: index + 2,
                        is_held: frame.delta.is_zero(),
                    });
                    after[usize::from(to_burst)][place] += belief * share * likely.max(LEAST_LIKELY);
                }
            }
        }
        let sum: f64 = after.iter().flatten().sum();
        after.map(|beliefs| beliefs.map(|belief| belief / sum))
    }
}

fn most_likely(beliefs: &Beliefs) -> i32 {
    let belief = |place: &usize| beliefs[0][*place] + beliefs[1][*place];
    let place = (0..PLACES).max_by(|one, other| belief(one).total_cmp(&belief(other)));
    FARTHEST as i32 - place.unwrap_or(FARTHEST) as i32
}
