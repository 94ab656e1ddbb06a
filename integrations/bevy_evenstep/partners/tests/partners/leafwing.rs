//! `leafwing-input-manager` 0.22, which swaps its states around the fixed loop: a press is new in the first step after it, and in
//! no other.

use std::time::Duration;

use bevy::input::InputPlugin;
use bevy::prelude::*;
use leafwing_input_manager::prelude::*;
use proptest::prelude::*;

use crate::apps::{Loop, app};
use crate::frames::{begin, frame};

#[derive(Actionlike, Clone, Copy, Debug, Reflect, PartialEq, Eq, Hash)]
enum Action {
    Jump,
}

/// For each frame, whether the button was newly pressed and released, and the same for each of its steps.
#[derive(Resource, Default, Debug, PartialEq)]
struct Seen {
    frames: Vec<[bool; 3]>,
    steps: Vec<(usize, [bool; 3])>,
}

fn look(action: &ActionState<Action>) -> [bool; 3] {
    [
        action.just_pressed(&Action::Jump),
        action.just_released(&Action::Jump),
        action.pressed(&Action::Jump),
    ]
}

/// What steps at a rate see of the button, in frames with a duration in milliseconds each that hold it or not.
fn play(fixed: Loop, hertz: u32, frames: &[(u64, bool)]) -> Seen {
    let mut app = app(fixed, hertz);
    app.add_plugins((InputPlugin, InputManagerPlugin::<Action>::default()))
        .init_resource::<Seen>();
    app.world_mut().spawn(InputMap::new([(Action::Jump, KeyCode::Space)]));
    app.add_systems(
        Update,
        |mut seen: ResMut<Seen>, action: Single<&ActionState<Action>>| {
            seen.frames.push(look(&action));
        },
    );
    app.add_systems(
        FixedUpdate,
        |mut seen: ResMut<Seen>, action: Single<&ActionState<Action>>| {
            let number = seen.frames.len();
            seen.steps.push((number, look(&action)));
        },
    );
    begin(&mut app);
    *app.world_mut().resource_mut::<Seen>() = Seen::default();
    let mut was_held = false;
    for (millis, is_held) in frames {
        match (was_held, *is_held) {
            (false, true) => KeyCode::Space.press(app.world_mut()),
            (true, false) => KeyCode::Space.release(app.world_mut()),
            _ => {}
        }
        was_held = *is_held;
        frame(&mut app, Duration::from_millis(*millis));
    }
    app.world_mut().remove_resource::<Seen>().unwrap()
}

const NEW: [bool; 3] = [true, false, true];
const HELD: [bool; 3] = [false, false, true];

#[test]
fn a_press_of_a_frame_without_steps_is_new_in_the_next_step() {
    let seen = play(Loop::Exact, 100, &[(9, true), (9, true), (9, true)]);
    assert_eq!(seen.frames, [NEW, HELD, HELD]);
    assert_eq!(seen.steps, [(1, NEW), (2, HELD)]);
}

#[test]
fn a_press_of_a_frame_with_two_steps_is_new_in_the_first_of_them() {
    let seen = play(Loop::Exact, 250, &[(9, true), (9, true)]);
    assert_eq!(seen.frames, [NEW, HELD]);
    assert_eq!(seen.steps, [(0, NEW), (0, HELD), (1, HELD), (1, HELD)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// 100 and 250 Hz have periods of whole nanoseconds, where Bevy's loop is exact.
    #[test]
    fn any_presses_reach_the_same_steps_as_under_bevys_loop(
        frames in prop::collection::vec((0..45_u64, any::<bool>()), 1..40), hertz in prop::sample::select(vec![100, 250]),
    ) {
        prop_assert_eq!(play(Loop::Exact, hertz, &frames), play(Loop::Bevys, hertz, &frames));
    }
}
