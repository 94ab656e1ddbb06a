//! Suspends the simulation while no window is visible.

use bevy_app::{App, Plugin, RunFixedMainLoop};
use bevy_ecs::entity::{Entity, EntityHashSet};
use bevy_ecs::message::MessageReader;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Query, Res, ResMut, SystemParam};
use bevy_time::{Real, Time};
use bevy_window::{AppLifecycle, Window, WindowOccluded};
use core::time::Duration;

use crate::system_sets::EvenstepSystems;
use crate::timestep::Timestep;

/// Suspends the steps while no window is visible, and resumes them when the game is presented again.
///
/// A game is hidden while each of its windows is covered, minimised, invisible or without size, and while the system has
/// suspended the program, as phones do. A game without windows is never hidden. Bevy reports only what the operating system reports:
/// Windows a minimised window, X11 a covered one.
///
/// The time left out is a known pause: no step runs for it, no policy counts it as a slow frame, and [`LastFrame`](crate::LastFrame) and
/// [`Hidden`] report it. To pause a hidden game use Bevy's `Time<Virtual>::pause`, because a paused [`Timestep`] is resumed when the
/// game becomes visible.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::{EvenstepPlugin, SuspendHiddenPlugin};
///
/// App::new().add_plugins((EvenstepPlugin::hz(60), SuspendHiddenPlugin));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SuspendHiddenPlugin;

impl Plugin for SuspendHiddenPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hidden>()
            .add_message::<AppLifecycle>()
            .add_message::<WindowOccluded>()
            .add_systems(
                RunFixedMainLoop,
                (
                    notice.before(EvenstepSystems::Grant),
                    pause_hidden
                        .after(EvenstepSystems::Grant)
                        .before(EvenstepSystems::Granted),
                ),
            );
    }
}

/// Whether the game is hidden, and how much time was left out; see [`SuspendHiddenPlugin`].
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
    has_paused: bool,
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

    fn update(&mut self, windows: &Query<(Entity, &Window)>) {
        let mut all = windows.iter().peekable();
        let has_windows = all.peek().is_some();
        let are_hidden = all.all(|(entity, window)| self.is_window_hidden(entity, window));
        self.is_hidden = self.is_app_suspended || (has_windows && are_hidden);
    }
}

/// Bevy's messages about the windows and the program.
#[derive(SystemParam)]
struct Signs<'w, 's> {
    windows: Query<'w, 's, (Entity, &'static Window)>,
    lifecycle: MessageReader<'w, 's, AppLifecycle>,
    occlusions: MessageReader<'w, 's, WindowOccluded>,
}

impl Signs<'_, '_> {
    /// Brings `hidden` up to date. Returns whether the game was hidden at some time since the last frame.
    fn read(&mut self, hidden: &mut Hidden) -> bool {
        let mut was_hidden = hidden.is_hidden;
        for state in self.lifecycle.read() {
            hidden.is_app_suspended = matches!(state, AppLifecycle::WillSuspend | AppLifecycle::Suspended);
            hidden.update(&self.windows);
            was_hidden |= hidden.is_hidden;
        }
        for message in self.occlusions.read() {
            if message.occluded {
                hidden.covered.insert(message.window);
            } else {
                hidden.covered.remove(&message.window);
            }
            hidden.update(&self.windows);
            was_hidden |= hidden.is_hidden;
        }
        hidden.covered.retain(|window| self.windows.contains(*window));
        hidden.update(&self.windows);
        was_hidden
    }
}

/// The game is visible again: the delta of this frame began while it was hidden, and is left out as well.
fn notice(mut hidden: ResMut<Hidden>, mut timestep: ResMut<Timestep>, mut signs: Signs, real: Res<Time<Real>>) {
    let was_hidden = signs.read(&mut hidden);
    if was_hidden && !hidden.is_hidden && !timestep.is_paused() {
        // Hidden and visible again without a frame between.
        timestep.pause();
        hidden.has_paused = true;
    }
    if hidden.has_paused {
        hidden.left_out += real.delta();
    }
    if hidden.has_paused && !hidden.is_hidden {
        timestep.resume(evenstep::Backlog::Keep);
        hidden.has_paused = false;
    }
}

/// The game has become hidden in this frame, in whose delta it was still visible.
fn pause_hidden(mut hidden: ResMut<Hidden>, mut timestep: ResMut<Timestep>) {
    if hidden.is_hidden && !timestep.is_paused() {
        timestep.pause();
        hidden.has_paused = true;
    }
}
