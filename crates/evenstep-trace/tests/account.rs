//! The account of unevenness: its parts add up, each cause is in the part of its name, and *even* is what a count of its own calls even.

use std::time::Duration;

use evenstep_evaluation::Noise;
use evenstep_trace::measure::{UnevenKind, Unevenness};
use evenstep_trace::{Present, StutterKind, SwapChain, SwapChainName};
use fastrand::Rng;
use proptest::prelude::*;

/// Frames of these lengths in milliseconds; displayed after 20 ms, or at the times that `shown` gives, or not known to be displayed.
fn chain(times: &[f64], shown: Option<&dyn Fn(f64) -> f64>) -> SwapChain {
    let deltas = times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3)).collect();
    let mut now = 0.0;
    let presents = times.iter().map(|time| {
        now += time;
        let mut present = Present::new(now);
        present.displayed = shown.map(|shown| shown(now + 20.0));
        present
    });
    let presents = if shown.is_some() {
        presents.collect()
    } else {
        Vec::new()
    };
    SwapChain::new(SwapChainName::default(), deltas, presents)
}

/// Frames of `ms` that vary by a share.
fn frames(random: &mut Rng, ms: f64, share: f64, seconds: f64) -> Vec<f64> {
    let count = (1e3 * seconds / ms) as usize;
    let noise = Noise::Normal(share * ms).deltas(1e3 / ms, random.u64(..), count);
    noise.iter().map(|delta| 1e3 * delta.as_secs_f64()).collect()
}

/// Makes the frames at these times, in seconds, longer by as much as `longer` says.
fn with_events(times: &mut [f64], at: &[f64], mut longer: impl FnMut() -> f64) {
    let (mut now, mut at) = (0.0, at.iter().peekable());
    for time in times {
        if at.next_if(|at| **at * 1e3 <= now).is_some() {
            *time += longer();
        }
        now += *time;
    }
}

fn share(account: &Unevenness, kind: UnevenKind) -> f64 {
    let part = account.parts.iter().find(|part| part.kind == kind);
    part.map_or(0.0, |part| part.pct) / account.uneven_pct
}

/// The share of pictures that are off the median of the sixty around them by more than 3 ms, without the first and the last second.
fn off(times: &[f64]) -> f64 {
    let (mut ends, mut now) = (Vec::new(), 0.0);
    for time in times {
        now += time;
        ends.push(now);
    }
    let edge = f64::min(1e3, 0.05 * now);
    let inner: Vec<f64> = times
        .iter()
        .zip(&ends)
        .filter(|(_, end)| **end >= edge && **end <= now - edge)
        .map(|(time, _)| *time)
        .collect();
    let is_off = |index: &usize| {
        let mut around = inner[index.saturating_sub(30)..(index + 31).min(inner.len())].to_vec();
        around.sort_by(f64::total_cmp);
        (inner[*index] - around[around.len() / 2]).abs() > 3.0
    };
    (0..inner.len()).filter(is_off).count() as f64 / inner.len() as f64
}

proptest! {
    #[test]
    fn the_parts_add_up_for_any_recording(
        times in prop::collection::vec(prop_oneof![8 => 5.0..20.0_f64, 1 => 20.0..90.0_f64, 1 => 0.0..900.0_f64], 60..700),
        hertz in prop::option::of(30.0..240.0_f64),
        is_known in any::<bool>(),
    ) {
        let on_refresh = |at: f64| hertz.map_or(at, |hertz| (at * hertz / 1e3).ceil() * 1e3 / hertz);
        let account = chain(&times, is_known.then_some(&on_refresh)).analysis().unevenness;
        if let Some(account) = account {
            let sum: f64 = account.parts.iter().map(|part| part.pct).sum();
            prop_assert!((sum - account.uneven_pct).abs() < 1e-6, "{account:?}");
            prop_assert!(account.parts.iter().all(|part| part.pct >= 0.0 && part.first_s <= part.last_s));
            prop_assert!(account.parts.is_sorted_by(|one, other| one.pct >= other.pct));
            let mut kinds: Vec<String> = account.parts.iter().map(|part| part.kind.to_string()).collect();
            kinds.sort();
            kinds.dedup();
            prop_assert_eq!(kinds.len(), account.parts.len());
        }
    }

    #[test]
    fn what_is_called_even_has_less_than_one_picture_in_200_off_and_no_period(
        seed in any::<u64>(),
        ms in 4.0..34.0_f64,
        jitter in 0.0..0.06_f64,
        period in prop::option::of(0.4..4.0_f64),
        longer in 0.0..40.0_f64,
        is_known in any::<bool>(),
    ) {
        let random = &mut Rng::with_seed(seed);
        let mut times = frames(random, ms, jitter, 30.0);
        let at: Vec<f64> = period.map_or(Vec::new(), |period| (1..(30.0 / period) as u32).map(|n| f64::from(n) * period).collect());
        with_events(&mut times, &at, || longer);
        let shown = |at: f64| at;
        let found = chain(&times, is_known.then_some(&shown)).diagnose();
        if found[0].kind == StutterKind::Even {
            let off = off(&times);
            prop_assert!(off * 200.0 <= 1.0 || off * times.len() as f64 <= 2.5, "{off}: {found:?}");
            prop_assert!(period.is_none() || longer < 7.5 || longer < 0.5 * ms + 3.0, "{found:?}");
        }
    }
}

