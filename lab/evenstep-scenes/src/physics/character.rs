//! Characters, moved by the engines' own controllers.

#[cfg(any(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
use evenstep_physics::PhysicsError;

/// From a character's centre to the centres of its ends, and their radius, in metres.
pub(super) const CAPSULE: (f32, f32) = (0.5, 0.3);

/// What Box2D's mover passes through: itself.
#[cfg(feature = "box2d")]
pub(super) const CHARACTER: u64 = 8;

/// How far a capsule comes on Box2D that is to go so far in `dt` seconds; it goes with what it stands on.
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

/// As the character of Box2D's samples moves: collide, solve the planes, cast, a few times.
#[cfg(feature = "box2d")]
mod mover {
    use evenstep_physics::boxdd::{BodyId, Position, QueryFilter, Result, Vec2, World, solve_planes};

    use super::{CAPSULE, CHARACTER};

    const ROUNDS: usize = 5;
    /// What is nearer than this, in metres, is touched.
    const SKIN: f32 = 0.02;
    /// Of the length of a normal that points up, what is still ground.
    const GROUND: f32 = 0.7;

    pub(super) fn walk(world: &mut World, body: BodyId, by: (f32, f32), dt: f32) -> Result<(f32, f32)> {
        let start = world.body(body)?.position()?;
        let ends = (Vec2::new(0.0, -CAPSULE.0), Vec2::new(0.0, CAPSULE.0));
        let others = || QueryFilter::new().mask(!CHARACTER);
        let ground = ground(world, start)?;
        let goal = Vec2::new(by.0 + ground.x * dt, by.1 + ground.y * dt);
        let query = world.query()?;
        let mut gone = Vec2::new(0.0, 0.0);
        for _ in 0..ROUNDS {
            let at = Position::from([start.x + gone.x, start.y + gone.y]);
            let mut planes = Vec::new();
            for touched in query.collide_mover(at, ends.0, ends.1, CAPSULE.1, others())? {
                planes.extend(touched.into_rigid_collision_plane()?);
            }
            let left = Vec2::new(goal.x - gone.x, goal.y - gone.y);
            let way = solve_planes(left, &mut planes)?.translation();
            let share = query.cast_mover(at, ends.0, ends.1, CAPSULE.1, way, others())?;
            gone = Vec2::new(gone.x + share * way.x, gone.y + share * way.y);
        }
        Ok((gone.x, gone.y))
    }

    /// How fast what it stands on moves.
    fn ground(world: &mut World, at: Position) -> Result<Vec2> {
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

/// The same for both of Rapier's crates: how far a body's own shape comes.
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
            let gone = controller.move_shape(dt, &others, shape.shape(), own.position(), vector(by), |_| {});
            Ok((gone.translation.x, gone.translation.y))
        }
    };
}

#[cfg(feature = "rapier2d")]
in_rapier!(in_rapier2d, Rapier2d, rapier2d, |(x, y)| Vector::new(x, y));
#[cfg(feature = "rapier3d")]
in_rapier!(in_rapier3d, Rapier3d, rapier3d, |(x, y)| Vector::new(x, y, 0.0));
