//! Implements `Snapshot` for a world: its bodies by slot.

use evenstep::Snapshot;
use evenstep::snapshot::{Leaf, Visitor};

use super::World;
use super::body::Body;
use super::saved::SavedWorld;
use crate::arena::{Arena, BodyKey};
use crate::engine::{BodyMotion, Engine, PoseOf};

impl<E: Engine, U: Snapshot> Snapshot for World<E, U>
where
    E::Motion: Snapshot,
    PoseOf<E>: Snapshot,
{
    fn visit(&self, visitor: &mut impl Visitor) {
        let motion = |_, handle| self.engine.motion(handle).map(Known::<E>::Motion);
        visitor.field("bodies", &Bodies(&self.bodies, motion));
    }
}

impl<E: Engine, U: Snapshot> Snapshot for SavedWorld<E, U>
where
    E::Motion: Snapshot,
    PoseOf<E>: Snapshot,
{
    fn visit(&self, visitor: &mut impl Visitor) {
        let motion = |key, handle| {
            let motion = E::saved_motion(&self.engine, handle).map(Known::<E>::Motion);
            motion.or_else(|| self.drawing.current(key).map(Known::Pose))
        };
        visitor.field("bodies", &Bodies(&self.bodies, motion));
    }
}

/// The known part of a body's motion.
enum Known<E: Engine> {
    Motion(E::Motion),
    Pose(PoseOf<E>),
}

struct Bodies<'a, E: Engine, U, F>(&'a Arena<Body<E, U>>, F);

/// The slots are the same on all machines; generations are not, because they also count bodies of ticks that were rolled back.
impl<E: Engine, U: Snapshot, F: Fn(BodyKey, E::Handle) -> Option<Known<E>>> Snapshot for Bodies<'_, E, U, F>
where
    E::Motion: Snapshot,
    PoseOf<E>: Snapshot,
{
    fn visit(&self, visitor: &mut impl Visitor) {
        let Self(bodies, motion) = self;
        visitor.leaf(Leaf::Length(bodies.len()));
        for (key, body) in bodies.iter() {
            let known = motion(key, body.handle);
            let data = &body.data;
            visitor.entry(&key.slot, &BodyState { known, data });
        }
    }
}

struct BodyState<'a, E: Engine, U> {
    known: Option<Known<E>>,
    data: &'a U,
}

impl<E: Engine, U: Snapshot> Snapshot for BodyState<'_, E, U>
where
    E::Motion: Snapshot,
    PoseOf<E>: Snapshot,
{
    fn visit(&self, visitor: &mut impl Visitor) {
        match &self.known {
            Some(Known::Motion(motion)) => motion.visit(visitor),
            Some(Known::Pose(pose)) => visitor.field("pose", pose),
            None => {}
        }
        visitor.field("data", self.data);
    }
}

/// The poses and velocities of all bodies, whatever the program's data are.
pub(super) struct Motions<'a, E: Engine, U>(pub(super) &'a World<E, U>);

impl<E: Engine, U> Snapshot for Motions<'_, E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        for (key, body) in self.0.bodies.iter() {
            if let Some(motion) = self.0.engine.motion(body.handle) {
                key.slot.visit(visitor);
                motion.for_each_component(|component| visitor.leaf(Leaf::F32(component)));
            }
        }
    }
}
