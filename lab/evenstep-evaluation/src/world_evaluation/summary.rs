//! Summarizes the scores of filters over many worlds.

use serde::Serialize;

use crate::world_evaluation::score::{BEST, WorldScore};

/// The filter that the goals are for, and the one that it is compared with.
const OURS: &str = "default";
const NONE: &str = "none";

/// A figure over many worlds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The 95th percentile: one world of twenty is above it.
    pub worst_of_twenty: f64,
    /// The largest.
    pub worst: f64,
    /// The seed of the world with the largest figure.
    pub worst_seed: u64,
}

impl Spread {
    /// The figures' spread; `None` without worlds.
    pub(crate) fn of(mut figures: Vec<(f64, u64)>) -> Option<Self> {
        figures.sort_by(|one, other| one.0.total_cmp(&other.0));
        let at = |share: f64| figures.get((share * (figures.len() - 1) as f64).ceil() as usize);
        let (worst, worst_seed) = *figures.last()?;
        Some(Self {
            median: at(0.5)?.0,
            worst_of_twenty: at(0.95)?.0,
            worst,
            worst_seed,
        })
    }
}

/// A filter over a group of worlds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterStanding {
    /// The common property of the worlds.
    pub group: String,
    /// The filter.
    pub filter: &'static str,
    /// The number of worlds.
    pub worlds: usize,
    /// Wrong frames, of a thousand; `None` without a fixed refresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_per_mille: Option<Spread>,
    /// The mean animation error in milliseconds.
    pub error_mean_ms: Spread,
    /// The mean animation error as a share of that without a filter.
    pub of_none: Spread,
    /// The largest animation error as a share of that without a filter.
    pub largest_of_none: Spread,
}

impl FilterStanding {
    fn new(group: String, filter: &'static str, pairs: &[Pair<'_>]) -> Option<Self> {
        let pairs = || pairs.iter().filter(|pair| pair.ours.filter == filter);
        let spread =
            |figure: fn(&Pair<'_>) -> f64| Spread::of(pairs().map(|pair| (figure(pair), pair.ours.seed)).collect());
        let wrong = pairs().filter_map(|pair| Some((pair.ours.wrong_per_mille()?, pair.ours.seed)));
        Some(Self {
            group,
            filter,
            worlds: pairs().count(),
            wrong_per_mille: Spread::of(wrong.collect()),
            error_mean_ms: spread(|pair| pair.ours.error_mean_ms)?,
            of_none: spread(|pair| pair.mean_of_none())?,
            largest_of_none: spread(|pair| pair.largest_of_none())?,
        })
    }
}

/// Worlds, by seed, in which the display clock misses a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Goals {
    /// Worlds with a fixed refresh.
    pub fixed: usize,
    /// More than one wrong frame in a thousand.
    pub many_wrong: Vec<u64>,
    /// The worlds of `many_wrong` in which the oracle has more than one wrong frame in a thousand too: no clock could do it.
    pub impossible: Vec<u64>,
    /// More wrong frames than without a filter.
    pub more_wrong_than_none: Vec<u64>,
    /// A mean error of more than a quarter of that without a filter.
    pub above_a_quarter: Vec<u64>,
    /// A mean error above that without a filter.
    pub above_none: Vec<u64>,
    /// Missed refreshes where timestamps are exact to an eighth of a refresh.
    /// [`followed`](Self::followed) counts the ones that were followed in the same frame.
    pub missed: usize,
    /// See [`missed`](Self::missed).
    pub followed: usize,
    /// Worlds without a fixed refresh.
    pub unfixed: usize,
    /// A mean error above that without a filter.
    pub unfixed_above_none: Vec<u64>,
    /// An error of more than twice the largest without a filter.
    pub unfixed_above_twice: Vec<u64>,
}

