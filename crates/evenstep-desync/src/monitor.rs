//! The monitor of one machine: what it records, sends and hears.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::vec::Vec;
use core::{fmt, mem};

use evenstep::inspect::{self, Desync, Dump};
use evenstep::{Inspect, Tick};

use crate::message::{Block, MAX_HASHES, Message};
use crate::search::Search;

/// Each hash is sent as often, because messages may be lost.
const SENT_TIMES: Tick = 4;

/// The most questions of the other machine that are answered in a frame; it repeats the others.
const MAX_ANSWERS: usize = 16;

/// Compares this machine's states with another one's, and names the tick and the values in which they differ.
///
/// Use it beside any deterministic game on several machines: GGRS or `bevy_ggrs`, lockstep, or clients of a server that passes inputs on. Both
/// machines have a monitor for each other, [record](Self::record) the state of each tick, and exchange [messages](Self::message) over any channel:
/// a second UDP socket, an unreliable channel of the transport, a file. At most 1200 bytes each, they may be lost, repeated and reordered,
/// but not changed.
///
/// While states agree, the messages are hashes: about 2 kB a second at 60 ticks a second. When two hashes differ, the machines ask each other for the
/// hashes of blocks of values, then of the parts that differ, until single values remain. Both then have the same
/// [report](Self::desync), and a [dump](Self::dump) for a file that `evenstep desync` reads. All machines must run the same program.
///
/// ```
/// use evenstep::Inspect;
/// use evenstep_desync::DesyncMonitor;
///
/// #[derive(Clone, Inspect)]
/// struct Game {
///     ships: [f32; 2],
/// }
///
/// let (mut here, mut there) = (Game { ships: [0.0; 2] }, Game { ships: [0.0; 2] });
/// let (mut monitor, mut other) = (DesyncMonitor::new(120), DesyncMonitor::new(120));
/// for tick in 0..200 {
///     // On each machine, before the step of the tick:
///     monitor.record(tick, &here);
///     other.record(tick, &there);
///     here.ships[1] += 0.1;
///     there.ships[1] += if tick == 40 { 0.2 } else { 0.1 }; // the fault
///     // Once a frame, over the channel:
///     while let Some(bytes) = monitor.message() {
///         other.receive(&bytes)?;
///     }
///     while let Some(bytes) = other.message() {
///         monitor.receive(&bytes)?;
///     }
/// }
/// let desync = monitor.desync().expect("they differ");
/// assert_eq!(desync.to_string(), "tick 41: ships[1]: 4.0999985 (0x40833330) here, 4.1999984 (0x40866663) there");
/// # Ok::<(), evenstep_desync::MessageError>(())
/// ```
///
/// # Rollback
///
/// A state that may still be simulated again is not final. [`with_rollback`](Self::with_rollback) says after how many more ticks it is: record each
/// state that the session saves, also when its tick is simulated again. `evenstep-ggrs` has a call for it.
///
/// # Matches
///
/// A monitor whose ticks are set back, to 0 for another match, begins again, without the report of the match before. Messages carry the number of
/// their match, so late ones of the match before are ignored. The other machine may begin up to half of its `history` later, a quarter
/// [with rollback](Self::with_rollback); a match that lasts no longer than that may be compared with another. It may also make a new monitor, if it
/// has a new channel.
///
/// Send and receive a while longer after a report, because the other machine may still be asking. Where machines record different ticks, only common
/// ticks are compared.
#[derive(Debug)]
pub struct DesyncMonitor<S> {
    /// For how many ticks states are kept.
    history: Tick,
    rollback: Tick,
    current: Match<S>,
    /// The other machine's hashes for ticks that are not much older or newer than our own, and their match: this one, or one that is still to begin.
    others: BTreeMap<Tick, u64>,
    others_match: u32,
}

