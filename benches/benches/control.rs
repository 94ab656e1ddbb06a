//! Control loops in real time: their real-time factor, their wake-up lateness, and the share of a core that waiting takes.
//!
//! `cargo bench -p evenstep-benches --bench control -- [SECONDS] [loaded] [NAME]`. Steps at 1 kHz take 0.2 ms, and one in ten takes 2.5 ms. With
//! `loaded` a second thread is busy all the time. The loops run one after the other, each on a thread of its own; with `NAME`, only the
//! loops whose name contains it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use evenstep::control::{Cycle, LoopStats};
use evenstep::pace::StepTimer;
use evenstep::thread::{SimThread, Simulation, StepInput};
use evenstep::{FixedTimestep, MonotonicClock, Overrun, Rate, Step};

const STEP: Duration = Duration::from_millis(1);
const RATE: Rate = Rate::hz(1000);
const CATCH_UP: Overrun = Overrun::Carry {
    max_backlog: Duration::from_secs(1),
};

/// Upper bounds of the classes of lateness, in microseconds.
const CLASSES: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, u64::MAX];

/// The measurements of a loop.
#[derive(Default)]
struct Outcome {
    steps: u64,
    /// The lateness of its wake-ups, in nanoseconds.
    lateness: Vec<u64>,
    /// The processor time of its thread within the steps.
    in_steps: Duration,
    processor: Duration,
    real: Duration,
}

impl Outcome {
    /// Does the work of a step.
    fn step(&mut self) {
        let begun = processor_time();
        let length = if self.steps % 10 == 9 { 2500 } else { 200 };
        let end = Instant::now() + Duration::from_micros(length);
        while Instant::now() < end {
            std::hint::spin_loop();
        }
        self.steps += 1;
        self.in_steps += processor_time() - begun;
    }

    fn woke(&mut self, late: Duration) {
        self.lateness.push(late.as_nanos() as u64);
    }

    fn print(mut self, name: &str) {
        self.lateness.sort_unstable();
        let count = self.lateness.len().max(1);
        let at = |share: f64| *self.lateness.get(((count - 1) as f64 * share) as usize).unwrap_or(&0) as f64 / 1e3;
        let factor = self.steps as f64 * STEP.as_secs_f64() / self.real.as_secs_f64();
        let waiting = self.processor.saturating_sub(self.in_steps).as_secs_f64() / self.real.as_secs_f64();
        println!(
            "{name:24} {factor:10.6}  {:8.1} {:8.1} {:8.1} {:9.1}   {:5.1} %",
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0),
            100.0 * waiting
        );
        let mut below = 0;
        let classes = CLASSES.map(|bound| {
            let upto = self
                .lateness
                .partition_point(|late| *late <= bound.saturating_mul(1000));
            let share = 100.0 * (upto - below) as f64 / count as f64;
            below = upto;
            format!("{share:7.2}")
        });
        println!("{:24} {}", "", classes.concat());
    }
}

/// The processor time of this thread.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Unknown on other systems: the last column is zero.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    Duration::ZERO
}

/// A handwritten loop: a timestep that catches up, and a timer.
fn own_loop(length: Duration) -> Outcome {
    let (clock, mut timer, mut outcome) = (MonotonicClock::new(), StepTimer::new(), Outcome::default());
    let mut timestep = FixedTimestep::new(RATE).with_overrun(CATCH_UP);
    let mut stats = LoopStats::<256>::new();
    let mut last = clock.now();
    let begun = last;
    while last < begun + length {
        let due = last + timestep.until_next_step().expect("time passes");
        let waits = clock.now() < due;
        let begin = timer.wait_until(&clock, due);
        if waits {
            outcome.woke(begin - due);
        }
        let frame = timestep.advance(begin - last);
        frame.steps().for_each(|_| outcome.step());
        stats.record_frame(begin - last, &frame);
        let deadline = due + STEP;
        stats.record_cycle(Cycle {
            due,
            begin,
            end: clock.now(),
            deadline,
        });
        last = begin;
    }
    outcome.real = last - begun;
    let report = stats.report();
    println!(
        "{:24} by its own statistics: real-time factor {:.9}, {} of {} cycles ended after their deadline",
        "",
        report.total.as_f64(),
        report.deadline_misses,
        report.cycles
    );
    outcome
}

/// The simulation of a [`SimThread`].
struct OnThread {
    outcome: Arc<std::sync::Mutex<Outcome>>,
    start: Instant,
}

impl Simulation for OnThread {
    type Input = ();
    type Snapshot = u64;

    fn step(&mut self, step: &Step, _: &mut StepInput<'_, ()>) {
        let mut outcome = self.outcome.lock().expect("no panic");
        let due = self.start + STEP * (step.tick as u32 + 1);
        let late = Instant::now().saturating_duration_since(due);
        // A step that begins half a period late or later has not waited.
        if late < STEP / 2 {
            outcome.woke(late);
        }
        outcome.step();
        outcome.processor = processor_time();
        outcome.real = self.start.elapsed();
    }

    fn snapshot(&self) -> u64 {
        0
    }
}

