//! All that most games need, in one group.

use bevy_app::{PluginGroup, PluginGroupBuilder};

use crate::display::DisplayTimePlugin;
#[cfg(feature = "window")]
use crate::hidden::PauseHiddenPlugin;
#[cfg(feature = "input")]
use crate::input::StepInputPlugin;
use crate::smooth::SmoothTransformPlugin;

/// Smooth transforms, the display's even time, input by steps, and no steps while nobody sees the game, beside Bevy's own fixed loop.
///
/// In it are [`SmoothTransformPlugin`], [`DisplayTimePlugin`], `StepInputPlugin` (with the feature `input`) and `PauseHiddenPlugin` (with
/// the feature `window`), each with its defaults. The rate is Bevy's `Time<Fixed>`.
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use bevy_evenstep::{DisplayTimePlugin, EvenstepPlugins, SmoothTransformPlugin};
/// use bevy_time::TimePlugin;
///
/// App::new().add_plugins((TimePlugin, EvenstepPlugins)); // in a game DefaultPlugins instead of TimePlugin
///
/// // The same with settings:
/// let plugins = EvenstepPlugins
///     .set(SmoothTransformPlugin::interpolate_all())
///     .disable::<DisplayTimePlugin>();
/// App::new().add_plugins((TimePlugin, plugins));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstepPlugins;

impl PluginGroup for EvenstepPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>()
            .add(SmoothTransformPlugin::default())
            .add(DisplayTimePlugin);
        #[cfg(feature = "input")]
        let group = group.add(StepInputPlugin::default());
        #[cfg(feature = "window")]
        let group = group.add(PauseHiddenPlugin);
        group
    }
}
