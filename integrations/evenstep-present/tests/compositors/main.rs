//! The Wayland adapter at real compositors without a screen: weston and sway. `cargo ci --only compositors` installs them and runs
//! these tests, one after the other: what they measure is real time.
#![cfg(target_os = "linux")]

use std::time::Duration;

use evenstep_present::wayland::PresentationClock;
use evenstep_present::{Begin, Desktop, Session};
use evenstep_trace::{Analysis, BadRows};

mod headless;

use headless::Headless;

/// Shows frames for some seconds, and gathers what is reported.
fn show(desktop: &mut Desktop, begin: Begin, cost: Duration, seconds: u64) -> Session {
    desktop
        .record(begin, cost, Duration::from_secs(seconds), |_| true)
        .unwrap()
}

/// What `evenstep analyze` makes of its recording.
fn analyze(session: &Session) -> Analysis {
    let mut file = Vec::new();
    session.write_recording(&mut file).unwrap();
    Analysis::read(file.as_slice(), "session.csv", BadRows::Fail, |_, _| ()).unwrap()
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn westons_reports_arrive_on_the_programs_clock_and_tell_the_error_of_every_clock() {
        for repaint_window in [-10, 2, 7, 15] {
            let weston = Headless::weston(repaint_window);
            let mut desktop = weston.open();
            let session = show(&mut desktop, Begin::WhenWanted, Duration::ZERO, 5);
            let quality = session.quality();
            println!("repaint-window {repaint_window}: {quality:#?}");
            assert_eq!(desktop.clock(), Some(PresentationClock::MonotonicRaw));
            assert!(quality.frames > 50, "{quality:?}");
            assert!(
                quality.seen + 5 >= quality.frames && quality.discarded == 0,
                "{quality:?}"
            );
            // It draws for nobody: no hardware tells a time.
            assert_eq!(quality.measured, 0);
            // Frames are seen after they were handed over and before that is reported: only then is it the same clock.
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
        let quality = show(&mut weston.open(), Begin::WhenWanted, Duration::ZERO, 4).quality();
        println!("{quality:#?}");
        let (announced, interval) = (quality.announced_ms.unwrap(), quality.interval_ms.unwrap());
        assert!((announced - 16.667).abs() < 0.01, "{quality:?}");
        assert!((interval - announced).abs() > 2.0, "{quality:?}");
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn frames_that_begin_in_every_way_are_seen_at_weston_after_what_they_cost() {
        let weston = Headless::weston(7);
        let cost = Duration::from_millis(5);
        let ways = [
            ("at once", Begin::AtOnce),
            ("when wanted", Begin::WhenWanted),
            ("sleeping", Begin::Sleeping(evenstep::Rate::hz(60))),
            ("paced", Begin::Paced(Box::default())),
        ];
        for (name, begin) in ways {
            let session = show(&mut weston.open(), begin, cost, 3);
            let timing = session.timing(Duration::from_secs(1)).unwrap();
            println!("{name}: {timing:?}");
            assert!(session.is_on_one_clock(), "{name}");
            assert!(
                timing.latency_mean_ms > 5.0 && timing.seen <= timing.frames,
                "{name}: {timing:?}"
            );
        }
    }

    #[test]
    #[ignore = "needs sway: cargo ci --only compositors"]
    fn at_sway_nothing_is_seen_and_the_clocks_go_by_readings() {
        let sway = Headless::sway();
        let mut desktop = sway.open();
        let session = show(&mut desktop, Begin::WhenWanted, Duration::ZERO, 3);
        let quality = session.quality();
        println!("{quality:#?}");
        assert_eq!(desktop.clock(), Some(PresentationClock::Monotonic));
        assert!(quality.frames > 20, "{quality:?}");
        assert_eq!((quality.seen, quality.interval_ms, quality.period_ms), (0, None, None));
        assert!(quality.errors.is_empty());
        // Without reports a present clock is a display clock, and a pacer waits for what the compositor wants.
        assert_eq!(
            session.animated(evenstep_present::AnimatedBy::Feedback),
            session.animated(evenstep_present::AnimatedBy::DisplayClock)
        );
        let paced = show(&mut desktop, Begin::Paced(Box::default()), Duration::ZERO, 2);
        assert!(paced.quality().frames > 15);
        assert_eq!(analyze(&session).chains.len(), 3);
    }
}
