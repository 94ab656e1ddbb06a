//! The Wayland adapter with a compositor whose presentation times are known to the nanosecond.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::wayland::{PresentationClock, PresentationFeedback, WaylandError};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

use crate::client::Client;
use crate::compositor::{Compositor, Fate, Presentation, REFRESH, VSYNC};

/// The flags for time and start measured by the hardware.
const MEASURED: u32 = 2 | 4;

fn now(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Presents each frame a refresh after the one before, starting at `start`.
pub(crate) fn shown(start: Duration, commit: u64) -> Presentation {
    Presentation {
        flags: VSYNC | MEASURED,
        ..Presentation::new(start + REFRESH * commit as u32)
    }
}

/// Commits frames to a compositor with this clock and rule, and collects their reports.
fn run<F: Into<Fate>>(
    clock_id: u32,
    rule: impl Fn(u64) -> F + Send + 'static,
    frames: u64,
) -> (Vec<PresentFeedback>, PresentationFeedback, MonotonicClock) {
    let folder = TempDir::new().unwrap();
    let rule = move |commit| rule(commit).into();
    let running = Compositor::start(folder.path(), clock_id, Some(Box::new(rule)));
    let mut client = Client::connect(&running.path);
    let surface = client.create_surface();
    let clock = MonotonicClock::new();
    let mut feedback = PresentationFeedback::new(&client.connection).unwrap();
    let mut reports = Vec::new();
    for id in 1..=frames {
        feedback.request(&surface, id);
        client.show(&surface);
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
        let (reports, feedback, clock) = run(id, move |commit| shown(start, commit), 50);
        assert_eq!(feedback.clock(), Some(name));
        assert_eq!(reports.len(), 50);
        let (before, theirs, after) = (clock.now(), now(clock_id), clock.now());
        for (number, report) in reports.iter().enumerate() {
            assert_eq!(report.id, number as u64 + 1);
            assert!(report.reliable);
            assert_eq!(report.refresh, REFRESH);
        }
        // The offset between the clocks lies between these values, and the last report was converted with such an offset.
        let at = reports[49].presented.unwrap().as_nanos() as i128;
        let truth = (start + REFRESH * 49).as_nanos() as i128 - theirs.as_nanos() as i128;
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
    let all_at_once = move |commit| Presentation {
        late: 29 - commit as u32,
        ..shown(start, commit)
    };
    let (reports, ..) = run(1, all_at_once, 30);
    assert_eq!(reports.len(), 30);
    for pair in reports.windows(2) {
        assert_eq!(pair[1].presented.unwrap() - pair[0].presented.unwrap(), REFRESH);
    }
}

#[test]
fn timestamps_of_an_unknown_clock_are_not_converted() {
    let start = Duration::from_secs(5);
    let (reports, feedback, _) = run(99, move |commit| shown(start, commit), 3);
    assert_eq!(feedback.clock(), Some(PresentationClock::Other(99)));
    let times: Vec<Duration> = reports.iter().map(|report| report.presented.unwrap()).collect();
    assert_eq!(times, [start, start + REFRESH, start + 2 * REFRESH]);
}

#[test]
fn discarded_late_and_missing_frames_are_distinguished() {
    let at = Duration::from_secs(1);
    let rule = move |commit| match commit % 4 {
        0 => Fate::Discarded,
        1 => Fate::Never,
        2 => Presentation {
            late: 3,
            ..Presentation::new(at)
        }
        .into(),
        _ => shown(at, commit).into(),
    };
    let (reports, ..) = run(99, rule, 12);
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
    let (reports, ..) = run(99, move |_| Presentation::new(at), 1);
    assert_eq!(reports[0].presented, Some(at));
}

#[test]
fn a_compositor_without_the_protocol_is_refused() {
    let folder = TempDir::new().unwrap();
    let running = Compositor::start(folder.path(), 1, None);
    let client = Client::connect(&running.path);
    let refused = PresentationFeedback::new(&client.connection).unwrap_err();
    assert!(matches!(refused, WaylandError::Unsupported(_)), "{refused}");
}
