//! The first program of the book's page for Bevy: a square that the arrow keys move in equal steps, drawn smoothly.

use std::f32::consts::FRAC_PI_4;

use bevy::prelude::*;
use bevy_evenstep::prelude::*;

#[derive(Component)]
struct Player;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins)
        .add_plugins(EvenstepPlugin::hz(60)) // after DefaultPlugins
        .add_plugins((DisplayTimePlugin, StepInputPlugin::default(), SuspendHiddenPlugin))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, walk)
        .add_systems(Update, pause)
        .run()
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let square = Sprite::from_color(Color::WHITE, Vec2::splat(50.0));
    commands.spawn((Player, square, TransformInterpolation));
    let help = Text2d::new("Left, Right: move   Space: turn   Escape: pause");
    commands.spawn((help, Transform::from_xyz(0.0, 200.0, 0.0)));
}

fn walk(mut players: Query<&mut Transform, With<Player>>, time: Res<Time>, input: Res<StepInput>) {
    for mut player in &mut players {
        let step = 200.0 * time.delta_secs(); // 200 pixels a second, the same in every step
        if input.is_down(KeyCode::ArrowRight) {
            player.translation.x += step;
        }
        if input.is_down(KeyCode::ArrowLeft) {
            player.translation.x -= step;
        }
        if input.was_pressed(KeyCode::Space) {
            player.rotate_z(FRAC_PI_4); // once for each press
        }
    }
}

fn pause(keys: Res<ButtonInput<KeyCode>>, mut time: ResMut<Time<Virtual>>) {
    if keys.just_pressed(KeyCode::Escape) {
        if time.is_paused() {
            time.unpause();
        } else {
            time.pause();
        }
    }
}
