//! The steps of the fixed loop, with their ticks and exact times.

use bevy_app::{App, FixedMainScheduleOrder, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::change_detection::Mut;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::common_conditions::{not, resource_exists};
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, ScheduleLabel, SingleThreadedExecutor};
use bevy_ecs::system::{Res, ResMut};
use bevy_time::{Fixed, Real, Time, TimePlugin, Virtual};
use core::time::Duration;
use evenstep::{FixedTimestep, Rate, Step, Tick};

use crate::resources::{CurrentStep, LastFrame};
use crate::system_sets::{BeginStep, EvenstepSystems, Keep, Restore};
use crate::timestep::Timestep;

/// Counts the steps of the fixed loop. Bevy's own runs, unless an [`ExactLoopPlugin`](crate::ExactLoopPlugin) is there.
struct StepsPlugin;

/// The longest delta of `Time<Virtual>` in a frame whose time is left out; Bevy does not allow zero.
pub(crate) const NO_TIME: Duration = Duration::from_nanos(1);

/// Adds what all plugins of this crate build on, once.
pub(crate) fn ensure_steps(app: &mut App) {
    if !app.is_plugin_added::<StepsPlugin>() {
        app.add_plugins(StepsPlugin);
    }
}

/// Says how to set a plugin of the group that is added a second time: Bevy's own panic names only the plugin.
///
/// # Panics
///
/// If the plugin was added before.
pub(crate) fn refuse_second<P: Plugin>(app: &App, constructor: &str) {
    assert!(
        !app.is_plugin_added::<P>(),
        "{} was added before, as by EvenstepPlugins; to set it, add EvenstepPlugins.set({constructor}) once",
        core::any::type_name::<P>(),
    );
}

impl Plugin for StepsPlugin {
    fn build(&self, app: &mut App) {
        let mirror = BevysLoop::default();
        app.insert_resource(LastFrame::new(mirror.timestep.idle_frame(), mirror.timestep.rate()))
            .insert_resource(CurrentStep(Step::new(0, mirror.timestep.rate())))
            .insert_resource(mirror)
            .add_schedule(single_threaded(BeginStep))
            .add_schedule(single_threaded(Restore))
            .add_schedule(single_threaded(Keep))
            .configure_sets(
                RunFixedMainLoop,
                (EvenstepSystems::Grant, EvenstepSystems::Granted)
                    .chain()
                    .after(RunFixedMainLoopSystems::BeforeFixedMainLoop)
                    .before(RunFixedMainLoopSystems::FixedMainLoop),
            )
            .add_systems(
                RunFixedMainLoop,
                (
                    grant.in_set(EvenstepSystems::Grant),
                    finish_frame
                        .after(RunFixedMainLoopSystems::FixedMainLoop)
                        .before(RunFixedMainLoopSystems::AfterFixedMainLoop),
                )
                    .run_if(not(resource_exists::<Timestep>)),
            )
            .add_systems(
                BeginStep,
                begin_step
                    .in_set(EvenstepSystems::Grant)
                    .run_if(not(resource_exists::<Timestep>)),
            );
        app.add_systems(
            RunFixedMainLoop,
            enclose_others.before(RunFixedMainLoopSystems::FixedMainLoop),
        );
    }

    fn finish(&self, app: &mut App) {
        let is_exact = app.world().contains_resource::<Timestep>();
        if let Some(order) = app.world_mut().get_resource_mut() {
            enclose(order, is_exact);
        }
        if !app.is_plugin_added::<TimePlugin>() {
            app.add_plugins(TimePlugin);
        }
    }
}

/// Others may insert schedules at any time.
fn enclose_others(order: Option<ResMut<FixedMainScheduleOrder>>, exact: Option<Res<Timestep>>) {
    if let Some(order) = order {
        enclose(order.into(), exact.is_some());
    }
}

