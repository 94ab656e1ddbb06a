//! Prints a table with a hash of each scene on each engine, and of each part of the core's arithmetic: `stored/same-bits.md`, the same on
//! every processor. `cargo test` compares the hashes of a machine with the stored ones. In WebAssembly `report` is a function for JavaScript.
#![forbid(unsafe_code)]

mod arithmetic;
mod scenes;

#[cfg(not(target_family = "wasm"))]
fn main() {
    print!("{}", report());
}

#[cfg(target_family = "wasm")]
fn main() {}

/// The table.
///
/// # Panics
///
/// If the processor or its emulator computes wrong.
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen)]
#[must_use]
pub fn report() -> String {
    arithmetic::check_products();
    let arithmetic = arithmetic::PARTS.iter().map(|(name, run)| ((*name).to_owned(), run()));
    let rows = scenes::run()
        .chain(arithmetic)
        .map(|(name, hash)| format!("| {name} | `{hash:016x}` |\n"));
    format!("| | hash |\n|---|---|\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_result_has_its_stored_hash() {
        let stored = include_str!("../../../stored/same-bits.md");
        let report = super::report();
        for row in report.lines() {
            assert!(stored.contains(row), "stored/same-bits.md has no row {row}");
        }
        if cfg!(all(feature = "box2d", feature = "rapier2d", feature = "rapier3d")) {
            assert_eq!(report, stored, "cargo xtask bless --only same-bits");
        }
    }
}
