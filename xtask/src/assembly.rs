//! Looks whether the compiler still blends several bodies at once: at the instructions that it chose.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

/// Where it is built.
const TARGET: &str = "target/assembly";

/// Processors, and the registers that their vector instructions work on: four numbers, and eight.
const PROCESSORS: &[(&str, &str)] = &[("x86-64", "%xmm"), ("x86-64-v3", "%ymm")];

/// What blends a block of poses in the plane and in space, as parts of symbols.
const FUNCTIONS: &[&str] = &["5plane5blend17", "5space5blend17"];

/// Products of several numbers, which there must be, and of one, which there must not.
const SEVERAL: &str = "mulps";
const ONE: &str = "mulss";

/// Fails if a function works on one body at a time.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: the instructions that are looked for are those of x86-64");
        return Ok(());
    }
    for (processor, registers) in PROCESSORS {
        shell.remove_path(TARGET)?;
        let flags = ["--emit=asm", "-C", &format!("target-cpu={processor}")];
        cmd!(
            shell,
            "cargo rustc --quiet --release -p evenstep --lib --target-dir {TARGET} -- {flags...}"
        )
        .run()?;
        let assembly = shell.read_file(assembly(shell)?)?;
        for function in FUNCTIONS {
            let body = body(&assembly, function).with_context(|| format!("no function is called {function}"))?;
            let is_there = |line: &str| line.contains(SEVERAL) && line.contains(registers);
            if !body.lines().any(is_there) || body.contains(ONE) {
                bail!(
                    "{function} has no {SEVERAL} on {registers} for {processor}, or a {ONE}: it is no longer vectorised"
                );
            }
        }
        println!("{processor}: {} functions work on {registers}", FUNCTIONS.len());
    }
    Ok(())
}

/// The file that the compiler wrote.
fn assembly(shell: &Shell) -> Result<PathBuf> {
    let files = shell.read_dir(format!("{TARGET}/release/deps"))?;
    let is_it = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "s");
    files.into_iter().find(is_it).context("the compiler wrote no assembly")
}

/// What stands between the label of a function and its end.
fn body<'a>(assembly: &'a str, function: &str) -> Option<&'a str> {
    let is_label = |line: &str| line.starts_with('_') && line.ends_with(':') && line.contains(function);
    let label = assembly.lines().find(|line| is_label(line))?;
    let (_, from) = assembly.split_once(&format!("\n{label}\n"))?;
    from.split_once(".Lfunc_end").map(|(body, _)| body)
}
