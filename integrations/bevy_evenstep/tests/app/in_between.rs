//! Whatever systems do with transforms: what is drawn is the truth, interpolated.

use crate::frames::frames;
use crate::scripts::{Act, Acts, DISPLAYS, EVER_AND_EARLY, Number, Script, When, any_script, play, world};
use bevy_app::{FixedFirst, FixedLast, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::LastFrame;
use bevy_math::DAffine3;
use bevy_transform::components::{GlobalTransform, Transform};
use proptest::prelude::*;

/// What the world without smoothing says of an entity, from which follows what is to be drawn of it.
#[derive(Clone, Copy, Debug, Default)]
struct Path {
    /// Before the last step, and after it.
    step: [Transform; 2],
    /// Whether the last step was a jump.
    has_teleported: bool,
    /// Whether the next one is.
    will_jump: bool,
    /// Whether it was put elsewhere and marked since the last step: there it rests.
    rests: bool,
}

#[derive(Resource, Default)]
struct Paths(Vec<Path>);

fn begin_step(entities: Query<(&Number, &Transform)>, mut paths: ResMut<Paths>) {
    for (number, transform) in entities {
        paths.0[number.0].step[0] = *transform;
    }
}

fn end_step(entities: Query<(&Number, &Transform)>, mut paths: ResMut<Paths>) {
    for (number, transform) in entities {
        let path = &mut paths.0[number.0];
        path.step[1] = *transform;
        (path.has_teleported, path.will_jump, path.rests) = (path.will_jump, false, false);
    }
}

impl Path {
    /// What is drawn of an entity that is at `now`, in the space of its parent. None where two ways to turn are as short.
    fn drawn(&self, now: Transform, alpha: f64) -> Option<(DAffine3, f64)> {
        let [before, after] = self.step;
        let wide = |transform: Transform| {
            let rotation = transform.rotation.as_dquat();
            (transform.translation.as_dvec3(), rotation, transform.scale.as_dvec3())
        };
        let ((from, from_turn, from_size), (to, to_turn, to_size), (at, turn, size)) =
            (wide(before), wide(after), wide(now));
        if from_turn.dot(to_turn).abs() < 0.1 {
            return None;
        }
        let alpha = match (self.rests, self.has_teleported) {
            (true, _) => 1.0,
            (_, true) if alpha > 0.0 => 1.0,
            _ => alpha,
        };
        // Off by as much as the state that is interpolated is off the last one.
        let rotation = turn * to_turn.inverse() * from_turn.slerp(to_turn, alpha);
        let translation = at + (from - to) * (1.0 - alpha);
        let scale = size + (from_size - to_size) * (1.0 - alpha);
        let drawn = DAffine3::from_scale_rotation_translation(scale, rotation.normalize(), translation);
        let reach = [at, from, to].iter().map(|place| place.length()).fold(1.0, f64::max);
        Some((drawn, reach))
    }
}

/// Entities are interpolated, all but each fourth one, which is drawn where it is. None comes to another parent.
fn any_script_to_draw() -> impl Strategy<Value = Script> {
    any_script(EVER_AND_EARLY, 12).prop_map(|mut script| {
        script
            .entities
            .iter_mut()
            .for_each(|(kind, _)| *kind = if *kind < 64 { 0 } else { 3 });
        let is_kept = |act: &Act| matches!(act, Act::Write(_) | Act::Teleport(_) | Act::Despawn | Act::Respawn);
        script.acts.retain(|(_, _, act)| is_kept(act));
        // One that is new in a frame does not teleport in it.
        let is_respawn = |(_, _, act): &&(usize, usize, Act)| matches!(act, Act::Respawn);
        let respawns: Vec<_> = script
            .acts
            .iter()
            .filter(is_respawn)
            .map(|(at, who, _)| (*at, *who))
            .collect();
        script
            .acts
            .retain(|(at, who, act)| !matches!(act, Act::Teleport(_)) || !respawns.contains(&(*at, *who)));
        script
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_drawn_pose_is_the_interpolated_truth_plus_later_writes(
        script in any_script_to_draw(),
        display in prop::sample::select(&DISPLAYS),
    ) {
        let [mut smooth, mut plain] = [true, false].map(|is_smoothed| world(&script, is_smoothed));
        plain.insert_resource(Paths(vec![Path::default(); script.entities.len()]));
        plain.add_systems(FixedFirst, begin_step).add_systems(FixedLast, end_step);
        let mut lengths = frames(display, 1).take(60).enumerate();
        lengths.try_for_each(|(number, delta)| {
            for app in [&mut smooth, &mut plain] {
                play(app, &script, number, delta);
            }
            let alpha = smooth.world().resource::<LastFrame>().alpha();
            let mut drawn: Vec<Option<(DAffine3, f64)>> = vec![None; script.entities.len()];
            for (entity, (kind, _)) in script.entities.iter().enumerate() {
                let id = |app: &bevy_app::App| app.world().resource::<Acts>().entities[entity];
                let Some(now) = plain.world().get::<Transform>(id(&plain)).copied() else { continue };
                let parent = plain.world().get::<ChildOf>(id(&plain)).map(ChildOf::parent);
                let parent = parent.map(|parent| plain.world().get::<Number>(parent).unwrap().0);
                let mut paths = plain.world_mut().resource_mut::<Paths>();
                let path = &mut paths.0[entity];
                for (_, _, act) in script.acts.iter().filter(|(at, who, _)| (*at, *who) == (number, entity)) {
                    match act {
                        Act::Respawn => *path = Path::default(),
                        Act::Teleport(_) => path.will_jump = true,
                        _ => {}
                    }
                }
                if path.will_jump && now != path.step[1] {
                    (path.step, path.rests) = ([now; 2], true);
                }
                let local = if *kind == 0 {
                    Path { step: [now; 2], ..*path }.drawn(now, alpha)
                } else {
                    path.drawn(now, alpha)
                };
                drawn[entity] = match parent {
                    None => local,
                    Some(parent) => drawn[parent].zip(local).map(|((space, reach), (local, own))| {
                        (space * local, reach + own * space.matrix3.x_axis.length().max(1.0))
                    }),
                };
                let Some((expected, reach)) = drawn[entity] else { continue };
                let shown = smooth.world().get::<GlobalTransform>(id(&smooth)).unwrap();
                let off = shown.translation().as_dvec3().distance(expected.translation) / reach;
                prop_assert!(off < 1e-5, "{entity} in frame {number}: {shown:?}, not {expected:?}");
                let turned = shown.affine().matrix3.as_dmat3() - expected.matrix3;
                let size = expected.matrix3.x_axis.length().max(1.0);
                let off = turned.to_cols_array().iter().fold(0.0_f64, |most, part| most.max(part.abs()));
                prop_assert!(off / size < 1e-4, "{entity} in frame {number}: {shown:?}, not {expected:?}");
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_camera_that_copies_the_drawn_pose_in_update_is_where_its_target_is_drawn(
        mut script in any_script(&[When::Step], 0),
        display in prop::sample::select(&DISPLAYS),
    ) {
        script.entities.iter_mut().for_each(|(kind, _)| *kind = 3);
        let mut app = world(&script, true);
        let target = *app.world().resource::<Acts>().entities.last().unwrap();
        let camera = app.world_mut().spawn(Transform::default()).id();
        let follow = move |globals: Query<&GlobalTransform>, mut transforms: Query<&mut Transform>| {
            transforms.get_mut(camera).unwrap().translation = globals.get(target).unwrap().translation();
        };
        app.add_systems(Update, follow);
        for (number, delta) in frames(display, 1).take(60).enumerate() {
            play(&mut app, &script, number, delta);
            let [seen, shown] = [camera, target].map(|entity| {
                app.world().get::<GlobalTransform>(entity).unwrap().translation()
            });
            prop_assert_eq!(seen, shown, "in frame {}", number);
        }
    }
}
