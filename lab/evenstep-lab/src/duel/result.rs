//! The result of a game as text and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep::Tick;
use serde::Serialize;
use simulated_network::{Jitter, LinkConditions};

use crate::duel::messages::Figures;
use crate::duel::relay::Counts;

/// The result of a game, which `--json` prints. The crate's README describes it.
#[derive(Serialize)]
pub(crate) struct GameResult {
    pub(crate) delay_ms: u64,
    pub(crate) jitter_ms: u64,
    pub(crate) loss_pct: u64,
    pub(crate) reorder_pct: u64,
    pub(crate) seed: u64,
    pub(crate) input_delay: usize,
    pub(crate) window: usize,
    /// The tick up to which both peers' states are compared.
    pub(crate) end: Tick,
    /// Whether they are bit-identical.
    pub(crate) is_same: bool,
    pub(crate) peers: [Figures; 2],
    /// Statistics of the packets that each peer has sent.
    pub(crate) relay: [Counts; 2],
}

/// A description of the link.
pub(crate) fn description(link: &LinkConditions) -> String {
    let mut text = format!("{} ms each way", link.delay.as_millis());
    match link.jitter {
        Jitter::Uniform(Duration::ZERO) => {}
        Jitter::Uniform(most) => _ = write!(text, " and up to {} more", most.as_millis()),
        Jitter::Exponential(mean) => _ = write!(text, " and {} more on average", mean.as_millis()),
    }
    let _ = write!(text, ", {} % lost", link.loss_percent);
    if link.undelayed_percent > 0.0 {
        let _ = write!(text, ", {} % overtake", link.undelayed_percent);
    }
    text
}

impl GameResult {
    /// A table, with a column for each peer.
    pub(crate) fn text(&self, link: &LinkConditions) -> String {
        let mut text = format!("{}; seed {}\n", description(link), self.seed);
        let mut row = |name: &str, cells: [String; 2]| {
            let [left, right] = cells;
            let _ = writeln!(text, "{name:22} {left:>18} {right:>18}");
        };
        row("", ["left".to_owned(), "right".to_owned()]);
        for (name, cell) in rows() {
            row(name, self.peers.each_ref().map(cell));
        }
        for (name, cell) in packets() {
            row(name, self.relay.each_ref().map(cell));
        }
        let word = if self.is_same {
            "the same bits"
        } else {
            "not the same bits"
        };
        let _ = writeln!(text, "{:22} {word} in all states up to tick {}", "both peers", self.end);
        text
    }
}

type Row<T> = (&'static str, fn(&T) -> String);

/// The rows about a peer, which the view on the terminal shows, too.
pub(crate) fn rows() -> [Row<Figures>; 10] {
    [
        ("goals", |one| format!("{} : {}", one.score[0], one.score[1])),
        ("ticks", |one| one.ticks.to_string()),
        ("confirmed", |one| one.confirmed.to_string()),
        ("predicted ticks", |one| format!("{:.1}", one.predicted_mean)),
        ("rollbacks", |one| one.rollbacks.to_string()),
        ("depth, mean and most", |one| {
            format!("{:.1} {:>5}", one.mean_depth(), one.longest)
        }),
        ("frames that waited", |one| one.waited.to_string()),
        ("corrections, largest", |one| {
            format!("{} {:6.2} m", one.corrections, one.largest_correction_m)
        }),
        ("time scale", |one| format!("{:.2} to {:.2}", one.slowest, one.fastest)),
        ("ping, desyncs", |one| {
            let ping = one.ping_ms.map_or("-".to_owned(), |ping| format!("{ping} ms"));
            format!("{ping} {:5}", one.desyncs)
        }),
    ]
}

fn packets() -> [Row<Counts>; 3] {
    [
        ("packets sent, lost", |one| format!("{} {:6}", one.packets, one.lost)),
        ("overtaken", |one| one.overtaken.to_string()),
        ("under way, mean", |one| format!("{:.1} ms", one.mean_ms)),
    ]
}
