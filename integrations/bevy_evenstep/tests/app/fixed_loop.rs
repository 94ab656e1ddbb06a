//! What fixed updates can rely on.

use std::time::Duration;

use crate::common::app;
use crate::frames::{begin, frame};
use bevy_app::{App, FixedFirst, FixedLast, FixedUpdate, RunFixedMainLoop, RunFixedMainLoopSystems, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::{Budget, CurrentStep, ExactLoopPlugin, LastFrame, Timestep};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy, Virtual};
use evenstep::{FixedTimestep, Overrun, Rate, SimTime, Smoothing, TimeScale};

const MS: Duration = Duration::from_millis(1);

#[derive(Resource, Default)]
struct Steps(u64);

fn count(mut steps: ResMut<Steps>) {
    steps.0 += 1;
}

fn counting(plugin: ExactLoopPlugin) -> App {
    let mut app = app(plugin);
    app.init_resource::<Steps>().add_systems(FixedUpdate, count);
    app
}

fn steps(app: &App) -> u64 {
    app.world().resource::<Steps>().0
}

#[test]
fn a_minute_has_exactly_as_many_steps_as_it_should_where_bevy_is_one_short() {
    let mut ours = counting(ExactLoopPlugin::hz(60));
    let mut bevys = App::new();
    bevys
        .add_plugins(TimePlugin)
        .insert_resource(Time::<Fixed>::from_hz(60.0));
    bevys.init_resource::<Steps>().add_systems(FixedUpdate, count);
    begin(&mut bevys);
    for _ in 0..60 * 5 {
        frame(&mut ours, 200 * MS);
        frame(&mut bevys, 200 * MS);
    }
    assert_eq!((steps(&ours), steps(&bevys)), (3600, 3599));
}

#[test]
fn time_in_a_step_is_that_of_the_step_and_outside_that_of_the_frame() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(Duration, Duration, f64)>);
    let mut app = app(ExactLoopPlugin::hz(100));
    app.init_resource::<Seen>().add_systems(
        FixedUpdate,
        |mut seen: ResMut<Seen>, time: Res<Time>, fixed: Res<Time<Fixed>>, step: Res<CurrentStep>| {
            assert_eq!(time.elapsed(), fixed.elapsed());
            seen.0.push((time.delta(), time.elapsed(), step.start().as_secs_f64()));
        },
    );
    app.add_systems(Update, |time: Res<Time>| {
        assert!(time.delta().is_zero() || time.delta() == 25 * MS)
    });
    frame(&mut app, 25 * MS);
    let expected = vec![(10 * MS, 10 * MS, 0.0), (10 * MS, 20 * MS, 0.01)];
    assert_eq!(app.world().resource::<Seen>().0, expected);
    assert_eq!(app.world().resource::<Time>().elapsed(), 25 * MS);
}

#[test]
fn a_cap_gives_up_steps_and_the_overstep_stays_a_fraction() {
    let timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(3);
    let mut app = counting(ExactLoopPlugin::new(timestep));
    for _ in 0..20 {
        frame(&mut app, 75 * MS);
        let fraction = app.world().resource::<Time<Fixed>>().overstep_fraction_f64();
        assert!((0.0..1.0).contains(&fraction), "{fraction}");
    }
    assert_eq!(steps(&app), 60);
    assert_eq!(app.world().resource::<LastFrame>().stats().dropped(), 90);
}

#[test]
fn the_overstep_says_where_to_draw() {
    let mut app = counting(ExactLoopPlugin::hz(100));
    for _ in 0..50 {
        frame(&mut app, 7 * MS);
        let (alpha, fixed) = (
            app.world().resource::<LastFrame>().alpha(),
            app.world().resource::<Time<Fixed>>(),
        );
        assert!((fixed.overstep_fraction_f64() - alpha).abs() < 1e-6);
        assert!((fixed.overstep().as_secs_f64() - alpha * 0.01).abs() < 1e-8);
    }
}

#[test]
fn a_step_always_runs_and_others_for_which_there_is_no_time_are_given_back_and_come_later() {
    let max_backlog = Duration::from_secs(1);
    let timestep = FixedTimestep::new(Rate::hz(100)).with_overrun(Overrun::Carry { max_backlog });
    let mut app = counting(ExactLoopPlugin::new(timestep));
    app.insert_resource(Budget(Duration::ZERO));
    frame(&mut app, 50 * MS);
    assert_eq!(steps(&app), 1);
    let last = app.world().resource::<LastFrame>();
    assert_eq!((last.tick(), last.is_behind(), last.lost().dropped), (1, true, 0));
    frame(&mut app, Duration::ZERO);
    assert_eq!(steps(&app), 1, "while no time passes, nothing is made up for");
    app.insert_resource(Budget(Duration::MAX));
    frame(&mut app, MS);
    assert_eq!(steps(&app), 5);
}

