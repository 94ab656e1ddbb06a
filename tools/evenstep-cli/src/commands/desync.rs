//! `evenstep desync`: the values in which the states of two machines differ.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evenstep::inspect::Dump;

use crate::failure::{self, Failure};
use crate::output;

/// The arguments of `desync`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The state of one machine, as `evenstep::inspect::Dump` writes it: "here" in the report.
    #[arg(value_name = "A")]
    here: PathBuf,
    /// The state of another machine before the same tick: "there".
    #[arg(value_name = "B")]
    there: PathBuf,
}

/// The prefix of the paths of players' inputs in the dumps of `evenstep_desync::DesyncMonitor`.
const INPUTS: &str = "player_inputs[";

/// The largest number of inputs that are printed.
const MAX_INPUTS: usize = 32;

/// Prints the tick and the path of each value that differs. If the players' inputs are the same in both files, prints them, too. The exit
/// code is 1 if a value differs.
pub(crate) fn desync(args: &Arguments) -> Result<ExitCode, Failure> {
    let (here, there) = (read(&args.here)?, read(&args.there)?);
    let (report, exit) = match here.compare(&there) {
        Some(desync) => {
            let are_equal = inputs(&here).eq(inputs(&there));
            let inputs = if are_equal { inputs_report(&here) } else { String::new() };
            (format!("{desync}{inputs}"), ExitCode::from(1))
        }
        None => {
            let (tick, values) = (here.tick(), here.values().len());
            (format!("tick {tick}: all {values} values are equal"), ExitCode::SUCCESS)
        }
    };
    output::print(&(report + "\n"))?;
    Ok(exit)
}

/// The players' inputs in a dump, with their paths.
fn inputs(dump: &Dump) -> impl Iterator<Item = (&str, &str)> {
    dump.values().filter(|(path, _)| path.starts_with(INPUTS))
}

/// The lines about the inputs that both machines had; empty if the dump has no inputs.
fn inputs_report(dump: &Dump) -> String {
    let count = inputs(dump).count();
    let mut report = String::new();
    if count > 0 {
        report += &format!("\ntick {}: the inputs since both agreed are the same:", dump.tick());
    }
    for (path, value) in inputs(dump).take(MAX_INPUTS) {
        report += &format!("\n  {path} = {value}");
    }
    if count > MAX_INPUTS {
        report += &format!("\n  {} more", count - MAX_INPUTS);
    }
    report
}

/// Reads a dump. The exit code of an error is 2, because 1 means that the states differ.
fn read(path: &Path) -> Result<Dump, Failure> {
    let name = path.display();
    let text = fs::read(path).map_err(|error| {
        let reason = failure::reason(&error);
        Failure::Usage(format!("{name}: cannot be read: {reason}; check the path"))
    })?;
    let text = String::from_utf8(text).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Failure::Usage(format!("{name}:{line}: is not UTF-8; copy the file unchanged"))
    })?;
    let dump = text.parse::<Dump>();
    dump.map_err(|error| Failure::Usage(format!("{name}:{}: {error}", error.line())))
}
