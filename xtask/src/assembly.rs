//! Checks in the compiler's output that blending is vectorised.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::skipped::skip;

/// The target folder of this build.
const TARGET: &str = "target/assembly";

/// Processors with their vector registers, which hold four and eight numbers.
const PROCESSORS: &[(&str, &str)] = &[("x86-64", "%xmm"), ("x86-64-v3", "%ymm")];

/// Parts of the symbols of functions that blend, and the smallest number of these functions: for poses and matrices, in 2D and 3D.
const BLENDS: (&str, &str) = ("write_fast", "7Blended");
const LEAST: usize = 4;

/// The instructions that multiply several numbers, and one number. Only the bodies of an incomplete last block need the latter.
const SEVERAL: &str = "mulps";
const ONE: &str = "mulss";

/// Fails if a function works on one body at a time.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if !cfg!(target_arch = "x86_64") {
        return Err(skip("only x86-64 instructions are known here"));
    }
    for (processor, registers) in PROCESSORS {
        shell.remove_path(TARGET)?;
        let processor_flag = format!("target-cpu={processor}");
        // Mangled symbols that contain the types of a function.
        let flags = ["--emit=asm", "-C", &processor_flag, "-C", "symbol-mangling-version=v0"];
        cmd!(
            shell,
            "cargo rustc --quiet --release -p evenstep --lib --target-dir {TARGET} -- {flags...}"
        )
        .run()?;
        let assembly = shell.read_file(assembly(shell)?)?;
        let functions: Vec<&str> = labels(&assembly).collect();
        if functions.len() < LEAST {
            bail!(
                "only {} functions of {BLENDS:?} for {processor}, not {LEAST}",
                functions.len()
            );
        }
        for function in &functions {
            let body = body(&assembly, function).with_context(|| format!("{function} has no end"))?;
            let several = body
                .lines()
                .filter(|line| line.contains(SEVERAL) && line.contains(registers));
            let (several, one) = (several.count(), body.matches(ONE).count());
            if several == 0 || several < one {
                bail!(
                    "{function} for {processor}: {several} times {SEVERAL} on {registers}, {one} times {ONE}: not vectorised"
                );
            }
        }
        println!("{processor}: {} functions work on {registers}", functions.len());
    }
    Ok(())
}

/// The path of the file that the compiler wrote.
fn assembly(shell: &Shell) -> Result<PathBuf> {
    let files = shell.read_dir(format!("{TARGET}/release/deps"))?;
    let is_it = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "s");
    files.into_iter().find(is_it).context("the compiler wrote no assembly")
}

/// The labels of functions that blend.
fn labels(assembly: &str) -> impl Iterator<Item = &str> {
    let labels = assembly.lines().filter_map(|line| line.strip_suffix(':'));
    labels.filter(|label| label.starts_with('_') && label.contains(BLENDS.0) && label.contains(BLENDS.1))
}

/// The instructions between the label of a function and its end.
fn body<'a>(assembly: &'a str, function: &str) -> Option<&'a str> {
    let (_, from) = assembly.split_once(&format!("\n{function}:\n"))?;
    from.split_once(".Lfunc_end").map(|(body, _)| body)
}
