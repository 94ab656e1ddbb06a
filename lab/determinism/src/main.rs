//! Prints a hash of each scene on each engine, and of each part of the core's arithmetic. `stored/same-bits.md` has the hashes, which must
//! be the same on every processor: `cargo xtask same-bits` runs the program on several. In WebAssembly `report` is a function for JavaScript.
#![forbid(unsafe_code)]

mod arithmetic;
mod scenes;

#[cfg(not(target_family = "wasm"))]
fn main() {
    if let Err(broken) = arithmetic::check_products() {
        eprintln!("{broken}");
        std::process::exit(3);
    }
    print!("{}", report());
}

#[cfg(target_family = "wasm")]
fn main() {}

/// The name and the hash of each result, a line each.
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen)]
#[must_use]
pub fn report() -> String {
    let arithmetic = arithmetic::PARTS.iter().map(|(name, run)| ((*name).to_owned(), run()));
    scenes::run()
        .chain(arithmetic)
        .map(|(name, hash)| format!("{name} {hash:016x}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_result_has_its_stored_hash() {
        let stored = include_str!("../../../stored/same-bits.md");
        let report = super::report();
        for line in report.lines() {
            let (name, hash) = line.split_once(' ').unwrap();
            let row = format!("| {name} | `{hash}` |");
            assert!(stored.contains(&row), "stored/same-bits.md has no row {row}");
        }
        let rows = stored.lines().filter(|line| line.contains(" | `")).count();
        assert_eq!(report.lines().count(), rows);
    }
}
