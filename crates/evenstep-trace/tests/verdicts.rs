//! Diagnoses over random displays, rates and cadences: the evidence never contradicts
//! the verdict.

use std::time::Duration;

use evenstep_trace::{Diagnosis, Present, StutterKind, SwapChain, SwapChainName};
use proptest::prelude::*;

/// Frames of these lengths, in milliseconds, displayed at these times.
fn chain(times: &[f64], shown: &[Option<f64>]) -> SwapChain {
    let mut start = 0.0;
    let presents = times.iter().zip(shown).enumerate().map(|(row, (time, displayed))| {
        start += time;
        let mut present = Present::new(start);
        present.row = row as u64;
        present.displayed = *displayed;
        present.simulated = Some(start);
        present.is_simulated_told = true;
        present
    });
    SwapChain::new(
        SwapChainName::default(),
        times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3)).collect(),
        if shown.is_empty() {
            Vec::new()
        } else {
            presents.collect()
        },
    )
}

fn kinds(diagnosis: &[Diagnosis]) -> Vec<StutterKind> {
    diagnosis.iter().map(|one| one.kind).collect()
}

/// Noise of a given size, from a number.
fn noise(n: usize, size: f64) -> f64 {
    size * ((n as u64).wrapping_mul(2_654_435_761) % 1000) as f64 / 500.0 - size
}

/// A display rate in hertz and the number of refreshes per frame, so that frames take less than 50 ms.
fn display() -> impl Strategy<Value = (f64, usize)> {
    (48.0..360.0_f64, 1..6_usize).prop_filter("frames of a game", |(hertz, refreshes)| {
        *refreshes as f64 * 1e3 / hertz < 50.0
    })
}

