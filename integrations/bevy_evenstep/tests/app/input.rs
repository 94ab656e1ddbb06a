//! Input that reaches exactly one step.

use std::collections::VecDeque;
use std::time::Duration;

use crate::common::app;
use crate::frames::{frame, frames};
use bevy_app::{App, FixedUpdate, Plugins, PreUpdate};
use bevy_ecs::message::Message;
use bevy_ecs::prelude::*;
use bevy_evenstep::{Button, CurrentStep, ExactLoopPlugin, StepInput, StepInputPlugin};
use bevy_input::ButtonState::{self, Pressed, Released};
use bevy_input::gamepad::{
    GamepadAxis, GamepadAxisChangedEvent, GamepadButton, GamepadButtonStateChangedEvent, GamepadConnection,
    GamepadConnectionEvent,
};
use bevy_input::keyboard::{Key, KeyCode, KeyboardFocusLost, KeyboardInput};
use bevy_input::mouse::{MouseButton, MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy_input::touch::{TouchInput, TouchPhase};
use bevy_math::{DVec2, Vec2};
use bevy_time::{Real, Time};
use evenstep::input::InputEvent;

const MS: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    Jump,
    Left,
}

pub(crate) fn bind(button: Button) -> Option<Action> {
    match button {
        Button::Key(KeyCode::Space) | Button::Mouse(MouseButton::Left) => Some(Action::Jump),
        Button::Key(KeyCode::KeyA | KeyCode::ArrowLeft) => Some(Action::Left),
        _ => None,
    }
}

/// What a step saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) presses: u32,
    pub(crate) was_released: bool,
    pub(crate) is_held: bool,
    pub(crate) motion: DVec2,
}

#[derive(Resource, Default)]
struct Steps(Vec<Seen>);

/// A hundred steps a second, which note what they see of jumps.
pub(crate) fn noting() -> App {
    noting_with(StepInputPlugin::new(bind))
}

/// One of the plugins is that for input.
pub(crate) fn noting_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = app((ExactLoopPlugin::hz(100), plugins));
    app.init_resource::<Steps>();
    app.add_systems(
        FixedUpdate,
        |input: Res<StepInput<Action>>, mut steps: ResMut<Steps>| {
            steps.0.push(Seen {
                presses: input.presses(Action::Jump),
                was_released: input.was_released(Action::Jump),
                is_held: input.is_held_at_end(Action::Jump),
                motion: input.motion(),
            });
        },
    );
    app
}

pub(crate) fn steps(app: &App) -> &[Seen] {
    &app.world().resource::<Steps>().0
}

pub(crate) fn key(app: &mut App, key_code: KeyCode, state: ButtonState) {
    send(
        app,
        KeyboardInput {
            key_code,
            logical_key: Key::Space,
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        },
    );
}

pub(crate) fn send<M: Message>(app: &mut App, message: M) {
    app.world_mut().write_message(message);
}

#[test]
fn motion_is_spread_over_the_steps_of_its_frame() {
    let mut app = noting();
    (0..5).for_each(|_| send(&mut app, MouseMotion { delta: Vec2::X }));
    frame(&mut app, 50 * MS);
    assert!(
        steps(&app).iter().all(|seen| seen.motion == DVec2::X),
        "{:?}",
        steps(&app)
    );
}

#[test]
fn an_action_of_several_buttons_is_held_while_one_of_them_is() {
    let mut app = noting();
    key(&mut app, KeyCode::Space, Pressed);
    frame(&mut app, 10 * MS);
    send(
        &mut app,
        MouseButtonInput {
            button: MouseButton::Left,
            state: Pressed,
            window: Entity::PLACEHOLDER,
        },
    );
    frame(&mut app, 10 * MS);
    key(&mut app, KeyCode::Space, Released);
    frame(&mut app, 10 * MS);
    send(
        &mut app,
        MouseButtonInput {
            button: MouseButton::Left,
            state: Released,
            window: Entity::PLACEHOLDER,
        },
    );
    frame(&mut app, 10 * MS);
    let seen: Vec<_> = steps(&app)
        .iter()
        .map(|seen| (seen.presses, seen.is_held, seen.was_released))
        .collect();
    assert_eq!(
        seen,
        [(1, true, false), (0, true, false), (0, true, false), (0, false, true)]
    );
}

