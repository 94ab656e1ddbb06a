//! Keys that show what smoothing does, for any game.

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::winit::{UpdateMode, WinitSettings};
use bevy_evenstep::{LastFrame, NoTransformEasing, TransformInterpolation};
use evenstep::{FrameStats, Smoothing};

use crate::screen;

/// The displays that F imitates, in hertz; zero is the real one.
const DISPLAYS: [u32; 4] = [0, 30, 60, 144];
/// The factor by which slow motion slows down.
const SLOW: u32 = 8;
/// The height of the text's letters, in units of the screen.
const LETTERS: f32 = 11.0;
/// The number of frames between two updates of the line, which would be unreadable if it changed in every frame.
const CHANGE: u64 = 15;

/// Adds three keys, and two lines at the bottom: the game's own keys, and what these three have set. I draws the newest step or
/// interpolates, F imitates a display of 30, 60 or 144 Hz, L is slow motion. The line also has the animation error: by how many milliseconds
/// of simulated time a frame advances more or less than the time since the frame before, as a root mean square of the last 240 frames.
pub struct ViewKeysPlugin {
    /// What the game's keys do.
    pub help: &'static str,
}

impl Plugin for ViewKeysPlugin {
    fn build(&self, app: &mut App) {
        let help = self.help;
        app.init_resource::<View>()
            .add_systems(Startup, move |mut commands: Commands| {
                commands.spawn(screen::strip(-150.0));
                commands.spawn(screen::line(-159.0, LETTERS, Color::WHITE, help));
                commands.spawn((screen::line(-173.0, LETTERS, Color::WHITE, ""), Line));
            })
            .add_systems(PreUpdate, control.after(InputSystems))
            .add_systems(Update, (set_easing, measure, write).chain());
    }
}

/// What the keys have set, and what they change.
#[derive(Resource, Default)]
struct View {
    /// Whether bodies are drawn as the newest step left them.
    is_raw: bool,
    /// The index of the display.
    display: usize,
    /// The frames since a key last changed how they are drawn.
    stats: FrameStats<240>,
}

#[derive(Component)]
struct Line;

fn control(
    keys: Res<ButtonInput<KeyCode>>,
    mut view: ResMut<View>,
    mut time: ResMut<Time<Virtual>>,
    settings: Option<ResMut<WinitSettings>>,
) {
    if keys.just_pressed(KeyCode::KeyI) {
        view.is_raw = !view.is_raw;
    }
    if keys.just_pressed(KeyCode::KeyL) {
        let is_slow = time.relative_speed() < 1.0;
        time.set_relative_speed(if is_slow { 1.0 } else { 1.0 / SLOW as f32 });
    }
    if keys.just_pressed(KeyCode::KeyF)
        && let Some(mut settings) = settings
    {
        view.display = (view.display + 1) % DISPLAYS.len();
        *settings = match DISPLAYS[view.display] {
            0 => WinitSettings::game(),
            hertz => imitate(hertz),
        };
    }
    if keys.any_just_pressed([KeyCode::KeyI, KeyCode::KeyL, KeyCode::KeyF]) {
        view.stats = FrameStats::new();
    }
}

/// Draws this many frames a second, unless the real display has fewer.
fn imitate(hertz: u32) -> WinitSettings {
    let mode = UpdateMode::Reactive {
        wait: std::time::Duration::from_secs(1) / hertz,
        react_to_device_events: false,
        react_to_user_events: false,
        react_to_window_events: false,
    };
    WinitSettings {
        focused_mode: mode,
        unfocused_mode: mode,
    }
}

/// Also for what was spawned since the last frame.
fn set_easing(
    mut commands: Commands,
    view: Res<View>,
    smooth: Query<Entity, (With<TransformInterpolation>, Without<NoTransformEasing>)>,
    raw: Query<Entity, With<NoTransformEasing>>,
) {
    if view.is_raw {
        smooth.iter().for_each(|entity| {
            commands.entity(entity).insert(NoTransformEasing);
        });
    } else {
        raw.iter().for_each(|entity| {
            commands.entity(entity).remove::<NoTransformEasing>();
        });
    }
}

fn measure(mut view: ResMut<View>, frame: Res<LastFrame>, real: Res<Time<Real>>, time: Res<Time<Virtual>>) {
    let smoothing = if view.is_raw {
        Smoothing::None
    } else {
        Smoothing::Interpolate
    };
    let speed = time.effective_speed_f64() * frame.time_scale().as_f64();
    view.stats
        .record_shown(real.delta(), speed, frame.shown_time(smoothing), &frame);
}

fn write(view: Res<View>, time: Res<Time<Virtual>>, mut line: Single<&mut Text2d, With<Line>>) {
    if view.stats.frame_count() % CHANGE != 1 {
        return;
    }
    let drawn = if view.is_raw { "newest step" } else { "interpolated" };
    let display = match DISPLAYS[view.display] {
        0 => "real display".to_owned(),
        hertz => format!("{hertz} Hz display"),
    };
    let speed = if time.relative_speed() < 1.0 {
        format!("1/{SLOW} speed")
    } else {
        "full speed".to_owned()
    };
    let error = 1e3 * view.stats.animation_error_rms();
    line.0 = format!("I: {drawn}, animation error {error:.1} ms   F: {display}   L: {speed}");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;
    use bevy_evenstep::EvenstepPlugin;

    use super::*;

    #[test]
    fn the_line_tells_how_unevenly_the_newest_step_is_drawn_and_that_interpolation_is_even() {
        let mut app = App::new();
        let view_keys = ViewKeysPlugin { help: "" };
        app.add_plugins((MinimalPlugins, TransformPlugin, EvenstepPlugin::hz(60), view_keys))
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(6_944_444)))
            .add_systems(
                FixedUpdate,
                |mut body: Single<&mut Transform, With<TransformInterpolation>>| {
                    body.translation.x += 1.0;
                },
            );
        let body = app
            .world_mut()
            .spawn((Transform::default(), TransformInterpolation))
            .id();
        let mut line = app.world_mut().query_filtered::<&Text2d, With<Line>>();
        let mut play = |app: &mut App, key: Option<KeyCode>| {
            if let Some(key) = key {
                app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
            }
            // Without Bevy's InputPlugin a key stays newly pressed until it is reset.
            app.update();
            if let Some(key) = key {
                app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset(key);
            }
            for _ in 0..600 {
                app.update();
            }
            line.single(app.world()).unwrap().0.clone()
        };
        assert_eq!(
            play(&mut app, None),
            "I: interpolated, animation error 0.0 ms   F: real display   L: full speed"
        );
        let raw = play(&mut app, Some(KeyCode::KeyI));
        // 7 of 12 frames stand still for 6.94 ms; 5 advance by 16.67 − 6.94 ms too much.
        assert!(raw.starts_with("I: newest step, animation error 8.2 ms"), "{raw}");
        assert!(app.world().get::<NoTransformEasing>(body).is_some());
        let slow = play(&mut app, Some(KeyCode::KeyL));
        assert!(slow.contains("L: 1/8 speed"), "{slow}");
        let smooth = play(&mut app, Some(KeyCode::KeyI));
        assert!(
            smooth.starts_with("I: interpolated, animation error 0.0 ms"),
            "{smooth}"
        );
        assert!(app.world().get::<NoTransformEasing>(body).is_none());
    }
}
