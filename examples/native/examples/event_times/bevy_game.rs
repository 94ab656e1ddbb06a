//! A Bevy app without a window, which gets the keys of winit's window as Bevy's own window would pass them on, or those of the server.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use bevy_app::{App, FixedUpdate, PreUpdate};
use bevy_ecs::entity::Entity;
use bevy_ecs::prelude::{Res, ResMut, Resource};
use bevy_evenstep::{Button as BevyButton, CurrentStep, EvenstepPlugin, StepInput, StepInputPlugin, Timestep};
use bevy_input::ButtonState;
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_time::{Real, Time, TimePlugin, Virtual};
use evenstep::MonotonicClock;
use evenstep::input::{Button, InputEvent};
use evenstep_present::x11::RawInput;

use crate::game::{Game, Input, KEYS, Played, STEPS, wait_for_refresh};

/// Bevy's names of the keys.
const BEVYS: [KeyCode; KEYS.len()] = [
    KeyCode::KeyQ,
    KeyCode::KeyW,
    KeyCode::KeyE,
    KeyCode::KeyR,
    KeyCode::KeyT,
    KeyCode::KeyY,
    KeyCode::KeyU,
    KeyCode::KeyI,
];

/// The place of a key in [`KEYS`], which stands for an action of a game.
type Action = usize;

pub(crate) struct BevyGame {
    clock: MonotonicClock,
    received: Receiver<(Duration, Input)>,
    hertz: u32,
    app: App,
}

#[derive(Resource)]
struct Keys(RawInput);

/// The stamps on the line of `Time<Real>`, and the step that took each press.
#[derive(Resource, Default)]
struct Noted {
    stamps: Vec<Duration>,
    ticks: Vec<u64>,
}

impl BevyGame {
    /// `has_times` where all keys come from the server.
    pub(crate) fn new(
        clock: MonotonicClock,
        received: Receiver<(Duration, Input)>,
        hertz: u32,
        has_times: bool,
    ) -> Self {
        let mut app = App::new();
        let bind = if has_times { |_| None } else { bind };
        app.add_plugins((TimePlugin, EvenstepPlugin::hz(STEPS), StepInputPlugin::new(bind)))
            .init_resource::<Noted>()
            .add_systems(FixedUpdate, note)
            .add_systems(PreUpdate, receive);
        app.finish();
        app.cleanup();
        // Hitches of a busy machine are not clamped, so that steps keep their times.
        let world = app.world_mut();
        world
            .resource_mut::<Time<Virtual>>()
            .set_max_delta(Duration::from_secs(60));
        world.resource_mut::<Timestep>().set_max_steps(10_000);
        app.update();
        Self {
            clock,
            received,
            hertz,
            app,
        }
    }
}

fn bind(button: BevyButton) -> Option<Action> {
    BEVYS.iter().position(|key| button == BevyButton::Key(*key))
}

fn receive(
    keys: Option<ResMut<Keys>>,
    mut input: ResMut<StepInput<Action>>,
    mut noted: ResMut<Noted>,
    time: Res<Time<Real>>,
) {
    let (Some(mut keys), Some(start)) = (keys, time.first_update()) else {
        return;
    };
    let action = |code| KEYS.iter().position(|(other, _)| *other == code);
    let events = keys.0.poll(&MonotonicClock::from(start)).unwrap_or_default(); // the taps are counted at the end
    for (at, event) in events {
        let event = match event {
            InputEvent::Press(code) => action(code).map(InputEvent::Press),
            InputEvent::Release(code) => action(code).map(InputEvent::Release),
            InputEvent::ReleaseAll => Some(InputEvent::ReleaseAll),
            _ => None,
        };
        let Some(event) = event else { continue };
        if matches!(event, InputEvent::Press(_)) {
            noted.stamps.push(at);
        }
        let _ = input.push(at, event); // refused if 4096 wait
    }
}

fn note(input: Res<StepInput<Action>>, step: Res<CurrentStep>, mut noted: ResMut<Noted>) {
    // The keys are counted in the order in which they are tapped.
    while input.was_pressed(noted.ticks.len() % KEYS.len()) {
        noted.ticks.push(step.tick);
    }
}

impl Game for BevyGame {
    fn listen(&mut self, keys: RawInput) {
        self.app.insert_resource(Keys(keys));
    }

    fn frame(&mut self) -> bool {
        let is_connected = loop {
            let (button, state) = match self.received.try_recv() {
                Ok((_, InputEvent::Press(button))) => (button, ButtonState::Pressed),
                Ok((_, InputEvent::Release(button))) => (button, ButtonState::Released),
                Ok(_) => continue,
                Err(error) => break error == TryRecvError::Empty,
            };
            if let Some(key) = KEYS.iter().position(|(_, key)| button == Button::Key(*key)) {
                self.app.world_mut().write_message(KeyboardInput {
                    key_code: BEVYS[key],
                    logical_key: Key::Dead(None),
                    state,
                    text: None,
                    repeat: false,
                    window: Entity::PLACEHOLDER,
                });
            }
        };
        self.app.update();
        // Bevy waits for the display as it presents, at the end of an update.
        wait_for_refresh(&self.clock, self.hertz);
        is_connected
    }

    fn played(mut self: Box<Self>) -> Played {
        let first = self.app.world().resource::<Time<Real>>().first_update();
        let since = first.map_or(Duration::ZERO, |first| first.elapsed());
        let origin = self.clock.now().saturating_sub(since);
        let Some(noted) = self.app.world_mut().remove_resource::<Noted>() else {
            unreachable!("it was inserted")
        };
        Played {
            origin,
            stamps: noted.stamps.into_iter().map(|at| origin + at).collect(),
            ticks: noted.ticks,
        }
    }
}
