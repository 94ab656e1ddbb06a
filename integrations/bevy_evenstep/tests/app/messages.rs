//! Bevy keeps messages until fixed updates have seen them: so it must be with our loop as well.

use std::time::Duration;

use bevy_app::{App, Startup};
use bevy_ecs::message::{MessageRegistry, Messages, ShouldUpdateMessages};
use bevy_ecs::prelude::*;
use bevy_evenstep::ExactLoopPlugin;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

#[derive(Message)]
struct Note;

#[test]
fn messages_wait_for_a_fixed_update_before_they_age() {
    use ShouldUpdateMessages::{Ready, Waiting};
    let mut app = App::new();
    app.add_plugins((TimePlugin, ExactLoopPlugin::hz(50)))
        // A little more than half a step: steps run in every other frame.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(11)))
        .add_message::<Note>()
        .add_systems(Startup, |mut notes: MessageWriter<Note>| _ = notes.write(Note));
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
