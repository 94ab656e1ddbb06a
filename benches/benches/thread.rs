//! How late the ticks of `SimThread` begin, compared with `spin_sleep` and `std::thread::sleep`, on an idle machine and on one that is
//! busy, and what share of a processor each takes to wait.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use evenstep::thread::{SimThread, Simulation, StepInput};
use evenstep::{FixedTimestep, Rate, Step};

/// For how long each way ticks.
const SECONDS: u32 = 5;

/// When a tick began, and the processor time of its thread until then.
#[derive(Clone, Copy)]
struct Stamp {
    time: Instant,
    used: Duration,
}

impl Stamp {
    fn now() -> Self {
        Self {
            time: Instant::now(),
            used: processor_time(),
        }
    }
}

#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Not measured.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    Duration::ZERO
}

/// A simulation that sends a stamp in each of its steps.
struct Stamper(mpsc::Sender<Stamp>);

impl Simulation for Stamper {
    type Input = ();
    type Snapshot = ();

    fn step(&mut self, _: &Step, _: &mut StepInput<'_, ()>) {
        let _ = self.0.send(Stamp::now());
    }

    fn snapshot(&self) {}
}

fn main() {
    for rate in [60, 240] {
        println!("Lateness of {} ticks at {rate} Hz on this machine", SECONDS * rate);
        all_ways(rate);
        println!("The same beside a busy thread for each processor");
        beside_busy_threads(|| all_ways(rate));
    }
}

/// Runs a function while each processor has a thread that never waits.
fn beside_busy_threads(run: impl FnOnce()) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| while !black_box(&is_done).load(Ordering::Relaxed) {});
        }
        run();
        is_done.store(true, Ordering::Relaxed);
    });
}

fn all_ways(rate: u32) {
    let ours = by_sim_thread(rate);
    print("SimThread", &ours, &ours, rate);
    print("spin_sleep::sleep until due", &by(rate, spin_sleep::sleep), &ours, rate);
    print("std::thread::sleep until due", &by(rate, thread::sleep), &ours, rate);
}

fn by_sim_thread(rate: u32) -> Vec<Stamp> {
    let (stamps, received) = mpsc::channel();
    let sim = SimThread::spawn(FixedTimestep::new(Rate::hz(rate)), move || Stamper(stamps)).expect("a thread");
    let stamps = received.iter().take((SECONDS * rate) as usize).collect();
    drop(sim);
    stamps
}

/// Ticks on a thread that sleeps until each is due.
fn by(rate: u32, sleep: fn(Duration)) -> Vec<Stamp> {
    let ticks = move || {
        let start = Instant::now();
        let stamp = |tick: u32| {
            let due = start + Duration::from_secs(1) * tick / rate;
            sleep(due.saturating_duration_since(Instant::now()));
            Stamp::now()
        };
        (0..SECONDS * rate).map(stamp).collect()
    };
    thread::spawn(ticks).join().expect("no panic")
}

/// The sorted microseconds by which each tick is later than the most punctual one.
fn lateness(stamps: &[Stamp], rate: u32) -> Vec<f64> {
    let begun = |(tick, stamp): (usize, &Stamp)| {
        let passed = stamp.time.duration_since(stamps[0].time).as_secs_f64();
        (passed - tick as f64 / f64::from(rate)) * 1e6
    };
    let all: Vec<f64> = stamps.iter().enumerate().map(begun).collect();
    let earliest = all.iter().copied().fold(f64::INFINITY, f64::min);
    let mut late: Vec<f64> = all.into_iter().map(|begun| begun - earliest).collect();
    late.sort_by(f64::total_cmp);
    late
}

fn print(name: &str, stamps: &[Stamp], ours: &[Stamp], rate: u32) {
    let (late, ours) = (lateness(stamps, rate), lateness(ours, rate));
    let at = |late: &[f64], share: f64| late[((late.len() - 1) as f64 * share) as usize];
    let used = stamps[stamps.len() - 1].used - stamps[0].used;
    println!(
        "  {name:28}  p50 {:8.1} µs {:7.2} x   p99 {:8.1} µs {:7.2} x   max {:8.1} µs   {:5.1} % of a processor",
        at(&late, 0.5),
        at(&late, 0.5) / at(&ours, 0.5),
        at(&late, 0.99),
        at(&late, 0.99) / at(&ours, 0.99),
        at(&late, 1.0),
        100.0 * used.as_secs_f64() / f64::from(SECONDS),
    );
}
