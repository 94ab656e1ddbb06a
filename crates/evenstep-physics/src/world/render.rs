//! The drawn poses of a world: all bodies, or one body.

use super::World;
use super::drawing::DrawnBody;
use crate::arena::BodyKey;
use crate::engine::{BodyMotion as _, Engine, PoseOf};
use crate::error::PhysicsError;

impl<E: Engine, U> World<E, U> {
    /// The drawn poses of all bodies at `alpha` between two steps of `dt` seconds.
    pub(crate) fn drawn(&mut self, alpha: f64, dt: f64) -> impl Iterator<Item = DrawnBody<'_, PoseOf<E>, U>> {
        self.drawing.blend(alpha);
        let drawing = &self.drawing;
        self.bodies.iter().filter_map(move |(key, body)| {
            let (data, pose) = (&body.data, drawing.drawn(key.slot, alpha, dt)?);
            Some(DrawnBody { key, data, pose })
        })
    }

    /// The drawn pose of one body.
    pub(crate) fn drawn_body(&self, key: BodyKey, alpha: f64, dt: f64) -> Result<PoseOf<E>, PhysicsError> {
        let body = self.body(key)?;
        let stale = PhysicsError::StaleKey(key);
        if self.has_engine_edits {
            let pose = self.engine.motion(body.handle).ok_or(stale.clone())?.pose();
            if self.drawing.current(key.slot) != Some(pose) {
                return Ok(pose);
            }
        }
        self.drawing.drawn_single(key.slot, alpha, dt).ok_or(stale)
    }
}
