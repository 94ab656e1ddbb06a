//! `SimThread`, on real threads and the real clock.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evenstep::thread::{SimThread, SimThreadError, Simulation, StepInput};
use evenstep::{FixedTimestep, Rate, Step, TimeScale};

const MS: Duration = Duration::from_millis(1);

/// Adds up its input; its state cannot leave its thread.
struct Adder {
    sum: Rc<Cell<u64>>,
    seen: mpsc::Sender<(u64, u64)>,
}

impl Simulation for Adder {
    type Input = u64;
    type Snapshot = u64;

    fn step(&mut self, step: &Step, input: &mut StepInput<'_, u64>) {
        for number in input {
            self.sum.set(self.sum.get() + number);
            self.seen.send((step.tick, number)).unwrap();
        }
    }

    fn snapshot(&self) -> u64 {
        self.sum.get()
    }
}

fn adder(rate: Rate) -> (SimThread<u64, u64>, mpsc::Receiver<(u64, u64)>) {
    let (seen, received) = mpsc::channel();
    let build = || Adder {
        sum: Rc::default(),
        seen,
    };
    (SimThread::spawn(FixedTimestep::new(rate), build).unwrap(), received)
}

/// Waits until something is so, but not for ever.
fn wait(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "it never came");
        sleep(MS);
    }
}

/// Does something in every step, and counts them.
struct Stepper<F>(u64, F);

impl<F: FnMut(u64)> Simulation for Stepper<F> {
    type Input = ();
    type Snapshot = u64;

    fn step(&mut self, step: &Step, _: &mut StepInput<'_, ()>) {
        self.1(step.tick);
        self.0 += 1;
    }

    fn snapshot(&self) -> u64 {
        self.0
    }
}

fn stepper(rate: u32, each: impl FnMut(u64) + Send + 'static) -> SimThread<(), u64> {
    SimThread::spawn(FixedTimestep::new(Rate::hz(rate)), || Stepper(0, each)).unwrap()
}

#[test]
fn each_input_reaches_one_step_in_order() {
    let (mut thread, seen) = adder(Rate::hz(500));
    for number in 1..=50 {
        thread.send(Instant::now(), number).unwrap();
        if number == 1 {
            wait(|| *thread.view(Instant::now()).unwrap().current == 1);
        }
        sleep(MS);
    }
    wait(|| *thread.view(Instant::now()).unwrap().current == 50 * 51 / 2);
    thread.stop().unwrap();
    let (ticks, numbers): (Vec<_>, Vec<_>) = seen.iter().unzip();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
    assert!(ticks.is_sorted() && ticks[49] > ticks[0]);
}

#[test]
fn a_pause_stops_time_and_single_steps_pass_it_one_by_one() {
    let mut thread = stepper(500, |_| {});
    // Before it was published, a state of a simulation whose time passes is drawn at 0, and of one whose time stands still where it stands.
    let origin = thread.origin();
    wait(|| thread.view(origin).unwrap().tick > 5);
    thread.set_time_scale(TimeScale::PAUSED);
    wait(|| thread.view(origin).unwrap().alpha > 0.0);
    let tick = thread.view(origin).unwrap().tick;
    thread.step_once();
    wait(|| thread.view(origin).unwrap().tick > tick);
    sleep(20 * MS);
    assert_eq!(thread.view(Instant::now()).unwrap().tick, tick + 1);
    thread.set_time_scale(TimeScale::NORMAL);
    wait(|| thread.view(Instant::now()).unwrap().tick > tick + 20);
}

#[test]
fn a_panic_in_a_step_reaches_the_owner_as_an_error() {
    let mut thread = stepper(1000, |tick| assert!(tick < 10, "tick {tick} is too much"));
    wait(|| thread.view(Instant::now()).is_err());
    let error = thread.stop().unwrap_err();
    assert!(matches!(&error, SimThreadError::Panicked(message) if message == "tick 10 is too much"));
    assert_eq!(error.to_string(), "the simulation panicked: tick 10 is too much");
}

