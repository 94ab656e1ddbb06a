//! With any feedback time is conserved, and nothing panics.

use std::time::Duration;

use evenstep::filter::DeltaFilter;
use evenstep_present::{PresentClock, PresentFeedback, RefreshGrid};
use proptest::prelude::*;

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

/// Feedback of an earlier frame, with its latency.
#[derive(Clone, Debug)]
struct Report {
    frames_ago: u64,
    seen_after: Option<Duration>,
    refresh: Duration,
    reliable: bool,
    arrived_after: Duration,
}

fn any_report(time: fn() -> BoxedStrategy<Duration>) -> impl Strategy<Value = Option<Report>> {
    let report = (
        0..6_u64,
        prop::option::weighted(0.8, time()),
        time(),
        any::<bool>(),
        time(),
    );
    let report = report.prop_map(|(frames_ago, seen_after, refresh, reliable, arrived_after)| Report {
        frames_ago,
        seen_after,
        refresh,
        reliable,
        arrived_after,
    });
    prop::option::weighted(0.8, report)
}

fn wild() -> BoxedStrategy<Duration> {
    any_duration().boxed()
}

fn tame() -> BoxedStrategy<Duration> {
    (0..60_000_000_u64).prop_map(Duration::from_nanos).boxed()
}

/// Runs a clock, and checks after each frame that its residual is the sum of inputs less the sum of outputs, and above minus its lead.
fn assert_conserved(frames: &[(Duration, Option<Report>)], most: Option<i64>) {
    let (mut clock, mut now) = (PresentClock::new(), Duration::ZERO);
    let (mut came_in, mut given) = (0_i128, 0_i128);
    for (delta, report) in frames {
        came_in += delta.as_nanos() as i128;
        now = now.saturating_add(*delta);
        given += clock.apply(*delta).as_nanos() as i128;
        assert_eq!(i128::from(clock.residual()), (came_in - given).min(i64::MAX.into()));
        assert!(clock.residual() >= -(clock.max_lead().as_nanos() as i64));
        assert!(
            most.is_none_or(|most| clock.residual() <= most),
            "{} ns",
            clock.residual()
        );
        let Some(report) = report else { continue };
        let feedback = PresentFeedback::new(
            clock.frame().saturating_sub(report.frames_ago),
            report.seen_after.map(|after| now.saturating_add(after)),
        )
        .with_refresh(report.refresh)
        .with_reliable(report.reliable);
        clock.observe(feedback, now.saturating_add(report.arrived_after));
    }
}

proptest! {
    #[test]
    fn any_feedback_conserves_time(frames in prop::collection::vec((any_duration(), any_report(wild)), 1..150)) {
        assert_conserved(&frames, None);
    }

    #[test]
    fn the_residual_stays_below_a_second(frames in prop::collection::vec((tame(), any_report(tame)), 1..300)) {
        assert_conserved(&frames, Some(1_000_000_000));
    }

    #[test]
    fn frames_on_a_grid_are_predicted_within_the_uncertainty(
        period in 2_700_000..42_000_000_u64,
        noise in 0..30_000_u64,
        late in 1..4_u64,
        missing in prop::collection::vec(any::<bool>(), 100),
        random in any::<u64>(),
    ) {
        let refresh = |n: u64| Duration::from_nanos(n * period);
        let mut grid = RefreshGrid::new();
        for frame in 1..=100_u64 {
            let begin = refresh(frame);
            if frame > late + 1 && (!missing[frame as usize - 1] || frame > 95) {
                let id = frame - late - 1;
                let off = random.wrapping_mul(frame).wrapping_add(frame * frame * 7_919) % (noise + 1);
                let presented = Some(refresh(id + 1) + Duration::from_nanos(off));
                let feedback = PresentFeedback::new(id, presented).with_refresh(refresh(1)).with_reliable(true);
                grid.observe(feedback, begin + Duration::from_millis(1));
            }
            grid.submit(frame, begin);
        }
        let next = grid.predict(grid.frames_in_flight(), refresh(101)).unwrap();
        let miss = next.at.abs_diff(refresh(102));
        prop_assert!(miss <= 2 * next.uncertainty + Duration::from_nanos(noise + 10), "off by {:?}, {:?}", miss, next);
    }

    #[test]
    fn a_prediction_is_never_before_now(
        frames in prop::collection::vec((any_duration(), any_report(wild)), 1..100), in_flight in any::<u32>(),
    ) {
        let (mut grid, mut now) = (RefreshGrid::new(), Duration::ZERO);
        for (id, (delta, report)) in frames.into_iter().enumerate() {
            now = now.saturating_add(delta);
            grid.submit(id as u64, now);
            if let Some(report) = report {
                let presented = report.seen_after.map(|after| now.saturating_add(after));
                let id = (id as u64).saturating_sub(report.frames_ago);
                let feedback = PresentFeedback::new(id, presented).with_refresh(report.refresh).with_reliable(report.reliable);
                grid.observe(feedback, now.saturating_add(report.arrived_after));
            }
            for in_flight in [grid.frames_in_flight(), in_flight] {
                if let Some(next) = grid.predict(in_flight, now) {
                    prop_assert!(next.at >= now && next.at <= now.saturating_add(9 * next.period));
                }
            }
        }
    }
}
