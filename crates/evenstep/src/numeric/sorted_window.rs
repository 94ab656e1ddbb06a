//! Sorting of a window of measurements.

use core::cmp::Ordering;

/// Sorts values in place. The order of equal values is unspecified. In WebAssembly it is a shell sort, which is smaller: `core`'s
/// unstable sort adds 7 kB.
pub(crate) fn sort<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") {
        shell_sort(values, compare);
    } else {
        values.sort_unstable_by(compare);
    }
}

/// Shell sort: insertion sort over decreasing gaps.
fn shell_sort<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
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
        fn shell_sort_and_the_sort_of_core_give_the_same_order(mut values in prop::collection::vec(any::<f64>(), 0..600)) {
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            shell_sort(&mut values, f64::total_cmp);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&values), bits(&sorted));
        }
    }
}
