//! The cost of the handover of `SimThread`, and the punctuality of its ticks.

use std::hint::black_box;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use evenstep::thread::{SimThread, Simulation, StepInput};
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_benches::Comparison;

/// The number of ticks whose lateness is measured, for each way of pacing.
const TICKS: usize = 2_000;

/// The positions of a thousand bodies.
type Snapshot = Vec<[f32; 3]>;

/// A simulation that sends the time of each of its steps.
struct Stamper(mpsc::Sender<Instant>, Snapshot);

impl Simulation for Stamper {
    type Input = ();
    type Snapshot = Snapshot;

    fn step(&mut self, _: &Step, _: &mut StepInput<'_, ()>) {
        let _ = self.0.send(Instant::now());
    }

    fn snapshot(&self) -> Snapshot {
        self.1.clone()
    }
}

fn main() {
    handover();
    for rate in [60, 240, 1000] {
        lateness(rate);
    }
}

fn handover() {
    let bodies = vec![[1.0_f32; 3]; 1000];
    let (mut input, mut output) = triple_buffer::triple_buffer(&(bodies.clone(), bodies.clone()));
    let locked = Arc::new(Mutex::new((bodies.clone(), bodies.clone())));
    let (stamps, _kept) = mpsc::channel();
    let mut paused = FixedTimestep::new(Rate::hz(1));
    paused.set_time_scale(evenstep::TimeScale::PAUSED);
    let mut sim = SimThread::spawn(paused, move || Stamper(stamps, vec![[1.0; 3]; 1000])).expect("a thread");
    let now = Instant::now();
    let comparison = Comparison::new("hand over two snapshots of 1 000 bodies, write and read", 1000)
        .entry("triple buffer", || {
            for _ in 0..1000 {
                let slot = input.input_buffer_mut();
                slot.0.clone_from(black_box(&bodies));
                slot.1.clone_from(black_box(&bodies));
                input.publish();
                black_box(output.read());
            }
        })
        .entry("mutex, uncontended, reader copies", || {
            for _ in 0..1000 {
                let mut slot = locked.lock().expect("no panic");
                slot.0.clone_from(black_box(&bodies));
                slot.1.clone_from(black_box(&bodies));
                drop(slot);
                black_box(locked.lock().expect("no panic").clone());
            }
        })
        .entry("SimThread::view alone", || {
            for _ in 0..1000 {
                let _ = black_box(sim.view(black_box(now)));
            }
        });
    println!("{}", comparison.run());
}

/// The sorted lateness of each tick in nanoseconds, relative to the most punctual tick.
fn late(stamps: &[Instant], period: Duration) -> Vec<f64> {
    let after = |n: usize| stamps[n].duration_since(stamps[0]).as_nanos() as f64 - period.as_nanos() as f64 * n as f64;
    let all: Vec<f64> = (0..stamps.len()).map(after).collect();
    let earliest = all.iter().copied().fold(f64::INFINITY, f64::min);
    let mut late: Vec<f64> = all.into_iter().map(|nanos| nanos - earliest).collect();
    late.sort_by(f64::total_cmp);
    late
}

fn lateness(rate: u32) {
    let period = Duration::from_secs_f64(1.0 / f64::from(rate));
    let ticks = TICKS.min(5 * rate as usize);
    let (stamps, received) = mpsc::channel();
    let sim =
        SimThread::spawn(FixedTimestep::new(Rate::hz(rate)), move || Stamper(stamps, Vec::new())).expect("a thread");
    let ours: Vec<Instant> = received.iter().take(ticks).collect();
    drop(sim);
    let by_sleep = thread::spawn(move || {
        let start = Instant::now();
        let stamp = |n: usize| {
            let due = start + period * n as u32;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            Instant::now()
        };
        (0..ticks).map(stamp).collect::<Vec<_>>()
    });
    let theirs = by_sleep.join().expect("no panic");
    let by_naive_sleep = thread::spawn(move || {
        let stamp = |_| {
            thread::sleep(period);
            Instant::now()
        };
        (0..ticks).map(stamp).collect::<Vec<_>>()
    });
    let naive = by_naive_sleep.join().expect("no panic");
    println!("lateness of {ticks} ticks at {rate} Hz, after the most punctual one");
    let ours = late(&ours, period);
    for (name, stamps) in [
        ("SimThread", ours.clone()),
        ("std::thread::sleep until due", late(&theirs, period)),
        ("std::thread::sleep of a period", late(&naive, period)),
    ] {
        let at = |share: f64, late: &[f64]| late[((late.len() - 1) as f64 * share) as usize] / 1e3;
        println!(
            "  {name:30}  p50 {:9.1} µs {:7.2} x   p99 {:9.1} µs {:7.2} x   max {:9.1} µs",
            at(0.5, &stamps),
            at(0.5, &stamps) / at(0.5, &ours),
            at(0.99, &stamps),
            at(0.99, &stamps) / at(0.99, &ours),
            at(1.0, &stamps),
        );
    }
}
