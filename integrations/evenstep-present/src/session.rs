//! The frames of a program and their presentation feedback, with quality measures.

use std::io::{self, Write};
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock, PresentClock};
use evenstep::pace::PacerStats;
use evenstep::present::PresentFeedback;
use serde::Serialize;

use crate::statistics::{millis, percentile_99, sorted};

/// The frames of a program and their presentation feedback, on the program's clock.
///
/// It measures the quality of the feedback, and the [animation error](Self::quality) that a game would have with each method of animation.
#[derive(Clone, Debug, Default)]
pub struct Session {
    frames: Vec<Frame>,
    /// In order of arrival.
    reports: Vec<(Duration, PresentFeedback)>,
    pacing: Option<PacerStats>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    begun: Duration,
    submitted: Duration,
    /// When the frame was presented, by its first report.
    presented: Option<Duration>,
    is_settled: bool,
}

/// The source of the time by which a game animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnimatedBy {
    /// Unfiltered frame timestamps.
    Timestamps,
    /// Frame timestamps filtered by a [`DisplayClock`].
    DisplayClock,
    /// Presentation feedback, by a [`PresentClock`].
    Feedback,
}

impl AnimatedBy {
    /// All sources.
    pub const ALL: [Self; 3] = [Self::Timestamps, Self::DisplayClock, Self::Feedback];

    /// The name in recordings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timestamps => "timestamps",
            Self::DisplayClock => "display clock",
            Self::Feedback => "feedback",
        }
    }
}

/// The quality of presentation feedback.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeedbackQuality {
    /// Submitted frames.
    pub frames: usize,
    /// Presented frames.
    #[serde(rename = "seen")]
    pub presented: usize,
    /// Frames that were reported as discarded.
    pub discarded: usize,
    /// Frames without a report.
    pub missing: usize,
    /// Reports of presented frames whose time was measured by hardware.
    pub measured: usize,
    /// Reports that arrived before the start of the next frame.
    pub in_time: usize,
    /// The announced refresh period in milliseconds; `None` if none is announced.
    pub announced_ms: Option<f64>,
    /// The announced refresh period in milliseconds if it differs from the measured one by more than half a percent.
    pub misreported_ms: Option<f64>,
    /// Whether a [`PresentClock`] followed the feedback in the last frame. Otherwise it is a [`DisplayClock`].
    pub is_followed: bool,
    /// The median of the intervals between presented frames in milliseconds; `None` for fewer than two frames.
    pub interval_ms: Option<f64>,
    /// The estimated refresh period in milliseconds; `None` if the intervals do not fit it.
    pub period_ms: Option<f64>,
    /// Animation errors after the settling time, one for each of [`AnimatedBy::ALL`]; empty if there is nothing to measure.
    pub errors: Vec<AnimationErrors>,
}

/// The absolute difference between the animation step and the presentation interval of consecutive presented frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnimationErrors {
    /// The source of the animation time.
    pub by: AnimatedBy,
    /// The root mean square in milliseconds.
    pub rms_ms: f64,
    /// The 99th percentile in milliseconds.
    pub p99_ms: f64,
    /// The maximum in milliseconds.
    pub max_ms: f64,
}

impl Session {
    /// The time that clocks get to settle before animation errors are measured.
    pub const SETTLING: Duration = Duration::from_secs(2);

    /// Starts a frame. Returns its number, counted from one.
    pub fn begin(&mut self, at: Duration) -> u64 {
        let last = self.frames.last().map_or(Duration::ZERO, |last| last.begun);
        self.frames.push(Frame {
            begun: at.max(last),
            submitted: at.max(last),
            presented: None,
            is_settled: false,
        });
        self.frames.len() as u64
    }

    /// Notes that the last started frame was submitted.
    pub fn submit(&mut self, at: Duration) {
        if let Some(frame) = self.frames.last_mut() {
            frame.submitted = at.max(frame.begun);
        }
    }

