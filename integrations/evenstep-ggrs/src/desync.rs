//! Finds the values in which the states of two peers differ, by messages over a channel of the game.

mod message;
mod search;

use std::collections::BTreeMap;
use std::mem;

use evenstep::snapshot::{self, Desync, Dump, Visitor};
use evenstep::{Snapshot, Tick};
use ggrs::InputStatus;

use crate::rollback::Rollback;
use message::{Block, MAX_HASHES, Message};
use search::Search;

/// Each hash is sent as often, because messages may be lost.
const SENT_TIMES: usize = 4;

/// The most questions of a peer that are answered between two calls of `messages_to_send`; it repeats the others.
const MAX_ANSWERS: usize = 16;

/// Compares the states of peers, and names the tick and the values in which they differ.
///
/// A `P2PSession` only reports that checksums differ. A monitor beside it exchanges the hashes of all final states. When two differ, the
/// peers request the hashes of blocks of values from each other, then those of the parts that differ, until single values remain. Every
/// machine then has the [report](Self::desync), and a [dump](Self::dump) for a file.
///
/// The messages go over a channel of the game's own, such as a second UDP socket: at most 1200 bytes each, to be sent unchanged. They may
/// be lost, repeated and reordered. While states agree, a quarter of the history is sent whenever that many ticks have passed, about 2 kB a
/// second to each peer. `A` is the address of a peer on that channel. The saved states of the game and its players' inputs implement
/// [`Snapshot`]. All machines must run the same program.
///
/// ```no_run
/// # use evenstep::history::Rewind;
/// # use evenstep::{FixedTimestep, Frame, Step};
/// # use evenstep_ggrs::{DesyncMonitor, Rollback, RollbackGame, Session};
/// # use std::net::{SocketAddr, UdpSocket};
/// # fn example<G: RollbackGame<PlayerInput = u8, Saved = [f32; 2], Event = ()>>(
/// #     mut game: G,
/// #     mut session: impl Session<Input = u8>,
/// #     mut timestep: FixedTimestep,
/// #     mut frame: impl FnMut(&mut FixedTimestep) -> Frame,
/// #     channel: UdpSocket, // does not block
/// #     peer: SocketAddr,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// let mut rollback = Rollback::new();
/// let mut monitor = DesyncMonitor::new(&mut rollback, [peer], 120);
/// loop {
///     let frame = frame(&mut timestep);
///     let _frame = rollback.run(&mut session, &mut game, &mut timestep, frame, |_step, _player| 0)?;
///
///     let mut bytes = [0; 2048];
///     while let Ok((len, from)) = channel.recv_from(&mut bytes) {
///         let _refused = monitor.receive(&from, &bytes[..len]); // not from a peer, or not its message
///     }
///     monitor.update(&rollback);
///     for (peer, bytes) in monitor.messages_to_send() {
///         channel.send_to(&bytes, peer)?;
///     }
///     if let (Some(desync), Some(dump)) = (monitor.desync(&peer), monitor.dump(&peer)) {
///         std::fs::write("here.dump", dump.to_string())?;
///         return Err(desync.to_string().into());
///     }
/// }
/// # }
/// ```
///
/// Send and receive a while longer after a report, because the other machine may still be asking. A lockstep session, with a
/// prediction window of 0, requests no saves, and nothing is compared. With sparse saving only ticks are compared that both machines
/// happened to save.
pub struct DesyncMonitor<A> {
    history: usize,
    /// Of the last final states, at most as many as the history is long.
    hashes: BTreeMap<Tick, u64>,
    /// How many hashes have come since they were sent.
    unsent: usize,
    peers: Vec<Peer<A>>,
}

struct Peer<A> {
    address: A,
    /// Its hashes for ticks that are not much older or newer than our own.
    hashes: BTreeMap<Tick, u64>,
    search: Option<Search>,
    /// The blocks that it requested.
    asked: Vec<(Tick, Block)>,
}

/// Why a message was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// It is from an address that the monitor was not made with.
    #[error("the message is not from a peer; ignore it, or make the monitor with this address")]
    UnknownPeer,
    /// Its bytes are not those of a message.
    #[error(
        "the bytes are not a message of a desync monitor of this version; ignore them, and send nothing else over its channel"
    )]
    Malformed,
}

