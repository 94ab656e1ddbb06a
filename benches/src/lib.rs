//! Comparisons: several ways to do the same work, timed in turns within one run, so that other load on the machine
//! affects all of them. Quote the ratios, not single times.

pub mod bodies;

use std::fmt::Write as _;
use std::time::Instant;

/// The number of rounds; every entry has a turn in each.
const ROUNDS: usize = 41;

/// Several ways to do the same work.
pub struct Comparison<'a> {
    title: &'a str,
    /// The units of work in one call of an entry.
    units: usize,
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    name: &'a str,
    run: Box<dyn FnMut() + 'a>,
    nanos: Vec<f64>,
}

impl<'a> Comparison<'a> {
    /// A comparison whose entries do `units` units of work per call. All entries are compared with the first one.
    #[must_use]
    pub fn new(title: &'a str, units: usize) -> Self {
        Self {
            title,
            units,
            entries: Vec::new(),
        }
    }

    /// Adds a way to do the work.
    #[must_use]
    pub fn entry(mut self, name: &'a str, run: impl FnMut() + 'a) -> Self {
        self.entries.push(Entry {
            name,
            run: Box::new(run),
            nanos: Vec::with_capacity(ROUNDS),
        });
        self
    }

    /// Runs all entries in turns. Returns a table: the median time of a unit, and the median over all rounds
    /// of the ratio to the first entry.
    #[must_use]
    pub fn run(mut self) -> String {
        self.measure();
        self.table()
    }

    fn measure(&mut self) {
        for entry in &mut self.entries {
            (entry.run)();
        }
        for _ in 0..ROUNDS {
            for entry in &mut self.entries {
                let start = Instant::now();
                (entry.run)();
                entry.nanos.push(start.elapsed().as_nanos() as f64 / self.units as f64);
            }
        }
    }

    fn table(&self) -> String {
        let mut table = format!("{}\n", self.title);
        let Some(first) = self.entries.first() else {
            return table;
        };
        let width = self.entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        for entry in &self.entries {
            let ratios = entry.nanos.iter().zip(&first.nanos).map(|(own, first)| own / first);
            let (nanos, ratio) = (median(entry.nanos.iter().copied()), median(ratios));
            let _ = writeln!(table, "  {:width$}  {nanos:9.2} ns  {ratio:6.2} x", entry.name);
        }
        table
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
