//! Many bodies.

use evenstep_flat::Error;
use evenstep_flat::poses::{Dimensions, Rows};
use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::{RawPool, Shown};
use crate::slots::status;

/// Bodies as rows of floats, which JavaScript writes and reads in place.
#[wasm_bindgen]
pub struct RawPoses {
    rows: Rows,
    states: Shown,
    drawn: Shown,
    matrices: Shown,
}

#[wasm_bindgen]
impl RawPoses {
    /// In space, or in the plane.
    pub fn create(in_space: bool, pool: &RawPool) -> Self {
        let dimensions = if in_space { Dimensions::Three } else { Dimensions::Two };
        Self {
            rows: Rows::new(dimensions),
            states: Shown::new(pool),
            drawn: Shown::new(pool),
            matrices: Shown::new(pool),
        }
    }

    /// Where the states are.
    pub fn states(&self) -> usize {
        self.states.address()
    }

    /// Where is what was drawn.
    pub fn drawn(&self) -> usize {
        self.drawn.address()
    }

    /// Where the matrices are.
    pub fn matrices(&self) -> usize {
        self.matrices.address()
    }

    /// Adds a row at rest in a state, which is written into the floats at the end afterwards; the last three count in space only.
    #[expect(clippy::too_many_arguments, reason = "the numbers of a state in space")]
    pub fn add(&mut self, x: f32, y: f32, third: f32, fourth: f32, fifth: f32, sixth: f32, seventh: f32) -> u32 {
        let state = [x, y, third, fourth, fifth, sixth, seventh];
        let floats = self.rows.dimensions().floats();
        let state = &state[..floats];
        let added = self.rows.push(state);
        if added.is_ok() {
            let old = self.states.floats().len();
            self.resize();
            self.states.floats_mut()[old..].copy_from_slice(state);
            self.drawn.floats_mut()[old..].copy_from_slice(state);
        }
        status(added.map(drop))
    }

    /// Removes a row; the last one takes its number.
    pub fn remove(&mut self, row: usize) -> u32 {
        let removed = self.rows.remove(row);
        if removed.is_ok() {
            let floats = self.rows.dimensions().floats();
            let last = self.rows.len() * floats;
            for floats_of in [&mut self.states, &mut self.drawn] {
                floats_of.floats_mut().copy_within(last..last + floats, row * floats);
            }
            self.resize();
        }
        status(removed)
    }

    fn resize(&mut self) {
        let (count, dimensions) = (self.rows.len(), self.rows.dimensions());
        self.states.resize(count * dimensions.floats());
        self.drawn.resize(count * dimensions.floats());
        if !self.matrices.floats().is_empty() {
            self.matrices.resize(count * dimensions.matrix());
        }
    }

    /// Takes the states of all rows after a step.
    pub fn commit(&mut self) -> u32 {
        status(self.rows.commit(self.states.floats()))
    }

    /// Begins a step in which only rows that move are committed.
    pub fn begin_step(&mut self) {
        self.rows.begin_step();
    }

    /// Takes the state of a row after the step.
    pub fn commit_row(&mut self, row: usize) -> u32 {
        let floats = self.rows.dimensions().floats();
        let state = row
            .checked_mul(floats)
            .and_then(|at| self.states.floats().get(at..at + floats));
        let Some(state) = state else {
            return status(Err(Error::Missing));
        };
        status(self.rows.set(row, state))
    }

    /// The next state of a row is a jump.
    pub fn jump(&mut self, row: usize) -> u32 {
        status(self.rows.jump(row))
    }

    /// Moves both states of a row, and the one that is being written.
    pub fn shift(&mut self, row: usize, x: f32, y: f32, z: f32) -> u32 {
        let by = [x, y, z];
        let (axes, floats) = (self.rows.dimensions().axes(), self.rows.dimensions().floats());
        let shifted = self.rows.shift(row, &by[..axes]);
        if shifted.is_ok() {
            let position = &mut self.states.floats_mut()[row * floats..][..axes];
            position.iter_mut().zip(by).for_each(|(axis, by)| *axis += by);
        }
        status(shifted)
    }

    /// Writes all rows as they are to be drawn.
    pub fn draw(&mut self, alpha: f64) -> u32 {
        status(self.rows.draw(alpha, self.drawn.floats_mut()))
    }

    /// The same as matrices.
    pub fn draw_matrices(&mut self, alpha: f64) -> u32 {
        self.matrices.resize(self.rows.len() * self.rows.dimensions().matrix());
        status(self.rows.draw_matrices(alpha, self.matrices.floats_mut()))
    }
}