impl<A: Clone + PartialEq> DesyncMonitor<A> {
    /// For a rollback that has not begun, and peers at these addresses of the game's channel.
    ///
    /// The rollback will keep the states and inputs of `history` more ticks than the session needs, from 4 to 128: at least as many as pass
    /// in a round trip, and a few more where messages are lost. Two seconds are ample; less saves memory where states are large.
    #[must_use]
    pub fn new<S, P: Copy, E: Clone + PartialEq>(
        rollback: &mut Rollback<S, P, E>,
        peers: impl IntoIterator<Item = A>,
        history: usize,
    ) -> Self {
        let history = history.clamp(SENT_TIMES, MAX_HASHES);
        rollback.keep_history(history);
        let peer = |address| Peer {
            address,
            hashes: BTreeMap::new(),
            search: None,
            asked: Vec::new(),
        };
        Self {
            history,
            hashes: BTreeMap::new(),
            unsent: 0,
            peers: peers.into_iter().map(peer).collect(),
        }
    }

    /// Takes a message from the game's channel.
    ///
    /// Whatever the bytes are, a peer cannot make the monitor keep more than a few kilobytes, or answer more than 16 questions for each
    /// call of [`messages_to_send`](Self::messages_to_send).
    ///
    /// # Errors
    ///
    /// [`MessageError`] if it is not a message of a peer; nothing has changed.
    pub fn receive(&mut self, from: &A, bytes: &[u8]) -> Result<(), MessageError> {
        let newest = self.hashes.keys().next_back().copied().unwrap_or(0);
        let near = newest.saturating_sub(MAX_HASHES as Tick)..=newest.saturating_add(MAX_HASHES as Tick);
        let peer = self.peers.iter_mut().find(|peer| peer.address == *from);
        let peer = peer.ok_or(MessageError::UnknownPeer)?;
        let search = |tick| move |search: &&mut Search| search.tick() == tick;
        match Message::parse(bytes).ok_or(MessageError::Malformed)? {
            Message::Hashes { first, hashes } => {
                peer.hashes.retain(|tick, _| near.contains(tick));
                let hashes = (first..).zip(hashes);
                peer.hashes
                    .extend(hashes.filter(|(tick, hash)| *hash != 0 && near.contains(tick)));
            }
            Message::Question { tick, block } => {
                if peer.asked.len() < MAX_ANSWERS {
                    peer.asked.push((tick, block));
                }
            }
            Message::Parts { tick, block, hashes } => {
                if let Some(search) = peer.search.as_mut().filter(search(tick)) {
                    search.receive_parts(block, &hashes);
                }
            }
            Message::Line { tick, start, line } => {
                if let Some(search) = peer.search.as_mut().filter(search(tick))
                    && !search.receive_line(start, line)
                {
                    return Err(MessageError::Malformed);
                }
            }
        }
        Ok(())
    }

    /// Hashes the states that have become final, and compares them with those of the peers. Call it in each frame, after
    /// [`run`](Rollback::run), with the rollback that the monitor was made with.
    ///
    /// It costs a [`hash`](snapshot::hash) of the saved state for each tick, and a dump when a peer's state differs.
    pub fn update<S: Snapshot, P: Snapshot + Copy, E: Clone + PartialEq>(&mut self, rollback: &Rollback<S, P, E>) {
        let next = self.hashes.keys().next_back().map_or(0, |newest| newest + 1);
        for tick in rollback.states.ticks().rev().take_while(|tick| *tick >= next) {
            if let Some(state) = rollback.states.get(tick).filter(|_| tick <= rollback.confirmed()) {
                self.hashes.insert(tick, snapshot::hash(state).max(1));
                self.unsent += 1;
            }
        }
        while self.hashes.len() > self.history {
            self.hashes.pop_first();
        }
        for peer in &mut self.peers {
            peer.compare(&self.hashes, rollback);
        }
    }

    /// The messages that are due, with the peers that they are for. Call it once in each frame.
    pub fn messages_to_send(&mut self) -> Vec<(A, Vec<u8>)> {
        let is_due = self.unsent * SENT_TIMES >= self.history;
        if is_due {
            self.unsent = 0;
        }
        let mut messages = Vec::new();
        for peer in &mut self.peers {
            let mut due = Vec::new();
            if is_due {
                due.extend(
                    self.hashes
                        .keys()
                        .next_back()
                        .map(|newest| hashes_until(&self.hashes, *newest)),
                );
            }
            let asked = mem::take(&mut peer.asked);
            if let Some(search) = &mut peer.search {
                let questions = search.questions();
                if !questions.is_empty() {
                    // The peer may not know yet that this tick differs.
                    due.push(hashes_until(&self.hashes, search.tick()));
                }
                due.extend(questions);
                let answered = asked.iter().filter(|(tick, _)| *tick == search.tick());
                due.extend(answered.map(|(_, block)| search.answer(*block)));
            }
            messages.extend(due.iter().map(|message| (peer.address.clone(), message.to_bytes())));
        }
        messages
    }

