//! Builds the page into the command, so that `evenstep-lab serve` works without a checkout.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| PathBuf::from(env::var_os(name).unwrap_or_default());
    let (package, out) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR").join("page"));
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    // `cargo xtask page` touches this file when it has rebuilt the page.
    let page = package.join("../../target/page/site");
    if page.join("index.html").is_file() && env::var_os("CARGO_FEATURE_SERVE").is_some() {
        println!("cargo::rerun-if-changed={}", page.display());
        copy(&page, &out)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
