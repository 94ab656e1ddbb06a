//! A user without rights, who runs the tests of the quick tier without a program that is not part of every Debian system, and one test of a
//! compositor with the installed packages.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::{PROPTEST_SEED, built};
use crate::programs::workspace;
use crate::setup::{is_root, runs};

/// A user that every Linux system has and that owns nothing.
const USER: &str = "nobody";

/// A user without rights and with an empty home: for root [`USER`], and otherwise the user of this run.
pub(crate) struct User {
    home: PathBuf,
    path: String,
    is_root: bool,
}

impl User {
    /// Makes a home outside of every repository. This run's compiler is given to the user if its folder is root's alone.
    pub(crate) fn new(shell: &Shell, name: &str) -> Result<Self> {
        let home = &env::temp_dir().join(format!("evenstep-{name}"));
        shell.remove_path(home)?;
        shell.create_dir(home)?;
        let is_root = is_root(shell)?;
        let mut rust = PathBuf::from(cmd!(shell, "rustc --print sysroot").quiet().read()?);
        let may_run = || runs(cmd!(shell, "runuser --user {USER} -- test -x {rust}/bin/cargo"));
        if is_root && !may_run() {
            let given = home.join(".toolchain");
            shell.create_dir(&given)?;
            let parts = ["bin", "lib"].map(|part| rust.join(part));
            let parts = &parts;
            let copy = |link: Option<&str>| cmd!(shell, "cp --archive {link...} {parts...} {given}").quiet().run();
            copy(Some("--link")).or_else(|_| copy(None))?;
            rust = given;
        }
        let (rust, own) = (rust.display(), home.display());
        let path = format!("{own}/.cargo/bin:{rust}/bin:/usr/local/bin:/usr/bin:/bin");
        let user = Self {
            home: home.to_owned(),
            path,
            is_root,
        };
        if is_root {
            cmd!(shell, "chown {USER} {home}").quiet().run()?;
        }
        Ok(user)
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    fn own(&self, shell: &Shell, path: &Path) -> Result<()> {
        if self.is_root {
            cmd!(shell, "chown --recursive {USER} {path}").quiet().run()?;
        }
        Ok(())
    }

    /// Writes a file of the user, whose path begins in the home.
    pub(crate) fn write(&self, shell: &Shell, path: &str, text: &str) -> Result<()> {
        shell.write_file(self.home.join(path), text)?;
        let first = Path::new(path).iter().next().unwrap_or_default();
        self.own(shell, &self.home.join(first))
    }

    /// Copies a file or a folder, which is the user's then.
    pub(crate) fn give(&self, shell: &Shell, from: &Path, to: &Path) -> Result<()> {
        cmd!(shell, "cp --recursive {from} {to}").quiet().run()?;
        self.own(shell, to)
    }

    /// Types a line in a folder of the home, and returns what it printed.
    pub(crate) fn line(&self, shell: &Shell, folder: &str, line: &str) -> Result<String> {
        println!("    ~/{folder}$ {line}");
        let folder = self.home.join(folder);
        if !folder.exists() {
            shell.create_dir(&folder)?;
            self.own(shell, &folder)?;
        }
        let user: &[&str] = match self.is_root {
            true => &["runuser", "--user", USER, "--"],
            false => &[],
        };
        let variables = [format!("PATH={}", self.path), format!("HOME={}", self.home.display())];
        let words = user.iter().copied().chain(["env", "--ignore-environment"]);
        let words: Vec<_> = words
            .chain(variables.iter().map(String::as_str))
            .chain(["sh", "-c", line])
            .collect();
        let (program, words) = (words[0], &words[1..]);
        let _folder = shell.push_dir(folder);
        let output = cmd!(shell, "{program} {words...}").quiet().ignore_status().output()?;
        let (printed, errors) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        ensure!(output.status.success(), "{line}\n{printed}{errors}{}", output.status);
        Ok(printed.into_owned())
    }
}

impl Drop for User {
    fn drop(&mut self) {
        // What is left is a folder of temporary files.
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// Debian's packages with the programs that the tests may call: they are part of every system.
const ESSENTIAL: [&str; 3] = ["coreutils", "dash", "procps"];

/// The test of a compositor, and the program that has it.
const COMPOSITOR: (&str, &str) = ("command", "compositors::limits_are_checked_in_the_same_run");

/// The step of `cargo ci`: runs the test programs of the packages, which other steps have compiled.
pub(crate) fn check(shell: &Shell, packages: &[&str]) -> Result<()> {
    if !is_root(shell)? {
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
            // What a user may do does not depend on the cases, of which other steps try more.
            format!("PROPTEST_RNG_SEED={PROPTEST_SEED}"),
            "PROPTEST_CASES=8".to_owned(),
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
