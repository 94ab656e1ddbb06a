//! What a program in C cannot see: that frames allocate nothing, and that the table of objects is sound.

use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::thread;

use evenstep_c::input::{InputId, es_input_begin_frame, es_input_begin_step, es_input_create, es_input_press};
use evenstep_c::objects::{es_hand_over, es_take_over};
use evenstep_c::poses::{PosesId, es_poses_add, es_poses_commit, es_poses_create, es_poses_draw};
use evenstep_c::stats::{StatsId, es_stats_create, es_stats_record};
use evenstep_c::status::Status;
use evenstep_c::timestep::{
    TimestepId, es_timestep_add_filter, es_timestep_advance, es_timestep_begin_frame, es_timestep_create,
    es_timestep_destroy,
};
use evenstep_flat::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};
use evenstep_flat::timestep::Frame;

/// What a function writes into the place that it is given.
fn made<T: Copy + Default>(run: impl FnOnce(Option<&mut MaybeUninit<T>>) -> Status) -> T {
    let mut place = MaybeUninit::uninit();
    assert_eq!(run(Some(&mut place)), Status::Ok);
    // SAFETY: it was written, since that went well.
    unsafe { place.assume_init() }
}

fn timestep() -> TimestepId {
    made(|place| es_timestep_create(60, 1, place))
}

fn advance(timestep: TimestepId) -> Status {
    es_timestep_advance(timestep, 1, Some(&mut MaybeUninit::uninit()))
}

#[test]
fn a_frame_allocates_nothing() {
    let timestep = timestep();
    let filter = FilterSettings {
        kind: FILTER_DISPLAY_CLOCK,
        ..FilterSettings::default()
    };
    assert_eq!(es_timestep_add_filter(timestep, Some(&filter)), Status::Ok);
    let input: InputId = made(|place| es_input_create(16, place));
    let poses: PosesId = made(|place| es_poses_create(2, place));
    let stats: StatsId = made(|place| es_stats_create(place));
    let state = [0.0_f32, 0.0, 1.0, 0.0];
    // SAFETY: the array has four floats.
    let _row: usize = made(|place| unsafe { es_poses_add(poses, state.as_ptr(), 4, place) });
    let frames = |from: i64| {
        for n in from..from + 300 {
            let now = n * 16_700_000;
            assert_eq!(es_input_press(input, 1, now), Status::Ok);
            let frame: Frame = made(|place| es_timestep_begin_frame(timestep, now, place));
            assert_eq!(es_input_begin_frame(input, timestep), Status::Ok);
            for tick in frame.first_tick..frame.tick {
                assert_eq!(es_input_begin_step(input, tick), Status::Ok);
                // SAFETY: the array has four floats.
                assert_eq!(unsafe { es_poses_commit(poses, state.as_ptr(), 4) }, Status::Ok);
            }
            let mut drawn = [0.0_f32; 4];
            // SAFETY: the array has four floats.
            let status = unsafe { es_poses_draw(poses, frame.alpha, drawn.as_mut_ptr(), 4) };
            assert_eq!(status, Status::Ok);
            assert_eq!(es_stats_record(stats, timestep), Status::Ok);
        }
    };
    frames(0); // buffers grow to what they hold
    let counted = allocation_counter::measure(|| frames(300));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_number_is_never_given_twice() {
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        let both = [timestep(), timestep()];
        for timestep in both {
            assert!(seen.insert(timestep.id) && timestep.id != 0);
            assert_eq!(es_timestep_destroy(timestep), Status::Ok);
            assert_eq!(advance(timestep), Status::Object);
        }
    }
}

#[test]
fn exactly_one_of_many_threads_takes_over_an_object() {
    for _ in 0..50 {
        let shared = timestep();
        assert_eq!(es_hand_over(shared.id), Status::Ok);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                thread::spawn(move || {
                    let taken = es_take_over(shared.id);
                    let expected = if taken == Status::Ok {
                        Status::Ok
                    } else {
                        Status::Thread
                    };
                    assert_eq!(advance(shared), expected);
                    taken == Status::Ok
                })
            })
            .collect();
        let taken = threads.into_iter().map(|thread| thread.join().unwrap());
        assert_eq!(taken.filter(|taken| *taken).count(), 1);
    }
}