#[test]
fn nothing_stays_held_when_the_window_loses_the_focus() {
    let mut app = noting();
    key(&mut app, KeyCode::Space, Pressed);
    frame(&mut app, 10 * MS);
    send(&mut app, KeyboardFocusLost);
    frame(&mut app, 10 * MS);
    assert!(steps(&app)[0].is_held && !steps(&app)[1].is_held && steps(&app)[1].was_released);
    key(&mut app, KeyCode::Space, Released);
    key(&mut app, KeyCode::Space, Pressed);
    frame(&mut app, 10 * MS);
    assert_eq!(steps(&app)[2].presses, 1);
}

/// Keys with times that the app reads once a frame.
#[derive(Resource, Clone)]
struct Source(VecDeque<(Duration, InputEvent<Action>)>);

fn receive(mut source: ResMut<Source>, mut input: ResMut<StepInput<Action>>, time: Res<Time<Real>>) {
    let arrived = source.0.partition_point(|(at, _)| *at < time.elapsed());
    for (at, event) in source.0.drain(..arrived) {
        input.push_at(at, event);
    }
}

#[test]
fn keys_of_a_source_with_times_reach_the_steps_of_their_times_at_every_frame_rate() {
    // Taps of 8 to 60 ms, which begin at any part of a step.
    let taps: Vec<_> = (0..50_u32)
        .map(|tap| {
            let at = 90 * MS * tap + Duration::from_micros(u64::from(tap * 7_919 % 25_000));
            (at, at + Duration::from_micros(u64::from(8_000 + tap * 6_007 % 52_000)))
        })
        .collect();
    let events = taps.iter().flat_map(|(down, up)| {
        let jump = Action::Jump;
        [(*down, InputEvent::Press(jump)), (*up, InputEvent::Release(jump))]
    });
    let source = Source(events.collect());
    let played = [30, 60, 144, 240].map(|rate| {
        let mut app = noting_with(StepInputPlugin::<Action>::new(|_| None));
        app.insert_resource(source.clone()).add_systems(PreUpdate, receive);
        frames(rate, 5).for_each(|delta| frame(&mut app, delta));
        assert_eq!(app.world().resource::<StepInput<Action>>().counts().late, 0);
        steps(&app).to_vec()
    });
    for (tick, seen) in (0..).zip(&played[0]) {
        let own = tick * 10 * MS..(tick + 1) * 10 * MS;
        let presses = taps.iter().filter(|(down, _)| own.contains(down)).count();
        assert_eq!(
            (seen.presses, seen.was_released),
            (presses as u32, taps.iter().any(|(_, up)| own.contains(up)))
        );
    }
    assert_eq!(played[0].iter().map(|seen| seen.presses).sum::<u32>(), 50);
    assert!(played.iter().all(|steps| *steps == played[0]));
}

#[test]
fn gamepads_fingers_and_the_wheel_reach_steps_as_well() {
    let mut app = app((ExactLoopPlugin::hz(100), StepInputPlugin::default()));
    let pad = Entity::PLACEHOLDER;
    send(
        &mut app,
        GamepadAxisChangedEvent::new(pad, GamepadAxis::LeftStickX, 0.5),
    );
    send(
        &mut app,
        GamepadButtonStateChangedEvent::new(pad, GamepadButton::South, Pressed),
    );
    let touch = |phase, x| TouchInput {
        phase,
        position: Vec2::new(x, 0.0),
        window: pad,
        force: None,
        id: 7,
    };
    send(&mut app, touch(TouchPhase::Started, 1.0));
    send(&mut app, touch(TouchPhase::Moved, 2.0));
    send(
        &mut app,
        MouseWheel {
            unit: MouseScrollUnit::Pixel,
            x: 0.0,
            y: 32.0,
            window: pad,
            phase: TouchPhase::Moved,
        },
    );
    frame(&mut app, 10 * MS);
    let input = app.world().resource::<StepInput>();
    assert_eq!(input.axis(pad, GamepadAxis::LeftStickX), 0.5);
    assert_eq!(input.axis(pad, GamepadAxis::LeftStickY), 0.0);
    let held: Vec<_> = input.held().copied().collect();
    assert!(held.contains(&Button::Gamepad(pad, GamepadButton::South)) && held.contains(&Button::Touch(7)));
    assert_eq!(
        (input.touches(), input.wheel()),
        (&[(7, Vec2::new(2.0, 0.0))][..], DVec2::new(0.0, 2.0))
    );
    send(&mut app, touch(TouchPhase::Ended, 2.0));
    frame(&mut app, 10 * MS);
    let input = app.world().resource::<StepInput>();
    assert!(input.touches().is_empty() && input.was_released(Button::Touch(7)) && input.wheel() == DVec2::ZERO);
}

