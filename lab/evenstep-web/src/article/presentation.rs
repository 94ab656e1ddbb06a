//! The figure of presentation: when frames are presented, and what the game expects.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Rate;
use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep_present::{FramePlan, Pacer, PresentClock, PresentFeedback, RefreshGrid};
use evenstep_scenes::Refreshes;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// The display's refreshes.
const REFRESHES: Refreshes = Refreshes(Rate::hz(60));

/// The extra cost of a slow frame in nanoseconds: a refresh.
const SLOW: u64 = REFRESHES.0.period_nanos();

/// The delay of a frame's report after its presentation, in nanoseconds.
const REPORTED_AFTER: u64 = 500_000;

/// The number of frames before the first that the figure shows, in which the clocks settle.
const BEFORE: u32 = 600;

/// The number of frames over which numbers are measured.
const WINDOW: usize = 240;

/// The clock by which the game advances from one frame to the next.
enum Clock {
    Timestamps,
    Display(Box<DisplayClock>),
    Reports(Box<PresentClock>),
}

/// A frame, in nanoseconds since the display was switched on.
#[derive(Clone, Copy, Default)]
struct Presented {
    begun: u64,
    ready: u64,
    refresh: u64,
    presented: u64,
    /// When it would have been presented if the display had advanced like the game since the previous frame.
    expected: i64,
    missed: u64,
}

/// A program on a display of 60 Hz: when its frames begin, when its game expects them to be presented, and when they are. The
/// program and the display are models, and time passes slowly.
#[wasm_bindgen]
pub struct PresentationFigure {
    clock: Clock,
    /// Decides when frames begin, with the plan of the next frame; `None` if each frame begins after the last.
    pacer: Option<(Box<Pacer>, Option<FramePlan>)>,
    grid: RefreshGrid,
    /// The largest cost of a frame, and the largest lateness of a timestamp, in nanoseconds.
    cost: u64,
    late: u64,
    /// The shares of frames that take a refresh longer, and of refreshes that the display misses.
    slow: f64,
    misses: f64,
    now: u64,
    frames: u64,
    /// When the next frame begins.
    next: u64,
    read: u64,
    /// The last frames, the newest last.
    last: VecDeque<Presented>,
    /// Reports that have not arrived.
    waiting: VecDeque<(u64, u64)>,
    random: fastrand::Rng,
}

#[wasm_bindgen]
impl PresentationFigure {
    /// A game that advances by `clock`: `timestamps` without a filter, the `display` clock, or `reports` of when frames were presented.
    /// `paced` frames begin just in time. Frames cost up to `cost` milliseconds, and timestamps are up to `late` milliseconds late.
    /// `slow` is the percentage of slow frames, and `missed` the percentage of refreshes that the display misses.
    #[wasm_bindgen(constructor)]
    pub fn new(clock: &str, paced: bool, cost: f64, late: f64, slow: f64, missed: f64) -> Self {
        let nanos = |milliseconds| duration(milliseconds).as_nanos() as u64;
        let mut figure = Self {
            clock: match clock {
                "display" => Clock::Display(Box::default()),
                "reports" => Clock::Reports(Box::default()),
                _ => Clock::Timestamps,
            },
            pacer: paced.then(Default::default),
            grid: RefreshGrid::new(),
            cost: nanos(cost),
            late: nanos(late),
            slow: slow / 100.0,
            misses: missed / 100.0,
            now: 0,
            frames: 0,
            next: 0,
            read: 0,
            last: VecDeque::new(),
            waiting: VecDeque::new(),
            random: fastrand::Rng::with_seed(1),
        };
        for _ in 0..BEFORE {
            figure.run_frame();
        }
        figure.now = figure.next;
        figure
    }

    /// Lets time of the display pass, in milliseconds. Returns for each frame, in milliseconds: when it began, when it was ready,
    /// when it is presented, and when the game expects that; and the number of refreshes that it missed.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        self.now += duration(milliseconds).as_nanos() as u64;
        let mut rows = Vec::new();
        while self.next < self.now {
            let frame = self.run_frame();
            let times = [frame.begun, frame.ready, frame.presented].map(|time| time as f64 / 1e6);
            rows.extend(times);
            rows.extend([frame.expected as f64 / 1e6, frame.missed as f64]);
        }
        rows
    }

    /// The time of the display in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        self.now as f64 / 1e6
    }

    /// The mean latency of the last frames, from the beginning of a frame to its presentation, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn latency(&self) -> f64 {
        let sum: u64 = self.last.iter().map(|frame| frame.presented - frame.begun).sum();
        sum as f64 / 1e6 / self.last.len().max(1) as f64
    }

    /// The animation error of the last frames in milliseconds: the root mean square.
    #[wasm_bindgen(getter)]
    pub fn animation_error(&self) -> f64 {
        let error = |frame: &Presented| (frame.expected - frame.presented.cast_signed()) as f64 / 1e6;
        let squares: f64 = self.last.iter().map(|frame| error(frame) * error(frame)).sum();
        (squares / self.last.len().max(1) as f64).sqrt()
    }

    /// Refreshes without a new frame among the last ones, in percent.
    #[wasm_bindgen(getter)]
    pub fn missed(&self) -> f64 {
        let missed: u64 = self.last.iter().map(|frame| frame.missed).sum();
        100.0 * missed as f64 / (self.last.len() as u64 + missed).max(1) as f64
    }
}

