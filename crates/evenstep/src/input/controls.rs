//! The state of keys, buttons, pointer and wheel, step by step.

use alloc::vec::Vec;

use super::coalesce::Coalesce;
use crate::inspect::visit::{Inspect, Visitor, inspect_fields};

/// A change of a control, for an [`InputBuffer`](super::InputBuffer). `K` names a key or button.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum InputEvent<K> {
    /// A key or button went down. While it is held, another press is a repetition and is ignored.
    Press(K),
    /// A key or button went up.
    Release(K),
    /// A pointer moved, to the right and down, in the device's units.
    Motion([f64; 2]),
    /// A wheel turned, in lines; the scrolled content moves to the right and down.
    Wheel([f64; 2]),
    /// All held keys and buttons went up, as when a window loses the focus and no longer receives their releases.
    ReleaseAll,
    /// A key or button is down, without a press for the simulation: the state that an [`InputBuffer`](super::InputBuffer)
    /// keeps of a press in a pause.
    Hold(K),
}

impl<K: PartialEq + Clone> Coalesce for InputEvent<K> {
    fn is_motion(&self) -> bool {
        matches!(self, Self::Motion(_) | Self::Wheel(_))
    }

    fn add(&mut self, newer: &Self) -> bool {
        match (self, newer) {
            (Self::Motion(sum), Self::Motion(by)) | (Self::Wheel(sum), Self::Wheel(by)) => add(sum, *by),
            _ => return false,
        }
        true
    }

    fn split_off(&mut self, parts: u64) -> Option<Self> {
        // A notch of a wheel is one: only the pointer's motion has parts.
        let Self::Motion(whole) = self else { return None };
        let part = whole.map(|by| by / parts as f64);
        add(whole, part.map(|by| -by));
        Some(Self::Motion(part))
    }

    fn reduce(&mut self) {
        if let Self::Press(key) = self {
            *self = Self::Hold(key.clone());
        }
    }

    fn replaces(&self, older: &Self) -> bool {
        match (self, older) {
            (Self::ReleaseAll, Self::Hold(_) | Self::Release(_) | Self::ReleaseAll) => true,
            (Self::Hold(key) | Self::Release(key), Self::Hold(other) | Self::Release(other)) => key == other,
            _ => false,
        }
    }
}

/// The state of keys, buttons, pointer and wheel, step by step.
///
/// It reports whether a key is held at the end of a step, and whether it was pressed or released within the step. A tap shorter than a step
/// is reported exactly once. Pointer motion is the motion within the step; its sum over all steps is the motion that arrived.
///
/// An [`InputBuffer`](super::InputBuffer) keeps them for its events. Without one, as in a replay, call [`begin_step`](Self::begin_step) in
/// each step and [`apply`](Self::apply) its events.
///
/// ```
/// use evenstep::input::{Controls, InputEvent};
///
/// let mut controls = Controls::new();
/// controls.begin_step();
/// controls.apply(InputEvent::Press("fire"));
/// controls.apply(InputEvent::Release("fire"));
/// assert!(controls.was_pressed(&"fire") && !controls.is_held_at_end(&"fire"));
/// controls.begin_step();
/// assert!(!controls.was_pressed(&"fire"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Controls<K> {
    keys: Vec<(K, Key)>,
    motion: [f64; 2],
    wheel: [f64; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Key {
    is_held: bool,
    presses: u32,
    releases: u32,
}

inspect_fields! {
    Controls<K> { keys motion wheel }
    Key { is_held presses releases }
}

impl<K: PartialEq> Controls<K> {
    /// Controls with no key held.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            keys: Vec::new(),
            motion: [0.0; 2],
            wheel: [0.0; 2],
        }
    }

    /// Begins a step in which nothing was pressed, released or moved yet.
    pub fn begin_step(&mut self) {
        self.keys.retain(|(_, key)| key.is_held);
        for (_, key) in &mut self.keys {
            (key.presses, key.releases) = (0, 0);
        }
        (self.motion, self.wheel) = ([0.0; 2], [0.0; 2]);
    }

    /// Takes an event of this step.
    pub fn apply(&mut self, event: InputEvent<K>) {
        match event {
            InputEvent::Press(name) => self.hold(name, 1),
            InputEvent::Hold(name) => self.hold(name, 0),
            InputEvent::Release(name) => {
                let held = self.keys.iter_mut().find(|(other, _)| *other == name);
                held.into_iter().for_each(|(_, key)| key.release());
            }
            InputEvent::ReleaseAll => self.keys.iter_mut().for_each(|(_, key)| key.release()),
            InputEvent::Motion(by) => add(&mut self.motion, by),
            InputEvent::Wheel(by) => add(&mut self.wheel, by),
        }
    }

    fn hold(&mut self, name: K, presses: u32) {
        let place = self.keys.iter().position(|(other, _)| *other == name);
        let mut key = place.map_or(Key::default(), |place| self.keys[place].1);
        if key.is_held {
            return;
        }
        // To the end, where the newest is.
        if let Some(place) = place {
            self.keys.remove(place);
        }
        key.presses = key.presses.saturating_add(presses);
        key.is_held = true;
        self.keys.push((name, key));
    }

    fn key(&self, name: &K) -> Key {
        let found = self.keys.iter().find(|(other, _)| other == name);
        found.map(|(_, key)| *key).unwrap_or_default()
    }

    /// Whether it is down at the end of the step.
    #[must_use]
    pub fn is_held_at_end(&self, name: &K) -> bool {
        self.key(name).is_held
    }

    /// Whether it is down at the end of the step or was pressed in it. Use it for a control that acts as long as it is held: a tap shorter
    /// than a step then acts in one step.
    #[must_use]
    pub fn is_down(&self, name: &K) -> bool {
        let key = self.key(name);
        key.is_held || key.presses > 0
    }

    /// Whether it went down in this step, also if it is up again.
    #[must_use]
    pub fn was_pressed(&self, name: &K) -> bool {
        self.key(name).presses > 0
    }

    /// Whether it went up in this step, also if it is down again.
    #[must_use]
    pub fn was_released(&self, name: &K) -> bool {
        self.key(name).releases > 0
    }

    /// How often it went down in this step.
    #[must_use]
    pub fn presses(&self, name: &K) -> u32 {
        self.key(name).presses
    }

    /// The keys that are down at the end of the step, in the order in which they were pressed.
    pub fn held(&self) -> impl Iterator<Item = &K> {
        self.keys.iter().filter(|(_, key)| key.is_held).map(|(name, _)| name)
    }

    /// By how much the pointer moved in this step, to the right and down.
    #[must_use]
    pub const fn motion(&self) -> [f64; 2] {
        self.motion
    }

    /// By how much the wheel turned in this step, in lines; the scrolled content moves to the right and down.
    #[must_use]
    pub const fn wheel(&self) -> [f64; 2] {
        self.wheel
    }
}

impl Key {
    fn release(&mut self) {
        self.releases = self.releases.saturating_add(u32::from(self.is_held));
        self.is_held = false;
    }
}

impl<K: PartialEq> Default for Controls<K> {
    fn default() -> Self {
        Self::new()
    }
}

fn add(sum: &mut [f64; 2], by: [f64; 2]) {
    *sum = [sum[0] + by[0], sum[1] + by[1]];
}
