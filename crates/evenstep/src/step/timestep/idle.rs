use super::fixed::FixedTimestep;
use crate::step::frame::Leftover;
use crate::step::{Frame, Lost};

impl FixedTimestep {
    /// A frame in which nothing happens: without time and steps, and drawn where this timestep is. For what is drawn before
    /// the first [`advance`](Self::advance).
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    ///
    /// let timestep = FixedTimestep::new(Rate::hz(60)).with_lookahead();
    /// let frame = timestep.idle_frame();
    /// assert_eq!((frame.tick(), frame.steps().len()), (0, 0));
    /// ```
    pub fn idle_frame(&self) -> Frame {
        Frame {
            rate: self.rate,
            scale: self.time_scale(),
            first: self.tick,
            count: 0,
            single_steps: 0,
            leftover: Leftover {
                before: self.fraction + self.debt,
                ..self.leftover()
            },
            lost: Lost::default(),
        }
    }
}
