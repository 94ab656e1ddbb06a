//! What calls do at the ends of their ranges, as their documentation says: zero, the largest number, infinity and NaN.

use std::time::Duration;

use evenstep_present::{Pacer, PresentClock, PresentFeedback, RefreshGrid};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_percentile_beyond_its_range_counts_as_the_nearer_end_and_nan_as_zero() {
    for (percent, expected) in [(f64::NAN, 1), (-1.0, 1), (1e9, 8)] {
        let mut pacer = Pacer::new().with_percentile(percent);
        assert_eq!(pacer.cost(), None);
        for millis in 1..=8 {
            let plan = pacer.next_frame(ms(100), None);
            pacer.finish(plan, plan.begin + ms(millis));
        }
        assert_eq!(pacer.cost(), Some(ms(expected)), "{percent}");
    }
}

#[test]
fn a_refresh_grid_takes_every_number_and_every_time() {
    let mut grid = RefreshGrid::new();
    assert_eq!((grid.predict(0, ms(1)), grid.next_refresh(Duration::MAX)), (None, None));
    for (id, at) in [(1, Duration::ZERO), (2, ms(16)), (u64::MAX, Duration::MAX)] {
        grid.submit(id, at);
        let feedback = PresentFeedback::new(id, at)
            .with_refresh(Duration::MAX)
            .with_reliable(true);
        grid.observe(feedback, at);
    }
    for frames in [0, 1, u32::MAX] {
        let near = grid.predict(frames, Duration::MAX);
        assert!(near.is_none_or(|near| near.at <= Duration::MAX), "{near:?}");
    }
    assert_eq!(grid.predict(u32::MAX, ms(1)), None);
    let end = grid.clone();
    grid.submit(7, ms(20));
    grid.observe(PresentFeedback::discarded(7), ms(21));
    assert_eq!(grid, end, "no frame follows that with the largest number");
}

#[test]
fn types_are_send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<PresentClock>();
    both::<Pacer>();
    both::<RefreshGrid>();
}
