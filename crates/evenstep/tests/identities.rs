//! Ids and steps of other objects are refused, and an index beyond the end has a defined result.

use std::time::Duration;

use evenstep::filter::FrameClock;
use evenstep::input::{InputBuffer, InputQueue};
use evenstep::poses::{Pose2, Poses2};
use evenstep::schedule::Schedule;
use evenstep::{Rate, Step};

#[test]
fn a_task_of_another_schedule_is_not_known() {
    let (mut one, mut other) = (Schedule::new(), Schedule::new());
    let known = one.add(Rate::hz(60));
    let faster = other.add(Rate::hz(120));
    let later = other.add(Rate::hz(60));
    let shifted = Schedule::new().add_with_phase(Rate::hz(60), Duration::from_millis(1));
    let _ = one.advance(Duration::from_millis(20));
    assert_eq!((one.tick(known), one.alpha(known).is_some()), (Some(0), true));
    let mut clock = FrameClock::unfiltered();
    let time = clock.begin_frame(Duration::ZERO);
    let mut input = InputBuffer::<()>::new(4);
    for foreign in [faster, later, shifted] {
        assert_eq!((one.tick(foreign), one.alpha(foreign)), (None, None));
        assert!(!input.begin_task(&time, &one, foreign));
    }
    assert!(input.begin_task(&time, &one, known));
    assert_eq!(one.clone().tick(known), Some(0), "a clone has the same tasks");
}

#[test]
fn poses_say_whether_there_is_a_body() {
    let mut poses = Poses2::new();
    let body = poses.push(Pose2::IDENTITY);
    let pose = Pose2::IDENTITY;
    poses.begin_step();
    for (index, exists) in [(body, true), (body + 1, false), (usize::MAX, false)] {
        assert_eq!(poses.set(index, pose), exists);
        assert_eq!(poses.teleport(index, pose), exists);
        assert_eq!(poses.shift(index, |_| {}), exists);
        assert_eq!(poses.reset(index, pose), exists);
        assert_eq!(poses.set_range(index, &[pose]), exists);
        assert_eq!(poses.current(index).is_some(), exists);
    }
    assert!(poses.set_range(1, &[]) && !poses.set_range(0, &[pose; 2]));
}

#[test]
#[should_panic(expected = "a rate must be above zero")]
fn a_rate_of_zero_hertz_panics_with_a_reason() {
    let _ = Rate::hz(std::hint::black_box(0));
}

#[test]
fn types_that_never_read_a_clock_are_send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<evenstep::FixedTimestep>();
    both::<evenstep::Frame>();
    both::<Step>();
    both::<Schedule>();
    both::<FrameClock<evenstep::filter::DisplayClock>>();
    both::<evenstep::FrameStats<120>>();
    both::<evenstep::Smoothed<Pose2>>();
    both::<Poses2>();
    both::<evenstep::poses::Poses3>();
    both::<InputBuffer<u8>>();
    both::<InputQueue<u8>>();
    both::<evenstep::GameLoop<u8>>();
    both::<evenstep::input::Controls<u8>>();
    both::<evenstep::input::EventQueue<u8>>();
    both::<evenstep::follow::Follower<3>>();
    both::<evenstep::follow::Look>();
    both::<evenstep::follow::Attached<Pose2>>();
    both::<evenstep::history::History<u8, u8>>();
    both::<evenstep::history::SavedStates<u8>>();
    both::<evenstep::history::EventReconciler<u8>>();
    both::<evenstep::history::Correction<[f32; 3]>>();
    both::<evenstep::MonotonicClock>();
    {
        fn one<T: Send>() {}
        one::<evenstep::thread::SimThread<u8, u8>>();
        one::<evenstep::thread::SimRemote<u8, u8>>();
    }
}
