//! Apps without a window, that are given the time.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_evenstep::{EvenstepPlugins, ExactLoopPlugin, SmoothTransform, SmoothTransformPlugin};

use crate::frames::{begin, frame, frames};

/// Frames a second.
pub(crate) const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

/// Who runs fixed updates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Loop {
    /// Bevy, without a plugin of ours.
    Bevys,
    /// Bevy, with the defaults of ours.
    Smooth,
    /// The exact loop, with smooth transforms.
    Exact,
}

/// The steps that have run.
#[derive(Resource, Default)]
pub(crate) struct Steps(pub(crate) u64);

/// An app with fixed updates at a rate.
pub(crate) fn app(fixed: Loop, hertz: u32) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .init_resource::<Steps>();
    app.add_systems(FixedLast, |mut steps: ResMut<Steps>| steps.0 += 1);
    app.insert_resource(Time::<Fixed>::from_hz(f64::from(hertz)));
    match fixed {
        Loop::Bevys => {}
        Loop::Smooth => _ = app.add_plugins(EvenstepPlugins),
        Loop::Exact => _ = app.add_plugins((SmoothTransformPlugin::default(), ExactLoopPlugin::hz(hertz))),
    }
    app
}

/// The frames of `seconds` on a display.
pub(crate) fn play(app: &mut App, per_second: u64, seconds: u64) {
    begin(app);
    frames(per_second, seconds).for_each(|delta| frame(app, delta));
}

/// The number of a body.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Number(pub(crate) u32);

/// How many steps have run, and a hash of what they led to.
pub(crate) fn steps_and_hash(mut app: App) -> (u64, u64) {
    (app.world().resource::<Steps>().0, hash(&mut app))
}

/// A hash of the simulated places and turns of all bodies.
fn hash(app: &mut App) -> u64 {
    let mut smoothed = app.world_mut().query_filtered::<Entity, With<SmoothTransform>>();
    for entity in smoothed.iter(app.world()).collect::<Vec<_>>() {
        app.world_mut().entity_mut(entity).remove::<SmoothTransform>();
    }
    let mut query = app.world_mut().query::<(&Number, &Transform)>();
    let mut bodies: Vec<_> = query
        .iter(app.world())
        .map(|(number, body)| (*number, bits(body)))
        .collect();
    bodies.sort_unstable();
    assert!(bodies.len() > 10);
    let mut hasher = DefaultHasher::new();
    bodies.hash(&mut hasher);
    hasher.finish()
}

fn bits(body: &Transform) -> ([u32; 3], [u32; 4]) {
    (
        body.translation.to_array().map(f32::to_bits),
        body.rotation.to_array().map(f32::to_bits),
    )
}

/// Where the bodies of a heap begin, and how they are turned.
pub(crate) fn heap() -> impl Iterator<Item = (Number, Transform)> {
    (0..12_u32).map(|number| {
        let (row, column) = ((number / 4) as f32, (number % 4) as f32);
        let place = Transform::from_xyz(column * 1.1 + row * 0.3, 1.5 + row * 1.6, 0.0);
        (
            Number(number),
            place.with_rotation(Quat::from_rotation_z(0.1 * number as f32)),
        )
    })
}
