//! What is drawn of a world.

use super::World;
use crate::arena::BodyKey;
use crate::drawn::Drawn;
use crate::engine::{Engine, PoseOf};
use crate::error::PhysicsError;

impl<E: Engine, U> World<E, U> {
    /// All bodies as they are drawn at `alpha` between steps of `dt` seconds.
    pub(crate) fn drawn(&mut self, alpha: f64, dt: f64) -> impl Iterator<Item = Drawn<'_, PoseOf<E>, U>> {
        self.drawing.blend(alpha);
        let drawing = &self.drawing;
        self.bodies.iter().filter_map(move |(key, body)| {
            let (data, pose) = (&body.data, drawing.drawn(key, alpha, dt)?);
            Some(Drawn { key, data, pose })
        })
    }

    pub(crate) fn drawn_body(&self, key: BodyKey, alpha: f64, dt: f64) -> Result<PoseOf<E>, PhysicsError> {
        let body = self.body(key)?;
        let stale = PhysicsError::StaleKey(key);
        if self.is_unchecked {
            let pose = self.engine.pose_of(body.handle).ok_or(stale.clone())?;
            if self.drawing.current(key) != Some(pose) {
                return Ok(pose);
            }
        }
        self.drawing.drawn_alone(key, alpha, dt).ok_or(stale)
    }

    /// Visits bodies whose drawn pose changed since this was last asked, each once.
    pub(crate) fn drawn_changes(&mut self, alpha: f64, dt: f64, mut visit: impl FnMut(Drawn<'_, PoseOf<E>, U>)) {
        self.drawing.blend(alpha);
        let bodies = &self.bodies;
        self.drawing.take_changed(|drawing, key| {
            if let (Some(body), Some(pose)) = (bodies.get(key), drawing.drawn(key, alpha, dt)) {
                let data = &body.data;
                visit(Drawn { key, data, pose });
            }
        });
    }
}
