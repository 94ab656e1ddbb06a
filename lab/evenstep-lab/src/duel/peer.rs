//! The process of one player: a rollback session over UDP.

use std::io::{self, BufRead as _};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Overrun, Rate, Step, Tick};
use evenstep_ggrs::ggrs::{Config, DesyncDetection, GgrsError, GgrsEvent, P2PSession, PlayerType, PredictRepeatLast};
use evenstep_ggrs::ggrs::{SessionBuilder, UdpNonBlockingSocket};
use evenstep_ggrs::{DesyncMonitor, Rollback};
use evenstep_scenes::duel::Duel;

use crate::duel::bot::Bot;
use crate::duel::game::Match;
use crate::duel::messages::{DesyncReport, Figures, PeerCommand, Status};
use evenstep_cli::failure::Failure;
use evenstep_cli::{interrupt, output};

/// The interval between the frames of a peer, and between its status messages.
const FRAME: Duration = Duration::from_millis(8);
const SAY: Duration = Duration::from_millis(32);

/// The other peer counts as disconnected after this time without a packet. A busy machine may stop a process for seconds.
const SILENCE: Duration = Duration::from_secs(10);

/// Two seconds of states are kept for the desync monitor.
const KEPT: usize = 120;

/// The arguments of a peer process, which `duel` starts.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// 0 for the left player, 1 for the right.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) side: u8,
    /// The address of the relay.
    #[arg(long)]
    pub(crate) relay: SocketAddr,
    #[arg(long)]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) bot: bool,
    #[arg(long)]
    pub(crate) input_delay: usize,
    #[arg(long)]
    pub(crate) window: usize,
    #[arg(long)]
    pub(crate) fault: Option<Tick>,
}

#[derive(Debug)]
pub(crate) struct Setup;

impl Config for Setup {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

/// Plays until standard input ends, which it also does when the command is killed.
pub(crate) fn play(args: &Arguments) -> Result<ExitCode, Failure> {
    // A terminal sends Ctrl-C to all processes. The command decides how to react.
    let _held = interrupt::take_stop_requests().map_err(Failure::signal_handler)?;
    let commands = commands();
    let mut peer = Peer::new(args)?;
    let mut next_said = Instant::now();
    loop {
        // Acknowledges the request; the command says when to end.
        interrupt::is_stop_requested();
        match commands.try_recv() {
            Ok(PeerCommand::Keys(keys)) => peer.keys = keys,
            Ok(PeerCommand::End(end)) => peer.end = Some(end),
            // The other peer is the same program, so its messages are valid.
            Ok(PeerCommand::Compare(message)) => _ = peer.monitor.receive(&(), &message),
            Ok(PeerCommand::Gone) => {
                peer.send_status()?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(TryRecvError::Disconnected) => return Ok(ExitCode::SUCCESS),
            Err(TryRecvError::Empty) => {
                peer.frame()?;
                if Instant::now() >= next_said {
                    next_said = Instant::now() + SAY;
                    peer.send_status()?;
                }
                thread::sleep(FRAME);
            }
        }
    }
}

/// Receives the commands on standard input, until it ends or a line is invalid.
fn commands() -> Receiver<PeerCommand> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let lines = io::stdin().lock().lines().map_while(Result::ok);
        for command in lines.map_while(|line| serde_json::from_str(&line).ok()) {
            if sender.send(command).is_err() {
                return;
            }
        }
    });
    receiver
}

struct Peer {
    other: usize,
    session: P2PSession<Setup>,
    rollback: Rollback<Duel, u8, ()>,
    /// Its messages go through the command, so its only peer needs no address.
    monitor: DesyncMonitor<()>,
    game: Match,
    clock: MonotonicClock,
    frames_clock: FrameClock,
    timestep: FixedTimestep,
    /// The bot; `None` if a person plays.
    bot: Option<Bot>,
    keys: u8,
    end: Option<Tick>,
    status: Status,
    /// The number of steps that had been given back before this frame.
    given_back: u64,
    /// The number of frames in the mean of the figures.
    frames: f64,
}

