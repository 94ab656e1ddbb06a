//! Where features meet: timestep, filter, input, controls, events and history in one loop, at several frame rates at once. All
//! of them play bit-identically to a straight run without frames.

use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::history::{History, Rewind};
use evenstep::input::{Controls, EventQueue, InputBuffer, InputEvent, QueueOverflow};
use evenstep::{FixedTimestep, FrameClock, Rate, SimTime, Smoothing, Step, Tick};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::{invariants, script};

const RATE: Rate = Rate::hz(60);

/// Frames a second of the loops.
const LOOPS: [u64; 4] = [30, 60, 144, 240];

/// The filter that all loops have.
#[derive(Clone, Copy, Debug)]
enum Filter {
    None,
    Display,
}

impl Filter {
    fn build(self) -> Box<dyn DeltaFilter> {
        match self {
            Self::None => Box::new(()),
            Self::Display => Box::new(DisplayClock::new()),
        }
    }
}

/// The input of a step: the player's input by then, and that of another player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Orders {
    presses: u32,
    is_held: bool,
    moved: f64,
    peer: u8,
}

/// A world whose floats tell the order of all that happened. It strikes a bell now and then.
#[derive(Clone, Debug, Default, PartialEq)]
struct World {
    place: f64,
    speed: f64,
    bell: bool,
}

impl Rewind for World {
    type Saved = Self;
    type Input = Orders;

    fn save(&self) -> Self {
        self.clone()
    }

    fn restore(&mut self, saved: &Self) {
        self.clone_from(saved);
    }

    fn step(&mut self, step: &Step, orders: &Orders) {
        let push = f64::from(orders.presses) + orders.moved - f64::from(orders.peer);
        self.speed += (push - 40.0 * self.place - self.speed * f64::from(u8::from(orders.is_held))) * step.dt;
        self.place += self.speed * step.dt + 1e-9 * step.tick as f64;
        self.bell = orders.presses > 0 || (self.place * 8.0) as i64 % 3 == 1;
    }
}

#[derive(Clone, Debug)]
enum Happening {
    /// This much time passes in all loops; frames are late by a random delay.
    Pass(Duration),
    /// The player does something so long after now.
    Input(Duration, InputEvent<char>),
    /// The other player does something else from the step on that comes next in all loops.
    Peer(u8),
    /// All loops look back by this many steps, and return.
    LookBack(u64),
}

/// What happens, independent of the frames.
#[derive(Clone, Debug)]
struct Script {
    filter: Filter,
    now: Duration,
    input: Vec<(Duration, InputEvent<char>)>,
    /// From which tick on the other player does what.
    peer: Vec<(Tick, u8)>,
}

impl Script {
    /// A tick that no loop has reached.
    fn ahead(&self) -> Tick {
        (self.now + Duration::from_millis(20)).as_millis() as u64 * 60 / 1000 + 2
    }

    fn peer(&self, tick: Tick) -> u8 {
        let latest = self.peer.iter().rev().find(|(from, _)| *from <= tick);
        latest.map_or(0, |(_, does)| *does)
    }
}

impl ReferenceStateMachine for Script {
    type State = Self;
    type Transition = Happening;

