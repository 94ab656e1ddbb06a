//! The web page: builds it, serves it, tests it in a browser, measures it.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use xshell::{Shell, cmd};

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

/// `cargo lab`: builds the page and the book, and serves them until interrupted.
pub(crate) fn lab(shell: &Shell) -> Result<()> {
    println!("lab: builds the page and the book, then serves them here.");
    println!("lab: the first time takes about four minutes on two cores, later ones seconds.");
    setup::install_node(shell)?;
    build(shell, Path::new(OUT), programs::build_writers)?;
    println!("lab: open the address below; the book is at /book/. Ctrl-C stops the lab.");
    let page = std::path::absolute(OUT)?;
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "npm run --silent preview -- --outDir {page}")
        .quiet()
        .run()?)
}

/// The step of `cargo ci`: builds the page and tests it in a real browser.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    build(shell, Path::new(OUT), programs::build)?;
    in_chromium(shell, &setup::headless_chromium(shell)?, "test")
}

/// Builds the page, measures it for the page of benchmarks and takes pictures of its figures.
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
        for (name, features) in wasm::MODULES {
            println!("page: compiling module {name} to WebAssembly");
            wasm::compile_module(shell, name, features)?;
        }
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
        cmd!(shell, "node_modules/.bin/tsc --project ../../examples/web")
            .quiet()
            .run()?;
        cmd!(
            shell,
            "node_modules/.bin/vite build ../../examples/web --outDir {out}/examples {options...}"
        )
        .quiet()
        .run()?;
    }
    book::write_beside(shell, &out)
}
