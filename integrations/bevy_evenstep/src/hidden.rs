//! Stops the game's time while no window is visible.

use bevy_app::{App, First, Plugin, RunFixedMainLoop};
use bevy_ecs::entity::{Entity, EntityHashSet};
use bevy_ecs::message::MessageReader;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Query, Res, ResMut};
use bevy_time::{Real, Time, TimeSystems, Virtual};
use bevy_window::{AppLifecycle, Window, WindowOccluded};
use core::time::Duration;

use crate::steps::{NO_TIME, ensure_steps};
use crate::system_sets::EvenstepSystems;

/// Stops `Time<Virtual>`, and with it the steps, while no window is visible.
///
/// A game is hidden while each of its windows is covered, minimised, invisible or without size, and while the system has
/// suspended the program, as phones do. A game without windows is never hidden. Bevy reports only what the operating system reports:
/// Windows a minimised window, X11 a covered one.
///
/// For the frames of that time, `Time<Virtual>` has a longest delta of a nanosecond. Whether the game is paused by
/// `Time<Virtual>::pause` is not touched. [`Hidden`] reports the time left out.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::PauseHiddenPlugin;
///
/// App::new().add_plugins(PauseHiddenPlugin);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PauseHiddenPlugin;

impl Plugin for PauseHiddenPlugin {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        app.init_resource::<Hidden>()
            .add_message::<AppLifecycle>()
            .add_message::<WindowOccluded>()
            .add_systems(First, stop_time.before(TimeSystems))
            .add_systems(
                RunFixedMainLoop,
                let_time_pass
                    .after(EvenstepSystems::Grant)
                    .before(EvenstepSystems::Granted),
            );
    }
}

/// Whether the game is hidden, and how much time was left out; see [`PauseHiddenPlugin`].
///
/// ```
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::Hidden;
///
/// fn show(hidden: Res<Hidden>) {
///     println!("{:.1} s passed unseen", hidden.left_out().as_secs_f64());
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct Hidden {
    covered: EntityHashSet,
    is_app_suspended: bool,
    is_hidden: bool,
    /// The longest delta of the game, while there is another one.
    max_delta: Option<Duration>,
    left_out: Duration,
}

impl Hidden {
    /// Whether no window is visible.
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// Real time for which no step ran because the game was hidden, since the game began.
    #[must_use]
    pub const fn left_out(&self) -> Duration {
        self.left_out
    }

    fn is_window_hidden(&self, entity: Entity, window: &Window) -> bool {
        let size = window.physical_size();
        !window.visible || size.x == 0 || size.y == 0 || self.covered.contains(&entity)
    }

    /// Brings it up to date. Returns whether the game is hidden now.
    fn update(&mut self, windows: &Query<(Entity, &Window)>) -> bool {
        let mut all = windows.iter().peekable();
        let has_windows = all.peek().is_some();
        let are_hidden = all.all(|(entity, window)| self.is_window_hidden(entity, window));
        self.is_hidden = self.is_app_suspended || (has_windows && are_hidden);
        self.is_hidden
    }
}

/// A frame's delta is left out if the game was hidden at its beginning, or within it.
fn stop_time(
    mut hidden: ResMut<Hidden>,
    mut time: ResMut<Time<Virtual>>,
    windows: Query<(Entity, &Window)>,
    mut lifecycle: MessageReader<AppLifecycle>,
    mut occlusions: MessageReader<WindowOccluded>,
) {
    let began_hidden = hidden.is_hidden;
    let mut was_hidden = began_hidden;
    for state in lifecycle.read() {
        hidden.is_app_suspended = matches!(state, AppLifecycle::WillSuspend | AppLifecycle::Suspended);
        was_hidden |= hidden.update(&windows);
    }
    for message in occlusions.read() {
        if message.occluded {
            hidden.covered.insert(message.window);
        } else {
            hidden.covered.remove(&message.window);
        }
        was_hidden |= hidden.update(&windows);
    }
    hidden.covered.retain(|window| windows.contains(*window));
    let is_hidden = hidden.update(&windows);
    if began_hidden || (was_hidden && !is_hidden) {
        hidden.max_delta = Some(time.max_delta());
        time.set_max_delta(NO_TIME);
    }
}

fn let_time_pass(mut hidden: ResMut<Hidden>, mut time: ResMut<Time<Virtual>>, real: Res<Time<Real>>) {
    if let Some(max_delta) = hidden.max_delta.take() {
        hidden.left_out += real.delta().saturating_sub(time.delta());
        if time.max_delta() == NO_TIME {
            time.set_max_delta(max_delta);
        }
    }
}
