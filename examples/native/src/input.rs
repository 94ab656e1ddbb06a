//! The input of the games: keys, mouse and gamepads.

use std::time::Duration;

use evenstep::input::{Controls, InputEvent};

/// The keys that the games use, by their position on the keyboard, and the left mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those on the keys")]
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    Space,
    Enter,
    Backspace,
    Escape,
    Tab,
    A,
    C,
    D,
    F,
    H,
    I,
    L,
    S,
    W,
    One,
    Two,
    Three,
    Four,
    Five,
    /// The left button of the mouse.
    Click,
}

/// Input events: keys, buttons, the mouse and the wheel.
pub type Input = InputEvent<Key>;

/// The direction of the arrow keys or WASD: to the right and up, each -1, 0 or 1.
#[must_use]
pub fn direction(controls: &Controls<Key>) -> [f32; 2] {
    let is_down = |keys: [Key; 2]| keys.iter().any(|key| controls.is_down(key));
    let axis = |less, more| f32::from(i8::from(is_down(more)) - i8::from(is_down(less)));
    let right = axis([Key::Left, Key::A], [Key::Right, Key::D]);
    let up = axis([Key::Down, Key::S], [Key::Up, Key::W]);
    [right, up]
}

/// All gamepads, mapped to a keyboard and a mouse. Without the feature `gamepad` there is none.
///
/// The left stick and the directional pad are the arrow keys, the right stick moves the mouse, the lower button is the space bar, the left
/// button is C, Start is Enter, and a right shoulder button is the left mouse button.
#[derive(Default)]
pub(crate) struct Pad {
    #[cfg(feature = "gamepad")]
    pads: Option<pads::Pads>,
}

impl Pad {
    /// Opens the gamepads of this computer, including gamepads that are plugged in later.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(feature = "gamepad")]
            pads: pads::Pads::new(),
        }
    }

    /// The input of the last `delta`, each with its age, because gamepad events have timestamps of their own.
    pub(crate) fn poll(&mut self, delta: Duration) -> Vec<(Duration, Input)> {
        #[cfg(feature = "gamepad")]
        if let Some(pads) = &mut self.pads {
            return pads.poll(delta);
        }
        let _ = delta;
        Vec::new()
    }
}

#[cfg(feature = "gamepad")]
mod pads {
    use std::time::Duration;

    use gilrs::{Axis, Button, EventType, Gilrs};

    use super::{Input, Key};

    /// The speed of the mouse at full deflection of the right stick, in pixels per second.
    const SPEED: f64 = 900.0;
    /// A stick that is deflected further than this holds a key.
    const FAR: f32 = 0.5;
    /// A stick that is deflected less than this is at rest.
    const NEAR: f32 = 0.15;

    pub(super) struct Pads {
        gilrs: Gilrs,
        hand: Hand,
    }

    impl Pads {
        /// `None` if the system does not support gamepads.
        pub(super) fn new() -> Option<Self> {
            let hand = Hand::default();
            Gilrs::new().ok().map(|gilrs| Self { gilrs, hand })
        }

        pub(super) fn poll(&mut self, delta: Duration) -> Vec<(Duration, Input)> {
            let mut timed = Vec::new();
            while let Some(event) = self.gilrs.next_event() {
                let mut inputs = Vec::new();
                self.hand.take(&event.event, &mut inputs);
                let ago = event.time.elapsed().unwrap_or_default();
                timed.extend(inputs.into_iter().map(|input| (ago, input)));
            }
            let [x, y] = self.hand.look;
            if [x, y] != [0.0; 2] {
                let way = SPEED * delta.as_secs_f64();
                let motion = Input::Motion([f64::from(x) * way, -f64::from(y) * way]);
                timed.push((Duration::ZERO, motion));
            }
            timed
        }
    }

    /// The state of the sticks.
    #[derive(Default)]
    struct Hand {
        move_by: [f32; 2],
        look: [f32; 2],
    }

    impl Hand {
        fn take(&mut self, event: &EventType, inputs: &mut Vec<Input>) {
            match *event {
                EventType::ButtonPressed(button, _) => inputs.extend(key(button).map(Input::Press)),
                EventType::ButtonReleased(button, _) => inputs.extend(key(button).map(Input::Release)),
                EventType::AxisChanged(Axis::LeftStickX, at, _) => {
                    self.steer(0, at, [Key::Left, Key::Right], inputs);
                }
                EventType::AxisChanged(Axis::LeftStickY, at, _) => {
                    self.steer(1, at, [Key::Down, Key::Up], inputs);
                }
                EventType::AxisChanged(Axis::RightStickX, at, _) => self.look[0] = beyond_rest(at),
                EventType::AxisChanged(Axis::RightStickY, at, _) => self.look[1] = beyond_rest(at),
                EventType::Disconnected => {
                    *self = Self::default();
                    inputs.push(Input::ReleaseAll);
                }
                _ => {}
            }
        }

        fn steer(&mut self, axis: usize, at: f32, keys: [Key; 2], inputs: &mut Vec<Input>) {
            let before = std::mem::replace(&mut self.move_by[axis], at);
            for (key, sign) in keys.into_iter().zip([-1.0, 1.0]) {
                match (before * sign > FAR, at * sign > FAR) {
                    (false, true) => inputs.push(Input::Press(key)),
                    (true, false) => inputs.push(Input::Release(key)),
                    _ => {}
                }
            }
        }
    }

    const fn beyond_rest(at: f32) -> f32 {
        if at.abs() < NEAR { 0.0 } else { at }
    }

    fn key(button: Button) -> Option<Key> {
        Some(match button {
            Button::South => Key::Space,
            Button::West => Key::C,
            Button::Start => Key::Enter,
            Button::RightTrigger | Button::RightTrigger2 => Key::Click,
            Button::DPadLeft => Key::Left,
            Button::DPadRight => Key::Right,
            Button::DPadUp => Key::Up,
            Button::DPadDown => Key::Down,
            _ => return None,
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_stick_that_moves_to_the_other_side_releases_one_key_and_presses_the_other() {
            let (mut hand, mut inputs) = (Hand::default(), Vec::new());
            let keys = [Key::Left, Key::Right];
            for at in [0.2, 0.9, 0.7, -0.8, 0.0] {
                hand.steer(0, at, keys, &mut inputs);
            }
            let [left, right] = keys;
            let expected = [
                Input::Press(right),
                Input::Press(left),
                Input::Release(right),
                Input::Release(left),
            ];
            assert_eq!(inputs, expected);
        }

        #[test]
        fn the_lower_button_is_the_space_bar_and_a_stick_at_rest_moves_nothing() {
            assert_eq!(key(Button::South), Some(Key::Space));
            assert_eq!([0.1, -0.1, 0.6].map(beyond_rest), [0.0, 0.0, 0.6]);
        }
    }
}
