//! The web page: builds it, serves it, tests it in a browser, measures it.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::setup::NPM;
use crate::{book, npm, programs, setup, wasm};

/// The folder in which the page is built for the lab and for its tests.
const OUT: &str = "target/page/site";

/// Options of `cargo xtask page`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; its content is replaced.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

/// Writes the page as static files.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    build(shell, &options.out, programs::build_writers)?;
    println!("page: {}", options.out.display());
    Ok(())
}

/// `cargo lab`: builds the page with the module of most figures, and serves it until interrupted. Meanwhile it compiles the other modules, the
/// engines last because they take longest, and writes the book; what is not there yet the page says.
pub(crate) fn lab(shell: &Shell) -> Result<()> {
    println!("lab: builds the page, then serves it here; the engines and the book are compiled meanwhile.");
    setup::install_node(shell)?;
    let out = std::path::absolute(OUT)?;
    let (first, later): (Vec<_>, Vec<_>) = wasm::MODULES.into_iter().partition(|(name, _)| *name == FIRST);
    let beside = shell.clone();
    thread::scope(|scope| {
        let beside = scope.spawn(move || {
            setup::packages(&beside, "lab/page")?;
            npm::build(&beside)?;
            programs::build_bindings(&beside)
        });
        wasm::compile_modules(shell, &first)?;
        beside.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    wasm::bind_module(shell, FIRST)?;
    build_first(shell, &out)?;
    println!("lab: open the address below. Ctrl-C stops the lab.");
    let mut server = Command::new(NPM)
        .args(["run", "--silent", "preview", "--", "--outDir"])
        .arg(&out)
        .current_dir(shell.current_dir().join("lab/page"))
        .spawn()?;
    let rest = || -> Result<()> {
        for (name, features) in later.into_iter().rev() {
            wasm::compile_modules(shell, &[(name, features)])?;
            wasm::bind_module(shell, name)?;
            serve_module(shell, name, &out)?;
        }
        setup::packages(shell, "examples/web")?;
        programs::build_writers(shell)?;
        build_example(shell, &out)?;
        book::write_beside(shell, &out)
    };
    if let Err(error) = rest() {
        server.kill()?;
        return Err(error);
    }
    println!("lab: all figures are there; the book is at /book/.");
    ensure!(server.wait()?.success(), "the server has ended");
    Ok(())
}

/// The module of the figures without an engine, which `cargo lab` compiles first.
const FIRST: &str = "core";

/// Bundles the page without the modules that `cargo lab` serves beside it later.
fn build_first(shell: &Shell, out: &Path) -> Result<()> {
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(
        shell,
        "node_modules/.bin/vite build --mode lab --outDir {out} --emptyOutDir --logLevel warn"
    )
    .quiet()
    .run()?)
}

/// Puts a module beside the page that [`build_first`] made, its JavaScript last: then all of it is there.
fn serve_module(shell: &Shell, name: &str, out: &Path) -> Result<()> {
    let (from, to) = (format!("lab/page/src/wasm/{name}"), out.join("wasm").join(name));
    shell.create_dir(&to)?;
    for file in [format!("{name}_bg.wasm"), format!("{name}.js")] {
        shell.copy_file(format!("{from}/{file}"), &to)?;
    }
    Ok(())
}

/// The step of `cargo ci`: builds the page and tests it in a real browser.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    build(shell, Path::new(OUT), programs::build)?;
    let chromium = setup::headless_chromium(shell)?;
    let first = std::path::absolute("target/page/lab")?;
    build_first(shell, &first)?;
    {
        let _web = shell.push_dir("lab/page");
        cmd!(shell, "node later.mjs {first}")
            .env("CHROMIUM", &chromium)
            .quiet()
            .run()?;
    }
    in_chromium(shell, &chromium, "test")
}

/// Builds the page, measures it for the page of benchmarks and takes the picture of its first view.
pub(crate) fn measure(shell: &Shell) -> Result<()> {
    build(shell, Path::new(OUT), programs::build_writers)?;
    in_chromium(shell, &setup::chromium(shell)?, "measure")
}

/// Runs a script of the built page's package that needs a browser.
fn in_chromium(shell: &Shell, chromium: &str, script: &str) -> Result<()> {
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "npm run --silent {script}")
        .env("CHROMIUM", chromium)
        .run()?)
}

/// Builds the page into a folder and the book beside it. `programs` builds the programs that write them.
fn build(shell: &Shell, out: &Path, programs: fn(&Shell) -> Result<()>) -> Result<()> {
    let out = std::path::absolute(out)?;
    setup::node(shell)?;
    // At the same time, because neither keeps two cores busy all the time.
    let beside = shell.clone();
    thread::scope(|scope| {
        let beside = scope.spawn(move || {
            setup::packages(&beside, "lab/page")?;
            setup::packages(&beside, "examples/web")?;
            programs(&beside)
        });
        wasm::compile_modules(shell, &wasm::MODULES)?;
        beside.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    println!("page: bundling the page, the example with planck, and the book");
    for (name, _) in wasm::MODULES {
        wasm::bind_module(shell, name)?;
    }
    npm::build(shell)?;
    {
        let _web = shell.push_dir("lab/page");
        let options = ["--emptyOutDir", "--logLevel", "warn"];
        cmd!(shell, "npm run --silent build -- --outDir {out} {options...}")
            .quiet()
            .run()?;
    }
    build_example(shell, &out)?;
    book::write_beside(shell, &out)
}

/// Writes the example with planck beside the page.
fn build_example(shell: &Shell, out: &Path) -> Result<()> {
    let _web = shell.push_dir("lab/page");
    cmd!(shell, "node_modules/.bin/tsc --project ../../examples/web")
        .quiet()
        .run()?;
    Ok(cmd!(
        shell,
        "node_modules/.bin/vite build ../../examples/web --outDir {out}/examples --emptyOutDir --logLevel warn"
    )
    .quiet()
    .run()?)
}
