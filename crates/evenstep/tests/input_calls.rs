//! Events without a time, and with a time that is older than the last frame, by clocks that begin at any time: in a `GameLoop`, an
//! `InputBuffer` and an `InputQueue`.

use std::time::{Duration, SystemTime};

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::{InputBuffer, InputEvent, InputQueue};
use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, FrameClock, GameLoop, Overrun, Rate, TimeScale};

const MS: Duration = Duration::from_millis(1);

/// Times at which a program's clock may be in the first frame: since the program began, since the machine did, and since 1970.
const BEGINS: [Duration; 6] = [
    Duration::ZERO,
    Duration::from_nanos(1),
    Duration::from_millis(3),
    Duration::from_secs(7),
    Duration::from_secs(40 * 86_400),
    Duration::from_secs(1_790_000_000),
];

fn tap() -> [InputEvent<char>; 2] {
    [InputEvent::Press('a'), InputEvent::Release('a')]
}

/// A program that polls its keys once a frame, and what its steps saw.
struct Program {
    clock: FrameClock<Box<dyn DeltaFilter>>,
    timestep: FixedTimestep,
    input: InputBuffer<char>,
    orders: InputQueue<u64>,
    now: Duration,
    is_scaled: bool,
    /// Taps, motion and orders since the last step that belong to the game, and since the last frame, of which that is not known.
    due: (u32, f64, u64),
    open: (u32, f64, u64),
    is_resuming: bool,
    name: String,
}

impl Program {
    fn new(begin: Duration, timestep: FixedTimestep, has_filter: bool) -> Self {
        let filter: Box<dyn DeltaFilter> = match has_filter {
            true => Box::new(DisplayClock::new()),
            false => Box::new(()),
        };
        Self {
            clock: FrameClock::with_filter(filter),
            timestep,
            input: InputBuffer::new(4096),
            orders: InputQueue::new(4096),
            now: begin,
            is_scaled: true,
            due: (0, 0.0, 0),
            open: (0, 0.0, 0),
            is_resuming: false,
            name: format!("first frame at {begin:?}, filter {has_filter}"),
        }
    }

    /// By the call without a time, or by a time long ago, which is the same but for motion.
    fn tap(&mut self, at: Option<Duration>) {
        for event in tap() {
            match at {
                Some(at) => self.input.push_at(at, event),
                None => self.input.push(event),
            }
        }
        match at {
            Some(at) => self.orders.push_at(at, 1),
            None => {
                self.input.push(InputEvent::Motion([3.0, 0.0]));
                self.open.1 += 3.0;
                self.orders.push(1);
            }
        }
        self.open.0 += 1;
        self.open.2 += 1;
    }

    /// A frame. In a pause, and in the first frame, only orders are kept.
    fn frame(&mut self, delta: Duration, is_first: bool) {
        self.now += delta;
        let is_pause = is_first || self.timestep.is_paused() || self.is_resuming || !self.is_scaled;
        self.is_resuming = false;
        let time = self.clock.begin_frame(self.now);
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        self.orders.begin_frame(&time, &frame);
        let (taps, motion, orders) = std::mem::take(&mut self.open);
        self.due.2 += orders;
        if !is_pause || frame.single_steps() > 0 && !is_first {
            self.due.0 += taps;
            self.due.1 += motion;
        }
        let (mut moved, whole) = (0.0, self.due.1);
        for (index, step) in frame.steps().enumerate() {
            let controls = self.input.controls(&step);
            let name = format!("{}, step {}", self.name, step.tick);
            assert_eq!(controls.presses(&'a'), self.due.0, "{name}");
            assert!(!controls.is_held_at_end(&'a'), "{name}");
            let part = whole / f64::from(frame.step_count());
            assert!((controls.motion()[0] - part).abs() < 1e-9, "{name}: {index}");
            moved += controls.motion()[0];
            let given = std::iter::from_fn(|| self.orders.next(&step)).sum::<u64>();
            assert_eq!(given, self.due.2, "{name}");
            self.due = (0, whole, 0);
        }
        if frame.step_count() > 0 {
            assert!((moved - whole).abs() < 1e-9);
            self.due.1 = 0.0;
        }
    }
}

