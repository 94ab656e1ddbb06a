//! A first-person shooter on a moving platform: mouse look in each frame, shots in each step.

mod scene;

use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions};
use bevy_evenstep::{Button, CurrentStep, EvenstepPlugin, StepInput, StepInputPlugin};
use bevy_evenstep::{SuspendHiddenPlugin, Teleport, TransformInterpolation};

use crate::view_keys::ViewKeysPlugin;
use scene::{Bullet, Counter, EYES, Platform, Player, TARGET, Target, haunt};

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Action {
    Fire,
    Jump,
    Walk(Vec3),
}

/// Counts, and a hash of the bits of all positions of the shots.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Score {
    pub steps: u32,
    pub shots: u32,
    pub hits: u32,
    pub history: u32,
}

/// Yaw and pitch as of the last step, and the mouse motion since then, in radians.
#[derive(Resource, Default)]
struct Look {
    aim: Vec2,
    since: Vec2,
}

#[derive(Component)]
struct Shot {
    number: u32,
    velocity: Vec3,
}

fn bind(button: Button) -> Option<Action> {
    Some(match button {
        Button::Mouse(_) | Button::Gamepad(_, GamepadButton::RightTrigger2) => Action::Fire,
        Button::Key(KeyCode::Space) | Button::Gamepad(_, GamepadButton::South) => Action::Jump,
        Button::Key(KeyCode::KeyW | KeyCode::ArrowUp) => Action::Walk(Vec3::NEG_Z),
        Button::Key(KeyCode::KeyS | KeyCode::ArrowDown) => Action::Walk(Vec3::Z),
        Button::Key(KeyCode::KeyA | KeyCode::ArrowLeft) => Action::Walk(Vec3::NEG_X),
        Button::Key(KeyCode::KeyD | KeyCode::ArrowRight) => Action::Walk(Vec3::X),
        _ => return None,
    })
}

/// The game, without a window.
pub fn plugin(app: &mut App) {
    app.add_plugins((
        EvenstepPlugin::hz(60),
        SuspendHiddenPlugin,
        StepInputPlugin::new(bind),
        ViewKeysPlugin { help: scene::HELP },
    ))
    .init_resource::<Score>()
    .init_resource::<Look>()
    .add_systems(Startup, scene::build)
    .add_systems(FixedUpdate, (aim, walk, fire, fly, ride).chain())
    .add_systems(Update, (grab_mouse, look, show));
}

/// Places the platform and the targets according to the time of the step.
fn ride(
    mut platform: Single<&mut Transform, With<Platform>>,
    mut targets: Query<(&mut Transform, &Target), Without<Platform>>,
    (step, mut score): (Res<CurrentStep>, ResMut<Score>),
) {
    score.steps += 1;
    let time = step.end().as_secs_f32();
    platform.translation = Vec3::new(4.0 * (0.9 * time).sin(), 0.6 * (1.7 * time).sin(), 0.0);
    for (mut place, target) in &mut targets {
        place.translation = haunt(target.0) + Vec3::Y * (1.5 * time + target.0 as f32).sin();
    }
}

/// Applies the mouse motion of this step.
fn aim(mut look: ResMut<Look>, input: Res<StepInput<Action>>) {
    let turned = -0.003 * input.motion().as_vec2();
    look.since -= turned;
    look.aim += turned;
    look.aim.y = look.aim.y.clamp(-1.5, 1.5);
}

fn walk(
    player: Single<(&mut Transform, &mut Player)>,
    input: Res<StepInput<Action>>,
    look: Res<Look>,
    time: Res<Time>,
) {
    let (mut place, mut player) = player.into_inner();
    let held = input.held().filter_map(|action| {
        if let Action::Walk(way) = action {
            Some(*way)
        } else {
            None
        }
    });
    let way = Quat::from_rotation_y(look.aim.x) * held.sum::<Vec3>().normalize_or_zero();
    let is_standing = place.translation.y <= 0.0;
    player.climb = match is_standing {
        true if input.was_pressed(Action::Jump) => 4.0,
        true => 0.0,
        false => player.climb - 9.81 * time.delta_secs(),
    };
    let to = place.translation + (4.0 * way + player.climb * Vec3::Y) * time.delta_secs();
    place.translation = to.clamp(Vec3::new(-1.7, 0.0, -1.7), Vec3::new(1.7, 9.0, 1.7));
}