/// What a monitor knows of the match that is played; another match replaces it.
#[derive(Debug)]
struct Match<S> {
    /// How often ticks were set back, here or there.
    number: u32,
    /// The recorded states of the last ticks, and the hashes of the final ones.
    states: BTreeMap<Tick, S>,
    hashes: BTreeMap<Tick, u64>,
    inputs: BTreeMap<Tick, Dump>,
    /// The hashes before this tick have been sent.
    sent: Tick,
    /// Whether the other machine was heard in this match.
    is_heard: bool,
    search: Option<Search>,
    /// The blocks that the other machine requested.
    asked: Vec<(Tick, Block)>,
    /// The messages of this frame that were not taken; none before its first.
    due: Option<VecDeque<Message>>,
}

impl<S> Match<S> {
    const fn new(number: u32) -> Self {
        Self {
            number,
            states: BTreeMap::new(),
            hashes: BTreeMap::new(),
            inputs: BTreeMap::new(),
            sent: 0,
            is_heard: false,
            search: None,
            asked: Vec::new(),
            due: None,
        }
    }

    /// The search at a tick at which the other machine searches, too; none if this one does not.
    fn shared_search(&mut self, tick: Tick) -> Option<&mut Search> {
        let search = self.search.as_mut().filter(|search| search.tick() == tick)?;
        search.is_shared = true;
        Some(search)
    }

    /// The newest tick whose state is final; none before the first.
    fn newest_final(&self) -> Option<Tick> {
        self.hashes.keys().next_back().copied()
    }

    /// The first tick whose state is not final.
    fn next(&self) -> Tick {
        self.newest_final().map_or(0, |newest| newest.saturating_add(1))
    }
}

/// The bytes are not a message of a [`DesyncMonitor`] of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageError;

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not a message of a desync monitor of this version; ignore them, and send nothing else over its channel")
    }
}

impl core::error::Error for MessageError {}

impl<S: Inspect + Clone> DesyncMonitor<S> {
    /// A monitor that keeps the states of `history` ticks, from 4 to 128: at least as many as pass in a round trip, and a few more where messages
    /// are lost. Two seconds are ample; less saves memory where states are large. Every state is final when it is recorded.
    #[must_use]
    pub fn new(history: usize) -> Self {
        Self {
            history: (history as Tick).clamp(SENT_TIMES, MAX_HASHES as Tick),
            rollback: 0,
            current: Match::new(0),
            others: BTreeMap::new(),
            others_match: 0,
        }
    }

    /// The same for states that may be recorded again: one is final when the state of `ticks` ticks later has been recorded. Give the session's
    /// prediction window and two more.
    #[must_use]
    pub const fn with_rollback(mut self, ticks: Tick) -> Self {
        self.rollback = ticks;
        self
    }

    /// Records the state before the step of `tick`, as a clone. A tick that is recorded again replaces what was recorded; if it was final, another
    /// match begins with it, except for the newest final tick with an equal state.
    ///
    /// It costs a clone and a [`hash`](inspect::hash) for each tick, and a dump when the other machine's state differs.
    pub fn record(&mut self, tick: Tick, state: &S) {
        if self.newest_final().is_some_and(|newest| tick <= newest) {
            if self.newest_final() == Some(tick) && self.current.hashes.get(&tick) == Some(&hash(state)) {
                return;
            }
            self.begin_again(tick);
        }
        let next = self.current.next();
        self.current.states.insert(tick, state.clone());
        let newest = self.current.states.keys().next_back().copied().unwrap_or(tick);
        let Some(last) = newest.checked_sub(self.rollback) else {
            return;
        };
        for (tick, state) in self.current.states.range(next..).take_while(|(tick, _)| **tick <= last) {
            self.current.hashes.insert(*tick, hash(state));
        }
        let oldest = self.current.next().saturating_sub(self.history);
        self.current.hashes.retain(|tick, _| *tick >= oldest);
        self.current.states.retain(|tick, _| *tick >= oldest);
        self.current.inputs.retain(|tick, _| *tick >= oldest);
        self.compare();
    }

    /// Begins another match. The inputs of its first tick may have been recorded.
    fn begin_again(&mut self, first: Tick) {
        let inputs = self.current.inputs.remove_entry(&first);
        self.current = Match::new(self.current.number.saturating_add(1));
        self.current.inputs.extend(inputs);
    }

