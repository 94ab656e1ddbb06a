//! `SimWorker`, on a clock that the test owns.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use evenstep::thread::{SimRemote, SimWorker, Simulation, StepInput, Wake};
use evenstep::{FixedTimestep, Overrun, Rate, Step, TimeScale};

const MS: Duration = Duration::from_millis(1);

/// Stores its input, and counts the calls.
#[derive(Default)]
struct Keeper {
    seen: Vec<u32>,
    steps: Rc<Cell<u32>>,
    snapshots: Rc<Cell<u32>>,
}

impl Simulation for Keeper {
    type Input = u32;
    type Snapshot = Vec<u32>;

    fn step(&mut self, _: &Step, input: &mut StepInput<'_, u32>) {
        self.steps.set(self.steps.get() + 1);
        self.seen.extend(input);
    }

    fn snapshot(&self) -> Vec<u32> {
        self.snapshots.set(self.snapshots.get() + 1);
        self.seen.clone()
    }
}

struct Driven {
    worker: SimWorker<Keeper>,
    remote: SimRemote<u32, Vec<u32>>,
    now: Instant,
    calls: u32,
    steps: Rc<Cell<u32>>,
    snapshots: Rc<Cell<u32>>,
}

impl Driven {
    fn new(timestep: FixedTimestep) -> Self {
        let keeper = Keeper::default();
        let (steps, snapshots) = (Rc::clone(&keeper.steps), Rc::clone(&keeper.snapshots));
        let start = Instant::now();
        let (worker, remote) = SimWorker::new(timestep, keeper, start);
        Self {
            worker,
            remote,
            now: start,
            calls: 0,
            steps,
            snapshots,
        }
    }

    fn advance(&mut self) -> Wake {
        self.calls += 1;
        self.worker.advance(|| self.now)
    }

    /// Lets time pass, and calls the worker when it asks.
    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while let Wake::At(due) = self.advance() {
            assert!(due > self.now, "it asks to be called at once");
            if due > end {
                break;
            }
            self.now = due;
        }
        self.now = end;
    }
}

#[test]
fn a_hitch_under_stretch_wakes_the_worker_once_a_step() {
    for speed in [(1, 1), (3, 2)] {
        let stretch = Overrun::Stretch {
            max_speed: TimeScale::new(speed.0, speed.1).unwrap(),
        };
        let timestep = FixedTimestep::new(Rate::hz(60)).with_overrun(stretch).with_max_steps(5);
        let mut driven = Driven::new(timestep);
        driven.now += 300 * MS;
        let _ = driven.advance();
        let (calls, snapshots, steps) = (driven.calls, driven.snapshots.get(), driven.steps.get());
        driven.run(Duration::from_secs(1));
        let steps = driven.steps.get() - steps;
        // Thirteen of the eighteen steps of the hitch are made up for.
        assert!((59..=74).contains(&steps), "{steps}");
        assert!(driven.calls - calls <= steps + 2, "{} calls", driven.calls - calls);
        assert_eq!(driven.snapshots.get() - snapshots, steps);
    }
}

#[test]
fn the_timing_of_steps_is_that_of_the_clock() {
    let mut driven = Driven::new(FixedTimestep::new(Rate::hz(100)));
    driven.run(1000 * MS);
    let stats = driven.remote.view(driven.now).stats;
    assert_eq!(
        (stats.real_time_factor, stats.deadline_misses, stats.longest_lateness),
        (1.0, 0, Duration::ZERO)
    );
    // Called 25 ms late: of the steps that were due, two end when the next one is due already.
    driven.now += 35 * MS;
    let _ = driven.advance();
    let stats = driven.remote.view(driven.now).stats;
    assert_eq!((stats.deadline_misses, stats.longest_lateness), (2, 25 * MS));
    // 750 ms are not believed.
    driven.now += 1000 * MS;
    let _ = driven.advance();
    let stats = driven.remote.view(driven.now).stats;
    assert!(stats.clamped >= 750 * MS && stats.real_time_factor < 1.0);
}

#[test]
fn the_drawn_time_under_stretch_advances_at_its_speed_until_the_next_step() {
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(2, 1).unwrap(),
    };
    let timestep = FixedTimestep::new(Rate::hz(100))
        .with_overrun(stretch)
        .with_max_steps(2);
    let mut driven = Driven::new(timestep);
    driven.now += 100 * MS;
    let Wake::At(due) = driven.advance() else {
        panic!("time passes")
    };
    assert_eq!(due - driven.now, 5 * MS);
    let half = driven.now + MS * 5 / 2;
    assert!((driven.remote.view(half).alpha - 0.5).abs() < 1e-9);
}

#[test]
fn a_frame_of_many_slow_steps_publishes_states_before_its_end() {
    struct Slow(Rc<Cell<Instant>>, mpsc::Sender<()>, u64);
    impl Simulation for Slow {
        type Input = ();
        type Snapshot = u64;

        fn step(&mut self, step: &Step, _: &mut StepInput<'_, ()>) {
            self.0.set(self.0.get() + 3 * MS);
            self.2 = step.tick + 1;
            self.1.send(()).unwrap();
        }

        fn snapshot(&self) -> u64 {
            self.2
        }
    }
    let (stepped, steps) = mpsc::channel();
    let start = Instant::now();
    let clock = Rc::new(Cell::new(start));
    let slow = Slow(Rc::clone(&clock), stepped, 0);
    let (mut worker, mut remote) = SimWorker::new(FixedTimestep::new(Rate::hz(1000)), slow, start);
    clock.set(start + 100 * MS);
    let mut seen = Vec::new();
    let _ = worker.advance(|| {
        let view = remote.view(start);
        assert_eq!(*view.current, view.tick);
        seen.push(view.tick);
        clock.get()
    });
    seen.dedup();
    assert_eq!(steps.try_iter().count(), 100);
    assert!(seen.len() > 40, "{seen:?}");
    assert!(seen.is_sorted());
    // Due every millisecond and 3 ms long, each begins 2 ms later than the one before: the first 99 ms late, the last 297 ms.
    let stats = remote.view(clock.get()).stats;
    assert_eq!((stats.deadline_misses, stats.longest_lateness), (100, 297 * MS));
}

#[test]
fn a_worker_whose_remote_is_gone_stops() {
    let Driven {
        mut worker,
        remote,
        now,
        ..
    } = Driven::new(FixedTimestep::new(Rate::hz(100)));
    assert_ne!(worker.advance(|| now), Wake::Stopped);
    drop(remote);
    assert_eq!(worker.advance(|| now), Wake::Stopped);
}