#[test]
fn an_event_without_a_time_acts_in_the_next_step_that_runs_or_is_state_before_the_first_frame_and_in_pauses() {
    for (begin, seed) in BEGINS
        .into_iter()
        .flat_map(|begin| (0..24_u64).map(move |seed| (begin, seed)))
    {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut timestep = FixedTimestep::new(Rate::hz(*random.choice(&[30, 60, 120]).unwrap()));
        if seed % 3 == 1 {
            timestep = timestep.with_lookahead();
        }
        if seed % 3 == 2 {
            timestep = timestep
                .with_max_steps(3)
                .with_overrun(Overrun::Carry { max_backlog: 90 * MS });
        }
        let mut program = Program::new(begin, timestep, seed % 2 == 1);
        program.tap(None);
        program.frame(Duration::ZERO, true);
        for _ in 0..150 {
            for _ in 0..random.u32(..3) {
                program.tap(None);
            }
            match random.u32(..30) {
                0 => program.timestep.pause(),
                1..4 => {
                    program.is_resuming = program.timestep.is_paused();
                    program.timestep.resume();
                }
                4 => {
                    program.is_resuming = true;
                    program.timestep.resume_dropping();
                }
                5 => program.timestep.step_once(),
                6 => program.timestep.reset(),
                7..10 => {
                    program.is_scaled = random.bool();
                    let scale = if program.is_scaled {
                        TimeScale::NORMAL
                    } else {
                        TimeScale::PAUSED
                    };
                    program.timestep.set_time_scale(scale);
                }
                10 => {
                    program.input = stored(&program.input);
                    program.orders = stored(&program.orders);
                }
                _ => {}
            }
            let delta = Duration::from_micros(random.u64(1_000..40_000));
            program.frame(delta, false);
        }
    }
}

fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn an_event_older_than_the_last_frame_acts_in_the_next_step_by_any_clock_and_with_zero_for_its_time() {
    for begin in BEGINS {
        for (has_filter, is_zero) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut program = Program::new(begin, FixedTimestep::new(Rate::hz(60)), has_filter);
            program.frame(Duration::ZERO, true);
            for n in 0..60_u32 {
                let time = if is_zero {
                    Duration::ZERO
                } else {
                    program.now.saturating_sub(9 * MS)
                };
                if n % 7 == 6 {
                    program.tap(Some(time));
                }
                program.frame(Duration::from_micros(16_683), false);
            }
            let counts = program.input.counts();
            let is_foreign = is_zero && begin > Duration::from_secs(1);
            let taps = 2 * (60 / 7);
            assert!(counts.late >= taps && counts.paused == 0, "{begin:?}: {counts:?}");
            assert_eq!(counts.foreign, if is_foreign { taps } else { 0 }, "{begin:?}");
        }
    }
}

#[test]
fn a_late_event_is_state_only_if_a_called_pause_contains_its_time() {
    for begin in BEGINS {
        let mut program = Program::new(begin, FixedTimestep::new(Rate::hz(100)), false);
        program.frame(Duration::ZERO, true);
        (0..10).for_each(|_| program.frame(10 * MS, false));
        program.timestep.pause();
        let pause = program.now;
        (0..10).for_each(|_| program.frame(10 * MS, false));
        program.timestep.resume();
        program.is_resuming = true;
        program.frame(10 * MS, false);
        let end = program.now;
        (0..10).for_each(|_| program.frame(10 * MS, false));
        for (at, acts) in [
            (begin, true),
            (pause - MS, true),
            (pause, false),
            (end - MS, false),
            (end, true),
            (program.now - 30 * MS, true),
        ] {
            program.tap(Some(at));
            if !acts {
                program.open.0 = 0;
            }
            program.frame(10 * MS, false);
        }
        assert_eq!(program.input.counts().paused, 4, "{begin:?}");
    }
}

#[test]
fn held_keys_of_the_time_before_the_first_frame_are_held_and_not_pressed_with_times_and_without() {
    for begin in BEGINS {
        for is_timed in [true, false] {
            let mut game = GameLoop::new(Rate::hz(60)).with_input();
            for (before, event) in [
                (3, InputEvent::Press('a')),
                (2, InputEvent::Press('b')),
                (1, InputEvent::Release('b')),
                (1, InputEvent::Motion([9.0, 9.0])),
            ] {
                match is_timed {
                    true => game.push_at(begin.saturating_sub(before * MS), event),
                    false => game.push(event),
                }
            }
            let is_before = !is_timed || begin >= 3 * MS;
            let mut presses = 0;
            for n in 0..4 {
                let frame = game.begin_frame_at(begin + n * 17 * MS);
                for step in frame.steps() {
                    let controls = game.input(&step);
                    presses += controls.presses(&'a') + controls.presses(&'b');
                    assert!(
                        controls.is_held_at_end(&'a') && !controls.is_held_at_end(&'b'),
                        "{begin:?}"
                    );
                    assert!(!is_before || controls.motion() == [0.0; 2], "{begin:?}");
                }
            }
            assert!(!is_before || presses == 0, "{begin:?}, timed {is_timed}");
        }
    }
}

