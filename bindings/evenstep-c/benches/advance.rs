//! What a frame of the loop costs through the C library's functions, beside Rust. They are called as C calls them, by a pointer that the
//! compiler cannot see through; the code is that of the static library.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Duration;

use evenstep::{FixedTimestep, Rate};
use evenstep_benches::Comparison;
use evenstep_c::status::Status;
use evenstep_c::timestep::{TimestepId, es_timestep_advance, es_timestep_begin_frame, es_timestep_create};
use evenstep_flat::timestep::Frame;

const FRAMES: usize = 100_000;

type Call = extern "C" fn(TimestepId, i64, Option<&mut MaybeUninit<Frame>>) -> Status;

/// 144 Hz with up to 2 ms of jitter, the same in every run.
fn deltas() -> Vec<i64> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..FRAMES).map(|_| random.i64(5_944_444..7_944_444)).collect()
}

fn in_rust(timestep: &mut FixedTimestep, deltas: &[Duration]) -> f32 {
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    for delta in black_box(deltas) {
        let frame = timestep.advance(*delta);
        for step in frame.steps() {
            previous = current;
            current += 3.0 * step.dt as f32;
        }
        drawn += previous + (current - previous) * frame.alpha() as f32;
    }
    drawn
}

/// Hands over what `time` makes of each delta.
fn in_c(call: Call, timestep: TimestepId, deltas: &[i64], mut time: impl FnMut(i64) -> i64) -> f32 {
    let (mut previous, mut current, mut drawn) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut place = MaybeUninit::new(Frame::default());
    for delta in black_box(deltas) {
        if call(timestep, time(*delta), Some(&mut place)) != Status::Ok {
            continue;
        }
        // SAFETY: it was written from the beginning, and is again by every call.
        let frame = unsafe { place.assume_init_ref() };
        for _tick in frame.first_tick..frame.tick {
            previous = current;
            current += 3.0 * frame.dt as f32;
        }
        drawn += previous + (current - previous) * frame.alpha as f32;
    }
    drawn
}

fn created() -> TimestepId {
    let mut place = MaybeUninit::new(TimestepId::default());
    assert_eq!(es_timestep_create(60, 1, Some(&mut place)), Status::Ok);
    // SAFETY: it was written from the beginning.
    unsafe { place.assume_init() }
}

fn main() {
    let nanos = deltas();
    let deltas: Vec<_> = nanos
        .iter()
        .map(|nanos| Duration::from_nanos(nanos.unsigned_abs()))
        .collect();
    let mut rust = FixedTimestep::new(Rate::hz(60));
    let (by_delta, by_time) = (created(), created());
    let mut now = 0;
    let table = Comparison::new("One frame: take the delta, run the steps, blend", FRAMES)
        .entry("Rust, FixedTimestep::advance", || {
            black_box(in_rust(&mut rust, &deltas));
        })
        .entry("C, es_timestep_advance", || {
            black_box(in_c(black_box(es_timestep_advance), by_delta, &nanos, |delta| delta));
        })
        .entry("C, es_timestep_begin_frame, times added up", || {
            let added_up = |delta| {
                now += delta;
                now
            };
            black_box(in_c(black_box(es_timestep_begin_frame), by_time, &nanos, added_up));
        })
        .run();
    print!("{table}");
}
