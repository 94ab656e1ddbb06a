//! Diagnoses over random displays, rates and cadences: the evidence never contradicts
//! the verdict.

use std::time::Duration;

use evenstep_trace::measure::HitchOf;
use evenstep_trace::{BadRows, Diagnosis, Metrics, Present, StutterKind, SwapChain, SwapChainName, Trace};
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

/// When frames of these lengths are displayed, one after the other, and which of them are.
fn as_they_come(times: &[f64], is_shown: impl Fn(usize) -> bool) -> Vec<Option<f64>> {
    let mut now = 0.0;
    let shown = times.iter().enumerate().map(|(n, time)| {
        now += time;
        is_shown(n).then_some(now)
    });
    shown.collect()
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
        // Without a number of refreshes next to another, the display's rate is not known.
        let evidence = &diagnosis[0].evidence;
        prop_assert!(by > 1 || evidence.contains(" Hz for "), "{evidence}");
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
        match diagnosis[0].kind {
            // More than one picture in 200 is off.
            StutterKind::MissedRefreshes | StutterKind::Hitches | StutterKind::UnevenDisplay => {
                prop_assert!(late.len() >= 2, "{evidence}");
            }
            StutterKind::Even => {}
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
        let shown = as_they_come(&times, |_| true);
        let chain = chain(&times, if has_display { &shown } else { &[] });
        let named = kinds(&chain.diagnose());
        let is_hitch = named.iter().any(|kind| matches!(kind, StutterKind::Hitches));
        // More than a refresh at 50 Hz is visible to everybody. A third of that is visible to nobody.
        if longer > 21.1 {
            prop_assert!(named[0] == StutterKind::Hitches, "{named:?}");
        } else if longer < 7.4 || longer < 0.49 * usual {
            prop_assert!(!is_hitch, "{named:?}");
        }
        // One every few seconds is a hitch from half of its baseline on.
        prop_assert!(is_hitch || chain.metrics().hitches.is_empty());
        prop_assert!(!named.contains(&StutterKind::Unknown), "{:?}", chain.diagnose());
    }

    #[test]
    fn a_display_that_stands_still_once_is_one_hitch_and_no_verdict(
        (hertz, refreshes) in display(),
        count in 200..900_usize,
        at in 40..160_usize,
        stall in 80.0..900.0_f64,
    ) {
        let frame = refreshes as f64 * 1e3 / hertz;
        prop_assume!(stall > 3.0 * frame && (stall - 150.0).abs() > 0.1);
        let shown: Vec<Option<f64>> = (0..count).map(|n| Some(n as f64 * frame + if n >= at { stall } else { 0.0 })).collect();
        let chain = chain(&vec![frame; count], &shown);
        let diagnosis = chain.diagnose();
        // From 150 ms and three times as long on it is a stop.
        let end = f64::min(1e3, 0.05 * count as f64 * frame);
        prop_assume!(((at + 1) as f64 * frame - end).abs() > 2.0 * frame);
        let is_inner = (at + 1) as f64 * frame > end;
        let kind = if stall > 150.0 && is_inner { StutterKind::Hitches } else { StutterKind::Even };
        prop_assert_eq!(kinds(&diagnosis), [kind], "{:?}", diagnosis);
        let hitches = chain.metrics().hitches;
        prop_assert!(hitches.len() == 1 && hitches[0].of == HitchOf::Display, "{hitches:?}");
        prop_assert!((hitches[0].ms - frame - stall).abs() < 1e-6, "{hitches:?}");
        prop_assert!((hitches[0].at_s - (at as f64 * frame + stall) / 1e3).abs() < 1e-6, "{hitches:?}");
    }
}

/// PresentMon's columns, with a row for each of these: sync interval, present mode, whether it tears, and the times of the present, since
/// the last present, and until display.
fn table(rows: impl Iterator<Item = (u32, &'static str, u32, f64, f64, f64)>, busy: Option<(f64, f64)>) -> SwapChain {
    let mut text = "SyncInterval,PresentMode,AllowsTearing,TimeInMs,MsBetweenPresents,MsUntilDisplayed".to_owned();
    text += if busy.is_some() { ",MsCPUBusy,MsGPUBusy\n" } else { "\n" };
    for (sync, mode, tears, time, between, until) in rows {
        text += &format!("{sync},{mode},{tears},{time:.4},{between:.4},{until:.4}");
        text += &busy.map_or_else(|| "\n".to_owned(), |(cpu, gpu)| format!(",{cpu},{gpu}\n"));
    }
    Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail)
        .unwrap()
        .main_chain()
        .clone()
}

