//! The Wayland adapter with a compositor whose presentation times are known to the nanosecond.
#![cfg(target_os = "linux")]

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::wayland::{PresentationClock, PresentationFeedback, WaylandError};
use rustix::time::{ClockId, clock_gettime};

mod animation;
mod client;
mod compositor;

use client::Client;
use compositor::{Answer, Compositor, MEASURED, VSYNC};

/// 59.94 Hz.
const PERIOD: Duration = Duration::from_nanos(16_683_350);

fn now(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Presents each frame a period after the one before, starting at `start`.
fn shown(start: Duration, commit: u32) -> Answer {
    Answer::Presented {
        at: start + PERIOD * commit,
        refresh: PERIOD,
        flags: VSYNC | MEASURED,
        late: 0,
    }
}

/// Commits frames and collects their reports.
fn run(compositor: Compositor, frames: u64) -> (Vec<PresentFeedback>, PresentationFeedback, MonotonicClock) {
    let mut client = Client::connect(compositor);
    let clock = MonotonicClock::new();
    let mut feedback = PresentationFeedback::new(&client.connection).unwrap();
    let mut reports = Vec::new();
    for id in 1..=frames {
        feedback.request(&client.surface, id);
        client.commit();
        reports.extend(feedback.poll(&clock).unwrap());
    }
    (reports, feedback, clock)
}

#[test]
fn times_are_exact_to_the_nanosecond_and_converted_to_the_programs_clock() {
    for (id, clock_id, name) in [
        (1, ClockId::Monotonic, PresentationClock::Monotonic),
        (0, ClockId::Realtime, PresentationClock::Realtime),
        (7, ClockId::Boottime, PresentationClock::Boottime),
        (4, ClockId::MonotonicRaw, PresentationClock::MonotonicRaw),
    ] {
        let start = now(clock_id);
        let (reports, feedback, clock) = run(Compositor::new(id, move |commit| shown(start, commit)), 50);
        assert_eq!(feedback.clock(), Some(name));
        assert_eq!(reports.len(), 50);
        let (before, theirs, after) = (clock.now(), now(clock_id), clock.now());
        for (number, report) in reports.iter().enumerate() {
            assert_eq!(report.id, number as u64 + 1);
            assert!(report.reliable);
            assert_eq!(report.refresh, PERIOD);
        }
        // The offset between the clocks lies between these values, and the last report was converted with such an offset.
        let at = reports[49].presented.unwrap().as_nanos() as i128;
        let truth = (start + PERIOD * 49).as_nanos() as i128 - theirs.as_nanos() as i128;
        // Two clocks cannot be read at the same instant.
        let error = 100_000;
        // A slewed clock drifts by up to 0.05 % from another during the test.
        let slewed = if name == PresentationClock::Monotonic {
            0
        } else {
            1_000_000
        };
        assert!(at >= truth + before.as_nanos() as i128 - error - slewed, "{name:?}");
        assert!(at <= truth + after.as_nanos() as i128 + error + slewed, "{name:?}");
    }
}

#[test]
fn on_the_programs_own_clock_intervals_are_exact() {
    let start = now(ClockId::Monotonic) + Duration::from_secs(1);
    // Answered immediately and polled together: converted with one offset.
    let all_at_once = Compositor::new(1, move |commit| Answer::Presented {
        at: start + PERIOD * commit,
        refresh: PERIOD,
        flags: MEASURED,
        late: 29_u32.saturating_sub(commit),
    });
    let (reports, ..) = run(all_at_once, 30);
    assert_eq!(reports.len(), 30);
    for pair in reports.windows(2) {
        assert_eq!(pair[1].presented.unwrap() - pair[0].presented.unwrap(), PERIOD);
    }
}

#[test]
fn timestamps_of_an_unknown_clock_are_not_converted() {
    let start = Duration::from_secs(5);
    let (reports, feedback, _) = run(Compositor::new(99, move |commit| shown(start, commit)), 3);
    assert_eq!(feedback.clock(), Some(PresentationClock::Other(99)));
    let times: Vec<Duration> = reports.iter().map(|report| report.presented.unwrap()).collect();
    assert_eq!(times, [start, start + PERIOD, start + 2 * PERIOD]);
}

#[test]
fn discarded_late_and_missing_frames_are_distinguished() {
    let answer = |commit| match commit % 4 {
        0 => Answer::Discarded,
        1 => Answer::Never,
        2 => Answer::Presented {
            at: Duration::from_secs(1),
            refresh: Duration::ZERO,
            flags: VSYNC,
            late: 3,
        },
        _ => shown(Duration::from_secs(1), commit),
    };
    let (reports, ..) = run(Compositor::new(99, answer), 12);
    let ids: Vec<u64> = reports.iter().map(|report| report.id).collect();
    assert_eq!(ids, [1, 4, 5, 3, 8, 9, 7, 12]);
    for report in reports {
        assert_eq!(report.presented.is_none(), report.id % 4 == 1, "{report:?}");
        // Without a hardware flag a time is from a timer.
        assert_eq!(report.reliable, report.id % 4 != 3, "{report:?}");
    }
}

#[test]
fn seconds_beyond_32_bits_are_read() {
    let at = Duration::new(7 << 32 | 5, 999_999_999);
    let answer = move |_| Answer::Presented {
        at,
        refresh: PERIOD,
        flags: 0,
        late: 0,
    };
    let (reports, ..) = run(Compositor::new(99, answer), 1);
    assert_eq!(reports[0].presented, Some(at));
}

#[test]
fn a_compositor_without_the_protocol_is_refused() {
    let client = Client::connect(Compositor::without_feedback());
    let refused = PresentationFeedback::new(&client.connection).unwrap_err();
    assert!(matches!(refused, WaylandError::Unsupported(_)), "{refused}");
}
