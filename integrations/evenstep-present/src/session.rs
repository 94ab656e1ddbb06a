use std::io::{self, Write};
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock, PresentClock};
use evenstep::present::{PresentFeedback, RefreshGrid};
use serde::Serialize;

use crate::milliseconds::{millis, percentile_99, sorted};

/// The frames of a program and what was reported of them, on the program's clock.
///
/// It says how good the reports are, and how even a game would look that animates by them, [as the system measured
/// it](Self::quality).
#[derive(Clone, Debug, Default)]
pub struct Session {
    frames: Vec<Frame>,
    /// In the order in which they arrived.
    reports: Vec<(Duration, PresentFeedback)>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    begun: Duration,
    submitted: Duration,
    /// When it was seen, as it was reported first.
    seen: Option<Duration>,
    is_settled: bool,
}

/// How the time passes by which a game animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnimatedBy {
    /// As it is read.
    Readings,
    /// By a [`DisplayClock`], from readings alone.
    DisplayClock,
    /// By a [`PresentClock`], from reports.
    Feedback,
}

impl AnimatedBy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Readings, Self::DisplayClock, Self::Feedback];

    /// Its name in recordings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Readings => "readings",
            Self::DisplayClock => "display clock",
            Self::Feedback => "feedback",
        }
    }
}

/// How good reports are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeedbackQuality {
    /// Frames that were handed over.
    pub frames: usize,
    /// Frames that were seen.
    pub seen: usize,
    /// Frames that never were, as it was reported.
    pub discarded: usize,
    /// Frames of which nothing was reported.
    pub missing: usize,
    /// Reports of frames that were seen whose times were measured.
    pub measured: usize,
    /// Reports that arrived before the next frame began.
    pub in_time: usize,
    /// The announced time between refreshes in milliseconds; none if nothing is announced.
    pub announced_ms: Option<f64>,
    /// The median of the times between two frames that were seen, in milliseconds; none for fewer than two.
    pub interval_ms: Option<f64>,
    /// The time between refreshes that frames fit, in milliseconds; none if they fit none.
    pub period_ms: Option<f64>,
    /// Animation errors after two seconds, one for each of [`AnimatedBy::ALL`]; empty if there are none to measure.
    pub errors: Vec<AnimationErrors>,
}

/// By how much more the animation moved on between two frames than the time between which they were seen, of either sign.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnimationErrors {
    /// How the game animates.
    pub by: AnimatedBy,
    /// Root mean square in milliseconds.
    pub rms_ms: f64,
    /// What 99 % do not exceed, in milliseconds.
    pub p99_ms: f64,
    /// The largest in milliseconds.
    pub max_ms: f64,
}

impl Session {
    /// Time that clocks get to settle before anything is measured.
    pub const SETTLING: Duration = Duration::from_secs(2);

    /// A frame begins. Answers with its number, counted from one.
    pub fn begin(&mut self, at: Duration) -> u64 {
        let last = self.frames.last().map_or(Duration::ZERO, |last| last.begun);
        self.frames.push(Frame {
            begun: at.max(last),
            submitted: at.max(last),
            seen: None,
            is_settled: false,
        });
        self.frames.len() as u64
    }

    /// The frame that has begun last is handed over.
    pub fn submit(&mut self, at: Duration) {
        if let Some(frame) = self.frames.last_mut() {
            frame.submitted = at.max(frame.begun);
        }
    }

    /// Takes a report. One of a frame that never began is ignored.
    pub fn observe(&mut self, feedback: PresentFeedback, arrived: Duration) {
        let frame = usize::try_from(feedback.id)
            .ok()
            .and_then(|id| self.frames.get_mut(id.checked_sub(1)?));
        let Some(frame) = frame.filter(|frame| !frame.is_settled) else {
            return;
        };
        frame.is_settled = true;
        frame.seen = feedback.presented;
        self.reports.push((arrived, feedback));
    }

    /// What the reports are worth.
    #[must_use]
    pub fn quality(&self) -> FeedbackQuality {
        let grid = self.replay(AnimatedBy::Feedback).1;
        let seen = |report: &&(Duration, PresentFeedback)| report.1.presented.is_some();
        let announced = self.reports.iter().rev().find(seen).map(|(_, report)| report.refresh);
        let timing = self.timing(Duration::ZERO);
        let period = grid.and_then(|grid| grid.period()).map(millis);
        FeedbackQuality {
            frames: self.frames.len(),
            seen: self.frames.iter().filter(|frame| frame.seen.is_some()).count(),
            discarded: self
                .frames
                .iter()
                .filter(|frame| frame.is_settled && frame.seen.is_none())
                .count(),
            missing: self.frames.iter().filter(|frame| !frame.is_settled).count(),
            measured: self
                .reports
                .iter()
                .filter(|report| seen(report) && report.1.reliable)
                .count(),
            in_time: self.reports.iter().filter(|report| self.is_in_time(report)).count(),
            announced_ms: announced.filter(|refresh| !refresh.is_zero()).map(millis),
            interval_ms: timing.as_ref().map(|timing| timing.interval_ms),
            period_ms: period.filter(|period| self.fits(*period)),
            errors: AnimatedBy::ALL.into_iter().filter_map(|by| self.errors(by)).collect(),
        }
    }

    /// Whether every frame was seen after it was handed over and before that was reported. Otherwise the reports are of another clock
    /// than the program's, or are predictions.
    #[must_use]
    pub fn is_on_one_clock(&self) -> bool {
        self.reports.iter().all(|(arrived, report)| {
            let frame = usize::try_from(report.id)
                .ok()
                .and_then(|id| self.frames.get(id.checked_sub(1)?));
            let is_after = |seen: Duration| frame.is_some_and(|frame| seen >= frame.submitted);
            report.presented.is_none_or(|seen| is_after(seen) && seen <= *arrived)
        })
    }

