//! `evenstep-lab duel`: hockey for two over a bad network.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use std::{array, env, mem};

use clap::Args;
use evenstep::Tick;
use evenstep_scenes::duel::{DOWN, LEFT, RIGHT, UP};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode};
use simulated_network::{Jitter, LinkConditions};

use crate::duel::messages::{PeerCommand, Status};
use crate::duel::peer;
use crate::duel::peers::{PeerEvent, Peers};
use crate::duel::relay::Relay;
use crate::duel::result::GameResult;
use crate::duel::screen::Screen;
use evenstep_cli::failure::{Failure, reason};
use evenstep_cli::output::terminal;
use evenstep_cli::values::{percent, seconds};
use evenstep_cli::{interrupt, output};

/// The arguments of `duel`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The one-way delay of a packet, in milliseconds: half a round trip.
    #[arg(long, value_name = "MS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(0..=2000))]
    delay: u64,
    /// The largest random extra delay of a packet, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=2000))]
    jitter: u64,
    /// The share of packets that are lost, in percent.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = percent)]
    loss: u64,
    /// The share of packets that are not delayed and overtake the others, in percent.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = percent)]
    reorder: u64,
    /// The same seed loses the same packets, and has the same bots.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The input delay in ticks: more means fewer rollbacks and more latency.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=30))]
    input_delay: u8,
    /// The prediction window: how many ticks a peer runs ahead of the other's inputs before it waits.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=60))]
    window: u8,
    /// Let two bots play.
    #[arg(long)]
    bots: bool,
    /// End after this many seconds; without, continue until you quit.
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Option<Duration>,
    /// Draw nothing, and print JSON at the end.
    #[arg(long)]
    json: bool,
    /// Make the right peer misread the left player's keys from this tick on.
    #[arg(long, value_name = "TICK", hide = true)]
    fault: Option<Tick>,
}

/// The longest game.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The interval between drawn frames.
const FRAME: Duration = Duration::from_millis(33);

/// The longest time that peers take to connect, or to confirm the last ticks.
const PATIENCE: Duration = Duration::from_secs(30);

/// When the user quits, the game ends this many ticks after the newest tick that the peers have reported.
const NOTICE: Tick = 12;

/// Plays a game, and prints its result.
pub(crate) fn duel(args: &Arguments) -> Result<ExitCode, Failure> {
    let is_on_screen = !args.json && io::stdout().is_terminal() && io::stdin().is_terminal();
    args.check(is_on_screen)?;
    let _held = interrupt::take_stop_requests().map_err(Failure::signal_handler)?;
    let mut game = Playing::start(args)?;
    if is_on_screen {
        game.on_screen(args)?;
    } else {
        while !game.turn(FRAME)? {}
    }
    if let Some(result) = game.result(args) {
        output::print(&if args.json {
            output::json(&result)?
        } else {
            result.text(&args.link())
        })?;
    }
    match game.is_same() {
        true => Ok(ExitCode::SUCCESS),
        false => Err(game.desync()?),
    }
}

/// Writes the state of a peer to a temporary file that is kept. Returns its path.
fn keep_dump(name: &str, dump: &str) -> Result<String, Failure> {
    let prefix = format!("evenstep-duel-{name}-");
    let file = tempfile::Builder::new().prefix(&prefix).suffix(".dump").tempfile();
    let kept = file.and_then(|mut file| {
        file.write_all(dump.as_bytes())?;
        Ok(file.keep()?.1)
    });
    match kept {
        Ok(path) => Ok(path.display().to_string()),
        Err(error) => Err(Failure::Run(format!(
            "{}: cannot be written to: {}; set TMPDIR to another folder",
            env::temp_dir().display(),
            reason(&error)
        ))),
    }
}

impl Arguments {
    fn check(&self, is_on_screen: bool) -> Result<(), Failure> {
        let wrong = |text: &str| Err(Failure::Usage(text.to_owned()));
        if self.reorder > 0 && self.delay == 0 {
            return wrong("--reorder: packets cannot overtake others that are not delayed; give a --delay above 0");
        }
        if self.seconds.is_some_and(|seconds| seconds > LONGEST) {
            return wrong("--seconds: is longer than a day; give at most 86400");
        }
        if !is_on_screen && !self.bots {
            return wrong("nobody can play where there is no terminal or with --json; add --bots");
        }
        if !is_on_screen && self.seconds.is_none() {
            return wrong("nobody can quit where there is no terminal or with --json; add --seconds S");
        }
        Ok(())
    }

