//! `bevy_world_serialization`: scenes with the components of the plugin, which are loaded again while the game runs.

use bevy::prelude::*;
use bevy_evenstep::TransformInterpolation;
use bevy_world_serialization::{
    DynamicWorld, DynamicWorldRoot, WorldAsset, WorldInstanceSpawner, world_instance_spawner,
    world_instance_spawner_system,
};

use crate::apps::{Loop, app};
use crate::frames::{begin, frame, frames};

#[derive(Component, Default, Reflect)]
#[reflect(Component)]
struct Stone;

/// A game with Bevy's spawner of scenes. Bevy's own plugin adds the same two systems; its feature `serialize` only adds files.
fn game(stones: &[Vec3]) -> (App, Handle<DynamicWorld>) {
    let mut app = app(Loop::Ours, 60);
    app.add_plugins(AssetPlugin::default())
        .init_asset::<DynamicWorld>()
        .init_asset::<WorldAsset>()
        .init_resource::<WorldInstanceSpawner>()
        .register_type::<Transform>()
        .register_type::<Stone>()
        .add_systems(
            SpawnScene,
            (world_instance_spawner, world_instance_spawner_system).chain(),
        )
        .add_systems(FixedUpdate, |mut stones: Query<&mut Transform, With<Stone>>| {
            stones.iter_mut().for_each(|mut stone| stone.translation.x += 1.0);
        });
    let scene = scene(&app, stones);
    let scene = app.world_mut().resource_mut::<Assets<DynamicWorld>>().add(scene);
    app.world_mut().spawn(DynamicWorldRoot(scene.clone()));
    begin(&mut app);
    (app, scene)
}

fn scene(app: &App, stones: &[Vec3]) -> DynamicWorld {
    let mut world = World::new();
    for place in stones {
        world.spawn((Stone, Transform::from_translation(*place), TransformInterpolation));
    }
    DynamicWorld::from_world_with(&world, &app.world().resource::<AppTypeRegistry>().read())
}

fn stones(app: &mut App) -> Vec<(Vec3, Vec3)> {
    let mut query = app
        .world_mut()
        .query_filtered::<(&Transform, &GlobalTransform), (With<Stone>, With<TransformInterpolation>)>();
    let stones = query.iter(app.world());
    stones
        .map(|(truth, drawn)| (truth.translation, drawn.translation()))
        .collect()
}

#[test]
fn a_scene_that_is_loaded_again_is_drawn_between_its_own_steps_and_never_on_the_way_from_the_old_one() {
    for display in [30, 60, 144, 240] {
        let (mut app, handle) = game(&[Vec3::ZERO, Vec3::Y]);
        for delta in frames(display, 1) {
            frame(&mut app, delta);
            let stones = stones(&mut app);
            assert_eq!(stones.len(), 2);
            assert!(
                stones
                    .iter()
                    .all(|(truth, drawn)| (0.0..=1.0).contains(&(truth.x - drawn.x)))
            );
        }
        let again = scene(&app, &[Vec3::new(500.0, 7.0, 0.0)]);
        let mut scenes = app.world_mut().resource_mut::<Assets<DynamicWorld>>();
        scenes.insert(&handle, again).unwrap();
        let mut frames_of_the_new = 0;
        for delta in frames(display, 1) {
            frame(&mut app, delta);
            let stones = stones(&mut app);
            let is_new = stones.len() == 1;
            frames_of_the_new += u32::from(is_new);
            for (truth, drawn) in stones {
                assert!((0.0..=1.0).contains(&(truth.x - drawn.x)), "{truth} at {display} Hz");
                assert_eq!(drawn.x >= 500.0, is_new, "{drawn} at {display} Hz");
            }
        }
        assert!(u64::from(frames_of_the_new) > display / 2);
    }
}
