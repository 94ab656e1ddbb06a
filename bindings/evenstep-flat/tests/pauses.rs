//! Pauses and slow motion, as programs in other languages see them.

use evenstep_flat::schedule::Tasks;
use evenstep_flat::stats::Stats;
use evenstep_flat::timestep::Timestep;

const MS: i64 = 1_000_000;

#[test]
fn a_loop_that_sleeps_until_the_next_step_wakes_after_a_pause() {
    let (mut timestep, mut tasks) = (Timestep::new(100, 1).unwrap(), Tasks::new());
    timestep.begin_frame(0).unwrap();
    tasks.add(100, 1, 0).unwrap();
    tasks.begin_frame(0).unwrap();
    timestep.pause();
    tasks.pause();
    assert_eq!((timestep.until_next_step(), tasks.until_next_step()), (None, None));
    timestep.resume();
    tasks.resume();
    assert_eq!(
        (timestep.until_next_step(), tasks.until_next_step()),
        (Some(0), Some(0))
    );
    timestep.begin_frame(5_000 * MS).unwrap();
    tasks.begin_frame(5_000 * MS).unwrap();
    let period = Some(10 * MS);
    assert_eq!((timestep.until_next_step(), tasks.until_next_step()), (period, period));
}

#[test]
fn slow_motion_and_a_pause_menu_are_neither_uneven_nor_lost() {
    let (mut timestep, mut stats) = (Timestep::new(100, 1).unwrap(), Stats::new());
    timestep.begin_frame(0).unwrap();
    let mut now = 0;
    for (scale, frames, length) in [((1, 1), 50, 16), ((1, 2), 50, 16), ((0, 1), 1, 5_000), ((1, 1), 50, 16)] {
        timestep.set_time_scale(scale.0, scale.1).unwrap();
        for _ in 0..frames {
            now += length * MS;
            timestep.begin_frame(now).unwrap();
            stats.record(&timestep).unwrap();
        }
    }
    let report = stats.report();
    assert_eq!(
        (report.clamped, report.dropped, report.frame_time_longest),
        (0, 0, 5_000 * MS)
    );
    assert!(report.animation_error < 1e-9, "{} s", report.animation_error);
}
