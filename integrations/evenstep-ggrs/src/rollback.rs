//! Carries out the requests of a GGRS session: saves, restores and steps.

use std::fmt;

use evenstep::history::{EventReconciler, Notice, SavedStates};
use evenstep::inspect::{Desync, Visitor};
use evenstep::{FixedTimestep, Frame, Inspect, Rate, SimTime, Step, Tick, TimeScale};
use evenstep_desync::DesyncMonitor;
use ggrs::{Config, GgrsError, GgrsRequest, InputStatus, PlayerHandle};

use crate::game::RollbackGame;
use crate::session::Session;
use crate::session::sealed::Checksums;
use crate::slew;

/// The largest number of notices that wait; beyond it the oldest are dropped.
const MAX_NOTICES: usize = 4096;

/// States are kept for no more ticks.
const MAX_WINDOW: usize = 4095;

/// With a monitor states are kept for as many more ticks, in case that so many are run and confirmed in one frame.
const MONITORED_TICKS: usize = 64;

/// Drives a game by a session of GGRS, in the steps of a [`FixedTimestep`].
///
/// One `Rollback` belongs to one session and one game, all of them new. Once a frame pass the [frame](FixedTimestep::advance) to
/// [`run`](Self::run), then take the [notices](Self::next_notice) and draw. See [the crate](crate) for the loop.
///
/// - Every request is carried out in order. States are saved into memory that is reused
///   ([`Rewind::save_into`](evenstep::history::Rewind::save_into)).
/// - Steps for which the session has to wait are [given back](FixedTimestep::give_back) and follow the timestep's
///   [overrun policy](evenstep::Overrun): with `Carry` the machine catches up when the others are heard again.
/// - Each player's input is read once for each tick, also if the session has to wait. So no tap is lost.
/// - A machine that is ahead of the others runs 1 % slower for each tick of it, 2 % at most, and one that is behind faster.
///   That is exact, and multiplies with the game's [own time scale](Self::set_time_scale).
/// - Until all machines are connected, the timestep is paused.
///
/// # What it holds
///
/// States, players' inputs and events, and never the game: `S` is the game's [`Saved`](evenstep::history::Rewind::Saved), `P`
/// its [`PlayerInput`](RollbackGame::PlayerInput), `E` its [`Event`](RollbackGame::Event). So an engine that lends its world only for a call can make the
/// game in each call, around what it borrows:
///
/// ```
/// use evenstep::history::Rewind;
/// use evenstep::{FixedTimestep, Rate, Step};
/// use evenstep_ggrs::{InputStatus, Rollback, RollbackGame};
/// use ggrs::{Config, GgrsError, PredictRepeatLast, SessionBuilder, SyncTestSession};
/// use std::time::Duration;
///
/// /// The engine owns it, and lends it to the game for a frame.
/// struct World {
///     heights: Vec<u64>,
/// }
///
/// struct Lent<'w>(&'w mut World);
///
/// impl Rewind for Lent<'_> {
///     type Saved = Vec<u64>;
///     type Input = u64;
///     fn save(&self) -> Vec<u64> {
///         self.0.heights.clone()
///     }
///     fn restore(&mut self, saved: &Vec<u64>) {
///         self.0.heights.clone_from(saved);
///     }
///     fn step(&mut self, _: &Step, push: &u64) {
///         self.0.heights.iter_mut().for_each(|height| *height += push);
///     }
/// }
///
/// impl RollbackGame for Lent<'_> {
///     type PlayerInput = u8;
///     type Event = ();
///     fn input(players: &[(u8, InputStatus)]) -> u64 {
///         players.iter().map(|(push, _)| u64::from(*push)).sum()
///     }
///     fn checksum(&self) -> u64 {
///         self.0.heights.iter().fold(7, |hash, height| hash * 31 + height)
///     }
/// }
///
/// struct Setup;
///
/// impl Config for Setup {
///     type Input = u8;
///     type InputPredictor = PredictRepeatLast;
///     type State = ();
///     type Address = usize;
/// }
///
/// /// What the game keeps between frames.
/// struct Kept {
///     session: SyncTestSession<Setup>,
///     timestep: FixedTimestep,
///     rollback: Rollback<Vec<u64>, u8, ()>,
/// }
///
/// impl Kept {
///     fn frame(&mut self, world: &mut World, delta: Duration) -> Result<(), GgrsError> {
///         let frame = self.timestep.advance(delta);
///         let game = &mut Lent(world);
///         let _frame = self.rollback.run(&mut self.session, game, &mut self.timestep, frame, |_step, _player| 2)?;
///         Ok(())
///     }
/// }
///
/// let session = SessionBuilder::<Setup>::new().with_num_players(1)?.with_check_distance(2).start_synctest_session()?;
/// let mut kept = Kept {
///     session,
///     timestep: FixedTimestep::new(Rate::hz(100)),
///     rollback: Rollback::new(),
/// };
/// let mut world = World { heights: vec![1, 2] };
/// for _ in 0..10 {
///     kept.frame(&mut world, Duration::from_millis(10))?;
/// }
/// assert_eq!(world.heights, [21, 22]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Bad input
///
/// A `Rollback` that is used with another session than before returns [`GgrsError::InvalidRequest`] if it notices. What peers
/// send is checked by GGRS.
pub struct Rollback<S, P, E> {
    /// How many steps led to the state of the game, and to its newest one so far.
    at: Tick,
    tick: Tick,
    confirmed: Tick,
    rate: Rate,
    states: SavedStates<S>,
    /// For desync monitors: how many states are kept beyond the session's window, and the inputs of as many ticks.
    history: usize,
    players: SavedStates<Vec<(P, InputStatus)>>,
    /// The inputs of the next tick, if they were read.
    inputs: Vec<(PlayerHandle, P)>,
    reconciler: EventReconciler<E>,
    /// Room for the events of a step.
    events: Vec<E>,
    time_scale: TimeScale,
    /// The last frame's.
    alpha: f64,
    /// The offset from a tick of the game to one of the timestep.
    offset: i128,
    stats: RollbackStats,
    /// In a sync test: the checksums of the states, and what was there of the ticks that are simulated again, newest first.
    checksums: SavedStates<u64>,
    replaced: Vec<(Tick, u64, S)>,
    desync: Option<Desync>,
}

