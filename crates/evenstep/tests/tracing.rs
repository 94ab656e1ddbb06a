//! What the feature `tracing` tells a subscriber.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, Overrun, Rate};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

/// Writes down what happens.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!(" {field}={value:?}");
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Notes {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields(attributes.metadata().name().to_owned());
        attributes.record(&mut fields);
        context.span(id).unwrap().extensions_mut().insert(fields);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let text = span.extensions().get::<Fields>().unwrap().0.clone();
        self.0.lock().unwrap().push(format!("enter {text}"));
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        self.0.lock().unwrap().push("exit".to_owned());
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        let within = context.event_span(event).map_or("no span", |span| span.name());
        self.0.lock().unwrap().push(format!("event in {within}:{}", fields.0));
    }
}

/// The spans and events of a program, as a subscriber receives them.
fn notes(program: impl FnOnce()) -> Vec<String> {
    let notes = Notes::default();
    let subscriber = Registry::default().with(notes.clone());
    tracing::subscriber::with_default(subscriber, program);
    notes.0.lock().unwrap().clone()
}

#[test]
fn each_step_is_a_span_around_what_the_loop_does_for_it() {
    let notes = notes(|| {
        let mut timestep = FixedTimestep::new(Rate::hz(100));
        for _ in 0..2 {
            for step in timestep.advance(Duration::from_millis(20)).steps() {
                tracing::info!(target: "game", tick = step.tick, "moved");
            }
        }
    });
    let step = |tick: u32| {
        [
            format!("enter step tick={tick}"),
            format!("event in step: message=moved tick={tick}"),
            "exit".to_owned(),
        ]
    };
    assert_eq!(notes, (0..4).flat_map(step).collect::<Vec<_>>());
}

#[test]
fn a_loop_that_breaks_off_and_a_copy_of_the_steps_leave_no_span_open() {
    let notes = notes(|| {
        let frame = FixedTimestep::new(Rate::hz(100)).advance(Duration::from_millis(40));
        let mut steps = frame.steps();
        let _step = steps.next();
        drop(steps.clone());
        tracing::info!(target: "game", "inside");
        drop(steps);
        tracing::info!(target: "game", "outside");
    });
    let expected = [
        "enter step tick=0",
        "event in step: message=inside",
        "exit",
        "event in no span: message=outside",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn lost_time_is_an_event_with_its_reasons() {
    let notes = notes(|| {
        let mut timestep = FixedTimestep::new(Rate::hz(100)).with_overrun(Overrun::Drop);
        timestep.set_max_delta(Duration::from_millis(100));
        timestep.set_max_steps(2);
        for millis in [10, 150] {
            let _frame = timestep.advance(Duration::from_millis(millis));
        }
    });
    assert_eq!(
        notes,
        ["event in no span: message=time lost tick=3 clamped_ns=50000000 paused_ns=0 dropped_steps=8"]
    );
}

#[test]
fn steps_that_are_given_back_and_dropped_are_an_event() {
    let notes = notes(|| {
        let mut timestep = FixedTimestep::new(Rate::hz(100)).with_overrun(Overrun::Drop);
        let frame = timestep.advance(Duration::from_millis(40));
        let _frame = timestep.give_back(frame, 3);
    });
    assert_eq!(
        notes,
        ["event in no span: message=time lost tick=1 clamped_ns=0 paused_ns=0 dropped_steps=3"]
    );
}

#[test]
fn steps_of_a_schedule_are_spans_with_their_tasks() {
    let notes = notes(|| {
        let mut schedule = Schedule::new();
        for rate in [100, 50] {
            schedule.add(Rate::hz(rate));
        }
        let _lost = schedule.advance(Duration::from_millis(20));
        while let Some((_, step)) = schedule.next_step() {
            tracing::info!(target: "game", tick = step.tick, "moved");
        }
        tracing::info!(target: "game", "drawn");
        let _lost = schedule.advance(Duration::from_millis(10));
        let _step = schedule.next_step();
        schedule.refuse();
        tracing::info!(target: "game", "refused");
        schedule.set_max_delta(Duration::from_millis(30));
        let _lost = schedule.advance(Duration::from_millis(40));
    });
    let step = |tick: u32, task: u32| {
        [
            format!("enter step tick={tick} task={task}"),
            format!("event in step: message=moved tick={tick}"),
            "exit".to_owned(),
        ]
    };
    let expected = [step(0, 0), step(1, 0), step(0, 1)].concat();
    let (steps, rest) = notes.split_at(expected.len());
    assert_eq!(steps, expected);
    assert_eq!(
        rest,
        [
            "event in no span: message=drawn",
            "enter step tick=2 task=0",
            "exit",
            "event in no span: message=refused",
            "event in no span: message=time lost clamped_ns=10000000 paused_ns=0 dropped_ns=0",
        ]
    );
}
