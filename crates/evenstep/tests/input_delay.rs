//! How long input takes, with the default filter and without: the tables of the book's page "Clocks and filters". To print them:
//!
//! ```sh
//! cargo test -p evenstep --test all input_delay -- --include-ignored --nocapture
//! ```

use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::{InputBuffer, InputEvent, InputQueue};
use evenstep::{FixedTimestep, FrameClock, GameLoop, Rate, SimTime, Smoothing, TimeScale};

use crate::display_clock::normal;

const DISPLAYS: [f64; 12] = [
    50.0, 59.94, 60.0, 72.0, 75.0, 90.0, 120.0, 144.0, 165.0, 240.0, 360.0, 480.0,
];
const STEPS: [u32; 4] = [30, 50, 60, 120];

/// Frames that a filter has for finding the period, before anything is counted.
const STARTING: u32 = 2_000;

/// The time that a program passes with an event.
#[derive(Clone, Copy, Debug)]
enum Stamp {
    /// None, by `push`.
    None,
    /// The time at which it happened.
    True,
    /// The time at which the program reads its events: just before it begins a frame.
    Arrival,
}

/// Mean and longest time from an event, at a random time, to the frame...
#[derive(Default)]
struct Delay {
    /// ... that runs its step.
    to_step: Mean,
    /// ... that shows half of the motion of that step, if it interpolates.
    to_half: Mean,
    /// Events that came too late for their step.
    late: u64,
}

#[derive(Default)]
struct Mean {
    sum: f64,
    longest: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, seconds: f64) {
        self.sum += 1e3 * seconds;
        self.longest = self.longest.max(1e3 * seconds);
        self.count += 1.0;
    }

    fn ms(&self) -> f64 {
        self.sum / self.count
    }
}

/// Frames whose times are late by the absolute value of normal noise, with an event between each two. An event arrives a time after it
/// happened.
fn played(hertz: f64, steps: u32, noise: f64, filter: impl DeltaFilter, arrives: f64) -> Delay {
    let mut random = fastrand::Rng::with_seed(77);
    let mut clock = FrameClock::with_filter(filter);
    let (rate, mut timestep) = (Rate::hz(steps), FixedTimestep::new(Rate::hz(steps)));
    let mut input = InputQueue::new(1 << 12);
    let (mut delay, mut last, mut unseen) = (Delay::default(), 0.0_f64, Vec::new());
    let mut under_way = Vec::new();
    for number in 0..20_000_u32 {
        let now = (1.0 + f64::from(number) / hertz + (noise * normal(&mut random)).abs()).max(last);
        if number > 0 {
            under_way.push(last + random.f64() * (now - last));
        }
        under_way.retain(|at| {
            let has_arrived = at + arrives <= now;
            if has_arrived {
                input.push_at(Duration::from_secs_f64(*at), *at);
            }
            !has_arrived
        });
        last = now;
        let time = clock.begin_frame(Duration::from_secs_f64(now));
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        if number == STARTING {
            delay.late = input.counts().late;
        }
        for step in frame.steps() {
            while let Some(at) = input.next(&step) {
                if number > STARTING {
                    delay.to_step.add(now - at);
                    unseen.push((at, SimTime::at_tick(step.tick, rate).as_secs_f64() + 0.5 * step.dt));
                }
            }
        }
        let shown = frame.shown_time(Smoothing::Interpolate).as_secs_f64();
        unseen.retain(|(at, half)| {
            let is_seen = shown >= *half;
            if is_seen {
                delay.to_half.add(now - at);
            }
            !is_seen
        });
    }
    delay.late = input.counts().late - delay.late;
    delay
}

#[test]
#[ignore = "96 pairs of games of minutes"]
fn input_is_no_later_than_without_a_filter_at_sixty_on_sixty_and_elsewhere_by_the_bound_of_the_lead() {
    println!("event to the frame that runs its step, in ms, mean (longest)");
    for noise in [0.0, 0.5e-3] {
        for steps in STEPS {
            for hertz in DISPLAYS {
                let with = played(hertz, steps, noise, DisplayClock::new(), 0.0).to_step;
                let without = played(hertz, steps, noise, (), 0.0).to_step;
                let later = with.ms() - without.ms();
                println!(
                    "noise {:.1} ms, {steps:3} steps, {hertz:6.2} Hz: {:5.1} ({:4.1}), without a filter {:5.1} ({:4.1}), {later:+.2}",
                    1e3 * noise,
                    with.ms(),
                    with.longest,
                    without.ms(),
                    without.longest,
                );
                // With exact times and no filter a step ends where a frame begins: no program has so little delay with real clocks.
                let most = match (hertz, steps) {
                    _ if noise == 0.0 => 4.1,
                    (240.1.., _) => 3.2,
                    _ => 2.7,
                };
                assert!(later <= most, "{later} ms");
                assert!((hertz, steps) != (60.0, 60) || later <= 0.0, "{later} ms");
            }
        }
    }
}

