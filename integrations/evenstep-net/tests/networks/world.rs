//! A random network with the clocks and displays of its two machines.

use evenstep::Rate;
use fastrand::Rng;

use crate::route::{Route, between, between_ratios};

/// A random network between a client and a server, and their clocks and displays. The same seed gives the
/// same network.
///
/// Each direction takes 2 to 125 ms, and both may differ. Half of the networks lose packets, up to
/// 20 %, singly or in bursts. Delays vary, with or without packets that overtake each other. There are latency spikes and route
/// changes. The client's clock is wrong by up to 200 ppm.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    pub(super) seed: u64,
    pub(super) there: Route,
    pub(super) back: Route,
    /// The drift of the client's clock against the server's, in ppm; positive if it runs faster.
    pub(super) drift_ppm: f64,
    pub(super) display_hz: f64,
    /// The median lateness of the client's frames, in milliseconds.
    pub(super) frame_jitter_ms: f64,
    pub(super) rate: Rate,
    /// The time by which the server started before the client, in seconds.
    pub(super) head_start: f64,
}

impl Network {
    /// The network of a seed.
    pub(super) fn random(seed: u64) -> Self {
        // Neighbouring seeds must have nothing in common.
        let mut random = Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let round_trip_ms = between_ratios(&mut random, 5.0, 200.0);
        let share = between(&mut random, 0.2, 0.8);
        let there = Route::random(&mut random, round_trip_ms * share);
        let back = there.sibling(&mut random, round_trip_ms * (1.0 - share));
        let rates = [30, 60, 60, 64, 128];
        let displays = [59.94, 60.0, 75.0, 120.0, 144.0];
        Self {
            seed,
            there,
            back,
            drift_ppm: between(&mut random, -200.0, 200.0),
            display_hz: displays[random.usize(0..displays.len())],
            frame_jitter_ms: between(&mut random, 0.0, 2.0),
            rate: Rate::hz(rates[random.usize(0..rates.len())]),
            head_start: between(&mut random, 0.0, 5_000.0),
        }
    }
}
