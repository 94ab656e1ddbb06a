//! Runs the tests of the quick tier as a user without rights, without a program that is not part of every Debian system, and one test of a
//! compositor with the installed packages.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs::workspace;

/// A user that every Linux system has and that owns nothing.
const USER: &str = "nobody";

/// Debian's packages with the programs that the tests may call: they are part of every system.
const ESSENTIAL: [&str; 3] = ["coreutils", "dash", "procps"];

/// The test of a compositor, and the program that has it.
const COMPOSITOR: (&str, &str) = ("command", "compositors::limits_are_checked_in_the_same_run");

/// The step of `cargo ci`: runs the test programs of the packages, which other steps have compiled.
pub(crate) fn check(shell: &Shell, packages: &[&str]) -> Result<()> {
    if cmd!(shell, "id -u").quiet().read()? != "0" {
        println!("this run is by a user without rights, and so were all of its steps");
        return Ok(());
    }
    let (path, home) = (built("user/programs")?, built("user/home")?);
    shell.remove_path(&path)?;
    shell.create_dir(&path)?;
    shell.create_dir(&home)?;
    let files = cmd!(shell, "dpkg-query --listfiles {ESSENTIAL...}").quiet().read()?;
    let programs = files
        .lines()
        .filter(|file| Path::new(file).parent().is_some_and(|folder| folder.ends_with("bin")));
    cmd!(shell, "ln --symbolic --force --target-directory {path} {programs...}")
        .quiet()
        .run()?;
    cmd!(shell, "chown {USER} {home}").quiet().run()?;
    let run = |program: &str, folder: &str, path: &str, options: &[&str]| {
        let home = home.display();
        let variables = [
            format!("PATH={path}"),
            format!("HOME={home}"),
            format!("XDG_RUNTIME_DIR={home}"),
        ];
        let _folder = shell.push_dir(folder);
        let test = cmd!(
            shell,
            "runuser --user {USER} -- env --ignore-environment {variables...} {program} --quiet {options...}"
        );
        test.quiet()
            .run()
            .with_context(|| format!("as {USER}, without installed programs: {program}"))
    };
    let mut count = 0;
    for (name, program, folder) in programs_of(shell, packages)? {
        run(&program, &folder, &path.display().to_string(), &[])?;
        count += 1;
        if name == COMPOSITOR.0 {
            run(
                &program,
                &folder,
                "/usr/bin:/bin",
                &["--ignored", "--exact", COMPOSITOR.1],
            )?;
        }
    }
    ensure!(count > 0, "there are no test programs of {}", packages.join(", "));
    println!("{count} test programs and a compositor's test passed as {USER}");
    Ok(())
}

/// The test programs of packages: name, path, and the folder in which cargo runs them.
fn programs_of(shell: &Shell, packages: &[&str]) -> Result<Vec<(String, String, String)>> {
    let build = workspace(shell, "test").args(["--tests", "--no-run", "--quiet", "--message-format", "json"]);
    let messages = build.quiet().read()?;
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
        let is_test = message["profile"]["test"] == true;
        // The compiler loads a macro's library, which is not where this user may read.
        let is_macro = message["target"]["kind"][0] == "proc-macro";
        (is_test && !is_macro).then_some(())?;
        let manifest = shell.read_file(folder.join("Cargo.toml")).ok()?;
        let is_of = |name: &&str| manifest.contains(&format!("name = \"{name}\"\n"));
        packages.iter().find(|name| is_of(name))?;
        let name = message["target"]["name"].as_str()?.to_owned();
        Some((
            name,
            message["executable"].as_str()?.to_owned(),
            folder.display().to_string(),
        ))
    };
    Ok(messages.lines().filter_map(program).collect())
}
