//! Checks the commands in the book and READMEs: each program, its subcommand, its options and cargo's targets must exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::packages;
use crate::snippets::{Part, parts};

/// Fails with a line for each command of the pages that does not exist. The programs must be built.
pub(crate) fn check(shell: &Shell, pages: &[PathBuf]) -> Result<()> {
    let mut known = Known {
        shell,
        packages: packages::of_workspace(shell)?,
        helps: BTreeMap::new(),
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages {
        let text = fs::read_to_string(page).with_context(|| format!("{}: cannot be read", page.display()))?;
        for (line, command) in commands(&text) {
            count += 1;
            if let Err(error) = known.check(&command) {
                wrong.push(format!("{}:{line}: {command}: {error:#}", page.display()));
            }
        }
    }
    if count == 0 || !wrong.is_empty() {
        bail!("{count} commands, of which these are wrong:\n{}", wrong.join("\n"));
    }
    println!("{count} commands of the pages exist");
    Ok(())
}

/// The programs with which a command may begin: our own, whose subcommands and options are checked, and others, whose files are.
const PROGRAMS: [&str; 3] = ["cargo", "evenstep", "evenstep-lab"];
const OTHERS: [&str; 17] = [
    "apt", "c++", "cc", "cd", "cmake", "cp", "gh", "git", "mkdir", "node", "npm", "pip", "python", "python3", "rustup",
    "twine", "xvfb-run",
];

/// The commands of a page with their lines: all commands in `sh` blocks, and those in backticks that begin with a known program.
fn commands(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for Part { info, line, text } in parts(page) {
        let is_code = info == Some("sh");
        if info.is_some() && !is_code {
            continue;
        }
        let mut begun = String::new();
        for (line, text) in (line..).zip(text.lines()) {
            // A command goes on in the next line after a backslash, and counts as on its last line.
            if let (true, Some(part)) = (is_code, text.strip_suffix('\\')) {
                begun.push_str(part);
                continue;
            }
            let text = &(std::mem::take(&mut begun) + text.trim_start());
            let lines: Vec<&str> = match is_code {
                true => vec![text.split(" #").next().unwrap_or_default()],
                false => text
                    .split('`')
                    .skip(1)
                    .step_by(2)
                    .filter(|span| span.contains(' '))
                    .collect(),
            };
            let parts = lines.into_iter().flat_map(|line| line.split("&&"));
            let parts = parts.map(|part| part.split(" | ").next().unwrap_or_default());
            // `(cd a && b)` is two commands.
            let parts = parts.map(|part| part.trim_matches([' ', '(', ')']));
            let is_known = |part: &&str| {
                let first = program(part.split(' ').next().unwrap_or_default());
                PROGRAMS.contains(&first) || OTHERS.contains(&first)
            };
            let is_command = |part: &&str| !part.is_empty() && (is_code || is_known(part));
            found.extend(parts.filter(is_command).map(|part| (line, part.to_owned())));
        }
    }
    found
}

/// The name of a program, also of one in a virtual environment: `env/bin/pip`.
fn program(word: &str) -> &str {
    word.rsplit_once("/bin/").map_or(word, |(_, name)| name)
}

struct Known<'a> {
    shell: &'a Shell,
    packages: Vec<Value>,
    helps: BTreeMap<(String, String), String>,
}

