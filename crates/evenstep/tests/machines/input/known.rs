//! What a buffer must know, the slow way.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::Tick;
use evenstep::filter::DeltaFilter;
use evenstep::input::{InputCounts, InputEvent};

use crate::exact::{Exact, ratio, whole};

pub(super) type Event = InputEvent<char>;

/// A filter that reports any residual and lead it is last_now to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) residual: i64,
    pub(super) lead: Duration,
}

impl DeltaFilter for Filter {
    fn apply(&mut self, delta: Duration) -> Duration {
        delta
    }

    fn residual(&self) -> i64 {
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
    /// Whether it is all that was left of an event.
    pub(super) is_state: bool,
    /// Whether the frame that begins next, or has just begun, tells if it belongs to a pause.
    pub(super) is_new: bool,
    /// Whether it came without a time, and no frame with time has begun since.
    pub(super) is_untimed: bool,
}

/// What a step must see.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) held: Vec<char>,
    pub(super) presses: BTreeMap<char, u32>,
    pub(super) releases: BTreeSet<char>,
    pub(super) motion: [f64; 2],
    pub(super) wheel: [f64; 2],
    pub(super) events: Vec<(Duration, Event)>,
    /// The events that were taken when the step was asked for.
    pub(super) new: Vec<Event>,
    /// Whether it was not asked for just before.
    pub(super) is_begun: bool,
}

/// All that a buffer must know.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) waiting: Vec<Waiting>,
    pub(super) reached: Duration,
    /// Where the last frame began.
    pub(super) from: Duration,
    /// Up to which time of the clock it is known whether time stood still.
    pub(super) last_now: Duration,
    pub(super) pause: (Duration, Duration),
    pub(super) lead: Duration,
    pub(super) has_begun: bool,
    /// Whether the frame that has begun is the first by its clock.
    pub(super) is_first: bool,
    /// Motion without a time: of earlier frames, and since the last one.
    pub(super) due: Option<[f64; 2]>,
    pub(super) open: Option<[f64; 2]>,
    /// The first tick that has taken none of it, and the tick after the steps of the frame.
    pub(super) spread: (Tick, Tick),
    /// Events since the last frame that are a second after it.
    pub(super) ahead: u64,
    pub(super) counts: InputCounts,
    /// The step that was asked for last, and whether its frame is over.
    pub(super) asked: Option<(Tick, bool)>,
    pub(super) seen: Seen,
}

const FAR: Duration = Duration::from_secs(1);

