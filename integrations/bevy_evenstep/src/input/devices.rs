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

    /// A button went down or up.
    fn turn(&mut self, button: Button, is_down: bool, input: &mut StepInput<A>) {
        let place = self.held.iter().position(|(other, _)| *other == button);
        match (place, is_down) {
            (None, true) => self.press(button, input),
            (Some(place), false) => self.release(place, input),
            _ => {}
        }
    }

    fn press(&mut self, button: Button, input: &mut StepInput<A>) {
        let Some(action) = (self.bind)(button).filter(|action| !input.consumed.contains(action)) else {
            return;
        };
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push(InputEvent::Press(action.clone()));
        }
        self.held.push((button, action));
    }

    fn release(&mut self, place: usize, input: &mut StepInput<A>) {
        let (_, action) = self.held.remove(place);
        if self.held.iter().all(|(_, other)| *other != action) {
            input.push(InputEvent::Release(action));
        }
    }

    fn unplug(&mut self, gamepad: Entity, input: &mut StepInput<A>) {
        let is_of_it = |(button, _): &(Button, A)| matches!(button, Button::Gamepad(other, _) if *other == gamepad);
        while let Some(place) = self.held.iter().position(is_of_it) {
            self.release(place, input);
        }
        input.push_state(State::Unplugged(gamepad));
    }
}

impl Devices<'_, '_> {
    /// Passes on the input since the last frame, in order for each kind: Bevy keeps no order between kinds.
    pub(super) fn read<A: PartialEq + Clone + Send + Sync + 'static>(
        &mut self,
        bindings: &mut Bindings<A>,
        input: &mut StepInput<A>,
    ) {
        for key in self.keys.read().filter(|key| !key.repeat) {
            bindings.turn(Button::Key(key.key_code), key.state.is_pressed(), input);
        }
        for mouse in self.buttons.read() {
            bindings.turn(Button::Mouse(mouse.button), mouse.state.is_pressed(), input);
        }
        for pad in self.gamepad_buttons.read() {
            let button = Button::Gamepad(pad.entity, pad.button);
            bindings.turn(button, pad.state.is_pressed(), input);
        }
        for axis in self.gamepad_axes.read() {
            input.push_state(State::Axis(axis.entity, axis.axis, axis.value));
        }
        for touch in self.touches.read() {
            let is_down = matches!(touch.phase, TouchPhase::Started | TouchPhase::Moved);
            input.push_state(State::Touch(touch.id, is_down.then_some(touch.position)));
            bindings.turn(Button::Touch(touch.id), is_down, input);
        }
        for motion in self.motions.read() {
            input.push(InputEvent::Motion(motion.delta.as_dvec2().to_array()));
        }
        for wheel in self.wheels.read() {
            let per_line = match wheel.unit {
                MouseScrollUnit::Line => 1.0,
                MouseScrollUnit::Pixel => PIXELS_PER_LINE,
            };
            let lines = [wheel.x, wheel.y].map(|turned| f64::from(turned) / per_line);
            input.push(InputEvent::Wheel(lines));
        }
        // Last: nothing stays held.
        for event in self.gamepad_connections.read() {
            if event.connection == GamepadConnection::Disconnected {
                bindings.unplug(event.gamepad, input);
            }
        }
        if self.focus_lost.read().count() > 0 {
            bindings.held.clear();
            input.push(InputEvent::ReleaseAll);
        }
    }
}
