//! The program's own loop, and the engine's own callbacks and handles.

use crate::common::{RATE, TestEngine, frames, heap, y};
use evenstep::{FixedTimestep, Step};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{Box2d, PhysicsError, PhysicsSystem, World};

for_every_engine! {
    a_loop_of_the_programs_own_gives_the_same_poses_as_update
    a_handle_of_another_engine_is_rejected
}

fn bits<E: TestEngine>(pose: evenstep_physics::engine::PoseOf<E>) -> Vec<u32> {
    E::Motion::at(pose).components().map(f32::to_bits).collect()
}

fn a_loop_of_the_programs_own_gives_the_same_poses_as_update<E: TestEngine<Motion: Default>>() {
    let (mut updated, _) = heap::<E>(10);
    let (mut own, _) = heap::<E>(10);
    let mut timestep = FixedTimestep::new(RATE).with_max_steps(30);
    let mut game = |_: &mut World<E, u32>, _: &Step| Ok::<_, PhysicsError>(());
    let mut between = 0;
    for rate in ["144", "59", "24"].into_iter().cycle().take(90) {
        let frame = updated.begin_frame(frames(rate));
        updated.run(frame, &mut game).unwrap();
        let frame = timestep.advance(frames(rate));
        for step in frame.steps() {
            own.run_step(&step, &mut game).unwrap();
        }
        let drawn: Vec<_> = updated.poses().map(|body| bits::<E>(body.pose)).collect();
        let by_hand: Vec<_> = own.poses_at(frame.alpha()).map(|body| bits::<E>(body.pose)).collect();
        assert_eq!(drawn, by_hand);
        let newest: Vec<_> = own.poses_at(1.0).map(|body| bits::<E>(body.pose)).collect();
        between += usize::from(drawn != newest);
    }
    assert_eq!(updated.hash(), own.hash());
    assert!(between > 30, "{between} frames lay between two steps");
}

fn a_handle_of_another_engine_is_rejected<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(3);
    let (other, keys) = heap::<E>(9);
    // More bodies than exist here: Rapier's handles do not identify their world.
    let foreign = other.world().handle(keys[8]).unwrap();
    let before = (physics.hash(), physics.world().len());
    let error = physics.world_mut().adopt(foreign, 0).unwrap_err().to_string();
    assert!(
        error.contains("handle") && error.contains(&format!("{foreign:?}")),
        "{error}"
    );
    assert_eq!(physics.world().key(foreign), None);
    assert_eq!((physics.hash(), physics.world().len()), before);
}

/// A Box2D world with a plate whose contacts its own callbacks decide, and one box above and one below the plate.
fn plate(prepare: impl Fn(&mut boxdd::World)) -> [f32; 2] {
    let mut engine = Box2d::fresh(-10.0);
    let world = engine.world_mut();
    prepare(world);
    let shape = boxdd::ShapeDef::builder()
        .density(1.0)
        .enable_pre_solve_events(true)
        .enable_custom_filtering(true)
        .build()
        .unwrap();
    let mut body = |kind, at: [f32; 2], half: [f32; 2], speed: f32| {
        let def = world.body_builder().body_type(kind).position(at);
        let id = world
            .create_body(def.linear_velocity([0.0, speed]).build().unwrap())
            .unwrap();
        let mut body = world.body(id).unwrap();
        body.create_box(&shape, half[0], half[1]).unwrap();
        id
    };
    body(boxdd::BodyType::Static, [0.0, 0.0], [10.0, 0.2], 0.0);
    let bodies = [
        body(boxdd::BodyType::Dynamic, [-3.0, 3.0], [0.3, 0.3], 0.0),
        body(boxdd::BodyType::Dynamic, [3.0, -3.0], [0.3, 0.3], 12.0),
    ];
    let mut physics = PhysicsSystem::<_, ()>::new(engine, FixedTimestep::new(RATE));
    let keys = bodies.map(|body| physics.world_mut().adopt(body, ()).unwrap());
    for _ in 0..150 {
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
    keys.map(|key| y(&physics.world().motion(key).unwrap()))
}

#[test]
fn box2ds_own_callbacks_filter_contacts_and_make_one_way_platforms() {
    let [above, below] = plate(|_| {});
    assert!(above > 0.4 && below < -1.0, "the plate holds both: {above} {below}");
    let through = plate(|world| world.set_custom_filter(|_, _| false).unwrap());
    assert!(
        through.iter().all(|height| *height < -4.0),
        "nothing touches: {through:?}"
    );
    // The normal points from the plate, which was created first, to the box.
    let one_way = plate(|world| world.set_pre_solve(|_, _, _, normal| normal.y > 0.5).unwrap());
    assert!(
        one_way.iter().all(|height| (*height - 0.5).abs() < 0.05),
        "both lie on the plate: {one_way:?}"
    );
}