/// The inputs of a tick: of a player that is disconnected, the word.
struct Players<'a, P>(&'a [(P, InputStatus)]);

impl<P: Inspect> Inspect for Players<'_, P> {
    fn visit(&self, visitor: &mut impl Visitor) {
        for (player, (input, status)) in self.0.iter().enumerate() {
            match status {
                InputStatus::Disconnected => visitor.element(player, "disconnected"),
                InputStatus::Confirmed | InputStatus::Predicted => visitor.element(player, input),
            }
        }
    }
}

/// Statistics of a [`Rollback`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RollbackStats {
    /// The number of rollbacks.
    pub rollbacks: u64,
    /// The number of ticks that were simulated again.
    pub resimulated: u64,
    /// The length of the longest rollback in ticks.
    pub longest: u64,
    /// The number of steps that were given back to the timestep because the session had to wait.
    pub given_back: u64,
    /// The number of notices that were dropped because [`next_notice`](Rollback::next_notice) was not called often enough.
    pub dropped_events: u64,
}

impl<S, P, E> fmt::Debug for Rollback<S, P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rollback")
            .field("tick", &self.tick)
            .field("confirmed", &self.confirmed)
            .field("rate", &self.rate)
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

impl<S, P: Copy, E: Clone + PartialEq> Default for Rollback<S, P, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S, P: Copy, E: Clone + PartialEq> Rollback<S, P, E> {
    /// For a new session and a game in its first state.
    #[must_use]
    pub fn new() -> Self {
        Self {
            at: 0,
            tick: 0,
            confirmed: 0,
            rate: Rate::hz(60),
            states: SavedStates::new(0),
            history: 0,
            players: SavedStates::new(0),
            inputs: Vec::new(),
            reconciler: EventReconciler::new(MAX_NOTICES),
            events: Vec::new(),
            time_scale: TimeScale::NORMAL,
            alpha: 0.0,
            offset: 0,
            stats: RollbackStats::default(),
            checksums: SavedStates::new(0),
            replaced: Vec::new(),
            desync: None,
        }
    }

