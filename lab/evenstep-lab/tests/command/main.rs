//! Tests of the lab's command as a user runs it: one file for each subcommand, and some for behaviour that all of them share.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_evenstep-lab");

mod command_line;
#[path = "../../../../tools/evenstep-cli/tests/command/common.rs"]
mod common;
mod filters;
mod run;
mod run_outputs;
mod scenes;

/// The text of a row of a run's summary.
fn row<'a>(summary: &'a str, name: &str) -> &'a str {
    let rows = summary.lines().filter_map(|line| line.strip_prefix(name));
    let values: Vec<&str> = rows.filter(|rest| rest.starts_with("  ")).map(str::trim).collect();
    assert_eq!(values.len(), 1, "{name} in {summary}");
    values[0]
}
