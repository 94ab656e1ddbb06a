//! Steps, lost time, animation errors and the display's rate among Bevy's diagnostics.

use bevy_app::{App, Plugin, Update};
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::system::{If, Res};

use crate::display::DisplayTime;
use crate::resources::LastFrame;
use crate::timestep::Timestep;

/// Adds to Bevy's diagnostics how the fixed updates go: log them with Bevy's `LogDiagnosticsPlugin`, or read them from its
/// `DiagnosticsStore`.
///
/// ```
/// use bevy_app::App;
/// use bevy_diagnostic::{DiagnosticsStore, LogDiagnosticsPlugin};
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::{EvenstepDiagnosticsPlugin, EvenstepPlugin};
///
/// App::new().add_plugins((EvenstepPlugin::hz(60), EvenstepDiagnosticsPlugin, LogDiagnosticsPlugin::default()));
///
/// fn show(diagnostics: Res<DiagnosticsStore>) {
///     let error = diagnostics.get(&EvenstepDiagnosticsPlugin::ANIMATION_ERROR);
///     if let Some(millis) = error.and_then(|error| error.average()) {
///         println!("the animation is {millis:.2} ms off on average");
///     }
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstepDiagnosticsPlugin;

impl EvenstepDiagnosticsPlugin {
    /// Steps that the frame ran.
    pub const STEPS_PER_FRAME: DiagnosticPath = DiagnosticPath::const_new("evenstep/steps_per_frame");

    /// Milliseconds that the frame gave up: real time that was clamped, by Bevy or by the timestep, and the periods of the steps that were
    /// dropped. Known pauses are not lost.
    pub const LOST_TIME: DiagnosticPath = DiagnosticPath::const_new("evenstep/lost_time");

    /// By how many milliseconds the drawn time advanced more or less than it should have. Frames of pauses are left out.
    pub const ANIMATION_ERROR: DiagnosticPath = DiagnosticPath::const_new("evenstep/animation_error");

    /// Frames a second by the clock of a [`DisplayTimePlugin`](crate::DisplayTimePlugin): the display's rate, if no refresh is missed.
    pub const DISPLAY_RATE: DiagnosticPath = DiagnosticPath::const_new("evenstep/display_rate");
}

impl Plugin for EvenstepDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        app.register_diagnostic(Diagnostic::new(Self::STEPS_PER_FRAME))
            .register_diagnostic(Diagnostic::new(Self::LOST_TIME).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(Self::ANIMATION_ERROR).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(Self::DISPLAY_RATE).with_suffix("Hz"))
            .add_systems(Update, measure);
    }
}

fn measure(
    mut diagnostics: Diagnostics,
    last: If<Res<LastFrame>>,
    timestep: If<Res<Timestep>>,
    display: Option<Res<DisplayTime>>,
) {
    let Some(frame) = last.stats().samples().next_back() else {
        return;
    };
    diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::STEPS_PER_FRAME, || f64::from(frame.steps));
    diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::LOST_TIME, || {
        let dropped = frame.dropped as f64 * timestep.rate().period_secs_f64();
        ((last.clamped() + frame.clamped).as_secs_f64() + dropped) * 1000.0
    });
    if let Some(error) = frame.animation_error {
        diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::ANIMATION_ERROR, || error.abs() * 1000.0);
    }
    if let Some(period) = display
        .and_then(|display| display.period())
        .filter(|period| !period.is_zero())
    {
        diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::DISPLAY_RATE, || 1.0 / period.as_secs_f64());
    }
}