    /// Records the inputs of the step of `tick`, before the state that it leads to: the dump has those since the machines agreed, as
    /// `player_inputs[tick]`. They are not compared.
    pub fn record_inputs(&mut self, tick: Tick, inputs: &impl Inspect) {
        self.current.inputs.insert(tick, Dump::new(tick, inputs));
    }

    /// The newest tick whose state is final; none before the first.
    #[must_use]
    pub fn newest_final(&self) -> Option<Tick> {
        self.current.newest_final()
    }

    /// Takes a message of the other machine's monitor.
    ///
    /// Whatever the bytes are, they cannot make the monitor keep more than a hundred kilobytes and a dump of a state, or answer more than 16
    /// questions in a frame.
    ///
    /// # Errors
    ///
    /// [`MessageError`] if it is not a message of a monitor; nothing has changed.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), MessageError> {
        let (match_number, message) = Message::parse(bytes).ok_or(MessageError)?;
        if let Message::Hashes { first, hashes } = &message {
            self.receive_hashes(match_number, *first, hashes);
        }
        if match_number != self.current.number {
            return Ok(());
        }
        self.current.is_heard = true;
        match message {
            Message::Hashes { .. } => self.compare(),
            Message::Question { tick, block } => {
                let _ = self.current.shared_search(tick);
                if self.current.asked.len() < MAX_ANSWERS {
                    self.current.asked.push((tick, block));
                    self.compare();
                }
            }
            Message::Parts { tick, block, hashes } => {
                if let Some(search) = self.current.shared_search(tick) {
                    search.receive_parts(block, &hashes);
                }
            }
            Message::Line { tick, start, line } => {
                if let Some(search) = self.current.shared_search(tick)
                    && !search.receive_line(start, line)
                {
                    return Err(MessageError);
                }
            }
        }
        Ok(())
    }

    /// Keeps the other machine's hashes of this match, or of one that it has begun before us.
    fn receive_hashes(&mut self, match_number: u32, first: Tick, hashes: &[u64]) {
        if match_number < self.current.number {
            return;
        }
        let next = self.current.next();
        let newest = next.saturating_sub(1);
        // Where only the other monitor was set back, because this one is new or had no final state, both are at the same ticks now.
        let apart = next.abs_diff(first + hashes.len() as Tick);
        let had_none = self.rollback > 0 && apart <= self.history / SENT_TIMES;
        let is_new = self.current.number == 0 && !self.current.is_heard;
        if match_number > self.current.number && (had_none || is_new) {
            self.current.number = match_number;
            self.current.search = None;
            self.current.asked.clear();
        }
        let is_this = match_number == self.current.number;
        let is_near = |tick: Tick| !is_this || tick.abs_diff(newest) <= MAX_HASHES as Tick;
        let is_same = mem::replace(&mut self.others_match, match_number) == match_number;
        self.others.retain(|tick, _| is_same && is_this && is_near(*tick));
        let hashes = (first..).zip(hashes.iter().copied());
        self.others
            .extend(hashes.filter(|(tick, hash)| *hash != 0 && is_near(*tick)));
    }

    /// The next message that is due. Call it in each frame until there is none: the first call after that begins another frame.
    pub fn message(&mut self) -> Option<Vec<u8>> {
        let mut due = self.current.due.take().unwrap_or_else(|| self.messages());
        let message = due.pop_front()?;
        self.current.due = Some(due);
        Some(message.to_bytes(self.current.number))
    }

    /// The messages of a frame.
    fn messages(&mut self) -> VecDeque<Message> {
        let mut due = VecDeque::new();
        let next = self.current.next();
        if next.saturating_sub(self.current.sent) >= self.history / SENT_TIMES {
            self.current.sent = next;
            due.push_back(self.hashes_until(next - 1));
        }
        let asked = mem::take(&mut self.current.asked);
        let Some(mut search) = self.current.search.take() else {
            return due;
        };
        let questions = search.questions();
        if !questions.is_empty() {
            // The other machine may not know yet that this tick differs.
            due.push_back(self.hashes_until(search.tick()));
        }
        due.extend(questions);
        let answered = asked.iter().filter(|(tick, _)| *tick == search.tick());
        due.extend(answered.map(|(_, block)| search.answer(*block)));
        self.current.search = Some(search);
        due
    }

    /// The last hashes until a tick.
    fn hashes_until(&self, last: Tick) -> Message {
        let first = self.current.next().saturating_sub(self.history).min(last);
        let hashes = (first..=last).map(|tick| self.current.hashes.get(&tick).copied().unwrap_or(0));
        let hashes = hashes.collect();
        Message::Hashes { first, hashes }
    }

    /// The first tick before which the states of both machines differ, and the first 32 values that do. None as long as nothing differs, or
    /// the search has not ended. If they have differed for longer than states are kept, it is one of the ticks that both still keep.
    #[must_use]
    pub fn desync(&self) -> Option<&Desync> {
        self.current.search.as_ref()?.report()
    }

    /// The whole state of this machine before the tick in which it differs, and the inputs since both agreed.
    ///
    /// Write it to a file on each machine, and compare them with `evenstep desync`.
    #[must_use]
    pub fn dump(&self) -> Option<&Dump> {
        Some(&self.current.search.as_ref()?.dump)
    }

    /// Begins a search if a state differs, at an earlier tick than one that has not ended.
    fn compare(&mut self) {
        let is_kept = |search: &mut Search| self.current.states.contains_key(&search.tick());
        self.current
            .search
            .take_if(|search| search.is_in_vain() && !is_kept(search));
        let (end, is_only_asked) = match &self.current.search {
            Some(search) if search.report().is_some() => return,
            // Neither machine leaves the other alone at a tick.
            Some(search) if search.is_shared => (search.tick(), true),
            // The other machine did not hear of this tick in time, and may be at a later one.
            Some(search) if !self.current.states.contains_key(&search.tick()) => (Tick::MAX, true),
            Some(search) => (search.tick(), false),
            None => (Tick::MAX, false),
        };
        let others = (self.others_match == self.current.number).then_some(&self.others);
        let both = |(tick, there): (&Tick, &u64)| self.current.hashes.get(tick).map(|here| (*tick, here == there));
        let compared = || {
            others
                .into_iter()
                .flat_map(|others| others.range(..end))
                .filter_map(both)
        };
        let differing = || compared().filter(|(_, is_equal)| !is_equal).map(|(tick, _)| tick);
        let Some(first) = differing().next() else {
            return;
        };
        let agreed = compared().map(|(tick, _)| tick).take_while(|tick| *tick < first).last();
        let is_asked = |tick: &Tick| self.current.asked.iter().any(|(asked, _)| asked == tick);
        let tick = if is_only_asked {
            differing().find(is_asked)
        } else if agreed.is_some() || self.current.next() - first <= self.history / 2 {
            Some(first)
        } else {
            // They may have differed before, and this tick is soon no longer kept: take the newest, or one for which the other machine asks.
            let newest = differing().next_back().filter(|_| self.current.search.is_none());
            differing().find(is_asked).or(newest)
        };
        let Some((tick, state)) = tick.and_then(|tick| self.current.states.get_key_value(&tick)) else {
            return;
        };
        let mut search = Search::new(Dump::new(*tick, state));
        for (tick, inputs) in self.current.inputs.range(agreed.unwrap_or(0)..*tick) {
            search.dump.append(&format!("player_inputs[{tick}]"), inputs);
        }
        self.current.search = Some(search);
    }
}

/// The hash of a state; 0 stands for one that was not saved.
fn hash(state: &impl Inspect) -> u64 {
    inspect::hash(state).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_this_match_are_kept_up_to_128_ticks_from_the_newest_state() {
        let mut monitor = DesyncMonitor::<u64>::new(120);
        for tick in 0..=500 {
            monitor.record(tick, &0);
        }
        for first in [371, 627] {
            monitor.receive_hashes(0, first, &[7; 3]);
        }
        let kept: Vec<_> = monitor.others.keys().copied().collect();
        assert_eq!(kept, [372, 373, 627, 628]);
    }
}
