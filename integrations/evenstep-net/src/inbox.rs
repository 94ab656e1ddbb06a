//! The server's rule for inputs: which count in a tick, and what counts where one is missing.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use evenstep::{Rate, SimTime, Tick, TimeScale};

use crate::game::{PlayerId, TickInput};
use crate::sync::InputReport;

/// The largest number of inputs that are taken at once.
pub(crate) const MAX_INPUTS: usize = 64;

/// Inputs are kept for this many ticks from the next tick on, and for as many ticks before it, to detect duplicates.
pub(crate) const INPUT_WINDOW: u64 = 64;

const SLOTS: u64 = 2 * INPUT_WINDOW;

/// The largest number of reports that are kept for a player.
const MAX_REPORTS: usize = 16;

/// The inputs of all players at the server, by tick. It decides which of them count, and owns no socket and no game.
///
/// - An input counts in the tick that it is for. An input for a tick that has been run is late: it is counted and changes nothing.
/// - In a tick without an input of a player, that player repeats its last input, and [`TickInput::repeats`] says for how long.
/// - Of two inputs of one player for one tick the first counts.
/// - Inputs more than 64 ticks ahead are early: they are counted and dropped.
///
/// So an input that is sent several times, in case a message is lost, counts once. The memory is constant for each player, and a call
/// takes time in proportion to its inputs, limited to 64. Which inputs count depends only on the
/// calls before each tick, not on a clock.
///
/// **Take tick n when it ends**, at (n + 1) periods of simulated time: until then its inputs may arrive, and by then the [reports](Self::reports)
/// tell clients how early they were. Taken when it begins, a period earlier, most inputs of clients that follow a [`TickSync`](crate::TickSync) are late.
///
/// ```
/// use evenstep::{Rate, SimTime};
/// use evenstep_net::Inbox;
///
/// let mut inbox = Inbox::<i8>::new(Rate::hz(60));
/// inbox.join(7);
/// inbox.receive(7, 0, &[1, 2], SimTime::ZERO); // for ticks 0 and 1
/// let mut take = |inbox: &mut Inbox<i8>, tick| inbox.take(tick).iter().map(|one| (one.input, one.repeats)).next();
/// assert_eq!(take(&mut inbox, 0), Some((1, 0))); // at the end of tick 0
/// assert_eq!(take(&mut inbox, 1), Some((2, 0)));
/// assert_eq!(take(&mut inbox, 2), Some((2, 1))); // missing
/// inbox.receive(7, 2, &[3], SimTime::at_tick(3, Rate::hz(60)));
/// assert_eq!((inbox.total().missing, inbox.total().late), (1, 1));
/// assert_eq!(inbox.reports(7).last().unwrap().early, 0); // it came when tick 2 was run
/// ```
#[derive(Clone, Debug)]
pub struct Inbox<P> {
    rate: Rate,
    /// The next tick to run.
    next: Tick,
    players: BTreeMap<PlayerId, Player<P>>,
    /// The inputs of the last tick.
    taken: Vec<TickInput<P>>,
    total: Counts,
}

/// The inputs of a player, and reports on how early they arrived.
#[derive(Clone, Debug)]
struct Player<P> {
    slots: [Option<(Tick, P)>; SLOTS as usize],
    /// The player's last input in a tick that was run; `None` before the first.
    last: Option<P>,
    /// The ticks since then, or since the player joined.
    repeats: u32,
    reports: VecDeque<InputReport>,
    counts: Counts,
}

/// Counters of inputs and players, for one player or in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Inputs for ticks that had been run without them. Within the last 64 ticks each input counts once.
    pub late: u64,
    /// Inputs for ticks too far ahead. They are dropped each time they arrive.
    pub early: u64,
    /// Ticks that were run without a player's input, by repeating its last one.
    pub missing: u64,
}

