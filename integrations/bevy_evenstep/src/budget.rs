//! A limit on the processor time of the steps of a frame.

use bevy_ecs::resource::Resource;
use bevy_platform::time::Instant;
use core::fmt;
use core::time::Duration;

/// The real time that the steps of a frame may take. With this resource, no further step begins once the time is used up; the remaining
/// steps are given back to the [`Timestep`](crate::Timestep) and follow its overrun policy.
///
/// At least one step runs, so that the game does not stand still on a slow machine. Without this resource only
/// [`max_steps`](evenstep::FixedTimestep::max_steps) limits a frame.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::{Budget, ExactLoopPlugin};
/// use std::time::Duration;
///
/// let mut app = App::new();
/// app.add_plugins(ExactLoopPlugin::hz(60)).insert_resource(Budget::new(Duration::from_millis(8)));
/// ```
#[derive(Resource)]
pub struct Budget {
    limit: Duration,
    clock: Box<dyn FnMut() -> Duration + Send + Sync>,
    /// The clock's time when the step under way began.
    last: Duration,
    spent: Duration,
}

impl Budget {
    /// A budget of real time per frame, measured by the platform's clock.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        let start = Instant::now(); // Bevy's clock, which browsers have as well
        Self::with_clock(limit, move || start.elapsed())
    }

    /// The same with another clock: for tests.
    pub fn with_clock(limit: Duration, clock: impl FnMut() -> Duration + Send + Sync + 'static) -> Self {
        Self {
            limit,
            clock: Box::new(clock),
            last: Duration::ZERO,
            spent: Duration::ZERO,
        }
    }

    /// The real time that the steps of a frame may take.
    #[must_use]
    pub const fn limit(&self) -> Duration {
        self.limit
    }

    /// Sets the [`limit`](Self::limit), at once.
    pub const fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Real time that the steps of the last frame took.
    #[must_use]
    pub const fn spent(&self) -> Duration {
        self.spent
    }

    pub(crate) fn begin_frame(&mut self) {
        self.last = (self.clock)();
        self.spent = Duration::ZERO;
    }

    /// Counts the step that has run. Returns whether another one may.
    pub(crate) fn end_step(&mut self) -> bool {
        let now = (self.clock)();
        let step = now.saturating_sub(core::mem::replace(&mut self.last, now));
        self.spent = self.spent.saturating_add(step);
        self.spent < self.limit
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, spent, .. } = self;
        f.debug_struct("Budget")
            .field("limit", limit)
            .field("spent", spent)
            .finish_non_exhaustive()
    }
}
