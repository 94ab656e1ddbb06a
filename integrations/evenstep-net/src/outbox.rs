//! What is sent to each client: states as differences from the last one that it has acknowledged, within a bound per tick.

use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::Tick;
use evenstep::history::SavedStates;

use crate::delta::{Tree, encode};
use crate::game::PlayerId;
use crate::message::{ClientMessage, Echo, FRAGMENT_BYTES, ReceivedFragments, ReceivedStates, ServerMessage};
use crate::server::Snapshot;

/// The largest number of messages to a client after a tick. A state of more fragments is spread over several ticks.
const MAX_MESSAGES: usize = 8;

/// The largest number of states that are kept for a client until it acknowledges them, and the most memory that they take.
const MAX_STATES: usize = 64;
const MAX_STATE_BYTES: usize = 16 << 20;

/// Until a client's first acknowledgement, fragments are sent again after this many ticks, and later after at most `MAX_ROUND_TRIP`.
const FIRST_ROUND_TRIP: u64 = 8;
const MAX_ROUND_TRIP: u64 = 32;

/// The messages to all clients of a [`Server`](crate::Server), the counterpart of an [`Inbox`](crate::Inbox).
///
/// A state is sent as its difference from the last one that the client has acknowledged, or whole if there is none. If it takes at
/// most eight messages, they are sent at once, and the next state follows after the next tick, whether they arrive or not. A larger
/// state is spread over several ticks, first the fragments that were not sent yet, then those sent the longest ago, until the client
/// has all of them.
///
/// Whatever a client acknowledges, it is sent at most eight messages a tick, with at most 900 bytes of the state each, and no state
/// is encoded for it before the last one was sent in full. At most 64 states and 16 MiB are kept for it, and clients that see the
/// same states share them.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    clients: BTreeMap<PlayerId, Delivery>,
    /// The differences of the state that everybody sees, for this tick.
    tick: Tick,
    encoded: Vec<Encoded>,
}

/// A difference from a state, or a whole state.
#[derive(Clone, Debug)]
struct Encoded {
    before: Option<Arc<Tree>>,
    bytes: Arc<[u8]>,
}

/// What is sent to one client.
#[derive(Clone, Debug)]
struct Delivery {
    /// When the newest of its messages was sent, on its own clock.
    newest_sent: u64,
    /// The state that it has acknowledged, and those that were sent since.
    acknowledged: Option<(Tick, Arc<Tree>)>,
    sent: SavedStates<Arc<Tree>>,
    transfer: Option<Transfer>,
    /// The ticks from sending a state to its acknowledgement.
    round_trip: Option<u64>,
}

/// A state on its way.
#[derive(Clone, Debug)]
struct Transfer {
    tick: Tick,
    before: Option<Tick>,
    bytes: Arc<[u8]>,
    fragments: Vec<Fragment>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fragment {
    /// After which tick it was last sent.
    sent: Option<Tick>,
    has_arrived: bool,
}

impl Outbox {
    /// Creates an outbox without clients.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a client, which has no state yet. If there was one with this id, it is forgotten.
    pub fn join(&mut self, id: PlayerId) {
        self.clients.insert(id, Delivery::new());
    }

    /// Removes a client.
    pub fn leave(&mut self, id: PlayerId) {
        self.clients.remove(&id);
    }

    /// Processes what a client's message says about the states that have arrived. Messages that are older than the newest one, and
    /// states that were not sent, are ignored.
    pub fn receive<P>(&mut self, id: PlayerId, message: &ClientMessage<P>) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.receive(message.sent, &message.received, self.tick);
        }
    }

    /// The messages to a client after a tick. There are none if it has not joined, or if the state could not be read, which is counted.
    pub fn messages(&mut self, snapshot: &Snapshot, id: PlayerId, echo: Option<Echo>) -> Vec<Vec<u8>> {
        if self.tick != snapshot.tick {
            self.encoded.clear();
            self.tick = snapshot.tick;
        }
        let (Some(client), Some((tree, is_shared))) = (self.clients.get_mut(&id), snapshot.state(id)) else {
            return Vec::new();
        };
        if client.is_ready() {
            let before = client.acknowledged.as_ref().map(|(_, tree)| tree);
            let bytes = match is_shared {
                true => encode_once(&mut self.encoded, tree, before),
                false => encode(tree, before.map(AsRef::as_ref)).into(),
            };
            client.begin(snapshot.tick, Arc::clone(tree), bytes);
        }
        let reports = snapshot.reports.get(&id).cloned().unwrap_or_default();
        let message = ServerMessage {
            tick: snapshot.tick,
            before: None,
            fragment: 0,
            fragments: 0,
            echo,
            reports,
            body: &[],
        };
        client.send(snapshot.tick, &message)
    }
}