#[test]
fn a_budget_that_some_steps_use_up_leaves_the_others_out() {
    let mut app = counting(ExactLoopPlugin::hz(100));
    app.insert_resource(Budget(5 * MS));
    app.add_systems(FixedUpdate, || std::thread::sleep(3 * MS)); // at least
    frame(&mut app, 50 * MS);
    assert!((1..=2).contains(&steps(&app)), "{} of 5", steps(&app));
}

#[test]
fn the_speed_and_pause_of_bevy_hold_and_the_own_time_scale_on_top() {
    let mut app = counting(ExactLoopPlugin::hz(100));
    let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
    time.set_relative_speed(20.0);
    time.set_max_delta(2_000 * MS);
    frame(&mut app, 100 * MS);
    assert_eq!(steps(&app), 200, "no limit of ours cuts off what Bevy believes");
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.5);
    app.world_mut()
        .resource_mut::<Timestep>()
        .set_time_scale(TimeScale::new(1, 5).unwrap());
    frame(&mut app, 100 * MS);
    assert_eq!(steps(&app), 201);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    frame(&mut app, 200 * MS);
    assert_eq!(steps(&app), 201);
    app.world_mut().resource_mut::<Timestep>().step_once();
    frame(&mut app, 200 * MS);
    assert_eq!(steps(&app), 202, "a single step through the pause");
}

#[test]
fn time_clamped_by_bevy_and_a_known_pause_are_reported() {
    let mut app = counting(ExactLoopPlugin::hz(100));
    frame(&mut app, 1_000 * MS);
    assert_eq!(
        (steps(&app), app.world().resource::<LastFrame>().clamped()),
        (25, 750 * MS)
    );
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(5.0);
    frame(&mut app, 100 * MS);
    assert_eq!(
        (steps(&app), app.world().resource::<LastFrame>().clamped()),
        (50, 50 * MS),
        "Bevy limits what the speed makes of a delta: here 50 ms of real time"
    );
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(1.0);
    app.world_mut().resource_mut::<Timestep>().pause();
    frame(&mut app, 100 * MS);
    assert_eq!(steps(&app), 50);
    assert_eq!(app.world().resource::<LastFrame>().lost().paused, 100 * MS);
}

#[test]
fn policies_that_keep_time_lose_nothing_of_a_long_frame() {
    let carry = Overrun::Carry {
        max_backlog: 1_000 * MS,
    };
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(2, 1).unwrap(),
    };
    for overrun in [carry, stretch] {
        let mut app = counting(ExactLoopPlugin::new(
            FixedTimestep::new(Rate::hz(100)).with_overrun(overrun),
        ));
        frame(&mut app, 400 * MS);
        let last = app.world().resource::<LastFrame>();
        assert_eq!(
            (last.clamped(), last.lost().is_none(), steps(&app)),
            (Duration::ZERO, true, 25)
        );
        (0..20).for_each(|_| frame(&mut app, 10 * MS));
        assert_eq!(steps(&app), 60);
        let limit = |app: &App| app.world().resource::<Time<Virtual>>().max_delta();
        app.world_mut().resource_mut::<Timestep>().set_overrun(Overrun::Drop);
        frame(&mut app, 10 * MS);
        assert_eq!(limit(&app), 250 * MS, "Bevy's own limit is back");
        app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(300 * MS);
        app.world_mut().resource_mut::<Timestep>().set_overrun(overrun);
        frame(&mut app, 10 * MS);
        frame(&mut app, 400 * MS);
        let clamped = app.world().resource::<LastFrame>().clamped();
        assert_eq!(
            (limit(&app), clamped),
            (300 * MS, 100 * MS),
            "a limit that is set holds"
        );
    }
}

#[test]
fn another_timestep_brings_another_rate_at_any_time() {
    let mut app = counting(ExactLoopPlugin::hz(100));
    frame(&mut app, 100 * MS);
    app.insert_resource(Timestep::from(FixedTimestep::new(Rate::hz(20))));
    app.add_systems(FixedUpdate, |time: Res<Time>| assert_eq!(time.delta(), 50 * MS));
    frame(&mut app, 100 * MS);
    assert_eq!(steps(&app), 12);
    assert_eq!(
        app.world().resource::<LastFrame>().shown_time(Smoothing::None),
        SimTime::at(100 * MS)
    );
}