impl<P: Copy + Default> Inbox<P> {
    /// Creates an inbox without players, for a game that steps at `rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            next: 0,
            players: BTreeMap::new(),
            taken: Vec::new(),
            total: Counts::default(),
        }
    }

    /// Adds a player from the next tick on. Does nothing if the player already takes part.
    pub fn join(&mut self, id: PlayerId) {
        self.players.entry(id).or_insert_with(Player::new);
    }

    /// Removes a player from the next tick on, with its inputs and counters.
    pub fn leave(&mut self, id: PlayerId) {
        self.players.remove(&id);
    }

    /// Takes a player's inputs of consecutive ticks from `first` on, which arrived when the server's simulated time was `simulated`: that
    /// of its newest state and the time that has [arrived since](evenstep::Frame::overstep). Inputs beyond the first 64, of players that
    /// do not take part, and for ticks beyond the last one are ignored.
    pub fn receive(&mut self, id: PlayerId, first: Tick, inputs: &[P], simulated: SimTime) {
        let Some(player) = self.players.get_mut(&id) else {
            return;
        };
        for (index, input) in (0..).zip(inputs.iter().take(MAX_INPUTS)) {
            let Some(tick) = first.checked_add(index) else {
                return;
            };
            let is_early = tick >= self.next.saturating_add(INPUT_WINDOW);
            if !is_early && tick.saturating_add(INPUT_WINDOW) >= self.next {
                // Any other entry in this slot belongs to an earlier tick.
                let slot = &mut player.slots[(tick % SLOTS) as usize];
                if slot.is_some_and(|(known, _)| known == tick) {
                    continue; // it has arrived before
                }
                *slot = Some((tick, *input));
            }
            for counts in [&mut player.counts, &mut self.total] {
                counts.early += u64::from(is_early);
                counts.late += u64::from(tick < self.next);
            }
            if let Some(report) = InputReport::on_arrival(tick, self.rate, simulated, TimeScale::NORMAL) {
                player.reports.push_back(report);
                if player.reports.len() > MAX_REPORTS {
                    player.reports.pop_front();
                }
            }
        }
    }

    /// The inputs of a tick that ends now and is run, ordered by id. Ticks come in order; they may begin at any number.
    pub fn take(&mut self, tick: Tick) -> &[TickInput<P>] {
        self.taken.clear();
        for (id, player) in &mut self.players {
            let known = player.slots[(tick % SLOTS) as usize].filter(|(of, _)| *of == tick);
            if let Some((_, input)) = known {
                (player.last, player.repeats) = (Some(input), 0);
            } else {
                player.repeats = player.repeats.saturating_add(1);
                let missing = u64::from(player.last.is_some());
                player.counts.missing += missing;
                self.total.missing += missing;
            }
            self.taken.push(TickInput {
                player: *id,
                input: player.last.unwrap_or_default(),
                repeats: player.repeats,
            });
        }
        self.next = tick.saturating_add(1);
        &self.taken
    }

    /// The players of the last tick and their inputs, ordered by id.
    #[must_use]
    pub fn taken(&self) -> &[TickInput<P>] {
        &self.taken
    }

    /// The players that take part in the next tick.
    pub fn players(&self) -> impl ExactSizeIterator<Item = PlayerId> + '_ {
        self.players.keys().copied()
    }

    /// How early a player's last inputs arrived, at most sixteen reports, for the client's [`TickSync`](crate::TickSync).
    pub fn reports(&self, id: PlayerId) -> impl DoubleEndedIterator<Item = InputReport> + '_ {
        let player = self.players.get(&id);
        player.into_iter().flat_map(|player| player.reports.iter().copied())
    }

    /// The counters of a player since it joined; `None` if it does not take part.
    #[must_use]
    pub fn counts(&self, id: PlayerId) -> Option<Counts> {
        self.players.get(&id).map(|player| player.counts)
    }

    /// The totals of all counters, of players that have left too.
    #[must_use]
    pub const fn total(&self) -> Counts {
        self.total
    }
}

impl<P> Player<P> {
    fn new() -> Self {
        Self {
            slots: [const { None }; SLOTS as usize],
            last: None,
            repeats: 0,
            reports: VecDeque::new(),
            counts: Counts::default(),
        }
    }
}
