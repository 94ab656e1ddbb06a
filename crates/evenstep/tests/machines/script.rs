//! Runs a machine through random scripts of calls. A failure shrinks to a short one, which is printed.

use proptest::test_runner::{Config, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

/// As many scripts as `PROPTEST_CASES` says, or `scripts`, of up to `calls` calls each.
pub(crate) fn run<M: StateMachineTest>(scripts: u32, calls: usize)
where
    M::Reference: ReferenceStateMachine,
{
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(scripts),
        failure_persistence: None,
        ..Config::default()
    };
    let sequences = M::Reference::sequential_strategy(1..calls);
    let run = TestRunner::new(config.clone()).run(&sequences, |(reference, calls, seen)| {
        M::test_sequential(config.clone(), reference, calls, seen);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
