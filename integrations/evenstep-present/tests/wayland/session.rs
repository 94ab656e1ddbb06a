//! Animation errors as a compositor measured them, with reports of every kind. The time is told, and so are the errors.

use std::time::Duration;

use evenstep_present::wayland::PresentationFeedback;
use evenstep_present::{AnimatedBy, FeedbackQuality, Session};

use crate::client::Client;
use crate::compositor::{Answer, Compositor, MEASURED, VSYNC};
use crate::{PERIOD, shown};

/// The compositor's first refresh.
const START: Duration = Duration::from_secs(1);

/// A clock that nobody knows, whose times are handed on as they are.
const TOLD: u32 = 99;

/// Shows a frame at each refresh of a display at 59.94 Hz, read up to 3 ms late, at a compositor that answers so.
fn show(answer: impl FnMut(u32) -> Answer + Send + 'static) -> (Session, FeedbackQuality) {
    let mut client = Client::connect(Compositor::new(TOLD, answer));
    let mut feedback = PresentationFeedback::new(&client.connection).unwrap();
    let (clock, mut session) = (evenstep::MonotonicClock::new(), Session::default());
    for commit in 0..480_u32 {
        let lateness = Duration::from_micros(u64::from(commit * commit % 97 * 7_919 % 3_000));
        let begun = START + PERIOD * commit + lateness - PERIOD / 2;
        for report in feedback.poll(&clock).unwrap() {
            session.observe(report, begun);
        }
        let id = session.begin(begun);
        session.submit(begun + Duration::from_millis(1));
        feedback.request(&client.surface, id);
        client.commit();
    }
    let quality = session.quality();
    (session, quality)
}

/// Errors by readings, by a display clock and by feedback, in milliseconds.
fn errors(answer: impl FnMut(u32) -> Answer + Send + 'static) -> [f64; 3] {
    let quality = show(answer).1;
    let errors = AnimatedBy::ALL.map(|by| quality.errors.iter().find(|errors| errors.by == by).unwrap().rms_ms);
    println!("{errors:.3?} {quality:?}");
    errors
}

/// Changes the answer to a frame that is shown.
fn but(commit: u32, change: impl FnOnce(&mut Duration, &mut Duration, &mut u32, &mut u32)) -> Answer {
    let mut answer = shown(START, commit);
    if let Answer::Presented {
        at,
        refresh,
        flags,
        late,
    } = &mut answer
    {
        change(at, refresh, flags, late);
    }
    answer
}

#[track_caller]
fn assert_even([readings, display, feedback]: [f64; 3]) {
    assert!(readings > 0.5, "{readings}");
    assert!(
        feedback < readings / 20.0 && feedback <= display,
        "{readings} {display} {feedback}"
    );
}

#[test]
fn reports_of_the_last_frame_make_a_game_even() {
    assert_even(errors(|commit| shown(START, commit)));
}

#[test]
fn so_do_reports_that_are_four_frames_late() {
    assert_even(errors(|commit| but(commit, |_, _, _, late| *late = 4)));
}

#[test]
fn so_do_reports_of_every_third_frame() {
    assert_even(errors(|commit| {
        if commit % 3 == 0 {
            shown(START, commit)
        } else {
            Answer::Never
        }
    }));
}

#[test]
fn so_do_those_of_a_compositor_that_announces_the_wrong_rate() {
    assert_even(errors(|commit| {
        but(commit, |_, refresh, _, _| *refresh = Duration::from_millis(20))
    }));
}

#[test]
fn so_do_those_that_were_predicted() {
    assert_even(errors(|commit| but(commit, |_, _, flags, _| *flags = VSYNC)));
}

#[test]
fn so_do_those_of_a_clock_that_is_an_hour_ahead() {
    assert_even(errors(|commit| {
        but(commit, |at, _, _, _| *at += Duration::from_secs(3_600))
    }));
}

#[test]
fn a_refresh_that_is_missed_is_an_error_that_does_not_last() {
    let errors = errors(|commit| {
        // From the 300th frame on each is a refresh later.
        but(commit, |at, _, flags, _| {
            *flags = VSYNC | MEASURED;
            *at += PERIOD * (commit / 300);
        })
    });
    let [readings, _, feedback] = errors;
    assert!(feedback < 2.0 * readings, "{errors:?}");
}

#[test]
fn without_reports_there_is_nothing_to_measure_and_the_display_clock_goes_on() {
    for answer in [|| Answer::Never, || Answer::Discarded] {
        let (session, quality) = show(move |_| answer());
        assert_eq!((quality.seen, quality.errors.len()), (0, 0));
        assert_eq!(
            session.animated(AnimatedBy::Feedback),
            session.animated(AnimatedBy::DisplayClock)
        );
    }
}

#[test]
fn where_frames_follow_no_grid_feedback_is_no_worse_than_a_display_clock() {
    // Variable refresh: a frame is seen 8 ms after it began.
    let lateness = |commit: u32| Duration::from_micros(u64::from(commit * commit % 89 * 6_007 % 9_000));
    let [_, display, feedback] = errors(move |commit| but(commit, |at, _, _, _| *at += lateness(commit)));
    assert!(feedback < 1.05 * display, "{display} {feedback}");
}
