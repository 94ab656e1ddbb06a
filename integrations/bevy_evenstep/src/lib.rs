//! Smooth transforms, input by steps and exact loops for Bevy's fixed updates.
//!
//! Bevy's own loop and `Time<Fixed>` stay in charge. [`EvenstepPlugins`] adds what they do not have: entities with [`SmoothTransform`] are
//! drawn between steps, each press of a key reaches exactly one step, frame times follow the display, and no steps run while
//! nobody sees the game.
//!
//! ```
//! use bevy_app::{App, FixedUpdate};
//! use bevy_ecs::prelude::{Query, Res, With};
//! use bevy_evenstep::{EvenstepPlugins, SmoothTransform};
//! use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
//! use bevy_transform::components::Transform;
//! use std::time::Duration;
//!
//! fn climb(mut balloons: Query<&mut Transform, With<SmoothTransform>>, time: Res<Time>) {
//!     for mut balloon in &mut balloons {
//!         balloon.translation.y += 2.0 * time.delta_secs(); // 2 m/s
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, EvenstepPlugins)) // in a game DefaultPlugins instead of TimePlugin
//!     .insert_resource(Time::<Fixed>::from_hz(50.0))
//!     .add_systems(FixedUpdate, climb);
//! let balloon = app.world_mut().spawn((Transform::default(), SmoothTransform)).id();
//! # app.finish();
//! # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(10)));
//! for _frame in 0..101 {
//!     app.update(); // 10 ms each; the first one begins the time
//! }
//! let drawn = app.world().get::<Transform>(balloon).unwrap().translation.y;
//! assert!((drawn - 2.0 * 0.98).abs() < 0.03, "a step late: {drawn}");
//! ```
//!
//! A whole program with Bevy's `DefaultPlugins` is on the book's page about Bevy; it begins with `use bevy::prelude::*; use bevy_evenstep::prelude::*;`.
//!
//! | to | use |
//! |---|---|
//! | add the defaults | [`EvenstepPlugins`] |
//! | draw between steps | [`SmoothTransform`], [`SmoothVelocity`], [`SmoothAhead`], [`Teleport`], [`PreviousTransform`] |
//! | have each press in exactly one step | `StepInput`, with the feature `input` |
//! | give all of Bevy the display's even time | [`DisplayTimePlugin`] |
//! | run no steps while nobody sees the game | `PauseHiddenPlugin`, with the feature `window` |
//! | hear a hit when it is presented, once, and stop it if it did not happen | [`StepEventPlugin`] |
//! | know the tick and the time of a step, read alpha and what was lost | [`CurrentStep`], [`LastFrame`] |
//! | see these in Bevy's diagnostics | `EvenstepDiagnosticsPlugin`, with the feature `diagnostics` |
//! | run steps at an exact rate, cap, stretch or pause them | [`ExactLoopPlugin`], [`Timestep`], [`Budget`] |
//! | run schedules at several rates, with the exact loop | [`RatePlugin`] |
//! | rewind, take late input in, test for that, with the exact loop | [`rewind`] |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod compat;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod display;
mod events;
mod exact_loop;
mod group;
#[cfg(feature = "window")]
mod hidden;
#[cfg(feature = "input")]
mod input;
mod rates;
mod resources;
pub mod rewind;
mod smooth;
mod step;
mod steps;
mod system_sets;
mod timestep;

#[cfg(feature = "diagnostics")]
pub use diagnostics::EvenstepDiagnosticsPlugin;
pub use display::DisplayTimePlugin;
pub use events::{Presented, Retracted, StepEventPlugin, StepEventWriter};
pub use exact_loop::{Budget, ExactLoopPlugin};
pub use group::EvenstepPlugins;
#[cfg(feature = "window")]
pub use hidden::{Hidden, PauseHiddenPlugin};
#[cfg(feature = "input")]
pub use input::{Button, StepInput, StepInputPlugin};
pub use rates::RatePlugin;
pub use resources::{CurrentStep, LastFrame};
pub use smooth::{
    NoSmoothTransform, NoVelocity, PreviousTransform, SmoothAhead, SmoothTransform, SmoothTransformPlugin,
    SmoothVelocity, SmoothVelocityPlugin, Teleport, VelocitySource,
};
pub use system_sets::EvenstepSystems;
pub use timestep::Timestep;

/// All that most games need, for `use bevy_evenstep::prelude::*` beside the preludes of Bevy, Avian and others. No name in it is in those.
pub mod prelude {
    #[cfg(feature = "diagnostics")]
    pub use crate::EvenstepDiagnosticsPlugin;
    pub use crate::{
        CurrentStep, DisplayTimePlugin, EvenstepPlugins, EvenstepSystems, ExactLoopPlugin, LastFrame,
        NoSmoothTransform, Presented, PreviousTransform, Retracted, SmoothAhead, SmoothTransform,
        SmoothTransformPlugin, SmoothVelocity, StepEventPlugin, StepEventWriter, Teleport,
    };
    #[cfg(feature = "window")]
    pub use crate::{Hidden, PauseHiddenPlugin};
    #[cfg(feature = "input")]
    pub use crate::{StepInput, StepInputPlugin};
}
