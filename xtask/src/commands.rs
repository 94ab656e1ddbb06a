//! Checks the commands in the book and READMEs: our own programs' subcommands and options, and cargo's packages and targets, must exist.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::packages;
use crate::snippets::{Part, parts};

/// Fails with a line for each command of the pages that does not exist. The programs must be built.
pub(crate) fn check(shell: &Shell, pages: &[PathBuf]) -> Result<()> {
    let packages = packages::of_workspace(shell)?;
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages {
        for command in commands(&shell.read_file(page)?) {
            count += 1;
            if let Err(error) = check_command(shell, &packages, &command) {
                wrong.push(format!("{}: {command}: {error:#}", page.display()));
            }
        }
    }
    if count == 0 || !wrong.is_empty() {
        bail!("{count} commands, of which these are wrong:\n{}", wrong.join("\n"));
    }
    println!("{count} commands of the pages exist");
    Ok(())
}

/// The commands of a page with one of our programs or cargo, in backticks and in blocks of `sh`.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for Part { info, text, .. } in parts(page) {
        let code: Vec<_> = match info {
            Some("sh") => text.replace("\\\n", " ").lines().map(str::to_owned).collect(),
            Some(_) => continue,
            None => text
                .split('`')
                .skip(1)
                .step_by(2)
                .map(|span| span.replace('\n', " "))
                .collect(),
        };
        for line in code {
            let line = line.split(" #").next().unwrap_or_default();
            let commands = line.split("&&").filter_map(|part| part.split(['|', '>', ';']).next());
            let commands = commands.map(|command| command.trim_matches([' ', '(', ')']).to_owned());
            let is_ours = |command: &String| {
                ["cargo ", "evenstep "]
                    .iter()
                    .any(|program| command.starts_with(program))
            };
            found.extend(commands.filter(is_ours));
        }
    }
    found
}

/// Lets a program read its arguments, and cargo's metadata tell of packages and targets.
fn check_command(shell: &Shell, packages: &[Value], command: &str) -> Result<()> {
    let words = shlex::split(command).context("a quotation has no end")?;
    // Arguments after `--` are for a program that the command runs.
    let words = words.iter().map(String::as_str).take_while(|word| *word != "--");
    let words: Vec<_> = words.map(|word| word.trim_matches(['[', ']'])).collect();
    let (program, arguments) = match &words[..] {
        ["cargo", "xtask", arguments @ ..] => ("xtask", arguments),
        ["cargo", "ci" | "lab", ..] => ("xtask", &words[1..]),
        ["cargo", arguments @ ..] => return targets(packages, arguments),
        [program, arguments @ ..] => (*program, arguments),
        [] => return Ok(()),
    };
    // Steps are named by `cargo ci` alone. `…` and `NAME` stand for any.
    let ending = match arguments.contains(&"--only") && arguments[0] == "ci" && !arguments.contains(&"NAME") {
        true => "--list",
        false => "--help",
    };
    // Not the program that runs: with the features of all packages it has been linked again.
    let path = built(&format!("debug/{program}"))?;
    let arguments = arguments.iter().take_while(|argument| **argument != "…");
    let output = cmd!(shell, "{path} {arguments...} {ending}")
        .quiet()
        .ignore_status()
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Checks that the packages and targets that are named exist, if a package of the workspace is.
fn targets(packages: &[Value], words: &[&str]) -> Result<()> {
    let value = |option: &str| words.windows(2).find(|pair| pair[0] == option).map(|pair| pair[1]);
    let Some(name) = value("-p").or(value("--package")).filter(|name| *name != "CRATE") else {
        return Ok(());
    };
    let package = packages.iter().find(|package| package["name"] == name);
    let package = package.with_context(|| format!("no package is called {name}"))?;
    for kind in ["bin", "example", "test", "bench"] {
        let Some(name) = value(&format!("--{kind}")) else {
            continue;
        };
        let mut targets = package["targets"].as_array().into_iter().flatten();
        let is_there = targets.any(|target| target["kind"][0] == kind && target["name"] == name);
        ensure!(is_there, "there is no --{kind} {name}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_commands_are_found_in_blocks_and_in_backticks() {
        let page = "Run `evenstep analyze a.csv`, not `evenstep` or `a b`.\n```sh\ncargo new a && cargo run   # try\nevenstep record \\\n    -- a\n```\n```text\ncargo no\n```\n\
                    `(cd ../evenstep && cargo xtask\npage)`, `evenstep compare a b | less`\n";
        let expected = [
            "evenstep analyze a.csv",
            "cargo new a",
            "cargo run",
            "evenstep record      -- a",
            "cargo xtask page",
            "evenstep compare a b",
        ];
        assert_eq!(commands(page), expected);
    }

    #[test]
    fn a_package_and_its_target_must_exist() {
        let packages = [serde_json::json!({ "name": "a", "targets": [{ "kind": ["test"], "name": "t" }] })];
        for (command, is_right) in [
            (["test", "-p", "a", "--test", "t"], true),
            (["test", "-p", "a", "--test", "u"], false),
            (["run", "-p", "a", "--bin", "t"], false),
            (["test", "-p", "b", "--test", "t"], false),
        ] {
            assert_eq!(targets(&packages, &command).is_ok(), is_right, "{command:?}");
        }
    }
}
