//! The first program of the book: a square that keys move in equal steps, drawn smoothly.

use bevy::prelude::*;
use bevy_evenstep::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, EvenstepPlugins))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, walk)
        .run()
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn((Sprite::from_color(Color::WHITE, Vec2::splat(50.0)), SmoothTransform));
}

fn walk(mut player: Single<&mut Transform, With<SmoothTransform>>, time: Res<Time>, input: Res<StepInput>) {
    let way = f32::from(input.is_down(KeyCode::ArrowRight)) - f32::from(input.is_down(KeyCode::ArrowLeft));
    player.translation.x += 200.0 * way * time.delta_secs(); // 200 pixels a second, the same in every step
    if input.was_pressed(KeyCode::Space) {
        player.rotate_z(0.8); // once for each press
    }
}
