//! The drawing of a single body, the ways of stepping that a fixed timestep replaces, and the statistics.

use std::time::Duration;

use evenstep::{Angle, FixedTimestep, FrameStats, PositionVelocity, Rate, Smoothed, Smoothing, Step};
use evenstep_scenes::Integrator;
use evenstep_scenes::stepping::VariableTimestep;

use super::steps;
use crate::bits::Bits;
use crate::frames::Frames;

type Body = PositionVelocity<f64>;

pub(super) fn run(frames: u32) -> u64 {
    let mut bits = Bits::default();
    smoothing(frames, &mut bits);
    stepping(frames, &mut bits);
    bits.finish()
}

fn step(integrator: Integrator, body: &mut Body, step: &Step) {
    *body = integrator.step(*body, step.dt, |at| -30.0 * at.position - 0.2 * at.velocity + 5.0);
}

fn smoothing(frames: u32, bits: &mut Bits) {
    let mut timestep = FixedTimestep::new(Rate::hz(50));
    let start = Body {
        position: 1.0,
        velocity: 0.0,
    };
    let mut bodies = Integrator::ALL.map(|integrator| (integrator, Smoothed::new(start)));
    let mut hand = Smoothed::new(Angle::new(0.0));
    let (mut stats, mut displays) = (FrameStats::<120>::new(), Frames::new(61));
    let horizon = Duration::from_millis(15);
    for _ in 0..frames {
        let delta = displays.next_delta();
        let frame = timestep.advance(delta);
        for tick in frame.steps() {
            hand.begin_step();
            hand.set(Angle::new(hand.current().radians() + 0.7));
            for (integrator, body) in &mut bodies {
                body.begin_step();
                step(*integrator, body.current_mut(), &tick);
            }
        }
        let (alpha, dt) = (frame.alpha(), 0.02);
        bits.float(hand.at(alpha).radians());
        for (_, body) in &bodies {
            for smoothing in [
                Smoothing::Interpolate,
                Smoothing::Hermite,
                Smoothing::Extrapolate { horizon },
            ] {
                bits.float(body.drawn(smoothing, alpha, dt).position);
            }
        }
        let (integrator, truth) = &bodies[1];
        let mut copy = *truth.current();
        let remainder = frame.remainder();
        if remainder.dt > 0.0 {
            step(*integrator, &mut copy, &remainder);
        }
        bits.float(copy.position);
        stats.record(delta, &frame);
    }
    bits.float(stats.animation_error_rms());
    bits.time(stats.frame_time_percentile(99.0).unwrap_or_default());
}

fn stepping(frames: u32, bits: &mut Bits) {
    let rate = Rate::hz(60);
    let ways = [
        VariableTimestep::new(),
        VariableTimestep::semi_fixed(rate),
        VariableTimestep::locked(rate),
    ];
    for (seed, mut timestep) in (71..).zip(ways) {
        let mut displays = Frames::new(seed);
        for _ in 0..frames / 4 {
            let frame = timestep.advance(displays.next_delta());
            steps::take_steps(bits, frame.steps());
            bits.time(frame.current_time().to_duration());
        }
    }
}
