use bevy_ecs::message::MessageReader;
use bevy_ecs::system::SystemParam;
use bevy_input::ButtonState;
use bevy_input::gamepad::{GamepadAxisChangedEvent, GamepadButtonStateChangedEvent};
use bevy_input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy_input::mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy_input::touch::{TouchInput, TouchPhase};
use core::time::Duration;
use evenstep::input::InputEvent;

use super::button::Button;
use super::step_input::{Change, StepInput};

/// So many pixels that a touchpad scrolls count as a line of a wheel.
const PIXELS_PER_LINE: f64 = 16.0;

/// What Bevy has read from all devices since the last frame.
#[derive(SystemParam)]
pub(super) struct Devices<'w, 's> {
    keys: MessageReader<'w, 's, KeyboardInput>,
    focus_lost: MessageReader<'w, 's, KeyboardFocusLost>,
    buttons: MessageReader<'w, 's, MouseButtonInput>,
    motions: MessageReader<'w, 's, MouseMotion>,
    wheels: MessageReader<'w, 's, MouseWheel>,
    gamepad_buttons: MessageReader<'w, 's, GamepadButtonStateChangedEvent>,
    gamepad_axes: MessageReader<'w, 's, GamepadAxisChangedEvent>,
    touches: MessageReader<'w, 's, TouchInput>,
}

/// Binds buttons to actions. An action is held as long as one of its buttons is.
pub(super) struct Bindings<A> {
    bind: fn(Button) -> Option<A>,
    held: Vec<(Button, A)>,
}

impl<A: PartialEq + Clone> Bindings<A> {
    pub(super) const fn new(bind: fn(Button) -> Option<A>) -> Self {
        Self { bind, held: Vec::new() }
    }

    fn change(&mut self, button: Button, is_down: bool) -> Option<InputEvent<A>> {
        let place = self.held.iter().position(|(other, _)| *other == button);
        match (place, is_down) {
            (None, true) => {
                let action = (self.bind)(button)?;
                let is_first = self.held.iter().all(|(_, other)| *other != action);
                self.held.push((button, action.clone()));
                is_first.then_some(InputEvent::Press(action))
            }
            (Some(place), false) => {
                let (_, action) = self.held.remove(place);
                let is_last = self.held.iter().all(|(_, other)| *other != action);
                is_last.then_some(InputEvent::Release(action))
            }
            _ => None,
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
    /// Hands over what came between two frames.
    pub(super) fn read<A>(&mut self, from: Duration, to: Duration, bindings: &mut Bindings<A>, input: &mut StepInput<A>)
    where
        A: PartialEq + Clone + Send + Sync + 'static,
    {
        let mut press = |at, button, state: ButtonState| {
            let event = bindings.change(button, state.is_pressed());
            event.map(|event| (at, Change::Control(event)))
        };
        let keys = spread(from, to, self.keys.read()).filter(|(_, key)| !key.repeat);
        let mut changes: Vec<(Duration, Change<A>)> = keys
            .filter_map(|(at, key)| press(at, Button::Key(key.key_code), key.state))
            .collect();
        let buttons = spread(from, to, self.buttons.read());
        changes.extend(buttons.filter_map(|(at, mouse)| press(at, Button::Mouse(mouse.button), mouse.state)));
        let buttons = spread(from, to, self.gamepad_buttons.read());
        changes.extend(buttons.filter_map(|(at, pad)| press(at, Button::Gamepad(pad.entity, pad.button), pad.state)));
        for (at, touch) in spread(from, to, self.touches.read()) {
            let is_down = matches!(touch.phase, TouchPhase::Started | TouchPhase::Moved);
            changes.push((at, Change::Touch(touch.id, is_down.then_some(touch.position))));
            let event = bindings.change(Button::Touch(touch.id), is_down);
            changes.extend(event.map(|event| (at, Change::Control(event))));
        }
        self.read_motion(from, to, |at, change| changes.push((at, change)));
        if self.focus_lost.read().count() > 0 {
            bindings.held.clear();
            changes.push((
                to.saturating_sub(Duration::from_nanos(1)).max(from),
                Change::Control(InputEvent::ReleaseAll),
            ));
        }
        for (at, change) in changes {
            input.take_change(at, change);
        }
    }

    fn read_motion<A>(&mut self, from: Duration, to: Duration, mut take: impl FnMut(Duration, Change<A>)) {
        for (at, motion) in spread(from, to, self.motions.read()) {
            take(
                at,
                Change::Control(InputEvent::Motion(motion.delta.as_dvec2().to_array())),
            );
        }
        for (at, wheel) in spread(from, to, self.wheels.read()) {
            let per_line = match wheel.unit {
                MouseScrollUnit::Line => 1.0,
                MouseScrollUnit::Pixel => PIXELS_PER_LINE,
            };
            let lines = [f64::from(wheel.x) / per_line, f64::from(wheel.y) / per_line];
            take(at, Change::Control(InputEvent::Wheel(lines)));
        }
        for (at, axis) in spread(from, to, self.gamepad_axes.read()) {
            take(at, Change::Axis(axis.entity, axis.axis, axis.value));
        }
    }
}
