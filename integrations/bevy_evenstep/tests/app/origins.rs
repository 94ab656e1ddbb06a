//! A floating origin: a system subtracts an offset from the `Transform` of every entity without a parent, as games with large worlds do.
//! In the world, with what was subtracted added again, everything must be drawn where it is drawn without that.

use bevy_app::{App, FixedUpdate, PostUpdate, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{
    EvenstepPlugin, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation, TransformVelocity,
};
use bevy_math::Vec3;
use bevy_time::TimePlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};

use crate::frames::{begin, frame, frames};
use crate::moving::{Moves, along_x, go};

const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

/// How far everything is shifted at a time, in units. The hero moves one unit in a step.
const SHIFT: f32 = 16.0;

/// The place of the origin in the world.
#[derive(Resource, Default)]
struct Origin(Vec3);

#[derive(Component)]
struct Hero;

#[derive(Component)]
struct Eye;

/// Where `GlobalTransform` has the hero in each step, in the world.
#[derive(Resource, Default)]
struct Muzzles(Vec<Vec3>);

/// When the origin is shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Never,
    UpdateBeforeTheCamera,
    UpdateAfterTheCamera,
    PostUpdate,
    Step,
    MarkedStep,
}

fn shift(
    mut roots: Query<(&mut Transform, Option<&mut Teleport>, Has<Hero>), Without<ChildOf>>,
    mut origin: ResMut<Origin>,
    is_marked: bool,
) {
    if !roots
        .iter()
        .any(|(place, _, is_hero)| is_hero && place.translation.x >= SHIFT)
    {
        return;
    }
    for (mut place, teleport, _) in &mut roots {
        place.translation.x -= SHIFT;
        if let (true, Some(mut teleport)) = (is_marked, teleport) {
            teleport.mark();
        }
    }
    origin.0.x += SHIFT;
}

type Roots<'w, 's> =
    Query<'w, 's, (&'static mut Transform, Option<&'static mut Teleport>, Has<Hero>), Without<ChildOf>>;

fn shift_only(roots: Roots, origin: ResMut<Origin>) {
    shift(roots, origin, false);
}

fn shift_and_mark(roots: Roots, origin: ResMut<Origin>) {
    shift(roots, origin, true);
}

/// A camera beside the drawn pose of the hero.
fn follow(mut eye: Single<&mut Transform, With<Eye>>, hero: Single<&GlobalTransform, With<Hero>>) {
    eye.translation = hero.translation() + Vec3::Y;
}

fn note_muzzle(hero: Single<&GlobalTransform, With<Hero>>, origin: Res<Origin>, mut muzzles: ResMut<Muzzles>) {
    muzzles.0.push(hero.translation() + origin.0);
}

/// The hero, one more body for each way of smoothing, one without, one at rest, a child, and the camera.
fn world(when: When) -> (App, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::hz(60), TransformPlugin))
        .init_resource::<Origin>()
        .init_resource::<Muzzles>()
        .add_systems(FixedUpdate, (note_muzzle, go).chain())
        .add_systems(Update, follow);
    match when {
        When::Never => &mut app,
        When::UpdateBeforeTheCamera => app.add_systems(Update, shift_only.before(follow)),
        When::UpdateAfterTheCamera => app.add_systems(Update, shift_only.after(follow)),
        When::PostUpdate => app.add_systems(PostUpdate, shift_only.before(TransformSystems::Propagate)),
        When::Step => app.add_systems(FixedUpdate, shift_only.after(go)),
        When::MarkedStep => app.add_systems(FixedUpdate, shift_and_mark.after(go)),
    };
    let world = app.world_mut();
    let velocity = TransformVelocity {
        linear: Vec3::X * 60.0,
        ..TransformVelocity::default()
    };
    let hero = world.spawn((Hero, TransformInterpolation, along_x())).id();
    let gun = (
        TransformInterpolation,
        Moves {
            by: Vec3::Y * 0.125,
            ..Moves::default()
        },
    );
    let entities = vec![
        hero,
        world.spawn((gun, ChildOf(hero))).id(),
        world.spawn((TransformHermite, velocity, along_x())).id(),
        world
            .spawn((TransformExtrapolation::default(), velocity, along_x()))
            .id(),
        world.spawn((Transform::default(), along_x())).id(),
        world
            .spawn((TransformInterpolation, Transform::from_xyz(5.0, 0.0, 0.0)))
            .id(),
        world.spawn((Eye, Transform::default())).id(),
    ];
    begin(&mut app);
    (app, entities)
}

fn drawn(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation() + app.world().resource::<Origin>().0
}

/// How far off entities are drawn at most in two seconds, the camera's place apart, and the number of shifts.
fn off(when: When, display: u64) -> ([f32; 2], u32) {
    let [(mut plain, _), (mut app, entities)] = [world(When::Never), world(when)];
    let (mut off, mut shifts) = ([0.0_f32; 2], 0);
    for delta in frames(display, 2) {
        let before = app.world().resource::<Origin>().0;
        frame(&mut plain, delta);
        frame(&mut app, delta);
        shifts += u32::from(app.world().resource::<Origin>().0 != before);
        for (number, entity) in entities.iter().enumerate() {
            let is_camera = number + 1 == entities.len();
            let off = &mut off[usize::from(is_camera)];
            *off = off.max(drawn(&app, *entity).distance(drawn(&plain, *entity)));
        }
    }
    let [muzzles, expected] = [&app, &plain].map(|app| &app.world().resource::<Muzzles>().0);
    assert!(muzzles == expected, "steps of {when:?} at {display} Hz");
    (off, shifts)
}

#[test]
fn an_origin_that_is_shifted_outside_of_steps_moves_nothing_that_is_drawn() {
    for when in [When::UpdateAfterTheCamera, When::PostUpdate] {
        for display in DISPLAYS {
            let (off, shifts) = off(when, display);
            assert!(shifts >= 5, "{shifts} shifts at {display} Hz");
            assert!(
                off.iter().all(|off| *off < 1e-4),
                "off by {off:?}, {when:?} at {display} Hz"
            );
        }
    }
}

/// `GlobalTransform` has the drawn places of before the shift until Bevy propagates.
#[test]
fn a_camera_that_reads_drawn_places_after_the_shift_in_the_same_update_is_off_by_it_for_a_frame() {
    for display in DISPLAYS {
        let ([off, camera], _) = off(When::UpdateBeforeTheCamera, display);
        assert!(
            off < 1e-4 && (camera - SHIFT).abs() < 1e-4,
            "{off} and {camera} at {display} Hz"
        );
    }
}

/// A write in a step is motion. Marked, it is drawn at the end of the step, or, in a frame that ends exactly with the step, before the
/// shift.
#[test]
fn an_origin_that_is_shifted_in_a_step_is_drawn_as_motion_and_even_with_marks_not_where_it_was() {
    for display in DISPLAYS {
        let [swept, marked] = [When::Step, When::MarkedStep].map(|when| off(when, display).0[0]);
        assert!(swept > SHIFT / 2.0, "{swept} at {display} Hz");
        assert!(marked > 0.1, "{marked} at {display} Hz");
    }
}
