//! Sorting a window of measurements.

use core::cmp::Ordering;

/// Sorts values of which equal ones cannot be told apart. In WebAssembly it takes the smaller way: for the three kinds of values
/// that are sorted, `core`'s takes 7 kB.
pub(crate) fn sort<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") {
        sort_by_gaps(values, compare);
    } else {
        values.sort_unstable_by(compare);
    }
}

/// Shell's sort: an insertion sort of values far from each other, then of nearer ones.
fn sort_by_gaps<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut gap = values.len();
    while gap > 1 {
        gap = (gap * 5 / 11).max(1);
        for at in gap..values.len() {
            let value = values[at];
            let mut to = at;
            while to >= gap && compare(&value, &values[to - gap]).is_lt() {
                values[to] = values[to - gap];
                to -= gap;
            }
            values[to] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_ways_give_the_same_order(mut values in prop::collection::vec(any::<f64>(), 0..600)) {
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            sort_by_gaps(&mut values, f64::total_cmp);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&values), bits(&sorted));
        }
    }
}
