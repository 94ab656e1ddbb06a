//! No steps while nobody sees the game.

use std::time::Duration;

use crate::common::app;
use crate::frames::frame;
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_evenstep::{ExactLoopPlugin, Hidden, LastFrame, PauseHiddenPlugin, Timestep};
use bevy_time::{Real, Time};
use bevy_window::{AppLifecycle, Window, WindowOccluded};
use evenstep::{FixedTimestep, Overrun, Rate};
use proptest::prelude::*;

const MS: Duration = Duration::from_millis(1);

/// A game at 100 Hz with some windows.
fn game(windows: usize) -> (App, Vec<Entity>) {
    let mut app = app((ExactLoopPlugin::hz(100), PauseHiddenPlugin));
    let windows = (0..windows).map(|_| app.world_mut().spawn(Window::default()).id());
    let windows = windows.collect();
    (app, windows)
}

fn cover(app: &mut App, window: Entity, occluded: bool) {
    app.world_mut().write_message(WindowOccluded { window, occluded });
}

fn tick(app: &App) -> u64 {
    app.world().resource::<LastFrame>().tick()
}

fn left_out(app: &App) -> Duration {
    app.world().resource::<Hidden>().left_out()
}

/// Without the nanosecond that each of its frames lasts.
fn left_out_millis(app: &App) -> Duration {
    Duration::from_millis(left_out(app).as_micros().div_ceil(1000) as u64)
}

#[test]
fn a_covered_window_runs_no_steps_and_the_time_left_out_is_reported() {
    let (mut app, windows) = game(1);
    frame(&mut app, 50 * MS);
    cover(&mut app, windows[0], true);
    frame(&mut app, 20 * MS); // seen until now
    assert_eq!((tick(&app), left_out_millis(&app)), (7, Duration::ZERO));
    for _ in 0..3 {
        frame(&mut app, 100 * MS);
        assert!(app.world().resource::<Hidden>().is_hidden());
    }
    cover(&mut app, windows[0], false);
    frame(&mut app, 40 * MS); // hidden until now
    assert!(!app.world().resource::<Hidden>().is_hidden());
    assert_eq!((tick(&app), left_out_millis(&app)), (7, 340 * MS));
    frame(&mut app, 30 * MS);
    assert_eq!((tick(&app), left_out_millis(&app)), (10, 340 * MS));
    let stats = app.world().resource::<LastFrame>().stats();
    assert_eq!((stats.clamped(), stats.dropped()), (Duration::ZERO, 0));
}

#[test]
fn steps_run_as_long_as_one_of_the_windows_is_visible() {
    let (mut app, windows) = game(2);
    cover(&mut app, windows[0], true);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!(tick(&app), 10);
    cover(&mut app, windows[1], true);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!(tick(&app), 15);
    cover(&mut app, windows[0], false);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!(tick(&app), 20);
    // Of the windows that are left, each is covered.
    app.world_mut().despawn(windows[0]);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!(tick(&app), 25);
    app.world_mut().despawn(windows[1]);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!(tick(&app), 30, "a game without windows is a server");
}

#[test]
fn a_window_that_is_minimised_or_made_invisible_is_hidden() {
    let hide: [fn(&mut Window); 2] = [
        |window| window.resolution.set_physical_resolution(0, 0),
        |window| window.visible = false,
    ];
    for hide in hide {
        let (mut app, windows) = game(1);
        let former = app.world().get::<Window>(windows[0]).unwrap().clone();
        hide(&mut app.world_mut().get_mut::<Window>(windows[0]).unwrap());
        frame(&mut app, 10 * MS);
        frame(&mut app, 50 * MS);
        assert_eq!((tick(&app), left_out_millis(&app)), (1, 50 * MS));
        app.world_mut().entity_mut(windows[0]).insert(former);
        frame(&mut app, 50 * MS);
        frame(&mut app, 50 * MS);
        assert_eq!((tick(&app), left_out_millis(&app)), (6, 100 * MS));
    }
}

#[test]
fn a_program_that_the_system_suspends_continues_where_it_was() {
    let (mut app, _) = game(1);
    app.world_mut().write_message(AppLifecycle::WillSuspend);
    frame(&mut app, 20 * MS); // the last one before the system stops it
    assert_eq!(tick(&app), 2);
    app.world_mut().write_message(AppLifecycle::Suspended);
    app.world_mut().write_message(AppLifecycle::WillResume);
    frame(&mut app, 3600 * 1000 * MS); // an hour later
    assert_eq!((tick(&app), left_out_millis(&app)), (2, 3600 * 1000 * MS));
    assert_eq!(app.world().resource::<LastFrame>().clamped(), Duration::ZERO);
    frame(&mut app, 20 * MS);
    assert_eq!(tick(&app), 4);
}

#[test]
fn a_browser_that_draws_no_frame_while_it_is_hidden_loses_that_time_only() {
    let (mut app, windows) = game(1);
    frame(&mut app, 20 * MS);
    cover(&mut app, windows[0], true);
    cover(&mut app, windows[0], false);
    frame(&mut app, 200 * MS);
    assert_eq!((tick(&app), left_out_millis(&app)), (2, 200 * MS));
    frame(&mut app, 20 * MS);
    assert_eq!((tick(&app), left_out_millis(&app)), (4, 200 * MS));
}

#[test]
fn a_pause_by_the_game_outlasts_a_hidden_window_and_steps_kept_back_are_not_lost() {
    let (mut app, windows) = game(1);
    app.world_mut().resource_mut::<Timestep>().pause();
    cover(&mut app, windows[0], true);
    frame(&mut app, 50 * MS);
    cover(&mut app, windows[0], false);
    frame(&mut app, 50 * MS);
    frame(&mut app, 50 * MS);
    assert_eq!((tick(&app), left_out_millis(&app)), (0, 50 * MS));
    assert!(app.world().resource::<Timestep>().is_paused());

    let carry = Overrun::Carry { max_backlog: 1000 * MS };
    let timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(2).with_overrun(carry);
    app.insert_resource(Timestep::from(timestep));
    frame(&mut app, 50 * MS);
    cover(&mut app, windows[0], true);
    frame(&mut app, 10 * MS); // 6 steps are due, 4 were run
    cover(&mut app, windows[0], false);
    frame(&mut app, 500 * MS);
    frame(&mut app, Duration::from_micros(1));
    assert_eq!(tick(&app), 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn real_time_is_the_sum_of_steps_overstep_and_lost_time(
        frames in prop::collection::vec((0_u64..250_000_000, 0_usize..3, any::<bool>()), 1..60),
    ) {
        let (mut app, windows) = game(2);
        for (nanos, kind, flag) in frames {
            match kind {
                2 => {
                    let state = if flag { AppLifecycle::Suspended } else { AppLifecycle::Running };
                    app.world_mut().write_message(state);
                }
                window => cover(&mut app, windows[window], flag),
            }
            frame(&mut app, Duration::from_nanos(nanos));
        }
        let real = app.world().resource::<Time<Real>>().elapsed();
        let simulated = 10 * MS * u32::try_from(tick(&app)).unwrap();
        let overstep = app.world().resource::<LastFrame>().overstep().to_duration();
        let sum = simulated + overstep + left_out(&app);
        prop_assert_eq!(sum, real);
    }
}
