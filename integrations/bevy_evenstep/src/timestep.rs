//! The fixed timestep as a resource.

use bevy_ecs::resource::Resource;
use core::ops::{Deref, DerefMut};
use evenstep::FixedTimestep;

/// The [`FixedTimestep`] that grants the steps: what can be set about them, at any time.
///
/// The plugin advances it once a frame by `Time<Virtual>`, so Bevy's relative speed and pause hold, and its own
/// [`time_scale`](FixedTimestep::time_scale) on top, which is exact. How long a delta is believed is set in one place, Bevy's
/// `Time<Virtual>::set_max_delta`: the plugin sets [`max_delta`](FixedTimestep::max_delta) accordingly.
///
/// To change the rate, put another one in its place. It begins at tick 0.
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
pub struct Timestep(FixedTimestep);

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

impl DerefMut for Timestep {
    fn deref_mut(&mut self) -> &mut FixedTimestep {
        &mut self.0
    }
}
