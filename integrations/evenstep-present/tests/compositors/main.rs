//! The Wayland adapter with real headless compositors: weston and sway. `cargo ci --only compositors` installs them and runs these tests
//! one after the other, because they measure real time.
#![cfg(target_os = "linux")]

use std::time::Duration;

use evenstep_present::wayland::PresentationClock;
use evenstep_present::{Desktop, FrameStart, Session};
use evenstep_trace::{Analysis, BadRows};

mod headless;
#[cfg(feature = "input")]
mod keys;
#[cfg(feature = "input")]
#[path = "../x11/xvfb_server.rs"]
mod xvfb_server;

use headless::Headless;

/// Records frames for some seconds.
fn show(desktop: &mut Desktop, begin: FrameStart, cost: Duration, seconds: u64) -> Session {
    desktop
        .record(begin, cost, Duration::from_secs(seconds), |_| true)
        .unwrap()
}

/// The analysis of its recording by `evenstep analyze`.
fn analyze(session: &Session) -> Analysis {
    let mut file = Vec::new();
    session.write_recording(&mut file).unwrap();
    Analysis::read(file.as_slice(), "session.csv", BadRows::Fail, |_, _| ()).unwrap()
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn reports_of_weston_are_on_the_programs_clock_and_measure_the_error_of_each_clock() {
        for repaint_window in [-10, 2, 7, 15] {
            let weston = Headless::weston(repaint_window);
            let mut desktop = weston.open();
            let session = show(&mut desktop, FrameStart::OnRequest, Duration::ZERO, 5);
            let quality = session.quality();
            println!("repaint-window {repaint_window}: {quality:#?}");
            assert_eq!(desktop.clock(), Some(PresentationClock::MonotonicRaw));
            assert!(quality.frames > 50, "{quality:?}");
            // weston discards single frames on a busy machine. The last frames may have no report yet.
            assert!(quality.presented > quality.frames / 2, "{quality:?}");
            assert!(
                quality.presented + quality.discarded + 5 >= quality.frames,
                "{quality:?}"
            );
            // There is no display, so no hardware measures a time.
            assert_eq!(quality.measured, 0);
            // Presentation times lie between submission and report only if both are on the same clock.
            assert!(session.is_on_one_clock(), "{quality:?}");
            assert!(quality.errors.len() == 3 && quality.errors.iter().all(|errors| errors.rms_ms.is_finite()));
            let analysis = analyze(&session);
            assert_eq!(analysis.chains.len(), 3);
            assert!(
                analysis
                    .chains
                    .iter()
                    .all(|chain| chain.metrics.animation_error_ms.is_some())
            );
        }
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn the_rate_that_weston_announces_is_not_its_own() {
        let weston = Headless::weston(7);
        let quality = show(&mut weston.open(), FrameStart::OnRequest, Duration::ZERO, 4).quality();
        println!("{quality:#?}");
        let (announced, interval) = (quality.announced_ms.unwrap(), quality.interval_ms.unwrap());
        assert!((announced - 16.667).abs() < 0.01, "{quality:?}");
        assert!((interval - announced).abs() > 2.0, "{quality:?}");
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn with_each_frame_start_weston_presents_frames_after_their_cost() {
        let weston = Headless::weston(7);
        let cost = Duration::from_millis(5);
        let ways = [
            ("at once", FrameStart::Immediate),
            ("when wanted", FrameStart::OnRequest),
            ("sleeping", FrameStart::Sleep(evenstep::Rate::hz(60))),
            ("paced", FrameStart::Paced(Box::default())),
        ];
        for (name, begin) in ways {
            let session = show(&mut weston.open(), begin, cost, 3);
            let timing = session.timing(Duration::from_secs(1)).unwrap();
            println!("{name}: {timing:?}");
            assert!(session.is_on_one_clock(), "{name}");
            assert!(
                timing.latency_mean_ms > 5.0 && timing.presented <= timing.frames,
                "{name}: {timing:?}"
            );
        }
    }

    #[test]
    #[ignore = "needs sway: cargo ci --only compositors"]
    fn at_sway_no_frame_is_presented_and_the_clocks_use_timestamps() {
        let sway = Headless::sway();
        let mut desktop = sway.open();
        let session = show(&mut desktop, FrameStart::OnRequest, Duration::ZERO, 3);
        let quality = session.quality();
        println!("{quality:#?}");
        assert_eq!(desktop.clock(), Some(PresentationClock::Monotonic));
        assert!(quality.frames > 20, "{quality:?}");
        assert_eq!(
            (quality.presented, quality.interval_ms, quality.period_ms),
            (0, None, None)
        );
        assert!(quality.errors.is_empty());
        // Without reports a present clock acts as a display clock, and a pacer follows the requests of the compositor.
        assert_eq!(
            session.animated(evenstep_present::AnimatedBy::Feedback),
            session.animated(evenstep_present::AnimatedBy::DisplayClock)
        );
        let paced = show(&mut desktop, FrameStart::Paced(Box::default()), Duration::ZERO, 2);
        assert!(paced.quality().frames > 15);
        assert_eq!(analyze(&session).chains.len(), 3);
    }
}