/// The number of refreshes per frame, and the number by which some frames are displayed for more refreshes and others for fewer.
fn cadence() -> impl Strategy<Value = (usize, usize)> {
    let all = (2..6_usize).flat_map(|refreshes| (1..refreshes).map(move |by| (refreshes, by)));
    // Alternating 2 and 4 refreshes are equivalent to 1 and 2 of a display at half the rate, with which frames of 3 beat.
    let is_no_beat = |(refreshes, by): &(usize, usize)| {
        let unit = (1..=*refreshes)
            .rev()
            .find(|unit| (refreshes + by).is_multiple_of(*unit) && (refreshes - by).is_multiple_of(*unit));
        unit.is_some_and(|unit| refreshes.is_multiple_of(unit))
    };
    prop::sample::select(all.filter(is_no_beat).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn even_frames_that_are_shown_for_more_and_fewer_refreshes_in_turn_are_named(
        (refreshes, by) in cadence(),
        frame in 9.0..50.0_f64,
        count in 120..900_usize,
        off in 0.0..0.04_f64,
        deltas in 0.0..0.01_f64,
    ) {
        let refresh = frame / refreshes as f64;
        prop_assume!(refresh > 2.5);
        let times: Vec<f64> = (0..count).map(|n| frame + noise(n, deltas * frame)).collect();
        let at = |n: usize| (n * refreshes + n % 2 * by) as f64 * refresh + noise(n + 7, off);
        let shown: Vec<Option<f64>> = (0..count).map(|n| Some(100.0 + at(n))).collect();
        let diagnosis = chain(&times, &shown).diagnose();
        prop_assert_eq!(kinds(&diagnosis), [StutterKind::UnevenDisplay], "{:?}", diagnosis);
        let evidence = &diagnosis[0].evidence;
        prop_assert!(evidence.ends_with(", in turn") && evidence.contains(" Hz for "), "{evidence}");
    }

    #[test]
    fn a_few_frames_that_are_shown_late_are_counted_and_never_unknown(
        (hertz, refreshes) in display(),
        count in 300..2_400_usize,
        late in prop::collection::btree_set(2..290_usize, 0..16),
        catches_up in any::<bool>(),
    ) {
        let (refresh, frame) = (1e3 / hertz, refreshes as f64 * 1e3 / hertz);
        let late: Vec<usize> = late.into_iter().collect();
        prop_assume!(late.windows(2).all(|pair| pair[1] - pair[0] > 2));
        let is_late = |n: usize| late.contains(&n);
        // A frame that is displayed a refresh late delays the next ones, or takes a refresh from the next one.
        let catches_up = catches_up && refreshes > 1;
        let delay = |n: usize| if catches_up { usize::from(is_late(n)) } else { late.iter().filter(|late| **late <= n).count() };
        let times = vec![frame; count];
        let shown: Vec<Option<f64>> = (0..count).map(|n| Some((n * refreshes + delay(n)) as f64 * refresh)).collect();
        let diagnosis = chain(&times, &shown).diagnose();
        let evidence = &diagnosis[0].evidence;
        let share = late.len() as f64 / (count - 1) as f64;
        let is_few = late.len() < 2 || (late.len() < 4 && share < 0.014) || share < 0.003;
        let changes = late.len() * if catches_up { 2 } else { 1 };
        match diagnosis[0].kind {
            StutterKind::MissedDeadlines => {
                prop_assert!(!is_few && evidence.starts_with(&format!("{} of {} frames", late.len(), count - 1)), "{evidence}");
            }
            StutterKind::Even => {
                prop_assert!(is_few, "{evidence}");
                // A deviation of less than a third of a frame is not an outlier.
                let says = evidence.contains(&format!("but for {changes} of {}", count - 1));
                prop_assert!(says || changes == 0 || refreshes > 3, "{evidence}");
            }
            // In 300 frames, 16 that catch up are one in twenty.
            StutterKind::UnevenDisplay => prop_assert!(catches_up && late.len() * 20 >= count - 1, "{evidence}"),
            kind => prop_assert!(false, "{kind}: {evidence}"),
        }
    }

    #[test]
    fn one_wrong_row_changes_no_verdict(
        (hertz, refreshes) in display(),
        count in 200..900_usize,
        // Often the first or the last row, which changes one interval, not two that cancel out.
        at in (-0.3..1.3_f64).prop_map(|at| at.clamp(0.0, 1.0)),
        by in -0.9..0.9_f64,
        is_lost in any::<bool>(),
    ) {
        let frame = refreshes as f64 * 1e3 / hertz;
        let times = vec![frame; count];
        let mut shown: Vec<Option<f64>> = (0..count).map(|n| Some((n + 3) as f64 * frame)).collect();
        let wrong = &mut shown[(at * (count - 1) as f64) as usize];
        *wrong = if is_lost { None } else { wrong.map(|at| at + by * frame) };
        let diagnosis = chain(&times, &shown).diagnose();
        prop_assert_eq!(kinds(&diagnosis), [StutterKind::Even], "{:?}", diagnosis);
    }

    #[test]
    fn a_hitch_is_a_visible_long_frame(
        fps in 24.0..360.0_f64,
        longer in 1.0..120.0_f64,
        every in 3.0..6.0_f64,
        has_display in any::<bool>(),
    ) {
        let usual = 1e3 / fps;
        let each = (every * fps) as usize;
        let times: Vec<f64> = (0..6 * each + each / 2).map(|n| if n % each == each / 2 { usual + longer } else { usual }).collect();
        // A display with variable refresh shows frames as they come.
        let mut now = 0.0;
        let shown: Vec<Option<f64>> = times.iter().map(|time| { now += time; Some(now) }).collect();
        let chain = chain(&times, if has_display { &shown } else { &[] });
        let named = kinds(&chain.diagnose());
        let is_hitch = named.iter().any(|kind| matches!(kind, StutterKind::PeriodicHitches | StutterKind::Hitches));
        // More than a refresh at 50 Hz is visible to everybody. A third of that is visible to nobody.
        if longer > 21.1 {
            prop_assert!(named[0] == StutterKind::PeriodicHitches, "{named:?}");
        } else if longer < 7.5 || longer < 1.4 * usual {
            prop_assert!(!is_hitch, "{named:?}");
        }
        prop_assert_eq!(is_hitch, !chain.metrics().hitches.is_empty());
        prop_assert!(!named.contains(&StutterKind::Unknown), "{:?}", chain.diagnose());
    }

    #[test]
    fn a_display_that_stands_still_between_even_frames_is_named(
        (hertz, refreshes) in display(),
        count in 200..900_usize,
        at in 10..190_usize,
        stall in 80.0..900.0_f64,
    ) {
        let frame = refreshes as f64 * 1e3 / hertz;
        prop_assume!(stall > 3.0 * frame);
        let shown: Vec<Option<f64>> = (0..count).map(|n| Some(n as f64 * frame + if n >= at { stall } else { 0.0 })).collect();
        let diagnosis = chain(&vec![frame; count], &shown).diagnose();
        prop_assert_eq!(kinds(&diagnosis), [StutterKind::UnevenDisplay], "{:?}", diagnosis);
        prop_assert!(diagnosis[0].evidence.contains("stood still once"), "{}", diagnosis[0].evidence);
    }
}

#[test]
fn forty_milliseconds_every_five_seconds_at_sixty_hertz_are_hitches() {
    let times: Vec<f64> = (0..1_800)
        .map(|n| if n % 300 == 150 { 40.0 } else { 1e3 / 60.0 })
        .collect();
    let diagnosis = chain(&times, &[]).diagnose();
    assert_eq!(kinds(&diagnosis), [StutterKind::PeriodicHitches]);
    assert!(
        diagnosis[0].evidence.contains("40 ms, one every 5.02 s"),
        "{}",
        diagnosis[0].evidence
    );
}
