//! Menus and other states of the game that pause it, by Bevy's own means.

use std::time::Duration;

use crate::frames::{frame, frames};
use crate::input::{bind, key, noting_with, steps};
use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::{LastFrame, SmoothTransform, SmoothTransformPlugin, StepInputPlugin};
use bevy_input::ButtonInput;
use bevy_input::ButtonState::{Pressed, Released};
use bevy_input::keyboard::KeyCode;
use bevy_state::app::{AppExtStates, StatesPlugin};
use bevy_state::prelude::{DespawnOnExit, NextState, OnEnter, OnExit, State, States};
use bevy_time::{Time, Virtual};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Screen {
    #[default]
    Game,
    Menu,
}

/// Escape opens the menu and closes it.
fn toggle(keys: Res<ButtonInput<KeyCode>>, screen: Res<State<Screen>>, mut next: ResMut<NextState<Screen>>) {
    if keys.just_pressed(KeyCode::Escape) {
        next.set(match screen.get() {
            Screen::Game => Screen::Menu,
            Screen::Menu => Screen::Game,
        });
    }
}

/// A game with 100 steps a second in which something goes one unit a step.
fn game() -> (App, Entity) {
    let mut app = noting_with((
        StepInputPlugin::new(bind),
        SmoothTransformPlugin::default(),
        StatesPlugin,
        TransformPlugin,
    ));
    app.init_state::<Screen>()
        .add_systems(Update, toggle)
        .add_systems(
            OnEnter(Screen::Menu),
            |mut time: ResMut<Time<Virtual>>, mut commands: Commands| {
                time.pause();
                commands.spawn((Transform::default(), SmoothTransform, DespawnOnExit(Screen::Menu)));
            },
        )
        .add_systems(OnExit(Screen::Menu), |mut time: ResMut<Time<Virtual>>| time.unpause())
        .add_systems(FixedUpdate, |mut all: Query<&mut Transform>| {
            all.iter_mut().for_each(|mut transform| transform.translation.x += 1.0);
        });
    let entity = app.world_mut().spawn((Transform::default(), SmoothTransform)).id();
    (app, entity)
}

fn tap(app: &mut App, code: KeyCode) {
    key(app, code, Pressed);
    key(app, code, Released);
}

fn tick(app: &App) -> u64 {
    app.world().resource::<LastFrame>().tick()
}

#[test]
fn a_menu_stops_steps_and_drawn_motion_and_the_game_continues_where_it_was() {
    for per_second in [30, 60, 144, 240] {
        let (mut app, entity) = game();
        let drawn_x = |app: &App| app.world().get::<GlobalTransform>(entity).unwrap().translation().x;
        frames(per_second, 1).for_each(|delta| frame(&mut app, delta));
        tap(&mut app, KeyCode::Escape);
        // The state changes in the next frame.
        let delta = Duration::from_millis(4);
        (0..2).for_each(|_| frame(&mut app, delta));
        let (stopped, place) = (tick(&app), drawn_x(&app));
        for delta in frames(per_second, 1) {
            tap(&mut app, KeyCode::Space);
            frame(&mut app, delta);
            assert_eq!(
                (tick(&app), drawn_x(&app)),
                (stopped, place),
                "at {per_second} frames a second"
            );
        }
        tap(&mut app, KeyCode::Escape);
        (0..2).for_each(|_| frame(&mut app, delta));
        assert_eq!(
            app.world_mut().query::<&Transform>().iter(app.world()).count(),
            1,
            "the menu is gone"
        );
        frames(per_second, 1).for_each(|delta| frame(&mut app, delta));
        assert!(
            (100..=102).contains(&(tick(&app) - stopped)),
            "{}",
            tick(&app) - stopped
        );
        app.world_mut().entity_mut(entity).remove::<SmoothTransform>();
        assert_eq!(
            app.world().get::<Transform>(entity).unwrap().translation.x,
            tick(&app) as f32
        );
        assert_eq!(
            steps(&app).iter().map(|seen| seen.presses).sum::<u32>(),
            0,
            "of the menu"
        );
    }
}
