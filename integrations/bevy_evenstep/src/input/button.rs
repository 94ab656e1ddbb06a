//! Keys, mouse buttons and gamepad buttons as one type.

use bevy_ecs::entity::Entity;
use bevy_input::gamepad::GamepadButton;
use bevy_input::keyboard::KeyCode;
use bevy_input::mouse::MouseButton;

/// A key or button of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Button {
    /// A key, by its place on the keyboard.
    Key(KeyCode),
    /// A button of the mouse.
    Mouse(MouseButton),
    /// A button of a gamepad.
    Gamepad(Entity, GamepadButton),
    /// A finger on the screen, by its number.
    Touch(u64),
}

impl From<KeyCode> for Button {
    fn from(key: KeyCode) -> Self {
        Self::Key(key)
    }
}

impl From<MouseButton> for Button {
    fn from(button: MouseButton) -> Self {
        Self::Mouse(button)
    }
}
