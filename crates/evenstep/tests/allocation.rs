//! The steady state allocates nothing.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};

#[test]
fn advancing_and_stepping_allocate_nothing() {
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(3, 2).unwrap(),
    };
    let mut ticks = 0;
    let info = allocation_counter::measure(|| {
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        for overrun in [
            Overrun::Drop,
            Overrun::Carry {
                max_backlog: Duration::MAX,
            },
            stretch,
        ] {
            timestep.set_overrun(overrun);
            for millis in 0..300 {
                timestep.set_time_scale(TimeScale::new(1 + millis % 3, 1 + millis % 7).unwrap());
                let frame = timestep.advance(Duration::from_millis(u64::from(millis)));
                ticks += frame.steps().count();
                let _ = timestep.give_back(frame, 1);
            }
        }
    });
    assert!(ticks > 1000);
    assert_eq!(info.count_total, 0);
}
