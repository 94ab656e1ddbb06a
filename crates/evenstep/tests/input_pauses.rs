//! What a pause does to input, and what becomes of it where there is no room: against a model that only knows what the player did,
//! and in which frames time stood still.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::filter::DeltaFilter;
use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, FrameClock, Overrun, Rate, TimeScale};
use proptest::prelude::*;

const MS: u64 = 1_000_000;
const KEYS: [char; 4] = ['a', 'b', 'c', 'd'];

type Event = InputEvent<char>;

fn ns(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

/// What a program does before a frame.
#[derive(Clone, Debug)]
enum Change {
    Pause,
    Resume,
    ResumeDropping,
    Scale(u32, u32),
    StepOnce,
    Reset,
}

/// A frame, and what happens before it.
#[derive(Clone, Debug)]
struct Frame {
    change: Option<Change>,
    delta: u64,
    /// When within the frame, in thousandths, and what.
    events: Vec<(u64, Event)>,
    /// How many of them the program hears of in time. It hears of the others after the frame.
    in_time: usize,
}

fn frame() -> impl Strategy<Value = Frame> {
    let scale = prop_oneof![
        3 => Just((0, 1)),
        2 => Just((1, 1)),
        1 => Just((1, 50)),
        1 => (1..9_u32, 1..9_u32),
    ];
    let change = prop_oneof![
        2 => Just(Change::Pause),
        3 => Just(Change::Resume),
        4 => scale.prop_map(|(numer, denom)| Change::Scale(numer, denom)),
        1 => Just(Change::StepOnce),
        1 => Just(Change::ResumeDropping),
        1 => Just(Change::Reset),
    ];
    let key = || prop::sample::select(&KEYS[..]);
    let by = || (-50..50_i32).prop_map(|by| [f64::from(by), 1.0]);
    let event = prop_oneof![
        6 => key().prop_map(InputEvent::Press),
        6 => key().prop_map(InputEvent::Release),
        6 => by().prop_map(InputEvent::Motion),
        2 => by().prop_map(InputEvent::Wheel),
        1 => Just(InputEvent::ReleaseAll),
    ];
    (
        prop::option::weighted(0.3, change),
        prop_oneof![8 => 0..40 * MS, 1 => 0..2_000 * MS, 1 => Just(0)],
        prop::collection::vec((0..1000_u64, event), 0..6),
        prop_oneof![3 => Just(usize::MAX), 1 => 0..6_usize],
    )
        .prop_map(|(change, delta, mut events, in_time)| {
            events.sort_by_key(|(at, _)| *at);
            let events = if delta == 0 { Vec::new() } else { events };
            Frame {
                change,
                delta,
                in_time: in_time.min(events.len()),
                events,
            }
        })
}

/// What the player did, in the order of time.
#[derive(Debug, Default)]
struct Player {
    held: Vec<char>,
    /// Presses while time passed.
    presses: BTreeMap<char, u32>,
    /// Motion and turns of the wheel while time passed.
    moved: [[f64; 2]; 2],
}

impl Player {
    fn does(&mut self, event: Event, is_paused: bool) {
        match event {
            InputEvent::Press(key) if !self.held.contains(&key) => {
                self.held.push(key);
                if !is_paused {
                    *self.presses.entry(key).or_default() += 1;
                }
            }
            InputEvent::Release(key) => self.held.retain(|held| *held != key),
            InputEvent::ReleaseAll => self.held.clear(),
            InputEvent::Motion(by) if !is_paused => add(&mut self.moved[0], by),
            InputEvent::Wheel(by) if !is_paused => add(&mut self.moved[1], by),
            _ => {}
        }
    }
}

fn add(sum: &mut [f64; 2], by: [f64; 2]) {
    *sum = [sum[0] + by[0], sum[1] + by[1]];
}

/// When the tests' clocks begin.
const BEGIN: u64 = 7_000 * MS + 3;

/// A game's loop, and what its steps saw.
struct Game {
    clock: FrameClock<()>,
    timestep: FixedTimestep,
    input: InputBuffer<char>,
    controls: Controls<char>,
    now: u64,
    presses: BTreeMap<char, u32>,
    moved: [[f64; 2]; 2],
}

impl Game {
    fn new(rate: u32, capacity: usize) -> Self {
        let mut game = Self {
            clock: FrameClock::unfiltered(),
            timestep: FixedTimestep::new(Rate::hz(rate)),
            input: InputBuffer::new(capacity),
            controls: Controls::new(),
            now: BEGIN,
            presses: BTreeMap::new(),
            moved: [[0.0; 2]; 2],
        };
        game.frame(0);
        game
    }

    fn change(&mut self, change: &Change) {
        match *change {
            Change::Pause => self.timestep.pause(),
            Change::Resume => self.timestep.resume(),
            Change::ResumeDropping => self.timestep.resume_dropping(),
            Change::Scale(numer, denom) => self.timestep.set_time_scale(TimeScale::new(numer, denom).unwrap()),
            Change::StepOnce => self.timestep.step_once(),
            Change::Reset => self.timestep.reset(),
        }
    }

    /// Returns whether it was a frame of a pause.
    fn frame(&mut self, delta: u64) -> bool {
        self.now += delta;
        let time = self.clock.begin_frame(ns(self.now));
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        for step in frame.steps() {
            self.controls.clone_from(self.input.controls(&step));
            for key in KEYS {
                let presses = self.controls.presses(&key);
                let is_down = self.controls.is_held_at_end(&key) || presses > 0;
                assert_eq!(self.controls.is_down(&key), is_down);
                if presses > 0 {
                    *self.presses.entry(key).or_default() += presses;
                }
            }
            add(&mut self.moved[0], self.controls.motion());
            add(&mut self.moved[1], self.controls.wheel());
        }
        frame.step_count() == 0 && (!frame.lost().paused.is_zero() || frame.time_scale().is_paused())
    }

    fn held(&self) -> Vec<char> {
        let mut held: Vec<_> = self.controls.held().copied().collect();
        held.sort_unstable();
        held
    }
}

proptest! {
    #[test]
    fn steps_get_input_of_running_time_and_held_keys_across_pauses_and_full_buffers(
        rate in 1..300_u32,
        capacity in prop_oneof![2 => 0..12_usize, 1 => Just(1000)],
        frames in prop::collection::vec(frame(), 1..60),
    ) {
        let (mut game, mut player) = (Game::new(rate, capacity), Player::default());
        for frame in &frames {
            frame.change.iter().for_each(|change| game.change(change));
            let at = |thousandths: u64| ns(game.now + frame.delta * thousandths / 1000);
            let events: Vec<_> = frame.events.iter().map(|(since, event)| (at(*since), *event)).collect();
            let (in_time, late) = events.split_at(frame.in_time);
            in_time.iter().for_each(|(at, event)| game.input.push_at(*at, *event));
            let is_paused = game.frame(frame.delta);
            late.iter().for_each(|(at, event)| game.input.push_at(*at, *event));
            events.iter().for_each(|(_, event)| player.does(*event, is_paused));
            // Motion, and of the events with a step, and of those that wait for theirs: a state for each key, and one for all.
            let most = capacity.max(4) + capacity + 2 * (KEYS.len() + 1);
            prop_assert!(game.input.len() <= most, "{}", game.input.len());
        }
        // Time passes until all has been taken.
        game.change(&Change::Scale(1, 1));
        game.change(&Change::Resume);
        for _ in 0..20 {
            game.frame(250 * MS);
        }
        player.held.sort_unstable();
        prop_assert_eq!(game.held(), player.held);
        prop_assert_eq!(game.moved, player.moved);
        if game.input.counts().refused == 0 {
            prop_assert_eq!(game.presses, player.presses);
        } else {
            let were_pressed = game.presses.iter().all(|(key, presses)| player.presses.get(key) >= Some(presses));
            prop_assert!(were_pressed, "{:?}, but the player pressed {:?}", game.presses, player.presses);
        }
        prop_assert!(game.input.is_empty());
    }
}

/// A way to begin and to end a pause.
type Pause = (&'static str, Change, Change);

const PAUSES: [Pause; 2] = [
    ("paused", Change::Pause, Change::Resume),
    ("a time scale of zero", Change::Scale(0, 1), Change::Scale(1, 1)),
];

/// A filter that is this far behind the clock, from the second frame on.
#[derive(Debug)]
struct Behind {
    nanos: i64,
    residual: i64,
}

impl DeltaFilter for Behind {
    fn apply(&mut self, delta: Duration) -> Duration {
        let change = self.nanos - std::mem::replace(&mut self.residual, self.nanos);
        Duration::from_nanos((delta.as_nanos() as i64 - change) as u64)
    }

    fn residual(&self) -> i64 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        ns(5 * MS / 2)
    }
}

#[test]
fn a_pause_begins_and_ends_at_the_times_of_frames_on_the_clock_however_far_a_filter_is_from_it() {
    let filters = [-5 * MS as i64 / 2, -(MS as i64), 0, 1, MS as i64, 9 * MS as i64];
    for ((name, pause, resume), nanos) in PAUSES
        .into_iter()
        .flat_map(|pause| filters.map(|nanos| (pause.clone(), nanos)))
    {
        for is_in_time in [true, false] {
            let mut clock = FrameClock::with_filter(Behind { nanos, residual: 0 });
            let mut game = Game::new(1000, 256);
            let mut presses = Vec::new();
            // Frames of 10 ms. The pause is from 100 to 200 ms.
            for end in (0..=300).step_by(10) {
                let events = [
                    (99_999, InputEvent::Press('a')),
                    (100_000, InputEvent::Press('b')),
                    (100_001, InputEvent::Release('a')),
                    (199_999, InputEvent::Press('c')),
                    (200_000, InputEvent::Press('d')),
                ]
                .into_iter()
                .filter(|(at, _)| (end - 10) * 1000 <= *at && *at < end * 1000);
                let push = |game: &mut Game| {
                    for (at, event) in events.clone() {
                        game.input.push_at(ns(BEGIN + at as u64 * 1000), event);
                    }
                };
                match end {
                    110 => game.change(&pause),
                    // The frame after `resume` is the pause's last; time runs on in the frame after a scale is set.
                    200 if name == "paused" => game.change(&resume),
                    210 if name != "paused" => game.change(&resume),
                    _ => {}
                }
                if is_in_time {
                    push(&mut game);
                }
                let time = clock.begin_frame(ns(BEGIN + end as u64 * MS));
                let frame = game.timestep.advance(time.delta);
                game.input.begin_frame(&time, &frame);
                if !is_in_time {
                    push(&mut game);
                }
                for step in frame.steps() {
                    game.controls.clone_from(game.input.controls(&step));
                    let pressed = KEYS.into_iter().filter(|key| game.controls.was_pressed(key));
                    presses.extend(pressed);
                }
            }
            assert_eq!(
                (presses, game.held()),
                (vec!['a', 'd'], vec!['b', 'c', 'd']),
                "{name}, {nanos} ns behind, in time: {is_in_time}"
            );
        }
    }
}

#[test]
fn in_slow_motion_a_fast_mouse_takes_no_room_from_presses() {
    let mut game = Game::new(60, 64);
    game.change(&Change::Scale(1, 1000));
    for ms in 0..60_000 {
        let at = ns(BEGIN + ms * MS);
        game.input.push_at(at, InputEvent::Motion([1.0, -2.0]));
        if ms % 1_000 == 500 {
            game.input.push_at(at, InputEvent::Press('a'));
            game.input.push_at(at, InputEvent::Release('a'));
        }
        if ms % 8 == 7 {
            game.frame(8 * MS);
        }
    }
    game.change(&Change::Scale(1, 1));
    game.frame(100 * MS);
    assert_eq!(game.presses, BTreeMap::from([('a', 60)]));
    assert_eq!(game.moved[0], [60_000.0, -120_000.0]);
    assert_eq!(game.input.counts().refused, 0);
}

#[test]
fn single_steps_in_a_pause_see_the_input_of_their_own_frame() {
    for (name, pause, _) in PAUSES {
        let mut game = Game::new(60, 64);
        game.change(&pause);
        game.input.push_at(ns(BEGIN + 5 * MS), InputEvent::Press('a'));
        game.frame(10 * MS);
        game.change(&Change::StepOnce);
        game.input.push_at(ns(BEGIN + 15 * MS), InputEvent::Press('b'));
        game.frame(10 * MS);
        let seen = (game.held(), game.presses);
        assert_eq!(seen, (vec!['a', 'b'], BTreeMap::from([('b', 1)])), "{name}");
    }
}

/// A tap within the game, in a frame that has no time for its steps, whose frame reaches the buffer before or after the steps are given back.
#[test]
fn a_frame_whose_time_is_dropped_is_no_pause() {
    let policies = [
        Overrun::Drop,
        Overrun::Carry { max_backlog: ns(0) },
        Overrun::Carry {
            max_backlog: ns(10 * MS),
        },
    ];
    for (overrun, begins_first, max_steps) in policies
        .into_iter()
        .flat_map(|overrun| [(overrun, false, 9), (overrun, true, 9), (overrun, false, 0)])
    {
        let (mut clock, mut timestep) = (
            FrameClock::unfiltered(),
            FixedTimestep::new(Rate::hz(100)).with_overrun(overrun),
        );
        let mut input = InputBuffer::new(16);
        let (mut presses, mut motion) = (0, [0.0; 2]);
        for frame in 0..4 {
            if frame == 1 {
                input.push_at(ns(BEGIN + 3 * MS), InputEvent::Press('a'));
                input.push_at(ns(BEGIN + 4 * MS), InputEvent::Release('a'));
                input.push_at(ns(BEGIN + 5 * MS), InputEvent::Motion([1.0, 0.0]));
            }
            timestep.set_max_steps(if frame < 3 { max_steps } else { 9 });
            let time = clock.begin_frame(ns(BEGIN + frame * 10 * MS));
            let mut frame_plan = timestep.advance(time.delta);
            if begins_first {
                input.begin_frame(&time, &frame_plan);
            }
            if frame < 3 {
                frame_plan = timestep.give_back(frame_plan, 9);
            }
            if !begins_first {
                input.begin_frame(&time, &frame_plan);
            }
            for step in frame_plan.steps() {
                let controls = input.controls(&step);
                presses += controls.presses(&'a');
                motion[0] += controls.motion()[0];
            }
        }
        assert_eq!(
            (presses, motion, input.counts().paused),
            (1, [1.0, 0.0], 0),
            "{overrun:?}, {max_steps}"
        );
    }
}

#[test]
fn a_frame_of_a_schedule_whose_time_is_dropped_is_no_pause() {
    let (mut clock, mut schedule) = (FrameClock::unfiltered(), Schedule::new());
    schedule.set_max_behind(ns(0));
    let task = schedule.add(Rate::hz(100));
    let (mut input, mut presses) = (InputBuffer::new(16), 0);
    for frame in 0..8 {
        if frame == 4 {
            input.push_at(ns(BEGIN + 33 * MS), InputEvent::Press('a'));
            input.push_at(ns(BEGIN + 34 * MS), InputEvent::Release('a'));
        }
        let time = clock.begin_frame(ns(BEGIN + frame * 10 * MS));
        let _lost = schedule.advance(time.delta);
        assert!(input.begin_task(&time, &schedule, task));
        // A step waits for the input of others until frame 5.
        while frame >= 5
            && let Some((_, step)) = schedule.next_step()
        {
            let controls = input.controls(&step);
            presses += controls.presses(&'a');
        }
    }
    assert_eq!((presses, input.counts().paused), (1, 0));
}

#[test]
fn states_take_bounded_room_and_a_key_among_them_is_never_refused() {
    let mut input = InputBuffer::new(1);
    (0..1025).for_each(|key| input.push_at(ns(1), InputEvent::Press(key)));
    assert_eq!((input.len(), input.counts().refused), (1025, 1024));
    for (key, refused) in [(2_000, 1025), (1_000, 1026)] {
        input.push_at(ns(2), InputEvent::Release(key));
        assert_eq!((input.len(), input.counts().refused), (1025, refused));
    }
}

#[test]
fn every_event_of_which_nothing_remains_is_counted() {
    let mut input = InputBuffer::new(0);
    let (mut clock, mut timestep) = (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(100)));
    timestep.pause();
    for now in [BEGIN, BEGIN + 100 * MS] {
        let time = clock.begin_frame(ns(now));
        input.begin_frame(&time, &timestep.advance(time.delta));
    }
    // 1024 states of the pause, and of the time after it, which all wait.
    (0..1030).for_each(|key| input.push_at(ns(BEGIN + 50 * MS), InputEvent::Press(key)));
    let counts = input.counts();
    assert_eq!((input.len(), counts.paused, counts.refused), (1024, 1030, 6));
    // An event that was refused was not late as well, nor one that went before another.
    assert_eq!((counts.late, counts.reordered), (1024, 0));
    input.push_at(ns(BEGIN + 50 * MS), InputEvent::Release(2000));
    input.push_at(ns(BEGIN + 40 * MS), InputEvent::Press(2000));
    input.push_at(ns(BEGIN + 40 * MS), InputEvent::Press(3));
    let counts = input.counts();
    assert_eq!((counts.refused, counts.late, counts.reordered), (9, 1024, 0));
}
