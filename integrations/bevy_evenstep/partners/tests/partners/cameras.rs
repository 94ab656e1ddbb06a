//! Several cameras, pointers and listeners: whatever Bevy reads from `GlobalTransform` has the poses that are drawn in the frame.

use bevy::camera::RenderTarget;
use bevy::camera::primitives::MeshAabb as _;
use bevy::camera::visibility::update_frusta;
use bevy::camera::{CameraProjection, CameraProjectionPlugin, RenderTargetInfo, primitives::Frustum};
use bevy::picking::PickingPlugin;
use bevy::picking::backend::PointerHits;
use bevy::picking::mesh_picking::ray_cast::RayCastVisibility;
use bevy::picking::mesh_picking::{MeshPickingPlugin, MeshPickingSettings};
use bevy::picking::pointer::{Location, PointerId, PointerLocation};
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy::window::PrimaryWindow;
use bevy_evenstep::{Teleport, TransformInterpolation};

use crate::apps::{Loop, app};
use crate::frames::{begin, frame, frames};

const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

#[derive(Component)]
struct Target;

/// A camera that copies in `Update` where its target is drawn.
#[derive(Component)]
struct Follower;

/// A camera that steps move.
#[derive(Component)]
struct Rail;

/// What a system has that only reads changed transforms after Bevy's propagation, as spatial sound, lights and frusta do.
#[derive(Component, Default)]
struct Heard(GlobalTransform);

/// A camera on a surface of 640 by 360 pixels.
fn camera() -> (Camera, Projection, Heard) {
    let lens = PerspectiveProjection::default();
    let mut camera = Camera::default();
    camera.computed.clip_from_view = lens.get_clip_from_view();
    camera.computed.target_info = Some(RenderTargetInfo {
        physical_size: UVec2::new(640, 360),
        scale_factor: 1.0,
    });
    (camera, Projection::Perspective(lens), Heard::default())
}

fn walk(
    mut targets: Query<&mut Transform, With<Target>>,
    mut rails: Query<&mut Transform, (With<Rail>, Without<Target>)>,
) {
    for mut target in &mut targets {
        target.translation.x += 0.1;
        target.rotate_y(0.03);
    }
    rails.iter_mut().for_each(|mut rail| rail.translation.z += 0.05);
}

fn follow(mut eyes: Query<&mut Transform, With<Follower>>, target: Single<&GlobalTransform, With<Target>>) {
    for mut eye in &mut eyes {
        *eye = Transform::from_translation(target.translation() + Vec3::new(1.0, 2.0, 9.0));
        eye.look_at(target.translation(), Vec3::Y);
    }
}

fn hear(mut changed: Query<(&GlobalTransform, &mut Heard), Changed<GlobalTransform>>) {
    changed.iter_mut().for_each(|(place, mut heard)| heard.0 = *place);
}

/// A target with a camera on its back, a camera that follows it, one on rails and one at rest. `prepare` adds to the app before its first
/// frame.
fn stage(prepare: impl FnOnce(&mut App)) -> App {
    let mut app = app(Loop::Ours, 60);
    app.add_plugins(CameraProjectionPlugin)
        .add_systems(FixedUpdate, walk)
        .add_systems(Update, follow)
        .add_systems(PostUpdate, hear.after(TransformSystems::Propagate).after(update_frusta));
    let world = app.world_mut();
    let back = Transform::from_xyz(0.0, 1.0, 3.0);
    world
        .spawn((Target, Heard::default(), TransformInterpolation))
        .with_child((camera(), back));
    world.spawn((camera(), Follower));
    world.spawn((
        camera(),
        Rail,
        TransformInterpolation,
        Transform::from_xyz(0.0, 0.0, 20.0),
    ));
    world.spawn((camera(), Transform::from_xyz(3.0, 0.0, 30.0)));
    prepare(&mut app);
    begin(&mut app);
    app
}

#[test]
fn frusta_of_all_cameras_and_systems_that_read_changed_places_only_have_the_drawn_poses_of_the_frame() {
    for display in DISPLAYS {
        let mut app = stage(|_| ());
        for (number, delta) in frames(display, 2).enumerate() {
            let mut target = app
                .world_mut()
                .query_filtered::<(&mut Transform, &mut Teleport), With<Target>>();
            let (mut place, mut teleport) = target.single_mut(app.world_mut()).unwrap();
            if (number + 1).is_multiple_of(25) {
                place.translation.x -= 7.0;
                teleport.mark();
            }
            frame(&mut app, delta);
            let mut cameras = app.world_mut().query::<(&GlobalTransform, &Projection, &Frustum)>();
            assert_eq!(cameras.iter(app.world()).count(), 4);
            for (place, lens, frustum) in cameras.iter(app.world()) {
                let expected = lens.compute_frustum(place);
                let normals = |frustum: &Frustum| frustum.half_spaces.map(|side| side.normal_d());
                assert_eq!(normals(frustum), normals(&expected), "frame {number} at {display} Hz");
            }
            let mut all = app.world_mut().query::<(&GlobalTransform, &Heard)>();
            assert!(
                all.iter(app.world()).all(|(place, heard)| *place == heard.0),
                "frame {number} at {display} Hz"
            );
        }
    }
}

/// What a pointer hits: for each camera, how far its ray passes from the place of the target.
#[derive(Resource, Default)]
struct Pointers {
    /// Where each camera has shown the target in the last frame, in pixels.
    at: Vec<(Entity, Vec2)>,
    /// How far the rays through these pixels are from the target at most: in `PreUpdate`, where Bevy's picking runs, and in steps.
    off: [f32; 2],
}

