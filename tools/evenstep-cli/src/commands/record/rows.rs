//! Presented frames as rows with PresentMon's columns.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep_trace::{Present, SwapChain, SwapChainName};

use crate::proxy::{PresentedFrame, Shown};

use super::timing::Timing;
use crate::output::analysis::quoted;

/// Frames as PresentMon 2.3 writes them: the same names, definitions and units, and `NA` for unknown values.
///
/// As in PresentMon, work on a frame begins when the previous frame was committed. The first frame of a surface has no row, because it is
/// unknown when its work began.
pub(super) struct Rows {
    /// The zero of the times in the rows.
    origin: Duration,
    /// Whether the compositor reports when frames were presented.
    has_displays: bool,
    /// By connection and surface.
    chains: BTreeMap<(u64, u64), Chain>,
    pub(super) timing: Timing,
}

#[derive(Default)]
struct Chain {
    committed: Option<Duration>,
    /// The last displayed frame.
    displayed: Option<Present>,
}

/// The flags of `wp_presentation_feedback` for frames that were presented in step with the display, and for frames that the display
/// scanned out of the program's own buffer.
const VSYNC: u32 = 1;
const ZERO_COPY: u32 = 8;

impl Rows {
    pub(super) fn new(origin: Duration, has_displays: bool) -> Self {
        Self {
            origin,
            has_displays,
            chains: BTreeMap::new(),
            timing: Timing::default(),
        }
    }

    /// The header line. Without presentation feedback it has no columns about the display.
    pub(super) fn header(&self) -> String {
        let mut line = String::from("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,");
        line += "AllowsTearing,PresentMode,FrameType,TimeInSeconds,CPUStartTimeInSeconds,MsBetweenPresents,MsBetweenAppStart,";
        if self.has_displays {
            line += "MsUntilDisplayed,MsBetweenDisplayChange,MsAnimationError,MsFromTarget,FifoViolated,";
        }
        line + "AnimationTime,SimulatedTimeFrom\n"
    }

    /// The row of a frame; `None` for the first frame of a surface.
    pub(super) fn row(&mut self, frame: &PresentedFrame) -> Option<String> {
        let origin = self.origin;
        let millis = |time: Duration| signed_millis(origin, time);
        let verdict = self.timing.judge(frame, origin);
        let chain = self.chains.entry((frame.connection, frame.surface)).or_default();
        let started = chain.committed.replace(frame.committed);
        let (displayed, flags) = match frame.shown {
            Shown::Presented { at, flags, .. } => (Some(at), flags),
            _ => (None, 0),
        };
        let simulated = frame.simulated.map(|time| signed_millis(Duration::ZERO, time));
        let mut present = Present::new(millis(frame.committed));
        present.displayed = displayed.map(millis);
        present.simulated = simulated.or(started.map(millis));
        present.is_simulated_told = simulated.is_some();
        let presents = chain.displayed.into_iter().chain([present]).collect();
        let measured = SwapChain::new(SwapChainName::default(), Vec::new(), presents).measure();
        if displayed.is_some() {
            chain.displayed = Some(present);
        }
        let (started, measured) = (started?, measured.last()?);
        let mode = match frame.shown {
            Shown::Presented { .. } if flags & ZERO_COPY != 0 => "Hardware Composed: Independent Flip",
            Shown::Presented { .. } | Shown::Discarded => "Composed: Flip",
            _ => "Unknown",
        };
        let between = signed_millis(started, frame.committed);
        let mut row = format!(
            "{},{},0x{:x},Wayland,{},0,0,{mode},Application,{:.9},{:.9},{between:.6},{between:.6},",
            application(&frame.application),
            frame.process,
            frame.connection << 16 | frame.surface & 0xffff,
            flags & VSYNC,
            millis(frame.committed) / 1e3,
            millis(started) / 1e3,
        );
        if self.has_displays {
            let until = displayed.map(|at| signed_millis(frame.committed, at));
            let from_target = verdict.from_target.map(|nanos| nanos as f64 / 1e6);
            let (change, error) = (measured.between_display_change, measured.animation_error);
            row.extend([until, change, error, from_target].map(field));
            row += match verdict.is_fifo_violated {
                Some(true) => "1,",
                Some(false) => "0,",
                None => "NA,",
            };
        }
        row += &field(simulated);
        row += match simulated {
            Some(_) => "ShownTimePipe\n",
            None => "CommitTime\n",
        };
        Some(row)
    }
}

