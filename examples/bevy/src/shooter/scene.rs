//! The entities of the shooter: platform, player, targets and bullets.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_evenstep::TransformInterpolation;

use crate::screen;

const HELP: &str = "Mouse aim   Left button fire   WASD walk   Space jump   Esc free the mouse";
/// The height of the eyes above the player's feet, in metres.
pub(super) const EYES: f32 = 1.7;
/// The radius of a target, in metres.
pub(super) const TARGET: f32 = 1.0;

type Painted = (Mesh3d, MeshMaterial3d<StandardMaterial>);

/// The platform, which carries the player to and fro.
#[derive(Component)]
pub(super) struct Platform;

/// The player, placed at the feet. The eyes are a child.
#[derive(Component, Default)]
pub(super) struct Player {
    /// The upward speed, in metres per second.
    pub(super) climb: f32,
    /// The number of steps until the next shot.
    pub(super) reload: u32,
}

/// A ball to be hit. The number says which of its places it is at.
#[derive(Component)]
pub(super) struct Target(pub(super) u32);

/// The line of text that counts shots and hits.
#[derive(Component)]
pub(super) struct Counter;

/// The mesh and the material of shots.
#[derive(Resource, Clone)]
pub(super) struct Bullet(pub(super) Painted);

/// Spawns the scene.
pub(super) fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<StandardMaterial>>,
) {
    let mut paint = |mesh: Mesh, red, green, blue| -> Painted {
        let paint = StandardMaterial::from(Color::srgb(red, green, blue));
        (Mesh3d(meshes.add(mesh)), MeshMaterial3d(paints.add(paint)))
    };
    let mut cuboid = |x, y, z, red, green, blue| paint(Cuboid::new(x, y, z).into(), red, green, blue);
    let (pillar, deck) = (
        cuboid(1.5, 16.0, 1.5, 0.4, 0.45, 0.45),
        cuboid(4.0, 0.3, 4.0, 0.3, 0.35, 0.45),
    );
    let (rail, gun) = (
        cuboid(4.0, 0.1, 0.1, 0.9, 0.75, 0.3),
        cuboid(0.05, 0.07, 0.5, 0.15, 0.16, 0.2),
    );
    let (ball, bullet) = (
        paint(Sphere::new(TARGET).into(), 0.9, 0.25, 0.2),
        paint(Sphere::new(0.1).into(), 1.0, 0.9, 0.3),
    );
    commands.insert_resource(Bullet(bullet));
    commands.insert_resource(ClearColor(Color::srgb(0.55, 0.70, 0.82)));
    let sun = DirectionalLight {
        illuminance: 8_000.0,
        shadow_maps_enabled: true,
        ..default()
    };
    commands.spawn((sun, Transform::from_xyz(4.0, 8.0, 5.0).looking_at(Vec3::ZERO, Vec3::Y)));
    for number in 0..9 {
        let place = haunt(number) * Vec3::new(2.0, 0.0, 2.0);
        commands.spawn((pillar.clone(), Transform::from_translation(place)));
        let target = (Target(number), TransformInterpolation);
        commands.spawn((target, ball.clone(), Transform::from_translation(haunt(number))));
    }
    commands
        .spawn((Platform, TransformInterpolation, deck))
        .with_children(|platform| {
            for quarter in [0.0, 0.25, 0.5, 0.75] {
                let turn = Quat::from_rotation_y(quarter * std::f32::consts::TAU);
                let place = Transform::from_translation(turn * Vec3::new(0.0, 0.9, -2.0)).with_rotation(turn);
                platform.spawn((rail.clone(), place));
            }
            let player = (Player::default(), TransformInterpolation, Visibility::default());
            platform.spawn(player).with_children(|player| {
                let light = AmbientLight {
                    brightness: 400.0,
                    ..default()
                };
                let eyes = (
                    Camera3d::default(),
                    Tonemapping::Reinhard,
                    light,
                    Transform::from_xyz(0.0, EYES, 0.0),
                );
                player
                    .spawn(eyes)
                    .with_child((gun, Transform::from_xyz(0.22, -0.22, -0.8)));
            });
        });
    commands.spawn((
        screen::camera(),
        Camera {
            order: 1,
            clear_color: ClearColorConfig::None,
            ..default()
        },
    ));
    commands.spawn(screen::rectangle(0.0, 0.0, Vec2::splat(4.0), Color::WHITE));
    commands.spawn(screen::line(142.0, 12.0, Color::BLACK, HELP));
    commands.spawn((screen::line(162.0, 14.0, Color::BLACK, ""), Counter));
}

/// The place of a target with a number.
pub(super) fn haunt(number: u32) -> Vec3 {
    let angle = 0.45 * ((number * 5 % 9) as f32 - 4.0);
    Vec3::new(
        12.0 * angle.sin(),
        0.6 + 0.7 * (number * 7 % 5) as f32,
        -12.0 * angle.cos(),
    )
}
