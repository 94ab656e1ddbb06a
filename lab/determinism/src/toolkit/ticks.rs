//! `TickSync`: ticks that are kept in step over a network that loses packets, with occasional invalid input.

use std::time::Duration;

use evenstep::network::{InputReport, Pong, TickJump, TickSync};
use evenstep::{FixedTimestep, Rate};
use fastrand::Rng;

use super::settings::scale;
use crate::bits::Bits;
use crate::frames::Frames;

pub(super) fn run(frames: u32) -> u64 {
    let rate = Rate::new(60_000, 1_001).unwrap_or(Rate::hz(60));
    let (mut timestep, mut sync) = (FixedTimestep::new(rate), TickSync::new(rate));
    let (mut displays, mut random, mut bits) = (Frames::new(61), Rng::with_seed(61), Bits::default());
    let (mut now, mut game) = (Duration::ZERO, timestep.time_scale());
    for _ in 0..frames {
        let delta = displays.next_delta();
        now += delta;
        let frame = timestep.advance(delta);
        if random.u32(0..500) == 0 {
            game = scale(random.u32(..));
        }
        let adjustment = sync.advance(now, frame.tick(), frame.overstep(), game);
        timestep.set_time_scale(adjustment.speed);
        bits.whole(u64::from(adjustment.speed.numer()));
        bits.whole(u64::from(adjustment.speed.denom()));
        bits.whole(match adjustment.jump {
            None => 0,
            Some(TickJump::Joined { tick }) => tick,
            Some(TickJump::Forward { ticks }) => ticks,
            Some(TickJump::Wait { left }) => left.subsec_nanos().into(),
        });
        bits.whole(sync.tick(frame.tick()).unwrap_or_default());
        bits.whole(sync.early().unwrap_or_default() as u64);
        let way = Duration::from_micros(random.u64(5_000..60_000));
        let error = Duration::from_micros(random.u64(0..40_000));
        if random.u32(0..10) == 0 {
            bits.whole(u64::from(sync.observe_pong(Pong {
                sent: now.saturating_sub(way),
                received: Duration::ZERO,
                replied: Duration::from_micros(random.u64(0..500)),
                arrived: now,
                simulated: now + error,
            })));
        }
        let tick = sync.tick(frame.tick()).unwrap_or_default();
        let early = if random.u32(0..1_000) == 0 {
            random.i64(..)
        } else {
            random.i64(-20_000_000..60_000_000)
        };
        let report = InputReport {
            tick: tick.saturating_sub(random.u64(0..8)),
            early,
        };
        bits.whole(u64::from(sync.observe_input(report)));
    }
    bits.finish()
}
