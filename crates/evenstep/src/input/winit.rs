//! Conversion of `winit` events.

use winit::event::{DeviceEvent, ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::InputEvent;

/// Pixels of touchpad scrolling per line of a wheel.
const PIXELS_PER_LINE: f64 = 16.0;

/// A key of the keyboard by its position, or a button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Button {
    /// A key by its position: `KeyCode::KeyW` is above `KeyCode::KeyS` on every layout.
    Key(KeyCode),
    /// A button of the mouse.
    Mouse(MouseButton),
}

impl InputEvent<Button> {
    /// The input that a window event stands for, if it is a key, a button, the wheel or a lost focus. Stamp it with the time of its
    /// arrival.
    ///
    /// A key counts as pressed when the player presses it while the window has the focus. A key that is already down when
    /// the focus comes back, such as the Tab of Alt+Tab, is not pressed until it was released.
    ///
    /// For a camera use the device's motion, not the pointer's; see [`from_device_event`](Self::from_device_event).
    #[must_use]
    pub fn from_window_event(event: &WindowEvent) -> Option<Self> {
        match event {
            WindowEvent::KeyboardInput {
                event, is_synthetic, ..
            } => key(event.physical_key, event.state, event.repeat || *is_synthetic),
            WindowEvent::Focused(false) => Some(Self::ReleaseAll),
            WindowEvent::MouseInput { state, button, .. } => Some(changed(Button::Mouse(*button), *state)),
            WindowEvent::MouseWheel { delta, .. } => Some(Self::Wheel(match delta {
                MouseScrollDelta::LineDelta(x, y) => [f64::from(*x), f64::from(*y)],
                MouseScrollDelta::PixelDelta(pixels) => [pixels.x / PIXELS_PER_LINE, pixels.y / PIXELS_PER_LINE],
            })),
            _ => None,
        }
    }

    /// The input that a device event stands for, if it is motion of the mouse.
    #[must_use]
    pub const fn from_device_event(event: &DeviceEvent) -> Option<Self> {
        match event {
            DeviceEvent::MouseMotion { delta: (x, y) } => Some(Self::Motion([*x, *y])),
            _ => None,
        }
    }
}

/// Keys without a known position are ignored, and so are presses of a key that is already down: repetitions, and presses that winit
/// synthesises when the window gets the focus.
const fn key(key: PhysicalKey, state: ElementState, was_down: bool) -> Option<InputEvent<Button>> {
    match (key, state) {
        (PhysicalKey::Unidentified(_), _) => None,
        (_, ElementState::Pressed) if was_down => None,
        (PhysicalKey::Code(code), _) => Some(changed(Button::Key(code), state)),
    }
}

const fn changed(button: Button, state: ElementState) -> InputEvent<Button> {
    match state {
        ElementState::Pressed => InputEvent::Press(button),
        ElementState::Released => InputEvent::Release(button),
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, TouchPhase};
    use winit::keyboard::NativeKeyCode;

    use super::*;

    #[test]
    fn keys_are_identified_by_their_position_and_unknown_keys_are_ignored() {
        let pressed = key(PhysicalKey::Code(KeyCode::KeyW), ElementState::Pressed, false);
        assert_eq!(pressed, Some(InputEvent::Press(Button::Key(KeyCode::KeyW))));
        let unknown = PhysicalKey::Unidentified(NativeKeyCode::Xkb(1));
        assert_eq!(key(unknown, ElementState::Released, false), None);
    }

    #[test]
    fn a_key_that_was_down_before_the_focus_is_not_pressed_but_can_be_released() {
        let tab = PhysicalKey::Code(KeyCode::Tab);
        assert_eq!(key(tab, ElementState::Pressed, true), None);
        let released = key(tab, ElementState::Released, true);
        assert_eq!(released, Some(InputEvent::Release(Button::Key(KeyCode::Tab))));
    }

    #[test]
    fn losing_the_focus_releases_everything_and_gaining_it_means_nothing() {
        let focused = |focused| InputEvent::from_window_event(&WindowEvent::Focused(focused));
        assert_eq!([focused(false), focused(true)], [Some(InputEvent::ReleaseAll), None]);
    }

    #[test]
    fn buttons_the_wheel_and_motion_are_taken_and_the_rest_is_left() {
        let device_id = DeviceId::dummy();
        let (state, button) = (ElementState::Released, MouseButton::Left);
        let released = InputEvent::from_window_event(&WindowEvent::MouseInput {
            device_id,
            state,
            button,
        });
        assert_eq!(released, Some(InputEvent::Release(Button::Mouse(button))));
        for (delta, lines) in [
            (MouseScrollDelta::LineDelta(0.0, -2.0), [0.0, -2.0]),
            (
                MouseScrollDelta::PixelDelta(PhysicalPosition::new(8.0, 32.0)),
                [0.5, 2.0],
            ),
        ] {
            let turned = InputEvent::from_window_event(&WindowEvent::MouseWheel {
                device_id,
                delta,
                phase: TouchPhase::Moved,
            });
            assert_eq!(turned, Some(InputEvent::Wheel(lines)));
        }
        assert_eq!(InputEvent::from_window_event(&WindowEvent::CloseRequested), None);
        let moved = InputEvent::from_device_event(&DeviceEvent::MouseMotion { delta: (1.5, -2.0) });
        assert_eq!(moved, Some(InputEvent::Motion([1.5, -2.0])));
        assert_eq!(InputEvent::from_device_event(&DeviceEvent::Added), None);
    }
}
