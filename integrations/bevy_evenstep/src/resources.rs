//! The resources for the last frame and the current step.

use bevy_ecs::resource::Resource;
use core::ops::Deref;
use core::time::Duration;
use evenstep::{Frame, FrameStats, Rate, Step};

/// Frames that [`LastFrame::stats`] covers.
const WINDOW: usize = 120;

/// The frame that is being drawn: its alpha, the time that it shows, and what it lost. Read it from `Update` on.
///
/// It is a [`Frame`] of Bevy's loop, or of an [`ExactLoopPlugin`](crate::ExactLoopPlugin) after steps were given back.
///
/// ```
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::LastFrame;
///
/// fn show(frame: Res<LastFrame>) {
///     let (alpha, lost) = (frame.alpha(), frame.lost());
///     println!("alpha {alpha}, {} steps dropped; in {} frames {} dropped", lost.dropped,
///         frame.stats().frame_count(), frame.stats().dropped());
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
#[derive(Resource, Clone, Debug)]
pub struct LastFrame {
    frame: Frame,
    rate: Rate,
    clamped: Duration,
    stats: FrameStats<WINDOW>,
}

impl LastFrame {
    pub(crate) fn new(frame: Frame, rate: Rate) -> Self {
        Self {
            frame,
            rate,
            clamped: Duration::ZERO,
            stats: FrameStats::new(),
        }
    }

    /// Stores the granted frame, and the real time that Bevy clamped.
    pub(crate) fn grant(&mut self, frame: Frame, rate: Rate, clamped: Duration) {
        (self.frame, self.rate, self.clamped) = (frame, rate, clamped);
    }

    /// Stores the frame after its steps, and records the real time since the last frame at the speed of Bevy's virtual time.
    pub(crate) fn finish(&mut self, frame: Frame, delta: Duration, speed: f64) {
        self.frame = frame;
        self.stats
            .record_at_speed(delta, speed * frame.time_scale().as_f64(), &frame);
    }

    /// The rate of its steps.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// Real time that Bevy clamped, because it exceeded the longest delta of `Time<Virtual>`. Nothing of it reached the
    /// simulation.
    #[must_use]
    pub const fn clamped(&self) -> Duration {
        self.clamped
    }

    /// How the last 120 frames went.
    #[must_use]
    pub const fn stats(&self) -> &FrameStats<WINDOW> {
        &self.stats
    }
}

impl Deref for LastFrame {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.frame
    }
}

/// The step that is being run, with its tick and its exact times: in `FixedUpdate` and its neighbours, and in the schedule of a
/// [`RatePlugin`](crate::RatePlugin). Between steps it is the last one.
///
/// Under Bevy's loop the rate is the inverse of its period in whole nanoseconds; under an [`ExactLoopPlugin`](crate::ExactLoopPlugin) it is exact.
///
/// ```
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::CurrentStep;
///
/// fn spawn_waves(step: Res<CurrentStep>) {
///     if step.tick % 600 == 0 {
///         // every ten seconds at 60 Hz, exactly
///     }
/// }
/// # bevy_ecs::system::assert_is_system(spawn_waves);
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct CurrentStep(pub(crate) Step);

impl Deref for CurrentStep {
    type Target = Step;

    fn deref(&self) -> &Step {
        &self.0
    }
}