#[test]
fn bevys_loop_does_not_run_beside_ours_whichever_plugin_came_first() {
    let orders: [fn(&mut App); 3] = [
        |app| _ = app.add_plugins((ExactLoopPlugin::hz(100), TimePlugin)),
        |app| _ = app.add_plugins((TimePlugin, ExactLoopPlugin::hz(100))),
        |app| _ = app.add_plugins(ExactLoopPlugin::hz(100)),
    ];
    for (number, add) in orders.into_iter().enumerate() {
        for is_finished in [true, false] {
            let mut app = App::new();
            add(&mut app);
            app.init_resource::<Steps>().add_systems(FixedUpdate, count);
            if is_finished {
                app.finish();
            } else if number == 2 {
                continue; // Bevy's time comes when the app is finished.
            }
            frame(&mut app, Duration::ZERO);
            frame(&mut app, 50 * MS);
            assert_eq!(steps(&app), 5, "order {number}");
        }
    }
}

#[test]
fn frames_of_so_many_fixed_timesteps_run_as_many_steps_at_every_rate() {
    let rates = [
        (60, 1),
        (64, 1),
        (60_000, 1_001),
        (144, 1),
        (7, 1),
        (1000, 3),
        (999_983, 1),
        (1, 1),
    ];
    for (numer, denom) in rates {
        for each in [1, 2, 3] {
            let rate = Rate::new(numer, denom).unwrap();
            let mut app = counting(ExactLoopPlugin::new(FixedTimestep::new(rate)));
            app.world_mut()
                .resource_mut::<Time<Virtual>>()
                .set_max_delta(Duration::from_secs(10));
            app.insert_resource(TimeUpdateStrategy::FixedTimesteps(each));
            for number in 1..=150 {
                app.update();
                assert_eq!(steps(&app), u64::from(each) * number, "{rate:?}, {each} a frame");
            }
            let last = app.world().resource::<LastFrame>();
            let ahead = last.alpha() * rate.period_secs_f64();
            assert!(ahead < 1e-9, "and no time is gained: {ahead} s");
        }
    }
}

#[test]
fn a_period_set_in_bevys_time_is_exact_up_to_four_seconds_and_has_nine_digits_beyond() {
    for nanos in [
        16_666_000,
        4_294_967_295,
        4_300_700_000,
        61_234_567_890,
        3_600_000_500_000,
    ] {
        let mut app = app(ExactLoopPlugin::hz(60));
        app.world_mut()
            .resource_mut::<Time<Fixed>>()
            .set_timestep(Duration::from_nanos(nanos));
        frame(&mut app, Duration::ZERO);
        let rate = app.world().resource::<Timestep>().rate();
        let off = nanos - u64::from(rate.denom()) * 1_000_000_000 / u64::from(rate.numer());
        assert!(off * 400_000_000 <= nanos, "{nanos} ns: {off} less");
    }
}

#[test]
fn a_game_that_begins_again_goes_on_by_one_fixed_timestep_in_each_frame() {
    for ran in 1..=3 {
        let mut app = counting(ExactLoopPlugin::hz(60));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        (0..ran).for_each(|_| app.update());
        app.insert_resource(Timestep::from(FixedTimestep::new(Rate::hz(60))));
        for number in 1..=10 {
            app.update();
            assert_eq!(steps(&app), ran + number);
        }
    }
}

/// Plugins that swap input states for fixed updates rely on it.
#[test]
fn systems_ordered_around_the_fixed_loop_stay_around_it() {
    #[derive(Resource, Default)]
    struct Order(Vec<&'static str>);
    fn note(name: &'static str) -> impl Fn(ResMut<Order>) {
        move |mut order| order.0.push(name)
    }
    let mut app = app(ExactLoopPlugin::hz(100));
    app.init_resource::<Order>()
        .add_systems(
            RunFixedMainLoop,
            (
                note("before").in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                note("between")
                    .after(RunFixedMainLoopSystems::FixedMainLoop)
                    .before(RunFixedMainLoopSystems::AfterFixedMainLoop),
                note("after").in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
                note("by name").after(bevy_time::run_fixed_main_schedule),
            ),
        )
        .add_systems(FixedFirst, note("first"))
        .add_systems(FixedLast, note("last"));
    frame(&mut app, 20 * MS);
    frame(&mut app, MS);
    let order: Vec<_> = app
        .world()
        .resource::<Order>()
        .0
        .iter()
        .copied()
        .filter(|name| *name != "by name")
        .collect();
    let around = [
        "before", "first", "last", "first", "last", "between", "after", "before", "between", "after",
    ];
    assert_eq!(order, around);
}