/// The difference of a state from another one, which is computed once for all clients.
fn encode_once(encoded: &mut Vec<Encoded>, tree: &Tree, before: Option<&Arc<Tree>>) -> Arc<[u8]> {
    let is_same = |encoded: &&Encoded| match (&encoded.before, before) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    };
    if let Some(same) = encoded.iter().find(is_same) {
        return Arc::clone(&same.bytes);
    }
    let bytes: Arc<[u8]> = encode(tree, before.map(AsRef::as_ref)).into();
    encoded.push(Encoded {
        before: before.cloned(),
        bytes: Arc::clone(&bytes),
    });
    bytes
}

impl Delivery {
    fn new() -> Self {
        Self {
            newest_sent: 0,
            acknowledged: None,
            sent: SavedStates::new(MAX_STATES),
            transfer: None,
            round_trip: None,
        }
    }

    fn receive(&mut self, sent: u64, received: &ReceivedStates, now: Tick) {
        if sent < self.newest_sent {
            return;
        }
        self.newest_sent = sent;
        match received.complete {
            Some(tick) => self.acknowledge(tick, now),
            None => self.acknowledged = None,
        }
        if let (Some(transfer), Some(fragments)) = (&mut self.transfer, received.partial) {
            transfer.receive(fragments);
            if transfer.fragments.iter().all(|fragment| fragment.has_arrived) {
                let tick = transfer.tick;
                self.acknowledge(tick, now);
            }
        }
    }

    /// The client has a state. Differences are then from this one on.
    fn acknowledge(&mut self, tick: Tick, now: Tick) {
        let Some(tree) = self.sent.get(tick).cloned() else {
            return;
        };
        self.sent.forget_before(tick.saturating_add(1));
        self.acknowledged = Some((tick, tree));
        self.round_trip = Some(now.saturating_sub(tick).clamp(1, MAX_ROUND_TRIP));
        if self.transfer.as_ref().is_some_and(|transfer| transfer.tick <= tick) {
            self.transfer = None;
        }
    }

    /// Whether the next state can be sent.
    fn is_ready(&self) -> bool {
        let is_spread = |transfer: &Transfer| transfer.fragments.len() > MAX_MESSAGES;
        !self.transfer.as_ref().is_some_and(is_spread)
    }

    fn begin(&mut self, tick: Tick, tree: Arc<Tree>, bytes: Arc<[u8]>) {
        // A state without a change takes no bytes, and one fragment.
        let fragments = vec![Fragment::default(); bytes.len().div_ceil(FRAGMENT_BYTES).max(1)];
        self.transfer = Some(Transfer {
            tick,
            before: self.acknowledged.as_ref().map(|(tick, _)| *tick),
            bytes,
            fragments,
        });
        self.sent.push(tick, tree);
        while self.sent.len() > 1 && self.sent_bytes() > MAX_STATE_BYTES {
            let second = self.sent.ticks().nth(1).unwrap_or(tick);
            self.sent.forget_before(second);
        }
    }

    /// The memory of the states that were sent.
    fn sent_bytes(&self) -> usize {
        let trees = self.sent.ticks().filter_map(|tick| self.sent.get(tick));
        trees.map(|tree| tree.bytes()).sum()
    }

    /// The messages with the fragments that are due, at least one.
    fn send(&mut self, now: Tick, empty: &ServerMessage<'_>) -> Vec<Vec<u8>> {
        let wait = self.round_trip.unwrap_or(FIRST_ROUND_TRIP) + 1;
        let mut messages = Vec::new();
        if let Some(transfer) = &mut self.transfer {
            let is_due = |fragment: &Fragment| {
                let is_old = fragment.sent.is_none_or(|sent| sent.saturating_add(wait) <= now);
                is_old && !fragment.has_arrived
            };
            let count = transfer.fragments.len();
            let mut due: Vec<usize> = (0..count).filter(|index| is_due(&transfer.fragments[*index])).collect();
            due.sort_by_key(|index| transfer.fragments[*index].sent);
            for index in due.into_iter().take(MAX_MESSAGES) {
                transfer.fragments[index].sent = Some(now);
                let begin = index * FRAGMENT_BYTES;
                let end = transfer.bytes.len().min(begin + FRAGMENT_BYTES);
                let message = ServerMessage {
                    tick: transfer.tick,
                    before: transfer.before,
                    // There are at most `MAX_FRAGMENTS`.
                    fragment: index as u16,
                    fragments: count as u16,
                    body: &transfer.bytes[begin..end],
                    ..empty.clone()
                };
                messages.push(message.encode());
            }
        }
        if messages.is_empty() {
            messages.push(empty.encode());
        }
        messages
    }
}

impl Transfer {
    /// Notes which fragments have arrived. One that was not sent cannot have.
    fn receive(&mut self, received: ReceivedFragments) {
        if received.tick != self.tick {
            return;
        }
        let first = usize::from(received.first);
        for (index, fragment) in self
            .fragments
            .iter_mut()
            .enumerate()
            .filter(|(_, fragment)| fragment.sent.is_some())
        {
            let bit = index.checked_sub(first + 1).filter(|bit| *bit < 64);
            fragment.has_arrived |= index < first || bit.is_some_and(|bit| received.next >> bit & 1 == 1);
        }
    }
}