fn point<const WHEN: usize>(
    cameras: Query<(&Camera, &GlobalTransform)>,
    target: Single<&GlobalTransform, With<Target>>,
    mut pointers: ResMut<Pointers>,
) {
    let rays = pointers.at.iter().map(|(camera, pixel)| {
        let (camera, place) = cameras.get(*camera).unwrap();
        camera.viewport_to_world(place, *pixel).unwrap()
    });
    let far = rays.map(|ray| (target.translation() - ray.origin).reject_from(*ray.direction).length());
    pointers.off[WHEN] = far.fold(pointers.off[WHEN], f32::max);
}

/// Where each camera has shown the target in the last frame, in pixels.
fn shown(app: &mut App) -> Vec<(Entity, Vec2)> {
    let mut cameras = app.world_mut().query::<(Entity, &Camera, &GlobalTransform)>();
    let target = drawn_target(app);
    let shown = cameras.iter(app.world()).filter_map(|(camera, lens, place)| {
        let pixel = lens.world_to_viewport(place, target).ok()?;
        Some((camera, pixel))
    });
    let shown: Vec<_> = shown.collect();
    assert_eq!(shown.len(), 4);
    shown
}

fn drawn_target(app: &mut App) -> Vec3 {
    let mut targets = app.world_mut().query_filtered::<&GlobalTransform, With<Target>>();
    targets.single(app.world()).unwrap().translation()
}

#[test]
fn a_pointer_hits_what_the_last_frame_shows_under_it_in_pre_update_and_not_in_steps() {
    for display in DISPLAYS {
        let mut app = stage(|_| ());
        app.init_resource::<Pointers>()
            .add_systems(PreUpdate, point::<0>)
            .add_systems(FixedUpdate, point::<1>.before(walk));
        for delta in frames(display, 1) {
            let shown = shown(&mut app);
            app.world_mut().resource_mut::<Pointers>().at = shown;
            frame(&mut app, delta);
        }
        let [before, in_steps] = app.world().resource::<Pointers>().off;
        assert!(before < 1e-3, "{before} at {display} Hz");
        assert!(in_steps > 0.02, "{in_steps} at {display} Hz: a step is on its own time");
    }
}

/// The radius of the ball that Bevy's picking looks for. The target moves by five times as much in a step.
const RADIUS: f32 = 0.02;

/// What each pointer has hit in this frame, through which camera and where.
#[derive(Resource, Default)]
struct Hits(Vec<(PointerId, Entity, Vec3)>);

fn gather(mut messages: MessageReader<PointerHits>, mut hits: ResMut<Hits>) {
    hits.0.clear();
    for message in messages.read() {
        let found = message
            .picks
            .iter()
            .filter_map(|(_, hit)| Some((hit.camera, hit.position?)));
        hits.0.extend(found.map(|(camera, at)| (message.pointer, camera, at)));
    }
}

/// Adds Bevy's picking, a ball where the target is, and a pointer for each camera.
fn add_picking(app: &mut App) {
    app.add_plugins((AssetPlugin::default(), PickingPlugin, MeshPickingPlugin))
        .init_asset::<Mesh>()
        .insert_resource(MeshPickingSettings {
            ray_cast_visibility: RayCastVisibility::Any,
            ..MeshPickingSettings::default()
        })
        .init_resource::<Hits>()
        .add_systems(Update, gather);
    let ball = Sphere::new(RADIUS).mesh().build();
    let bounds = ball.compute_aabb().unwrap();
    let ball = app.world_mut().resource_mut::<Assets<Mesh>>().add(ball);
    let mut targets = app.world_mut().query_filtered::<Entity, With<Target>>();
    let target = targets.single(app.world()).unwrap();
    app.world_mut()
        .entity_mut(target)
        .insert((Mesh3d(ball), bounds, Visibility::Visible));
    app.world_mut().spawn((Window::default(), PrimaryWindow));
    app.world_mut().spawn_batch((0..4).map(PointerId::Touch));
}

#[test]
fn bevys_picking_hits_through_each_camera_what_the_last_frame_shows_under_the_pointer() {
    for display in DISPLAYS {
        let mut app = stage(add_picking);
        let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
        let window = windows.single(app.world()).unwrap();
        let target = RenderTarget::default().normalize(Some(window)).unwrap();
        for (number, delta) in frames(display, 1).enumerate() {
            let (shown, drawn) = (shown(&mut app), drawn_target(&mut app));
            let mut pointers = app.world_mut().query::<(&PointerId, &mut PointerLocation)>();
            for (pointer, mut location) in pointers.iter_mut(app.world_mut()) {
                let number = pointer.get_touch_id().unwrap() as usize;
                *location = PointerLocation::new(Location {
                    target: target.clone(),
                    position: shown[number].1,
                });
            }
            frame(&mut app, delta);
            let hits = &app.world().resource::<Hits>().0;
            for (pointer, (camera, _)) in shown.iter().enumerate() {
                let is_it = |(id, through, at): &(PointerId, Entity, Vec3)| {
                    *id == PointerId::Touch(pointer as u64) && through == camera && at.distance(drawn) < 1.1 * RADIUS
                };
                assert!(
                    hits.iter().any(is_it),
                    "camera {pointer}, frame {number} at {display} Hz"
                );
            }
        }
    }
}
