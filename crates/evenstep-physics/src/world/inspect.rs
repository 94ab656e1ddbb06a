//! Implements `Inspect` for a world: its bodies by slot.

use evenstep::Inspect;
use evenstep::inspect::{Leaf, Visitor};

use super::drawing::Drawing;
use super::saved::SavedWorld;
use super::{Body, World};
use crate::arena::Arena;
use crate::engine::{Engine, PoseOf};

impl<E: Engine, U: Inspect> Inspect for World<E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        let motion = |handle| self.engine.motion(handle);
        visitor.field("bodies", &Bodies::<E, _, _>(&self.bodies, &self.drawing, motion));
    }
}

impl<E: Engine, U: Inspect> Inspect for SavedWorld<E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        let motion = |handle| E::saved_motion(&self.engine, handle);
        visitor.field("bodies", &Bodies::<E, _, _>(&self.bodies, &self.drawing, motion));
    }
}

/// Bodies, with their poses and the function that reads their motions.
struct Bodies<'a, E: Engine, U, F>(&'a Arena<Body<E::Handle, U>>, &'a Drawing<E::Motion>, F);

/// The slots are the same on all machines; generations are not, because they also count bodies of ticks that were rolled back.
impl<E: Engine, U: Inspect, F: Fn(E::Handle) -> Option<E::Motion>> Inspect for Bodies<'_, E, U, F> {
    fn visit(&self, visitor: &mut impl Visitor) {
        let Self(bodies, drawing, motion) = self;
        visitor.leaf(Leaf::Length(bodies.len()));
        for (key, body) in bodies.iter() {
            let state = BodyState::<E, U> {
                motion: motion(body.handle),
                pose: drawing.current(key.slot),
                data: &body.data,
            };
            visitor.entry(&key.slot, &state);
        }
    }
}

struct BodyState<'a, E: Engine, U> {
    /// `None` where only the pose is known.
    motion: Option<E::Motion>,
    pose: Option<PoseOf<E>>,
    data: &'a U,
}

impl<E: Engine, U: Inspect> Inspect for BodyState<'_, E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        match (&self.motion, &self.pose) {
            (Some(motion), _) => motion.visit(visitor),
            (None, Some(pose)) => visitor.field("pose", pose),
            (None, None) => {}
        }
        visitor.field("data", self.data);
    }
}

/// The poses and velocities of all bodies, whatever the program's data are.
pub(super) struct Motions<'a, E: Engine, U>(pub(super) &'a World<E, U>);

impl<E: Engine, U> Inspect for Motions<'_, E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        for (key, body) in self.0.bodies.iter() {
            if let Some(motion) = self.0.engine.motion(body.handle) {
                (key.slot, motion).visit(visitor);
            }
        }
    }
}