    fn link(&self) -> LinkConditions {
        LinkConditions {
            delay: Duration::from_millis(self.delay),
            jitter: Jitter::Uniform(Duration::from_millis(self.jitter)),
            loss_percent: self.loss as f64,
            undelayed_percent: self.reorder as f64,
            ..LinkConditions::default()
        }
    }
}

struct Playing {
    relay: Relay,
    peers: Peers,
    screen: Screen,
    begun: Instant,
    /// The last tick of the game, and the time at which both peers reached it.
    end: Option<Tick>,
    ending: Option<Instant>,
    is_quit: bool,
}

impl Playing {
    fn start(args: &Arguments) -> Result<Self, Failure> {
        let failure = |what: &str, error: &io::Error| {
            Failure::Run(format!(
                "{what} cannot be started: {}; close other programs",
                reason(error)
            ))
        };
        let relay = Relay::start(args.link(), args.seed).map_err(|error| failure("the relay", &error))?;
        let arguments = array::from_fn(|side| peer::Arguments {
            side: side as u8,
            relay: relay.addresses[side],
            seed: args.seed,
            bot: args.bots || side == 1,
            input_delay: args.input_delay.into(),
            window: args.window.into(),
            fault: args.fault.filter(|_| side == 1),
        });
        let mut peers = Peers::start(&arguments).map_err(|error| failure("a peer", &error))?;
        let end = args
            .seconds
            .map(|seconds| (seconds.as_secs_f64() * 60.0).ceil() as Tick);
        if let Some(end) = end {
            peers.send_to_both(PeerCommand::End(end));
        }
        Ok(Self {
            relay,
            peers,
            screen: Screen::new(args.link(), args.bots),
            begun: Instant::now(),
            end,
            ending: None,
            is_quit: false,
        })
    }

