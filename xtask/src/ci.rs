//! `cargo ci`: the checks that must pass before a change lands.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xshell::Shell;

use crate::built::COMPILED_ONCE;
use crate::{processor, recordings};

mod beside;
mod outcome;
mod steps;

use beside::Beside;
use outcome::{Outcome, Ran};
use steps::{Lane, STEPS, Step, Tier};

/// Options of `cargo ci`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run every step: what must pass before a change lands. Without it, the quick tier.
    #[arg(long)]
    all: bool,
    /// Run only the step of this name, or the steps of all tiers whose names contain this.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["all", "from"])]
    only: Option<String>,
    /// Begin with the first step whose name contains this.
    #[arg(long, value_name = "TEXT")]
    from: Option<String>,
    /// Name the steps and run none.
    #[arg(long)]
    list: bool,
    /// How many compilers run at the same time [default: one for each core].
    #[arg(long, value_name = "N")]
    jobs: Option<u16>,
    /// Run one step after the other. Without this, `--all` runs steps that mostly wait beside the others.
    #[arg(long)]
    in_turn: bool,
    /// For the second process: the steps that it runs.
    #[arg(long, hide = true, value_delimiter = ',')]
    steps: Vec<String>,
    /// For the second process: the file to which it writes the result of each step.
    #[arg(long, hide = true)]
    outcomes: Option<PathBuf>,
}

/// Runs all wanted steps, prints their results, and fails if one failed.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let steps = wanted(shell, options)?;
    if options.list {
        steps.iter().for_each(|step| println!("{}", step.name));
        return Ok(());
    }
    let _jobs = options
        .jobs
        .map(|jobs| shell.push_env("CARGO_BUILD_JOBS", jobs.to_string()));
    // The quick tier is for the next change.
    let is_quick = !options.all && options.only.is_none() && options.steps.is_empty();
    let _settings: Vec<_> = COMPILED_ONCE
        .into_iter()
        .filter(|_| !is_quick)
        .map(|(name, value)| shell.push_env(name, value))
        .collect();
    let started = Instant::now();
    let is_in_turn = options.in_turn || options.outcomes.is_some();
    let beside = match is_in_turn {
        true => None,
        false => Beside::start(shell, &steps, options.jobs)?,
    };
    let mut all = Vec::new();
    let mut run = |step: &Step| -> Result<()> {
        let of = format!("[{}/{}]", all.len() + 1, steps.len());
        println!("{of} {}", step.name);
        let ran = run_step(shell, step);
        println!("{of} {}", line(&ran));
        if let Some(file) = &options.outcomes {
            ran.append(file)?;
        }
        all.push(ran);
        Ok(())
    };
    match beside {
        None => steps.iter().try_for_each(|step| run(step))?,
        Some(beside) => {
            let own = steps.iter().filter(|step| step.lane == Lane::Main);
            own.copied().try_for_each(&mut run)?;
            all.extend(beside.wait()?);
        }
    }
    print_table(&all, started.elapsed());
    if !options.all && options.only.is_none() {
        let others: Vec<_> = STEPS
            .iter()
            .filter(|step| step.tier == Tier::All)
            .map(|step| step.name)
            .collect();
        println!("not run: {}; cargo ci --all runs them", others.join(", "));
    }
    if options.all && !recordings::are_here(shell) {
        println!(
            "not run: recordings, which needs files that are no part of a clone; cargo ci --only recordings names them"
        );
    }
    let failed = all
        .iter()
        .filter(|ran| matches!(ran.outcome, Outcome::Failed(_)))
        .count();
    println!("{} passed, {failed} failed", all.len() - failed);
    // The table shows the reason.
    if failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}

/// The steps that the options select.
fn wanted(shell: &Shell, options: &Options) -> Result<Vec<&'static Step>> {
    let is_name = |text: &str| STEPS.iter().any(|step| step.name == text);
    let of_tier = |step: &&Step| match &options.only {
        Some(text) if is_name(text) => step.name == text.as_str(),
        Some(text) => step.name.contains(text.as_str()),
        None if !options.steps.is_empty() => options.steps.iter().any(|name| name == step.name),
        None => match step.tier {
            Tier::Both => true,
            Tier::Quick => !options.all,
            Tier::All => options.all,
            Tier::WithRecordings => options.all && recordings::are_here(shell),
        },
    };
    let steps = STEPS.iter().filter(of_tier);
    let steps: Vec<_> = match &options.from {
        Some(text) => steps.skip_while(|step| !step.name.contains(text.as_str())).collect(),
        None => steps.collect(),
    };
    if steps.is_empty() {
        let text = options.only.as_ref().or(options.from.as_ref());
        bail!(
            "no step is called {:?}; see cargo ci --all --list",
            text.map_or("", |text| text)
        );
    }
    Ok(steps)
}

fn run_step(shell: &Shell, step: &Step) -> Ran {
    let (started, spent) = (Instant::now(), processor::time());
    let outcome = match (step.run)(shell) {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::Failed(format!("{error:#}")),
    };
    Ran {
        name: step.name,
        outcome,
        time: started.elapsed(),
        processor: processor::time()
            .zip(spent)
            .map(|(now, before)| now.saturating_sub(before)),
    }
}

/// Prints the result of a step, in one line, or in several if it failed.
fn line(ran: &Ran) -> String {
    let (word, why) = match &ran.outcome {
        Outcome::Passed => ("passed", String::new()),
        Outcome::Failed(why) => ("FAILED", format!(": {why}; again with: cargo ci --only {:?}", ran.name)),
    };
    let processor = ran.processor.map(|time| format!(" {:6.0} s", time.as_secs_f64()));
    let processor = processor.unwrap_or_default();
    format!(
        "{word:7} {:5.0} s{processor}  {}{why}",
        ran.time.as_secs_f64(),
        ran.name
    )
}

fn print_table(all: &[Ran], time: Duration) {
    println!(
        "\n{} steps in {:.0} s; time, processor time, step:",
        all.len(),
        time.as_secs_f64()
    );
    all.iter().for_each(|ran| println!("{}", line(ran)));
}
