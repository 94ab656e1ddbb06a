//! How well the compositor met what the program asked for each frame: a time, or a refresh to itself.

use std::fmt::Write as _;
use std::time::Duration;

use crate::proxy::{PresentedFrame, Shown, TimingMeter, TimingVerdict};

/// The most frames that are listed of each kind.
const MAX_LISTED: usize = 5;

/// What the compositor did with frames of a kind: when each was presented, in seconds, and by how many milliseconds it was off.
type Listed = Vec<(f64, f64)>;

/// The verdicts about the frames of a recording.
#[derive(Default)]
pub(super) struct Timing {
    meter: TimingMeter,
    /// From the target to the presentation, in milliseconds.
    from_target: Vec<f64>,
    early: Listed,
    late: Listed,
    waited: usize,
    overtaking: Listed,
}

impl Timing {
    /// Judges the next frame; times count from `origin`.
    pub(super) fn judge(&mut self, frame: &PresentedFrame, origin: Duration) -> TimingVerdict {
        let verdict = self.meter.judge(frame);
        let Shown::Presented { at, .. } = frame.shown else {
            return verdict;
        };
        let at = at.as_secs_f64() - origin.as_secs_f64();
        if let Some(nanos) = verdict.from_target {
            let off = nanos as f64 / 1e6;
            self.from_target.push(off);
            if verdict.is_early {
                self.early.push((at, -off));
            }
            if verdict.is_late {
                self.late.push((at, off));
            }
        }
        self.waited += usize::from(verdict.is_fifo_violated.is_some());
        if verdict.is_fifo_violated == Some(true) {
            self.overtaking.push((at, 0.0));
        }
        verdict
    }

    /// The report; empty if the program asked for nothing.
    pub(super) fn text(mut self) -> String {
        let mut text = String::new();
        if !self.from_target.is_empty() {
            self.from_target.sort_by(f64::total_cmp);
            let rank = |share: f64| self.from_target[(share * (self.from_target.len() - 1) as f64).round() as usize];
            let _ = writeln!(
                text,
                "  commit timing: {} frames with a time; presented {:.3} ms after it (median), 98 % from {:.3} to {:.3} ms",
                self.from_target.len(),
                rank(0.5),
                rank(0.01),
                rank(0.99)
            );
            list_frames(&mut text, &self.early, "early, which is forbidden", true);
            let what = "more than a refresh late, although committed in time";
            list_frames(&mut text, &self.late, what, true);
        }
        if self.waited > 0 {
            let _ = writeln!(text, "  fifo: {} frames waited for the one before", self.waited);
            let what = "presented before the one before had a refresh to itself";
            list_frames(&mut text, &self.overtaking, what, false);
        }
        text
    }
}

fn list_frames(text: &mut String, frames: &[(f64, f64)], what: &str, is_off: bool) {
    let each = frames.iter().take(MAX_LISTED).map(|(at, off)| match is_off {
        true => format!("{off:.3} ms at {at:.3} s"),
        false => format!("at {at:.3} s"),
    });
    let mut listed = each.collect::<Vec<_>>().join(", ");
    if frames.len() > MAX_LISTED {
        listed += ", …";
    }
    let colon = if listed.is_empty() { "" } else { ": " };
    let _ = writeln!(text, "    {} {what}{colon}{listed}", frames.len());
}
