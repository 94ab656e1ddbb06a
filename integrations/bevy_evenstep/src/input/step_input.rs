//! The input of a step, as a resource.

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_input::gamepad::GamepadAxis;
use bevy_math::{DVec2, Vec2};
use core::time::Duration;
use std::collections::VecDeque;

use evenstep::input::{Controls, InputBuffer, InputCounts, InputEvent};
use evenstep::{Frame, FrameTime, Step, Tick};

use super::button::Button;

/// Changes that wait for their step at most; beyond it motion is added up, and of the rest the last state of each button is kept.
const CAPACITY: usize = 4096;

/// The player's input, step by step: read it in `FixedUpdate`.
///
/// `ButtonInput` belongs to frames. A press in a frame without a step is missed there, and one in a frame of several steps is read several
/// times. Here each press, release and motion reaches exactly one step: the next one that runs. `A` is an action of the
/// game, to which [`StepInputPlugin`](crate::StepInputPlugin) binds buttons, or [`Button`] itself: then its methods also take a `KeyCode`
/// or a `MouseButton`.
///
/// Input while simulated time stands still, because it is paused or its scale is zero, belongs to no step: presses, motion and
/// the wheel of a pause are dropped. Keys that are held stay held, and a release always arrives.
/// [`StepInputPlugin::keep_pauses`](crate::StepInputPlugin::keep_pauses) keeps input over pauses.
///
/// A step that is [simulated again](crate::rewind::resimulate) finds the input that it had.
///
/// Bevy's events carry no times, so they act as early as they can, and the motion of a frame is spread evenly over its steps. A program that
/// has the true time of an event can [`push_at`](Self::push_at) it, in a system of `PreUpdate`: it reaches the step whose interval contains
/// its time. Bind none of these keys then: Bevy reports them as well.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::{Button, StepInput, StepInputPlugin};
/// use bevy_input::keyboard::KeyCode;
///
/// #[derive(Clone, Copy, PartialEq)]
/// enum Action {
///     Jump,
///     Left,
/// }
///
/// fn bind(button: Button) -> Option<Action> {
///     match button {
///         Button::Key(KeyCode::Space) => Some(Action::Jump),
///         Button::Key(KeyCode::KeyA | KeyCode::ArrowLeft) => Some(Action::Left),
///         _ => None,
///     }
/// }
///
/// fn walk(input: Res<StepInput<Action>>) {
///     if input.was_pressed(Action::Jump) { /* once for each press */ }
///     if input.is_held_at_end(Action::Left) { /* in each step */ }
///     let _turned = input.motion(); // of the mouse in this step
/// }
///
/// App::new()
///     .add_plugins(StepInputPlugin::new(bind))
///     .add_systems(FixedUpdate, walk);
/// ```
#[derive(Resource)]
pub struct StepInput<A: Send + Sync + 'static = Button> {
    buffer: InputBuffer<A>,
    controls: Controls<A>,
    /// What has become of axes and fingers since the last step.
    states: Vec<State>,
    axes: Vec<((Entity, GamepadAxis), f32)>,
    touches: Vec<(u64, Vec2)>,
    /// The input of the steps that can be simulated again, oldest first.
    kept: VecDeque<(Tick, StepState<A>)>,
    /// Actions whose presses the interface has used in this frame.
    pub(super) consumed: Vec<A>,
}

/// What a step sees: its controls, axes and fingers.
type StepState<A> = (Controls<A>, Vec<((Entity, GamepadAxis), f32)>, Vec<(u64, Vec2)>);

/// Where an axis or a finger is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    Axis(Entity, GamepadAxis, f32),
    Touch(u64, Option<Vec2>),
    /// The axes of a gamepad are at rest.
    Unplugged(Entity),
}