    fn is_in_time(&self, (arrived, report): &(Duration, PresentFeedback)) -> bool {
        let next = usize::try_from(report.id).ok().and_then(|next| self.frames.get(next));
        next.is_some_and(|next| *arrived <= next.begun)
    }

    /// When the first frame began.
    pub(crate) fn start(&self) -> Duration {
        self.frames.first().map_or(Duration::ZERO, |frame| frame.begun)
    }

    /// When a frame began, by its number from zero.
    pub(crate) fn begun(&self, frame: usize) -> Duration {
        self.frames.get(frame).map_or(Duration::MAX, |frame| frame.begun)
    }

    /// How many frames began so long after the first, or later.
    pub(crate) fn begun_after(&self, settling: Duration) -> usize {
        let start = self.start() + settling;
        self.frames.iter().filter(|frame| frame.begun >= start).count()
    }

    /// Frames that were seen, by number from zero, in order and with their times, which increase.
    pub(crate) fn seen_times(&self) -> Vec<(usize, Duration)> {
        let mut times: Vec<(usize, Duration)> = Vec::new();
        for (number, frame) in self.frames.iter().enumerate() {
            let last = times.last().map(|last| last.1);
            if let Some(seen) = frame.seen.filter(|seen| last.is_none_or(|last| *seen > last)) {
                times.push((number, seen));
            }
        }
        times
    }

    /// None without two frames that were seen one after the other.
    fn errors(&self, by: AnimatedBy) -> Option<AnimationErrors> {
        let animated = self.replay(by).0;
        let start = self.start() + Self::SETTLING;
        let times = self.seen_times();
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

    /// The time that a game shows in each frame, if it moves on by this.
    #[must_use]
    pub fn animated(&self, by: AnimatedBy) -> Vec<Duration> {
        self.replay(by).0
    }

    /// By when each frame is animated, and what feedback came to. Each frame knows what had arrived when it began.
    fn replay(&self, by: AnimatedBy) -> (Vec<Duration>, Option<RefreshGrid>) {
        match by {
            AnimatedBy::Readings => (self.animate(&mut (), |(), _, _| ()), None),
            AnimatedBy::DisplayClock => (self.animate(&mut DisplayClock::new(), |_, _, _| ()), None),
            AnimatedBy::Feedback => {
                let mut clock = PresentClock::new();
                let animated = self.animate(&mut clock, PresentClock::observe);
                (animated, Some(clock.grid().clone()))
            }
        }
    }

    fn animate<F: DeltaFilter>(
        &self,
        filter: &mut F,
        mut observe: impl FnMut(&mut F, PresentFeedback, Duration),
    ) -> Vec<Duration> {
        let (mut last, mut animated, mut told) = (Duration::ZERO, Duration::ZERO, 0);
        let frame = |frame: &Frame| {
            while let Some((arrived, report)) = self.reports.get(told).filter(|(arrived, _)| *arrived <= frame.begun) {
                observe(filter, *report, *arrived);
                told += 1;
            }
            animated += filter.apply(frame.begun - last);
            last = frame.begun;
            animated
        };
        self.frames.iter().map(frame).collect()
    }

    /// Writes it as a table that `evenstep analyze` reads, once for each of [`AnimatedBy::ALL`], under its name.
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

    /// Writes the rows of a recording that has this as one of its programs.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_chain(&self, mut output: impl Write, name: &str, by: AnimatedBy) -> io::Result<()> {
        let mut last = Duration::ZERO;
        for (frame, animated) in self.frames.iter().zip(self.replay(by).0) {
            let at = millis(frame.submitted);
            let between = millis(frame.submitted - last.min(frame.submitted));
            let until = frame.seen.map_or(0.0, |seen| millis(seen) - at);
            let (dropped, animated) = (u8::from(frame.seen.is_none()), millis(animated));
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

    /// Ten seconds at a display of 60 Hz. Frames begin up to 3 ms late, and every hundredth is a refresh later than the others.
    fn session(late: u32) -> Session {
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
            waiting.push_back(PresentFeedback {
                id,
                presented: Some(refresh(n + n / 100 + 1)),
                refresh: refresh(1),
                reliable: true,
            });
        }
        session
    }

    #[test]
    fn reports_make_a_game_even_where_readings_are_late() {
        let quality = session(1).quality();
        assert_eq!((quality.frames, quality.discarded), (600, 0));
        assert_eq!(quality.seen + quality.missing, 600);
        assert!((quality.period_ms.unwrap() - 16.667).abs() < 0.001);
        let [readings, display, feedback] = [0, 1, 2].map(|by: usize| quality.errors[by]);
        assert!(readings.rms_ms > 1.0, "{readings:?}");
        assert!(
            feedback.rms_ms < readings.rms_ms / 1.5 && feedback.rms_ms < 1.01 * display.rms_ms,
            "{quality:?}"
        );
    }

    #[test]
    fn the_recording_tells_the_same_errors() {
        let session = session(1);
        let mut file = Vec::new();
        session.write_recording(&mut file).unwrap();
        let analysis = Analysis::read(file.as_slice(), "session.csv", BadRows::Fail, |_, _| ()).unwrap();
        assert_eq!(analysis.chains.len(), 3);
        let rms = |name: &str| {
            let chain = analysis
                .chains
                .iter()
                .find(|chain| chain.name().is_called(name))
                .unwrap();
            chain.metrics.animation_error_ms.unwrap().rms
        };
        assert!(
            rms("feedback") < rms("readings") / 1.3,
            "{} {}",
            rms("feedback"),
            rms("readings")
        );
    }

    #[test]
    fn no_frames_are_no_session() {
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
