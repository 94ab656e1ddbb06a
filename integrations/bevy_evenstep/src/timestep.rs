//! The fixed timestep as a resource.

use bevy_ecs::resource::Resource;
use core::ops::Deref;
use evenstep::{FixedTimestep, Overrun, TimeScale};

/// The [`FixedTimestep`] that grants the steps, and its settings.
///
/// The plugin advances it once a frame by `Time<Virtual>`, so Bevy's relative speed and pause apply, and its own exact
/// [`time_scale`](FixedTimestep::time_scale) on top of them. The longest accepted delta is set in one place, Bevy's
/// `Time<Virtual>::set_max_delta`: the plugin sets [`max_delta`](FixedTimestep::max_delta) accordingly. Bevy's limit of 250 ms, in turn,
/// follows the [overrun policy](FixedTimestep::overrun): the plugin lifts it while the policy [keeps time](Overrun::keeps_time)
/// itself. Any other limit holds. [`max_steps`](FixedTimestep::max_steps) is then the number of steps in 250 ms of `Time<Virtual>`;
/// set it for a relative speed above ten.
///
/// To change the rate, replace the resource. The new timestep begins at tick 0.
///
/// ```
/// use bevy_ecs::prelude::ResMut;
/// use bevy_evenstep::Timestep;
/// use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
///
/// fn slow_motion(mut timestep: ResMut<Timestep>) {
///     timestep.set_time_scale(TimeScale::new(1, 4).unwrap());
///     timestep.set_max_steps(4);
///     timestep.set_overrun(Overrun::Stretch { max_speed: TimeScale::new(3, 2).unwrap() });
/// }
///
/// fn ntsc(mut timestep: ResMut<Timestep>) {
///     *timestep = FixedTimestep::new(Rate::new(60_000, 1_001).unwrap()).into();
/// }
/// # bevy_ecs::system::assert_is_system(slow_motion);
/// # bevy_ecs::system::assert_is_system(ntsc);
/// ```
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Timestep(pub(crate) FixedTimestep);

impl From<FixedTimestep> for Timestep {
    fn from(timestep: FixedTimestep) -> Self {
        Self(timestep)
    }
}

impl Deref for Timestep {
    type Target = FixedTimestep;

    fn deref(&self) -> &FixedTimestep {
        &self.0
    }
}

/// The settings of the timestep. Only the plugin advances it.
impl Timestep {
    /// As [`FixedTimestep::set_max_steps`].
    pub fn set_max_steps(&mut self, max_steps: impl Into<Option<u32>>) {
        self.0.set_max_steps(max_steps);
    }

    /// As [`FixedTimestep::set_overrun`].
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.0.set_overrun(overrun);
    }

    /// As [`FixedTimestep::set_time_scale`].
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.0.set_time_scale(scale);
    }

    /// As [`FixedTimestep::pause`].
    pub fn pause(&mut self) {
        self.0.pause();
    }

    /// As [`FixedTimestep::resume`].
    pub fn resume(&mut self) {
        self.0.resume();
    }

    /// As [`FixedTimestep::resume_dropping`].
    pub fn resume_dropping(&mut self) {
        self.0.resume_dropping();
    }

    /// As [`FixedTimestep::step_once`].
    pub fn step_once(&mut self) {
        self.0.step_once();
    }

    /// As [`FixedTimestep::reset`].
    pub fn reset(&mut self) {
        self.0.reset();
    }
}
