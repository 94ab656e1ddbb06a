//! `cargo ci`: the checks that must pass before a change lands.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xshell::Shell;

use crate::built::{self, COMPILED_ONCE};
use crate::{lua, processor, recordings, setup};

mod beside;
mod since;
mod steps;

use beside::Beside;
use steps::{Lane, STEPS, Step, Tier};

/// Options of `cargo ci`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run every step: what must pass before a change lands. Without it, the quick tier.
    #[arg(long)]
    all: bool,
    /// Run only the step of this name, or the steps of all tiers whose names contain this.
    #[arg(long, value_name = "TEXT", conflicts_with = "all")]
    only: Option<String>,
    /// Run the quick tier, and lint and test the packages that changed since this commit and those that use them directly. Python's and Lua's
    /// tests run if their package changed, or what it has the results of.
    #[arg(long, value_name = "BASE", conflicts_with_all = ["all", "only"])]
    since: Option<String>,
    /// Name the steps and run none.
    #[arg(long)]
    list: bool,
    /// Run the steps of one process alone.
    #[arg(long, hide = true, requires = "all")]
    lane: Option<Lane>,
}

/// A step that has run.
struct Ran {
    name: &'static str,
    /// The options that run it again.
    again: String,
    result: Result<()>,
    time: Duration,
    /// The processor time of its processes on all cores, where the system reports it. On a busy machine it varies less than the time.
    processor: Option<Duration>,
}

/// Runs all wanted steps, prints their results, and ends the process with the number of steps that failed.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let mut steps = wanted(shell, options)?;
    if options.list {
        steps.iter().for_each(|step| println!("{}", step.name));
        return Ok(());
    }
    if options.lane.is_none() {
        shell.remove_path(lua::scripts()?)?;
        if options.all {
            setup::check(shell)?;
        }
    }
    let is_quick = !options.all && options.only.is_none();
    let changed = options
        .since
        .as_deref()
        .map(|base| since::changed(shell, base))
        .transpose()?;
    if let Some(files) = &changed {
        steps.extend(STEPS.iter().filter(|step| since::concerns(step.since, files)));
    }
    // The quick tier is for the next change.
    let _settings: Vec<_> = COMPILED_ONCE
        .into_iter()
        .filter(|_| !is_quick)
        .map(|(name, value)| shell.push_env(name, value))
        .collect();
    // `cargo test` alone tries new cases.
    let _seed = shell.push_env("PROPTEST_RNG_SEED", built::PROPTEST_SEED);
    let started = Instant::now();
    let mut beside = Vec::new();
    if options.all {
        let in_lane = |lane| steps.iter().filter(move |step| step.lane == lane);
        if options.lane.is_none() {
            for lane in [Lane::Browsers, Lane::Others] {
                beside.push(Beside::start(lane, in_lane(lane).count())?);
            }
        }
        steps = in_lane(options.lane.unwrap_or(Lane::Main)).copied().collect();
    }
    let mut all = Vec::new();
    let count = steps.len() + usize::from(options.since.is_some());
    let mut run = |name, again: String, step: &dyn Fn() -> Result<()>| {
        let position = format!("[{}/{count}]", all.len() + 1);
        println!("{position} {name}");
        let ran = run_step(name, again, step);
        println!("{position} {}", line(&ran));
        all.push(ran);
    };
    let mut missing = Vec::new();
    let is_on_forge = shell.var("CI").is_ok_and(|value| value == "true");
    for step in &steps {
        match (step.needs)(shell) {
            Err(error) if is_quick && !is_on_forge => missing.push(format!("not run: {}: {error:#}", step.name)),
            Err(error) if is_quick => run(step.name, format!("--only {:?}", step.name), &|| bail!("{error:#}")),
            _ => run(step.name, format!("--only {:?}", step.name), &|| (step.run)(shell)),
        }
    }
    if let (Some(base), Some(files)) = (&options.since, &changed) {
        run("changed packages", format!("--since {base}"), &|| {
            since::test(shell, base, files)
        });
    }
    let (mut others, mut failed_beside) = (0, 0);
    for beside in beside {
        others += beside.steps;
        failed_beside += beside.wait()?;
    }
    print_table(&all, started.elapsed());
    missing.iter().for_each(|line| println!("{line}"));
    if is_quick {
        let others: Vec<_> = STEPS
            .iter()
            .filter(|step| step.tier == Tier::All && !steps.iter().any(|ran| ran.name == step.name))
            .map(|step| step.name)
            .collect();
        println!("not run: {}; cargo ci --all runs them", others.join(", "));
    }
    if options.all && !recordings::are_here(shell) {
        println!(
            "not run: recordings, which needs files that are no part of a clone; cargo ci --only recordings names them"
        );
    }
    let failed = failed_beside + all.iter().filter(|ran| ran.result.is_err()).count();
    println!("{} passed, {failed} failed", others + all.len() - failed);
    if failed > 0
        && options.only.is_some()
        && let Err(missing) = setup::check(shell)
    {
        println!("it may need what is missing: {missing:#}");
    }
    // The table shows the reasons.
    if failed > 0 {
        std::process::exit(i32::try_from(failed)?);
    }
    Ok(())
}

/// The steps that the options select.
fn wanted(shell: &Shell, options: &Options) -> Result<Vec<&'static Step>> {
    let is_wanted = |step: &&Step| match &options.only {
        Some(text) if STEPS.iter().any(|step| step.name == text) => step.name == text,
        Some(text) => step.name.contains(text.as_str()),
        None => match step.tier {
            Tier::Both => true,
            Tier::Quick => !options.all,
            Tier::All => options.all,
            Tier::WithRecordings => options.all && recordings::are_here(shell),
        },
    };
    let steps: Vec<_> = STEPS.iter().filter(is_wanted).collect();
    match (steps.is_empty(), &options.only) {
        (true, Some(text)) => bail!("no step is called {text:?}; see cargo ci --all --list"),
        _ => Ok(steps),
    }
}

fn run_step(name: &'static str, again: String, step: &dyn Fn() -> Result<()>) -> Ran {
    let (started, spent) = (Instant::now(), processor::time());
    Ran {
        name,
        again,
        result: step(),
        time: started.elapsed(),
        processor: processor::time()
            .zip(spent)
            .map(|(now, before)| now.saturating_sub(before)),
    }
}

/// The result of a step, in one line, or in several if it failed.
fn line(ran: &Ran) -> String {
    let (word, why) = match &ran.result {
        Ok(()) => ("passed", String::new()),
        Err(error) => ("FAILED", format!(": {error:#}; again with: cargo ci {}", ran.again)),
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