/// What an action is bound to may change hands within a frame.
#[test]
fn an_action_that_goes_from_one_device_to_another_within_a_frame_is_held() {
    let mut app = noting();
    let mouse = |app: &mut App, state| {
        let (button, window) = (MouseButton::Left, Entity::PLACEHOLDER);
        send(app, MouseButtonInput { button, state, window });
    };
    mouse(&mut app, Pressed);
    frame(&mut app, 10 * MS);
    // The key goes down in the middle of the frame, the mouse up at a quarter and down at three.
    mouse(&mut app, Released);
    mouse(&mut app, Pressed);
    key(&mut app, KeyCode::Space, Pressed);
    frame(&mut app, 10 * MS);
    key(&mut app, KeyCode::Space, Released);
    frame(&mut app, 10 * MS);
    assert!(steps(&app).iter().all(|seen| seen.is_held), "{:?}", steps(&app));
}

#[test]
fn a_gamepad_that_is_unplugged_holds_nothing_and_its_sticks_rest() {
    let mut app = app((ExactLoopPlugin::hz(100), StepInputPlugin::default()));
    let [gone, other] = [(); 2].map(|()| app.world_mut().spawn_empty().id());
    let (south, stick) = (GamepadButton::South, GamepadAxis::LeftStickX);
    for pad in [gone, other] {
        send(&mut app, GamepadButtonStateChangedEvent::new(pad, south, Pressed));
        send(&mut app, GamepadAxisChangedEvent::new(pad, stick, 0.5));
    }
    frame(&mut app, 10 * MS);
    send(
        &mut app,
        GamepadConnectionEvent::new(gone, GamepadConnection::Disconnected),
    );
    frame(&mut app, 10 * MS);
    let input = app.world().resource::<StepInput>();
    assert!(input.was_released(Button::Gamepad(gone, south)) && !input.is_held_at_end(Button::Gamepad(gone, south)));
    assert!(input.is_held_at_end(Button::Gamepad(other, south)));
    assert_eq!([gone, other].map(|pad| input.axis(pad, stick)), [0.0, 0.5]);
    // Plugged in again, its first press counts.
    send(&mut app, GamepadButtonStateChangedEvent::new(gone, south, Pressed));
    frame(&mut app, 10 * MS);
    assert_eq!(
        app.world()
            .resource::<StepInput>()
            .presses(Button::Gamepad(gone, south)),
        1
    );
}

#[test]
fn a_tap_counts_as_one_step_of_being_down() {
    let mut app = app((ExactLoopPlugin::hz(100), StepInputPlugin::default()));
    let button = Button::Key(KeyCode::Space);
    let mut is_down = |is_tapped: bool| {
        if is_tapped {
            key(&mut app, KeyCode::Space, Pressed);
            key(&mut app, KeyCode::Space, Released);
        }
        frame(&mut app, 10 * MS);
        app.world().resource::<StepInput>().is_down(button)
    };
    assert_eq!([false, true, false].map(&mut is_down), [false, true, false]);
}

#[test]
fn a_key_of_a_pause_waits_for_the_next_step_and_unbound_keys_do_nothing() {
    let mut app = noting();
    key(&mut app, KeyCode::KeyZ, Pressed);
    key(&mut app, KeyCode::KeyA, Pressed);
    app.add_systems(FixedUpdate, |input: Res<StepInput<Action>>, step: Res<CurrentStep>| {
        assert_eq!(input.was_pressed(Action::Left), step.tick == 0);
    });
    (0..20).for_each(|_| frame(&mut app, Duration::ZERO));
    assert!(steps(&app).is_empty());
    (0..3).for_each(|_| frame(&mut app, 10 * MS));
    assert_eq!(steps(&app).len(), 3);
}

fn click(app: &mut App, state: ButtonState) {
    let (button, window) = (MouseButton::Left, Entity::PLACEHOLDER);
    send(app, MouseButtonInput { button, state, window });
}

