//! The Wayland adapter with real headless compositors: weston and sway. `cargo ci --only compositors` installs them and runs these tests
//! one after the other, because they measure real time.
#![cfg(target_os = "linux")]

use evenstep_present::wayland::PresentationClock;

mod headless;
mod window;

use headless::Headless;
use window::Window;

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn reports_of_weston_are_on_the_programs_clock() {
        for repaint_window in [-10, 7] {
            let weston = Headless::weston(repaint_window);
            let mut window = Window::open(&weston.connect());
            window.show(100);
            assert_eq!(window.feedback.clock(), Some(PresentationClock::MonotonicRaw));
            // Two clocks cannot be read at the same instant.
            let error = std::time::Duration::from_millis(1);
            let mut presented = 0;
            for (report, arrived) in &window.reports {
                // There is no display, so no hardware measures a time.
                assert!(!report.reliable || report.presented.is_none(), "{report:?}");
                // weston discards single frames on a busy machine.
                let Some(at) = report.presented else { continue };
                let submitted = window.submitted[report.id as usize - 1];
                assert!(at + error >= submitted && at <= *arrived + error, "{report:?}");
                presented += 1;
            }
            // The last frames may have no report yet.
            assert!(
                presented > 50 && window.reports.len() >= 95,
                "{presented} of {}",
                window.reports.len()
            );
        }
    }

    #[test]
    #[ignore = "needs sway: cargo ci --only compositors"]
    fn at_sway_without_a_screen_no_frame_is_presented() {
        let sway = Headless::sway();
        let mut window = Window::open(&sway.connect());
        window.show(50);
        assert_eq!(window.feedback.clock(), Some(PresentationClock::Monotonic));
        let presented = window.reports.iter().filter(|(report, _)| report.presented.is_some());
        assert_eq!(presented.count(), 0);
    }
}
