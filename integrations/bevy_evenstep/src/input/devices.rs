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
    pub(super) fn apply(&mut self, event: DeviceEvent, input: &mut StepInput<A>) {
        match event {
            DeviceEvent::Button(button, true) => self.press(button, input),
            DeviceEvent::Button(button, false) => self.release(button, input),
            DeviceEvent::Motion(motion) => input.push(InputEvent::Motion(motion)),
            DeviceEvent::Wheel(lines) => input.push(InputEvent::Wheel(lines)),
            DeviceEvent::State(state) => input.push_state(state),
            DeviceEvent::FocusLost => {
                self.held.clear();
                input.push(InputEvent::ReleaseAll);
            }
            DeviceEvent::Unplugged(gamepad) => {
                let is_of_it = |button: &Button| matches!(button, Button::Gamepad(other, _) if *other == gamepad);
                let held: Vec<Button> = self.held.iter().map(|(button, _)| *button).filter(is_of_it).collect();
                held.into_iter().for_each(|button| self.release(button, input));
                input.push_state(State::Unplugged(gamepad));
            }
        }
    }

    fn press(&mut self, button: Button, input: &mut StepInput<A>) {
        if self.held.iter().any(|(other, _)| *other == button) {
            return;
        }
        let Some(action) = (self.bind)(button).filter(|action| !input.is_consumed(action)) else {
            return;
        };
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push(InputEvent::Press(action.clone()));
        }
        self.held.push((button, action));
    }

    fn release(&mut self, button: Button, input: &mut StepInput<A>) {
        let Some(place) = self.held.iter().position(|(other, _)| *other == button) else {
            return;
        };
        let (_, action) = self.held.remove(place);
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push(InputEvent::Release(action));
        }
    }
}

impl Devices<'_, '_> {
    /// The input since the last frame, in order for each kind: Bevy keeps no order between kinds.
    pub(super) fn read(&mut self) -> Vec<DeviceEvent> {
        let mut events = Vec::new();
        for key in self.keys.read().filter(|key| !key.repeat) {
            events.push(DeviceEvent::Button(Button::Key(key.key_code), key.state.is_pressed()));
        }
        for mouse in self.buttons.read() {
            events.push(DeviceEvent::Button(
                Button::Mouse(mouse.button),
                mouse.state.is_pressed(),
            ));
        }
        for pad in self.gamepad_buttons.read() {
            let button = Button::Gamepad(pad.entity, pad.button);
            events.push(DeviceEvent::Button(button, pad.state.is_pressed()));
        }
        for axis in self.gamepad_axes.read() {
            events.push(DeviceEvent::State(State::Axis(axis.entity, axis.axis, axis.value)));
        }
        for touch in self.touches.read() {
            let is_down = matches!(touch.phase, TouchPhase::Started | TouchPhase::Moved);
            events.push(DeviceEvent::State(State::Touch(
                touch.id,
                is_down.then_some(touch.position),
            )));
            events.push(DeviceEvent::Button(Button::Touch(touch.id), is_down));
        }
        for motion in self.motions.read() {
            events.push(DeviceEvent::Motion(motion.delta.as_dvec2().to_array()));
        }
        for wheel in self.wheels.read() {
            let per_line = match wheel.unit {
                MouseScrollUnit::Line => 1.0,
                MouseScrollUnit::Pixel => PIXELS_PER_LINE,
            };
            events.push(DeviceEvent::Wheel(
                [wheel.x, wheel.y].map(|turned| f64::from(turned) / per_line),
            ));
        }
        // Last: nothing stays held.
        for event in self.gamepad_connections.read() {
            if event.connection == GamepadConnection::Disconnected {
                events.push(DeviceEvent::Unplugged(event.gamepad));
            }
        }
        if self.focus_lost.read().count() > 0 {
            events.push(DeviceEvent::FocusLost);
        }
        events
    }
}
