//! The step of an event depends on its time alone, and not on the frame rate or the jitter of frames: with a filter and without,
//! one step ahead, and of tasks.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, FrameClock, Overrun, Rate, SimTime, Step};

const RATE: Rate = Rate::hz(120);

/// Steps that are compared: five seconds.
const TICKS: u64 = 600;

/// What a player does: taps and turns, at times that no frame knows.
fn script() -> Vec<(Duration, InputEvent<char>)> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut at = 0;
    // Something in the very first frame.
    let mut script = vec![(Duration::from_millis(1), InputEvent::Press('a'))];
    while at < 5_500_000_000 {
        at += 1 + random.u64(..17_000_000);
        let key = ['a', 'b', 'c'][random.usize(..3)];
        script.push((
            Duration::from_nanos(at),
            match random.u64(..9) {
                0..4 => InputEvent::Press(key),
                4..7 => InputEvent::Release(key),
                7 => InputEvent::Motion([random.u64(..100) as f64, 0.0]),
                _ => InputEvent::ReleaseAll,
            },
        ));
    }
    script
}

/// The times at which frames are read: late by a random delay, some missed, one stuck.
fn frames(hertz: u64, seed: u64) -> impl Iterator<Item = Duration> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut refresh = 0;
    std::iter::repeat_with(move || {
        refresh += 1;
        refresh += u64::from(random.u64(..50) == 0);
        refresh += if refresh == hertz * 2 { hertz / 10 } else { 0 };
        Duration::from_nanos(refresh * 1_000_000_000 / hertz + random.u64(..900_000))
    })
}

/// A game that hashes which input came in which step.
#[derive(Default)]
struct Game {
    seen: DefaultHasher,
}

impl Game {
    fn step(&mut self, step: &Step, controls: &Controls<char>) {
        step.tick.hash(&mut self.seen);
        controls.motion()[0].to_bits().hash(&mut self.seen);
        for key in ['a', 'b', 'c'] {
            (
                controls.presses(&key),
                controls.was_released(&key),
                controls.is_held_at_end(&key),
            )
                .hash(&mut self.seen);
        }
    }
}

/// What the game comes to at a frame rate, with a filter before the timestep.
fn played(timestep: FixedTimestep, filter: impl DeltaFilter, hertz: u64) -> u64 {
    let script = script();
    let mut waiting = script.iter().peekable();
    let mut timestep = timestep.with_max_steps(u32::MAX);
    let mut input = InputBuffer::new(1000);
    let mut game = Game::default();
    let mut clock = FrameClock::with_filter(filter);
    clock.begin_frame(Duration::ZERO);
    for now in frames(hertz, 9) {
        while let Some((at, event)) = waiting.next_if(|(at, _)| *at <= now) {
            input.push_at(*at, *event);
        }
        let time = clock.begin_frame(now);
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        for step in frame.steps().take_while(|step| step.tick < TICKS) {
            game.step(&step, input.controls(&step));
        }
        if frame.tick() >= TICKS {
            break;
        }
    }
    assert_eq!(input.counts(), Default::default(), "{hertz} Hz");
    game.seen.finish()
}

/// The same without frames, each event in the step of its time: with steps that end later by a phase, and this many steps ahead of time.
fn straight(rate: Rate, phase: Duration, ticks: u64, delay: Duration, ahead: u64) -> u64 {
    let (mut game, mut controls) = (Game::default(), Controls::new());
    let mut script = script().into_iter().peekable();
    for tick in 0..ticks {
        let step = Step::new(tick, rate);
        let end = SimTime::at_tick((tick + 1).saturating_sub(ahead), rate);
        let falls_in = |at: Duration| match (at + delay).checked_sub(phase) {
            Some(since) => SimTime::at(since) < end,
            None => true,
        };
        controls.begin_step();
        while let Some((_, event)) = script.next_if(|(at, _)| falls_in(*at)) {
            controls.apply(event);
        }
        game.step(&step, &controls);
    }
    game.seen.finish()
}

