//! Steps, lost time and animation errors among Bevy's diagnostics.

use bevy_app::{App, Plugin, Update};
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::system::{If, Res};

use crate::resources::LastFrame;
use crate::steps::ensure_steps;

/// Adds to Bevy's diagnostics how the fixed updates go: log them with Bevy's `LogDiagnosticsPlugin`, or read them from its
/// `DiagnosticsStore`.
///
/// ```
/// use bevy_app::App;
/// use bevy_diagnostic::{DiagnosticsStore, LogDiagnosticsPlugin};
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::{EvenstepDiagnosticsPlugin, ExactLoopPlugin};
///
/// App::new().add_plugins((EvenstepDiagnosticsPlugin, LogDiagnosticsPlugin::default()));
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
}

impl Plugin for EvenstepDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        app.register_diagnostic(Diagnostic::new(Self::STEPS_PER_FRAME))
            .register_diagnostic(Diagnostic::new(Self::LOST_TIME).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(Self::ANIMATION_ERROR).with_suffix("ms"))
            .add_systems(Update, measure);
    }
}

fn measure(mut diagnostics: Diagnostics, last: If<Res<LastFrame>>) {
    let Some(frame) = last.stats().samples().next_back() else {
        return;
    };
    diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::STEPS_PER_FRAME, || f64::from(frame.steps));
    diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::LOST_TIME, || {
        let dropped = frame.dropped as f64 * last.rate().period_secs_f64();
        ((last.clamped() + frame.clamped).as_secs_f64() + dropped) * 1000.0
    });
    if let Some(error) = frame.animation_error {
        diagnostics.add_measurement(&EvenstepDiagnosticsPlugin::ANIMATION_ERROR, || error.abs() * 1000.0);
    }
}