impl<A: PartialEq + Clone + Send + Sync + 'static> StepInput<A> {
    /// Whether input of pauses is kept for the step after it.
    pub(super) fn new(keeps: bool) -> Self {
        Self {
            buffer: if keeps {
                InputBuffer::new(CAPACITY).keep_pauses()
            } else {
                InputBuffer::new(CAPACITY)
            },
            controls: Controls::new(),
            states: Vec::new(),
            axes: Vec::new(),
            touches: Vec::new(),
            kept: VecDeque::new(),
            consumed: Vec::new(),
        }
    }

    /// Whether it is down at the end of the step.
    #[must_use]
    pub fn is_held_at_end(&self, action: impl Into<A>) -> bool {
        self.controls.is_held_at_end(&action.into())
    }

    /// Whether it is down at the end of the step or went down in it, so that a tap counts as one step.
    #[must_use]
    pub fn is_down(&self, action: impl Into<A>) -> bool {
        self.controls.is_down(&action.into())
    }

    /// Whether it went down in this step, also if it is up again.
    #[must_use]
    pub fn was_pressed(&self, action: impl Into<A>) -> bool {
        self.controls.was_pressed(&action.into())
    }

    /// Whether it went up in this step, also if it is down again.
    #[must_use]
    pub fn was_released(&self, action: impl Into<A>) -> bool {
        self.controls.was_released(&action.into())
    }

    /// How often it went down in this step.
    #[must_use]
    pub fn presses(&self, action: impl Into<A>) -> u32 {
        self.controls.presses(&action.into())
    }

    /// All that is down at the end of the step, in the order in which it was pressed.
    pub fn held(&self) -> impl Iterator<Item = &A> {
        self.controls.held()
    }

    /// How far the mouse moved in this step, to the right and down. Over all steps it adds up to the motion of Bevy's events, rounded.
    #[must_use]
    pub const fn motion(&self) -> DVec2 {
        DVec2::from_array(self.controls.motion())
    }

    /// How far the wheel turned in this step, in lines; positive turns scroll to the right and down.
    #[must_use]
    pub const fn wheel(&self) -> DVec2 {
        DVec2::from_array(self.controls.wheel())
    }

    /// Where an axis of a gamepad is at the end of the step, from -1 to 1. Zero before it is moved.
    #[must_use]
    pub fn axis(&self, gamepad: Entity, axis: GamepadAxis) -> f32 {
        let found = self.axes.iter().find(|(name, _)| *name == (gamepad, axis));
        found.map_or(0.0, |(_, value)| *value)
    }

    /// Where fingers are on the screen at the end of the step, by their numbers.
    #[must_use]
    pub fn touches(&self) -> &[(u64, Vec2)] {
        &self.touches
    }

    /// Takes an event at the time when it happened, on the line of `Time<Real>::elapsed`. It reaches the step of that time, or the
    /// next one that runs.
    ///
    /// A [`MonotonicClock`](evenstep::MonotonicClock) made from `Time<Real>::first_update` shows times on this line. With
    /// [`DisplayTimePlugin`](crate::DisplayTimePlugin) they differ by what the filter has smoothed.
    ///
    /// ```
    /// use bevy_app::{App, PreUpdate};
    /// use bevy_ecs::prelude::{Res, ResMut, Resource};
    /// use bevy_evenstep::{Button, StepInput, StepInputPlugin};
    /// use bevy_time::{Real, Time};
    /// use evenstep::MonotonicClock;
    /// use evenstep::input::InputEvent;
    /// use std::time::Duration;
    ///
    /// #[derive(Clone, Copy, PartialEq)]
    /// enum Action {
    ///     Jump,
    /// }
    ///
    /// /// A source of keys with times.
    /// #[derive(Resource)]
    /// struct Keys;
    ///
    /// impl Keys {
    ///     fn poll(&mut self, clock: &MonotonicClock) -> Vec<(Duration, InputEvent<u32>)> {
    ///         vec![(clock.now(), InputEvent::Press(57))] // `KEY_SPACE`
    ///     }
    /// }
    ///
    /// fn push_keys(mut keys: ResMut<Keys>, mut input: ResMut<StepInput<Action>>, time: Res<Time<Real>>) {
    ///     let Some(start) = time.first_update() else { return };
    ///     for (at, event) in keys.poll(&MonotonicClock::from(start)) {
    ///         let event = match event {
    ///             InputEvent::Press(57) => InputEvent::Press(Action::Jump),
    ///             InputEvent::Release(57) => InputEvent::Release(Action::Jump),
    ///             InputEvent::ReleaseAll => InputEvent::ReleaseAll, // the window has lost the focus
    ///             _ => continue,
    ///         };
    ///         input.push_at(at, event);
    ///     }
    /// }
    ///
    /// fn bind(_: Button) -> Option<Action> {
    ///     None // all keys come from `push_keys`
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins(StepInputPlugin::new(bind))
    ///     .insert_resource(Keys)
    ///     .add_systems(PreUpdate, push_keys);
    /// ```
    ///
    /// If 4096 wait already, for example because no step has run for a long time, it is [counted](InputCounts::refused) as refused.
    pub fn push_at(&mut self, at: Duration, event: InputEvent<A>) {
        self.buffer.push_at(at, event);
    }

    /// Takes an event without a time, for the next step that runs.
    pub fn push(&mut self, event: InputEvent<A>) {
        self.buffer.push(event);
    }

    /// Presses it in the next step that runs, and holds it until it is [released](Self::release): for a button on the screen, a replay, a test.
    /// Presses of `ButtonInput` belong to frames, and do not come here.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_evenstep::{StepInput, StepInputPlugin};
    /// use bevy_input::keyboard::KeyCode;
    ///
    /// let mut app = App::new();
    /// app.add_plugins(StepInputPlugin::default());
    /// app.world_mut().resource_mut::<StepInput>().press(KeyCode::Space);
    /// ```
    pub fn press(&mut self, action: impl Into<A>) {
        self.push(InputEvent::Press(action.into()));
    }

    /// Releases it in the next step that runs, after it was [pressed](Self::press).
    pub fn release(&mut self, action: impl Into<A>) {
        self.push(InputEvent::Release(action.into()));
    }

    /// Takes this frame's presses of it away from the steps, because the interface has used them. Call it before the frame's steps, in
    /// `PreUpdate`, where Bevy's picking and its interface find what the mouse is over. What was pressed before stays pressed.
    ///
    /// ```
    /// use bevy_ecs::prelude::ResMut;
    /// use bevy_evenstep::StepInput;
    /// use bevy_input::mouse::MouseButton;
    ///
    /// fn on_press_of_a_button(mut input: ResMut<StepInput>) {
    ///     input.consume(MouseButton::Left);
    /// }
    /// # bevy_ecs::system::assert_is_system(on_press_of_a_button);
    /// ```
    pub fn consume(&mut self, action: impl Into<A>) {
        self.consumed.push(action.into());
    }

    /// Changes that did not come as they should: late, out of order, or too many.
    #[must_use]
    pub const fn counts(&self) -> InputCounts {
        self.buffer.counts()
    }

    pub(super) fn push_state(&mut self, state: State) {
        if self.states.len() >= CAPACITY {
            self.take_states(); // early rather than never
        }
        self.states.push(state);
    }

    pub(super) fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.buffer.begin_frame(time, frame);
    }

    /// Begins a step that runs for the first time. Its input is kept if the steps from `oldest` on can be simulated again.
    pub(super) fn begin_step(&mut self, step: &Step, oldest: Option<Tick>) {
        self.controls.clone_from(self.buffer.controls(step));
        self.take_states();
        let is_next = |(tick, _): &(Tick, _)| *tick < step.tick && oldest.is_some_and(|oldest| *tick >= oldest);
        self.kept.retain(is_next);
        if oldest.is_some() {
            let state = (self.controls.clone(), self.axes.clone(), self.touches.clone());
            self.kept.push_back((step.tick, state));
        }
    }

    /// Begins a step that ran before, with the input that it had.
    pub(super) fn begin_again(&mut self, step: &Step) {
        if let Ok(place) = self.kept.binary_search_by_key(&step.tick, |(tick, _)| *tick) {
            (self.controls, self.axes, self.touches) = self.kept[place].1.clone();
        }
    }

    fn take_states(&mut self) {
        for state in self.states.drain(..) {
            match state {
                State::Axis(gamepad, axis, value) => set(&mut self.axes, (gamepad, axis), Some(value)),
                State::Touch(finger, place) => set(&mut self.touches, finger, place),
                State::Unplugged(gamepad) => self.axes.retain(|((other, _), _)| *other != gamepad),
            }
        }
    }
}

fn set<K: PartialEq, V>(table: &mut Vec<(K, V)>, key: K, value: Option<V>) {
    table.retain(|(other, _)| *other != key);
    table.extend(value.map(|value| (key, value)));
}