/// Fires ten shots a second while the button is held, and one for each press, however short.
fn fire(
    (mut commands, bullet): (Commands, Res<Bullet>),
    (input, look): (Res<StepInput<Action>>, Res<Look>),
    platform: Single<&Transform, With<Platform>>,
    player: Single<(&Transform, &mut Player)>,
    mut score: ResMut<Score>,
) {
    let (place, mut player) = player.into_inner();
    player.reload = player.reload.saturating_sub(1);
    if input.was_pressed(Action::Fire) || (input.is_held(Action::Fire) && player.reload == 0) {
        player.reload = 6;
        score.shots += 1;
        let turn = Quat::from_rotation_y(look.aim.x) * Quat::from_rotation_x(look.aim.y);
        let eyes = platform.translation + place.translation + EYES * Vec3::Y;
        let muzzle = Transform::from_translation(eyes + turn * Vec3::new(0.25, -0.2, -1.0));
        let (number, velocity) = (score.shots, turn * Vec3::NEG_Z * 40.0);
        let shot = (Shot { number, velocity }, TransformInterpolation, muzzle);
        commands.spawn((shot, bullet.0.clone()));
    }
}

fn fly(
    mut commands: Commands,
    mut shots: Query<(Entity, &mut Transform, &Shot)>,
    mut targets: Query<(&Transform, &mut Target, &mut Teleport), Without<Shot>>,
    (time, mut score): (Res<Time>, ResMut<Score>),
) {
    // Bevy's query order depends on the frames, because an entity that is drawn for the first time moves to another table.
    for (entity, mut place, shot) in shots.iter_mut().sort_by_key::<&Shot, _>(|shot| shot.number) {
        place.translation += shot.velocity * time.delta_secs();
        let bits = place.translation.to_array().map(f32::to_bits);
        score.history = bits.iter().fold(score.history, |hash, bits| {
            (hash.rotate_left(5) ^ bits).wrapping_mul(0x9e37_79b9)
        });
        let hit = targets
            .iter_mut()
            .find(|(target, ..)| target.translation.distance(place.translation) < TARGET + 0.4);
        if let Some((_, mut target, mut teleport)) = hit {
            score.hits += 1;
            target.0 += 4;
            teleport.mark(); // it is not drawn on its way to the next place
            commands.entity(entity).despawn();
        } else if place.translation.length() > 60.0 {
            commands.entity(entity).despawn();
        }
    }
}

/// Turns the view by all mouse motion until now, also in frames without a step.
fn look(
    (mut look, mouse): (ResMut<Look>, Res<AccumulatedMouseMotion>),
    mut player: Single<&mut Transform, With<Player>>,
    mut eyes: Single<&mut Transform, (With<Camera3d>, Without<Player>)>,
) {
    look.since -= 0.003 * mouse.delta;
    let to = look.aim + look.since;
    player.rotation = Quat::from_rotation_y(to.x);
    eyes.rotation = Quat::from_rotation_x(to.y.clamp(-1.5, 1.5));
}

fn grab_mouse(
    mut cursor: Single<&mut CursorOptions>,
    keys: Res<ButtonInput<KeyCode>>,
    clicks: Res<ButtonInput<MouseButton>>,
) {
    if clicks.just_pressed(MouseButton::Left) || keys.just_pressed(KeyCode::Escape) {
        let is_free = keys.just_pressed(KeyCode::Escape);
        cursor.grab_mode = if is_free {
            CursorGrabMode::None
        } else {
            CursorGrabMode::Locked
        };
        cursor.visible = is_free;
    }
}

fn show(mut text: Single<&mut Text2d, With<Counter>>, score: Res<Score>) {
    text.0 = format!("{} shots, {} hits", score.shots, score.hits);
}
