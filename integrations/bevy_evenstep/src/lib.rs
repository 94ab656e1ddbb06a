//! One plugin that makes Bevy's fixed updates exact.
//!
//! Bevy's own loop takes 60 Hz as 16 666 667 ns, which drifts by 20 ns a second, and caps the delta at 250 ms but neither the number of
//! steps nor their cost. [`EvenstepPlugin`] puts [`evenstep::FixedTimestep`] in its place. `FixedUpdate` and its neighbours run as before, and
//! `Time` in them tells the same delta in every step.
//!
//! ```
//! use bevy_app::{App, FixedUpdate};
//! use bevy_ecs::prelude::{Res, ResMut, Resource};
//! use bevy_evenstep::EvenstepPlugin;
//! use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
//! use std::time::Duration;
//!
//! #[derive(Resource, Default)]
//! struct Height(f32);
//!
//! fn climb(mut height: ResMut<Height>, time: Res<Time>) {
//!     height.0 += 2.0 * time.delta_secs(); // 2 m/s
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, EvenstepPlugin::hz(60))) // in a game DefaultPlugins instead of TimePlugin
//!     .init_resource::<Height>()
//!     .add_systems(FixedUpdate, climb);
//! # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(10)));
//! for _frame in 0..101 {
//!     app.update(); // 10 ms each; the first one begins the time
//! }
//! assert!((app.world().resource::<Height>().0 - 2.0).abs() < 1e-4);
//! ```
//!
//! A whole program with Bevy's `DefaultPlugins` is in the crate's README; it begins with `use bevy::prelude::*; use bevy_evenstep::prelude::*;`.
//!
//! `Transform` is always the simulation's: a system in `FixedUpdate` or `Update` sees the state after the last step, and what it writes there
//! means what it means without smoothing. What is drawn between steps is in `GlobalTransform` only, from the end of the fixed loop on; in
//! steps that shows the state as well. Kept in `Transform`, what is drawn would be added to by `+=` in `Update`, and be read by muzzles in
//! steps.
//!
//! | to | use |
//! |---|---|
//! | make fixed updates exact | [`EvenstepPlugin`] |
//! | cap, stretch or pause steps, read alpha and what was lost | [`Timestep`], [`Budget`], [`LastFrame`] |
//! | see these in Bevy's diagnostics | `EvenstepDiagnosticsPlugin`, with the feature `diagnostics` |
//! | know the exact time of a step | [`CurrentStep`] |
//! | run schedules at several rates | [`RatePlugin`] |
//! | give all of Bevy the display's even time | [`DisplayTimePlugin`] |
//! | run no steps while nobody sees the game | `SuspendHiddenPlugin`, with the feature `window` |
//! | draw between steps | [`TransformInterpolation`], [`TransformExtrapolation`], [`TransformHermite`], [`Teleport`] |
//! | have each press in exactly one step | `StepInput`, with the feature `input` |
//! | hear a hit when it is presented, once, and stop it if it did not happen | [`StepEventPlugin`] |
//! | rewind, take late input in, test for that | [`rewind`] |
#![forbid(unsafe_code)]

mod budget;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod display;
mod events;
mod fixed_loop;
#[cfg(feature = "window")]
mod hidden;
#[cfg(feature = "input")]
mod input;
mod plugin;
mod rates;
mod resources;
pub mod rewind;
mod step;
mod system_sets;
mod timestep;
mod transforms;

pub use budget::Budget;
#[cfg(feature = "diagnostics")]
pub use diagnostics::EvenstepDiagnosticsPlugin;
pub use display::{DisplayTime, DisplayTimePlugin};
pub use events::{Presented, Retracted, StepEventPlugin, StepEventWriter};
#[cfg(feature = "window")]
pub use hidden::{Hidden, SuspendHiddenPlugin};
#[cfg(feature = "input")]
pub use input::{Button, StepInput, StepInputPlugin};
pub use plugin::EvenstepPlugin;
pub use rates::RatePlugin;
pub use resources::{CurrentStep, LastFrame};
pub use system_sets::EvenstepSystems;
pub use timestep::Timestep;
pub use transforms::{
    NoTransformEasing, RateInterpolation, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation,
    TransformVelocity,
};

/// All that most games need, for `use bevy_evenstep::prelude::*` beside Bevy's own prelude. `Button` is not in it, because that is a button on the
/// screen in Bevy's.
pub mod prelude {
    #[cfg(feature = "diagnostics")]
    pub use crate::EvenstepDiagnosticsPlugin;
    pub use crate::{
        Budget, CurrentStep, DisplayTime, DisplayTimePlugin, EvenstepPlugin, EvenstepSystems, LastFrame,
        NoTransformEasing, Presented, RateInterpolation, RatePlugin, Retracted, StepEventPlugin, StepEventWriter,
        Teleport, Timestep, TransformExtrapolation, TransformHermite, TransformInterpolation, TransformVelocity,
    };
    #[cfg(feature = "window")]
    pub use crate::{Hidden, SuspendHiddenPlugin};
    #[cfg(feature = "input")]
    pub use crate::{StepInput, StepInputPlugin};
    pub use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
}
