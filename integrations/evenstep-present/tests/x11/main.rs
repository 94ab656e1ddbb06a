//! The X11 adapter with a simulated server and with Xvfb.
#![cfg(target_os = "linux")]

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::x11::{PresentationFeedback, X11Error};
use rustix::time::{ClockId, clock_gettime};
use x11rb::protocol::present::{CompleteKind, CompleteMode};

mod server;
mod window;
mod xvfb;
mod xvfb_server;

use server::{Complete, Server};

const WINDOW: u32 = 7;

/// 59.94 Hz.
const PERIOD: Duration = Duration::from_nanos(16_683_350);

/// Connects to a simulated server.
fn listen() -> (Server, PresentationFeedback) {
    let (server, connection) = Server::start(true);
    let feedback = PresentationFeedback::on(connection, WINDOW).unwrap();
    (server.join().unwrap(), feedback)
}

fn flip(serial: u32, at: Duration) -> Complete {
    Complete {
        serial,
        kind: CompleteKind::PIXMAP,
        mode: CompleteMode::FLIP,
        micros: at.as_micros() as u64,
    }
}

fn now() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn timestamps_are_converted_to_the_programs_clock() {
    let (mut server, mut feedback) = listen();
    let clock = MonotonicClock::new();
    let start = now();
    for serial in 1..=20 {
        server.complete(flip(serial, start + PERIOD * serial));
    }
    let reports = feedback.poll(&clock).unwrap();
    let ids: Vec<u64> = reports.iter().map(|report| report.id).collect();
    assert_eq!(ids, (1..=20).collect::<Vec<u64>>());
    for pair in reports.windows(2) {
        let apart = pair[1].presented.unwrap() - pair[0].presented.unwrap();
        assert!(apart.abs_diff(PERIOD) <= Duration::from_micros(1));
    }
    let (before, theirs, after) = (clock.now(), now(), clock.now());
    // Two clocks cannot be read at the same instant.
    let error = Duration::from_micros(100);
    let ahead = start + PERIOD * 20 - theirs;
    let at = reports[19].presented.unwrap();
    assert!(before + ahead <= at + error && at <= after + ahead + error, "{at:?}");
    assert_eq!(feedback.poll(&clock).unwrap(), []);
}

#[test]
fn skipped_copied_and_untimed_frames_are_distinguished() {
    let (mut server, mut feedback) = listen();
    let at = now();
    let modes = [
        CompleteMode::FLIP,
        CompleteMode::SKIP,
        CompleteMode::COPY,
        CompleteMode::SUBOPTIMAL_COPY,
    ];
    for (serial, mode) in (1..).zip(modes) {
        server.complete(Complete {
            mode,
            ..flip(serial, at)
        });
    }
    server.complete(flip(5, Duration::ZERO));
    // A notification of the refresh count, which another client requested.
    server.complete(Complete {
        kind: CompleteKind::NOTIFY_MSC,
        ..flip(6, at)
    });
    let reports = feedback.poll(&MonotonicClock::new()).unwrap();
    let summary = |report: &PresentFeedback| (report.id, report.presented.is_some(), report.reliable);
    assert_eq!(
        reports.iter().map(summary).collect::<Vec<_>>(),
        [(1, true, true), (2, false, true), (3, true, false), (4, true, false)]
    );
    assert!(reports.iter().all(|report| report.refresh.is_zero()));
}

#[test]
fn serial_numbers_are_counted_on_beyond_32_bits() {
    let (mut server, mut feedback) = listen();
    let at = now();
    for serial in [u32::MAX - 1, 0, u32::MAX, 1] {
        server.complete(flip(serial, at));
    }
    let reports = feedback.poll(&MonotonicClock::new()).unwrap();
    let ids: Vec<u64> = reports.iter().map(|report| report.id).collect();
    assert_eq!(ids, [(1 << 32) - 2, 1 << 32, (1 << 32) - 1, (1 << 32) + 1]);
}

#[test]
fn a_server_without_the_extension_is_refused() {
    let (server, connection) = Server::start(false);
    let refused = PresentationFeedback::on(connection, WINDOW).unwrap_err();
    assert!(matches!(refused, X11Error::Unsupported("Present")), "{refused}");
    server.join().unwrap();
}

#[test]
fn a_lost_connection_to_the_server_is_an_error() {
    let (server, mut feedback) = listen();
    drop(server);
    let broken = feedback.poll(&MonotonicClock::new()).unwrap_err();
    assert!(matches!(broken, X11Error::Broken(_)), "{broken}");
}
