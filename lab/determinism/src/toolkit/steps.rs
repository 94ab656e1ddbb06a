//! `FixedTimestep` under every overrun policy, with all events that can affect it.

use evenstep::{FixedTimestep, Frame, Rate, Step};
use fastrand::Rng;

use super::settings::{scale, timesteps};
use crate::bits::Bits;
use crate::frames::Frames;

pub(super) fn run(frames: u32) -> u64 {
    let mut bits = Bits::default();
    for (seed, mut timestep) in (1..).zip(timesteps(Rate::hz(60))) {
        let (mut displays, mut random) = (Frames::new(seed), Rng::with_seed(seed));
        for _ in 0..frames {
            disturb(&mut timestep, &mut random, &mut bits);
            let mut frame = timestep.advance(displays.next_delta());
            if random.u32(0..100) == 0 {
                frame = timestep.give_back(frame, random.u32(0..4));
            }
            take(&mut bits, &frame);
            bits.time(timestep.until_next_step().unwrap_or_default());
        }
    }
    bits.finish()
}

/// The effects of a player, a menu or a loading level on time.
fn disturb(timestep: &mut FixedTimestep, random: &mut Rng, bits: &mut Bits) {
    match random.u32(0..2_000) {
        0..20 => timestep.set_time_scale(scale(random.u32(..))),
        20..30 => timestep.suspend(),
        30..100 => timestep.resume(),
        100..110 => timestep.step_once(),
        110..120 => timestep.resync(),
        120..125 => timestep.set_max_steps(random.u32(1..8)),
        125..140 => *timestep = stored_and_read(timestep, bits),
        140 => timestep.reset(),
        _ => {}
    }
}

/// Writes the timestep to a file, hashes the file, and reads it back.
fn stored_and_read(timestep: &FixedTimestep, bits: &mut Bits) -> FixedTimestep {
    let file = postcard::to_stdvec(timestep).expect("a timestep can be stored");
    bits.bytes(&file);
    postcard::from_bytes(&file).expect("what was stored is read")
}

pub(super) fn take_steps(bits: &mut Bits, steps: impl Iterator<Item = Step>) {
    for step in steps {
        bits.whole(step.tick);
        bits.float(step.dt);
        bits.time(step.duration());
    }
}

pub(super) fn take(bits: &mut Bits, frame: &Frame) {
    take_steps(bits, frame.steps());
    bits.float(frame.alpha());
    bits.float(frame.overstep().as_secs_f64());
    bits.time(frame.drawn_time().to_duration());
    bits.float(frame.remainder().dt);
    let lost = frame.lost();
    bits.time(lost.clamped);
    bits.time(lost.suspended);
    bits.whole(lost.dropped);
    bits.float(lost.rounded.as_secs_f64());
    let covered = frame.covered();
    bits.whole(covered.start as u64);
    bits.whole(covered.end as u64);
}
