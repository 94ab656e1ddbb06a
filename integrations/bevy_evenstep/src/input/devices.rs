//! Reads Bevy's input messages of a frame.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageReader;
use bevy_ecs::system::SystemParam;
use bevy_input::gamepad::{
    GamepadAxisChangedEvent, GamepadButtonStateChangedEvent, GamepadConnection, GamepadConnectionEvent,
};
use bevy_input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy_input::mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy_input::touch::{TouchInput, TouchPhase};
use core::time::Duration;
use evenstep::input::InputEvent;

use super::button::Button;
use super::step_input::{State, StepInput};

/// Pixels of a touchpad's scrolling that count as a line of a wheel.
const PIXELS_PER_LINE: f64 = 16.0;

/// The input that Bevy has read from all devices since the last frame.
#[derive(SystemParam)]
pub(super) struct Devices<'w, 's> {
    keys: MessageReader<'w, 's, KeyboardInput>,
    focus_lost: MessageReader<'w, 's, KeyboardFocusLost>,
    buttons: MessageReader<'w, 's, MouseButtonInput>,
    motions: MessageReader<'w, 's, MouseMotion>,
    wheels: MessageReader<'w, 's, MouseWheel>,
    gamepad_buttons: MessageReader<'w, 's, GamepadButtonStateChangedEvent>,
    gamepad_axes: MessageReader<'w, 's, GamepadAxisChangedEvent>,
    gamepad_connections: MessageReader<'w, 's, GamepadConnectionEvent>,
    touches: MessageReader<'w, 's, TouchInput>,
}

/// An input of a device.
#[derive(Clone, Copy, Debug)]
pub(super) enum DeviceEvent {
    Button(Button, bool),
    Motion([f64; 2]),
    Wheel([f64; 2]),
    State(State),
    FocusLost,
    Unplugged(Entity),
}

/// Binds buttons to actions. An action is held as long as one of its buttons is.
pub(super) struct Bindings<A> {
    bind: fn(Button) -> Option<A>,
    held: Vec<(Button, A)>,
}

impl<A: PartialEq + Clone + Send + Sync + 'static> Bindings<A> {
    pub(super) const fn new(bind: fn(Button) -> Option<A>) -> Self {
        let held = Vec::new();
        Self { bind, held }
    }

    /// Passes on what follows from an input of a device.
    pub(super) fn apply(&mut self, at: Duration, event: DeviceEvent, input: &mut StepInput<A>) {
        match event {
            DeviceEvent::Button(button, true) => self.press(at, button, input),
            DeviceEvent::Button(button, false) => self.release(at, button, input),
            DeviceEvent::Motion(motion) => input.push_at(at, InputEvent::Motion(motion)),
            DeviceEvent::Wheel(lines) => input.push_at(at, InputEvent::Wheel(lines)),
            DeviceEvent::State(state) => input.push_state(at, state),
            DeviceEvent::FocusLost => {
                self.held.clear();
                input.push_at(at, InputEvent::ReleaseAll);
            }
            DeviceEvent::Unplugged(gamepad) => {
                let is_of_it = |button: &Button| matches!(button, Button::Gamepad(other, _) if *other == gamepad);
                let held: Vec<Button> = self.held.iter().map(|(button, _)| *button).filter(is_of_it).collect();
                held.into_iter().for_each(|button| self.release(at, button, input));
                input.push_state(at, State::Unplugged(gamepad));
            }
        }
    }

    fn press(&mut self, at: Duration, button: Button, input: &mut StepInput<A>) {
        if self.held.iter().any(|(other, _)| *other == button) {
            return;
        }
        let Some(action) = (self.bind)(button).filter(|action| !input.is_consumed(action)) else {
            return;
        };
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push_at(at, InputEvent::Press(action.clone()));
        }
        self.held.push((button, action));
    }

    fn release(&mut self, at: Duration, button: Button, input: &mut StepInput<A>) {
        let Some(place) = self.held.iter().position(|(other, _)| *other == button) else {
            return;
        };
        let (_, action) = self.held.remove(place);
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push_at(at, InputEvent::Release(action));
        }
    }
}

/// Events of one kind that came within an interval: laid out evenly over it.
fn spread<E>(
    from: Duration,
    to: Duration,
    events: impl ExactSizeIterator<Item = E>,
) -> impl Iterator<Item = (Duration, E)> {
    let (interval, parts) = (to.saturating_sub(from).as_nanos(), 2 * events.len() as u128);
    events.enumerate().map(move |(number, event)| {
        let since = interval * (2 * number as u128 + 1) / parts;
        (
            from.saturating_add(Duration::from_nanos(u64::try_from(since).unwrap_or(u64::MAX))),
            event,
        )
    })
}

impl Devices<'_, '_> {
    /// The input between two frames, in the order of time: an action that is bound to several devices is held by the button that was
    /// pressed last.
    pub(super) fn read(&mut self, from: Duration, to: Duration) -> Vec<(Duration, DeviceEvent)> {
        let mut events = Vec::new();
        for (at, key) in spread(from, to, self.keys.read()).filter(|(_, key)| !key.repeat) {
            let button = Button::Key(key.key_code);
            events.push((at, DeviceEvent::Button(button, key.state.is_pressed())));
        }
        for (at, mouse) in spread(from, to, self.buttons.read()) {
            let button = Button::Mouse(mouse.button);
            events.push((at, DeviceEvent::Button(button, mouse.state.is_pressed())));
        }
        for (at, pad) in spread(from, to, self.gamepad_buttons.read()) {
            let button = Button::Gamepad(pad.entity, pad.button);
            events.push((at, DeviceEvent::Button(button, pad.state.is_pressed())));
        }
        for (at, axis) in spread(from, to, self.gamepad_axes.read()) {
            let state = State::Axis(axis.entity, axis.axis, axis.value);
            events.push((at, DeviceEvent::State(state)));
        }
        for (at, touch) in spread(from, to, self.touches.read()) {
            let is_down = matches!(touch.phase, TouchPhase::Started | TouchPhase::Moved);
            let state = State::Touch(touch.id, is_down.then_some(touch.position));
            events.push((at, DeviceEvent::State(state)));
            events.push((at, DeviceEvent::Button(Button::Touch(touch.id), is_down)));
        }
        for (at, motion) in spread(from, to, self.motions.read()) {
            events.push((at, DeviceEvent::Motion(motion.delta.as_dvec2().to_array())));
        }
        for (at, wheel) in spread(from, to, self.wheels.read()) {
            let per_line = match wheel.unit {
                MouseScrollUnit::Line => 1.0,
                MouseScrollUnit::Pixel => PIXELS_PER_LINE,
            };
            let lines = [wheel.x, wheel.y].map(|turned| f64::from(turned) / per_line);
            events.push((at, DeviceEvent::Wheel(lines)));
        }
        // The order of these events is unknown: nothing stays held.
        let end = to.saturating_sub(Duration::from_nanos(1)).max(from);
        for event in self.gamepad_connections.read() {
            if event.connection == GamepadConnection::Disconnected {
                events.push((end, DeviceEvent::Unplugged(event.gamepad)));
            }
        }
        if self.focus_lost.read().count() > 0 {
            events.push((end, DeviceEvent::FocusLost));
        }
        events.sort_by_key(|(at, _)| *at);
        events
    }
}
