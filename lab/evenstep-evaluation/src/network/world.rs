//! A random network with the clocks and displays of its two machines.

use std::fmt;

use evenstep::Rate;
use fastrand::Rng;

use crate::network::route::Route;
use crate::random::{between, between_ratios};

/// A random network between a client and a server, and their clocks and displays. The same seed gives the
/// same network.
///
/// Each direction takes 2 to 125 ms, and both may differ. Half of the networks lose packets, up to
/// 20 %, singly or in bursts. Delays vary, with or without packets that overtake each other. There are latency spikes and route
/// changes. The client's clock is wrong by up to 200 ppm.
///
/// ```
/// use evenstep_evaluation::Network;
///
/// assert_eq!(Network::random(7), Network::random(7));
/// println!("{}", Network::random(7));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
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
    #[must_use]
    pub fn random(seed: u64) -> Self {
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

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} on a display at {} Hz, clock {:+.0} ppm; there {}; back {}",
            self.rate, self.display_hz, self.drift_ppm, self.there, self.back
        )
    }
}
