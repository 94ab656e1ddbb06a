//! [`InputBuffer`]: keys, buttons, pointer and wheel, each change in exactly one step.

use alloc::vec::Vec;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::{Controls, InputCounts, InputEvent, TimedEvents};
use crate::schedule::{Schedule, TaskId};
use crate::step::{Frame, Step};
use crate::time::Tick;

/// Input: each press, release and motion reaches exactly one step.
///
/// A program that reads its input once a frame loses presses in frames without a step and receives them twice in frames with several. Push
/// events here as they arrive. Call [`begin_frame`](Self::begin_frame) in every frame, and ask for the [`Controls`] of each step. A
/// [`GameLoop`](crate::GameLoop) does this for you.
///
/// | your library | call | the event acts in |
/// |---|---|---|
/// | says when it happened (browsers, SDL, gilrs) | [`push_at`](Self::push_at) | the step whose interval contains its time |
/// | does not (winit, macroquad, GLFW) | [`push`](Self::push) | the next step that runs; motion in all steps of the next frame that has steps |
///
/// Event times are read from the clock that times the frames, and count from that clock's zero. The step of an event depends on its time
/// alone, not on when frames were drawn. In slow motion, events keep their order and are spread over the steps of the slower time.
///
/// A filter may run ahead of the clock by its [lead](crate::filter::DeltaFilter::max_lead). A step must not run before its input can be
/// known, so every event acts later by this lead. Without a filter there is no delay.
///
/// ```
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use evenstep::input::{InputBuffer, InputEvent};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut clock = FrameClock::unfiltered(); // no filter
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut input = InputBuffer::new(256);
/// let first = clock.begin_frame(ms(0)); // no time has passed
/// input.begin_frame(&first, &timestep.advance(first.delta));
/// input.push_at(ms(13), InputEvent::Press("jump"));
/// input.push_at(ms(17), InputEvent::Release("jump"));
///
/// let time = clock.begin_frame(ms(25));
/// let frame = timestep.advance(time.delta);
/// input.begin_frame(&time, &frame);
/// for step in frame.steps() {
///     assert_eq!(input.controls(&step).was_pressed(&"jump"), step.tick == 1);
/// }
/// ```
///
/// | an event that | is |
/// |---|---|
/// | is later than the frame | kept until its time comes |
/// | is older than the last frame | delivered to the next step that runs, and counted as [late](InputCounts::late); if by over a second, also as [foreign](InputCounts::foreign) |
/// | is older than an event pushed before it | delivered before that event, and counted as [reordered](InputCounts::reordered) |
/// | happened in a pause that was called, or was pushed before the first frame | reduced to its state, and counted as [paused](InputCounts::paused) |
/// | finds the buffer full | reduced to its state, and counted as [refused](InputCounts::refused); motion is added to earlier motion |
/// | belongs to a step that was dropped | delivered to the next step that runs |
///
/// No event overtakes an older one: a late event that follows one still waiting for its step waits with it.
///
/// # Which step is asked for
///
/// You may ask for steps in any order:
///
/// | asked for | has |
/// |---|---|
/// | the same step again in a frame | the same controls |
/// | a step that was given back or refused, as the first of the next frame | the same controls, and input since then |
/// | a later step, skipping others | also the input of the skipped steps |
/// | an earlier step, or one of a timestep that was set back | the keys that are held now; presses, releases and motion have reached their step |
/// | a step in a frame that was not [begun](Self::begin_frame) | no new events: they wait |
///
/// # Pauses, and a full buffer
///
/// Presses, motion and turns of the wheel in a pause never reach a step. States do: in the first step after the pause held keys are held, and
/// keys that were released in the pause are up.
///
/// A frame belongs to a pause if no time arrives in it and it has no single step: paused, in the frame after
/// [`resume`](crate::FixedTimestep::resume), or at a time scale of zero. A frame whose time is dropped does not count as a pause. By the program's
/// clock, regardless of the filter, it lasts from the frame before to its own time.
///
/// Motion has room of its own, of the same size. Beyond it, motion is merged with earlier motion. A press or release that finds the buffer full
/// leaves its state, for which there is always room: up to 1024 states, one for each key, beyond the capacity. So no release is lost.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(
    feature = "serde",
    serde(bound(deserialize = "K: PartialEq + Clone + serde::Deserialize<'de>"))
)]
pub struct InputBuffer<K> {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::timed_events::restored"))]
    events: TimedEvents<InputEvent<K>>,
    /// The step of this frame that was asked for last.
    asked: Option<Tick>,
    /// The step that was asked for last in the frame before, if this frame begins with it.
    given_back: Option<Tick>,
    /// Its controls, and the events that led to them.
    controls: Controls<K>,
    taken: Vec<(Duration, InputEvent<K>)>,
}