/// For a button on the screen, a replay, a test.
#[test]
fn what_a_program_presses_is_held_from_the_next_step_on_until_it_releases_it() {
    for display in [30, 100, 240] {
        let mut app = noting();
        let mut frames = frames(display, 1);
        frames.by_ref().take(7).for_each(|delta| frame(&mut app, delta));
        let before = steps(&app).len();
        app.world_mut().resource_mut::<StepInput<Action>>().press(Action::Jump);
        frames.by_ref().take(7).for_each(|delta| frame(&mut app, delta));
        let held = steps(&app).len();
        app.world_mut()
            .resource_mut::<StepInput<Action>>()
            .release(Action::Jump);
        frames.for_each(|delta| frame(&mut app, delta));
        let steps = steps(&app);
        assert!(before > 1 && held > before + 1, "at {display}");
        assert!(steps[..before].iter().all(|seen| !seen.is_held && seen.presses == 0));
        assert_eq!(
            (steps[before].presses, steps[before].is_held),
            (1, true),
            "at {display}"
        );
        assert!(
            steps[before + 1..held]
                .iter()
                .all(|seen| seen.is_held && seen.presses == 0)
        );
        assert!(steps[held].was_released && !steps[held].is_held, "at {display}");
    }
}

#[test]
fn a_click_that_the_interface_has_used_reaches_no_step_and_the_next_one_does() {
    #[derive(Resource)]
    struct IsOverButton(bool);
    for display in [30, 100, 240] {
        let mut app = noting();
        app.insert_resource(IsOverButton(true)).add_systems(
            PreUpdate,
            |is_over: Res<IsOverButton>,
             mut clicks: MessageReader<MouseButtonInput>,
             mut input: ResMut<StepInput<Action>>| {
                if is_over.0 && clicks.read().any(|click| click.state.is_pressed()) {
                    input.consume(Action::Jump);
                }
            },
        );
        let presses = |app: &App| steps(app).iter().map(|seen| seen.presses).sum::<u32>();
        let play = |app: &mut App| frames(display, 1).take(20).for_each(|delta| frame(app, delta));
        for state in [Pressed, Released] {
            click(&mut app, state);
            play(&mut app);
        }
        assert_eq!(presses(&app), 0, "at {display}");
        assert!(steps(&app).iter().all(|seen| !seen.is_held && !seen.was_released));
        app.insert_resource(IsOverButton(false));
        click(&mut app, Pressed);
        play(&mut app);
        assert_eq!(presses(&app), 1, "at {display}");
        assert!(steps(&app).last().is_some_and(|seen| seen.is_held));
        // What is used after its frame's steps came too late, and takes nothing from the next frame.
        app.world_mut()
            .resource_mut::<StepInput<Action>>()
            .consume(Action::Jump);
        click(&mut app, Released);
        frame(&mut app, 20 * MS);
        click(&mut app, Pressed);
        play(&mut app);
        assert_eq!(presses(&app), 2, "at {display}");
    }
}

