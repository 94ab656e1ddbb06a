//! The messages between the command and its peers, one JSON object per line.

use evenstep::Tick;
use serde::{Deserialize, Serialize};

use crate::duel::game::Positions;

/// A command to a peer, sent as one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PeerCommand {
    /// The keys that the person holds.
    Keys(u8),
    /// Sum up when the ticks before this one are confirmed.
    End(Tick),
    /// A message of the other peer's desync monitor.
    Compare(Vec<u8>),
    /// The other peer has ended.
    Gone,
}

/// The status of a peer, sent as one line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    /// Whether the peer receives packets of the other peer.
    pub(crate) is_connected: bool,
    /// The drawn positions.
    pub(crate) positions: Positions,
    /// The estimated number of ticks by which the peer is ahead of the other.
    pub(crate) ahead: i32,
    pub(crate) time_scale: f64,
    /// The statistics of the game so far.
    pub(crate) figures: Figures,
    /// Messages for the desync monitor of the other.
    pub(crate) comparisons: Vec<Vec<u8>>,
    /// The difference between its state and the other's.
    pub(crate) desync: Option<DesyncReport>,
}

/// The first tick before which the states of the peers differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DesyncReport {
    /// The tick and the first value that differs, in one line.
    pub(crate) report: String,
    /// The state of this peer then, and the inputs since both agreed.
    pub(crate) dump: String,
}

/// The statistics of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) ticks: Tick,
    pub(crate) confirmed: Tick,
    pub(crate) score: [u32; 2],
    /// The largest number of ticks by which it was ahead of the other, in either direction.
    pub(crate) ahead_most: i32,
    /// The mean number of ticks that were not confirmed yet.
    pub(crate) predicted_mean: f64,
    pub(crate) rollbacks: u64,
    /// Ticks that were simulated again.
    pub(crate) resimulated: u64,
    /// How many ticks the longest rollback went back.
    pub(crate) longest: u64,
    /// Frames of 8 ms in which it had to wait for the other.
    pub(crate) waited: u64,
    /// The number of rollbacks that have moved the drawn positions, and the largest distance that one has moved the puck.
    pub(crate) corrections: u64,
    pub(crate) largest_correction_m: f64,
    /// The range of the time scale.
    pub(crate) slowest: f64,
    pub(crate) fastest: f64,
    /// The round trip; `None` in the first second.
    pub(crate) ping_ms: Option<u64>,
    /// How often the checksums of both peers differed.
    pub(crate) desyncs: u64,
    /// A hash of all states up to the end.
    pub(crate) states: Option<String>,
}

impl Figures {
    /// The mean number of ticks that a rollback went back.
    pub(crate) fn mean_depth(&self) -> f64 {
        self.resimulated as f64 / self.rollbacks.max(1) as f64
    }
}
