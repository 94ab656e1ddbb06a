//! The frames of a physics system: its timestep, the frame that was begun, and the one that is drawn.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame};

use crate::error::PhysicsError;

#[derive(Clone)]
pub(super) struct Frames {
    /// The program may give back steps of the begun frame to it.
    pub(super) timestep: FixedTimestep,
    /// The frame that was run last.
    pub(super) drawn: Frame,
    /// A frame that has not been run.
    unrun: Option<Frame>,
}

impl Frames {
    pub(super) fn new(timestep: FixedTimestep) -> Self {
        Self {
            drawn: timestep.idle_frame(),
            timestep,
            unrun: None,
        }
    }

    pub(super) fn begin(&mut self, delta: Duration) -> Frame {
        self.drop_unrun();
        let frame = self.timestep.advance(delta);
        self.unrun = Some(frame);
        frame
    }

    /// Gives back the steps of the begun frame that the program has not given back.
    pub(super) fn drop_unrun(&mut self) {
        let last = self.timestep.last_frame();
        if self.is_unrun(&last) {
            let _ = self.timestep.give_back(last, u32::MAX);
        }
        self.unrun = None;
    }

    /// Whether it is what the timestep still grants of the begun frame.
    fn is_unrun(&self, frame: &Frame) -> bool {
        let first = |frame: &Frame| frame.tick() - u64::from(frame.step_count());
        let is_part = |unrun: Frame| first(&unrun) == first(frame) && frame.tick() <= unrun.tick();
        self.unrun.is_some_and(is_part) && frame.tick() == self.timestep.tick()
    }

    /// From now on the begun frame is run and drawn.
    pub(super) fn run(&mut self, frame: Frame) -> Result<(), PhysicsError> {
        if !self.is_unrun(&frame) {
            return Err(PhysicsError::ForeignFrame);
        }
        (self.drawn, self.unrun) = (frame, None);
        Ok(())
    }

    /// Gives back the last steps of the frame that is run.
    pub(super) fn give_back(&mut self, unrun: usize) {
        let unrun = u32::try_from(unrun).unwrap_or(u32::MAX);
        self.drawn = self.timestep.give_back(self.drawn, unrun);
    }
}
