//! Everything that must pass before a change lands, in the order in which it is likely to fail.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs::{EXCLUDE, PARTNERS, WINDOWS};
use crate::stages::{Stages, print_longest_first};
use crate::{
    assembly, book, c, fuzzing, ggrs, instructions, npm, packages, page, programs, python, recordings, same_bits,
    setup, soak,
};

/// Options of `cargo ci`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only the steps whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Name the steps and run none.
    #[arg(long)]
    list: bool,
}

struct Step {
    name: &'static str,
    run: fn(&Shell) -> Result<()>,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        run: format,
    },
    Step {
        name: "lints",
        run: lints,
    },
    Step {
        name: "core without std",
        run: core_without_std,
    },
    Step {
        name: "tests",
        run: tests,
    },
    Step {
        name: "scenes without engines",
        run: scenes_without_engines,
    },
    Step {
        name: "slow tests",
        run: slow_tests,
    },
    Step {
        name: "interleavings",
        run: interleavings,
    },
    Step {
        name: "recordings",
        run: recordings::check,
    },
    Step {
        name: "documentation",
        run: documentation,
    },
    Step {
        name: "book",
        run: book::check,
    },
    Step {
        name: "bevy partners",
        run: bevy_partners,
    },
    Step {
        name: "bevy windows",
        run: bevy_windows,
    },
    Step {
        name: "GGRS's tests",
        run: ggrs::check,
    },
    Step {
        name: "packages",
        run: packages::check,
    },
    Step {
        name: "C library",
        run: c::check,
    },
    Step {
        name: "npm",
        run: npm::check,
    },
    Step {
        name: "Python",
        run: python::check,
    },
    Step {
        name: "fuzzing",
        run: fuzzing::check,
    },
    Step {
        name: "assembly",
        run: assembly::check,
    },
    Step {
        name: "instructions",
        run: instructions::check,
    },
    Step {
        name: "same bits",
        run: same_bits::check,
    },
    Step {
        name: "soak",
        run: soak::check,
    },
    Step {
        name: "compositors",
        run: compositors,
    },
    Step {
        name: "native windows",
        run: windows,
    },
    Step {
        name: "graphics",
        run: graphics,
    },
    Step {
        name: "page",
        run: page_in_browser,
    },
];

/// Runs the steps, and stops at the first that fails.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let wanted = |step: &&Step| {
        options
            .only
            .as_ref()
            .is_none_or(|text| step.name.contains(text.as_str()))
    };
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    if steps.is_empty() {
        bail!(
            "no step is called {:?}; see cargo ci --list",
            options.only.as_deref().unwrap_or_default()
        );
    }
    let mut times = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        println!("[{}/{}] {}", number + 1, steps.len(), step.name);
        if options.list {
            continue;
        }
        let start = Instant::now();
        (step.run)(shell).with_context(|| {
            format!(
                "step {:?} failed; again with: cargo ci --only {:?}",
                step.name, step.name
            )
        })?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "[{}/{}] {} passed in {seconds:.0} s",
            number + 1,
            steps.len(),
            step.name
        );
        times.push((step.name.to_owned(), seconds));
    }
    print_times(times);
    Ok(())
}

/// Where the time went, longest first.
fn print_times(times: Vec<(String, f64)>) {
    if times.len() < 2 {
        return;
    }
    let total: f64 = times.iter().map(|(_, seconds)| seconds).sum();
    println!("\nall passed in {total:.0} s:");
    print_longest_first(times);
}

fn format(shell: &Shell) -> Result<()> {
    Ok(cmd!(shell, "cargo fmt --all --check").run()?)
}

fn lints(shell: &Shell) -> Result<()> {
    programs::install_headers(shell);
    Ok(cmd!(
        shell,
        "cargo clippy --workspace {EXCLUDE...} --all-targets --all-features -- -D warnings"
    )
    .run()?)
}

fn core_without_std(shell: &Shell) -> Result<()> {
    for features in ["", "libm", "alloc"] {
        cmd!(
            shell,
            "cargo clippy -p evenstep --no-default-features --features {features} -- -D warnings"
        )
        .run()?;
    }
    Ok(())
}

fn tests(shell: &Shell) -> Result<()> {
    // The same cases on every run: what is random is not green or red by chance. `cargo test` alone tries new ones.
    let _seed = shell.push_env("PROPTEST_RNG_SEED", "60000");
    Ok(cmd!(shell, "cargo test --workspace {EXCLUDE...} --all-features").run()?)
}

/// Packages that ask for engines.
const WITH_ENGINES: [&str; 3] = ["evenstep-benches", "evenstep-book", "evenstep-ggrs"];

/// A test that there is only without engines.
const WITHOUT_ENGINES: &str = "an_engine_that_is_not_compiled_in_names_its_feature";

/// What is said where an engine is not compiled in can be tested only without engines. All other packages are named, so dependencies
/// have the features of the other steps, and are compiled already.
fn scenes_without_engines(shell: &Shell) -> Result<()> {
    let engines = WITH_ENGINES.iter().flat_map(|name| ["--exclude", name]);
    let options: &Vec<&str> = &EXCLUDE.into_iter().chain(engines).collect();
    let run = |arguments: &[&str]| {
        cmd!(
            shell,
            "cargo test --workspace {options...} --no-default-features --test scenes -- {arguments...}"
        )
    };
    run(&[]).run()?;
    let tests = run(&["--list"]).quiet().ignore_stderr().read()?;
    match tests.contains(WITHOUT_ENGINES) {
        true => Ok(()),
        false => bail!("a package has asked for engines: there is no test {WITHOUT_ENGINES}"),
    }
}

