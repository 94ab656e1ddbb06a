/// Parts in which samples are forgotten.
const PARTS: usize = 16;

/// Of so many parts one may be bad: a lead that grows after a burst of late packets comes too late for it.
const PARTS_OF_A_BURST: usize = 6;

/// The least samples of each part are kept: as many as may be passed over, and one.
const LEAST: usize = 8;

/// Samples that say where most are.
const RECENT: usize = 32;

/// How early inputs were, in nanoseconds, had nothing been gained or lost since the beginning.
///
/// Of each sixteenth of the memory only the eight least samples are kept, so it is bounded whatever arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Samples {
    parts: [Part; PARTS],
    /// The newest part, counted from the beginning.
    newest: i64,
    recent: Recent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    count: u32,
    /// Ascending, as many as there are.
    least: [i64; LEAST],
}

impl Samples {
    pub(super) const fn new() -> Self {
        Self {
            parts: [Part::EMPTY; PARTS],
            newest: 0,
            recent: Recent::new(),
        }
    }

    /// Forgets what is older than the memory, when the game has run for so long.
    pub(super) fn forget(&mut self, ran: i64, memory: i64) {
        let part = ran / (memory / PARTS as i64).max(1);
        let passed = part.saturating_sub(self.newest).clamp(0, PARTS as i64);
        for later in 1..=passed {
            self.parts[(self.newest + later).rem_euclid(PARTS as i64) as usize] = Part::EMPTY;
        }
        // Where all are forgotten it does not matter which is the newest.
        self.newest = self.newest.max(part);
    }

    pub(super) fn add(&mut self, early: i64) {
        self.parts[self.newest.rem_euclid(PARTS as i64) as usize].add(early);
        self.recent.add(early);
    }

    /// How many are remembered.
    pub(super) fn count(&self) -> u32 {
        self.parts
            .iter()
            .fold(0, |count: u32, part| count.saturating_add(part.count))
    }

    /// How early the latest of inputs are, without the worst parts, and so many of a thousand of the others aside, seven at the
    /// most; none of no samples.
    pub(super) fn latest_but(&self, per_mille: u32) -> Option<i64> {
        let mut parts = self.parts;
        parts.sort_unstable_by_key(|part| part.kept().first().copied().unwrap_or(i64::MAX));
        let filled = parts.iter().filter(|part| part.count > 0).count();
        let mut rest = Part::EMPTY;
        let mut count = 0_u64;
        for part in &parts[filled / PARTS_OF_A_BURST..filled] {
            part.kept().iter().for_each(|early| rest.add(*early));
            count += u64::from(part.count);
        }
        let aside = (count * u64::from(per_mille) / 1000) as usize;
        let kept = rest.kept();
        kept.get(aside).or(kept.last()).copied()
    }

    /// The median of the last ones, and what a quarter of them is below.
    pub(super) fn recent(&self) -> Option<(i64, i64)> {
        self.recent.middle
    }
}

impl Part {
    const EMPTY: Self = Self {
        count: 0,
        least: [0; LEAST],
    };

    fn kept(&self) -> &[i64] {
        &self.least[..LEAST.min(self.count as usize)]
    }

    fn add(&mut self, early: i64) {
        let at = self.kept().partition_point(|kept| *kept <= early);
        if at < LEAST {
            self.least[at..].rotate_right(1);
            self.least[at] = early;
        }
        self.count = self.count.saturating_add(1);
    }
}

/// The last samples.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Recent {
    samples: [i64; RECENT],
    count: usize,
    next: usize,
    middle: Option<(i64, i64)>,
}

impl Recent {
    const fn new() -> Self {
        Self {
            samples: [0; RECENT],
            count: 0,
            next: 0,
            middle: None,
        }
    }

    fn add(&mut self, early: i64) {
        self.samples[self.next] = early;
        self.next = (self.next + 1) % RECENT;
        self.count = RECENT.min(self.count + 1);
        let mut sorted = self.samples;
        let sorted = &mut sorted[..self.count];
        sorted.sort_unstable();
        self.middle = Some((sorted[self.count / 2], sorted[self.count / 4]));
    }
}
