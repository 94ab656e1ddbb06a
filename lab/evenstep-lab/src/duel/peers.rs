//! Starts the two peer processes, and reads and writes their pipes.

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::duel::messages::{PeerCommand, Status};
use crate::duel::peer::Arguments;

/// An event of a peer process.
pub(crate) enum PeerEvent {
    Status(Box<Status>),
    /// The peer has ended; the text is its last error output.
    Ended(String),
}

/// Both peer processes. They end when this is dropped, and also when the command is killed, because their standard input ends.
pub(crate) struct Peers {
    children: Vec<Child>,
    inputs: Vec<Option<ChildStdin>>,
    /// The events of both peers, each with its side.
    pub(crate) events: Receiver<(usize, PeerEvent)>,
}

impl Peers {
    pub(crate) fn start(arguments: &[Arguments; 2]) -> io::Result<Self> {
        let (sender, events) = channel();
        let mut peers = Self {
            children: Vec::new(),
            inputs: Vec::new(),
            events,
        };
        for (side, arguments) in arguments.iter().enumerate() {
            let mut child = command(arguments)?.spawn()?;
            let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            peers.children.push(child);
            peers.inputs.push(input);
            if let (Some(output), Some(errors)) = (output, errors) {
                let sender = sender.clone();
                let name = thread::Builder::new().name(format!("peer {}", side + 1));
                name.spawn(move || listen(side, output, errors, &sender))?;
            }
        }
        Ok(peers)
    }

    /// Sends a command to a peer. It is ignored if the peer has ended.
    pub(crate) fn send(&mut self, side: usize, command: PeerCommand) {
        if let (Some(Some(input)), Ok(line)) = (self.inputs.get_mut(side), serde_json::to_string(&command)) {
            let _ = writeln!(input, "{line}");
        }
    }

    pub(crate) fn send_to_both(&mut self, command: PeerCommand) {
        (0..2).for_each(|side| self.send(side, command.clone()));
    }

    /// The exit of a peer that has closed its output.
    pub(crate) fn ending(&mut self, side: usize) -> String {
        let status = self.children.get_mut(side).map(Child::wait);
        status
            .and_then(Result::ok)
            .map_or_else(String::new, |status| status.to_string())
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        self.inputs.clear();
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn command(arguments: &Arguments) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    let Arguments {
        side,
        relay,
        seed,
        bot,
        input_delay,
        window,
        fault,
    } = arguments;
    command.arg("duel-peer");
    command.args([
        format!("--side={side}"),
        format!("--relay={relay}"),
        format!("--seed={seed}"),
    ]);
    command.args([format!("--input-delay={input_delay}"), format!("--window={window}")]);
    command.args(fault.map(|tick| format!("--fault={tick}")));
    if *bot {
        command.arg("--bot");
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// Forwards the messages of a peer until it ends.
fn listen(side: usize, output: impl io::Read, mut errors: impl io::Read, sender: &Sender<(usize, PeerEvent)>) {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    for status in lines.map_while(|line| serde_json::from_str(&line).ok()) {
        if sender.send((side, PeerEvent::Status(Box::new(status)))).is_err() {
            return;
        }
    }
    let mut words = String::new();
    let _ = errors.read_to_string(&mut words);
    let _ = sender.send((
        side,
        PeerEvent::Ended(words.trim().trim_start_matches("evenstep: ").to_owned()),
    ));
}
