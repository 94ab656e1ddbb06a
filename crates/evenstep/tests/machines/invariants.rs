//! What holds for every type and after every call, named once.

use std::fmt::Debug;

use crate::exact::Exact;

/// What came in is what came out, or more by less than a limit; where that is zero, to the last unit.
#[track_caller]
pub(crate) fn conserved(came_in: &Exact, came_out: &Exact, limit: &Exact) {
    let more = came_in - came_out;
    let zero = Exact::default();
    assert!(
        more == zero || (more > zero && more < *limit),
        "{came_in} came in, {came_out} came out"
    );
}

/// Alpha is at least 0 and below 1, also as an `f32`.
#[track_caller]
pub(crate) fn alpha_is_in_range(alpha: f64) {
    assert!((0.0..1.0).contains(&alpha), "alpha {alpha}");
    assert!((alpha as f32) < 1.0, "alpha {alpha} as f32");
}

/// The state that a frame shows never goes back. `None` where time was set back on purpose.
#[track_caller]
pub(crate) fn drawn_time_is_monotonic<T: PartialOrd + Debug>(earlier: Option<&T>, later: &T) {
    assert!(
        earlier.is_none_or(|earlier| earlier <= later),
        "{earlier:?}, then {later:?}"
    );
}

/// A call did no more work than its order allows: counted, not timed.
#[track_caller]
pub(crate) fn costs_at_most(of: &str, counted: u64, allowed: u64) {
    assert!(counted <= allowed, "{counted} {of} where {allowed} are allowed");
}

/// A call that failed changed nothing.
#[track_caller]
pub(crate) fn unchanged_by_failure<T: PartialEq + Debug>(before: &T, after: &T) {
    assert_eq!(before, after, "before the failure, then after it");
}

/// Memory, or any other quantity with a cap, is within it after every call.
#[track_caller]
pub(crate) fn is_within_cap(used: usize, cap: usize) {
    assert!(used <= cap, "{used} used of {cap}");
}

/// Each accepted event is delivered once, and in order.
#[track_caller]
pub(crate) fn delivered_once_in_order<T: PartialEq + Debug>(accepted: &[T], delivered: &[T]) {
    assert_eq!(accepted, delivered, "accepted, then delivered");
}
