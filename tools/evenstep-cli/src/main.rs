//! The `evenstep` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    evenstep_cli::main()
}