impl Goals {
    fn new<'p>(pairs: impl Iterator<Item = &'p Pair<'p>> + Clone) -> Self {
        let mut goals = Self::default();
        let of = |filter| pairs.clone().filter(move |pair| pair.ours.filter == filter);
        of(OURS).for_each(|pair| goals.add(pair));
        let impossible = of(BEST).filter(|pair| pair.ours.wrong_per_mille() > Some(1.0));
        let impossible = impossible.map(|pair| pair.ours.seed);
        goals.impossible = impossible.filter(|seed| goals.many_wrong.contains(seed)).collect();
        goals
    }

    fn add(&mut self, pair: &Pair<'_>) {
        let (ours, none) = (pair.ours, pair.none);
        let note = |seeds: &mut Vec<u64>, is_noted: bool| seeds.extend(is_noted.then_some(ours.seed));
        if !ours.is_fixed() {
            self.unfixed += 1;
            note(&mut self.unfixed_above_none, ours.error_mean_ms > none.error_mean_ms);
            note(
                &mut self.unfixed_above_twice,
                ours.error_max_ms > 2.0 * none.error_max_ms,
            );
            return;
        }
        self.fixed += 1;
        note(&mut self.many_wrong, ours.wrong_per_mille() > Some(1.0));
        note(&mut self.more_wrong_than_none, ours.wrong_frames > none.wrong_frames);
        note(
            &mut self.above_a_quarter,
            ours.error_mean_ms > 0.25 * none.error_mean_ms,
        );
        note(&mut self.above_none, ours.error_mean_ms > none.error_mean_ms);
        if ours.is_sharp {
            self.missed += ours.missed;
            self.followed += ours.followed;
        }
    }
}

/// A filter in a world, and no filter in it.
struct Pair<'s> {
    ours: &'s WorldScore,
    none: &'s WorldScore,
}

impl Pair<'_> {
    fn mean_of_none(&self) -> f64 {
        self.ours.error_mean_ms / self.none.error_mean_ms
    }

    fn largest_of_none(&self) -> f64 {
        self.ours.error_max_ms / self.none.error_max_ms
    }
}

/// A summary of the scores of many worlds: by filter, and for the display clock by kind of world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldTable {
    /// Each filter in all worlds with a fixed refresh, then in all others.
    pub filters: Vec<FilterStanding>,
    /// The display clock by the pace of frames, then, in worlds with a fixed refresh, by the errors of the clock.
    pub groups: Vec<FilterStanding>,
    /// Where the display clock misses its goals.
    pub goals: Goals,
}

impl WorldTable {
    /// Sums up the scores of [`score_worlds`](crate::score_worlds). Filters are compared with none, so only worlds
    /// count in which none took part.
    #[must_use]
    pub fn new(scores: &[WorldScore]) -> Self {
        let worlds = scores.chunk_by(|one, other| one.seed == other.seed);
        let pairs = worlds.filter_map(|world| {
            let none = world.iter().find(|score| score.filter == NONE)?;
            Some(world.iter().map(move |ours| Pair { ours, none }))
        });
        let (fixed, unfixed): (Vec<_>, Vec<_>) = pairs.flatten().partition(|pair| pair.ours.is_fixed());
        let mut filters = by_filter("fixed refresh", &fixed);
        filters.extend(by_filter("no fixed refresh", &unfixed));
        let mut groups = by_group(&fixed, |score| score.pace);
        groups.extend(by_group(&unfixed, |score| score.pace));
        groups.extend(by_group(&fixed, |score| score.lateness));
        let goals = Goals::new(fixed.iter().chain(&unfixed));
        Self { filters, groups, goals }
    }
}

fn by_filter(group: &str, pairs: &[Pair<'_>]) -> Vec<FilterStanding> {
    let mut names: Vec<&'static str> = Vec::new();
    for pair in pairs {
        if !names.contains(&pair.ours.filter) {
            names.push(pair.ours.filter);
        }
    }
    let standing = |name| FilterStanding::new(group.to_owned(), name, pairs);
    names.into_iter().filter_map(standing).collect()
}

/// The display clock in worlds with a common property.
fn by_group<K: Ord + ToString>(pairs: &[Pair<'_>], key: impl Fn(&WorldScore) -> K) -> Vec<FilterStanding> {
    let mut keys: Vec<K> = pairs.iter().map(|pair| key(pair.ours)).collect();
    keys.sort();
    keys.dedup();
    let standing = |wanted: K| {
        let pairs: Vec<Pair<'_>> = pairs
            .iter()
            .filter(|pair| key(pair.ours) == wanted)
            .map(|pair| Pair { ..*pair })
            .collect();
        FilterStanding::new(wanted.to_string(), OURS, &pairs)
    };
    keys.into_iter().filter_map(standing).collect()
}
