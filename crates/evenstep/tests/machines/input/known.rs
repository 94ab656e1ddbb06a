//! What a buffer and controls must know, the slow way.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::filter::DeltaFilter;
use evenstep::input::{InputCounts, InputEvent};
use evenstep::{Step, Tick};

use crate::exact::{Exact, ratio, whole};

pub(super) type Event = InputEvent<char>;

/// A filter that says of itself whatever it is told to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) residual: i128,
    pub(super) lead: Duration,
}

impl DeltaFilter for Filter {
    fn apply(&mut self, delta: Duration) -> Duration {
        delta
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        self.lead
    }
}

/// An event that waits, and its step once that is known.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) at: Duration,
    pub(super) tick: Option<Tick>,
    pub(super) event: Event,
}

/// All that a buffer and controls must know.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) waiting: Vec<Waiting>,
    pub(super) reached: Duration,
    pub(super) lead: Duration,
    pub(super) counts: InputCounts,
    pub(super) held: Vec<char>,
    pub(super) presses: BTreeMap<char, u32>,
    pub(super) releases: BTreeSet<char>,
    pub(super) motion: [f64; 2],
    pub(super) wheel: [f64; 2],
}

impl Known {
    pub(super) fn push(&mut self, at: Duration, event: Event, capacity: usize) -> bool {
        if self.waiting.len() >= capacity {
            self.counts.refused += 1;
            return false;
        }
        let place = self.waiting.iter().filter(|other| other.at <= at).count();
        let is_late = at.saturating_add(self.lead) < self.reached;
        let later_has_step = self.waiting[place..].iter().any(|later| later.tick.is_some());
        let older = self.waiting[..place].last().and_then(|older| older.tick);
        let tick = (is_late || later_has_step).then(|| older.unwrap_or(0));
        self.counts.late += u64::from(is_late);
        self.counts.reordered += u64::from(place < self.waiting.len());
        self.waiting.insert(place, Waiting { at, tick, event });
        true
    }

    /// Simulated time went from one place to another, counted in steps.
    pub(super) fn begin_frame(&mut self, now: Duration, filter: Filter, from: &Exact, to: &Exact) {
        // Before a task's first step is that step.
        let tick = |place: Exact| Tick::try_from(place.max(whole(0)).floor().to_integer()).unwrap();
        let filtered = (now.as_nanos() as i128).saturating_sub(filter.residual).max(0);
        let filtered = Duration::from_nanos_u128((filtered as u128).min(Duration::MAX.as_nanos()));
        let (last, reached) = (self.reached, self.reached.max(filtered));
        (self.reached, self.lead) = (reached, filter.lead);
        for event in &mut self.waiting {
            let acts_at = event.at.saturating_add(filter.lead);
            event.tick = match event.tick {
                Some(given) => Some(given.min(tick(to.clone()))),
                None if acts_at >= reached => None,
                None if to <= from || acts_at <= last => Some(tick(from.min(to).clone())),
                None => {
                    let way = ratio((acts_at - last).as_nanos(), (reached - last).as_nanos());
                    Some(tick(from + (to - from) * way))
                }
            };
        }
        // Nothing overtakes what is older.
        for place in (1..self.waiting.len()).rev() {
            if let (Some(older), Some(tick)) = (self.waiting[place - 1].tick, self.waiting[place].tick) {
                self.waiting[place - 1].tick = Some(older.min(tick));
            }
        }
    }

    pub(super) fn next(&mut self, step: &Step) -> Option<Event> {
        let is_due = self.waiting.first()?.tick? <= step.tick;
        is_due.then(|| self.waiting.remove(0).event)
    }

    pub(super) fn begin_step(&mut self) {
        self.presses.clear();
        self.releases.clear();
        (self.motion, self.wheel) = ([0.0; 2], [0.0; 2]);
    }

    pub(super) fn apply(&mut self, event: Event) {
        match event {
            InputEvent::Press(key) if self.held.contains(&key) => {}
            InputEvent::Press(key) => {
                self.held.push(key);
                *self.presses.entry(key).or_default() += 1;
            }
            InputEvent::Release(key) => {
                if self.held.contains(&key) {
                    self.releases.insert(key);
                }
                self.held.retain(|held| *held != key);
            }
            InputEvent::ReleaseAll => self.releases.extend(self.held.drain(..)),
            InputEvent::Motion(by) => self.motion = [self.motion[0] + by[0], self.motion[1] + by[1]],
            InputEvent::Wheel(by) => self.wheel = [self.wheel[0] + by[0], self.wheel[1] + by[1]],
        }
    }
}
