//! Keys that show what smoothing does, for any game.

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::winit::{UpdateMode, WinitSettings};
use bevy_evenstep::{LastFrame, NoTransformEasing, Timestep, TransformInterpolation};

use crate::screen;

/// The displays that F imitates, in hertz; zero is the real one.
const DISPLAYS: [u32; 4] = [0, 30, 60, 144];
/// The speed of slow motion.
const SLOW: f32 = 0.25;
/// The share of the newest frame in the average of the errors.
const NEWEST: f64 = 1.0 / 64.0;

/// Adds three keys, and a line at the bottom that says what they have set: I draws the newest step or interpolates, F imitates a display of
/// 30, 60 or 144 Hz, L is slow motion. The line also has the animation error: by how many milliseconds a frame advances more or less
/// than the time since the frame before, on average.
pub struct ViewKeysPlugin;

impl Plugin for ViewKeysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<View>()
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn((screen::line(-162.0, 12.0, Color::BLACK, ""), Line));
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
    /// The time that the frame shows, in seconds.
    drawn: Option<f64>,
    /// The mean of the newest errors, in milliseconds.
    error: f64,
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
        // The time that is shown steps by an interpolation delay once.
        view.drawn = None;
    }
    if keys.just_pressed(KeyCode::KeyL) {
        let speed = if time.relative_speed() < 1.0 { 1.0 } else { SLOW };
        time.set_relative_speed(speed);
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

fn measure(mut view: ResMut<View>, frame: Res<LastFrame>, timestep: Res<Timestep>, time: Res<Time<Virtual>>) {
    let alpha = if view.is_raw { 1.0 } else { frame.alpha() };
    let drawn = (frame.tick() as f64 + alpha) * timestep.rate().period_secs_f64();
    if let Some(before) = view.drawn.replace(drawn)
        && !time.is_paused()
    {
        let error = (drawn - before - time.delta_secs_f64()).abs() * 1000.0;
        view.error += NEWEST * (error - view.error);
    }
}

fn write(view: Res<View>, time: Res<Time<Virtual>>, mut line: Single<&mut Text2d, With<Line>>) {
    let drawn = if view.is_raw { "newest step" } else { "interpolated" };
    let display = match DISPLAYS[view.display] {
        0 => "real display".to_owned(),
        hertz => format!("{hertz} Hz"),
    };
    let speed = time.relative_speed();
    line.0 = format!(
        "I {drawn}   F {display}   L speed {speed}   animation error {:.1} ms",
        view.error
    );
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
        app.add_plugins((MinimalPlugins, TransformPlugin, EvenstepPlugin::hz(60), ViewKeysPlugin))
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
            "I interpolated   F real display   L speed 1   animation error 0.0 ms"
        );
        let raw = play(&mut app, Some(KeyCode::KeyI));
        let error: f64 = raw.split_whitespace().rev().nth(1).unwrap().parse().unwrap();
        assert!(raw.starts_with("I newest step") && (7.0..9.5).contains(&error), "{raw}");
        assert!(app.world().get::<NoTransformEasing>(body).is_some());
        let slow = play(&mut app, Some(KeyCode::KeyL));
        assert!(slow.contains("L speed 0.25"), "{slow}");
        let smooth = play(&mut app, Some(KeyCode::KeyI));
        assert!(
            smooth.starts_with("I interpolated") && smooth.ends_with("animation error 0.0 ms"),
            "{smooth}"
        );
        assert!(app.world().get::<NoTransformEasing>(body).is_none());
    }
}