#[test]
fn a_view_after_a_panic_does_not_wait_for_the_end_of_its_thread() {
    /// A value of the simulation's thread, whose end takes as long as the owner lets it.
    struct Slow(mpsc::Receiver<()>);
    impl Drop for Slow {
        fn drop(&mut self) {
            let _ = self.0.recv_timeout(Duration::from_secs(60));
        }
    }
    thread_local!(static SLOW: RefCell<Option<Slow>> = const { RefCell::new(None) });

    let (end, ended) = mpsc::channel();
    let mut slow = Some(Slow(ended));
    let mut thread = stepper(1000, move |_| {
        SLOW.set(slow.take());
        panic!("a step");
    });
    wait(|| thread.view(Instant::now()).is_err());
    end.send(()).expect("the thread has not ended");
    thread.stop().unwrap_err();
}

#[test]
fn a_panic_during_construction_is_an_error_of_spawn() {
    let build = || -> Stepper<fn(u64)> { panic!("no level") };
    let error = SimThread::spawn(FixedTimestep::new(Rate::hz(60)), build).unwrap_err();
    assert_eq!(error.to_string(), "the simulation panicked: no level");
}

/// A snapshot that cannot be copied for ever.
struct Fragile(Arc<AtomicU32>);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(self.0.fetch_add(1, Ordering::Relaxed) < 40, "worn out");
        Self(Arc::clone(&self.0))
    }
}

struct Copied(Fragile);

impl Simulation for Copied {
    type Input = ();
    type Snapshot = Fragile;

    fn step(&mut self, _: &Step, _: &mut StepInput<'_, ()>) {}

    fn snapshot(&self) -> Fragile {
        Fragile(Arc::clone(&self.0.0))
    }
}

#[test]
fn a_panic_in_the_clone_of_a_snapshot_is_an_error_and_not_a_torn_snapshot() {
    let timestep = FixedTimestep::new(Rate::hz(1000));
    let mut thread = SimThread::spawn(timestep, || Copied(Fragile(Arc::default()))).unwrap();
    wait(|| thread.view(Instant::now()).is_err());
    assert!(thread.stop().unwrap_err().to_string().contains("worn out"));
}

#[test]
fn dropping_it_ends_its_thread_also_when_the_next_step_is_far() {
    struct OnDrop(mpsc::Sender<()>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let (dropped, received) = mpsc::channel();
    let on_drop = OnDrop(dropped);
    let start = Instant::now();
    let each = move |_| {
        let _ = &on_drop;
    };
    let once_a_day = FixedTimestep::new(Rate::new(1, 86_400).unwrap());
    drop(SimThread::spawn(once_a_day, || Stepper(0, each)).unwrap());
    received.try_recv().unwrap();
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn no_snapshot_is_torn_and_time_never_goes_back() {
    struct Wide([u64; 256]);
    impl Simulation for Wide {
        type Input = ();
        type Snapshot = [u64; 256];

        fn step(&mut self, step: &Step, _: &mut StepInput<'_, ()>) {
            self.0 = [step.tick + 1; 256];
        }

        fn snapshot(&self) -> [u64; 256] {
            self.0
        }
    }
    let mut thread = SimThread::spawn(FixedTimestep::new(Rate::hz(2000)), || Wide([0; 256])).unwrap();
    let (mut last_tick, mut last_drawn, mut views) = (0, 0.0, 0_u64);
    let mut lateness = Vec::new();
    while last_tick < 1000 {
        let view = thread.view(Instant::now()).unwrap();
        assert!(view.current.iter().all(|value| *value == view.tick));
        let before = view.previous[0];
        assert!(view.previous.iter().all(|value| *value == before) && before <= view.tick);
        assert!(before + 1 == view.tick || view.tick == 0);
        let drawn = view.tick as f64 + view.alpha;
        assert!(view.tick >= last_tick && drawn >= last_drawn);
        if view.tick > last_tick {
            lateness.push(view.stats.lateness);
        }
        (last_tick, last_drawn, views) = (view.tick, drawn, views + 1);
    }
    lateness.sort_unstable();
    let at = |share: f64| lateness[((lateness.len() - 1) as f64 * share) as usize];
    println!(
        "{views} views of {last_tick} ticks; late by {:?} (p50), {:?} (p99), {:?} at most",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
