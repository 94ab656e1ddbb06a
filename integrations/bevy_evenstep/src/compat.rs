//! The names of `bevy_transform_interpolation` and Avian, for programs that use them: change the line with `use`, and the line with the plugin.
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::World;
//! use bevy_evenstep::compat::{TransformInterpolation, TransformInterpolationPlugin};
//! use bevy_transform::components::Transform;
//!
//! let mut app = App::new();
//! app.add_plugins(TransformInterpolationPlugin::default());
//! app.world_mut().spawn((Transform::default(), TransformInterpolation));
//! ```
//!
//! A write in `Update` goes on being smoothed here, where it stops until the next step there. Components for translation, rotation or scale alone
//! have no counterpart.

use bevy_ecs::component::Component;

use crate::smooth::{SmoothTransform, SmoothVelocity};

pub use crate::smooth::{
    NoSmoothTransform as NoTransformEasing, SmoothAhead as TransformExtrapolation,
    SmoothTransform as TransformInterpolation, SmoothTransformPlugin as TransformInterpolationPlugin,
    SmoothVelocityPlugin as TransformExtrapolationPlugin, SmoothVelocityPlugin as TransformHermiteEasingPlugin,
    VelocitySource,
};

/// A [`SmoothVelocity`], which is drawn on a curve.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[require(SmoothTransform, SmoothVelocity)]
pub struct TransformHermiteEasing;

pub use TransformHermiteEasing as TranslationHermiteEasing;
pub use TransformHermiteEasing as RotationHermiteEasing;