/// Nothing has changed, so nothing may change: jumps, walking, an axis.
#[test]
fn steps_that_are_simulated_again_have_the_input_that_they_had() {
    use bevy_evenstep::rewind::{RewindHistory, RewindId, RewindPlugin, SyncTest, resimulate};

    #[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
    struct Hero {
        jumps: u32,
        walked: u32,
        turned: f32,
    }
    for (display, is_tested) in [(30, false), (60, true), (144, false), (144, true)] {
        let rewind = RewindPlugin::new(|hero: &Hero| (hero.jumps, hero.walked, hero.turned.to_bits()));
        let mut app = noting_with((StepInputPlugin::new(bind), rewind));
        let pad = app.world_mut().spawn_empty().id();
        app.insert_resource(RewindHistory::new(60));
        if is_tested {
            app.init_resource::<SyncTest>();
        }
        app.add_systems(
            FixedUpdate,
            move |input: Res<StepInput<Action>>, mut hero: Single<&mut Hero>| {
                hero.jumps += input.presses(Action::Jump);
                hero.walked += u32::from(input.is_held_at_end(Action::Left));
                hero.turned += input.axis(pad, GamepadAxis::LeftStickX) + input.motion().x as f32;
            },
        );
        let hero = app.world_mut().spawn((RewindId(1), Hero::default())).id();
        for (number, delta) in frames(display, 1).enumerate() {
            match number % 7 {
                1 => key(&mut app, KeyCode::Space, Pressed),
                3 => key(&mut app, KeyCode::Space, Released),
                4 => send(&mut app, MouseMotion { delta: Vec2::X }),
                5 => {
                    let (axis, value) = (GamepadAxis::LeftStickX, number as f32 / 256.0);
                    send(
                        &mut app,
                        GamepadAxisChangedEvent {
                            entity: pad,
                            axis,
                            value,
                        },
                    );
                }
                _ if number == 16 => key(&mut app, KeyCode::KeyA, Pressed),
                _ if number == 27 => key(&mut app, KeyCode::KeyA, Released),
                _ => {}
            }
            frame(&mut app, delta);
        }
        let present = app.world().resource::<CurrentStep>().tick + 1;
        let before = *app.world().get::<Hero>(hero).unwrap();
        assert!(
            before.jumps > 3 && before.walked > 5 && before.turned > 0.0,
            "{before:?}"
        );
        for back in [1, 5, 20, 60] {
            assert_eq!(resimulate(app.world_mut(), present - back), Ok(back));
            assert_eq!(
                *app.world().get::<Hero>(hero).unwrap(),
                before,
                "{back} steps back, at {display}"
            );
        }
        assert!(
            resimulate(app.world_mut(), present - 61).is_err(),
            "its state is not kept, and neither is its input"
        );
        key(&mut app, KeyCode::Space, Released);
        frame(&mut app, 20 * MS);
        key(&mut app, KeyCode::Space, Pressed);
        frame(&mut app, 20 * MS);
        assert_eq!(
            app.world().get::<Hero>(hero).unwrap().jumps,
            before.jumps + 1,
            "the next press"
        );
        let test = app.world().get_resource::<SyncTest>();
        assert!(test.is_none_or(|test| test.desync().is_none() && test.error().is_none()));
    }
}

/// Mean and longest milliseconds from a key to the frame that runs its step, in which it is drawn for the first time.
fn delay(rate: u64) -> (f64, f64) {
    let mut random = fastrand::Rng::with_seed(7);
    let mut app = app((ExactLoopPlugin::hz(60), StepInputPlugin::new(bind)));
    app.init_resource::<Steps>();
    app.add_systems(
        FixedUpdate,
        |input: Res<StepInput<Action>>, mut steps: ResMut<Steps>| {
            let presses = input.presses(Action::Jump);
            steps.0.push(Seen {
                presses,
                ..Seen::default()
            });
        },
    );
    // A step ends at any part of a frame.
    frame(&mut app, Duration::from_micros(random.u64(..16_667)));
    let (mut delays, mut waiting, mut is_held) = (Vec::new(), None, false);
    let mut now = 0.0;
    for delta in frames(rate, 60) {
        let last = now;
        now += 1e3 * delta.as_secs_f64();
        if is_held {
            key(&mut app, KeyCode::Space, Released);
            is_held = false;
        } else if waiting.is_none() && random.u8(..8) == 0 {
            key(&mut app, KeyCode::Space, Pressed);
            waiting = Some(last + random.f64() * (now - last));
            is_held = true;
        }
        app.world_mut().resource_mut::<Steps>().0.clear();
        frame(&mut app, delta);
        if steps(&app).iter().any(|seen| seen.presses > 0) {
            delays.extend(waiting.take().map(|at| now - at));
        }
    }
    let longest = delays.iter().copied().fold(0.0, f64::max);
    (delays.iter().sum::<f64>() / delays.len() as f64, longest)
}

/// Spread over their frame, as they once were, they took 25.0, 11.2 and 16.7 ms.
#[test]
fn a_key_acts_in_the_next_step_that_runs() {
    for (rate, figures) in [(60, (8.3, 16.7)), (144, (9.0, 20.8)), (30, (16.7, 33.3))] {
        let (mean, longest) = delay(rate);
        let is_right = (mean - figures.0).abs() < 1.5 && (longest - figures.1).abs() < 1.0;
        assert!(
            is_right,
            "{rate} Hz: {mean:.2} ms ({longest:.2}), the page says {figures:?}"
        );
    }
}
