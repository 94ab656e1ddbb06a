//! The adapter with Xvfb. `cargo ci --only compositors` installs it and runs these tests.

use std::time::{Duration, Instant};

use evenstep::MonotonicClock;
use evenstep_present::Session;
use evenstep_present::x11::{PresentationFeedback, Window, X11Error};
use x11rb::rust_connection::RustConnection;

use crate::xvfb_server::Xvfb;

/// Starts a server with a refresh rate in hertz.
fn start(hertz: u32) -> Xvfb {
    Xvfb::start("640x480", &["-fakescreenfps", &hertz.to_string()])
}

/// Presents frames and collects their reports.
fn show(window: &mut Window, frames: u64) -> Session {
    let (clock, mut session) = (MonotonicClock::new(), Session::default());
    for _ in 0..frames {
        let id = session.begin(clock.now());
        session.submit(clock.now());
        window.present(id).unwrap();
        window.wait(Duration::from_secs(10)).unwrap();
        for report in window.feedback().poll(&clock).unwrap() {
            session.observe(report, clock.now());
        }
    }
    session
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn reports_of_xvfb_are_on_the_programs_clock() {
        for hertz in [60, 144] {
            let server = start(hertz);
            let mut window = Window::open_at(Some(server.name()), "test").unwrap();
            let session = show(&mut window, 200);
            let quality = session.quality();
            println!("{quality:#?}");
            assert_eq!((quality.frames, quality.presented, quality.discarded), (200, 200, 0));
            // Its pixmaps are copied, and a timer measures the time.
            assert_eq!((quality.measured, quality.announced_ms), (0, None));
            assert!(session.is_on_one_clock(), "{quality:?}");
            // Its refreshes are driven by a timer, which may be late but never runs ahead of the rate.
            let interval = quality.interval_ms.unwrap();
            assert!(interval > 0.8e3 / f64::from(hertz), "{quality:?}");
        }
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn feedback_is_available_for_a_window_of_another_program() {
        let server = start(60);
        let mut window = Window::open_at(Some(server.name()), "test").unwrap();
        let (connection, _) = RustConnection::connect(Some(server.name())).unwrap();
        let mut other = PresentationFeedback::on(connection, window.id()).unwrap();
        show(&mut window, 10);
        let clock = MonotonicClock::new();
        let mut reports = Vec::new();
        while reports.len() < 10 {
            reports.extend(other.poll(&clock).unwrap());
        }
        let ids: Vec<u64> = reports.iter().map(|report| report.id).collect();
        assert_eq!(ids, (1..=10).collect::<Vec<u64>>());
        drop(window);
        assert_eq!(other.poll(&clock).unwrap(), []);
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn a_frame_replaced_by_a_newer_one_is_discarded() {
        let server = start(60);
        let mut window = Window::open_at(Some(server.name()), "test").unwrap();
        let (clock, mut session) = (MonotonicClock::new(), Session::default());
        for _ in 0..50 {
            let id = session.begin(clock.now());
            session.submit(clock.now());
            window.present(id).unwrap();
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        // The server may report the newest frame before the frames that it skipped.
        while session.quality().missing > 0 && Instant::now() < deadline {
            window.listen(Duration::from_millis(20)).unwrap();
            for report in window.feedback().poll(&clock).unwrap() {
                session.observe(report, clock.now());
            }
        }
        let quality = session.quality();
        assert_eq!((quality.frames, quality.missing), (50, 0));
        assert!(quality.discarded >= 45, "{quality:?}");
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn a_window_that_does_not_exist_is_refused() {
        let server = start(60);
        let (connection, _) = RustConnection::connect(Some(server.name())).unwrap();
        let refused = PresentationFeedback::on(connection, 1).unwrap_err();
        assert!(matches!(refused, X11Error::Refused(_)), "{refused}");
    }
}
