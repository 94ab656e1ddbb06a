//! `bevy_transform_interpolation` 0.6 beside ours, in one app.

use std::sync::Mutex;
use std::time::Duration;

use bevy::ecs::error::{FallbackErrorHandler, Severity};
use bevy::prelude::*;
use bevy_transform_interpolation::prelude as theirs;

use crate::apps::{Loop, app};
use crate::frames::{begin, frame};

/// An entity with both would be written by both.
#[test]
fn an_entity_that_both_smooth_is_reported_as_a_warning() {
    static MESSAGES: Mutex<Vec<(Severity, String)>> = Mutex::new(Vec::new());
    let mut app = app(Loop::Smooth, 50);
    app.add_plugins(theirs::TransformInterpolationPlugin::default());
    begin(&mut app);
    app.insert_resource(FallbackErrorHandler(|error, _| {
        MESSAGES.lock().unwrap().push((error.severity(), error.to_string()));
    }));
    let (ours, theirs) = (bevy_evenstep::SmoothTransform, theirs::TransformInterpolation);
    app.world_mut().spawn((Transform::default(), ours));
    app.world_mut().spawn((Transform::default(), theirs));
    (0..3).for_each(|_| frame(&mut app, Duration::from_millis(20)));
    assert_eq!(MESSAGES.lock().unwrap().len(), 0);
    let entity = app.world_mut().spawn((Transform::default(), theirs, ours)).id();
    (0..3).for_each(|_| frame(&mut app, Duration::from_millis(20)));
    let messages = MESSAGES.lock().unwrap();
    let [(Severity::Warning, message)] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert!(
        message.contains(&format!(
            "{entity} has both SmoothTransform and bevy_transform_interpolation::"
        )),
        "{message}"
    );
}