#[test]
fn a_game_plays_the_same_at_every_frame_rate_from_its_first_frame_on() {
    let (plain, filter) = (|| FixedTimestep::new(RATE), DisplayClock::new);
    let lead = filter().max_lead();
    for hertz in [30, 60, 144, 240] {
        for (way, came, delay, ahead) in [
            ("without a filter", played(plain(), (), hertz), Duration::ZERO, 0),
            ("with one", played(plain(), filter(), hertz), lead, 0),
            (
                "a step ahead",
                played(plain().with_lookahead(), filter(), hertz),
                lead,
                1,
            ),
        ] {
            let expected = straight(RATE, Duration::ZERO, TICKS, delay, ahead);
            assert_eq!(came, expected, "{way}, {hertz} frames a second");
        }
    }
}

#[test]
fn each_task_of_a_schedule_gets_input_in_its_own_steps_at_every_frame_rate() {
    let ms = Duration::from_millis;
    let tasks = [
        (Rate::hz(120), ms(0), 600),
        (Rate::new(60_000, 1_001).unwrap(), ms(7), 290),
        (Rate::hz(10), ms(330), 45),
    ];
    for hertz in [30, 60, 144, 240] {
        let script = script();
        let mut waiting = script.iter().peekable();
        let mut clock = FrameClock::new();
        clock.begin_frame(Duration::ZERO);
        let mut schedule = Schedule::new();
        let ids = tasks.map(|(rate, phase, _)| schedule.add_with_phase(rate, phase));
        let mut inputs = tasks.map(|_| InputBuffer::new(1000));
        let mut games = tasks.map(|_| Game::default());
        for now in frames(hertz, 5).take_while(|now| *now < ms(5_300)) {
            while let Some((at, event)) = waiting.next_if(|(at, _)| *at <= now) {
                inputs.iter_mut().for_each(|input| input.push_at(*at, *event));
            }
            let time = clock.begin_frame(now);
            let _lost = schedule.advance(time.delta);
            for (input, id) in inputs.iter_mut().zip(ids) {
                input.begin_task(&time, &schedule, id);
            }
            while let Some((id, step)) = schedule.next_step() {
                let task = ids.iter().position(|other| *other == id).unwrap();
                if step.tick < tasks[task].2 {
                    games[task].step(&step, inputs[task].controls(&step));
                }
            }
        }
        for ((rate, phase, ticks), game) in tasks.into_iter().zip(games) {
            let expected = straight(rate, phase, ticks, clock.filter().max_lead(), 0);
            assert_eq!(game.seen.finish(), expected, "{rate} at {hertz} frames a second");
        }
    }
}

/// Of four steps that are due, each frame runs one; the newer event arrives when the first frame has begun.
#[test]
fn a_late_event_waits_with_an_older_one_for_its_step_and_does_not_hasten_it() {
    let ms = Duration::from_millis;
    for (older, newer) in [(5, 6), (15, 15), (15, 38), (25, 26), (35, 36), (35, 39)] {
        let catch_up = Overrun::Carry { max_backlog: ms(100) };
        let mut timestep = FixedTimestep::new(Rate::hz(100))
            .with_max_steps(1)
            .with_overrun(catch_up);
        let (mut clock, mut input) = (FrameClock::unfiltered(), InputBuffer::new(8));
        input.push_at(ms(older), InputEvent::Press("older"));
        let mut seen = Vec::new();
        for now in [0, 40, 50, 60, 70, 80] {
            let time = clock.begin_frame(ms(now));
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame);
            if now == 40 {
                input.push_at(ms(newer), InputEvent::Press("newer"));
            }
            for step in frame.steps() {
                let controls = input.controls(&step);
                let pressed = ["older", "newer"].into_iter().filter(|key| controls.was_pressed(key));
                seen.extend(pressed.map(|key| (key, step.tick)));
            }
        }
        let tick = older / 10;
        assert_eq!(
            seen,
            [("older", tick), ("newer", tick)],
            "pressed at {older} and {newer} ms"
        );
    }
}
