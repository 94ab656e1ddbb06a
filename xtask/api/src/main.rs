//! `evenstep-api FILE.json` prints the public API that rustdoc has written as JSON, a line for each item.
//!
//! With other arguments it runs rustdoc with unstable options enabled, because rustdoc's JSON is not stable. Only rustdoc gets this
//! setting: for the compiler it would change how dependencies are built.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if let [file] = arguments.as_slice()
        && Path::new(file).extension().is_some_and(|extension| extension == "json")
    {
        let api = public_api::Builder::from_rustdoc_json(file)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()
            .with_context(|| format!("{}", Path::new(file).display()))?;
        api.items().for_each(|item| println!("{item}"));
        return Ok(ExitCode::SUCCESS);
    }
    let status = Command::new("rustdoc")
        .args(arguments)
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .context("rustdoc")?;
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)))
}