impl PresentationFigure {
    fn run_frame(&mut self) -> Presented {
        let begun = self.next;
        self.frames += 1;
        self.take_reports(begun);
        let moved = self.move_on(begun);
        let ready = begun + self.work();
        self.grid.submit(self.frames, Duration::from_nanos(ready));
        if let Some((pacer, Some(plan))) = &mut self.pacer {
            pacer.finish(*plan, Duration::from_nanos(ready));
        }
        let last = self.last.back().copied().unwrap_or_default();
        let free = last.refresh + 1;
        let refresh =
            REFRESHES.next_from(Duration::from_nanos(ready)).max(free) + u64::from(self.random.f64() < self.misses);
        let frame = Presented {
            begun,
            ready,
            refresh,
            presented: REFRESHES.at(refresh).as_nanos() as u64,
            expected: (last.presented + moved).cast_signed(),
            missed: refresh - free,
        };
        self.waiting.push_back((self.frames, frame.presented));
        self.last.push_back(frame);
        if self.last.len() > WINDOW {
            self.last.pop_front();
        }
        // Submitting a frame waits until the previous frame is presented.
        self.plan(ready.max(last.presented));
        frame
    }

    /// Passes on the reports that have arrived.
    fn take_reports(&mut self, now: u64) {
        while let Some((id, presented)) = self
            .waiting
            .front()
            .copied()
            .filter(|(_, presented)| presented + REPORTED_AFTER <= now)
        {
            self.waiting.pop_front();
            let feedback = PresentFeedback::new(id, Duration::from_nanos(presented)).with_reliable(true);
            let arrived = Duration::from_nanos(presented + REPORTED_AFTER);
            self.grid.observe(feedback, arrived);
            if let Clock::Reports(clock) = &mut self.clock {
                clock.observe(feedback, arrived);
            }
        }
    }

    /// The advance of the game in a frame.
    fn move_on(&mut self, begun: u64) -> u64 {
        let read = self.read.max(begun + self.up_to(self.late));
        let delta = Duration::from_nanos(read - self.read);
        self.read = read;
        let moved = match &mut self.clock {
            Clock::Timestamps => delta,
            Clock::Display(clock) => clock.apply(delta),
            Clock::Reports(clock) => clock.apply(delta),
        };
        moved.as_nanos() as u64
    }

    /// The cost of a frame.
    fn work(&mut self) -> u64 {
        let is_slow = self.random.f64() < self.slow;
        let most = self.cost;
        most - self.up_to(most / 3) + if is_slow { SLOW } else { 0 }
    }

    /// Decides when the next frame begins, which could do so now.
    fn plan(&mut self, now: u64) {
        self.take_reports(now);
        self.next = now;
        if let Some((pacer, plan)) = &mut self.pacer {
            let now = Duration::from_nanos(now);
            let next = pacer.next_frame(now, self.grid.next_refresh(now));
            self.next = next.begin.as_nanos() as u64;
            *plan = Some(next);
        }
    }

    fn up_to(&mut self, most: u64) -> u64 {
        (self.random.f64() * most as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(clock: &str, paced: bool) -> PresentationFigure {
        PresentationFigure::new(clock, paced, 6.0, 3.0, 0.0, 0.0)
    }

    #[test]
    fn reports_take_away_the_lateness_of_the_clock() {
        let [timestamps, display, reports] =
            ["timestamps", "display", "reports"].map(|clock| figure(clock, false).animation_error());
        assert!(timestamps > 1.0, "{timestamps}");
        assert!(
            display < timestamps / 10.0 && reports < timestamps / 100.0,
            "{display} {reports}"
        );
    }

    #[test]
    fn a_paced_frame_has_a_lower_latency_and_misses_no_refresh() {
        let (after, paced) = (figure("reports", false), figure("reports", true));
        assert!(after.latency() > 30.0, "{}", after.latency());
        assert!(paced.latency() < 8.0, "{}", paced.latency());
        assert_eq!((after.missed(), paced.missed()), (0.0, 0.0));
    }

    #[test]
    fn frames_are_displayed_after_they_are_ready_each_at_its_own_refresh() {
        let mut figure = PresentationFigure::new("reports", true, 6.0, 3.0, 5.0, 5.0);
        assert!(figure.missed() > 1.0);
        let (rows, start) = (figure.advance(1_000.0), figure.now() - 1_000.0);
        let frames: Vec<&[f64]> = rows.chunks(5).collect();
        assert!((40..=61).contains(&frames.len()), "{}", frames.len());
        for pair in frames.windows(2) {
            let apart = (pair[1][2] - pair[0][2]) * 60.0 / 1000.0;
            assert!((apart - 1.0 - pair[1][4]).abs() < 1e-6, "{pair:?}");
        }
        for frame in frames {
            assert!(
                start <= frame[0] && frame[0] < frame[1] && frame[1] <= frame[2],
                "{frame:?}"
            );
        }
    }

    #[test]
    fn a_tab_that_was_hidden_gets_all_of_its_frames_and_zero_time_brings_no_frame() {
        let mut figure = figure("display", false);
        assert!(figure.advance(f64::NAN).is_empty() && figure.advance(-1.0).is_empty());
        assert!((59..=61).contains(&(figure.advance(1_000.0).len() / 5)));
    }
}
