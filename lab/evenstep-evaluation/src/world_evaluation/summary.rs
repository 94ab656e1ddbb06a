//! Summarizes the scores of filters over many worlds.

use serde::Serialize;

use evenstep_trace::simulate::Filter;

use crate::world_evaluation::score::WorldScore;

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
    pub filter: Filter,
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
    fn new(group: String, filter: Filter, pairs: &[Pair<'_>]) -> Option<Self> {
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

/// A summary of the scores of many worlds: by filter, and for the default filter by kind of world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldTable {
    /// Each filter in all worlds with a fixed refresh, then in all others.
    pub filters: Vec<FilterStanding>,
    /// The default filter by the pace of frames, then, in worlds with a fixed refresh, by the errors of the clock.
    pub groups: Vec<FilterStanding>,
    /// The worlds, by seed, in which the default filter has a mean error of over 1.01 times that without a filter.
    pub worse_than_none: Vec<u64>,
}

impl WorldTable {
    /// Sums up the scores of [`score_worlds`](crate::score_worlds). Filters are compared with none, so only worlds
    /// count in which none took part.
    #[must_use]
    pub fn new(scores: &[WorldScore]) -> Self {
        let worlds = scores.chunk_by(|one, other| one.seed == other.seed);
        let pairs = worlds.filter_map(|world| {
            let none = world.iter().find(|score| score.filter == Filter::None)?;
            Some(world.iter().map(move |ours| Pair { ours, none }))
        });
        let (fixed, unfixed): (Vec<_>, Vec<_>) = pairs.flatten().partition(|pair| pair.ours.is_fixed());
        let mut filters = by_filter("fixed refresh", &fixed);
        filters.extend(by_filter("no fixed refresh", &unfixed));
        let mut groups = by_group(&fixed, |score| score.pace);
        groups.extend(by_group(&unfixed, |score| score.pace));
        groups.extend(by_group(&fixed, |score| score.lateness));
        let worse = fixed
            .iter()
            .chain(&unfixed)
            .filter(|pair| pair.ours.filter == Filter::Default && pair.mean_of_none() > 1.01);
        let worse_than_none = worse.map(|pair| pair.ours.seed).collect();
        Self {
            filters,
            groups,
            worse_than_none,
        }
    }
}

fn by_filter(group: &str, pairs: &[Pair<'_>]) -> Vec<FilterStanding> {
    let mut names: Vec<Filter> = Vec::new();
    for pair in pairs {
        if !names.contains(&pair.ours.filter) {
            names.push(pair.ours.filter);
        }
    }
    let standing = |name| FilterStanding::new(group.to_owned(), name, pairs);
    names.into_iter().filter_map(standing).collect()
}

/// The default filter in worlds with a common property.
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
        FilterStanding::new(wanted.to_string(), Filter::Default, &pairs)
    };
    keys.into_iter().filter_map(standing).collect()
}