const FLIP: &str = "Hardware: Independent Flip";
const REFRESH: f64 = 1e3 / 60.0;

#[test]
fn refreshes_that_a_program_with_vertical_sync_misses_are_named_and_the_cure_is_not_vertical_sync() {
    let mut time = 0.0;
    let rows = (0..6800).map(|n| {
        // 76 misses in four bursts.
        let took = if n % 1700 > 800 && n % 1700 < 840 && n % 2 == 0 {
            2.0 * REFRESH
        } else {
            REFRESH
        };
        time += took;
        (1, FLIP, 0, time, took, 20.0)
    });
    let diagnosis = table(rows, None).diagnose();
    assert_eq!(kinds(&diagnosis), [StutterKind::MissedRefreshes], "{diagnosis:?}");
    assert!((diagnosis[0].refresh_hz.unwrap() - 60.0).abs() < 0.01, "{diagnosis:?}");
    assert!(!diagnosis[0].cure.contains("vertical sync"), "{diagnosis:?}");
}

#[test]
fn less_work_in_slow_frames_is_a_cure_only_where_late_frames_are_slow() {
    let refresh = 1e3 / 120.0;
    for (refreshes, every) in [(1, 30), (2, 30), (4, 40), (4, 24)] {
        for is_slow in [false, true] {
            let (mut time, mut shown) = (0.0, 0.0);
            let rows = (0..3600).map(|n| {
                let frame = f64::from(refreshes) * refresh + noise(n, 0.05);
                // A late frame takes its refresh from the next one, if that has one to give.
                let late = if n % every == 1 { refresh } else { 0.0 };
                let early = if n % every == 2 && refreshes > 1 { refresh } else { 0.0 };
                let took = if is_slow { frame + late - early } else { frame };
                time += took;
                shown += f64::from(refreshes) * refresh + late - early;
                (0, FLIP, 0, time, took, shown + 400.0 - time)
            });
            let diagnosis = table(rows, None).diagnose();
            let says = diagnosis[0].cure.contains("slowest frames");
            assert_eq!(diagnosis[0].kind, StutterKind::MissedRefreshes, "{diagnosis:?}");
            assert_eq!(says, is_slow, "{refreshes}, {every}: {diagnosis:?}");
        }
    }
}

#[test]
fn the_part_that_is_busy_for_nine_tenths_limits_the_rate() {
    for (cpu, gpu, kind) in [
        (8.0, 9.1, StutterKind::GpuBound),
        (9.9, 9.1, StutterKind::GpuBound),
        (9.1, 7.9, StutterKind::CpuBound),
        (8.0, 8.9, StutterKind::Even),
        (8.9, 5.0, StutterKind::Even),
        (9.1, 8.1, StutterKind::Even),
    ] {
        let mut time = 0.0;
        let rows = (0..1800).map(|n| {
            // A rate that nothing holds.
            let took = 10.0 * (1.0 + 0.1 * (f64::from(n) / 90.0).sin());
            time += took;
            (0, FLIP, 0, time, took, 20.0)
        });
        let diagnosis = table(rows, Some((cpu, gpu))).diagnose();
        assert_eq!(diagnosis[0].kind, kind, "{cpu} and {gpu} ms of 10: {diagnosis:?}");
    }
}

#[test]
fn a_game_that_its_limiter_holds_is_not_bound_by_the_sleep_of_the_limiter() {
    let rows = (0..1800).map(|n| (0, FLIP, 0, f64::from(n) * REFRESH, REFRESH, 20.0));
    let diagnosis = table(rows, Some((16.5, 5.0))).diagnose();
    assert_eq!(kinds(&diagnosis), [StutterKind::Even], "{diagnosis:?}");
    assert!(diagnosis[0].evidence.starts_with("held at 60.00 fps"), "{diagnosis:?}");
}

#[test]
fn presents_of_which_every_second_is_never_displayed_outrun_the_display_and_are_not_called_generated() {
    for (short, long) in [(5.0, 8.0), (3.0, 12.0), (2.0, 14.67), (8.3, 8.3)] {
        let times: Vec<f64> = (0..3600)
            .map(|n| if n % 2 == 0 { short } else { long } + noise(n, 0.3))
            .collect();
        let shown = as_they_come(&times, |n| n % 2 == 0);
        let diagnosis = chain(&times, &shown).diagnose();
        assert_eq!(diagnosis[0].kind, StutterKind::UnevenDisplay, "{diagnosis:?}");
    }
}