fn sim_thread(length: Duration) -> Outcome {
    let outcome = Arc::new(std::sync::Mutex::new(Outcome::default()));
    let timestep = FixedTimestep::new(RATE).with_overrun(CATCH_UP);
    let shared = Arc::clone(&outcome);
    let mut thread = SimThread::spawn(timestep, move || OnThread {
        outcome: shared,
        start: Instant::now(),
    })
    .expect("a thread");
    thread::sleep(length);
    let timing = thread.view(Instant::now()).expect("it runs").stats.timing;
    println!(
        "{:24} by its own statistics: real-time factor {:.9}",
        "",
        timing.total.as_f64()
    );
    thread.stop().expect("it ran");
    std::mem::take(&mut *outcome.lock().expect("no panic"))
}

/// Gazebo's pacing: an update begins a period after the last one began. After a long update the pacing restarts from now, and the delay is
/// not made up for.
fn sleeps_a_period(length: Duration) -> Outcome {
    let mut outcome = Outcome::default();
    let begun = Instant::now();
    let mut next = begun + STEP;
    while begun.elapsed() < length {
        let now = Instant::now();
        if now < next {
            thread::sleep(next - now);
            outcome.woke(Instant::now().saturating_duration_since(next));
            next += STEP;
        } else {
            next = now + STEP;
        }
        outcome.step();
    }
    outcome.real = begun.elapsed();
    outcome
}

/// The loop of mjlab's viewer: at 60 frames a second it simulates all the time that has passed, however long that takes.
fn simulates_what_has_passed(length: Duration) -> Outcome {
    const FRAME: Duration = Duration::from_nanos(16_666_667);
    let mut outcome = Outcome::default();
    let begun = Instant::now();
    let mut last = begun;
    let mut rest = Duration::ZERO;
    while begun.elapsed() < length {
        let now = Instant::now();
        rest += now - last;
        last = now;
        while rest >= STEP {
            outcome.step();
            rest -= STEP;
        }
        let due = now + FRAME;
        let left = due.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            thread::sleep(left);
            outcome.woke(Instant::now().saturating_duration_since(due));
        }
    }
    outcome.real = begun.elapsed();
    outcome
}

/// The loop of mujoco-rs's viewer: it polls the clock until the length of a step has passed since the last step began.
fn spins(length: Duration) -> Outcome {
    let mut outcome = Outcome::default();
    let begun = Instant::now();
    let mut last = begun;
    while begun.elapsed() < length {
        let is_early = last.elapsed() < STEP;
        while last.elapsed() < STEP {
            std::hint::spin_loop();
        }
        let now = Instant::now();
        if is_early {
            outcome.woke(now - last - STEP);
        }
        last = now;
        outcome.step();
    }
    outcome.real = begun.elapsed();
    outcome
}

/// libcosim's timer: it sleeps for as long as the simulation is ahead of the clock, counted from the beginning.
fn sleeps_when_ahead(length: Duration) -> Outcome {
    let mut outcome = Outcome::default();
    let begun = Instant::now();
    while begun.elapsed() < length {
        outcome.step();
        let due = STEP * outcome.steps as u32;
        let ahead = due.saturating_sub(begun.elapsed());
        if !ahead.is_zero() {
            thread::sleep(ahead);
            outcome.woke(begun.elapsed().saturating_sub(due));
        }
    }
    outcome.real = begun.elapsed();
    outcome
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(5);
    let (length, stop) = (Duration::from_secs(seconds), Arc::new(AtomicBool::new(false)));
    let load = arguments.iter().any(|argument| argument == "loaded").then(|| {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        })
    });
    println!(
        "{seconds} s each, at the priority of the program: `chrt --fifo 50` gives it one where the rights are there"
    );
    println!("loop                     real-time     lateness of its wakes [us]           core beside");
    println!("                            factor       p50      p99    p99.9      most     the steps");
    let bounds = CLASSES.map(|bound| match bound {
        u64::MAX => "   more".to_owned(),
        bound => format!("{:>7}", format!("<={bound}")),
    });
    println!("{:24} {}   % of its wakes by lateness [us]", "", bounds.concat());
    type Loop = fn(Duration) -> Outcome;
    let loops: [(&str, Loop); 6] = [
        ("FixedTimestep, StepTimer", own_loop),
        ("SimThread", sim_thread),
        ("Gazebo's", sleeps_a_period),
        ("mjlab's", simulates_what_has_passed),
        ("mujoco-rs's", spins),
        ("libcosim's", sleeps_when_ahead),
    ];
    let wanted = arguments
        .iter()
        .find(|argument| argument.parse::<u64>().is_err() && *argument != "loaded" && *argument != "--bench");
    for (name, run) in loops
        .into_iter()
        .filter(|(name, _)| wanted.is_none_or(|wanted| name.contains(wanted.as_str())))
    {
        let ran = thread::spawn(move || {
            let mut outcome = run(length);
            if outcome.processor.is_zero() {
                outcome.processor = processor_time();
            }
            outcome
        });
        ran.join().expect("it ran").print(name);
    }
    stop.store(true, Ordering::Relaxed);
    load.map(thread::JoinHandle::join);
}
