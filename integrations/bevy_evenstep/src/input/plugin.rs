//! The plugin that collects input and gives each step its own.

use bevy_app::{App, First, Plugin, RunFixedMainLoop};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Local, Res, ResMut};
use bevy_input::InputPlugin;
use bevy_time::{Real, Time};
use evenstep::FrameClock;

use super::button::Button;
use super::devices::{Bindings, Devices};
use super::step_input::StepInput;
use crate::resources::{CurrentStep, LastFrame};
use crate::rewind::{Resimulation, RewindHistory};
use crate::steps::{ensure_steps, refuse_second};
use crate::system_sets::{BeginStep, EvenstepSystems};

/// Brings input to the steps in which it happened; see [`StepInput`].
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::StepInputPlugin;
///
/// // Buttons as they are:
/// App::new().add_plugins(StepInputPlugin::default());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StepInputPlugin<A = Button> {
    bind: fn(Button) -> Option<A>,
    keeps: bool,
}

impl<A> StepInputPlugin<A> {
    /// Binds buttons to actions of the game. An action of several buttons is held as long as one of them is.
    #[must_use]
    pub const fn new(bind: fn(Button) -> Option<A>) -> Self {
        Self { bind, keeps: false }
    }

    /// The same, but presses, motion and the wheel of a pause all reach the first step after it: for a game in which players give orders
    /// while time stands still. Input beyond the capacity is refused, releases as well.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_evenstep::StepInputPlugin;
    ///
    /// App::new().add_plugins(StepInputPlugin::default().keep_pauses());
    /// ```
    #[must_use]
    pub const fn keep_pauses(self) -> Self {
        Self { keeps: true, ..self }
    }
}

impl Default for StepInputPlugin {
    /// Each button for itself.
    fn default() -> Self {
        Self::new(Some)
    }
}

impl<A: PartialEq + Clone + Send + Sync + 'static> Plugin for StepInputPlugin<A> {
    fn build(&self, app: &mut App) {
        refuse_second::<Self>(app, "StepInputPlugin::…");
        ensure_steps(app);
        let mut bindings = Bindings::new(self.bind);
        let read = move |mut devices: Devices,
                         mut input: ResMut<StepInput<A>>,
                         mut clock: Local<FrameClock<()>>,
                         time: Res<Time<Real>>,
                         frame: Res<LastFrame>| {
            devices.read(&mut bindings, &mut input);
            input.begin_frame(&clock.begin_frame(time.elapsed()), &frame);
        };
        app.insert_resource(StepInput::<A>::new(self.keeps))
            .add_systems(RunFixedMainLoop, read.in_set(EvenstepSystems::Granted))
            .add_systems(First, |mut input: ResMut<StepInput<A>>| input.consumed.clear())
            .add_systems(BeginStep, begin_step::<A>.after(EvenstepSystems::Grant));
    }

    fn is_unique(&self) -> bool {
        false // `build` has the better message
    }

    fn finish(&self, app: &mut App) {
        // It adds the messages that are read here.
        if !app.is_plugin_added::<InputPlugin>() {
            app.add_plugins(InputPlugin);
        }
    }
}

fn begin_step<A: PartialEq + Clone + Send + Sync + 'static>(
    mut input: ResMut<StepInput<A>>,
    step: Res<CurrentStep>,
    history: Option<Res<RewindHistory>>,
    again: Option<Res<Resimulation>>,
) {
    match again {
        Some(_) => input.begin_again(&step),
        // The state before this step is yet to be kept.
        None => input.begin_step(
            &step,
            history.map(|history| history.ticks().next().unwrap_or(step.tick)),
        ),
    }
}