#[test]
fn the_rates_of_frames_that_are_never_displayed_agree_with_their_share() {
    for (every, stop, slow_start) in [(2, 0, 0), (3, 400, 0), (4, 0, 90), (9, 400, 90)] {
        let times: Vec<f64> = (0..3600)
            .map(|n| if n < slow_start { 30.0 } else { 5.0 + noise(n, 0.1) })
            .collect();
        let shown = as_they_come(&times, |n| {
            let is_stop = (1000..1000 + stop).contains(&n);
            n < slow_start || n % every != 0 && !is_stop
        });
        let diagnosis = chain(&times, &shown).diagnose();
        let numbers = diagnosis[0].evidence.split([' ', ',', ';']);
        let numbers: Vec<f64> = numbers.filter_map(|word| word.parse().ok()).collect();
        let [share, rate, displayed] = numbers[..] else {
            panic!("{diagnosis:?}");
        };
        let expected = rate * (1.0 - share / 100.0);
        assert!((displayed / expected - 1.0).abs() < 0.01, "{diagnosis:?}");
    }
}

#[test]
fn no_figure_depends_on_where_the_clock_of_the_file_begins() {
    let frame = 1e3 / 60.0;
    let times = vec![frame; 900];
    // Two stops of the display, a frame that is never displayed, and a latency.
    let shown = |origin: f64| -> Vec<Option<f64>> {
        let at = |n: usize| origin + 25.0 + (n + 12 * usize::from(n >= 300) + 6 * usize::from(n >= 700)) as f64 * frame;
        (0..900).map(|n| (n != 450).then(|| at(n))).collect()
    };
    let measured = |origin: f64| {
        let mut chain = chain(&times, &shown(origin));
        for present in &mut chain.presents {
            present.presented += origin;
            present.simulated = present.simulated.map(|at| at + origin);
        }
        (chain.metrics(), chain.diagnose())
    };
    let (metrics, diagnosis) = measured(0.0);
    let hitches = [5.2, 11.966];
    assert_eq!(metrics.hitches.len(), hitches.len(), "{:?}", metrics.hitches);
    for (hitch, at) in metrics.hitches.iter().zip(hitches) {
        assert!((hitch.at_s - at).abs() < 0.01, "{hitch:?}");
    }
    for origin in [-4096.0, 1024.0, 1048576.0] {
        let (other, other_diagnosis) = measured(origin);
        for (one, other) in metrics.hitches.iter().zip(&other.hitches) {
            assert!(
                (one.at_s - other.at_s).abs() < 1e-6 && (one.ms - other.ms).abs() < 1e-6,
                "{one:?} {other:?}"
            );
        }
        let error = |of: &Metrics| of.animation_error_ms.unwrap().rms;
        assert!((error(&other) - error(&metrics)).abs() < 1e-6);
        assert!((other.display_interval_std_ms.unwrap() - metrics.display_interval_std_ms.unwrap()).abs() < 1e-6);
        assert_eq!((other.frames, other.displayed), (metrics.frames, metrics.displayed));
        assert_eq!(other_diagnosis, diagnosis);
    }
}

#[test]
fn each_percentile_is_the_time_of_its_rank() {
    // Distinct times of 1 to 2000 ms in any order.
    let times: Vec<f64> = (0..2000).map(|n| 1.0 + (n * 7 % 2000) as f64).collect();
    let found = chain(&times, &[]).metrics().frame_time_ms;
    let expected = [1000.0, 1900.0, 1980.0, 1998.0, 2000.0];
    let found = [found.median, found.p95, found.p99, found.p999, found.max];
    assert!(
        found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 0.2),
        "{found:?}"
    );
}