/// Schedules of a step that others have inserted run between ours: what they see and write is the simulation's. In a step of the exact loop
/// `FixedMain` may run several times, and the step begins once.
fn enclose(mut order: Mut<FixedMainScheduleOrder>, is_exact: bool) {
    let (begin, restore, keep) = (BeginStep.intern(), Restore.intern(), Keep.intern());
    let first: &[_] = if is_exact { &[restore] } else { &[begin, restore] };
    if !(order.labels.starts_with(first) && order.labels.last() == Some(&keep)) {
        order.labels.retain(|label| ![begin, restore, keep].contains(label));
        order.labels.splice(0..0, first.iter().copied());
        order.labels.push(keep);
    }
}

/// A thread is not worth its cost for schedules that run often and do little.
pub(crate) fn single_threaded(label: impl ScheduleLabel) -> Schedule {
    let mut schedule = Schedule::new(label);
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule
}

/// Says in advance which steps Bevy's loop will run.
#[derive(Resource)]
struct BevysLoop {
    /// Has the same overstep as `Time<Fixed>`, and the rate of its period.
    timestep: FixedTimestep,
    period: Duration,
    overstep: Duration,
    next: Tick,
}

impl Default for BevysLoop {
    fn default() -> Self {
        Self::new(Time::<Fixed>::default().timestep())
    }
}

impl BevysLoop {
    fn new(period: Duration) -> Self {
        Self {
            timestep: FixedTimestep::new(exact_rate(period))
                .with_max_delta(Duration::MAX)
                .with_max_steps(u32::MAX),
            period,
            overstep: Duration::ZERO,
            next: 0,
        }
    }

    /// Follows `Time<Fixed>`, whose period and overstep the game may have changed.
    fn advance(&mut self, fixed: &Time<Fixed>, delta: Duration) -> evenstep::Frame {
        let arrived = fixed.overstep().saturating_add(delta);
        if fixed.timestep() != self.period || arrived < self.overstep {
            *self = Self::new(fixed.timestep());
        }
        let frame = self.timestep.advance(arrived.saturating_sub(self.overstep));
        self.overstep = frame.overstep().to_duration();
        self.next = frame.steps().next().map_or(self.timestep.tick(), |step| step.tick);
        frame
    }
}

/// The rate of a period of whole nanoseconds: exact up to four seconds, and to nine digits beyond.
pub(crate) fn exact_rate(period: Duration) -> Rate {
    let (mut units, mut second) = (period.as_nanos().max(1), 1_000_000_000);
    while units > u32::MAX.into() {
        (units, second) = (units / 10, (second / 10).max(1));
    }
    Rate::new(second, units as u32).unwrap_or(Rate::hz(1))
}

fn grant(
    mut mirror: ResMut<BevysLoop>,
    mut last: ResMut<LastFrame>,
    (fixed, virtual_time, real): (Res<Time<Fixed>>, Res<Time<Virtual>>, Res<Time<Real>>),
) {
    let frame = mirror.advance(&fixed, virtual_time.delta());
    last.grant(frame, mirror.timestep.rate(), clamped(&virtual_time, &real));
}

/// Real time that Bevy has cut off: it limits the delta after the relative speed.
pub(crate) fn clamped(virtual_time: &Time<Virtual>, real: &Time<Real>) -> Duration {
    let longest = virtual_time.max_delta();
    if virtual_time.delta() < longest || longest == NO_TIME {
        return Duration::ZERO;
    }
    let speed = virtual_time.relative_speed_f64();
    let in_real_time = Duration::try_from_secs_f64(longest.as_secs_f64() / speed).unwrap_or(Duration::MAX);
    real.delta()
        .saturating_sub(if speed == 1.0 { longest } else { in_real_time })
}

fn finish_frame(mut last: ResMut<LastFrame>, virtual_time: Res<Time<Virtual>>, real: Res<Time<Real>>) {
    let frame = **last;
    last.finish(frame, real.delta(), virtual_time.effective_speed_f64());
}

fn begin_step(mut mirror: ResMut<BevysLoop>, mut current: ResMut<CurrentStep>) {
    let (tick, rate) = (mirror.next, mirror.timestep.rate());
    mirror.next = tick.saturating_add(1);
    *current = CurrentStep(Step::new(tick, rate));
}
