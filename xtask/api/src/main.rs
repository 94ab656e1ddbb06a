//! `evenstep-api FILE.json` prints the public API that rustdoc has written as JSON, a line for each item; with `--without-derived` before the
//! file none for what `derive` wrote.
//!
//! With other arguments it stands for rustdoc in `cargo test --doc`: it runs the examples in the documentation of a library, and then
//! documents the library as JSON in the folder that `EVENSTEP_API` names. Any warning fails, such as one about a link that leads nowhere.
//! `cargo doc` would check all dependencies for that, which are compiled for the examples in any case.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if let [options @ .., file] = arguments.as_slice()
        && Path::new(file).extension().is_some_and(|extension| extension == "json")
    {
        print(Path::new(file), options == ["--without-derived"])?;
        return Ok(ExitCode::SUCCESS);
    }
    let status = Command::new("rustdoc").args(&arguments).status().context("rustdoc")?;
    if !status.success() || !arguments.iter().any(|argument| argument == "--test") {
        return Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)));
    }
    document(arguments)
}

fn print(file: &Path, omits_derived: bool) -> Result<()> {
    let api = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(omits_derived)
        .build()
        .with_context(|| format!("{}", file.display()))?;
    api.items().for_each(|item| println!("{item}"));
    Ok(())
}

/// Runs rustdoc with the arguments for the tests of a library, except those of the tests.
fn document(mut arguments: Vec<OsString>) -> Result<ExitCode> {
    arguments.retain(|argument| argument != "--test");
    if let Some(at) = arguments.iter().position(|argument| argument == "--test-run-directory") {
        arguments.drain(at..at + 2);
    }
    // Examples use the library as another crate; in its own documentation it is `crate`.
    if let Some(name) = arguments.iter().position(|argument| argument == "--crate-name") {
        let own = format!("{}=", arguments[name + 1].display());
        if let Some(at) = arguments
            .iter()
            .position(|argument| argument.to_string_lossy().starts_with(&own))
        {
            arguments.drain(at - 1..=at);
        }
    }
    let status = Command::new("rustdoc")
        .args(arguments)
        .args(["-Dwarnings", "-Zunstable-options", "--output-format=json", "--out-dir"])
        .arg(env::var_os("EVENSTEP_API").context("EVENSTEP_API names no folder")?)
        // Its JSON is not stable. Only rustdoc gets this setting: for the compiler it would change how dependencies are built.
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .context("rustdoc")?;
    Ok(ExitCode::from(u8::from(!status.success())))
}