#[test]
fn two_steady_scenes_are_levels_with_the_time_of_the_change_and_even_in_each() {
    for (one, other) in [(240.0, 60.0), (60.0, 30.0), (30.0, 60.0), (144.0, 72.0)] {
        let rates: Vec<f64> = [vec![one; (10.0 * one) as usize], vec![other; (20.0 * other) as usize]].concat();
        let times: Vec<f64> = rates
            .iter()
            .enumerate()
            .map(|(n, rate)| 1e3 / rate + noise(n, 0.05))
            .collect();
        let mut now = 0.0;
        let shown: Vec<Option<f64>> = times
            .iter()
            .map(|time| {
                now += time;
                Some(now + 20.0)
            })
            .collect();
        for shown in [&shown[..], &[]] {
            let diagnosis = chain(&times, shown).diagnose();
            assert_eq!(kinds(&diagnosis), [StutterKind::Even], "{diagnosis:?}");
            let told = format!("2 levels, each even: {one:.1} fps until 10.0");
            assert!(diagnosis[0].evidence.starts_with(&told), "{diagnosis:?}");
        }
    }
}

#[test]
fn a_display_that_follows_a_changing_load_has_no_refresh_and_misses_none() {
    let mut time = 0.0;
    let rows = (0..2400).map(|n| {
        let took = 12.0 * (1.0 + noise(n, 0.3));
        time += took;
        (0, FLIP, 0, time, took, 8.0 + noise(n + 5, 0.02))
    });
    let diagnosis = table(rows, None).diagnose();
    assert_eq!(kinds(&diagnosis), [StutterKind::UnevenFrames], "{diagnosis:?}");
    assert_eq!(diagnosis[0].refresh_hz, None);
}

#[test]
fn two_presents_in_turn_are_pairs_and_name_no_refresh() {
    let times: Vec<f64> = (0..1800)
        .map(|n| if n % 2 == 0 { 0.6 } else { 15.4 } + noise(n, 0.05))
        .collect();
    let diagnosis = chain(&times, &[]).diagnose();
    assert_eq!(kinds(&diagnosis), [StutterKind::UnevenFrames], "{diagnosis:?}");
    assert!(
        diagnosis[0].evidence.contains("in turn, 62.5 pairs a second"),
        "{diagnosis:?}"
    );
}

#[test]
fn the_first_rows_of_a_capture_are_events_and_no_verdict() {
    let shown = |late: &[(usize, f64)]| -> Vec<Option<f64>> {
        let off = |n: usize| late.iter().find(|(row, _)| *row == n).map_or(0.0, |(_, off)| *off);
        (0..900).map(|n| Some(n as f64 * 2.0 * REFRESH + off(n))).collect()
    };
    let odd = [(2, 50.0), (3, 25.0), (5, 60.0), (6, 30.0), (9, 50.0)];
    for late in [&odd[..], &[(2, 64.0)]] {
        let chain = chain(&[2.0 * REFRESH; 900], &shown(late));
        let diagnosis = chain.diagnose();
        assert_eq!(kinds(&diagnosis), [StutterKind::Even], "{diagnosis:?}");
        assert!(diagnosis[0].evidence.contains("at the start"), "{diagnosis:?}");
    }
}

#[test]
fn a_start_that_a_compositor_shows_counts_for_no_verdict_and_a_later_time_does() {
    for (composed, kind) in [(0..140, StutterKind::Even), (900..1040, StutterKind::UnevenDisplay)] {
        let mut time = 0.0;
        let rows = (0..2000).map(|n| {
            let took = 12.0 + noise(n, 0.2);
            time += took;
            // Composed at the refreshes of a display with 120 Hz.
            let on_refresh = ((time + 20.0) / 8.333).ceil() * 8.333 - time;
            let (mode, until) = if composed.contains(&n) {
                ("Composed: Flip", on_refresh)
            } else {
                (FLIP, 20.0)
            };
            (0, mode, 0, time, took, until)
        });
        let diagnosis = table(rows, None).diagnose();
        assert_eq!(kinds(&diagnosis), [kind], "{diagnosis:?}");
        let is_said = diagnosis[0]
            .evidence
            .contains("a second after the present mode settled");
        assert_eq!(is_said, kind == StutterKind::Even, "{diagnosis:?}");
    }
}

#[test]
fn a_fault_of_one_half_says_which() {
    let shown: Vec<Option<f64>> = (0..1800_usize)
        .map(|n| Some((n + usize::from(n > 900 && n % 40 == 0)) as f64 * REFRESH))
        .collect();
    let diagnosis = chain(&[REFRESH; 1800], &shown).diagnose();
    assert_eq!(diagnosis[0].kind, StutterKind::MissedRefreshes, "{diagnosis:?}");
    assert!(diagnosis[0].evidence.ends_with(", only after 15.0 s"), "{diagnosis:?}");
}