#[test]
fn a_buffer_goes_on_with_a_clock_of_another_origin() {
    for (from, to) in BEGINS.into_iter().flat_map(|from| BEGINS.map(|to| (from, to))) {
        let mut program = Program::new(from, FixedTimestep::new(Rate::hz(60)), false);
        program.frame(Duration::ZERO, true);
        (0..20).for_each(|_| program.frame(17 * MS, false));
        // What waits for its time by the old clock never was a press by the new one.
        program.input.push_at(program.now + 5 * MS, InputEvent::Press('b'));
        program.input = stored(&program.input);
        program.clock = FrameClock::with_filter(Box::new(()));
        program.now = to;
        program.frame(Duration::ZERO, true);
        for n in 0..30 {
            if n % 5 == 2 {
                program.tap(None);
            }
            if n % 5 == 3 {
                program.tap(Some(program.now.saturating_sub(MS)));
            }
            program.frame(17 * MS, false);
        }
        let held = program
            .input
            .controls(&evenstep::Step::new(u64::MAX, Rate::hz(60)))
            .clone();
        assert!(!held.was_pressed(&'b'), "from {from:?} to {to:?}");
    }
}

#[test]
fn a_time_of_another_clock_is_counted_and_a_long_frame_or_a_loading_screen_is_none() {
    let mut game = GameLoop::new(Rate::hz(60)).with_input();
    let begin = Duration::from_secs(500);
    game.push_at(Duration::from_secs(480), InputEvent::Press('a')); // while the game loads
    let _ = game.begin_frame_at(begin);
    game.push_at(begin + Duration::from_secs(3), InputEvent::Release('a')); // in a frame of four seconds
    let _ = game.begin_frame_at(begin + Duration::from_secs(4));
    assert_eq!(game.input_buffer().counts().foreign, 0);
    game.push_at(Duration::from_secs(3), InputEvent::Press('b')); // since the program began
    game.push_at(Duration::from_secs(1_790_000_000), InputEvent::Press('c')); // since 1970
    let _ = game.begin_frame_at(begin + Duration::from_secs(5));
    let _ = game.begin_frame_at(begin + Duration::from_secs(6));
    assert_eq!(game.input_buffer().counts().foreign, 2);
}

#[test]
fn a_button_with_the_system_time_of_gilrs_acts_once_and_has_a_time_of_the_loop() {
    let mut game = GameLoop::new(Rate::hz(60)).with_input();
    let begin = game.now();
    let _ = game.begin_frame_at(begin);
    let time: SystemTime = SystemTime::now(); // `gilrs::Event::time`
    for (ago, event) in [(0, InputEvent::Press('a')), (5, InputEvent::Release('b'))] {
        let age = (time - ago * MS).elapsed().unwrap_or_default();
        game.push_at(game.now().saturating_sub(age), event);
    }
    let frame = game.begin_frame_at(begin + 900 * MS);
    let presses = frame.steps().map(|step| game.input(&step).presses(&'a')).sum::<u32>();
    assert_eq!((presses, game.input_buffer().counts().foreign), (1, 0));
}

#[test]
fn a_task_of_a_schedule_spreads_motion_without_a_time_over_its_steps() {
    let (mut clock, mut schedule) = (FrameClock::unfiltered(), Schedule::new());
    let task = schedule.add(Rate::hz(100));
    let mut input = InputBuffer::<char>::new(16);
    for frame in 0..20_u32 {
        input.push(InputEvent::Motion([6.0, -3.0]));
        input.push(InputEvent::Wheel([0.0, 1.0]));
        let time = clock.begin_frame(7_000 * MS + 30 * frame * MS);
        let _lost = schedule.advance(time.delta);
        assert!(input.begin_task(&time, &schedule, task));
        let mut turned = 0.0;
        while let Some((_, step)) = schedule.next_step() {
            let controls = input.controls(&step);
            assert_eq!(controls.motion(), [2.0, -1.0]);
            turned += controls.wheel()[1];
        }
        assert!(frame == 0 || turned == 1.0); // a notch is not divided
    }
}
