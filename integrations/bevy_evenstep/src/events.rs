//! Events of steps, delivered when the frame that shows them is drawn.

use bevy_app::{App, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::schedule::common_conditions::{not, resource_exists};
use bevy_ecs::system::{Res, ResMut, SystemParam};
use bevy_ecs::world::{Mut, World};
use core::marker::PhantomData;
use evenstep::history::{EventReconciler, Notice};
use evenstep::{Smoothing, Step, Tick};

use crate::resources::{CurrentStep, LastFrame};
use crate::rewind::RewindHistory;
use crate::steps::ensure_steps;
use crate::system_sets::{BeginStep, EvenstepSystems};
use crate::timestep::Timestep;

/// The most events that wait to be presented.
const MAX_WAITING: usize = 4096;

/// Delivers events of steps to the systems of the frame in which the step is drawn, so that a hit is heard when it is presented and not up
/// to a step earlier.
///
/// Write them in a step with [`StepEventWriter`], and read them in `Update` as messages: [`Presented`].
///
/// When steps are simulated again, by [`resimulate`](crate::rewind::resimulate) or a [`SyncTest`](crate::rewind::SyncTest), events that
/// were presented and happen again are not presented again. Those that do not happen again are reported as [`Retracted`]. Events are
/// compared by `==`, so leave out fields that differ slightly from one prediction to the next.
///
/// At most 4096 events wait to be presented; beyond it the oldest is [dropped](StepEventWriter::dropped).
///
/// When steps are counted from zero again, after a change of the rate or a [`reset`](evenstep::FixedTimestep::reset), waiting events of the
/// old run are dropped.
///
/// ```
/// use bevy_app::{App, FixedUpdate, Update};
/// use bevy_ecs::prelude::MessageReader;
/// use bevy_evenstep::{Presented, StepEventPlugin, StepEventWriter};
///
/// #[derive(Clone, PartialEq)]
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
///         println!("bang, {} N, of step {}", hit.event.force, hit.tick);
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins(StepEventPlugin::<Hit>::default())
///     .add_systems(FixedUpdate, collide)
///     .add_systems(Update, sound);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StepEventPlugin<E>(PhantomData<fn() -> E>);

impl<E> Default for StepEventPlugin<E> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<E: Clone + PartialEq + Send + Sync + 'static> Plugin for StepEventPlugin<E> {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        if !app.world().contains_resource::<EventTypes>() {
            app.init_resource::<EventTypes>().add_systems(
                BeginStep,
                begin_step_of_bevy
                    .after(EvenstepSystems::Grant)
                    .run_if(not(resource_exists::<Timestep>)),
            );
        }
        app.world_mut()
            .resource_mut::<EventTypes>()
            .begin_step
            .push(begin_step::<E>);
        app.insert_resource(StepEvents::<E>::new())
            .add_message::<Presented<E>>()
            .add_message::<Retracted<E>>()
            .add_systems(
                RunFixedMainLoop,
                report::<E>.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Writes events of the step that is being run; see [`StepEventPlugin`]. Between steps, events belong to the last one.
#[derive(SystemParam)]
pub struct StepEventWriter<'w, E: Send + Sync + 'static> {
    events: ResMut<'w, StepEvents<E>>,
}

impl<E: Clone + PartialEq + Send + Sync + 'static> StepEventWriter<'_, E> {
    /// Something happened in this step.
    pub fn write(&mut self, event: E) {
        self.events.written.push(event);
        self.events.is_changed = true;
    }

    /// How many events of earlier steps were dropped because too many waited.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.events.dropped.saturating_add(self.events.reconciler.dropped())
    }
}

/// An event of a step that is presented in this frame; see [`StepEventPlugin`].
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presented<E: Send + Sync + 'static> {
    /// The step of `FixedMain` in which it was written, or the step of a [`RatePlugin`](crate::RatePlugin) that ended in it.
    pub tick: Tick,
    /// The event.
    pub event: E,
}

