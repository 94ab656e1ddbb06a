//! Reads Bevy's input messages of a frame.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageReader;
use bevy_ecs::system::SystemParam;
use bevy_input::gamepad::{
    GamepadAxis, GamepadAxisChangedEvent, GamepadButtonStateChangedEvent, GamepadConnection, GamepadConnectionEvent,
};
use bevy_input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy_input::mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy_input::touch::{TouchInput, TouchPhase};
use bevy_math::Vec2;
use core::time::Duration;
use evenstep::input::InputEvent;

use super::button::Button;
use super::step_input::{Change, State, StepInput};

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
enum DeviceEvent {
    Button(Button, bool),
    Motion([f64; 2]),
    Wheel([f64; 2]),
    Axis(Entity, GamepadAxis, f32),
    Touch(u64, Option<Vec2>),
    FocusLost,
    Unplugged(Entity),
}

/// Binds buttons to actions. An action is held as long as one of its buttons is.
pub(super) struct Bindings<A> {
    bind: fn(Button) -> Option<A>,
    held: Vec<(Button, A)>,
    /// Axes that are not at rest.
    axes: Vec<(Entity, GamepadAxis)>,
}

impl<A: PartialEq + Clone> Bindings<A> {
    pub(super) const fn new(bind: fn(Button) -> Option<A>) -> Self {
        Self {
            bind,
            held: Vec::new(),
            axes: Vec::new(),
        }
    }

    /// The changes of actions that follow from an input.
    fn change(&mut self, event: DeviceEvent, mut take: impl FnMut(Change<A>)) {
        match event {
            DeviceEvent::Button(button, true) => self.press(button).map(Change::Control).into_iter().for_each(take),
            DeviceEvent::Button(button, false) => self.release(button).map(Change::Control).into_iter().for_each(take),
            DeviceEvent::Motion(motion) => take(Change::Control(InputEvent::Motion(motion))),
            DeviceEvent::Wheel(lines) => take(Change::Control(InputEvent::Wheel(lines))),
            DeviceEvent::Touch(finger, place) => take(Change::State(State::Touch(finger, place))),
            DeviceEvent::Axis(gamepad, axis, value) => {
                self.axes.retain(|moved| *moved != (gamepad, axis));
                if value != 0.0 {
                    self.axes.push((gamepad, axis));
                }
                take(Change::State(State::Axis(gamepad, axis, value)));
            }
            DeviceEvent::FocusLost => {
                self.held.clear();
                take(Change::Control(InputEvent::ReleaseAll));
            }
            DeviceEvent::Unplugged(gamepad) => {
                let is_of_it = |button: &Button| matches!(button, Button::Gamepad(other, _) if *other == gamepad);
                let held: Vec<Button> = self.held.iter().map(|(button, _)| *button).filter(is_of_it).collect();
                let released = held.into_iter().filter_map(|button| self.release(button));
                released.map(Change::Control).for_each(&mut take);
                for (_, axis) in self.axes.extract_if(.., |(other, _)| *other == gamepad) {
                    take(Change::State(State::Axis(gamepad, axis, 0.0)));
                }
            }
        }
    }

    fn press(&mut self, button: Button) -> Option<InputEvent<A>> {
        if self.held.iter().any(|(other, _)| *other == button) {
            return None;
        }
        let action = (self.bind)(button)?;
        let is_first = self.held.iter().all(|(_, other)| *other != action);
        self.held.push((button, action.clone()));
        is_first.then_some(InputEvent::Press(action))
    }

    fn release(&mut self, button: Button) -> Option<InputEvent<A>> {
        let place = self.held.iter().position(|(other, _)| *other == button)?;
        let (_, action) = self.held.remove(place);
        let is_last = self.held.iter().all(|(_, other)| *other != action);
        is_last.then_some(InputEvent::Release(action))
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
    /// Passes on the input between two frames.
    pub(super) fn read<A>(&mut self, from: Duration, to: Duration, bindings: &mut Bindings<A>, input: &mut StepInput<A>)
    where
        A: PartialEq + Clone + Send + Sync + 'static,
    {
        let mut events = Vec::new();
        self.listen(from, to, |at, event| events.push((at, event)));
        // An action that is bound to several devices is held by the button that was pressed last.
        events.sort_by_key(|(at, _)| *at);
        for (at, event) in events {
            bindings.change(event, |change| input.take_change(at, change));
        }
    }

    fn listen(&mut self, from: Duration, to: Duration, mut emit: impl FnMut(Duration, DeviceEvent)) {
        let keys = spread(from, to, self.keys.read()).filter(|(_, key)| !key.repeat);
        keys.for_each(|(at, key)| {
            emit(
                at,
                DeviceEvent::Button(Button::Key(key.key_code), key.state.is_pressed()),
            )
        });
        for (at, mouse) in spread(from, to, self.buttons.read()) {
            emit(
                at,
                DeviceEvent::Button(Button::Mouse(mouse.button), mouse.state.is_pressed()),
            );
        }
        for (at, pad) in spread(from, to, self.gamepad_buttons.read()) {
            let button = Button::Gamepad(pad.entity, pad.button);
            emit(at, DeviceEvent::Button(button, pad.state.is_pressed()));
        }
        for (at, axis) in spread(from, to, self.gamepad_axes.read()) {
            emit(at, DeviceEvent::Axis(axis.entity, axis.axis, axis.value));
        }
        for (at, touch) in spread(from, to, self.touches.read()) {
            let is_down = matches!(touch.phase, TouchPhase::Started | TouchPhase::Moved);
            emit(at, DeviceEvent::Touch(touch.id, is_down.then_some(touch.position)));
            emit(at, DeviceEvent::Button(Button::Touch(touch.id), is_down));
        }
        for (at, motion) in spread(from, to, self.motions.read()) {
            emit(at, DeviceEvent::Motion(motion.delta.as_dvec2().to_array()));
        }
        for (at, wheel) in spread(from, to, self.wheels.read()) {
            let per_line = match wheel.unit {
                MouseScrollUnit::Line => 1.0,
                MouseScrollUnit::Pixel => PIXELS_PER_LINE,
            };
            emit(
                at,
                DeviceEvent::Wheel([wheel.x, wheel.y].map(|turned| f64::from(turned) / per_line)),
            );
        }
        // The order of these events is unknown: nothing stays held.
        let end = to.saturating_sub(Duration::from_nanos(1)).max(from);
        for event in self.gamepad_connections.read() {
            if event.connection == GamepadConnection::Disconnected {
                emit(end, DeviceEvent::Unplugged(event.gamepad));
            }
        }
        if self.focus_lost.read().count() > 0 {
            emit(end, DeviceEvent::FocusLost);
        }
    }
}
