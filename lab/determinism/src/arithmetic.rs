//! The core's arithmetic, on random frames of several displays.

use std::hint::black_box;
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::history::Correction;
use evenstep::poses::{Motion2, Motion3, Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use evenstep::schedule::Schedule;
use evenstep::{
    Angle, Extrapolate, FixedTimestep, FrameStats, Inspect, Overrun, PositionVelocity, Rate, Smoothed, Smoothing,
    TimeScale, inspect,
};
use evenstep_scenes::Integrator;
use fastrand::Rng;

/// A part, which returns the hash of its results.
type Part = fn() -> u64;

pub(crate) const PARTS: [(&str, Part); 5] = [
    ("core-timestep", timestep),
    ("core-schedule", schedule),
    ("core-filter", filter),
    ("core-blending", blending),
    ("core-rotations", rotations),
];

const FRAMES: usize = 20_000;

/// Refresh periods of displays, in nanoseconds: 60, 59.94, 144, 50 and 240 Hz.
const PERIODS: [u64; 5] = [16_666_667, 16_683_333, 6_944_444, 20_000_000, 4_166_667];

const FILM_NUMER: u32 = 30_000;
const FILM_DENOM: u32 = 1_001;

/// The hash of the results so far.
#[derive(Default)]
struct Results(u64);

impl Results {
    fn add(&mut self, result: impl Inspect) {
        self.0 = inspect::hash(&(self.0, result));
    }
}

/// The lengths of frames on several displays in turn, with noise in the timestamps, missed refreshes, hitches and frames of no length.
fn deltas(seed: u64) -> impl Iterator<Item = Duration> {
    let mut random = Rng::with_seed(seed);
    let (mut period, mut late) = (PERIODS[0], 0);
    std::iter::repeat_with(move || {
        let refreshes = match random.u32(0..4_000) {
            0 => return Duration::from_millis(random.u64(100..2_000)),
            1..=4 => return Duration::ZERO,
            5..=20 => 2,
            _ => 1,
        };
        if random.u32(0..500) == 0 {
            // Not by a random `usize`, which differs where it has 32 bits.
            period = PERIODS[random.u32(..PERIODS.len() as u32) as usize];
        }
        let last = std::mem::replace(&mut late, random.u64(0..1_000_000));
        Duration::from_nanos((refreshes * period + late).saturating_sub(last))
    })
    .take(FRAMES)
}

/// Normal speed, slow motion, a pause and others.
fn scale(random: &mut Rng) -> TimeScale {
    let (numer, denom) = [(1, 1), (1, 2), (3, 10), (0, 1), (7, 3)][random.u32(..5) as usize];
    TimeScale::new(numer, denom).unwrap_or(TimeScale::NORMAL)
}

fn timestep() -> u64 {
    let max_speed = TimeScale::new(3, 2).unwrap_or(TimeScale::NORMAL);
    let max_backlog = Duration::from_millis(250);
    let with = |overrun| FixedTimestep::new(Rate::hz(60)).with_max_steps(5).with_overrun(overrun);
    let timesteps = [
        with(Overrun::Drop),
        with(Overrun::Carry { max_backlog }),
        with(Overrun::Stretch { max_speed }),
        with(Overrun::Drop).with_lookahead(),
    ];
    let mut results = Results::default();
    for (seed, mut timestep) in (1..).zip(timesteps) {
        let mut random = Rng::with_seed(seed);
        for delta in deltas(seed) {
            match random.u32(0..2_000) {
                0..20 => timestep.set_time_scale(scale(&mut random)),
                20..30 => timestep.pause(),
                30..100 => timestep.resume(),
                100..110 => timestep.step_once(),
                110..120 => timestep.resume_dropping(),
                120 => timestep.reset(),
                _ => {}
            }
            let mut frame = timestep.advance(delta);
            if random.u32(0..100) == 0 {
                frame = timestep.give_back(frame, random.u32(0..4));
            }
            frame.steps().for_each(|step| results.add((step.tick, step.dt)));
            let lost = frame.lost();
            results.add((
                frame.alpha(),
                frame.overstep(),
                frame.shown_time(Smoothing::Interpolate),
                frame.remainder().dt,
            ));
            results.add((lost.clamped, lost.paused, lost.dropped));
            results.add((frame.covered().start, frame.covered().end, timestep.until_next_step()));
        }
    }
    results.0
}

fn schedule() -> u64 {
    let film = Rate::new(FILM_NUMER, FILM_DENOM).unwrap_or(Rate::hz(30));
    let mut schedule = Schedule::new();
    let mut tasks = [Rate::hz(144), Rate::hz(60), film]
        .map(|rate| schedule.add(rate))
        .to_vec();
    tasks.push(schedule.add_with_phase(Rate::hz(10), Duration::from_millis(33)));
    let (mut random, mut results) = (Rng::with_seed(11), Results::default());
    for delta in deltas(11) {
        match random.u32(0..1_000) {
            0..10 => schedule.set_time_scale(scale(&mut random)),
            10 => schedule.pause(),
            11..31 => schedule.resume(),
            _ => {}
        }
        let lost = schedule.advance(delta);
        results.add((lost.clamped, lost.dropped));
        while let Some((task, step)) = schedule.next_step() {
            results.add((step.tick, step.dt, schedule.alpha(task)));
            if random.u32(0..200) == 0 {
                results.add(schedule.refuse());
                break;
            }
        }
        tasks.iter().for_each(|task| results.add(schedule.alpha(*task)));
        results.add((schedule.now(), schedule.until_next_step()));
    }
    results.0
}

fn filter() -> u64 {
    let mut clock = DisplayClock::new();
    let mut results = Results::default();
    for delta in deltas(41) {
        results.add((clock.apply(delta), clock.residual(), clock.period()));
    }
    results.0
}

fn blending() -> u64 {
    let mut timestep = FixedTimestep::new(Rate::hz(50));
    let start = PositionVelocity {
        position: 1.0,
        velocity: 0.0,
    };
    let mut bodies = Integrator::ALL.map(|integrator| (integrator, Smoothed::new(start)));
    let mut hand = Smoothed::new(Angle::new(0.0));
    let mut correction = Correction::new(Duration::from_millis(200), 1.0);
    let (mut stats, mut results) = (FrameStats::<120>::new(), Results::default());
    let horizon = Duration::from_millis(15);
    for (number, delta) in deltas(61).enumerate() {
        let frame = timestep.advance(delta);
        for step in frame.steps() {
            hand.begin_step();
            hand.set(Angle::new(hand.current().radians() + 0.7));
            for (integrator, body) in &mut bodies {
                body.begin_step();
                let pull = |at: &PositionVelocity<f64>| -30.0 * at.position - 0.2 * at.velocity + 5.0;
                *body.current_mut() = integrator.step(*body.current(), step.dt, pull);
            }
        }
        let (alpha, truth) = (frame.alpha(), bodies[1].1.current().position);
        results.add(hand.at(alpha));
        for (_, body) in &bodies {
            for smoothing in [
                Smoothing::Interpolate,
                Smoothing::Hermite,
                Smoothing::Extrapolate { horizon },
            ] {
                results.add(body.drawn(smoothing, alpha, 0.02));
            }
        }
        correction.advance(delta);
        if number % 50 == 0 {
            correction.correct(truth + 0.5, truth);
        }
        results.add(correction.apply(truth));
        stats.record(delta, &frame);
    }
    results.add((stats.animation_error_rms(), stats.frame_time_percentile(99.0)));
    results.0
}

/// The number of bodies: more than one block, and not a whole number of blocks.
const BODIES: usize = 75;

/// Bodies that turn, rest and teleport, drawn in every way, and the angles of what is drawn.
fn rotations() -> u64 {
    let (mut random, mut results) = (Rng::with_seed(51), Results::default());
    let (mut plane, mut space) = (Poses2::new(), Poses3::new());
    let (mut slides, mut spins) = (Vec::new(), Vec::new());
    for _ in 0..BODIES {
        plane.push(motion2(&mut random).pose);
        space.push(motion3(&mut random).pose);
        slides.push(Smoothed::new(motion2(&mut random)));
        spins.push(Smoothed::new(motion3(&mut random)));
    }
    let (mut flat, mut deep) = (vec![Pose2::IDENTITY; BODIES], vec![Pose3::IDENTITY; BODIES]);
    let (mut matrices2, mut matrices3) = (vec![[[0.0; 2]; 3]; BODIES], vec![[[0.0; 4]; 4]; BODIES]);
    let horizon = Duration::from_millis(30);
    let smoothings = [
        Smoothing::Interpolate,
        Smoothing::Hermite,
        Smoothing::Extrapolate { horizon },
    ];
    for alpha in [0.0, 0.125, 0.3, 0.75, 0.999].into_iter().cycle().take(60) {
        plane.begin_step();
        space.begin_step();
        slides.iter_mut().for_each(Smoothed::begin_step);
        spins.iter_mut().for_each(Smoothed::begin_step);
        for body in 0..BODIES {
            let (to2, to3) = (motion2(&mut random), motion3(&mut random));
            match random.u32(0..20) {
                0 => _ = plane.teleport(body, to2.pose),
                1..5 => {}
                turn => {
                    let by = turn as f32 / 20.0;
                    let pose = plane.current(body).unwrap_or_default();
                    plane.set(
                        body,
                        Pose2::new(pose.position.map(|x| x + by), pose.rotation.turned(by)),
                    );
                    let pose = space.current(body).unwrap_or_default();
                    let rotation = Quat::from_scaled_axis([by, -0.5 * by, 0.2]).after(pose.rotation);
                    space.set(body, Pose3::new(pose.position.map(|x| x - by), rotation));
                    slides[body].set(to2);
                    spins[body].set(to3);
                }
            }
        }
        plane.blend_range_matrices(0, alpha, &mut matrices2);
        space.blend_range_matrices(0, alpha, &mut matrices3);
        results.add((&matrices2, &matrices3));
        plane.blend(alpha, &mut flat);
        space.blend(alpha, &mut deep);
        add_poses(&mut results, &flat, &deep);
        for smoothing in smoothings {
            for (pose, slide) in flat.iter_mut().zip(&slides) {
                *pose = drawn(slide, smoothing, alpha, |motion| motion.pose);
            }
            for (pose, spin) in deep.iter_mut().zip(&spins) {
                *pose = drawn(spin, smoothing, alpha, |motion| motion.pose);
            }
            add_poses(&mut results, &flat, &deep);
        }
    }
    results.0
}

/// Where a body is drawn; one that rests is drawn where it is, whatever its velocity.
fn drawn<M: Extrapolate + Copy, P: PartialEq>(
    body: &Smoothed<M>,
    smoothing: Smoothing,
    alpha: f64,
    pose: fn(M) -> P,
) -> P {
    let current = pose(*body.current());
    if pose(*body.previous()) == current {
        return current;
    }
    pose(body.drawn(smoothing, alpha, 1.0 / 60.0))
}

fn add_poses(results: &mut Results, flat: &[Pose2], deep: &[Pose3]) {
    flat.iter()
        .for_each(|pose| results.add((pose, pose.rotation.radians())));
    deep.iter()
        .for_each(|pose| results.add((pose, pose.rotation.to_scaled_axis())));
}

/// Random numbers from −10 to 10.
fn numbers<const N: usize>(random: &mut Rng) -> [f32; N] {
    std::array::from_fn(|_| random.i32(-30_000..=30_000) as f32 / 3_000.0)
}

fn motion2(random: &mut Rng) -> Motion2 {
    let [angle, angular_velocity] = numbers(random);
    Motion2 {
        pose: Pose2::new(numbers(random), Rot2::from_radians(angle)),
        velocity: numbers(random),
        angular_velocity,
    }
}

fn motion3(random: &mut Rng) -> Motion3 {
    Motion3 {
        pose: Pose3::new(numbers(random), Quat::from_scaled_axis(numbers(random))),
        velocity: numbers(random),
        angular_velocity: numbers(random),
    }
}

/// Panics if the exact product of two `f32` is not exact in `f64`. The results of a processor or an emulator that fails here are worthless.
///
/// QEMU before 8.1 (8.0.4 in its series) reads the first factor of the s390x's MDEBR as an `f64`: 1.5 × 1.25 is
/// 0.15625000062565148 there.
pub(crate) fn check_products() {
    /// A separate function, because the compiler uses another instruction if a factor comes from memory.
    #[inline(never)]
    fn product(x: f32, y: f32) -> f64 {
        f64::from(x) * f64::from(y)
    }

    for (x, y, exact) in [(1.5, 1.25, 1.875), (-3.0, 0.75, -2.25)] {
        let found = product(black_box(x), black_box(y));
        assert!(
            found == exact,
            "this processor is broken, or its emulator: {x} × {y} = {found}"
        );
    }
}