impl Known<'_> {
    fn check(&mut self, command: &str) -> Result<()> {
        let words = shlex::split(command).context("a quotation has no end")?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match &words[..] {
            ["cargo", "xtask", rest @ ..] => self.options("xtask", rest),
            ["cargo", "ci" | "lab", ..] => {
                self.step(&words)?;
                self.options("xtask", &words[1..])
            }
            ["cargo", "add" | "install", rest @ ..] => self.files(rest),
            ["cargo", "run" | "test" | "bench" | "build" | "check", rest @ ..] => self.targets(rest),
            [
                "cargo",
                "new" | "fmt" | "doc" | "mutants" | "package" | "publish" | "yank",
                ..,
            ] => Ok(()),
            [program @ ("evenstep" | "evenstep-lab"), rest @ ..] => self.options(program, rest),
            [first, rest @ ..] if OTHERS.contains(&program(first)) => self.files(rest),
            _ => bail!("the program is unknown; name it in xtask/src/commands.rs if it is right"),
        }
    }

    /// Checks the arguments of another program that name files of the repository, relative to its root or to the folder beside it.
    fn files(&self, words: &[&str]) -> Result<()> {
        let root = self.shell.current_dir();
        for word in words {
            let path = word.trim_matches(['(', ')', '$']);
            // The path of the clone from the folder beside it.
            let path = path
                .strip_prefix("../evenstep")
                .filter(|inside| inside.is_empty() || inside.starts_with('/'))
                .map_or(path, |inside| inside.trim_start_matches('/'));
            let path = path.strip_prefix("./").unwrap_or(path);
            let exists = match path.split_once('/') {
                // Build results are not in a clone, and files outside our folders belong to the reader.
                Some((first, _)) => first == "target" || !root.join(first).is_dir() || root.join(path).exists(),
                None => true,
            };
            if !exists {
                bail!("there is no {path}");
            }
        }
        Ok(())
    }

    /// Checks a subcommand of one of our programs, with its options.
    fn options(&mut self, program: &str, words: &[&str]) -> Result<()> {
        // `evenstep-lab …` stands for any subcommand.
        let Some(command) = words.first().filter(|word| **word != "…") else {
            return Ok(());
        };
        let help = self.help(program, command)?;
        // Arguments after `--` are for a program that the command runs.
        let options = words[1..].iter().take_while(|word| **word != "--");
        let options = options.map(|word| word.trim_matches(['[', ']']));
        for option in options.filter(|word| word.starts_with("--") && word.len() > 2) {
            let name = option.split('=').next().unwrap_or(option);
            let is_it = |word: &str| word.trim_end_matches(',') == name;
            if name != "--help" && !help.split_whitespace().any(is_it) {
                bail!("{program} {command} has no option {name}");
            }
        }
        Ok(())
    }

    fn help(&mut self, program: &str, command: &str) -> Result<String> {
        let key = (program.to_owned(), command.to_owned());
        if let Some(help) = self.helps.get(&key) {
            return Ok(help.clone());
        }
        // Not the program that runs: with the features of all packages it has been linked again.
        let path = built(&format!("debug/{program}"))?;
        let output = cmd!(self.shell, "{path} {command} --help")
            .quiet()
            .ignore_stderr()
            .read();
        let help = output.with_context(|| format!("{program} has no command {command}"))?;
        self.helps.insert(key, help.clone());
        Ok(help)
    }

    /// Checks the step that `cargo ci --only` names, unless it is a placeholder.
    fn step(&self, words: &[&str]) -> Result<()> {
        let Some(name) = value(words, "--only").filter(|name| *name != "NAME") else {
            return Ok(());
        };
        let program = built("debug/xtask")?;
        // `--only` also finds steps that run only where others' recordings are.
        let found = cmd!(self.shell, "{program} ci --only {name} --list").quiet();
        match found.ignore_stdout().ignore_stderr().run() {
            Ok(()) => Ok(()),
            Err(_) => bail!("no step is called {name}"),
        }
    }

    /// Checks a package of the workspace and its target. Arguments after `--` are checked for our own programs.
    fn targets(&mut self, words: &[&str]) -> Result<()> {
        let Some(package) = value(words, "-p").or(value(words, "--package")) else {
            return Ok(());
        };
        let known = self.packages.iter().find(|known| known["name"] == package);
        let known = known.with_context(|| format!("no package is called {package}"))?;
        let own: Vec<&str> = words.iter().take_while(|word| **word != "--").copied().collect();
        for kind in ["bin", "example", "test", "bench"] {
            let is_it = |target: &Value, name: &str| target["kind"][0] == kind && target["name"] == name;
            if let Some(name) = value(&own, &format!("--{kind}"))
                && !known["targets"]
                    .as_array()
                    .is_some_and(|all| all.iter().any(|target| is_it(target, name)))
            {
                bail!("{package} has no target for --{kind} {name}");
            }
        }
        let program = match package {
            "evenstep-cli" => "evenstep",
            "evenstep-lab" => "evenstep-lab",
            _ => return Ok(()),
        };
        match words.iter().position(|word| *word == "--") {
            Some(at) if words[0] == "run" || value(&own, "--bin").is_none() => self.options(program, &words[at + 1..]),
            _ => Ok(()),
        }
    }
}

/// The value of an option.
fn value<'a>(words: &[&'a str], option: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == option)?;
    words.get(at + 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_blocks_and_in_backticks_with_their_lines() {
        let page = "Run `evenstep analyze a.csv`, not `evenstep` or `a b`.\n```sh\ncargo new a && cargo run   # try\nls \\\n    -l\n```\n```text\ncargo no\n```\n\
                    `(cd ../evenstep && cargo xtask npm)`, `npm install $(npm pack a/b)`, `env/bin/pip install a`\n";
        let expected = [
            (1, "evenstep analyze a.csv"),
            (3, "cargo new a"),
            (3, "cargo run"),
            (5, "ls -l"),
            (10, "cd ../evenstep"),
            (10, "cargo xtask npm"),
            (10, "npm install $(npm pack a/b"),
            (10, "env/bin/pip install a"),
        ];
        assert_eq!(
            commands(page),
            expected.map(|(line, command)| (line, command.to_owned()))
        );
    }

    #[test]
    fn a_file_that_another_program_is_given_must_exist() {
        let shell = Shell::new().unwrap();
        let _root = shell.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let known = Known {
            shell: &shell,
            packages: Vec::new(),
            helps: BTreeMap::new(),
        };
        let good = [
            "./bindings/py",
            "captures/",
            "$(npm",
            "../evenstep/target/x)",
            "../evenstep",
        ];
        known.files(&good).unwrap();
        for bad in ["../evenstep/bindings/basic", "examples/native/gone.rs"] {
            assert!(
                known.files(&[bad]).unwrap_err().to_string().contains("there is no"),
                "{bad}"
            );
        }
    }
}
