//! The steps of `cargo ci`.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs::{linted, workspace};
use crate::{
    api, book, c, ggrs, instructions, lua, npm, oldest_rust, page, page_code, platforms, programs, python, recordings,
    release, same_bits, setup,
};

/// A check that must pass before a change lands.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) tier: Tier,
    pub(super) lane: Lane,
    pub(super) run: fn(&Shell) -> Result<()>,
    /// Fails where a program of another language is missing that the step needs, and says how to get it. The quick tier then does not run the
    /// step, except on a machine of a forge, where `CI` is `true` and the step fails.
    pub(super) needs: fn(&Shell) -> Result<()>,
    /// `--since` also runs the step if a file in one of these folders changed.
    pub(super) since: &'static [&'static str],
}

/// Which process of `cargo ci --all` runs a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Lane {
    /// The process that was started, for what takes longest.
    Main,
    /// For steps with browsers and windows, which mostly wait.
    Browsers,
    /// For the others.
    Others,
}

/// When a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    /// With `cargo ci` and with `cargo ci --all`.
    Both,
    /// Only with `cargo ci`: a step of `--all` contains it.
    Quick,
    /// Only with `cargo ci --all`.
    All,
    /// With `cargo ci --all` where the recordings by others are, which are no part of a clone.
    WithRecordings,
}

const fn step(name: &'static str, tier: Tier, run: fn(&Shell) -> Result<()>) -> Step {
    Step {
        name,
        tier,
        lane: Lane::Main,
        run,
        needs: |_| Ok(()),
        since: &[],
    }
}

impl Step {
    const fn lane(self, lane: Lane) -> Self {
        Self { lane, ..self }
    }

    const fn needs(self, needs: fn(&Shell) -> Result<()>) -> Self {
        Self { needs, ..self }
    }

    const fn since(self, since: &'static [&'static str]) -> Self {
        Self { since, ..self }
    }
}

/// All steps. Each process runs its own in this order. Cargo lets only one process at a time build in a folder: while the main one compiles the
/// workspace, the others run steps that build nothing or build in another folder. Steps that use the compiled workspace come after these.
pub(super) const STEPS: &[Step] = &[
    step("format", Tier::Both, format),
    step("links", Tier::Both, book::check_links),
    step("module rules", Tier::Quick, module_rules),
    step("C results", Tier::Quick, c::test).needs(c::needs),
    step("JavaScript results", Tier::Quick, npm::test).needs(setup::node),
    step("no standard library", Tier::Both, no_std),
    step("lints and tests on one engine", Tier::Quick, quick_tests),
    step("Lua results", Tier::Quick, lua::test).needs(lua::needs),
    step("lints and tests", Tier::All, tests),
    step("fewer features", Tier::All, fewer_features),
    step("Lua", Tier::All, lua::check)
        .needs(lua::needs_all)
        .since(&["bindings/lua", "examples/defold"]),
    step("documentation and public API", Tier::All, api::check),
    step("GGRS's tests", Tier::All, ggrs::check),
    step("oldest Rust", Tier::All, oldest_rust::check).lane(Lane::Others),
    step("C header", Tier::All, c::check).lane(Lane::Others),
    step("instructions", Tier::All, instructions::check).lane(Lane::Others),
    step("Windows", Tier::All, platforms::check).lane(Lane::Others),
    step("packages", Tier::All, release::check).lane(Lane::Others),
    step("Python", Tier::All, python::check)
        .lane(Lane::Others)
        .needs(setup::python)
        .since(&["bindings/py", "crates/evenstep", "crates/evenstep-trace", "stored"]),
    step("same bits", Tier::All, same_bits::check).lane(Lane::Others),
    step("compositors", Tier::All, compositors).lane(Lane::Others),
    step("smoothness", Tier::All, smoothness).lane(Lane::Others),
    step("recordings", Tier::WithRecordings, recordings::check).lane(Lane::Others),
    step("book", Tier::All, book::check).lane(Lane::Others),
    step("code of the book", Tier::All, page_code::check).lane(Lane::Others),
    step("games by others", Tier::All, npm::games).lane(Lane::Browsers),
    step("engines' loops", Tier::All, npm::adapters).lane(Lane::Browsers),
    step("npm", Tier::All, npm::check).lane(Lane::Browsers),
    step("page", Tier::All, page::check).lane(Lane::Browsers),
    step("recording of a page", Tier::All, npm::record).lane(Lane::Browsers),
    step("native windows", Tier::All, windows).lane(Lane::Browsers),
];

fn format(shell: &Shell) -> Result<()> {
    Ok(cmd!(shell, "cargo fmt --all --check").run()?)
}

