//! The steady state allocates nothing.

use std::time::Duration;

use evenstep::input::InputEvent;
use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Rot2};
use evenstep::{GameLoop, Rate};

#[test]
fn poses_that_are_copied_or_restored_into_others_allocate_nothing() {
    let (mut poses, mut others) = (Poses2::new(), Poses3::new());
    for n in 0..1000 {
        poses.push(Pose2::new([n as f32, 0.0], Rot2::IDENTITY));
        others.push(Pose3::IDENTITY);
    }
    let (mut copy, mut other) = (poses.clone(), others.clone());
    let info = allocation_counter::measure(|| {
        for n in 0..100 {
            poses.begin_step();
            poses.set(n, Pose2::new([n as f32, 1.0], Rot2::IDENTITY));
            poses.teleport(n + 1, Pose2::new([n as f32, 2.0], Rot2::IDENTITY));
            copy.clone_from(&poses);
            assert_eq!(copy.current(n), poses.current(n));
            assert_eq!(copy.previous(n), poses.previous(n));
            assert!(copy.has_teleported(n + 1) && copy.step() == poses.step() && copy.len() == poses.len());
            others.begin_step();
            others.set(n, Pose3::IDENTITY);
            other.clone_from(&others);
        }
        poses.restore(&copy);
        others.restore(&other);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn bodies_that_are_blended_by_ranges_allocate_nothing() {
    let mut poses = Poses2::new();
    (0..1000).for_each(|n| _ = poses.push(Pose2::new([n as f32, 0.0], Rot2::IDENTITY)));
    poses.begin_step();
    (0..1000).for_each(|n| _ = poses.set(n, Pose2::new([0.0; 2], Rot2::from_radians(n as f32))));
    let mut drawn = [Pose2::IDENTITY; 1000];
    let mut matrices = [[[0.0; 2]; 3]; 1000];
    let info = allocation_counter::measure(|| {
        for start in (0..1000).step_by(100) {
            poses.blend_range(start, 0.5, &mut drawn[start..start + 100]);
            poses.blend_range_matrices(start, 0.5, &mut matrices[start..start + 100]);
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn frames_of_a_loop_with_input_allocate_nothing() {
    let mut game = GameLoop::new(Rate::hz(100)).with_input();
    let (mut steps, mut presses) = (0, 0);
    let mut play = |frames: std::ops::Range<u64>| {
        for number in frames {
            let now = Duration::from_millis(7 * number);
            game.push_at(now, InputEvent::Motion([1.0, 0.0]));
            game.push_at(now, InputEvent::Press("jump"));
            game.push_at(now, InputEvent::Release("jump"));
            for step in game.begin_frame_at(now).steps() {
                presses += game.input(&step).presses(&"jump");
                steps += 1;
            }
        }
    };
    play(0..100); // the first frames take the memory
    let info = allocation_counter::measure(|| play(100..1000));
    assert_eq!(info.count_total, 0);
    assert!(steps > 600 && presses > 600, "{steps} steps, {presses} presses");
}
