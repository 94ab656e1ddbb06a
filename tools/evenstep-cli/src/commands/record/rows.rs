//! Presented frames as rows with PresentMon's columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use evenstep_present::proxy::{PresentedFrame, Shown};

/// Frames as PresentMon 2.3 writes them: the same names, definitions and units, and `NA` for what is not known.
///
/// As there, work on a frame begins when the previous one was committed, and the first frame of a surface has no row, because nothing
/// says when its work began.
pub(super) struct Rows {
    /// The time that counts as zero.
    origin: Duration,
    /// Whether the compositor says when frames were presented.
    has_displays: bool,
    /// By connection and surface.
    chains: BTreeMap<(u64, u64), Chain>,
}

#[derive(Default)]
struct Chain {
    committed: Option<Duration>,
    displayed: Option<Duration>,
    /// The last displayed frame whose simulated time is known.
    shown: Option<Animation>,
}

/// The simulated time of a displayed frame.
#[derive(Clone, Copy)]
struct Animation {
    simulated: Duration,
    is_logged: bool,
    displayed: Duration,
}

/// The flag of `wp_presentation_feedback` for frames that were presented in step with the display, and for those that it scanned out
/// of the program's own buffer.
const VSYNC: u32 = 1;
const ZERO_COPY: u32 = 8;

impl Rows {
    pub(super) fn new(origin: Duration, has_displays: bool) -> Self {
        Self {
            origin,
            has_displays,
            chains: BTreeMap::new(),
        }
    }

    /// The names of the columns, as a line. Without presentation feedback there are none about the display.
    pub(super) fn header(&self) -> String {
        let mut line = String::from("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,");
        line += "AllowsTearing,PresentMode,FrameType,TimeInSeconds,CPUStartTimeInSeconds,MsBetweenPresents,MsBetweenAppStart,";
        line += "MsCPUBusy,MsCPUWait,";
        if self.has_displays {
            line += "MsUntilDisplayed,MsBetweenDisplayChange,MsAnimationError,";
        }
        line + "AnimationTime,SimulatedTimeFrom\n"
    }

    /// The row of a frame; none of the first frame of a surface.
    pub(super) fn row(&mut self, frame: &PresentedFrame) -> Option<String> {
        let chain = self.chains.entry((frame.connection, frame.surface)).or_default();
        let started = chain.committed.replace(frame.committed);
        let (displayed, flags) = match frame.shown {
            Shown::Presented { at, flags, .. } => (Some(at), flags),
            _ => (None, 0),
        };
        let change = displayed.and_then(|now| Some(signed_millis(chain.displayed?, now)));
        chain.displayed = displayed.or(chain.displayed);
        let simulated = frame.simulated.or(started);
        let now = simulated.zip(displayed).map(|(simulated, displayed)| Animation {
            simulated,
            is_logged: frame.simulated.is_some(),
            displayed,
        });
        let error = now.and_then(|now| now.error_since(chain.shown?));
        chain.shown = now.or(chain.shown);
        let started = started?;
        let mode = match frame.shown {
            Shown::Presented { .. } if flags & ZERO_COPY != 0 => "Hardware Composed: Independent Flip",
            Shown::Presented { .. } | Shown::Discarded => "Composed: Flip",
            _ => "Unknown",
        };
        let busy = signed_millis(started, frame.committed);
        let mut row = format!(
            "{},{},0x{:x},Wayland,{},0,0,{mode},Application,{:.9},{:.9},{busy:.6},{busy:.6},{busy:.6},0.000000,",
            quoted(&frame.application),
            frame.process,
            frame.connection << 16 | frame.surface & 0xffff,
            flags & VSYNC,
            seconds(self.origin, frame.committed),
            seconds(self.origin, started),
        );
        if self.has_displays {
            let until = displayed.map(|at| signed_millis(frame.committed, at));
            for value in [until, change, error] {
                push(&mut row, value);
            }
        }
        push(&mut row, frame.simulated.map(|time| signed_millis(Duration::ZERO, time)));
        row += match frame.simulated {
            Some(_) => "FrameLog\n",
            None => "CommitTime\n",
        };
        Some(row)
    }
}

impl Animation {
    /// PresentMon's definition: how much more the simulated time advanced than that of the display.
    fn error_since(self, before: Self) -> Option<f64> {
        let advances = self.simulated > before.simulated && self.displayed > before.displayed;
        let animated = signed_millis(before.simulated, self.simulated);
        (advances && self.is_logged == before.is_logged)
            .then(|| animated - signed_millis(before.displayed, self.displayed))
    }
}

/// Nanoseconds from one time to another.
fn nanos(from: Duration, to: Duration) -> i128 {
    to.as_nanos() as i128 - from.as_nanos() as i128
}

fn signed_millis(from: Duration, to: Duration) -> f64 {
    nanos(from, to) as f64 / 1e6
}

fn seconds(from: Duration, to: Duration) -> f64 {
    nanos(from, to) as f64 / 1e9
}

fn push(row: &mut String, millis: Option<f64>) {
    match millis {
        // Writing to a string cannot fail.
        Some(millis) => drop(write!(row, "{millis:.6},")),
        None => row.push_str("NA,"),
    }
}

/// A program's name as a field. A process may give itself any.
fn quoted(name: &str) -> String {
    let name: String = name.chars().filter(|char| !char.is_control()).collect();
    let name = if name.is_empty() { "unknown".to_owned() } else { name };
    if name.contains([',', '"', ';']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name
    }
}