/// An event that was [`Presented`] and did not happen after all, because its step was simulated again with other input. Stop its
/// sound.
///
/// ```
/// use bevy_ecs::prelude::MessageReader;
/// use bevy_evenstep::Retracted;
///
/// #[derive(Clone, PartialEq)]
/// struct Hit {
///     force: f32,
/// }
///
/// fn silence(mut hits: MessageReader<Retracted<Hit>>) {
///     for hit in hits.read() {
///         println!("no bang of {} N in step {}", hit.event.force, hit.tick);
///     }
/// }
/// # bevy_ecs::system::assert_is_system(silence);
/// ```
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retracted<E: Send + Sync + 'static> {
    /// The [`tick`](Presented::tick) of the event that was presented.
    pub tick: Tick,
    /// The event.
    pub event: E,
}

/// The events of one type.
#[derive(Resource)]
pub(crate) struct StepEvents<E> {
    reconciler: EventReconciler<E>,
    /// The step that `written` belongs to. None before the first one of a run: then they belong to that.
    tick: Option<Tick>,
    /// The events of the step that is being run, or of the last one.
    written: Vec<E>,
    /// Whether the reconciler has yet to be given `written`.
    is_changed: bool,
    /// Before the timestep began again.
    dropped: u64,
}

impl<E: Clone + PartialEq> StepEvents<E> {
    const fn new() -> Self {
        Self {
            reconciler: EventReconciler::new(MAX_WAITING),
            tick: None,
            written: Vec::new(),
            is_changed: false,
            dropped: 0,
        }
    }

    fn begin_step(&mut self, step: StepBegin) {
        if step.is_restart {
            let dropped = self.dropped.saturating_add(self.reconciler.dropped());
            *self = Self { dropped, ..Self::new() };
        } else if self.tick.is_some() {
            self.reconcile();
            self.written.clear();
        }
        self.tick = Some(step.tick);
        self.is_changed = true; // If nothing is written, that replaces what was.
        self.reconciler.discard_before(step.oldest);
    }

    fn reconcile(&mut self) {
        if let Some(tick) = self.tick
            && core::mem::take(&mut self.is_changed)
        {
            // They are kept, because more may be written before the next step.
            self.reconciler.replace(tick, &mut self.written.clone());
        }
    }
}

/// The types of events.
#[derive(Resource, Default)]
pub(crate) struct EventTypes {
    begin_step: Vec<fn(&mut World, StepBegin)>,
    /// The next step, if no time is set back.
    next: Tick,
}

/// A step that is about to run.
#[derive(Clone, Copy)]
struct StepBegin {
    tick: Tick,
    /// The oldest step that can be simulated again.
    oldest: Tick,
    /// Whether it belongs to another run than the one before.
    is_restart: bool,
}

/// Begins the events of a step, which is a resimulation or one that the timestep has granted.
pub(crate) fn begin_events(world: &mut World, tick: Tick, is_resimulated: bool) {
    let history = world.get_resource::<RewindHistory>();
    let oldest = history.and_then(|history| history.ticks().next());
    world.try_resource_scope(|world, mut types: Mut<EventTypes>| {
        let step = StepBegin {
            tick,
            oldest: oldest.map_or(tick, |oldest| oldest.min(tick)),
            is_restart: !is_resimulated && tick != types.next,
        };
        if !is_resimulated {
            types.next = tick.saturating_add(1);
        }
        types.begin_step.iter().for_each(|begin| begin(world, step));
    });
}

/// Begins the events of a step of Bevy's loop.
fn begin_step_of_bevy(world: &mut World) {
    let tick = world.resource::<CurrentStep>().tick;
    begin_events(world, tick, false);
}

fn begin_step<E: Clone + PartialEq + Send + Sync + 'static>(world: &mut World, step: StepBegin) {
    if let Some(mut events) = world.get_resource_mut::<StepEvents<E>>() {
        events.begin_step(step);
    }
}

fn report<E: Clone + PartialEq + Send + Sync + 'static>(
    mut events: ResMut<StepEvents<E>>,
    frame: Res<LastFrame>,
    mut presented: MessageWriter<Presented<E>>,
    mut retracted: MessageWriter<Retracted<E>>,
) {
    events.reconcile();
    let (rate, drawn) = (frame.rate(), frame.shown_time(Smoothing::Interpolate));
    let is_drawn = |tick| Step::new(tick, rate).end() <= drawn;
    while let Some(notice) = events.reconciler.next_notice(is_drawn) {
        match notice {
            Notice::Happened { tick, event } => _ = presented.write(Presented { tick, event }),
            Notice::Retracted { tick, event } => _ = retracted.write(Retracted { tick, event }),
        }
    }
}
