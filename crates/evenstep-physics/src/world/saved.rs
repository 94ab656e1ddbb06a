//! A world put aside and put back.

use std::collections::VecDeque;

use super::World;
use super::body::Body;
use super::drawing::Drawing;
use super::forces::SavedForces;
use super::recent::Recent;
use crate::arena::Arena;
use crate::contact::{Contact, Party};
use crate::engine::{Engine, Name};
use crate::error::PhysicsError;

/// A world at a moment.
pub(crate) struct SavedWorld<E: Engine, U> {
    engine: E::Saved,
    bodies: Arena<Body<E, U>>,
    forces: SavedForces<E>,
    drawing: Drawing<E::Motion>,
    is_unchecked: bool,
}

impl<E: Engine, U: Clone> World<E, U> {
    pub(crate) fn save(&self) -> Result<SavedWorld<E, U>, PhysicsError> {
        Ok(SavedWorld {
            engine: self.engine.save()?,
            bodies: self.bodies.clone(),
            forces: self.forces.save(),
            drawing: self.drawing.save(),
            is_unchecked: self.is_unchecked,
        })
    }

    /// The same, using memory again. After an error the state is as it was.
    pub(crate) fn save_into(&self, saved: &mut SavedWorld<E, U>) -> Result<(), PhysicsError> {
        self.engine.save_into(&mut saved.engine)?;
        saved.bodies.clone_from(&self.bodies);
        self.forces.save_into(&mut saved.forces);
        self.drawing.save_into(&mut saved.drawing);
        saved.is_unchecked = self.is_unchecked;
        Ok(())
    }

    /// Puts everything back but the count of generations, so that no key is ever used twice. `contacts` are of that time;
    /// they take the handles that bodies and shapes have now.
    pub(crate) fn restore(
        &mut self,
        saved: &SavedWorld<E, U>,
        contacts: &mut VecDeque<Contact<E>>,
    ) -> Result<(), PhysicsError> {
        let mut bodies = saved.bodies.clone();
        let handles = bodies.iter_mut().map(|body| Name::Body(&mut body.handle));
        let parties = contacts
            .iter_mut()
            .flat_map(|contact| [&mut contact.first, &mut contact.second]);
        self.engine
            .restore(&saved.engine, handles.chain(parties.flat_map(names)))?;
        self.bodies = bodies;
        self.forces.restore(&saved.forces);
        self.drawing.restore(&saved.drawing);
        self.is_unchecked = saved.is_unchecked;
        self.non_finite = Recent::new();
        self.destroyed = Recent::new();
        Ok(())
    }
}

fn names<E: Engine>(party: &mut Party<E>) -> impl Iterator<Item = Name<'_, E>> {
    let body = party.body.as_mut().map(Name::Body);
    body.into_iter().chain([Name::Shape(&mut party.shape)])
}
