//! Work whose instructions `cargo xtask instructions` counts: `instruction_count WORK TIMES` repeats `WORK`.

use std::hint::black_box;
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use evenstep::{FixedTimestep, Rate};

/// The number of bodies that are blended at once.
const BODIES: usize = 1024;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, times] = arguments.as_slice() else {
        return eprintln!("give the work and how many times: instruction_count advance 1000");
    };
    let Ok(times) = times.parse() else {
        return eprintln!("{times:?} is not a number of repetitions");
    };
    match work.as_str() {
        "advance" => advance(times),
        "display-clock" => display_clock(times),
        "blend-2d" => blend_2d(times),
        "blend-3d" => blend_3d(times),
        "capture-2d" => capture_2d(times),
        "capture-3d" => capture_3d(times),
        "teleport-2d" => teleport_2d(times),
        _ => eprintln!("no work is called {work:?}"),
    }
}

/// Frames of a display near the rate of steps, each slightly late.
fn delta(frame: u32) -> Duration {
    Duration::from_nanos(16_600_000 + u64::from(frame.wrapping_mul(2_654_435_761) % 140_000))
}

fn advance(frames: u32) {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    for frame in 0..frames {
        let frame = timestep.advance(black_box(delta(frame)));
        for step in frame.steps() {
            black_box(step.dt);
        }
        black_box(frame.alpha());
    }
}

fn display_clock(frames: u32) {
    let mut clock = DisplayClock::new();
    for frame in 0..frames {
        black_box(clock.apply(black_box(delta(frame))));
    }
}

fn pose2(body: usize, step: f32) -> Pose2 {
    let place = body as f32;
    Pose2::new([place + step, place], Rot2::from_radians(place + 0.01 * step))
}

fn pose3(body: usize, step: f32) -> Pose3 {
    let place = body as f32;
    Pose3::new(
        [place + step, place, 1.0],
        Quat::from_scaled_axis([0.3, 0.01 * step, 0.1]),
    )
}

macro_rules! poses {
    ($blend:ident, $capture:ident, $poses:ty, $pose:ty, $at:path) => {
        fn $blend(times: u32) {
            let mut poses = <$poses>::new();
            (0..BODIES).for_each(|body| _ = poses.push($at(body, 0.0)));
            poses.begin_step();
            (0..BODIES).for_each(|body| {
                poses.set(body, $at(body, 1.0));
            });
            let mut out = vec![<$pose>::IDENTITY; BODIES];
            for _ in 0..times {
                poses.blend(black_box(0.375), &mut out);
                black_box(&out);
            }
        }

        fn $capture(times: u32) {
            let mut poses = <$poses>::new();
            (0..BODIES).for_each(|body| _ = poses.push($at(body, 0.0)));
            let after: Vec<$pose> = (0..BODIES).map(|body| $at(body, 1.0)).collect();
            for _ in 0..times {
                poses.begin_step();
                for (body, pose) in black_box(&after).iter().enumerate() {
                    poses.set(body, *pose);
                }
                black_box(&poses);
            }
        }
    };
}

poses!(blend_2d, capture_2d, Poses2, Pose2, pose2);
poses!(blend_3d, capture_3d, Poses3, Pose3, pose3);

/// All bodies teleport, are asked whether they teleported, and are replaced.
fn teleport_2d(times: u32) {
    let mut poses = Poses2::new();
    (0..BODIES).for_each(|body| _ = poses.push(pose2(body, 0.0)));
    let after: Vec<Pose2> = (0..BODIES).map(|body| pose2(body, 1.0)).collect();
    for _ in 0..times {
        poses.begin_step();
        for (body, pose) in black_box(&after).iter().enumerate() {
            poses.teleport(body, *pose);
        }
        assert!((0..BODIES).all(|body| poses.has_teleported(body)));
        for (body, pose) in black_box(&after).iter().enumerate() {
            poses.reset(body, *pose);
        }
        black_box(&poses);
    }
}
