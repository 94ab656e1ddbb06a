//! The spans of steps that subscribers of `tracing` get. A program of its own: whether a call site is enabled is decided for all threads
//! by the first that gets there, which may be another test without a subscriber.
#![cfg(feature = "trace")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy_app::{FixedUpdate, Update};
use bevy_evenstep::{ExactLoopPlugin, Timestep};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

use crate::common::app;
use crate::frames::frame;

#[path = "app/common.rs"]
mod common;
#[expect(dead_code, reason = "the frames of whole seconds")]
#[path = "app/frames.rs"]
mod frames;

/// The targets of events, and the spans around them that are ours.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<(String, usize)>>>);

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Notes {
    fn on_event(&self, event: &tracing::Event<'_>, context: Context<'_, S>) {
        let spans = context.event_scope(event).into_iter().flatten();
        let steps = spans.filter(|span| (span.metadata().target(), span.name()) == ("evenstep", "step"));
        let noted = (event.metadata().target().to_owned(), steps.count());
        self.0.lock().unwrap().push(noted);
    }
}

#[test]
fn systems_in_fixed_update_run_within_the_span_of_their_step_and_lost_time_is_an_event() {
    let mut app = app(ExactLoopPlugin::hz(100));
    app.add_systems(FixedUpdate, || tracing::info!(target: "step", "runs"))
        .add_systems(Update, || tracing::info!(target: "frame", "runs"));
    let notes = Notes::default();
    let subscriber = Registry::default().with(notes.clone());
    tracing::subscriber::with_default(subscriber, || {
        frame(&mut app, Duration::from_millis(20));
        app.world_mut().resource_mut::<Timestep>().resume_dropping();
        frame(&mut app, Duration::from_millis(5));
    });
    let noted = notes.0.lock().unwrap();
    let noted: Vec<_> = noted.iter().map(|(target, steps)| (target.as_str(), *steps)).collect();
    assert_eq!(
        noted,
        [("step", 1), ("step", 1), ("frame", 0), ("evenstep", 0), ("frame", 0)]
    );
}
