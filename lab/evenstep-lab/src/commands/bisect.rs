//! `evenstep-lab bisect`: finds the first tick at which two recordings of the same inputs differ.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evenstep_scenes::{Channel, Checkpoint, Recording, SceneInfo};

use super::replay::read;
use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// The number of states that are shown before the first difference, and after it.
const AROUND: usize = 2;

/// The arguments of `bisect`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A recording.
    #[arg(value_name = "A")]
    one: PathBuf,
    /// A recording of the same scene, settings and inputs, made elsewhere or by another version.
    #[arg(value_name = "B")]
    other: PathBuf,
}

/// Names the first tick at which two recordings differ. If they do, the exit code is 1, like that of `diff`.
pub(crate) fn bisect(args: &Arguments) -> Result<ExitCode, Failure> {
    let names = [&args.one, &args.other].map(|path| path.display().to_string());
    let one = read(&args.one, &names[0])?;
    let other = read(&args.other, &names[1])?;
    if let Some(what) = unlike(&one, &other) {
        let [one, other] = names;
        return Err(Failure::Run(format!(
            "{one} and {other}: have different {what}; record both with the same scene, settings, rate and inputs"
        )));
    }
    let differ = one
        .checkpoints
        .iter()
        .zip(&other.checkpoints)
        .position(|(one, other)| !same(one, other));
    output::print(&match differ {
        Some(at) => around(&names, [&one, &other], at),
        None => all_the_same(&names, [&one, &other]),
    })?;
    Ok(ExitCode::from(u8::from(differ.is_some())))
}

/// The difference at the start of the recordings, if there is one.
fn unlike(one: &Recording, other: &Recording) -> Option<&'static str> {
    let common = one.ticks.min(other.ticks);
    let inputs = |recording: &Recording| {
        let nudges = recording.nudges.iter().filter(|nudge| nudge.tick < common);
        nudges
            .map(|nudge| (nudge.tick, nudge.by.map(f64::to_bits)))
            .collect::<Vec<_>>()
    };
    let checks = [
        ("scenes", one.scene == other.scene),
        ("settings", one.settings == other.settings),
        ("rates", one.rate == other.rate),
        ("numbers of ticks between states", one.every == other.every),
        ("inputs", inputs(one) == inputs(other)),
    ];
    checks.into_iter().find(|(_, is_same)| !is_same).map(|(what, _)| what)
}

/// Whether the bits are the same.
fn same(one: &Checkpoint, other: &Checkpoint) -> bool {
    let bits = |checkpoint: &Checkpoint| {
        checkpoint
            .values
            .iter()
            .map(|value| value.to_bits())
            .collect::<Vec<_>>()
    };
    one.hash == other.hash && bits(one) == bits(other)
}

fn all_the_same(names: &[String; 2], recordings: [&Recording; 2]) -> String {
    let [one, other] = recordings;
    let states = one.checkpoints.len().min(other.checkpoints.len());
    let mut text = format!(
        "{} and {}: {states} states of {}, all the same",
        names[0], names[1], one.scene
    );
    if one.ticks != other.ticks {
        let _ = write!(text, "; one has {} ticks, the other {}", one.ticks, other.ticks);
    }
    text.push('\n');
    text
}

/// The first difference, and the states around it, with a line for each number of a state.
fn around(names: &[String; 2], recordings: [&Recording; 2], at: usize) -> String {
    let [one, other] = recordings;
    let every = u64::from(one.every);
    // A state is marked after a tick.
    let tick = |checkpoint: usize| (checkpoint as u64 + 1) * every - 1;
    let mut text = format!("{} and {}: differ in {}", names[0], names[1], one.scene);
    let _ = match every {
        1 => writeln!(text, " in tick {}", tick(at)),
        _ => writeln!(text, " within the {every} ticks up to {}", tick(at)),
    };
    for (letter, recording) in ["A", "B"].into_iter().zip(recordings) {
        let (version, platform) = (&recording.made_by, &recording.platform);
        let _ = writeln!(text, "{letter} was recorded by version {version} on {platform}");
    }
    let channels = SceneInfo::by_name(&one.scene).map_or(&[][..], |info| info.channels);
    let last = one.checkpoints.len().min(other.checkpoints.len()) - 1;
    for checkpoint in at.saturating_sub(AROUND)..=(at + AROUND).min(last) {
        let _ = writeln!(text, "after tick {}", tick(checkpoint));
        write_state(
            &mut text,
            channels,
            &one.checkpoints[checkpoint],
            &other.checkpoints[checkpoint],
        );
    }
    // A recording has no other values. A replay by the program that made it can print them.
    let before = tick(at) + 1;
    for name in names {
        let _ = writeln!(
            text,
            "evenstep-lab replay {name} --dump {before}, where it was made, has all values"
        );
    }
    text.push_str("evenstep desync compares them\n");
    text
}

/// The numbers of both states; equal numbers are printed once.
fn write_state(text: &mut String, channels: &[Channel], one: &Checkpoint, other: &Checkpoint) {
    let mut line = |name: &str, one: String, other: String, unit: &str| {
        let _ = match one == other {
            true => writeln!(text, "  {name:8} {one} {unit}"),
            false => writeln!(text, "  {name:8} A {one} {unit}\n  {:8} B {other} {unit}", ""),
        };
    };
    for (channel, (one, other)) in channels.iter().zip(one.values.iter().zip(&other.values)) {
        line(channel.name, one.to_string(), other.to_string(), channel.unit);
    }
    let hash = |checkpoint: &Checkpoint| format!("{:016x}", checkpoint.hash);
    line("hash", hash(one), hash(other), "");
}