impl Known {
    /// The number of events that wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.due.is_some()) + usize::from(self.open.is_some())
    }

    pub(super) fn push_at(&mut self, at: Duration, event: Event, capacity: usize, keeps: bool) {
        self.counts.foreign += u64::from(self.has_begun && at.saturating_add(FAR) < self.last_now);
        self.ahead += u64::from(at > self.last_now.saturating_add(FAR));
        self.push_one(at, false, event, capacity, keeps);
    }

    /// Without a time: after all that have a step.
    pub(super) fn push(&mut self, event: Event, capacity: usize, keeps: bool) {
        if let InputEvent::Motion(by) = event {
            self.open = Some(self.open.map_or(by, |[x, y]| [x + by[0], y + by[1]]));
            return;
        }
        let late = self
            .reached
            .saturating_sub(self.lead)
            .saturating_sub(Duration::from_nanos(1));
        let with_step = self.waiting.iter().filter(|other| other.tick.is_some());
        let without = self.waiting.iter().find(|other| other.tick.is_none());
        let at = with_step.map(|other| other.at).fold(late, Duration::max);
        let at = without.map_or(at, |first| at.min(first.at));
        self.push_one(at, true, event, capacity, keeps);
    }

    fn push_one(&mut self, at: Duration, is_untimed: bool, event: Event, capacity: usize, keeps: bool) {
        let is_full =
            !is_motion(event) && self.waiting.iter().filter(|other| !is_motion(other.event)).count() >= capacity;
        if is_full && keeps {
            self.counts.refused += 1;
            return;
        }
        let is_before = |other: &&Waiting| {
            if is_untimed {
                other.tick.is_some()
            } else {
                other.at <= at
            }
        };
        let place = self.waiting.iter().filter(is_before).count();
        let is_late = is_untimed || at.saturating_add(self.lead) < self.reached || at < self.pause.1;
        let later_has_step = self.waiting[place..].iter().any(|later| later.tick.is_some());
        let older = self.waiting[..place].last().and_then(|older| older.tick);
        let tick = (is_late || later_has_step).then(|| older.unwrap_or(0));
        let mut new = Waiting {
            at,
            tick,
            event,
            is_state: false,
            is_new: false,
            is_untimed,
        };
        let is_paused = !keeps && !is_untimed && (self.pause.0..self.pause.1).contains(&at);
        self.counts.paused += u64::from(is_paused);
        self.counts.refused += u64::from(is_full && !is_paused);
        if is_paused || is_full {
            let Some(state) = state(event) else { return };
            (new.event, new.is_state) = (state, true);
        }
        let end = self.waiting.split_off(place);
        self.replace(&new);
        self.counts.late += u64::from(is_late && !is_untimed);
        self.counts.reordered += u64::from(!end.is_empty() && !is_untimed);
        self.waiting.push(new);
        self.waiting.extend(end);
        self.add_up(capacity);
    }

    /// Where there is more motion than room, adds motion to the nearest of its kind before it, if that is a small part of all its time ago
    /// and both or neither have a step.
    fn add_up(&mut self, capacity: usize) {
        let times: Vec<_> = self
            .waiting
            .iter()
            .filter(|waiting| is_motion(waiting.event))
            .map(|motion| motion.at)
            .collect();
        if times.len() <= capacity.max(4) {
            return;
        }
        let span = times.iter().max().unwrap().as_nanos() - times.iter().min().unwrap().as_nanos();
        let grain = span / (capacity / 4).max(1) as u128;
        let mut kept: Vec<Waiting> = Vec::new();
        for new in std::mem::take(&mut self.waiting) {
            let same = |older: &&mut Waiting| {
                sum(older.event, new.event).is_some() && older.tick.is_some() == new.tick.is_some()
            };
            match kept.iter_mut().rev().find(same) {
                Some(older) if (new.at - older.at).as_nanos() <= grain => {
                    older.event = sum(older.event, new.event).unwrap()
                }
                _ => kept.push(new),
            }
        }
        self.waiting = kept;
    }

    /// Removes the states at the end that a new one replaces, motion among them aside.
    fn replace(&mut self, new: &Waiting) {
        let is_passed = |other: &&Waiting| other.is_state || is_motion(other.event);
        let passed = self.waiting.iter().rev().take_while(is_passed).count();
        let first = self.waiting.len() - passed;
        let mut place = 0;
        self.waiting.retain(|other| {
            place += 1;
            let is_replaced = match (new.event, other.event) {
                _ if place <= first || !new.is_state => false,
                (InputEvent::ReleaseAll, old) => state(old).is_some(),
                (
                    InputEvent::Hold(key) | InputEvent::Release(key),
                    InputEvent::Hold(old) | InputEvent::Release(old),
                ) => key == old,
                _ => false,
            };
            !is_replaced
        });
    }

    /// What a buffer leaves of events when time stood still in a frame.
    pub(super) fn shorten(&mut self, stood_still: bool, keeps: bool) {
        let is_pause = self.is_first || stood_still && self.reached > self.from;
        if !keeps && is_pause {
            for mut waiting in std::mem::take(&mut self.waiting) {
                let is_new = waiting.is_new && (self.is_first || waiting.at >= self.pause.0);
                if is_new || waiting.is_untimed {
                    self.counts.paused += u64::from(!waiting.is_state);
                    let Some(state) = state(waiting.event) else { continue };
                    (waiting.event, waiting.is_state) = (state, true);
                    self.replace(&waiting);
                }
                self.waiting.push(waiting);
            }
            self.counts.paused += u64::from(self.open.take().is_some());
        }
        if is_pause || !stood_still {
            self.waiting.iter_mut().for_each(|waiting| waiting.is_untimed = false);
            self.close();
        }
        let far = self.last_now.saturating_add(FAR);
        let far = self.waiting.iter().filter(|waiting| waiting.at > far).count() as u64;
        self.counts.foreign += std::mem::take(&mut self.ahead).min(far);
        self.keep_order();
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.due = Some(self.due.map_or(open, |[x, y]| [x + open[0], y + open[1]]));
        }
    }

    /// The steps that a frame has.
    pub(super) fn spread_over(&mut self, first: Tick, end: Tick) {
        self.spread = (self.spread.0.min(first), end);
    }

    /// The part of a step of the motion without a time.
    fn part(&mut self, tick: Tick) -> Option<[f64; 2]> {
        if tick < self.spread.0 {
            return None;
        }
        self.close();
        let due = self.due?;
        self.spread.0 = tick + 1;
        let left = self.spread.1.saturating_sub(tick);
        if left <= 1 {
            return self.due.take();
        }
        let part = due.map(|by| by / left as f64);
        self.due = Some([due[0] - part[0], due[1] - part[1]]);
        Some(part)
    }

    /// Simulated time went from one place to another, counted in steps, or stood still.
    pub(super) fn begin_frame(&mut self, now: Duration, filter: Filter, from: &Exact, to: &Exact, stood_still: bool) {
        // Before a task's first step is that step.
        let tick = |place: Exact| Tick::try_from(place.max(whole(0)).floor().to_integer()).unwrap();
        let filtered = (now.as_nanos() as i128).saturating_sub(filter.residual.into()).max(0);
        let filtered = Duration::from_nanos_u128((filtered as u128).min(Duration::MAX.as_nanos()));
        let is_other = self.has_begun && now < self.last_now;
        self.is_first = !self.has_begun || is_other;
        self.has_begun = true;
        if self.is_first {
            (self.reached, self.last_now, self.pause) = (filtered, now, (now, now));
        }
        if is_other {
            self.waiting
                .iter_mut()
                .for_each(|waiting| waiting.at = waiting.at.min(now));
        }
        let (last, reached) = (self.reached, self.reached.max(filtered));
        self.from = last;
        (self.reached, self.lead) = (reached, filter.lead);
        if reached > last {
            let end = self.last_now.max(now);
            if stood_still && self.pause.1 < self.last_now {
                self.pause = (self.last_now, end);
            } else if stood_still {
                self.pause.1 = end;
            }
            self.last_now = end;
        }
        let stood_until = if self.is_first { now } else { self.pause.1 };
        for event in &mut self.waiting {
            let acts_at = event.at.saturating_add(filter.lead);
            let has_come = acts_at < reached || event.at < stood_until;
            event.is_new = event.tick.is_none() && has_come;
            event.tick = match event.tick {
                Some(given) => Some(given.min(tick(to.clone()))),
                None if !has_come => None,
                None if to <= from || acts_at <= last || reached == last => Some(tick(from.min(to).clone())),
                None => {
                    let nanos = |time: Duration| time.as_nanos().min(u64::MAX.into());
                    let way = ratio(nanos(acts_at - last), nanos(reached - last));
                    Some(tick(from + (to - from) * way))
                }
            };
        }
    }

    /// No event overtakes an older one.
    fn keep_order(&mut self) {
        for place in (1..self.waiting.len()).rev() {
            if let (Some(older), Some(tick)) = (self.waiting[place - 1].tick, self.waiting[place].tick) {
                self.waiting[place - 1].tick = Some(older.min(tick));
            }
        }
    }

    /// A frame begins whose first step has this tick. The step that was asked for last goes on only where it is that one.
    pub(super) fn begin_at(&mut self, first: Option<Tick>) {
        self.asked = match (self.asked, first) {
            (Some((tick, _)), Some(first)) if tick == first && tick > 0 => Some((tick, true)),
            (Some((tick, _)), None) => Some((tick, true)),
            _ => None,
        };
    }

    /// What the step sees that is asked for.
    pub(super) fn ask(&mut self, tick: Tick) -> Seen {
        self.seen.new.clear();
        self.seen.is_begun = self.asked.is_none_or(|(asked, _)| asked != tick);
        if self.seen.is_begun {
            let held = std::mem::take(&mut self.seen.held);
            self.seen = Seen {
                held,
                is_begun: true,
                ..Seen::default()
            };
        }
        if self.asked != Some((tick, false)) {
            let at = self
                .reached
                .saturating_sub(self.lead)
                .saturating_sub(Duration::from_nanos(1));
            if let Some(by) = self.part(tick) {
                let event = InputEvent::Motion(by);
                self.seen.events.push((at, event));
                self.seen.new.push(event);
                self.seen.apply(event);
            }
            while let Some(first) = self.waiting.first()
                && first.tick.is_some_and(|due| due <= tick)
            {
                let first = self.waiting.remove(0);
                self.seen.events.push((first.at, first.event));
                self.seen.new.push(first.event);
                self.seen.apply(first.event);
            }
        }
        self.asked = Some((tick, false));
        self.seen.clone()
    }
}

impl Seen {
    fn apply(&mut self, event: Event) {
        match event {
            InputEvent::Press(key) | InputEvent::Hold(key) if self.held.contains(&key) => {}
            InputEvent::Hold(key) => self.held.push(key),
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
            _ => unreachable!("no other event is generated"),
        }
    }
}

fn is_motion(event: Event) -> bool {
    matches!(event, InputEvent::Motion(_) | InputEvent::Wheel(_))
}

fn state(event: Event) -> Option<Event> {
    match event {
        InputEvent::Press(key) => Some(InputEvent::Hold(key)),
        InputEvent::Motion(_) | InputEvent::Wheel(_) => None,
        state => Some(state),
    }
}

fn sum(older: Event, newer: Event) -> Option<Event> {
    match (older, newer) {
        (InputEvent::Motion(a), InputEvent::Motion(b)) => Some(InputEvent::Motion([a[0] + b[0], a[1] + b[1]])),
        (InputEvent::Wheel(a), InputEvent::Wheel(b)) => Some(InputEvent::Wheel([a[0] + b[0], a[1] + b[1]])),
        _ => None,
    }
}
