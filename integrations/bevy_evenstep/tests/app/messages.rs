//! Bevy keeps messages until fixed updates have seen them: so it must be with our loop as well.

use std::sync::Arc;
use std::time::Duration;

use bevy_app::{App, FixedUpdate, Startup, Update};
use bevy_ecs::message::{MessageRegistry, Messages, ShouldUpdateMessages};
use bevy_ecs::prelude::*;
use bevy_evenstep::ExactLoopPlugin;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

/// A little more than half a step at 50 Hz: steps run in every other frame.
const DELTA: Duration = Duration::from_millis(11);

#[derive(Message)]
struct Note;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ExactLoopPlugin::hz(50)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(DELTA));
    app
}

#[test]
fn messages_wait_for_a_fixed_update_before_they_age() {
    use ShouldUpdateMessages::{Ready, Waiting};
    let mut app = app();
    app.add_message::<Note>();
    app.add_systems(Startup, |mut notes: MessageWriter<Note>| _ = notes.write(Note));
    // Of each frame: messages in all, those of the present update, and whether the next frame lets them age.
    let expected = [
        (1, 1, Waiting),
        (1, 1, Waiting),
        (1, 1, Ready),
        (1, 0, Waiting),
        (1, 0, Ready),
        (0, 0, Waiting),
    ];
    for (number, expected) in expected.into_iter().enumerate() {
        app.update();
        let notes = app.world().resource::<Messages<Note>>();
        let counted = (notes.len(), notes.iter_current_update_messages().count());
        let aging = app.world().resource::<MessageRegistry>().should_update;
        assert_eq!((counted.0, counted.1, aging), expected, "frame {number}");
    }
}

/// Holds on to the token until Bevy drops the message.
#[derive(Message)]
struct Held<const KIND: u8>(#[expect(dead_code, reason = "it is held, not read")] Arc<()>);

#[test]
fn messages_of_all_kinds_are_dropped_after_a_while() {
    let (once, often) = (Arc::new(()), Arc::new(()));
    let (of_startup, of_frames) = (once.clone(), often.clone());
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
        .add_message::<Held<0>>()
        .add_message::<Held<1>>()
        .add_systems(Startup, move |mut held: MessageWriter<Held<0>>| {
            _ = held.write(Held(of_startup.clone()))
        })
        .add_systems(Update, move |mut held: MessageWriter<Held<1>>| {
            _ = held.write(Held(of_frames.clone()))
        });
    let systems_hold = (Arc::strong_count(&once), Arc::strong_count(&often));
    (0..10).for_each(|_| app.update());
    assert_eq!(Arc::strong_count(&once), systems_hold.0);
    let waiting = Arc::strong_count(&often) - systems_hold.1;
    assert!((1..=3).contains(&waiting), "{waiting} of ten wait");
}

#[test]
fn a_message_of_a_frame_without_steps_reaches_the_next_step() {
    #[derive(Resource, Default)]
    struct Heard(u32);
    let mut app = app();
    app.add_message::<Note>().init_resource::<Heard>();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(1)));
    app.add_systems(
        FixedUpdate,
        |mut notes: MessageReader<Note>, mut heard: ResMut<Heard>| {
            heard.0 += notes.read().count() as u32;
        },
    );
    app.update();
    app.world_mut().write_message(Note);
    (0..19).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Heard>().0, 0);
    (0..41).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Heard>().0, 1, "once in three steps");
}
