//! Poses of many bodies.

use evenstep_flat::Error;
use evenstep_flat::poses::{Dimensions, Rows};

use crate::call::Call;
use crate::calls::poses as calls;
use crate::memory::{Pool, Shown};
use crate::slots::Slots;

/// Bodies as rows of floats, which JavaScript writes and reads in place.
pub(crate) struct Poses {
    rows: Rows,
    states: Shown,
    drawn: Shown,
    matrices: Shown,
}

impl Poses {
    /// Poses in space or in the plane.
    pub(crate) fn new(in_space: bool) -> Self {
        let dimensions = if in_space { Dimensions::Three } else { Dimensions::Two };
        Self {
            rows: Rows::new(dimensions),
            states: Shown::default(),
            drawn: Shown::default(),
            matrices: Shown::default(),
        }
    }

    /// Returns the memory to the pool.
    pub(crate) fn free(self, pool: &mut Pool) {
        for shown in [self.states, self.drawn, self.matrices] {
            pool.release(shown);
        }
    }

    pub(crate) fn call(&mut self, call: &Call, pool: &mut Pool, slots: &mut Slots) -> Result<(), Error> {
        let row = call.count(0) as usize;
        match call.what {
            calls::STATES => slots.number(0, self.states.address() as f64),
            calls::DRAWN => slots.number(0, self.drawn.address() as f64),
            calls::MATRICES => slots.number(0, self.matrices.address() as f64),
            calls::ADD => self.add(slots, pool)?,
            calls::REMOVE => self.remove(row, pool)?,
            calls::COMMIT => self.rows.commit(self.states.floats())?,
            calls::BEGIN_STEP => self.rows.begin_step(),
            calls::COMMIT_ROW => self.commit_row(row)?,
            calls::TELEPORT => self.rows.teleport(row)?,
            calls::SHIFT => self.shift(row, call)?,
            calls::DRAW => self.rows.draw(call.numbers[0], self.drawn.floats_mut())?,
            _ => {
                let count = self.rows.len() * self.rows.dimensions().matrix();
                self.matrices.resize(count, pool);
                self.rows.draw_matrices(call.numbers[0], self.matrices.floats_mut())?;
            }
        }
        Ok(())
    }

    /// Adds a row for a body at rest. Its state is read from the slots and appended to the floats.
    fn add(&mut self, slots: &Slots, pool: &mut Pool) -> Result<(), Error> {
        let state: [f32; 7] = core::array::from_fn(|at| slots.read(at) as f32);
        let state = &state[..self.rows.dimensions().floats()];
        self.rows.push(state)?;
        let old = self.states.floats().len();
        self.resize(pool);
        self.states.floats_mut()[old..].copy_from_slice(state);
        self.drawn.floats_mut()[old..].copy_from_slice(state);
        Ok(())
    }

    /// Removes a row; the last one takes its number.
    fn remove(&mut self, row: usize, pool: &mut Pool) -> Result<(), Error> {
        self.rows.remove(row)?;
        let floats = self.rows.dimensions().floats();
        let last = self.rows.len() * floats;
        for floats_of in [&mut self.states, &mut self.drawn] {
            floats_of.floats_mut().copy_within(last..last + floats, row * floats);
        }
        self.resize(pool);
        Ok(())
    }

    fn resize(&mut self, pool: &mut Pool) {
        let (count, dimensions) = (self.rows.len(), self.rows.dimensions());
        self.states.resize(count * dimensions.floats(), pool);
        self.drawn.resize(count * dimensions.floats(), pool);
        if !self.matrices.floats().is_empty() {
            self.matrices.resize(count * dimensions.matrix(), pool);
        }
    }

    /// Takes the state of a row from `states` after the step.
    fn commit_row(&mut self, row: usize) -> Result<(), Error> {
        let floats = self.rows.dimensions().floats();
        let at = row.checked_mul(floats).ok_or(Error::Missing)?;
        let state = self.states.floats().get(at..at + floats).ok_or(Error::Missing)?;
        self.rows.set(row, state)
    }

    /// Moves both states of a row, and its state in `states`.
    fn shift(&mut self, row: usize, call: &Call) -> Result<(), Error> {
        let [_, x, y, z] = call.numbers;
        let by = [x as f32, y as f32, z as f32];
        let (axes, floats) = (self.rows.dimensions().axes(), self.rows.dimensions().floats());
        self.rows.shift(row, &by[..axes])?;
        let position = &mut self.states.floats_mut()[row * floats..][..axes];
        position.iter_mut().zip(by).for_each(|(axis, by)| *axis += by);
        Ok(())
    }
}