/// What the names of the tests of interleavings contain.
const INTERLEAVINGS: &str = "interleavings::";

/// Tests that take over a second are marked `#[ignore]` and run here.
fn slow_tests(shell: &Shell) -> Result<()> {
    let _seed = shell.push_env("PROPTEST_RNG_SEED", "60000");
    let on_recordings = recordings::TESTS;
    Ok(cmd!(
        shell,
        "cargo test --workspace {EXCLUDE...} --all-features --tests -- --ignored --skip {on_recordings} --skip {INTERLEAVINGS} --skip {COMPOSITORS} --skip {IN_WINDOWS}"
    )
    .run()?)
}

/// What the threads of a simulation can do to each other, in every order.
fn interleavings(shell: &Shell) -> Result<()> {
    Ok(cmd!(
        shell,
        "cargo test --workspace {EXCLUDE...} --all-features --lib -- --ignored {INTERLEAVINGS}"
    )
    .run()?)
}

/// Physics, input and interpolation by others under the plugin for Bevy.
fn bevy_partners(shell: &Shell) -> Result<()> {
    bevy_test(shell, "partners")
}

/// Games in windows, on X servers without a screen and drawn by the processor.
fn bevy_windows(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") || setup::debian(shell, &WINDOWS_NEED).is_err() {
        let packages = WINDOWS_NEED.join(", ");
        println!("skipped: {packages} cannot be installed here");
        return Ok(());
    }
    bevy_test(shell, "windows")
}

/// Compiles Bevy once: both packages are named, so each crate has the features of both, and Clippy compiles what is tested, as
/// `cargo clippy` does it.
fn bevy_test(shell: &Shell, test: &str) -> Result<()> {
    let _seed = shell.push_env("PROPTEST_RNG_SEED", "60000");
    let _clippy = shell.push_env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    let _denied = shell.push_env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    Ok(cmd!(
        shell,
        "cargo test -p {PARTNERS} -p {WINDOWS} --test {test} -- --include-ignored"
    )
    .run()?)
}

/// What the programs of that step load, as Debian has it.
const WINDOWS_NEED: [&str; 7] = [
    "xvfb",
    "mesa-vulkan-drivers",
    "libvulkan1",
    "libx11-xcb1",
    "libxkbcommon-x11-0",
    "libxcursor1",
    "libxi6",
];

/// What the names of the tests at real compositors contain.
const COMPOSITORS: &str = "compositors::";

/// Asks real compositors and an X server when frames were shown. None needs a screen. One test after the other: they measure time.
fn compositors(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") || setup::debian(shell, &["sway", "weston", "xvfb"]).is_err() {
        println!("skipped: sway, weston and xvfb cannot be installed here");
        return Ok(());
    }
    Ok(cmd!(
        shell,
        "cargo test --workspace {EXCLUDE...} --all-features --test compositors --test x11 --test command -- --ignored {COMPOSITORS} --test-threads 1"
    )
    .run()?)
}

/// What the names of the tests of games in windows contain.
const IN_WINDOWS: &str = "windows::";

/// Plays the examples in windows, on X servers without a screen and drawn by the processor. One after the other: they have threads enough.
fn windows(shell: &Shell) -> Result<()> {
    let gl = ["libgl1", "libgl1-mesa-dri", "libglx-mesa0"];
    if !cfg!(target_os = "linux") || setup::debian(shell, &[&WINDOWS_NEED[..], &gl].concat()).is_err() {
        println!(
            "skipped: {}, {} cannot be installed here",
            WINDOWS_NEED.join(", "),
            gl.join(", ")
        );
        return Ok(());
    }
    Ok(cmd!(
        shell,
        "cargo test --workspace {EXCLUDE...} --all-features --test windows -- --ignored {IN_WINDOWS} --test-threads 1"
    )
    .run()?)
}

/// With examples: then the dependencies are those that the lints have checked already.
fn documentation(shell: &Shell) -> Result<()> {
    let _flags = shell.push_env("RUSTDOCFLAGS", "-D warnings");
    Ok(cmd!(
        shell,
        "cargo doc --workspace {EXCLUDE...} --all-features --no-deps --lib --bins --examples"
    )
    .run()?)
}

/// Draws many bodies with the graphics card, or with Mesa's software for one, and compares the pictures with the processor's.
fn graphics(shell: &Shell) -> Result<()> {
    if cfg!(target_os = "linux") && setup::debian(shell, &["mesa-vulkan-drivers"]).is_err() {
        println!("mesa-vulkan-drivers cannot be installed here; whatever adapter there is must do");
    }
    programs::build(shell)?;
    let program = built(shell, "debug/examples/many_bodies")?;
    Ok(cmd!(shell, "{program}").run()?)
}

/// Builds the page and tests it in a real browser, with the command that serves it.
fn page_in_browser(shell: &Shell) -> Result<()> {
    let stages = Stages::of("page");
    page::build(shell, Path::new(page::OUT), programs::build, &stages)?;
    stages.run("testing the page in a browser", || page::test(shell))?;
    stages.print();
    Ok(())
}
