//! `Schedule`: five rates, slewed, scaled, and occasionally refused.

use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{Rate, TimeScale};
use fastrand::Rng;

use super::settings::scale;
use crate::bits::Bits;
use crate::frames::Frames;

pub(super) fn run(frames: u32) -> u64 {
    let film = Rate::new(30_000, 1_001).unwrap_or(Rate::hz(30));
    let mut schedule = Schedule::new();
    let mut tasks = [Rate::hz(144), Rate::hz(60), film, Rate::hz(20)]
        .map(|rate| schedule.add(rate))
        .to_vec();
    tasks.push(schedule.add_with_phase(Rate::hz(10), Duration::from_millis(33)));
    let (mut displays, mut random, mut bits) = (Frames::new(11), Rng::with_seed(11), Bits::default());
    let (mut game, mut slew) = (TimeScale::NORMAL, Ok(TimeScale::NORMAL));
    for _ in 0..frames {
        match random.u32(0..1_000) {
            0..10 => game = scale(random.u32(..)),
            10..20 => slew = TimeScale::new(1_000_u32.saturating_add_signed(random.i32(-100..=100)), 1_000),
            20 => schedule.suspend(),
            21..40 => schedule.resume(),
            _ => {}
        }
        if let Some(speed) = slew.ok().and_then(|slew| game.checked_mul(slew)) {
            schedule.set_time_scale(speed);
        }
        let lost = schedule.advance(displays.next_delta());
        bits.time(lost.clamped);
        bits.float(lost.dropped.as_secs_f64());
        while let Some((task, step)) = schedule.next_step() {
            bits.whole(step.tick);
            bits.float(step.dt);
            bits.float(schedule.alpha(task).unwrap_or(f64::NAN));
            if random.u32(0..200) == 0 {
                bits.whole(u64::from(schedule.refuse()));
                break;
            }
        }
        tasks
            .iter()
            .for_each(|task| bits.float(schedule.alpha(*task).unwrap_or(f64::NAN)));
        bits.time(schedule.until_next_step().unwrap_or_default());
    }
    bits.float(schedule.now().as_secs_f64());
    bits.finish()
}
