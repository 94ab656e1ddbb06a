//! A machine: a session, a timestep and a game, and the events that it reported.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use evenstep::{FixedTimestep, Frame, Overrun, Rate, Smoothing, Tick};
use evenstep_ggrs::ggrs::{
    Config, GgrsError, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder, SpectatorSession,
};
use evenstep_ggrs::{Notice, Rollback, Session};
use simulated_network::GgrsNetwork;

use crate::tag::{Event, State, Tag, script};

#[derive(Debug)]
pub(crate) struct Setup;

impl Config for Setup {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = usize;
}

pub(crate) type Builder = SessionBuilder<Setup>;

/// How long a session waits for another one that sends nothing. GGRS reads the machine's clock, and a test may stand still for seconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3600);

pub(crate) struct Machine<S> {
    pub(crate) session: S,
    pub(crate) rollback: Rollback<State, u8, Event>,
    pub(crate) timestep: FixedTimestep,
    pub(crate) game: Tag,
    /// How often each event was reported, minus how often it was retracted.
    pub(crate) reported: BTreeMap<(Tick, Event), i32>,
    pub(crate) retracted: u32,
    /// The inputs that were read, by player and tick.
    pub(crate) reads: Vec<(usize, Tick)>,
    pub(crate) seed: u64,
    pub(crate) frame: Frame,
}

impl<S: Session<Input = u8>> Machine<S> {
    pub(crate) fn new(session: S, players: usize) -> Self {
        let max_backlog = Duration::from_millis(500);
        let mut timestep = FixedTimestep::new(Rate::hz(60)).with_overrun(Overrun::Carry { max_backlog });
        let frame = timestep.advance(Duration::ZERO);
        Self {
            session,
            rollback: Rollback::new(),
            timestep,
            game: Tag::new(players),
            reported: BTreeMap::new(),
            retracted: 0,
            reads: Vec::new(),
            seed: 1,
            frame,
        }
    }

    /// Runs a frame as a program would. Its players follow the script.
    pub(crate) fn frame(&mut self, delta: Duration) -> Result<(), GgrsError> {
        let seed = self.seed;
        let reads = &mut self.reads;
        for correction in &mut self.game.corrections {
            correction.advance(delta);
        }
        let frame = self.timestep.advance(delta);
        self.frame = self.rollback.run(
            &mut self.session,
            &mut self.game,
            &mut self.timestep,
            frame,
            |step, player| {
                reads.push((player, step.tick));
                script(seed, player, step.tick)
            },
        )?;
        while let Some(notice) = self.rollback.next_notice(self.frame.shown_time(Smoothing::Interpolate)) {
            self.take(notice);
        }
        Ok(())
    }

    fn take(&mut self, notice: Notice<Event>) {
        match notice {
            Notice::Happened { tick, event } => *self.reported.entry((tick, event)).or_default() += 1,
            Notice::Retracted { tick, event } => {
                self.retracted += 1;
                let reported = self.reported.entry((tick, event)).or_default();
                *reported -= 1;
                assert!(
                    *reported >= 0,
                    "{event:?} of tick {tick} was retracted and never reported of"
                );
            }
        }
    }

    /// The events of ticks before the given one that were reported and not retracted.
    pub(crate) fn told_before(&self, end: Tick) -> Vec<(Tick, Event)> {
        let reported = self
            .reported
            .iter()
            .filter(|((tick, _), times)| *tick < end && **times > 0);
        reported
            .flat_map(|(event, times)| std::iter::repeat_n(*event, *times as usize))
            .collect()
    }
}

/// A machine of a session with its own player, and others at addresses that are their handles.
pub(crate) fn peer(network: &GgrsNetwork, own: usize, players: usize, builder: Builder) -> Machine<P2PSession<Setup>> {
    let mut builder = builder
        .with_num_players(players)
        .unwrap()
        .with_disconnect_timeout(PATIENCE);
    for player in 0..players {
        let kind = if player == own {
            PlayerType::Local
        } else {
            PlayerType::Remote(player)
        };
        builder = builder.add_player(kind, player).unwrap();
    }
    Machine::new(builder.start_p2p_session(network.socket(own)).unwrap(), players)
}

pub(crate) fn spectator(
    network: &GgrsNetwork,
    address: usize,
    players: usize,
    builder: Builder,
) -> Machine<SpectatorSession<Setup>> {
    let builder = builder
        .with_num_players(players)
        .unwrap()
        .with_disconnect_timeout(PATIENCE);
    Machine::new(builder.start_spectator_session(0, network.socket(address)), players)
}

/// Two connected machines on a network without loss.
pub(crate) fn pair(network: &GgrsNetwork, builder: impl Fn() -> Builder) -> [Machine<P2PSession<Setup>>; 2] {
    let mut machines = [0, 1].map(|own| peer(network, own, 2, builder()));
    until("both machines are connected", || {
        machines
            .iter_mut()
            .for_each(|machine| machine.frame(Duration::ZERO).unwrap());
        network.advance(Duration::from_millis(1));
        machines
            .iter()
            .all(|machine| !machine.timestep.time_scale().is_paused())
    });
    machines
}

/// Runs frames until a condition holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(600), "never: {what}");
    }
}

/// The reference game, which knows all inputs: its hashes before each tick, and its events.
pub(crate) fn alone(seed: u64, players: usize, delay: Tick, ticks: Tick) -> (Vec<u64>, Vec<(Tick, Event)>) {
    use evenstep::Step;
    use evenstep::history::Rewind as _;
    use evenstep_ggrs::RollbackGame as _;

    let mut game = Tag::new(players);
    let (mut reported, mut events) = (Vec::new(), Vec::new());
    for tick in 0..ticks {
        let input = |player| {
            let read = tick.checked_sub(delay);
            Some(read.map_or(0, |read| script(seed, player, read)))
        };
        let inputs = (0..players).map(input).collect();
        game.step(&Step::new(tick, Rate::hz(60)), &inputs);
        game.take_events(&mut events);
        reported.extend(events.drain(..).map(|event| (tick, event)));
    }
    reported.sort_unstable();
    (game.hashes, reported)
}
