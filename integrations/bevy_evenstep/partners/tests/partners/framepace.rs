//! `bevy_framepace` 0.22, which sleeps at the end of each frame: the steps follow the frames that it leaves.

use std::time::{Duration, Instant};

use bevy::app::SubApp;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::render::{Render, RenderApp};
use bevy_evenstep::{CurrentStep, LastFrame};
use bevy_framepace::{FramepacePlugin, FramepaceSettings, Limiter};

use crate::apps::{Loop, Steps, app};

/// An app in which Bevy's render schedule runs without a graphics card.
fn paced(limit: Duration) -> App {
    let mut app = app(Loop::Ours, 60);
    let mut render = SubApp::new();
    render.update_schedule = Some(Render.intern());
    render.add_schedule(Render::base_schedule());
    app.insert_sub_app(RenderApp, render);
    app.add_plugins(FramepacePlugin);
    app.insert_resource(FramepaceSettings::default().with_limiter(Limiter::Manual(limit)));
    app.finish();
    app.cleanup();
    app
}

#[test]
fn steps_take_exactly_the_time_of_the_frames_that_the_limiter_leaves() {
    let limit = Duration::from_millis(10);
    let mut app = paced(limit);
    app.update(); // sets the limit
    let begin = Instant::now();
    for _ in 0..30 {
        app.update();
        let elapsed = app.world().resource::<Time<Virtual>>().elapsed();
        let steps = app.world().resource::<Steps>().0;
        assert_eq!(u128::from(steps), elapsed.as_nanos() * 60 / 1_000_000_000);
        let shown = (steps as f64 + app.world().resource::<LastFrame>().alpha()) / 60.0;
        assert!((shown - elapsed.as_secs_f64()).abs() < 1e-9);
    }
    assert!(begin.elapsed() >= limit * 29, "the limiter has slept");
    assert_eq!(
        app.world().resource::<CurrentStep>().tick + 1,
        app.world().resource::<Steps>().0
    );
}
