//! Events of steps, delivered when the frame that shows them is drawn.

use bevy_app::{App, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Res, ResMut, SystemParam};
use bevy_ecs::world::World;
use core::marker::PhantomData;
use core::ops::Deref;
use evenstep::Tick;
use evenstep::input::{EventQueue, Overflow};

use crate::resources::{CurrentStep, LastFrame};
use crate::rewind::RewindRegistry;

/// Hands events of steps to the systems of the frame in which the step is drawn, so that a hit is heard when it is presented and not up to a
/// step before.
///
/// Write them in a step with [`StepEventWriter`], and read them in `Update` as messages: [`Presented`].
///
/// ```
/// use bevy_app::{App, FixedUpdate, Update};
/// use bevy_ecs::prelude::MessageReader;
/// use bevy_evenstep::{EvenstepPlugin, Presented, StepEventPlugin, StepEventWriter};
///
/// struct Hit {
///     force: f32,
/// }
///
/// fn collide(mut hits: StepEventWriter<Hit>) {
///     hits.write(Hit { force: 3.0 });
/// }
///
/// fn sound(mut hits: MessageReader<Presented<Hit>>) {
///     for hit in hits.read() {
///         println!("bang, {} N, of step {}", hit.force, hit.tick());
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(60), StepEventPlugin::<Hit>::default()))
///     .add_systems(FixedUpdate, collide)
///     .add_systems(Update, sound);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StepEventPlugin<E> {
    capacity: usize,
    events: PhantomData<fn() -> E>,
}

impl<E> StepEventPlugin<E> {
    /// Lets at most `capacity` events wait to be shown; beyond it the oldest is dropped.
    #[must_use]
    pub const fn with_capacity(capacity: usize) -> Self {
        Self {
            capacity,
            events: PhantomData,
        }
    }
}

impl<E> Default for StepEventPlugin<E> {
    /// Room for 4096 events.
    fn default() -> Self {
        Self::with_capacity(4096)
    }
}

impl<E: Send + Sync + 'static> Plugin for StepEventPlugin<E> {
    fn build(&self, app: &mut App) {
        let queue = EventQueue::<E>::new(self.capacity, Overflow::DropOldest);
        app.init_resource::<RewindRegistry>();
        app.world_mut()
            .resource_mut::<RewindRegistry>()
            .retract
            .push(retract::<E>);
        app.insert_resource(Waiting(queue))
            .add_message::<Presented<E>>()
            .add_systems(
                RunFixedMainLoop,
                show::<E>.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Writes events of the step that is being run; see [`StepEventPlugin`].
#[derive(SystemParam)]
pub struct StepEventWriter<'w, E: Send + Sync + 'static> {
    waiting: ResMut<'w, Waiting<E>>,
    step: Res<'w, CurrentStep>,
}

impl<E: Send + Sync + 'static> StepEventWriter<'_, E> {
    /// Something happened in this step.
    pub fn write(&mut self, event: E) {
        self.waiting.0.emit(self.step.main(), event);
    }

    /// How many events were dropped because too many waited.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.waiting.0.dropped()
    }
}

/// An event of a step that is seen in this frame; see [`StepEventPlugin`].
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presented<E: Send + Sync + 'static> {
    tick: Tick,
    event: E,
}

impl<E: Send + Sync + 'static> Presented<E> {
    /// The step of `FixedMain` in which it was written, or that of a [`RatePlugin`](crate::RatePlugin) which ended in it.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }
}

impl<E: Send + Sync + 'static> Deref for Presented<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.event
    }
}

/// The events that are not seen yet.
#[derive(Resource)]
pub(crate) struct Waiting<E>(EventQueue<E>);

fn show<E: Send + Sync + 'static>(
    mut waiting: ResMut<Waiting<E>>,
    frame: Res<LastFrame>,
    mut shown: MessageWriter<Presented<E>>,
) {
    while let Some((tick, event)) = waiting.0.next_due(frame.drawn_time()) {
        shown.write(Presented { tick, event });
    }
}

/// Takes back the events of steps that will be run again.
fn retract<E: Send + Sync + 'static>(world: &mut World, tick: Tick) {
    if let Some(mut waiting) = world.get_resource_mut::<Waiting<E>>() {
        waiting.0.retract_from(tick);
    }
}