impl Peer {
    fn new(args: &Arguments) -> Result<Self, Failure> {
        let side = usize::from(args.side);
        let socket = UdpNonBlockingSocket::bind_to_port(0)
            .map_err(|error| Failure::Run(format!("a UDP socket: cannot be opened: {error}; close other programs")))?;
        let session = SessionBuilder::<Setup>::new()
            .with_max_prediction_window(args.window)
            .with_input_delay(args.input_delay)
            .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
            .with_disconnect_timeout(SILENCE)
            .add_player(PlayerType::Local, side)
            .and_then(|builder| builder.add_player(PlayerType::Remote(args.relay), 1 - side))
            .and_then(|builder| builder.start_p2p_session(socket))
            .map_err(failure)?;
        let max_backlog = Duration::from_millis(500);
        let mut rollback = Rollback::new();
        Ok(Self {
            other: 1 - side,
            session,
            monitor: DesyncMonitor::new(&mut rollback, [()], KEPT),
            rollback,
            game: Match::new(args.fault),
            clock: MonotonicClock::new(),
            frames_clock: FrameClock::new(()),
            timestep: FixedTimestep::new(Rate::hz(60)).with_overrun(Overrun::Carry { max_backlog }),
            bot: args.bot.then(|| Bot::new(args.seed, side)),
            keys: 0,
            end: None,
            status: Status::default(),
            given_back: 0,
            frames: 0.0,
        })
    }

    fn frame(&mut self) -> Result<(), Failure> {
        let delta = self.frames_clock.begin_frame(self.clock.now()).delta;
        self.game.pass(delta);
        let frame = self.timestep.advance(delta);
        let (bot, keys, duel) = (&mut self.bot, self.keys, self.game.duel);
        let read = |step: &Step, _| bot.as_mut().map_or(keys, |bot| bot.keys(step.tick, &duel));
        let frame = self
            .rollback
            .run(&mut self.session, &mut self.game, &mut self.timestep, frame, read)
            .map_err(failure)?;
        self.status.positions = self.game.positions(frame.alpha());
        self.receive()?;
        self.compare();
        if self.status.figures.states.is_none() {
            self.measure();
        }
        Ok(())
    }

    /// Handles the events of the session.
    fn receive(&mut self) -> Result<(), Failure> {
        for event in self.session.events() {
            match event {
                GgrsEvent::DesyncDetected { .. } => self.status.figures.desyncs += 1,
                GgrsEvent::Disconnected { .. } => {
                    return Err(Failure::Run(format!(
                        "no packet of the other peer arrived for {} s; lose fewer packets",
                        SILENCE.as_secs()
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Compares the final states with those of the other peer.
    fn compare(&mut self) {
        self.monitor.update(&self.rollback);
        let messages = self.monitor.messages_to_send().into_iter();
        self.status.comparisons.extend(messages.map(|((), message)| message));
        if let (None, Some(desync), Some(dump)) =
            (&self.status.desync, self.monitor.desync(&()), self.monitor.dump(&()))
        {
            self.status.desync = Some(DesyncReport {
                report: desync.to_string().lines().next().unwrap_or_default().to_owned(),
                dump: dump.to_string(),
            });
        }
    }

    fn measure(&mut self) {
        let scale = self.timestep.time_scale();
        if scale.is_paused() {
            return;
        }
        let (status, stats, game) = (&mut self.status, self.rollback.stats(), &self.game);
        let figures = &mut status.figures;
        status.ahead = self.session.frames_ahead();
        status.time_scale = scale.as_f64();
        if !status.is_connected {
            status.is_connected = true;
            (figures.slowest, figures.fastest) = (status.time_scale, status.time_scale);
        }
        self.frames += 1.0;
        *figures = Figures {
            ticks: self.rollback.tick(),
            confirmed: self.rollback.confirmed(),
            score: game.duel.score(),
            ahead_most: if status.ahead.abs() > figures.ahead_most.abs() {
                status.ahead
            } else {
                figures.ahead_most
            },
            predicted_mean: {
                let predicted = (self.rollback.tick() - self.rollback.confirmed()) as f64;
                figures.predicted_mean + (predicted - figures.predicted_mean) / self.frames
            },
            rollbacks: stats.rollbacks,
            resimulated: stats.resimulated,
            longest: stats.longest,
            waited: figures.waited + u64::from(stats.given_back > self.given_back),
            corrections: game.corrections,
            largest_correction_m: game.largest_m,
            slowest: figures.slowest.min(status.time_scale),
            fastest: figures.fastest.max(status.time_scale),
            ping_ms: (self.session.network_stats(self.other).ok())
                .map(|stats| u64::try_from(stats.ping).unwrap_or(u64::MAX))
                .or(figures.ping_ms),
            desyncs: figures.desyncs,
            // The state before a tick is final when all earlier ticks are.
            states: (self.end.filter(|end| self.rollback.confirmed() > *end))
                .and_then(|end| game.states(end))
                .map(|hash| format!("{hash:016x}")),
        };
        self.given_back = stats.given_back;
    }

    fn send_status(&mut self) -> Result<(), Failure> {
        let line = serde_json::to_string(&self.status).map_err(|error| Failure::Run(error.to_string()))?;
        self.status.comparisons.clear();
        output::print(&(line + "\n"))
    }
}

fn failure(error: GgrsError) -> Failure {
    Failure::Run(format!("GGRS: {error}"))
}
