//! The adapter with Xvfb. `cargo ci --only compositors` installs it and runs these tests.

use std::time::Duration;

use evenstep_present::PresentFeedback;
use evenstep_present::x11::{PresentationFeedback, X11Error};

use crate::window::Window;
use crate::xvfb_server::Xvfb;

/// Starts a server with a refresh rate in hertz.
fn start(hertz: u32) -> Xvfb {
    Xvfb::start("640x480", &["-fakescreenfps", &hertz.to_string()])
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn reports_of_xvfb_are_on_the_programs_clock() {
        for hertz in [60, 144] {
            let server = start(hertz);
            let mut window = Window::open(server.name());
            for frame in 1..=200 {
                window.present(1);
                window.wait_for_reports(frame);
            }
            // Two clocks cannot be read at the same instant.
            let error = Duration::from_millis(1);
            for (frame, (report, arrived)) in window.reports.iter().enumerate() {
                assert_eq!(report.id, frame as u64 + 1);
                let presented = report.presented.unwrap();
                assert!(
                    presented + error >= window.submitted[frame] && presented <= *arrived + error,
                    "{report:?}"
                );
                // Its pixmaps are copied, and a timer measures the time.
                assert!(!report.reliable && report.refresh.is_zero(), "{report:?}");
            }
        }
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn a_frame_replaced_by_a_newer_one_is_discarded() {
        let server = start(60);
        let mut window = Window::open(server.name());
        window.present(50);
        window.wait_for_reports(50);
        let discarded = |(report, _): &(PresentFeedback, Duration)| report.presented.is_none();
        // A busy server may have refreshes between them.
        assert!(window.reports.iter().any(discarded), "{:?}", window.reports);
        let newest = window.reports.iter().find(|(report, _)| report.id == 50);
        assert!(newest.is_some_and(|newest| !discarded(newest)), "{:?}", window.reports);
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn a_window_that_does_not_exist_is_refused() {
        let server = start(60);
        let refused = PresentationFeedback::connect(Some(server.name()), 1).unwrap_err();
        assert!(matches!(refused, X11Error::Refused(_)), "{refused}");
    }
}
