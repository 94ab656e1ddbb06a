//! `EventQueue`, against a list.

use std::time::Duration;

use evenstep::input::{EventQueue, QueueOverflow};
use evenstep::{Rate, SimTime, Step, Tick};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::{invariants, script};

static CALLS: Calls = Calls::new();

#[derive(Clone, Debug)]
enum Call {
    Emit(Tick, u8),
    NextDue(SimTime),
    RetractFrom(Tick),
    Save,
    Restore,
}

/// An event: its tick, the time of its state, and its content.
type Emitted = (Tick, SimTime, u8);

#[derive(Clone, Debug)]
struct Model {
    rate: Rate,
    capacity: usize,
    overflow: QueueOverflow,
    waiting: Vec<Emitted>,
    dropped: u64,
    saved: Option<(Vec<Emitted>, u64)>,
    due: Option<(Tick, u8)>,
}

fn any_tick() -> impl Strategy<Value = Tick> {
    prop_oneof![20 => 0..40_u64, 1 => Just(Tick::MAX), 1 => any::<Tick>()]
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let capacity = prop_oneof![8 => 0..12_usize, 1 => Just(usize::MAX)];
        let overflow = prop::sample::select(vec![QueueOverflow::DropOldest, QueueOverflow::DropNewest]);
        (capacity, overflow, 1..200_u32)
            .prop_map(|(capacity, overflow, hertz)| Self {
                rate: Rate::hz(hertz),
                capacity,
                overflow,
                waiting: Vec::new(),
                dropped: 0,
                saved: None,
                due: None,
            })
            .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Call> {
        let rate = model.rate;
        let time = prop_oneof![
            8 => any_tick().prop_map(move |tick| SimTime::at_tick(tick, rate)),
            4 => (0..2_000_u64).prop_map(|millis| SimTime::at(Duration::from_millis(millis))),
            1 => Just(SimTime::at(Duration::MAX)),
        ];
        prop_oneof![
            8 => (any_tick(), any::<u8>()).prop_map(|(tick, event)| Call::Emit(tick, event)),
            6 => time.prop_map(Call::NextDue),
            1 => any_tick().prop_map(Call::RetractFrom),
            1 => Just(Call::Save),
            1 => Just(Call::Restore),
        ]
        .boxed()
    }

    fn apply(mut model: Self, call: &Call) -> Self {
        match call {
            Call::Emit(tick, event) => {
                model.waiting.push((*tick, Step::new(*tick, model.rate).end(), *event));
                if model.waiting.len() > model.capacity {
                    let newest = model.waiting.len() - 1;
                    model.waiting.remove(if model.overflow == QueueOverflow::DropOldest {
                        0
                    } else {
                        newest
                    });
                    model.dropped += 1;
                }
            }
            Call::NextDue(drawn) => {
                let is_due = model.waiting.first().is_some_and(|(_, due, _)| due <= drawn);
                model.due = is_due
                    .then(|| model.waiting.remove(0))
                    .map(|(tick, _, event)| (tick, event));
            }
            Call::RetractFrom(tick) => model.waiting.retain(|(emitted, ..)| emitted < tick),
            Call::Save => model.saved = Some((model.waiting.clone(), model.dropped)),
            Call::Restore => {
                if let Some(saved) = &model.saved {
                    (model.waiting, model.dropped) = saved.clone();
                }
            }
        }
        model
    }
}

struct Program {
    queue: EventQueue<u8>,
    saved: Option<EventQueue<u8>>,
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let queue = call!(EventQueue::new(model.capacity, model.overflow));
        Self { queue, saved: None }
    }

    fn apply(mut program: Self, model: &Model, call: Call) -> Self {
        let Self { queue, saved } = &mut program;
        match call {
            Call::Emit(tick, event) => call!(queue.emit(&Step::new(tick, model.rate), event)),
            Call::NextDue(drawn) => assert_eq!(call!(queue.next_due(drawn)), model.due),
            Call::RetractFrom(tick) => call!(queue.retract_from(tick)),
            Call::Save => *saved = Some(queue.clone()),
            Call::Restore => {
                if let Some(saved) = saved {
                    queue.clone_from(saved);
                    assert!(queue == saved);
                }
            }
        }
        program
    }

    fn check_invariants(Self { queue, .. }: &Self, model: &Model) {
        assert_eq!(call!(queue.len()), model.waiting.len());
        assert_eq!(call!(queue.is_empty()), model.waiting.is_empty());
        assert_eq!(call!(queue.dropped()), model.dropped);
        assert!(call!(queue.iter()).eq(model.waiting.iter().map(|(tick, _, event)| (*tick, event))));
        invariants::is_within_cap(queue.len(), model.capacity);
    }

    fn teardown(mut program: Self, model: Model) {
        let end = SimTime::at(Duration::MAX);
        let queue = &mut program.queue;
        let delivered: Vec<_> = std::iter::from_fn(|| queue.next_due(end)).collect();
        let due = model.waiting.iter().take_while(|(_, due, _)| *due <= end);
        let accepted: Vec<_> = due.map(|(tick, _, event)| (*tick, *event)).collect();
        invariants::delivered_once_in_order(&accepted, &delivered);
    }
}

#[test]
fn each_event_is_delivered_once_and_in_order() {
    script::run::<Program>(256, 80);
    CALLS.assert_complete("EventQueue", &[include_str!("../../src/input/events.rs")], &[]);
}