    /// Records the states that have become final, and the inputs that led to them, in a monitor of another machine: call it in each frame after
    /// [`run`](Self::run), with each machine's [`DesyncMonitor`]. From the first call on, states of 64 more ticks are kept.
    ///
    /// A lockstep session, with a prediction window of 0, requests no saves: record the states yourself. With sparse saving only ticks are compared
    /// that both machines happened to save. With three or more machines make the monitor [`with_rollback`](DesyncMonitor::with_rollback) of the
    /// prediction window and two more: if one drops out, the others may simulate [confirmed](Self::confirmed) ticks again. A new session with a new
    /// `Rollback` may go on with the same monitors.
    ///
    /// ```no_run
    /// # use evenstep::{FixedTimestep, Frame};
    /// # use evenstep_ggrs::{DesyncMonitor, Rollback, RollbackGame, Session};
    /// # use std::net::UdpSocket;
    /// # fn example<G: RollbackGame<PlayerInput = u8, Saved = [f32; 2], Event = ()>>(
    /// #     mut game: G,
    /// #     mut session: impl Session<Input = u8>,
    /// #     mut timestep: FixedTimestep,
    /// #     mut frame: impl FnMut(&mut FixedTimestep) -> Frame,
    /// #     channel: UdpSocket, // connected to the other machine's, and does not block
    /// # ) -> Result<(), Box<dyn std::error::Error>> {
    /// let (mut rollback, mut monitor, mut is_reported) = (Rollback::new(), DesyncMonitor::new(120), false);
    /// loop {
    ///     let frame = frame(&mut timestep);
    ///     let _frame = rollback.run(&mut session, &mut game, &mut timestep, frame, |_step, _player| 0)?;
    ///     rollback.record(&mut monitor);
    ///     let mut bytes = [0; 2048];
    ///     while let Ok(len) = channel.recv(&mut bytes) {
    ///         let _not_a_message = monitor.receive(&bytes[..len]);
    ///     }
    ///     while let Some(bytes) = monitor.message() {
    ///         let _may_be_lost = channel.send(&bytes);
    ///     }
    ///     if let (false, Some(desync), Some(dump)) = (is_reported, monitor.desync(), monitor.dump()) {
    ///         is_reported = true; // go on for two seconds or more: the other machine may still be asking
    ///         eprintln!("{desync}");
    ///         std::fs::write("here.dump", dump.to_string())?;
    ///     }
    /// }
    /// # }
    /// ```
    pub fn record(&mut self, monitor: &mut DesyncMonitor<S>)
    where
        S: Inspect + Clone,
        P: Inspect,
    {
        self.history = MONITORED_TICKS;
        let is_final = |tick: &Tick| *tick <= self.confirmed;
        if monitor.newest_final() > Some(self.confirmed)
            && let Some(first) = self.states.ticks().find(is_final)
            && let Some(state) = self.states.get(first)
        {
            // The monitor was that of another session.
            monitor.record(first, state);
        }
        let newest = monitor.newest_final();
        let is_new = |tick: &Tick| Some(*tick) > newest;
        for tick in self
            .players
            .ticks()
            .filter(|tick| is_final(&(tick + 1)) && is_new(&(tick + 1)))
        {
            if let Some(players) = self.players.get(tick) {
                monitor.record_inputs(tick, &Players(players));
            }
        }
        for tick in self.states.ticks().filter(|tick| is_final(tick) && is_new(tick)) {
            if let Some(state) = self.states.get(tick) {
                monitor.record(tick, state);
            }
        }
    }

    /// The game's own slow motion or pause, at the same tick on all machines; normal unless set. The time scale of the timestep is
    /// set by [`run`](Self::run).
    pub const fn set_time_scale(&mut self, scale: TimeScale) {
        self.time_scale = scale;
    }