impl<K: PartialEq + Clone> InputBuffer<K> {
    /// A buffer with room for `capacity` presses and releases between two steps, and the same for motion: 256 are plenty.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            events: TimedEvents::new(capacity, false),
            asked: None,
            given_back: None,
            controls: Controls::new(),
            taken: Vec::new(),
        }
    }

    /// The same, but presses and motion of a pause are kept, and reach the first step after it. A full buffer refuses and
    /// [counts](InputCounts::refused) presses and releases. For a game in which time stands still while the player decides.
    #[must_use]
    pub const fn keep_pauses(mut self) -> Self {
        self.events.keeps_pauses = true;
        self
    }

    /// Takes an event with its time on the frames' clock, for the step whose interval contains the time. The cost is linear in the number
    /// of later events that wait; where there is no room, in the capacity.
    pub fn push_at(&mut self, at: Duration, event: InputEvent<K>) {
        self.events.push_at(at, event);
    }

    /// Takes an event without a time, for the next step that runs: for libraries that do not say when a key went down. Motion is spread
    /// evenly over the steps of its frame. Before the first frame and in a pause it is reduced to its state.
    pub fn push(&mut self, event: InputEvent<K>) {
        self.events.push(event);
    }

    /// Assigns each event up to the end of the frame to a step. Call it once a frame, before the steps.
    ///
    /// `time` is the result of the frame clock, and `frame` the timestep's result for its delta.
    pub fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.events.begin_frame(time, frame);
        self.begin_at(frame.steps().next().map(|step| step.tick));
    }

    /// Does the same for a task of a [`Schedule`] that has just advanced: assigns each event to a step of that task. Each
    /// task that takes input needs its own buffer.
    /// Returns whether the schedule has the [task](TaskId); if not, nothing has changed.
    ///
    /// ```
    /// use evenstep::{FrameClock, Rate};
    /// use evenstep::input::{InputBuffer, InputEvent};
    /// use evenstep::schedule::Schedule;
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let mut clock = FrameClock::unfiltered();
    /// let mut schedule = Schedule::new();
    /// let physics = schedule.add(Rate::hz(100));
    /// let decisions = schedule.add(Rate::hz(10));
    /// let mut input = InputBuffer::new(64); // for physics
    /// let first = clock.begin_frame(ms(0)); // no time has passed
    /// let _lost = schedule.advance(first.delta);
    /// input.begin_task(&first, &schedule, physics);
    /// input.push_at(ms(27), InputEvent::Press("jump"));
    ///
    /// let time = clock.begin_frame(ms(40));
    /// let _lost = schedule.advance(time.delta);
    /// assert!(input.begin_task(&time, &schedule, physics));
    /// while let Some((task, step)) = schedule.next_step() {
    ///     if task == physics {
    ///         assert_eq!(input.controls(&step).was_pressed(&"jump"), step.tick == 2);
    ///     }
    /// }
    /// ```
    pub fn begin_task(&mut self, time: &FrameTime, schedule: &Schedule, task: TaskId) -> bool {
        let is_known = self.events.begin_task(time, schedule, task);
        if is_known {
            self.begin_at(schedule.tick(task));
        }
        is_known
    }

    /// Begins a frame whose first step has this tick. Tick 0 comes again only where the timestep was set back.
    fn begin_at(&mut self, first: Option<Tick>) {
        let last = self.asked.take().or(self.given_back);
        self.given_back = match first {
            Some(first) => last.filter(|last| *last == first && first > 0),
            None => last,
        };
    }

    /// The controls of a step: what is held, and what was pressed, released and moved in it.
    pub fn controls(&mut self, step: &Step) -> &Controls<K> {
        self.begin_step(step);
        &self.controls
    }

    /// The events of a step with their times, oldest first: for typed text, and where the order or the time of presses counts. Motion that
    /// was added up has the time of the first.
    pub fn events(&mut self, step: &Step) -> &[(Duration, InputEvent<K>)] {
        self.begin_step(step);
        &self.taken
    }

    /// Takes the events of a step, unless it was asked for last.
    fn begin_step(&mut self, step: &Step) {
        if self.asked.replace(step.tick) == Some(step.tick) {
            return;
        }
        if self.given_back.take() != Some(step.tick) {
            self.controls.begin_step();
            self.taken.clear();
        }
        while let Some((at, event)) = self.events.next(step) {
            self.controls.apply(event.clone());
            self.taken.push((at, event));
        }
    }

    /// Counts of input that was not delivered in the ordinary way.
    #[must_use]
    pub const fn counts(&self) -> InputCounts {
        self.events.counts()
    }

    /// The number of events that wait for their step.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
