//! The crane, the blocks and the tower.

use bevy::prelude::*;
use bevy_evenstep::{StepInput, TransformInterpolation};

use super::round::{COLOURS, Loop, REACH, SPEED, Scores};
use crate::screen::{GREY, rectangle};

const CRANE: f32 = 112.0;
const FLOOR: f32 = -96.0;
const BLOCK: Vec2 = Vec2::new(44.0, 9.0);
/// The light upper edge of blocks and of the crane.
const LIT: Color = Color::srgba(1.0, 1.0, 1.0, 0.28);
const GRAVITY: f32 = 1200.0;
/// The size of a block.
const FULL: usize = 21;

/// The action of a key, a button or a click.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct LetGo;

/// The crane, which moves to the left and to the right.
#[derive(Component)]
pub(super) struct Crane(f32);

#[derive(Component)]
struct Block {
    /// The speed of the block while it falls.
    fall: Option<f32>,
}

/// The positions of the tower's blocks, from the bottom up.
#[derive(Resource, Default)]
struct Tower(Vec<f32>);

/// Adds the game itself, in fixed updates: the same under both loops.
pub(super) fn build(app: &mut App) {
    app.init_resource::<Tower>()
        .add_systems(Startup, draw_place)
        .add_systems(FixedUpdate, (swing, let_go, fall).chain())
        .add_systems(Last, begin.run_if(resource_changed::<Loop>));
}

fn draw_place(mut commands: Commands) {
    commands.spawn(rectangle(0.0, FLOOR - 2.0, Vec2::new(320.0, 4.0), GREY));
    commands.spawn(rectangle(0.0, CRANE + 8.0, Vec2::new(2.0 * REACH, 2.0), GREY));
}

fn begin(
    mut commands: Commands,
    (cranes, blocks): (Query<Entity, With<Crane>>, Query<Entity, With<Block>>),
    mut tower: ResMut<Tower>,
    which: Res<Loop>,
) {
    let parts = cranes.iter().chain(&blocks);
    parts.for_each(|part| commands.entity(part).despawn());
    tower.0.clear();
    let crane = rectangle(-REACH, CRANE, Vec2::new(14.0, 10.0), Color::WHITE);
    let crane = spawn(&mut commands, *which, (Crane(1.0), crane));
    let mut parts = commands.entity(crane);
    parts.with_child(rectangle(0.0, 6.0, Vec2::new(22.0, 3.0), GREY));
    parts.with_child(rectangle(0.0, -7.0, Vec2::new(26.0, 2.0), GREY));
}

fn spawn(commands: &mut Commands, which: Loop, bundle: impl Bundle) -> Entity {
    let mut entity = commands.spawn(bundle);
    if which == Loop::Evenstep {
        entity.insert(TransformInterpolation);
    }
    entity.id()
}

fn swing(crane: Single<(&mut Transform, &mut Crane)>, time: Res<Time>, which: Res<Loop>, mut scores: ResMut<Scores>) {
    let (mut place, mut crane) = crane.into_inner();
    let x = place.translation.x + crane.0 * SPEED * time.delta_secs();
    let is_beyond = x.abs() > REACH;
    crane.0 = if is_beyond { -x.signum() } else { crane.0 };
    place.translation.x = if is_beyond { (2.0 * REACH).copysign(x) - x } else { x };
    let score = scores.of(*which);
    score.steps += 1;
    score.remember(x);
}

fn let_go(
    (mut commands, which, input): (Commands, Res<Loop>, Res<StepInput<LetGo>>),
    (keys, clicks): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    (tower, crane): (Res<Tower>, Single<&Transform, With<Crane>>),
    mut scores: ResMut<Scores>,
) {
    let presses = match *which {
        Loop::Bevy => u32::from(keys.just_pressed(KeyCode::Space) || clicks.get_just_pressed().len() > 0),
        Loop::Evenstep => input.presses(LetGo),
    };
    for _ in 0..if tower.0.len() < FULL { presses } else { 0 } {
        let score = scores.of(*which);
        score.blocks += 1;
        let colour = COLOURS[*which as usize].darker(0.06 * (score.blocks % 3) as f32);
        let block = rectangle(crane.translation.x, CRANE - 10.0, BLOCK, colour);
        let block = spawn(&mut commands, *which, (Block { fall: Some(0.0) }, block));
        let mut edge = rectangle(0.0, 0.5 * BLOCK.y - 1.0, Vec2::new(BLOCK.x, 2.0), LIT);
        edge.1.translation.z = 0.1;
        commands.entity(block).with_child(edge);
    }
}

/// Lets blocks fall until they come to rest on the top of the tower or on the floor beside it.
fn fall(
    mut blocks: Query<(&mut Transform, &mut Block, &mut Sprite)>,
    (mut tower, time): (ResMut<Tower>, Res<Time>),
    (mut scores, which): (ResMut<Scores>, Res<Loop>),
) {
    for (mut place, mut block, mut sprite) in &mut blocks {
        let Some(speed) = block.fall else { continue };
        let from = place.translation;
        let speed = speed + GRAVITY * time.delta_secs();
        let to = from.y - speed * time.delta_secs();
        let top = FLOOR + BLOCK.y * (tower.0.len() as f32 + 0.5);
        let is_over =
            from.y >= top - 2.0 * BLOCK.y && tower.0.last().is_none_or(|x| (x - from.x).abs() < 0.8 * BLOCK.x);
        let rest = if is_over { top } else { FLOOR + 0.5 * BLOCK.y };
        place.translation.y = to.max(rest);
        block.fall = (to > rest).then_some(speed);
        if to <= rest && is_over {
            tower.0.push(from.x);
        } else if to <= rest {
            sprite.color = GREY;
        }
        scores.of(*which).remember(place.translation.y);
    }
    scores.of(*which).height = tower.0.len();
}
