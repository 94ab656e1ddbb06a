//! Bevy's pipelined rendering: the poses that the render thread draws a frame later are those that were drawn in the main world.

use evenstep::Smoothing;
use std::sync::{Arc, Mutex};

use bevy::app::SubApp;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::{Render, RenderApp};
use bevy_evenstep::{LastFrame, TransformInterpolation};

use crate::apps::{Loop, app};
use crate::frames::{frame, frames};

#[derive(Component)]
struct Body;

/// The pose that was extracted last.
#[derive(Resource, Default)]
struct Extracted(f32);

/// The poses that the render thread has drawn.
#[derive(Resource, Clone, Default)]
struct Rendered(Arc<Mutex<Vec<f32>>>);

fn extract(main: &mut World, render: &mut World) {
    let mut bodies = main.query_filtered::<&GlobalTransform, With<Body>>();
    let body = bodies.single(main).map_or(0.0, |body| body.translation().x);
    render.insert_resource(Extracted(body));
}

#[test]
fn the_render_thread_gets_the_drawn_poses_of_each_frame_in_order() {
    for display in [30, 60, 144, 240] {
        let rendered = Rendered::default();
        let mut app = app(Loop::Ours, 60);
        let mut render = SubApp::new();
        render.update_schedule = Some(Render.intern());
        render
            .insert_resource(rendered.clone())
            .init_resource::<Extracted>()
            .add_schedule(Render::base_schedule())
            .add_systems(Render, |body: Res<Extracted>, rendered: Res<Rendered>| {
                rendered.0.lock().unwrap().push(body.0);
            })
            .set_extract(extract);
        app.insert_sub_app(RenderApp, render);
        app.add_plugins(PipelinedRenderingPlugin);
        app.world_mut()
            .spawn((Body, Transform::default(), TransformInterpolation));
        app.add_systems(FixedUpdate, |mut body: Single<&mut Transform, With<Body>>| {
            body.translation.x += 1.0;
        });
        app.finish();
        app.cleanup();
        let mut drawn = Vec::new();
        for delta in frames(display, 1) {
            frame(&mut app, delta);
            let mut bodies = app.world_mut().query_filtered::<&GlobalTransform, With<Body>>();
            drawn.push(bodies.single(app.world()).unwrap().translation().x);
            let seconds = app
                .world()
                .resource::<LastFrame>()
                .shown_time(Smoothing::Interpolate)
                .as_secs_f64();
            assert!((f64::from(*drawn.last().unwrap()) - seconds * 60.0).abs() < 1e-4);
        }
        drop(app); // ends the render thread
        let rendered = rendered.0.lock().unwrap();
        assert!(
            rendered.len() + 1 >= drawn.len(),
            "{} of {}",
            rendered.len(),
            drawn.len()
        );
        assert_eq!(rendered[..], drawn[..rendered.len()], "on {display} Hz");
    }
}