/// The packages that most users depend on, with one engine: the one that compiles fastest. `--since` adds those that changed. The core is
/// not optimised, because the compiler would take longer than the tests then gain.
const QUICK: [&str; 7] = [
    "--config=profile.dev.package.evenstep.opt-level=0",
    "--package=evenstep",
    "--package=evenstep-physics",
    "--package=evenstep-trace",
    "--features=evenstep-physics/box2d",
    "--features=evenstep/derive,evenstep/desync,evenstep/follow,evenstep/glam,evenstep/history",
    "--features=evenstep/serde,evenstep/thread",
];

/// Lints and tests them, including the examples of the documentation.
fn quick_tests(shell: &Shell) -> Result<()> {
    Ok(linted(cmd!(shell, "cargo test --no-fail-fast {QUICK...}"))
        .env(lua::WRITTEN, lua::scripts()?)
        .run()?)
}

/// Checks that imports have no cycles, that no package for users depends on the lab, and that pages, lists and names agree.
fn module_rules(shell: &Shell) -> Result<()> {
    Ok(cmd!(shell, "cargo test --no-fail-fast --package xtask --test *").run()?)
}

/// Lints the core without the standard library, and features that could need another one: with all features none is missing.
fn no_std(shell: &Shell) -> Result<()> {
    for features in ["", "alloc", "desync", "follow", "history"] {
        lint_core(shell, features)?;
    }
    Ok(())
}

fn lint_core(shell: &Shell, features: &str) -> Result<()> {
    let options = ["--no-default-features", "--features", features];
    Ok(cmd!(shell, "cargo clippy -p evenstep {options...} -- -D warnings").run()?)
}

/// The same of what has dependencies to compile: the core's serialization, and physics without an engine.
fn fewer_features(shell: &Shell) -> Result<()> {
    lint_core(shell, "serde")?;
    Ok(cmd!(shell, "cargo clippy -p evenstep-physics -- -D warnings").run()?)
}

/// Part of the names of what prints figures for minutes.
const FIGURES: &str = "figures_of_the_book::";

/// Runs all tests except those of other steps. Tests that take over a second are marked `#[ignore]`, and run here, too.
fn tests(shell: &Shell) -> Result<()> {
    let others = [recordings::TESTS, COMPOSITORS, IN_WINDOWS, FIGURES];
    Ok(workspace(shell, "test")?
        .args(["--no-fail-fast", "--tests", "--", "--include-ignored"])
        .args(others.into_iter().flat_map(|name| ["--skip", name]))
        .env(lua::WRITTEN, lua::scripts()?)
        .run()?)
}

/// Part of the names of the tests with real compositors.
const COMPOSITORS: &str = "compositors::";

/// Records programs by others under a real compositor without a screen. The tests run one after the other, because they measure time.
fn compositors(shell: &Shell) -> Result<()> {
    let only = ["--ignored", COMPOSITORS, "--test-threads", "1"];
    Ok(workspace(shell, "test")?
        .args(["--no-fail-fast", "--test", "command", "--"])
        .args(only)
        .run()?)
}

/// Records a program for X11 under a headless compositor by the script of the book, with a limit that it meets on a busy machine, too, and with
/// one that no program meets. The program ends when enough of its frames were displayed, however long that takes.
fn smoothness(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    let _evenstep = shell.push_env("EVENSTEP", built("debug/evenstep")?);
    let play = |limit: &str| -> Result<_> {
        let limit = format!("frame_time_ms.median={limit}");
        let recording = "target/smoothness.csv";
        shell.remove_path(recording)?;
        let game =
            format!("glxgears & until [ $(grep --count Composed {recording}) -gt 60 ]; do sleep 0.1; done; kill $!");
        let played = cmd!(
            shell,
            "sh examples/ci/smoothness.sh --max {limit} --output {recording} -- sh -c {game}"
        );
        Ok(played.env("SECONDS_OF_PLAY", "600"))
    };
    play("60000 ms")?.run()?;
    let output = play("0.001 ms")?.ignore_status().output()?;
    let report = String::from_utf8_lossy(&output.stdout);
    match output.status.code() == Some(1) && report.contains("violated: frame_time_ms.median") {
        true => Ok(()),
        false => bail!("a median of 0.001 ms is not violated, {}:\n{report}", output.status),
    }
}

/// Part of the names of the tests of games in windows.
const IN_WINDOWS: &str = "windows::";

/// Plays the examples in windows, on X servers without a screen and with rendering on the processor. The tests run one after the other,
/// because each uses several threads.
fn windows(shell: &Shell) -> Result<()> {
    Ok(workspace(shell, "test")?
        .args(["--no-fail-fast", "--test", "windows", "--", "--ignored", IN_WINDOWS])
        .args(["--test-threads", "1"])
        .run()?)
}