    /// Handles the events of both peers for this time. Returns whether the game is over.
    fn turn(&mut self, length: Duration) -> Result<bool, Failure> {
        let until = Instant::now() + length;
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            match self.peers.events.recv_timeout(rest) {
                Ok((side, PeerEvent::Status(mut status))) => {
                    for message in mem::take(&mut status.comparisons) {
                        self.peers.send(1 - side, PeerCommand::Compare(message));
                    }
                    self.screen.update(side, *status);
                }
                Ok((side, PeerEvent::Ended(words))) => return Err(self.lost(side, &words)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        if interrupt::is_stop_requested() {
            self.quit();
        }
        let statuses = &self.screen.statuses;
        let is_connected = statuses.iter().all(|status| status.is_connected);
        if !is_connected {
            if self.begun.elapsed() > PATIENCE {
                return Err(late("the peers receive no packets of each other"));
            }
            return Ok(self.is_quit);
        }
        let has_come = |end: Tick| statuses.iter().all(|status| status.figures.ticks >= end);
        let is_late =
            self.end.is_some_and(has_come) && self.ending.get_or_insert_with(Instant::now).elapsed() > PATIENCE;
        let has_ended = statuses.iter().all(|status| status.figures.states.is_some());
        if is_late && !has_ended {
            return Err(late("the peers do not receive each other's last inputs"));
        }
        let is_named = statuses.iter().all(|status| status.desync.is_some());
        // Peers whose states differ get time to find the value.
        Ok(is_named || has_ended && (is_late || self.is_same()))
    }

    /// Whether no difference of states is known.
    fn is_same(&self) -> bool {
        let [left, right] = &self.screen.statuses;
        let agrees = |status: &Status| status.figures.desyncs == 0 && status.desync.is_none();
        left.figures.states == right.figures.states && agrees(left) && agrees(right)
    }

    /// The error if the peers' states differ. Both states are kept in files.
    fn desync(&self) -> Result<Failure, Failure> {
        let [Some(left), Some(right)] = self.screen.statuses.each_ref().map(|status| status.desync.as_ref()) else {
            let wrong = "the peers' states differ; report it with this command line";
            return Ok(Failure::Run(wrong.to_owned()));
        };
        let (here, there) = (keep_dump("left", &left.dump)?, keep_dump("right", &right.dump)?);
        Ok(Failure::Run(format!(
            "the peers' states differ at {}; see evenstep desync {here} {there}, and report it with this command line",
            left.report
        )))
    }

    /// Ends the game soon, after the last inputs are confirmed.
    fn quit(&mut self) {
        if self.is_quit {
            return;
        }
        self.is_quit = true;
        let ticks = self.screen.statuses.iter().map(|status| status.figures.ticks);
        let end = ticks.max().unwrap_or(0) + NOTICE;
        let end = self.end.map_or(end, |known| known.min(end));
        self.end = Some(end);
        self.peers.send_to_both(PeerCommand::End(end));
    }

    /// A peer has ended. Tells the other.
    fn lost(&mut self, side: usize, words: &str) -> Failure {
        let other = 1 - side;
        self.peers.send(other, PeerCommand::Gone);
        // The other peer sends its last status, and ends by itself.
        while let Ok((from, event)) = self.peers.events.recv_timeout(PATIENCE) {
            match event {
                PeerEvent::Status(status) => self.screen.update(from, *status),
                PeerEvent::Ended(_) if from == other => break,
                PeerEvent::Ended(_) => {}
            }
        }
        let names = ["left", "right"];
        let why = if words.is_empty() {
            self.peers.ending(side)
        } else {
            words.to_owned()
        };
        Failure::Run(format!(
            "the {} peer has ended: {why}; the {} one was informed and has ended after {} ticks",
            names[side], names[other], self.screen.statuses[other].figures.ticks
        ))
    }

    fn on_screen(&mut self, args: &Arguments) -> Result<(), Failure> {
        terminal::draw_on(unusable, |terminal| self.show(terminal, args))
    }

    fn show(&mut self, terminal: &mut DefaultTerminal, args: &Arguments) -> Result<(), Failure> {
        while !self.turn(FRAME)? {
            self.screen.packets = self.relay.counts();
            terminal
                .draw(|frame| self.screen.draw(frame))
                .map_err(|error| unusable(&error))?;
            while event::poll(Duration::ZERO).map_err(|error| unusable(&error))? {
                match Key::of(&event::read().map_err(|error| unusable(&error))?) {
                    Some(Key::Quit) => self.quit(),
                    Some(Key::Go(keys)) if !args.bots => self.peers.send(0, PeerCommand::Keys(keys)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The result of the game; `None` if it did not begin.
    fn result(&self, args: &Arguments) -> Option<GameResult> {
        let has_ended = |status: &Status| status.figures.states.is_some() || status.desync.is_some();
        let has_ended = self.screen.statuses.iter().all(has_ended);
        Some(GameResult {
            delay_ms: args.delay,
            jitter_ms: args.jitter,
            loss_pct: args.loss,
            reorder_pct: args.reorder,
            seed: args.seed,
            input_delay: args.input_delay.into(),
            window: args.window.into(),
            end: self.end.filter(|_| has_ended)?,
            is_same: self.is_same(),
            peers: self.screen.statuses.each_ref().map(|status| status.figures.clone()),
            relay: self.relay.counts(),
        })
    }
}

fn late(what: &str) -> Failure {
    Failure::Run(format!(
        "{what}, for {} s; lose fewer packets or delay them less",
        PATIENCE.as_secs()
    ))
}

/// The action of a key.
enum Key {
    Quit,
    /// Hold these keys of the game from now on: a terminal does not report when a key is released.
    Go(u8),
}

impl Key {
    fn of(event: &Event) -> Option<Self> {
        let key = event.as_key_press_event()?;
        match key.code {
            _ if terminal::quits(key) => Some(Self::Quit),
            KeyCode::Left | KeyCode::Char('a') => Some(Self::Go(LEFT)),
            KeyCode::Right | KeyCode::Char('d') => Some(Self::Go(RIGHT)),
            KeyCode::Up | KeyCode::Char('w') => Some(Self::Go(UP)),
            KeyCode::Down | KeyCode::Char('s') => Some(Self::Go(DOWN)),
            KeyCode::Char(' ') => Some(Self::Go(0)),
            _ => None,
        }
    }
}

fn unusable(error: &io::Error) -> Failure {
    Failure::Run(format!(
        "the terminal cannot be used: {error}; send standard output to a pipe or a file, with --bots and --seconds"
    ))
}
