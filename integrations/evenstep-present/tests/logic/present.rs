//! What feedback on presented frames comes to, on a display whose truth is known.

use std::time::Duration;

use evenstep::{Rate, SimTime};
use evenstep_present::{PresentFeedback, RefreshGrid};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// A program that shows a frame at every refresh, and its presentation feedback.
struct Desktop {
    display: Rate,
    grid: RefreshGrid,
    /// Frames after which feedback arrives.
    late: u64,
    frame: u64,
}

impl Desktop {
    fn at(hertz: u32, late: u64) -> Self {
        Self {
            display: Rate::hz(hertz),
            grid: RefreshGrid::new(),
            late,
            frame: 0,
        }
    }

    fn refresh(&self, number: u64) -> Duration {
        SimTime::at_tick(number, self.display).to_duration()
    }

    /// When a frame begins, which is presented two refreshes later.
    fn begin(&self, frame: u64) -> Duration {
        self.refresh(frame) + US * (100 + frame * 7_919 % 900) as u32
    }

    /// Frames with feedback as `report` makes it from the truth; none where it is missing.
    fn run(&mut self, frames: u64, report: impl Fn(PresentFeedback) -> Option<PresentFeedback>) {
        for _ in 0..frames {
            self.frame += 1;
            let now = self.begin(self.frame);
            if self.frame > self.late {
                let id = self.frame - self.late;
                let feedback = PresentFeedback::new(id, self.refresh(id + 2))
                    .with_refresh(self.refresh(1))
                    .with_reliable(true);
                if let Some(feedback) = report(feedback) {
                    self.grid.observe(feedback, now);
                }
            }
            self.grid.submit(self.frame, now);
        }
    }

    /// By how much the next frame is predicted wrong, and the uncertainty.
    fn miss(&self) -> Option<(Duration, Duration)> {
        let next = self.frame + 1;
        let predicted = self.grid.predict(self.grid.frames_in_flight(), self.begin(next))?;
        Some((predicted.at.abs_diff(self.refresh(next + 2)), predicted.uncertainty))
    }

    #[track_caller]
    fn assert_predicts(&self, within: Duration) {
        let (miss, uncertainty) = self.miss().expect("it predicts");
        assert!(miss <= within, "off by {miss:?}, uncertain by {uncertainty:?}");
        assert!(
            miss <= uncertainty + US,
            "off by {miss:?}, uncertain by {uncertainty:?}"
        );
    }
}

#[test]
fn feedback_of_several_frames_ago_predicts_the_frame_that_begins() {
    for late in 3..10 {
        let mut desktop = Desktop::at(144, late);
        desktop.run(100, Some);
        assert_eq!(u64::from(desktop.grid.frames_in_flight()), late);
        if late < 6 {
            desktop.assert_predicts(US);
        }
    }
}

#[test]
fn a_frame_without_feedback_is_settled_by_a_later_one() {
    let mut desktop = Desktop::at(60, 3);
    desktop.run(200, |feedback| {
        (feedback.id % 5 != 0 && feedback.id % 7 > 1).then_some(feedback)
    });
    desktop.run(1, Some);
    desktop.assert_predicts(US);
    desktop.run(4, |_| None);
    desktop.assert_predicts(US);
    desktop.run(16, |_| None);
    assert_eq!(desktop.miss(), None, "feedback has stopped");
    desktop.run(1, Some);
    desktop.assert_predicts(US);
}

#[test]
fn frames_that_are_all_discarded_predict_nothing() {
    let mut desktop = Desktop::at(60, 1);
    desktop.run(100, |feedback| Some(PresentFeedback::discarded(feedback.id)));
    assert_eq!(desktop.miss(), None);
}

#[test]
fn a_program_three_times_as_fast_as_the_display_has_every_third_frame_presented() {
    let (mut grid, refresh) = (RefreshGrid::new(), Duration::from_nanos(16_666_667));
    let begin = |id: u64| refresh / 3 * id as u32;
    for id in 1..=300_u64 {
        grid.submit(id, begin(id));
        if let Some(seen) = id.checked_sub(6).filter(|seen| *seen > 0) {
            let presented = (seen % 3 == 0).then(|| refresh * (seen as u32 / 3 + 1));
            grid.observe(
                PresentFeedback::new(seen, presented)
                    .with_refresh(refresh)
                    .with_reliable(true),
                begin(id),
            );
        }
    }
    // The newest presented one is 294, at refresh 99; frame 303 is presented at 102.
    let next = grid.predict(8, begin(301)).unwrap();
    assert!(next.at.abs_diff(refresh * 102) < 5 * US, "{next:?}");
}

#[test]
fn times_of_another_clock_are_ignored() {
    for ahead in [-1, 1] {
        let mut desktop = Desktop::at(100, 3);
        desktop.frame = 10_000;
        let off = |at: Duration| if ahead < 0 { at - 50_000 * MS } else { at + 50_000 * MS };
        desktop.run(100, |mut feedback| {
            feedback.presented = feedback.presented.map(off);
            Some(feedback)
        });
        assert_eq!(desktop.miss(), None);
    }
}