    /// The first tick before which the states of this machine and of a peer differ, and the first 32 values that do. None as long as nothing
    /// differs, or its search has not ended.
    ///
    /// Beside the values of the state these are those of `player_inputs`, which [the dump](Self::dump) has.
    #[must_use]
    pub fn desync(&self, peer: &A) -> Option<&Desync> {
        self.search(peer)?.report()
    }

    /// The whole state of this machine before the tick in which it differs from a peer's, and as `player_inputs[tick][player]` the inputs
    /// of the ticks since they last agreed.
    ///
    /// Write it to a file on each machine, and compare them with `evenstep desync`.
    #[must_use]
    pub fn dump(&self, peer: &A) -> Option<&Dump> {
        Some(&self.search(peer)?.dump)
    }

    fn search(&self, peer: &A) -> Option<&Search> {
        self.peers.iter().find(|one| one.address == *peer)?.search.as_ref()
    }
}

/// The last hashes until a tick.
fn hashes_until(hashes: &BTreeMap<Tick, u64>, last: Tick) -> Message {
    let oldest = hashes.keys().next().copied().unwrap_or(last);
    let first = oldest.max(last.saturating_sub(MAX_HASHES as Tick - 1)).min(last);
    let hashes = (first..=last).map(|tick| hashes.get(&tick).copied().unwrap_or(0));
    let hashes = hashes.collect();
    Message::Hashes { first, hashes }
}

impl<A> Peer<A> {
    /// Begins a search if a state differs, at an earlier tick than one that has not ended.
    fn compare<S: Snapshot, P: Snapshot + Copy, E: Clone + PartialEq>(
        &mut self,
        hashes: &BTreeMap<Tick, u64>,
        rollback: &Rollback<S, P, E>,
    ) {
        let end = match &self.search {
            Some(search) if search.report().is_some() => return,
            Some(search) => search.tick(),
            None => Tick::MAX,
        };
        let both = |(tick, there): (&Tick, &u64)| hashes.get(tick).map(|here| (*tick, here == there));
        let kept = |(tick, _): &(Tick, bool)| rollback.states.get(*tick).is_some();
        let mut compared = self.hashes.range(..end).filter_map(both);
        let Some((tick, _)) = compared.find(|compared| !compared.1 && kept(compared)) else {
            return;
        };
        let before = self.hashes.range(..tick).rev().filter_map(both);
        let agreed = before.filter(|(_, is_equal)| *is_equal).map(|(tick, _)| tick).next();
        if let Some(state) = rollback.states.get(tick) {
            let inputs = rollback.players.ticks().filter(|input| {
                let since = agreed.unwrap_or(0);
                (since..tick).contains(input)
            });
            let inputs = inputs.filter_map(|tick| Some((tick, rollback.players.get(tick)?.as_slice())));
            let inputs = inputs.collect();
            self.search = Some(Search::new(Dump::new(tick, &WithInputs { state, inputs })));
        }
    }
}

/// A state, and the inputs that led to it since the last tick on which two machines agreed.
struct WithInputs<'a, S, P> {
    state: &'a S,
    inputs: Vec<(Tick, &'a [(P, InputStatus)])>,
}

impl<S: Snapshot, P: Snapshot> Snapshot for WithInputs<'_, S, P> {
    fn visit(&self, visitor: &mut impl Visitor) {
        self.state.visit(visitor);
        visitor.field("player_inputs", &Inputs(&self.inputs));
    }
}

struct Inputs<'a, P>(&'a [(Tick, &'a [(P, InputStatus)])]);

impl<P: Snapshot> Snapshot for Inputs<'_, P> {
    fn visit(&self, visitor: &mut impl Visitor) {
        for (tick, players) in self.0 {
            visitor.entry(tick, &Players(players));
        }
    }
}

struct Players<'a, P>(&'a [(P, InputStatus)]);

impl<P: Snapshot> Snapshot for Players<'_, P> {
    fn visit(&self, visitor: &mut impl Visitor) {
        for (player, (input, status)) in self.0.iter().enumerate() {
            match status {
                InputStatus::Disconnected => visitor.element(player, "disconnected"),
                InputStatus::Confirmed | InputStatus::Predicted => visitor.element(player, input),
            }
        }
    }
}