/// At least four fifths of the unevenness of a recording with one cause are in the part of its name, and its verdict is of that kind.
#[test]
fn a_single_cause_is_in_the_part_of_its_name() {
    let random = &mut Rng::with_seed(81);
    let as_shown = |at: f64| at;
    // Far from twice the usual time, as a missed refresh takes.
    for (ms, longer) in [(6.94, 9.0), (10.0, 13.0), (16.67, 23.0), (33.3, 19.0)] {
        for is_known in [true, false] {
            let check = |times: &[f64], kind: UnevenKind, verdict: StutterKind| {
                let chain = chain(times, is_known.then_some(&as_shown as &dyn Fn(f64) -> f64));
                let account = chain.analysis().unevenness.unwrap();
                let case = format!("{ms} ms, {kind}, {is_known}: {account}");
                assert!(share(&account, kind) >= 0.8, "{case}");
                assert_eq!(chain.diagnose()[0].kind, verdict, "{case}");
                account
            };
            let mut times = frames(random, ms, 0.008, 40.0);
            with_events(&mut times, &[9.1, 23.4], || 600.0);
            check(&times, UnevenKind::Stops, StutterKind::Hitches);

            let mut times = frames(random, ms, 0.008, 40.0);
            let at = [2.1, 5.3, 6.9, 11.0, 17.7, 19.2, 28.8, 31.3, 37.0];
            with_events(&mut times, &at, || 30.0 + 30.0 * random.f64());
            check(&times, UnevenKind::SingleHitches, StutterKind::Hitches);

            for period in [0.5, 1.0, 3.0] {
                let mut times = frames(random, ms, 0.008, 40.0);
                let at: Vec<f64> = (1..(40.0 / period) as u32).map(|n| f64::from(n) * period).collect();
                with_events(&mut times, &at, || longer);
                let account = check(&times, UnevenKind::PeriodicHitches, StutterKind::Hitches);
                let found = account.parts[0].period_s.unwrap();
                assert!((found / period - 1.0).abs() < 0.05, "{account}");
            }

            let spread = 0.1 + 0.1 * random.f64();
            let times = frames(random, ms, spread, 40.0);
            check(&times, UnevenKind::Jitter, StutterKind::UnevenFrames);

            let even = frames(random, ms, 0.01, 40.0);
            let times: Vec<f64> = even
                .iter()
                .enumerate()
                .map(|(n, time)| time * [0.82, 1.18][n % 2])
                .collect();
            check(&times, UnevenKind::Pairs, StutterKind::UnevenFrames);
        }
    }
}

/// The errors of measurement of a composed window do not hide that pictures stand a refresh too long or short.
#[test]
fn noise_in_display_times_does_not_make_judder_even() {
    let random = &mut Rng::with_seed(81);
    for (fps, hertz) in [(60.0, 144.0), (40.6, 120.0), (48.0, 60.0), (59.0, 240.0), (29.5, 60.0)] {
        for noise in [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3] {
            let times = frames(random, 1e3 / fps, 0.005, 30.0);
            let errors = std::cell::RefCell::new(Rng::with_seed(7));
            let shown = |at: f64| {
                let error: f64 = (0..12).map(|_| errors.borrow_mut().f64()).sum::<f64>() - 6.0;
                (at * hertz / 1e3).ceil() * 1e3 / hertz + noise * error
            };
            let chain = chain(&times, Some(&shown));
            let account = chain.analysis().unevenness.unwrap();
            let case = format!("{fps} on {hertz} Hz, {noise} ms: {account}");
            assert!(share(&account, UnevenKind::Refreshes) >= 0.8, "{case}");
            assert_eq!(chain.diagnose()[0].kind, StutterKind::UnevenDisplay, "{case}");
        }
    }
}