#[test]
fn a_rate_announced_wrongly_counts_for_eight_frames_only() {
    for announced in [50, 75, 144] {
        let announced = Duration::from_nanos(Rate::hz(announced).period_nanos());
        let mut desktop = Desktop::at(60, 3);
        let wrong = |feedback: PresentFeedback| Some(feedback.with_refresh(announced));
        desktop.run(5, wrong);
        assert_eq!(desktop.grid.period(), Some(announced));
        let (_, uncertainty) = desktop.miss().unwrap();
        assert!(uncertainty >= announced / 4 - US);
        desktop.run(30, wrong);
        desktop.assert_predicts(US);
        assert_ne!(desktop.grid.period(), Some(announced));
    }
}

#[test]
fn a_rate_that_is_not_announced_is_measured_in_eight_frames() {
    let mut desktop = Desktop::at(165, 2);
    let silent = |feedback: PresentFeedback| Some(feedback.with_refresh(Duration::ZERO));
    desktop.run(9, silent);
    assert_eq!(desktop.miss(), None);
    desktop.run(1, silent);
    desktop.assert_predicts(US);
}

#[test]
fn predictions_without_measurements_are_uncertain_by_an_eighth_of_a_period() {
    let mut desktop = Desktop::at(60, 2);
    let predicted = |feedback: PresentFeedback| {
        let late = feedback.presented.map(|at| at + 1_700 * US);
        Some(PresentFeedback::new(feedback.id, late).with_refresh(feedback.refresh))
    };
    desktop.run(50, predicted);
    assert!(!desktop.grid.is_measured());
    desktop.assert_predicts(1_701 * US);
    // Measured times replace predicted ones as soon as there are any.
    desktop.run(20, Some);
    desktop.assert_predicts(US);
    desktop.run(3, predicted);
    desktop.assert_predicts(US);
    assert!(desktop.grid.is_measured());
}

#[test]
fn feedback_out_of_order_or_of_frames_never_submitted_changes_nothing() {
    let mut desktop = Desktop::at(60, 3);
    desktop.run(50, Some);
    let before = desktop.grid.clone();
    for id in [1, 20, 47, 51, u64::MAX] {
        let feedback = PresentFeedback::new(id, 123 * MS);
        desktop.grid.observe(feedback, 900 * MS);
        desktop.grid.observe(PresentFeedback::discarded(id), 900 * MS);
    }
    desktop.grid.submit(50, MS);
    assert_eq!(desktop.grid, before);
}

#[test]
fn another_display_is_followed_after_a_dozen_frames() {
    let mut desktop = Desktop::at(60, 2);
    desktop.run(100, Some);
    let (start, id) = (desktop.begin(101), desktop.frame);
    let other = Rate::hz(144);
    let refresh = |n: u64| start + 3 * MS + SimTime::at_tick(n, other).to_duration();
    for n in 1..=20 {
        desktop.grid.submit(id + n, refresh(n));
        let feedback = PresentFeedback::new(id + n - 2, refresh(n.saturating_sub(1))).with_reliable(true);
        if n > 2 {
            desktop.grid.observe(feedback, refresh(n));
        }
    }
    let next = desktop.grid.predict(2, refresh(21)).unwrap();
    assert!(
        next.at.abs_diff(refresh(22)) < 2 * US,
        "{next:?} and not {:?}",
        refresh(22)
    );
    assert!((next.period.as_secs_f64() * 144.0 - 1.0).abs() < 1e-4);
}

#[test]
fn frames_on_no_grid_are_not_predicted() {
    let (mut grid, mut now) = (RefreshGrid::new(), Duration::ZERO);
    for id in 1..200_u64 {
        now += 7 * MS + US * (id * id * 7_919 % 6_000) as u32;
        grid.submit(id, now);
        let presented = Some(now + MS);
        let refresh = Duration::from_nanos(6_944_444);
        grid.observe(
            PresentFeedback::new(id, presented)
                .with_refresh(refresh)
                .with_reliable(true),
            now + 2 * MS,
        );
    }
    assert_eq!(grid.predict(0, now), None);
}

#[test]
fn after_a_pause_the_predicted_latency_is_at_least_that_of_other_frames() {
    let mut desktop = Desktop::at(60, 3);
    desktop.run(100, Some);
    let begin = desktop.refresh(130) + MS;
    let next = desktop.grid.predict(3, begin).unwrap();
    assert!(next.at.abs_diff(desktop.refresh(132)) < 2 * US, "{next:?}");
}

#[test]
fn the_next_refresh_is_the_first_that_no_frame_in_flight_takes() {
    let mut desktop = Desktop::at(60, 3);
    desktop.run(100, |feedback| (feedback.id % 3 > 0).then_some(feedback));
    let next = |desktop: &Desktop, now| desktop.grid.next_refresh(now).map(|next| next.at);
    for (now, refresh) in [(101, 103), (102, 103), (103, 104), (110, 111)] {
        let next = next(&desktop, desktop.refresh(now) + MS).unwrap();
        assert!(
            next.abs_diff(desktop.refresh(refresh)) < US,
            "{next:?} after refresh {now}"
        );
    }
    // Frames that are discarded take none.
    desktop.run(2, |feedback| Some(PresentFeedback::discarded(feedback.id)));
    let after = next(&desktop, desktop.refresh(103) + MS).unwrap();
    assert!(after.abs_diff(desktop.refresh(104)) < US, "{after:?}");
    desktop.run(16, |_| None);
    assert_eq!(next(&desktop, desktop.refresh(120)), None);
}