    /// Runs the steps of a frame that the timestep has just granted, and sets the time scale for the next. Returns the frame without the
    /// steps that were given back, which is the one to draw.
    ///
    /// `read` is called once for each tick and each player on this machine: with the step of the timestep, by which an
    /// [`InputBuffer`](evenstep::input::InputBuffer) finds its events, and the player.
    ///
    /// # Errors
    ///
    /// [`GgrsError::MismatchedChecksum`] if a sync test fails ([`desync`](Self::desync) then names the field),
    /// [`GgrsError::SpectatorTooFarBehind`] if a spectator has lost the game for good, [`GgrsError::InvalidRequest`] if session and
    /// `Rollback` do not belong together.
    pub fn run<G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        session: &mut impl Session<Input = P>,
        game: &mut G,
        timestep: &mut FixedTimestep,
        frame: Frame,
        mut read: impl FnMut(&Step, PlayerHandle) -> P,
    ) -> Result<Frame, GgrsError> {
        self.rate = timestep.rate();
        let is_connected = session.poll();
        let mut unrun = frame.step_count();
        for step in frame.steps() {
            if !is_connected || !self.step(session, game, &step, &mut read)? {
                break;
            }
            unrun -= 1;
        }
        self.stats.given_back += u64::from(unrun);
        let frame = timestep.give_back(frame, unrun);
        timestep.set_time_scale(if is_connected {
            slew::time_scale(self.time_scale, session.ahead())
        } else {
            TimeScale::PAUSED
        });
        self.alpha = frame.alpha();
        self.offset = i128::from(frame.tick()) - i128::from(self.tick);
        Ok(frame)
    }

    /// Runs a step. Returns whether the game continued.
    fn step<G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        session: &mut impl Session<Input = P>,
        game: &mut G,
        step: &Step,
        read: &mut impl FnMut(&Step, PlayerHandle) -> P,
    ) -> Result<bool, GgrsError> {
        if self.inputs.is_empty() {
            let mut players = session.local_players();
            players.sort_unstable();
            let inputs = players.into_iter().map(|player| (player, read(step, player)));
            self.inputs.extend(inputs);
        }
        for (player, input) in &self.inputs {
            session.add_input(*player, *input)?;
        }
        let requests = match session.advance() {
            Ok(requests) => requests,
            Err(GgrsError::PredictionThreshold | GgrsError::NotSynchronized) => return Ok(false),
            Err(error) => return Err(error),
        };
        let before = self.tick;
        self.answer(game, requests, session.window(), session.checksums())?;
        let confirmed = Tick::try_from(session.confirmed()).map_or(0, |last| last + 1);
        self.confirmed = confirmed.min(self.tick);
        if self.tick > before {
            self.inputs.clear();
        }
        Ok(self.tick > before)
    }

    /// Carries out what a session asked for, in order: for loops that advance their session themselves. [`run`](Self::run) does so
    /// in any other. States are kept for `window` ticks, at most 4095: the session's `max_prediction()`, or the check distance of a sync
    /// test.
    ///
    /// # Errors
    ///
    /// [`GgrsError::InvalidRequest`] if session and `Rollback` do not belong together.
    pub fn carry_out<C: Config<Input = P, State = ()>, G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        game: &mut G,
        requests: Vec<GgrsRequest<C>>,
        window: usize,
    ) -> Result<(), GgrsError> {
        self.answer(game, requests, window, Checksums::Given)
    }

    fn answer<C: Config<Input = P, State = ()>, G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        game: &mut G,
        requests: Vec<GgrsRequest<C>>,
        window: usize,
        checksums: Checksums,
    ) -> Result<(), GgrsError> {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    self.check(frame)?;
                    let max_states = window.min(MAX_WINDOW) + 1;
                    self.states.set_max_states(max_states + self.history);
                    self.players.set_max_states(max_states + self.history);
                    self.checksums.set_max_states(max_states);
                    let checksum = (checksums != Checksums::None).then(|| game.checksum());
                    match checksum.filter(|_| checksums == Checksums::Compared) {
                        Some(checksum) => self.save_and_compare(game, checksum),
                        None => self.states.save(self.at, game),
                    }
                    cell.save(frame, None, checksum.map(u128::from));
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    self.go_back(game, frame)?;
                    if checksums == Checksums::Compared {
                        self.set_aside();
                    }
                }
                GgrsRequest::AdvanceFrame { inputs } => self.go_on(game, &inputs),
            }
        }
        self.reconciler.discard_before(self.tick.saturating_sub(window as Tick));
        Ok(())
    }

    /// Whether the game is where the session believes it is.
    fn check(&self, frame: ggrs::Frame) -> Result<(), GgrsError> {
        if Tick::try_from(frame) == Ok(self.at) {
            return Ok(());
        }
        let at = self.at;
        let info = format!("the session is at frame {frame}, the game at {at}: restart both, with a new Rollback");
        Err(GgrsError::InvalidRequest { info })
    }

    /// Sets the states aside that the sync test is about to save again.
    fn set_aside(&mut self) {
        self.replaced.clear();
        let ticks: Vec<Tick> = self.states.ticks().rev().take_while(|tick| *tick > self.at).collect();
        for tick in ticks {
            let (checksum, saved) = (self.checksums.take(tick), self.states.take(tick));
            self.replaced
                .extend(checksum.zip(saved).map(|(checksum, saved)| (tick, checksum, saved)));
        }
    }

    /// Saves the state, into the memory of the one that the same tick led to before, after a comparison of both.
    fn save_and_compare<G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(&mut self, game: &G, checksum: u64) {
        self.checksums.push(self.at, checksum);
        let Some((_, before, mut saved)) = self.replaced.pop_if(|(tick, ..)| *tick == self.at) else {
            self.states.save(self.at, game);
            return;
        };
        let here = (before != checksum && self.desync.is_none()).then(|| G::dump(self.at, &saved));
        game.save_into(&mut saved);
        if let Some(here) = here.flatten() {
            self.desync = G::dump(self.at, &saved).and_then(|there| here.compare(&there));
        }
        self.states.push(self.at, saved);
    }

    fn go_back<G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        game: &mut G,
        frame: ggrs::Frame,
    ) -> Result<(), GgrsError> {
        let tick = Tick::try_from(frame).unwrap_or(Tick::MAX);
        let Some(saved) = self.states.get(tick) else {
            let info = format!(
                "frame {frame} was not saved by this Rollback: restart the session and the game, with a new one"
            );
            return Err(GgrsError::InvalidRequest { info });
        };
        if self.at == self.tick {
            game.before_rollback(self.alpha);
            self.stats.rollbacks += 1;
        }
        game.restore(saved);
        self.at = tick;
        self.stats.longest = self.stats.longest.max(self.tick - tick);
        Ok(())
    }

    fn go_on<G: RollbackGame<Saved = S, PlayerInput = P, Event = E>>(
        &mut self,
        game: &mut G,
        players: &[(P, InputStatus)],
    ) {
        if self.history > 0 {
            self.players.push(self.at, players.to_vec());
        }
        game.step(&Step::new(self.at, self.rate), &G::input(players));
        game.take_events(&mut self.events);
        self.reconciler.replace(self.at, &mut self.events);
        self.stats.dropped_events = self.reconciler.dropped();
        self.at += 1;
        if self.at > self.tick {
            self.tick = self.at;
            return;
        }
        self.stats.resimulated += 1;
        if self.at == self.tick {
            game.after_rollback(self.alpha);
        }
    }

    /// The next notice of an event, when the frame shows the simulated time `drawn`: by the [smoothing](Frame::shown_time) that is drawn, or
    /// by [`Smoothing::None`](evenstep::Smoothing::None) for events that are not visible.
    ///
    /// An event is reported once, however often its tick is simulated. One that turns out not to have happened is retracted if it was
    /// reported, and is never reported otherwise. One that becomes known only after its time is reported at once. Of more than 4096 waiting
    /// events the oldest are dropped.
    pub fn next_notice(&mut self, drawn: SimTime) -> Option<Notice<E>> {
        let (offset, rate) = (self.offset, self.rate);
        self.reconciler.next_notice(|tick| {
            let end = i128::from(tick) + 1 + offset;
            Tick::try_from(end).map_or(end < 0, |end| SimTime::at_tick(end, rate) <= drawn)
        })
    }

    /// The first tick that a sync test simulated twice with different checksums, and the values in which the two saved states differ:
    /// *here* is the earlier one, *there* the later one.
    ///
    /// None if the game has no [`dump`](RollbackGame::dump). If it has one and a sync test fails without naming a field, the checksum
    /// covers data that the saved state does not contain.
    #[must_use]
    pub const fn desync(&self) -> Option<&Desync> {
        self.desync.as_ref()
    }

    /// How many steps led to the state of the game.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// How many of them had the inputs of all players: events of these ticks will not be retracted. Only where one of three or more
    /// machines drops out, the others may still agree on an earlier moment at which it did.
    #[must_use]
    pub const fn confirmed(&self) -> Tick {
        self.confirmed
    }

    /// Counts of the work so far.
    #[must_use]
    pub const fn stats(&self) -> RollbackStats {
        self.stats
    }
}
