//! The entities of the shooter: platform, player, targets and bullets.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_evenstep::TransformInterpolation;

use crate::screen;

pub(super) const HELP: &str = "Mouse: aim   Click: fire   WASD: walk   Space: jump   Esc: free the mouse";
/// The colour of the sky.
const SKY: Color = Color::srgb(0.62, 0.78, 0.92);
/// The colour of haze, which tone mapping changes to that of the sky: each linear channel `s` of the sky is `s / (1 - s)` here.
const HAZE: Color = Color::linear_rgb(0.52, 1.33, 4.78);
/// The height of the eyes above the player's feet, in metres.
pub(super) const EYES: f32 = 1.7;
/// The height of the ground far below the platform, in metres.
const GROUND: f32 = -8.0;
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
        cuboid(1.5, 16.0, 1.5, 0.82, 0.72, 0.60),
        cuboid(4.0, 0.3, 4.0, 0.30, 0.36, 0.50),
    );
    let (cap, tile) = (
        cuboid(2.0, 0.5, 2.0, 0.93, 0.86, 0.74),
        cuboid(6.0, 0.1, 6.0, 0.42, 0.55, 0.36),
    );
    let (rail, gun) = (
        cuboid(4.0, 0.1, 0.1, 0.9, 0.75, 0.3),
        cuboid(0.05, 0.07, 0.5, 0.15, 0.16, 0.2),
    );
    let ground = paint(Plane3d::new(Vec3::Y, Vec2::splat(150.0)).into(), 0.48, 0.62, 0.40);
    let (ball, bullet) = (
        paint(Sphere::new(TARGET).into(), 0.95, 0.30, 0.16),
        paint(Sphere::new(0.1).into(), 1.0, 0.9, 0.3),
    );
    commands.insert_resource(Bullet(bullet));
    commands.insert_resource(ClearColor(SKY));
    let sun = DirectionalLight {
        illuminance: 10_000.0,
        shadow_maps_enabled: true,
        ..default()
    };
    commands.spawn((sun, Transform::from_xyz(4.0, 8.0, 5.0).looking_at(Vec3::ZERO, Vec3::Y)));
    commands.spawn((ground, Transform::from_xyz(0.0, GROUND, 0.0)));
    for index in 0..200 {
        // Every other square of a board.
        let (row, column) = (index / 10, 2 * (index % 10) + index / 10 % 2);
        let place = 6.0 * Vec3::new(column as f32 - 9.5, 0.0, row as f32 - 14.5);
        commands.spawn((tile.clone(), Transform::from_translation(place + GROUND * Vec3::Y)));
    }
    for number in 0..9 {
        let place = haunt(number) * Vec3::new(2.0, 0.0, 2.0);
        commands.spawn((pillar.clone(), Transform::from_translation(place)));
        commands.spawn((cap.clone(), Transform::from_translation(place + 8.25 * Vec3::Y)));
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
                    brightness: 600.0,
                    ..default()
                };
                let haze = DistanceFog {
                    color: HAZE,
                    falloff: FogFalloff::Linear {
                        start: 45.0,
                        end: 140.0,
                    },
                    ..default()
                };
                let eyes = (
                    Camera3d::default(),
                    Tonemapping::Reinhard,
                    light,
                    haze,
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
    for (x, y, size) in [(8.0, 0.0, Vec2::new(6.0, 1.2)), (0.0, 8.0, Vec2::new(1.2, 6.0))] {
        commands.spawn(screen::rectangle(x, y, size, Color::WHITE));
        commands.spawn(screen::rectangle(-x, -y, size, Color::WHITE));
    }
    commands.spawn((screen::title(168.0, 14.0), Counter));
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
