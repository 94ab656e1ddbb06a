//! The pace of frames, which a display with a fixed refresh or the program sets.

use std::fmt;

use fastrand::Rng;
use serde::Serialize;

use crate::random::{between, between_ratios, normal};

/// Common refresh rates of displays, in hertz.
const COMMON: [f64; 18] = [
    24.0, 30.0, 50.0, 59.94, 60.0, 72.0, 75.0, 85.0, 90.0, 100.0, 119.88, 120.0, 144.0, 165.0, 180.0, 240.0, 300.0,
    360.0,
];

/// The longest baseline frame time, in milliseconds.
const LONGEST: f64 = 50.0;

/// The mechanism that sets the pace of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaceKind {
    /// A display with a fixed refresh that stays the same.
    Even,
    /// A display whose refresh drifts.
    Drifting,
    /// One display after the other.
    Switching,
    /// A display with a variable refresh.
    Variable,
    /// The program, by sleeping or by its work alone.
    SelfPaced,
}

impl fmt::Display for PaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Even => "even",
            Self::Drifting => "drifting",
            Self::Switching => "switching",
            Self::Variable => "variable refresh",
            Self::SelfPaced => "self-paced",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    kind: PaceKind,
    hertz: f64,
    /// Refreshes in a frame without misses.
    cadence: f64,
    /// A display's drift: its amplitude, and its period in milliseconds.
    drift: f64,
    drift_ms: f64,
    /// How often the display is exchanged.
    switches: usize,
    /// Of frames without a fixed refresh: their deviation as a share of them, and how much of it stays until the next.
    spread: f64,
    memory: f64,
}

impl Pace {
    pub(super) fn random(random: &mut Rng) -> Self {
        let kind = match random.u8(0..100) {
            0..45 => PaceKind::Even,
            45..58 => PaceKind::Drifting,
            58..70 => PaceKind::Switching,
            70..85 => PaceKind::Variable,
            _ => PaceKind::SelfPaced,
        };
        let hertz = refresh_hz(random);
        let most = (hertz * LONGEST / 1e3).min(3.0);
        let cadence = match random.u8(0..10) {
            0..7 => 1.0,
            7 => 2.0_f64.min(most.floor()),
            8 => 3.0_f64.min(most.floor()),
            _ => between(random, 1.0, most),
        };
        Self {
            kind,
            hertz,
            cadence,
            drift: between_ratios(random, 5e-6, 1e-4),
            drift_ms: 1e3 * between_ratios(random, 20.0, 300.0),
            switches: random.usize(1..=2),
            // A loop that paces itself well has only the error of its sleep.
            spread: match kind {
                PaceKind::Variable => between_ratios(random, 0.01, 0.3),
                _ => between_ratios(random, 0.003, 0.2),
            },
            memory: if random.bool() { 0.0 } else { between(random, 0.5, 0.98) },
        }
    }

    pub(super) fn kind(&self) -> PaceKind {
        self.kind
    }

    pub(super) fn is_fixed(&self) -> bool {
        matches!(self.kind, PaceKind::Even | PaceKind::Drifting | PaceKind::Switching)
    }

    pub(super) fn baseline_ms(&self) -> f64 {
        let refreshes = if self.is_fixed() { self.cadence } else { 1.0 };
        1e3 / self.hertz * refreshes
    }

    pub(super) fn steps(&self, random: &mut Rng, frames: usize) -> Steps {
        let switches = if self.kind == PaceKind::Switching {
            self.switches
        } else {
            0
        };
        Steps {
            pace: *self,
            refresh_ms: 1e3 / self.hertz,
            switches: (0..switches).map(|_| random.usize(..frames.max(1))).collect(),
            frame: 0,
            time_ms: 0.0,
            wanted: 0.0,
            load: 0.0,
        }
    }
}

/// A common rate with the error of a real crystal, or a random rate.
fn refresh_hz(random: &mut Rng) -> f64 {
    match random.f64() < 0.7 {
        true => COMMON[random.usize(..COMMON.len())] * (1.0 + 3e-5 * normal(random)),
        false => between_ratios(random, 24.0, 360.0),
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.3} Hz", self.kind, self.hertz)?;
        match self.kind {
            PaceKind::Drifting => write!(f, " ±{:.0} ppm in {:.0} s", 1e6 * self.drift, self.drift_ms / 1e3)?,
            PaceKind::Switching => write!(f, ", then {} others", self.switches)?,
            PaceKind::Even => {}
            PaceKind::Variable | PaceKind::SelfPaced => {
                return write!(f, ", spread {:.1} %, memory {:.2}", 100.0 * self.spread, self.memory);
            }
        }
        if self.cadence > 1.0 {
            write!(f, ", {:.3} refreshes a frame", self.cadence)?;
        }
        Ok(())
    }
}

/// The next frame.
pub(super) struct Step {
    pub(super) shown_ms: f64,
    pub(super) refresh_ms: Option<f64>,
    pub(super) is_switch: bool,
}

/// The frames still to come.
pub(super) struct Steps {
    pace: Pace,
    refresh_ms: f64,
    switches: Vec<usize>,
    frame: usize,
    time_ms: f64,
    /// Refreshes that the program wanted, by its own rate, beyond the ones that it got.
    wanted: f64,
    load: f64,
}

impl Steps {
    /// The next frame, which misses this number of refreshes and comes after this pause.
    pub(super) fn next(&mut self, random: &mut Rng, missed: u32, paused_ms: f64) -> Step {
        let step = if self.pace.is_fixed() {
            self.refresh(random, missed, paused_ms)
        } else {
            self.own(random, paused_ms)
        };
        self.frame += 1;
        self.time_ms += step.shown_ms;
        step
    }

    /// A frame at a refresh.
    fn refresh(&mut self, random: &mut Rng, missed: u32, paused_ms: f64) -> Step {
        let is_switch = self.switches.contains(&self.frame);
        // Another display's refreshes come at other times.
        let mut off = 0.0;
        if is_switch {
            off = self.refresh_ms * random.f64();
            self.refresh_ms = 1e3 / refresh_hz(random);
        }
        let turn = std::f64::consts::TAU * self.time_ms / self.pace.drift_ms;
        let drift = if self.pace.kind == PaceKind::Drifting {
            self.pace.drift * turn.sin()
        } else {
            0.0
        };
        let refresh_ms = self.refresh_ms * (1.0 + drift);
        self.wanted += self.pace.cadence;
        let refreshes = self.wanted.ceil();
        self.wanted -= refreshes;
        let count = refreshes + f64::from(missed) + (paused_ms / refresh_ms).ceil();
        Step {
            shown_ms: off + count * refresh_ms,
            refresh_ms: Some(refresh_ms),
            is_switch,
        }
    }

    /// A frame that is shown when it is ready.
    fn own(&mut self, random: &mut Rng, paused_ms: f64) -> Step {
        let Pace { spread, memory, .. } = self.pace;
        self.load = memory * self.load + (1.0 - memory * memory).sqrt() * normal(random);
        let longer = match self.pace.kind {
            PaceKind::Variable => self.load,
            // A sleep ends late, never early.
            _ => self.load.abs(),
        };
        Step {
            shown_ms: self.refresh_ms * (1.0 + spread * longer).max(0.2) + paused_ms,
            refresh_ms: None,
            is_switch: false,
        }
    }
}
