//! The protocol between the owner of a simulation and its thread, at small sizes, in every interleaving.

use std::boxed::Box;
use std::panic::resume_unwind;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard};
use std::vec::Vec;

use shuttle::scheduler::DfsScheduler;
use shuttle::{Config, Runner};

use super::system::now;
use super::{SimThread, SimThreadError, Simulation, StepInput};
use crate::step::{FixedTimestep, Step};
use crate::time::{Rate, TimeScale};

/// Runs a model in all interleavings, of which there must be several; a deadlock or a panic fails.
fn in_every_interleaving(model: impl Fn() + Send + Sync + 'static) {
    let runs = Runner::new(DfsScheduler::new(None, false), Config::default()).run(model);
    assert!(runs > 10, "only {runs} interleavings");
}

/// The final state of a simulation, observed from outside the model.
#[derive(Clone, Default)]
struct Observed(Arc<Mutex<Log>>);

#[derive(Default)]
struct Log {
    steps: u64,
    delivered: Vec<u32>,
    is_gone: bool,
}

impl Observed {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Records the calls that it receives, and may panic in a step.
struct Noter {
    observed: Observed,
    panics: bool,
}

impl Simulation for Noter {
    type Input = u32;
    type Snapshot = u64;

    fn step(&mut self, _: &Step, input: &mut StepInput<'_, u32>) {
        self.observed.log().steps += 1;
        if self.panics {
            // Without the words and the backtrace of a panic, thousands of times.
            resume_unwind(Box::new("as it should"));
        }
        // Taking input lets other threads run, which must not find the log locked.
        let input: Vec<u32> = input.collect();
        self.observed.log().delivered.extend(input);
    }

    fn snapshot(&self) -> u64 {
        self.observed.log().steps
    }
}

impl Drop for Noter {
    fn drop(&mut self) {
        self.observed.log().is_gone = true;
    }
}

fn spawn(panics: bool) -> (SimThread<u32, u64>, Observed) {
    let observed = Observed::default();
    let noter = Noter {
        observed: observed.clone(),
        panics,
    };
    let thread = SimThread::spawn(FixedTimestep::new(Rate::hz(100)), move || noter);
    (thread.unwrap(), observed)
}

fn message(result: Result<(), SimThreadError>) -> String {
    match result {
        Err(SimThreadError::Panicked(message)) => message,
        Err(SimThreadError::Spawn(error)) => panic!("{error}"),
        Ok(()) => String::new(),
    }
}

#[test]
#[ignore = "seconds: every interleaving"]
fn a_simulation_that_is_stopped_or_dropped_is_gone() {
    in_every_interleaving(|| {
        let (thread, observed) = spawn(false);
        thread.stop().unwrap();
        assert!(observed.log().is_gone);
    });
    in_every_interleaving(|| {
        let (thread, observed) = spawn(false);
        drop(thread);
        assert!(observed.log().is_gone);
    });
}

#[test]
#[ignore = "seconds: every interleaving"]
fn a_panic_during_construction_is_returned() {
    let runs = Runner::new(DfsScheduler::new(None, false), Config::default()).run(|| {
        let build = || -> Noter { resume_unwind(Box::new("not built")) };
        let built = SimThread::spawn(FixedTimestep::new(Rate::hz(100)), build);
        assert_eq!(message(built.map(drop)), "not built");
    });
    assert!(runs > 1);
}

#[test]
#[ignore = "seconds: every interleaving"]
fn a_panic_in_a_step_is_returned_and_never_blocks_the_owner() {
    in_every_interleaving(|| {
        let (mut thread, observed) = spawn(true);
        thread.step_once();
        // Refused or not: the simulation may be gone.
        let _ = thread.send(now(), 1);
        let _ = thread.view(now());
        let panic = message(thread.stop());
        let log = observed.log();
        assert_eq!(panic == "as it should", log.steps == 1);
        assert!(log.is_gone && log.delivered.is_empty());
    });
}

#[test]
#[ignore = "seconds: every interleaving"]
fn a_thread_that_stands_still_is_stopped() {
    in_every_interleaving(|| {
        let (thread, observed) = spawn(false);
        thread.set_time_scale(TimeScale::PAUSED);
        thread.stop().unwrap();
        assert!(observed.log().is_gone);
    });
}

#[test]
#[ignore = "seconds: every interleaving"]
fn a_step_that_is_requested_in_a_pause_runs_once() {
    in_every_interleaving(|| {
        let (mut thread, observed) = spawn(false);
        thread.set_time_scale(TimeScale::PAUSED);
        thread.step_once();
        let tick = thread.view(now()).unwrap().tick;
        thread.stop().unwrap();
        // One by time before the pause, and that one.
        assert!((tick..=2).contains(&observed.log().steps));
    });
}

#[test]
#[ignore = "seconds: every interleaving"]
fn accepted_inputs_are_delivered_once_and_in_order() {
    in_every_interleaving(|| {
        let (mut thread, observed) = spawn(false);
        // There is room for two.
        let accepted: Vec<u32> = (0..3).filter(|number| thread.send(now(), *number).is_ok()).collect();
        assert!(accepted.starts_with(&[0, 1]));
        if accepted.len() == 3 {
            assert!(observed.log().steps > 0);
        }
        thread.stop().unwrap();
        assert!(accepted.starts_with(&observed.log().delivered));
    });
}