/// Mean and longest milliseconds from a key to the frame that runs its step, in a `GameLoop` that reads its events once a frame, just before it
/// begins it: the table of the page "Input and events".
fn polled(hertz: f64, steps: u32, stamp: Stamp) -> Mean {
    let mut random = fastrand::Rng::with_seed(7);
    let mut game = GameLoop::new(Rate::hz(steps)).with_input();
    let (mut delay, mut waiting, mut seen) = (Mean::default(), Vec::new(), Vec::new());
    let mut last = 6.0;
    for number in 0..20_000_u32 {
        let now = 7.0 + f64::from(number) / hertz;
        let at = last + random.f64() * (now - last);
        let event = InputEvent::Press(number);
        if number > STARTING {
            match stamp {
                Stamp::True => game.push_at(Duration::from_secs_f64(at), event),
                Stamp::Arrival => game.push_at(Duration::from_secs_f64(now), event),
                Stamp::None => game.push(event),
            }
            waiting.push((number, at));
        }
        last = now;
        let frame = game.begin_frame_at(Duration::from_secs_f64(now));
        for step in frame.steps() {
            let controls = game.input(&step);
            waiting.retain(|(key, at)| {
                let is_seen = controls.was_pressed(key);
                if is_seen {
                    delay.add(now - at);
                    seen.push(*key);
                }
                !is_seen
            });
        }
        // Nobody holds twenty thousand keys.
        for key in seen.drain(..) {
            match stamp {
                Stamp::None => game.push(InputEvent::Release(key)),
                Stamp::True | Stamp::Arrival => game.push_at(Duration::from_secs_f64(now), InputEvent::Release(key)),
            }
        }
    }
    delay
}

#[test]
fn an_event_without_a_time_costs_no_frame_and_one_stamped_when_it_is_read_costs_one() {
    for (hertz, steps, figures) in [
        (60.0, 60, [(8.4, 16.7), (12.3, 20.7), (25.0, 33.3)]),
        (144.0, 60, [(8.7, 20.8), (13.8, 24.8), (16.8, 27.8)]),
        (30.0, 60, [(16.7, 33.3), (20.7, 37.3), (50.0, 66.7)]),
    ] {
        for (stamp, figures) in [Stamp::None, Stamp::True, Stamp::Arrival].into_iter().zip(figures) {
            let delay = polled(hertz, steps, stamp);
            let (mean, longest) = (delay.ms(), delay.longest);
            println!("{hertz} Hz, {steps} steps, {stamp:?}: {mean:.1} ms ({longest:.1})");
            let is_right = (mean - figures.0).abs() < 0.1 && (longest - figures.1).abs() < 0.1;
            assert!(is_right, "{mean} ms ({longest}), the page says {figures:?}");
        }
    }
}

#[test]
fn events_that_arrive_within_two_milliseconds_are_in_time_on_a_steady_display() {
    for arrives in 0..=8_u32 {
        let late = |filter: Box<dyn DeltaFilter>| {
            let delay = played(60.0, 60, 0.2e-3, filter, f64::from(arrives) / 1e3);
            100.0 * delay.late as f64 / delay.to_step.count
        };
        let (with, without) = (late(Box::new(DisplayClock::new())), late(Box::new(())));
        println!(
            "known {arrives} ms after it happened: {with:.1} % late for their step, {without:.1} % without a filter"
        );
        assert!(arrives > 1 || with == 0.0, "{with} %");
        assert!(with <= without + 0.1, "{with} %, {without} %");
    }
}

/// A filter with a lead of its own, which it takes from the first frame on.
struct Ahead {
    lead: i64,
    residual: i64,
}

impl DeltaFilter for Ahead {
    fn apply(&mut self, delta: Duration) -> Duration {
        let owed = self.residual + delta.as_nanos() as i64;
        let given = (owed + self.lead).max(0);
        self.residual = owed - given;
        Duration::from_nanos(given.unsigned_abs())
    }

    fn residual(&self) -> i64 {
        self.residual
    }

    fn max_lead(&self) -> Duration {
        Duration::from_nanos(self.lead.unsigned_abs())
    }
}

/// Every input that is pushed before its frame is known to its step, whatever happens: in the first frame, in hitches, in pauses, at time
/// scales, by single steps and in a frame that lasts no time.
#[test]
fn no_step_runs_before_its_input_is_known() {
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let lead = *random.choice(&[0, 1, 900_000, 4_000_000, 40_000_000]).unwrap();
        let filters: [Box<dyn DeltaFilter>; 3] = [
            Box::new(()),
            Box::new(DisplayClock::new()),
            Box::new(Ahead { lead, residual: 0 }),
        ];
        for filter in filters {
            let mut clock = FrameClock::with_filter(filter);
            let mut timestep = FixedTimestep::new(Rate::hz(*random.choice(&STEPS).unwrap()));
            let mut input = InputBuffer::new(4_096);
            let (mut now, mut shown, mut moved, mut came) = (Duration::from_secs(1), SimTime::ZERO, 0, 0);
            for _ in 0..300 {
                let last = now;
                now += Duration::from_nanos(match random.u8(..20) {
                    0 => 0,
                    1 => random.u64(..2_000_000_000),
                    _ => random.u64(1_000_000..40_000_000),
                });
                match random.u8(..40) {
                    0 => timestep.pause(),
                    1 => timestep.set_time_scale(TimeScale::new(random.u32(..4), 2).unwrap()),
                    2 => timestep.step_once(),
                    _ if random.bool() => timestep.resume(),
                    _ => {}
                }
                let at = last + (now - last) * random.u32(..1_000) / 1_000;
                input.push_at(at, InputEvent::<char>::Motion([1.0, 0.0]));
                moved += 1;
                let time = clock.begin_frame(now);
                let frame = timestep.advance(time.delta);
                input.begin_frame(&time, &frame);
                assert_eq!(input.counts().late, 0, "seed {seed}");
                for step in frame.steps() {
                    came += input.controls(&step).motion()[0] as u64;
                }
                // What is drawn never goes back.
                let shows = frame.shown_time(Smoothing::Interpolate);
                assert!(shows >= shown, "seed {seed}: {shows:?} after {shown:?}");
                shown = shows;
            }
            let paused = input.counts().paused;
            let waiting = input.len() as u64;
            assert!(
                came + paused <= moved && moved <= came + paused + waiting,
                "seed {seed}: {came}, {paused}, {waiting} of {moved}"
            );
            assert!(came > 0, "seed {seed}");
        }
    }
}
