//! Animation errors as measured by a compositor, with all kinds of reports, in simulated time.

use std::time::Duration;

use evenstep::{FrameClock, MonotonicClock};
use evenstep_present::wayland::PresentationFeedback;
use evenstep_present::{FrameClockExt as _, PresentClock};
use tempfile::TempDir;

use crate::adapter::shown;
use crate::client::Client;
use crate::compositor::{Compositor, Fate, Presentation, REFRESH, VSYNC};

/// The first refresh of the compositor.
const START: Duration = Duration::from_secs(1);

/// An unknown clock, whose timestamps are not converted.
const TOLD: u32 = 99;

/// The animated times of a frame, by timestamps, by a display clock and by feedback, and when it was presented.
type Frame = ([Duration; 3], Option<Duration>);

/// Presents a frame at each refresh of a display at 59.94 Hz, with timestamps up to 3 ms late, at a compositor with this script.
fn show<F: Into<Fate>>(rule: impl Fn(u64) -> F + Send + 'static) -> Vec<Frame> {
    let folder = TempDir::new().unwrap();
    let rule = move |commit| rule(commit).into();
    let running = Compositor::start(folder.path(), TOLD, Some(Box::new(rule)));
    let mut client = Client::connect(&running.path);
    let surface = client.create_surface();
    let mut feedback = PresentationFeedback::new(&client.connection).unwrap();
    let clock = MonotonicClock::new();
    let mut timestamps = FrameClock::unfiltered();
    let mut display = FrameClock::new();
    let mut present = FrameClock::with_filter(PresentClock::new());
    let mut frames: Vec<Frame> = Vec::new();
    for commit in 0..480_u32 {
        let lateness = Duration::from_micros(u64::from(commit * commit % 97 * 7_919 % 3_000));
        let begun = START + REFRESH * commit + lateness - REFRESH / 2;
        for report in feedback.poll(&clock).unwrap() {
            frames[report.id as usize].1 = report.presented;
            present.observe(report, begun);
        }
        let now = [
            timestamps.begin_frame(begun).now(),
            display.begin_frame(begun).now(),
            present.begin_frame(begun).now(),
        ];
        frames.push((now, None));
        feedback.request(&surface, present.filter().frame());
        client.show(&surface);
    }
    frames
}

/// Errors by timestamps, by a display clock and by feedback: the root mean square of the difference between the animated and the presented
/// time from frame to frame, in milliseconds, after three seconds.
fn errors<F: Into<Fate>>(rule: impl Fn(u64) -> F + Send + 'static) -> [f64; 3] {
    let frames = show(rule);
    let mut presented: Vec<([Duration; 3], Duration)> = Vec::new();
    for (animated, at) in &frames[180..] {
        if let Some(at) = at.filter(|at| presented.last().is_none_or(|last| *at > last.1)) {
            presented.push((*animated, at));
        }
    }
    let errors = [0, 1, 2].map(|by: usize| {
        let error = |pair: &[([Duration; 3], Duration)]| {
            let moved = pair[1].0[by].as_secs_f64() - pair[0].0[by].as_secs_f64();
            moved - (pair[1].1 - pair[0].1).as_secs_f64()
        };
        let squares: f64 = presented.windows(2).map(|pair| error(pair).powi(2)).sum();
        1e3 * (squares / (presented.len() - 1) as f64).sqrt()
    });
    println!("{errors:.3?}");
    errors
}

#[track_caller]
fn assert_even([timestamps, display, feedback]: [f64; 3]) {
    assert!(timestamps > 0.5, "{timestamps}");
    assert!(
        feedback < timestamps / 20.0 && feedback <= display,
        "{timestamps} {display} {feedback}"
    );
}

#[test]
fn feedback_of_the_last_frame_makes_animation_even() {
    assert_even(errors(|commit| shown(START, commit)));
}

#[test]
fn feedback_that_is_four_frames_late_makes_animation_even() {
    assert_even(errors(|commit| Presentation {
        late: 4,
        ..shown(START, commit)
    }));
}

#[test]
fn feedback_of_every_third_frame_makes_animation_even() {
    assert_even(errors(|commit| match commit % 3 {
        0 => shown(START, commit).into(),
        _ => Fate::Never,
    }));
}

#[test]
fn feedback_with_a_wrong_announced_rate_makes_animation_even() {
    assert_even(errors(|commit| Presentation {
        refresh: Duration::from_millis(20),
        ..shown(START, commit)
    }));
}

#[test]
fn predicted_feedback_makes_animation_even() {
    assert_even(errors(|commit| Presentation {
        flags: VSYNC,
        ..shown(START, commit)
    }));
}

#[test]
fn a_missed_refresh_is_an_error_that_does_not_persist() {
    // From the 300th frame on each frame is one refresh later.
    let errors = errors(|commit| shown(START, commit + commit / 300));
    let [timestamps, _, feedback] = errors;
    assert!(feedback < 2.0 * timestamps, "{errors:?}");
}

#[test]
fn with_variable_refresh_feedback_is_no_worse_than_a_display_clock() {
    // Variable refresh rate: a frame is presented 8 ms after it started.
    let lateness = |commit: u64| Duration::from_micros(commit * commit % 89 * 6_007 % 9_000);
    let [_, display, feedback] = errors(move |commit| {
        let even = shown(START, commit);
        let at = even.at + lateness(commit);
        Presentation { at, ..even }
    });
    assert!(feedback < 1.05 * display, "{display} {feedback}");
}
