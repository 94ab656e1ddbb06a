//! Says first what is missing where the compiler is older than xtask's `rust-version`. Cargo's own words for that name it in a second line,
//! after each package that it concerns; so the aliases of `.cargo/config.toml` leave it to this file.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let version = version.split(' ').nth(1).unwrap_or_default();
    let numbers = |version: &str| {
        version
            .split('.')
            .map_while(|number| number.parse().ok())
            .collect::<Vec<u32>>()
    };
    if numbers(version) < numbers(wanted) {
        println!(
            "cargo::error=Rust {wanted} is needed, and this is {version}: install rustup (https://rustup.rs), which then installs the compiler \
             that rust-toolchain.toml names"
        );
    }
}