    fn init_state() -> BoxedStrategy<Self> {
        prop::sample::select(vec![Filter::None, Filter::Display])
            .prop_map(|filter| Self {
                filter,
                now: Duration::ZERO,
                input: Vec::new(),
                peer: Vec::new(),
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Happening> {
        let micros = |most: u64| (0..most).prop_map(Duration::from_micros);
        let event = prop_oneof![
            4 => prop::sample::select(vec!['a', 'b']).prop_map(InputEvent::Press),
            3 => prop::sample::select(vec!['a', 'b']).prop_map(InputEvent::Release),
            2 => (-9.0..9.0_f64).prop_map(|x| InputEvent::Motion([x, 0.0])),
            1 => Just(InputEvent::ReleaseAll),
        ];
        prop_oneof![
            8 => micros(90_000).prop_map(Happening::Pass),
            8 => (micros(120_000), event).prop_map(|(after, event)| Happening::Input(after, event)),
            1 => any::<u8>().prop_map(Happening::Peer),
            1 => (0..40_u64).prop_map(Happening::LookBack),
        ]
        .boxed()
    }

    fn apply(mut script: Self, happening: &Happening) -> Self {
        match happening {
            Happening::Pass(time) => script.now += *time,
            Happening::Input(after, event) => script.input.push((script.now + *after, *event)),
            Happening::Peer(does) => script.peer.push((script.ahead(), *does)),
            Happening::LookBack(_) => {}
        }
        script
    }
}

/// A game's loop at a frame rate of its own.
struct Loop {
    hertz: u64,
    frame: u64,
    clock: FrameClock<Box<dyn DeltaFilter>>,
    timestep: FixedTimestep,
    input: InputBuffer<char>,
    world: World,
    history: History<World, Orders>,
    bells: EventQueue<()>,
    /// The orders of each step, the state after each, and when bells were received.
    orders: Vec<Orders>,
    states: Vec<World>,
    received: Vec<Tick>,
    drawn: Option<SimTime>,
}

impl Loop {
    fn new(hertz: u64, filter: Filter) -> Self {
        let mut clock = FrameClock::with_filter(filter.build());
        clock.begin_frame(Duration::ZERO);
        Self {
            hertz,
            frame: 0,
            clock,
            timestep: FixedTimestep::new(RATE).with_max_steps(u32::MAX),
            input: InputBuffer::new(1000),
            world: World::default(),
            history: History::new(RATE, 5, 20),
            bells: EventQueue::new(1000, QueueOverflow::DropOldest),
            orders: Vec::new(),
            states: Vec::new(),
            received: Vec::new(),
            drawn: None,
        }
    }

    /// When the next frame is read: late by a random delay, and sometimes a refresh is missed.
    fn next_frame(&self) -> Duration {
        let chance = (self.frame + self.hertz).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let missed = u64::from(chance.is_multiple_of(37));
        Duration::from_nanos((self.frame + 1 + missed) * 1_000_000_000 / self.hertz + chance % 700_000)
    }

    fn pass(&mut self, until: Duration, script: &Script) {
        while self.next_frame() <= until {
            let now = self.next_frame();
            self.frame += 1;
            self.frame(now, script);
        }
    }

    fn frame(&mut self, now: Duration, script: &Script) {
        let time = self.clock.begin_frame(now);
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        for step in frame.steps() {
            let controls = self.input.controls(&step);
            let keys = ['a', 'b'];
            let orders = Orders {
                presses: keys.iter().map(|key| controls.presses(key)).sum(),
                is_held: keys.iter().any(|key| controls.is_held_at_end(key)),
                moved: controls.motion()[0],
                peer: 0,
            };
            self.orders.push(orders);
            self.step(&step, orders);
            // What the other player did is only known a frame or a few steps later.
            if step.tick.is_multiple_of(self.hertz.div_ceil(20)) {
                self.hear_from_peer(script);
            }
        }
        self.hear_from_peer(script);
        invariants::alpha_is_in_range(frame.alpha());
        invariants::drawn_time_is_monotonic(self.drawn.as_ref(), &frame.shown_time(Smoothing::Interpolate));
        self.drawn = Some(frame.shown_time(Smoothing::Interpolate));
        while let Some((tick, ())) = self.bells.next_due(frame.shown_time(Smoothing::Interpolate)) {
            self.received.push(tick);
        }
    }

    fn step(&mut self, step: &Step, orders: Orders) {
        self.history.step(&mut self.world, orders);
        if self.world.bell {
            self.bells.emit(step, ());
        }
        self.states.push(self.world.clone());
    }

    /// Rolls back to what the other player did since, and re-simulates.
    fn hear_from_peer(&mut self, script: &Script) {
        let now = self.timestep.tick().min(self.orders.len() as u64);
        let wrong: Vec<Tick> = (now.saturating_sub(10)..now)
            .filter(|tick| self.known(*tick).peer != script.peer(*tick))
            .collect();
        let Some(first) = wrong.first().copied() else { return };
        self.bells.retract_from(first);
        for tick in first..now {
            self.orders[tick as usize].peer = script.peer(tick);
        }
        let changes = (first..now).map(|tick| (tick, self.orders[tick as usize]));
        let world = &mut self.world;
        self.history.amend(world, changes.collect::<Vec<_>>()).unwrap();
        self.states.truncate(first as usize);
        for tick in first..now {
            self.history.seek(&mut self.world, tick + 1).unwrap();
            if self.world.bell {
                self.bells.emit(&Step::new(tick, RATE), ());
            }
            self.states.push(self.world.clone());
        }
    }

    fn known(&self, tick: Tick) -> Orders {
        self.orders[tick as usize]
    }

    fn look_back(&mut self, by: u64) {
        let now = self.history.newest();
        let then = now.saturating_sub(by).max(self.history.oldest());
        self.history.seek(&mut self.world, then).unwrap();
        if then > 0 {
            assert_eq!(self.world, self.states[then as usize - 1]);
        }
        self.history.seek(&mut self.world, now).unwrap();
    }
}

/// The states and bells of a run without frames.
fn straight(script: &Script, ticks: usize) -> (Vec<World>, Vec<Tick>) {
    let delay = script.filter.build().max_lead();
    let mut input = script.input.clone();
    input.sort_by_key(|(at, _)| *at);
    let mut input = input.into_iter().peekable();
    let (mut world, mut controls) = (World::default(), Controls::new());
    let (mut states, mut bells) = (Vec::new(), Vec::new());
    for step in (0..ticks as u64).map(|tick| Step::new(tick, RATE)) {
        controls.begin_step();
        while let Some((_, event)) = input.next_if(|(at, _)| SimTime::at(*at + delay) < step.end()) {
            controls.apply(event);
        }
        let keys = ['a', 'b'];
        let orders = Orders {
            presses: keys.iter().map(|key| controls.presses(key)).sum(),
            is_held: keys.iter().any(|key| controls.is_held_at_end(key)),
            moved: controls.motion()[0],
            peer: script.peer(step.tick),
        };
        world.step(&step, &orders);
        states.push(world.clone());
        if world.bell {
            bells.push(step.tick);
        }
    }
    (states, bells)
}

struct Program {
    loops: Vec<Loop>,
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Script;

    fn init_test(script: &Script) -> Self {
        let loops = LOOPS.map(|hertz| Loop::new(hertz, script.filter));
        Self { loops: loops.into() }
    }

    fn apply(mut program: Self, script: &Script, happening: Happening) -> Self {
        for game in &mut program.loops {
            match happening {
                Happening::Pass(_) => game.pass(script.now, script),
                Happening::Input(after, event) => game.input.push_at(script.now + after, event),
                Happening::Peer(_) => {}
                Happening::LookBack(by) => game.look_back(by),
            }
        }
        program
    }

    fn teardown(mut program: Self, script: Script) {
        for game in &mut program.loops {
            game.pass(script.now + Duration::from_millis(300), &script);
            let (states, bells) = straight(&script, game.states.len());
            assert_eq!(game.states, states, "{} frames a second", game.hertz);
            let due = |tick: &Tick| Some(Step::new(*tick, RATE).end()) <= game.drawn;
            let bells: Vec<_> = bells.into_iter().take_while(due).collect();
            invariants::delivered_once_in_order(&bells, &game.received);
            assert_eq!(game.input.counts().late, 0);
        }
    }
}

#[test]
fn loops_at_four_frame_rates_play_what_a_straight_run_plays() {
    script::run::<Program>(48, 60);
}
