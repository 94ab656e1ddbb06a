//! Character movement by the engines' own character controllers.

#[cfg(any(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
use evenstep_physics::PhysicsError;

/// The half length and the radius of a character's capsule, in metres.
pub(super) const CAPSULE: (f32, f32) = (0.5, 0.3);

/// The collision category of characters, which Box2D's mover ignores.
#[cfg(feature = "box2d")]
pub(super) const CHARACTER: u64 = 8;

/// The displacement of a character that tries to move by `by` in `dt` seconds; it moves with the body on which it stands.
#[cfg(feature = "box2d")]
pub(super) fn in_box2d(
    engine: &mut evenstep_physics::Box2d,
    body: evenstep_physics::boxdd::BodyId,
    by: (f32, f32),
    dt: f32,
) -> Result<(f32, f32), PhysicsError> {
    mover::walk(engine.world_mut(), body, by, dt).map_err(|error| PhysicsError::Engine {
        action: "move a character",
        reason: error.to_string(),
    })
}

/// The character mover of Box2D's samples: collide, solve the planes and cast, a few times.
#[cfg(feature = "box2d")]
mod mover {
    use evenstep_physics::boxdd::{BodyId, Position, QueryFilter, Result, Vec2, World, solve_planes};

    use super::{CAPSULE, CHARACTER};

    /// The number of iterations.
    const ITERATIONS: usize = 5;
    /// Shapes within this distance in metres count as touched.
    const SKIN: f32 = 0.02;
    /// The smallest upward component of a normal that counts as ground.
    const GROUND: f32 = 0.7;

    pub(super) fn walk(world: &mut World, body: BodyId, by: (f32, f32), dt: f32) -> Result<(f32, f32)> {
        let start = world.body(body)?.position()?;
        let ends = (Vec2::new(0.0, -CAPSULE.0), Vec2::new(0.0, CAPSULE.0));
        let others = || QueryFilter::new().mask(!CHARACTER);
        let ground = ground_velocity(world, start)?;
        let goal = Vec2::new(by.0 + ground.x * dt, by.1 + ground.y * dt);
        let query = world.query()?;
        let mut moved = Vec2::new(0.0, 0.0);
        for _ in 0..ITERATIONS {
            let at = Position::from([start.x + moved.x, start.y + moved.y]);
            let mut planes = Vec::new();
            for touched in query.collide_mover(at, ends.0, ends.1, CAPSULE.1, others())? {
                planes.extend(touched.into_rigid_collision_plane()?);
            }
            let left = Vec2::new(goal.x - moved.x, goal.y - moved.y);
            let offset = solve_planes(left, &mut planes)?.translation();
            let share = query.cast_mover(at, ends.0, ends.1, CAPSULE.1, offset, others())?;
            moved = Vec2::new(moved.x + share * offset.x, moved.y + share * offset.y);
        }
        Ok((moved.x, moved.y))
    }

    /// The velocity of the body on which it stands.
    fn ground_velocity(world: &mut World, at: Position) -> Result<Vec2> {
        let ends = (Vec2::new(0.0, -CAPSULE.0), Vec2::new(0.0, CAPSULE.0));
        let near = QueryFilter::new().mask(!CHARACTER);
        let touched = world
            .query()?
            .collide_mover(at, ends.0, ends.1, CAPSULE.1 + SKIN, near)?;
        let below = touched
            .into_iter()
            .find(|plane| plane.hit && plane.plane.normal().y > GROUND);
        match below {
            Some(plane) => {
                let body = world.shape(plane.shape_id)?.body_id()?;
                world.body(body)?.linear_velocity()
            }
            None => Ok(Vec2::new(0.0, 0.0)),
        }
    }
}

/// The same for both of Rapier's crates.
#[cfg(any(feature = "rapier2d", feature = "rapier3d"))]
macro_rules! in_rapier {
    ($name:ident, $engine:ident, $rapier:ident, $vector:expr) => {
        pub(super) fn $name(
            engine: &evenstep_physics::$engine,
            body: evenstep_physics::$rapier::prelude::RigidBodyHandle,
            by: (f32, f32),
            dt: f32,
        ) -> Result<(f32, f32), PhysicsError> {
            use evenstep_physics::$rapier::control::{CharacterLength, KinematicCharacterController};
            use evenstep_physics::$rapier::prelude::{QueryFilter, Vector};

            let world = engine.world();
            let vector: fn((f32, f32)) -> Vector = $vector;
            let shape = world.bodies.get(body).and_then(|own| own.colliders().first());
            let (Some(own), Some(shape)) = (
                world.bodies.get(body),
                shape.and_then(|shape| world.colliders.get(*shape)),
            ) else {
                return Ok((0.0, 0.0));
            };
            let controller = KinematicCharacterController {
                offset: CharacterLength::Absolute(0.02),
                ..KinematicCharacterController::default()
            };
            let others = world.query_pipeline_with_filter(QueryFilter::default().exclude_rigid_body(body));
            let moved = controller.move_shape(dt, &others, shape.shape(), own.position(), vector(by), |_| {});
            Ok((moved.translation.x, moved.translation.y))
        }
    };
}

#[cfg(feature = "rapier2d")]
in_rapier!(in_rapier2d, Rapier2d, rapier2d, |(x, y)| Vector::new(x, y));
#[cfg(feature = "rapier3d")]
in_rapier!(in_rapier3d, Rapier3d, rapier3d, |(x, y)| Vector::new(x, y, 0.0));