/// The milliseconds from one time to another; negative if the second is earlier.
fn signed_millis(from: Duration, to: Duration) -> f64 {
    (to.as_nanos() as i128 - from.as_nanos() as i128) as f64 / 1e6
}

fn field(millis: Option<f64>) -> String {
    millis.map_or_else(|| "NA,".to_owned(), |millis| format!("{millis:.6},"))
}

/// A program's name as a field. A process may give itself any name.
fn application(name: &str) -> String {
    let name: String = name.chars().filter(|char| !char.is_control()).collect();
    quoted(if name.is_empty() { "unknown" } else { &name }).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::proxy::CommitTiming;
    use evenstep_trace::{Analysis, BadRows, Trace};

    use super::*;

    fn frame(number: u64, surface: u64, logged: bool) -> PresentedFrame {
        // A clock that has run for years, and times of no round number of microseconds.
        let at = |nanos: u64| Duration::from_nanos(1_000_000_000_000_000_123 + nanos);
        let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let shown = match random % 7 {
            0 => Shown::Discarded,
            1 if surface == 2 => Shown::Unknown,
            _ => Shown::Presented {
                at: at(number * 16_683_350 + 20_000_000 + random % 1_000),
                refresh: Duration::ZERO,
                flags: if surface == 1 { 9 } else { 0 },
            },
        };
        PresentedFrame {
            application: "a, \"game\"".into(),
            process: 7,
            connection: 1,
            surface,
            committed: at(number * 16_683_350 + random % 9_000_000),
            shown,
            simulated: logged.then(|| Duration::from_nanos(number * 16_000_001)),
            timing: CommitTiming::default(),
        }
    }

    /// The rows of two surfaces, as they come.
    fn recording(logged: bool) -> (Vec<PresentedFrame>, String) {
        let frames: Vec<_> = (1..800)
            .map(|number| frame(number, 1 + number % 3 / 2, logged))
            .collect();
        let mut rows = Rows::new(Duration::from_nanos(1_000_000_000_000_000_000), true);
        let mut text = rows.header();
        frames.iter().for_each(|frame| text.extend(rows.row(frame)));
        (frames, text)
    }

    #[test]
    fn presentation_times_are_read_back_to_a_microsecond() {
        for logged in [false, true] {
            let (frames, text) = recording(logged);
            let mut errors = BTreeMap::new();
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let column = |name: &str| {
                text.lines()
                    .next()
                    .unwrap()
                    .split(',')
                    .position(|one| one == name)
                    .unwrap()
            };
            let (error, address) = (column("MsAnimationError"), column("SwapChainAddress"));
            for (number, row) in reader.records().map(Result::unwrap).enumerate() {
                errors.insert(number as u64, (row[address].to_owned(), row[error].parse::<f64>().ok()));
            }
            let mut measured = Vec::new();
            for chain in &Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail).unwrap().chains {
                let rows = chain.measure().into_iter();
                measured.extend(rows.map(|row| (chain.name.swap_chain.clone(), row)));
            }
            for surface in [1, 2] {
                let of_surface = |name: &String| *name == format!("0x{:x}", 1 << 16 | surface);
                let frames: Vec<_> = frames.iter().filter(|frame| frame.surface == surface).collect();
                let rows: Vec<_> = measured.iter().filter(|(name, _)| of_surface(name)).collect();
                assert_eq!(rows.len(), frames.len() - 1);
                let mut before: Option<(Duration, Duration)> = None;
                let mut displays = None;
                for (pair, (_, row)) in frames.windows(2).zip(&rows) {
                    let between = signed_millis(pair[0].committed, pair[1].committed);
                    assert!(row.between_presents.is_none_or(|read| (read - between).abs() < 1e-3));
                    // The first frame has no row, so what it showed is not in the file.
                    let Shown::Presented { at, .. } = pair[1].shown else {
                        assert_eq!(row.between_display_change, None);
                        continue;
                    };
                    if let (Some(last), Some(read)) = (displays, row.between_display_change) {
                        assert!((signed_millis(last, at) - read).abs() < 1e-3);
                    }
                    displays = Some(at);
                    let simulated = pair[1].simulated.unwrap_or(pair[0].committed);
                    if let (Some((last, shown)), Some(read)) = (before, row.animation_error) {
                        let truth = signed_millis(last, simulated) - signed_millis(shown, at);
                        assert!((truth - read).abs() < 1e-3, "{truth} {read}");
                        let (chain, written) = &errors[&row.row];
                        assert!(of_surface(chain) && written.is_some_and(|written| (truth - written).abs() < 1e-3));
                    } else {
                        assert!(before.is_none());
                    }
                    before = Some((simulated, at));
                }
            }
        }
    }

    #[test]
    fn what_a_compositor_did_with_the_times_that_it_was_given_is_in_the_rows_and_in_the_report() {
        let refresh = Duration::from_millis(16);
        let begin = Duration::from_secs(100);
        let mut rows = Rows::new(begin, true);
        let mut text = rows.header();
        for number in 0..40_u32 {
            let mut frame = frame(u64::from(number), 1, false);
            let target = begin + refresh * (4 * number + 2);
            (frame.timing.target, frame.timing.sets_barrier, frame.timing.waits) = (Some(target), true, true);
            frame.committed = begin + refresh * (4 * number);
            let at = match number {
                20 => target - Duration::from_micros(2_600),
                30 => target + refresh + Duration::from_millis(1),
                _ => target + Duration::from_millis(1),
            };
            let flags = 1;
            frame.shown = Shown::Presented { at, refresh, flags };
            text.extend(rows.row(&frame));
        }
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let at = |name: &str| text.split(['\n', ',']).position(|column| column == name).unwrap();
        let columns = [at("MsFromTarget"), at("FifoViolated")];
        let read: Vec<_> = reader.records().map(Result::unwrap).collect();
        let row = |frame: usize| columns.map(|column| read[frame - 1][column].to_owned());
        assert_eq!(row(20), ["-2.600000", "0"]);
        assert_eq!(row(30), ["17.000000", "0"]);
        assert_eq!(row(31), ["1.000000", "0"]);
        let report = rows.timing.text();
        for line in [
            "  commit timing: 40 frames with a time; presented 1.000 ms after it (median), 98 % from ",
            "    1 early, which is forbidden: 2.600 ms at 1.309 s\n",
            "    1 more than a refresh late, although committed in time: 17.000 ms at 1.969 s\n",
            "  fifo: 39 frames waited for the one before\n",
        ] {
            assert!(report.contains(line), "{report}");
        }
    }

    #[test]
    fn a_recording_that_breaks_off_can_be_read() {
        let (_, text) = recording(false);
        for end in (text.len() / 2..text.len()).step_by(4_999) {
            let whole = &text[..=text[..end].rfind('\n').unwrap()];
            assert!(Analysis::read(whole.as_bytes(), "a.csv", BadRows::Fail).is_ok());
        }
    }

    #[test]
    fn without_feedback_there_are_frame_times_and_no_columns_about_the_display() {
        let mut rows = Rows::new(Duration::ZERO, false);
        let mut text = rows.header();
        assert!(!text.contains("Display") && !text.contains("AnimationError"));
        for number in 1..=50 {
            let mut frame = frame(number, 1, false);
            frame.shown = Shown::Unknown;
            text.extend(rows.row(&frame));
        }
        let analysis = Analysis::read(text.as_bytes(), "a.csv", BadRows::Fail).unwrap();
        let metrics = &analysis.chains[0].metrics;
        assert_eq!((metrics.frames, metrics.displayed), (49, None));
    }
}