/// One frame of double time in each second: a hitch where the display follows, a missed refresh where its rate is fixed.
#[test]
fn a_frame_of_double_time_in_each_second_is_not_even() {
    let random = &mut Rng::with_seed(81);
    let at: Vec<f64> = (1..40).map(f64::from).collect();
    for ms in [6.94, 8.33, 10.0, 16.67, 25.0, 33.3] {
        let mut times = frames(random, ms, 0.01, 40.0);
        with_events(&mut times, &at, || ms.max(9.0));
        let follows = |at: f64| at;
        let fixed = |at: f64| ((at - 20.0) / ms).round() * ms;
        for (shown, kinds) in [
            (None, &[StutterKind::Hitches, StutterKind::MissedRefreshes][..]),
            (
                Some(&follows as &dyn Fn(f64) -> f64),
                &[StutterKind::Hitches, StutterKind::MissedRefreshes],
            ),
            (
                Some(&fixed),
                &[
                    StutterKind::Hitches,
                    StutterKind::MissedRefreshes,
                    StutterKind::UnevenDisplay,
                ],
            ),
        ] {
            let found = chain(&times, shown).diagnose();
            assert!(
                kinds.contains(&found[0].kind),
                "{ms} ms, {}: {found:?}",
                shown.is_some()
            );
        }
    }
}

/// A fixed step at half the frame rate: every second frame runs one, and nothing is generated.
#[test]
fn a_step_in_every_second_frame_is_no_frame_generation() {
    let random = &mut Rng::with_seed(81);
    for (step, draw, hertz) in [(4.0, 6.1, 60.0), (4.0, 6.6, 60.0), (3.0, 6.83, 60.0), (8.0, 12.6, 30.0)] {
        let (mut owed, mut last, mut times) = (0.0, 8.3, Vec::new());
        for noise in frames(random, 1.0, 0.03, 3.0) {
            owed += last;
            last = draw * noise;
            while owed >= 1e3 / hertz {
                owed -= 1e3 / hertz;
                last += step;
            }
            times.push(last);
        }
        let shown = |at: f64| at;
        for shown in [None, Some(&shown as &dyn Fn(f64) -> f64)] {
            let found = chain(&times, shown).diagnose();
            assert_eq!(
                found[0].kind,
                StutterKind::UnevenFrames,
                "{step} ms, {}: {found:?}",
                shown.is_some()
            );
            assert!(
                found.iter().all(|one| one.kind != StutterKind::FrameGeneration),
                "{found:?}"
            );
        }
    }
}

/// One long frame and two short ones in turn: they are no hitches, however long.
#[test]
fn long_frames_that_are_every_third_one_are_uneven_frames() {
    let times: Vec<f64> = (0..3600)
        .map(|n| if n % 3 == 0 { 14.0 } else { 5.0 + 0.1 * f64::from(n % 7) })
        .collect();
    let found = chain(&times, Some(&|at| at)).diagnose();
    assert_eq!(found[0].kind, StutterKind::UnevenFrames, "{found:?}");
}

/// A ramp, a wave, and scenes of different speed.
#[test]
fn a_speed_that_changes_is_even() {
    let random = &mut Rng::with_seed(81);
    let ramp = |n: usize| 16.7 * (-0.8 * n as f64 / 3000.0).exp();
    let wave = |n: usize| 12.0 * (1.0 + 0.25 * (n as f64 / 400.0).sin());
    let menu = |n: usize| if n < 300 { 33.3 } else { 8.0 };
    let scenes = |n: usize| [8.0, 12.0, 9.0, 16.0, 10.0][n / 620 % 5];
    for (name, speed) in [
        ("ramp", &ramp as &dyn Fn(usize) -> f64),
        ("wave", &wave),
        ("scenes", &scenes),
        ("a menu and a game", &menu),
    ] {
        for is_known in [true, false] {
            let noise = frames(random, 1.0, 0.01, 3.1);
            let times: Vec<f64> = noise.iter().enumerate().map(|(n, one)| speed(n) * one).collect();
            let as_shown = |at: f64| at;
            let chain = chain(&times, is_known.then_some(&as_shown as &dyn Fn(f64) -> f64));
            let found = chain.diagnose();
            assert_eq!(found[0].kind, StutterKind::Even, "{name}, {is_known}: {found:?}");
            assert_eq!(chain.metrics().stutter_time_pct, 0.0, "{name}");
        }
    }
}