    /// Adds a report. Reports of frames that never started are ignored.
    pub fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        let frame = usize::try_from(feedback.id)
            .ok()
            .and_then(|id| self.frames.get_mut(id.checked_sub(1)?));
        let Some(frame) = frame.filter(|frame| !frame.is_settled) else {
            return;
        };
        frame.is_settled = true;
        frame.presented = feedback.presented;
        self.reports.push((arrived, feedback));
    }

    /// Records the statistics of a pacer that started the frames.
    pub(crate) fn set_pacing(&mut self, stats: PacerStats) {
        self.pacing = Some(stats);
    }

    /// The effect of the pacer by its own prediction; `None` if no pacer started the frames.
    #[must_use]
    pub const fn pacing(&self) -> Option<PacerStats> {
        self.pacing
    }

    /// The quality of the feedback so far.
    #[must_use]
    pub fn quality(&self) -> FeedbackQuality {
        let clock = self.replay_feedback().1;
        let grid = clock.grid();
        let presented = |report: &&(Duration, PresentFeedback)| report.1.presented.is_some();
        let announced = self
            .reports
            .iter()
            .rev()
            .find(presented)
            .map(|(_, report)| report.refresh);
        let timing = self.timing(Duration::ZERO);
        let period = grid.period().map(millis);
        FeedbackQuality {
            frames: self.frames.len(),
            presented: self.frames.iter().filter(|frame| frame.presented.is_some()).count(),
            discarded: self
                .frames
                .iter()
                .filter(|frame| frame.is_settled && frame.presented.is_none())
                .count(),
            missing: self.frames.iter().filter(|frame| !frame.is_settled).count(),
            measured: self
                .reports
                .iter()
                .filter(|report| presented(report) && report.1.reliable)
                .count(),
            in_time: self.reports.iter().filter(|report| self.is_in_time(report)).count(),
            announced_ms: announced.filter(|refresh| !refresh.is_zero()).map(millis),
            misreported_ms: grid.misreported_period().map(millis),
            is_followed: clock.follows_feedback(),
            interval_ms: timing.as_ref().map(|timing| timing.interval_ms),
            period_ms: period.filter(|period| self.fits(*period)),
            errors: AnimatedBy::ALL.into_iter().filter_map(|by| self.errors(by)).collect(),
        }
    }

    /// Whether every frame was presented after it was submitted and before its report arrived. Otherwise the reports are on another clock
    /// than the program's, or are predictions.
    #[must_use]
    pub fn is_on_one_clock(&self) -> bool {
        self.reports.iter().all(|(arrived, report)| {
            let frame = usize::try_from(report.id)
                .ok()
                .and_then(|id| self.frames.get(id.checked_sub(1)?));
            let is_after = |presented: Duration| frame.is_some_and(|frame| presented >= frame.submitted);
            report
                .presented
                .is_none_or(|presented| is_after(presented) && presented <= *arrived)
        })
    }

    fn is_in_time(&self, (arrived, report): &(Duration, PresentFeedback)) -> bool {
        let next = usize::try_from(report.id).ok().and_then(|next| self.frames.get(next));
        next.is_some_and(|next| *arrived <= next.begun)
    }

    /// The start of the first frame.
    pub(crate) fn start(&self) -> Duration {
        self.frames.first().map_or(Duration::ZERO, |frame| frame.begun)
    }

    /// The start of a frame, by its index from zero.
    pub(crate) fn begun(&self, frame: usize) -> Duration {
        self.frames.get(frame).map_or(Duration::MAX, |frame| frame.begun)
    }

    /// The number of frames that started at least `settling` after the first.
    pub(crate) fn begun_after(&self, settling: Duration) -> usize {
        let start = self.start() + settling;
        self.frames.iter().filter(|frame| frame.begun >= start).count()
    }

    /// Presented frames by index from zero, in order, with strictly increasing times.
    pub(crate) fn presented_times(&self) -> Vec<(usize, Duration)> {
        let mut times: Vec<(usize, Duration)> = Vec::new();
        for (number, frame) in self.frames.iter().enumerate() {
            let last = times.last().map(|last| last.1);
            if let Some(presented) = frame
                .presented
                .filter(|presented| last.is_none_or(|last| *presented > last))
            {
                times.push((number, presented));
            }
        }
        times
    }

    /// `None` without two consecutive presented frames after the settling time.
    fn errors(&self, by: AnimatedBy) -> Option<AnimationErrors> {
        let animated = self.animated(by);
        let start = self.start() + Self::SETTLING;
        let times = self.presented_times();
        let settled = times.windows(2).filter(|pair| self.frames[pair[0].0].begun >= start);
        let errors = sorted(settled.map(|pair| {
            let moved = millis(animated[pair[1].0]) - millis(animated[pair[0].0]);
            (moved - (millis(pair[1].1) - millis(pair[0].1))).abs()
        }));
        let squares: f64 = errors.iter().map(|error| error * error).sum();
        Some(AnimationErrors {
            by,
            rms_ms: (squares / errors.len() as f64).sqrt(),
            p99_ms: percentile_99(&errors)?,
            max_ms: *errors.last()?,
        })
    }

    /// The animation time of each frame.
    #[must_use]
    pub fn animated(&self, by: AnimatedBy) -> Vec<Duration> {
        match by {
            AnimatedBy::Timestamps => self.animate(&mut (), |(), _, _| ()),
            AnimatedBy::DisplayClock => self.animate(&mut DisplayClock::new(), |_, _, _| ()),
            AnimatedBy::Feedback => self.replay_feedback().0,
        }
    }

    /// The animation time of each frame by feedback, and the clock after the last one.
    fn replay_feedback(&self) -> (Vec<Duration>, PresentClock) {
        let mut clock = PresentClock::new();
        let animated = self.animate(&mut clock, PresentClock::observe);
        (animated, clock)
    }

    /// The animation time of each frame. Each uses the reports that had arrived when it started.
    fn animate<F: DeltaFilter>(
        &self,
        filter: &mut F,
        mut observe: impl FnMut(&mut F, PresentFeedback, Duration),
    ) -> Vec<Duration> {
        let (mut last, mut animated, mut observed) = (Duration::ZERO, Duration::ZERO, 0);
        let frame = |frame: &Frame| {
            while let Some((arrived, report)) = self
                .reports
                .get(observed)
                .filter(|(arrived, _)| *arrived <= frame.begun)
            {
                observe(filter, *report, *arrived);
                observed += 1;
            }
            animated += filter.apply(frame.begun - last);
            last = frame.begun;
            animated
        };
        self.frames.iter().map(frame).collect()
    }

    /// Writes a recording that `evenstep analyze` reads, with one program for each of [`AnimatedBy::ALL`], under its name.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_recording(&self, mut output: impl Write) -> io::Result<()> {
        writeln!(output, "{}", Self::HEADER)?;
        for by in AnimatedBy::ALL {
            self.write_chain(&mut output, by.name(), by)?;
        }
        output.flush()
    }

    /// The first line of a recording.
    pub const HEADER: &str =
        "Application,ProcessID,SwapChainAddress,TimeInMs,MsBetweenPresents,MsUntilDisplayed,Dropped,AnimationTime";

    /// Writes the rows of one program of a recording.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_chain(&self, mut output: impl Write, name: &str, by: AnimatedBy) -> io::Result<()> {
        let mut last = Duration::ZERO;
        for (frame, animated) in self.frames.iter().zip(self.animated(by)) {
            let at = millis(frame.submitted);
            let between = millis(frame.submitted - last.min(frame.submitted));
            let until = frame.presented.map_or(0.0, |presented| millis(presented) - at);
            let (dropped, animated) = (u8::from(frame.presented.is_none()), millis(animated));
            writeln!(
                output,
                "{name},1,0x1,{at:.6},{between:.6},{until:.6},{dropped},{animated:.6}"
            )?;
            last = frame.submitted;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use evenstep_trace::{Analysis, BadRows};

    use super::*;

    const US: Duration = Duration::from_micros(1);

    /// Ten seconds at a display of 60 Hz. Frames start up to 3 ms late, and every hundredth is a refresh later than the others.
    fn session(late: u32) -> Session {
        announcing(16_666_667, late)
    }

    /// The same with feedback that announces a refresh period in nanoseconds.
    fn announcing(announced: u64, late: u32) -> Session {
        let refresh = |n: u32| Duration::from_nanos(16_666_667) * n;
        let mut session = Session::default();
        let mut waiting = std::collections::VecDeque::new();
        for n in 1..=600_u32 {
            let begun = refresh(n + n / 100) + n * n * 7_919 % 3_000 * US;
            while waiting.len() > late as usize {
                let feedback: PresentFeedback = waiting.pop_front().unwrap();
                let arrived = (feedback.presented.unwrap() + US).max(begun - US);
                if arrived <= begun {
                    session.observe(feedback, arrived);
                } else {
                    waiting.push_front(feedback);
                    break;
                }
            }
            let id = session.begin(begun);
            session.submit(begun + 1_000 * US);
            waiting.push_back(
                PresentFeedback::new(id, refresh(n + n / 100 + 1))
                    .with_refresh(Duration::from_nanos(announced))
                    .with_reliable(true),
            );
        }
        session
    }

    #[test]
    fn feedback_makes_animation_even_where_timestamps_are_late() {
        let quality = session(1).quality();
        assert_eq!((quality.frames, quality.discarded), (600, 0));
        assert_eq!(quality.presented + quality.missing, 600);
        assert!((quality.period_ms.unwrap() - 16.667).abs() < 0.001);
        assert_eq!((quality.misreported_ms, quality.is_followed), (None, true));
        let [timestamps, display, feedback] = [0, 1, 2].map(|by: usize| quality.errors[by]);
        assert!(timestamps.rms_ms > 1.0, "{timestamps:?}");
        assert!(
            feedback.rms_ms < timestamps.rms_ms / 1.5 && feedback.rms_ms < 1.01 * display.rms_ms,
            "{quality:?}"
        );
    }

    #[test]
    fn a_refresh_period_that_is_not_that_of_the_frames_is_reported() {
        let quality = announcing(10_000_000, 1).quality();
        assert_eq!((quality.announced_ms, quality.misreported_ms), (Some(10.0), Some(10.0)));
        assert!((quality.period_ms.unwrap() - 16.667).abs() < 0.01, "{quality:?}");
        let mut silent = session(1);
        silent.reports.clear();
        assert!(!silent.quality().is_followed);
    }

    #[test]
    fn the_recording_has_the_same_errors() {
        let session = session(1);
        let mut file = Vec::new();
        session.write_recording(&mut file).unwrap();
        let analysis = Analysis::read(file.as_slice(), "session.csv", BadRows::Fail, |_, _| ()).unwrap();
        assert_eq!(analysis.chains.len(), 3);
        let rms = |name: &str| {
            let chain = analysis
                .chains
                .iter()
                .find(|chain| chain.name().has_name(name))
                .unwrap();
            chain.metrics.animation_error_ms.unwrap().rms
        };
        assert!(
            rms("feedback") < rms("timestamps") / 1.3,
            "{} {}",
            rms("feedback"),
            rms("timestamps")
        );
    }

    #[test]
    fn an_empty_session_has_no_measurements() {
        let quality = Session::default().quality();
        assert_eq!(
            (quality.frames, quality.interval_ms, quality.period_ms),
            (0, None, None)
        );
        let mut session = Session::default();
        session.observe(PresentFeedback::discarded(0), Duration::ZERO);
        session.observe(PresentFeedback::discarded(1), Duration::ZERO);
        assert_eq!(session.quality(), quality);
    }
}
