//! The first programs of a user: the lines that get a package are typed in empty folders, and what the programs print is compared.

use anyhow::{Context, Result, bail, ensure};
use xshell::Shell;

use crate::ordinary_user::User;
use crate::snippets;

/// The page whose second and third program are run in Rust, and print the same on every machine.
const TUTORIAL: &str = "docs/pages/tutorial.md";

/// What a program does first in JavaScript, in Python, and in Bevy without its renderer.
const IN_JAVASCRIPT: &str = r#"import { FixedTimestep } from "evenstep";

const timestep = new FixedTimestep(60);
timestep.beginFrame(0);
let steps = 0;
for (const step of timestep.beginFrame(100)) steps++;
console.log(steps);
"#;
const IN_PYTHON: &str = "import evenstep

timestep = evenstep.FixedTimestep(60)
timestep.begin_frame(0)
print(sum(1 for _ in timestep.begin_frame(100_000_000)))
";
const STEPS: &str = "6";
const IN_BEVY: &str = r#"use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_evenstep::prelude::*;

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, EvenstepPlugins))
        .insert_resource(Time::<Fixed>::from_hz(50.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
        .add_systems(FixedUpdate, |mut balloons: Query<&mut Transform, With<SmoothTransform>>, time: Res<Time>| {
            for mut balloon in &mut balloons {
                balloon.translation.y += 2.0 * time.delta_secs();
            }
        });
    let balloon = app.world_mut().spawn((Transform::default(), SmoothTransform)).id();
    app.finish();
    app.cleanup();
    for _ in 0..51 {
        app.update();
    }
    println!("{:.1}", app.world().get::<Transform>(balloon).unwrap().translation.y);
}
"#;
const BALLOON: &str = "2.0";

/// The lines that get the packages.
pub(super) struct Lines {
    pub(super) rust: Vec<String>,
    pub(super) javascript: Vec<String>,
    pub(super) c: Vec<String>,
    pub(super) python: Vec<String>,
    pub(super) command: Vec<String>,
}

/// In Rust: the program of the README, and the tutorial's.
pub(super) fn rust(shell: &Shell, user: &User, lines: &Lines) -> Result<()> {
    user.line(shell, "", "cargo new --quiet --vcs none rust")?;
    type_all(shell, user, "rust", &lines.rust)?;
    let run = |code: &str| {
        user.write(shell, "rust/src/main.rs", code)?;
        user.line(shell, "rust", "cargo run --quiet")
    };
    even(&run(&snippets::of(shell, "rust", &["README.md"])?[0].code)?)?;
    let (programs, printed) = (
        snippets::of(shell, "rust", &[TUTORIAL])?,
        snippets::of(shell, "text", &[TUTORIAL])?,
    );
    for (program, printed) in programs.iter().zip(&printed).take(3).skip(1) {
        same(&run(&program.code)?, &printed.code)?;
    }
    Ok(())
}

/// In JavaScript, C and Python.
pub(super) fn others(shell: &Shell, user: &User, lines: &Lines) -> Result<()> {
    user.write(shell, "javascript/first.mjs", IN_JAVASCRIPT)?;
    type_all(shell, user, "javascript", &lines.javascript)?;
    same(&user.line(shell, "javascript", "node first.mjs")?, STEPS)?;

    user.write(
        shell,
        "c/game.c",
        &snippets::of(shell, "c", &["docs/pages/c.md"])?[0].code,
    )?;
    type_all(shell, user, "c", &lines.c)?;
    user.line(shell, "c", "cc game.c -o game")?;
    even(&user.line(shell, "c", "./game")?)?;

    user.write(shell, "python/first.py", IN_PYTHON)?;
    user.line(shell, "python", "python3 -m venv env")?;
    let active = lines.python.iter().map(|line| format!(". env/bin/activate; {line}"));
    type_all(shell, user, "python", &active.collect::<Vec<_>>())?;
    same(&user.line(shell, "python", "env/bin/python first.py")?, STEPS)
}

/// The command: the report of the book about the recording that is in the repository.
pub(super) fn command(shell: &Shell, user: &User, lines: &Lines, program: &str) -> Result<()> {
    let recording = shell.read_file("docs/my-game.csv")?;
    user.write(shell, "command/docs/my-game.csv", &recording)?;
    type_all(shell, user, "command", &lines.command)?;
    let report = user.line(shell, "command", &format!("{program} analyze docs/my-game.csv"))?;
    same(
        &report,
        &snippets::of(shell, "text", &["docs/pages/recordings.md"])?[0].code,
    )
}

/// In Bevy: its renderer takes a quarter of an hour to compile and a window to run, so it is left out once the lines were typed.
pub(super) fn bevy(shell: &Shell, user: &User, lines: &[String]) -> Result<()> {
    user.line(shell, "", "cargo new --quiet --vcs none bevy")?;
    type_all(shell, user, "bevy", lines)?;
    user.line(shell, "bevy", "cargo add --quiet bevy@0.19 --no-default-features")?;
    user.write(shell, "bevy/src/main.rs", IN_BEVY)?;
    same(&user.line(shell, "bevy", "cargo run --quiet")?, BALLOON)
}

fn type_all(shell: &Shell, user: &User, folder: &str, lines: &[String]) -> Result<()> {
    for line in lines {
        user.line(shell, folder, line)?;
    }
    Ok(())
}

/// Fails unless a program printed what a page says.
pub(super) fn same(printed: &str, expected: &str) -> Result<()> {
    ensure!(
        printed.trim() == expected.trim(),
        "it printed:\n{printed}\nand the book says:\n{expected}"
    );
    Ok(())
}

/// Fails unless a first program drew 20 frames of at least 7 ms of a motion of 2 m/s, which never went back.
fn even(printed: &str) -> Result<()> {
    let mut drawn = Vec::new();
    for line in printed.lines() {
        let metres = line
            .split_once("drawn at ")
            .and_then(|(_, drawn)| drawn.strip_suffix(" m"));
        drawn.push(
            metres
                .and_then(|metres| metres.parse::<f64>().ok())
                .with_context(|| format!("{line:?}"))?,
        );
    }
    // The first frame begins the time, and what is drawn is a step old.
    let at_least = 2.0 * (19.0 * 0.007 - 1.0 / 60.0);
    match drawn.len() == 20 && drawn.is_sorted() && drawn.last().is_some_and(|last| *last > at_least - 0.01) {
        true => Ok(()),
        false => bail!("not 20 frames of an even motion:\n{printed}"),
    }
}
