//! The web page: builds it, tests it in a browser, measures it.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::compiler::Compiler;
use crate::stages::Stages;
use crate::{book, npm, programs, setup, wasm};

/// The folder in which the page is built for the lab and for its tests.
pub(crate) const OUT: &str = "target/page/site";

/// Options of `cargo xtask page`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; its content is replaced.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

/// Writes the page as static files.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let stages = Stages::of("page");
    build(shell, &options.out, programs::build_writers, &stages)?;
    stages.print();
    println!("page: {}", options.out.display());
    Ok(())
}

/// Builds the page into a folder and the book beside it. `programs` builds the programs that write them.
pub(crate) fn build(shell: &Shell, out: &Path, programs: fn(&Shell) -> Result<()>, stages: &Stages) -> Result<()> {
    let out = std::path::absolute(out)?;
    setup::node(shell)?;
    let compiler = Compiler::find(shell, wasm::TARGET)?;
    // At the same time, because neither keeps two cores busy all the time.
    let beside = shell.clone();
    thread::scope(|scope| {
        let beside = scope.spawn(move || prepare(&beside, programs, stages));
        for module in wasm::MODULES {
            let name = format!("compiling module {} to WebAssembly", module.name);
            stages.run(&name, || module.compile(shell, &compiler))?;
        }
        beside.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        anyhow::Ok(())
    })?;
    stages.run("bundling the page", || {
        wasm::MODULES.iter().try_for_each(|module| module.bind(shell))?;
        bundle(shell, &out)
    })?;
    stages.run("bundling the example with planck", || {
        bundle_example(shell, &out.join("examples"))
    })?;
    stages.run("writing the book", || book::write_beside(shell, &out))
}

/// Installs and compiles the tools that build the page, except its modules.
fn prepare(shell: &Shell, programs: fn(&Shell) -> Result<()>, stages: &Stages) -> Result<()> {
    stages.run("installing npm packages", || {
        ["lab/page", "examples/web"]
            .iter()
            .try_for_each(|folder| setup::packages(shell, folder))
    })?;
    stages.run("compiling what writes JavaScript and the book", || programs(shell))
}

/// Bundles the page's sources and modules.
fn bundle(shell: &Shell, out: &Path) -> Result<()> {
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(
        shell,
        "npm run --silent build -- --outDir {out} --emptyOutDir --logLevel warn"
    )
    .quiet()
    .run()?)
}

/// Serves a built page until interrupted.
pub(crate) fn serve(shell: &Shell, page: &Path) -> Result<()> {
    let page = std::path::absolute(page)?;
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "npm run --silent preview -- --outDir {page}")
        .quiet()
        .run()?)
}

/// Bundles the page with planck, which uses the npm package.
fn bundle_example(shell: &Shell, out: &Path) -> Result<()> {
    npm::build(shell)?;
    let _web = shell.push_dir("lab/page");
    cmd!(shell, "node_modules/.bin/tsc --project ../../examples/web")
        .quiet()
        .run()?;
    Ok(cmd!(
        shell,
        "node_modules/.bin/vite build ../../examples/web --outDir {out} --emptyOutDir --logLevel warn"
    )
    .quiet()
    .run()?)
}

/// Tests the page in a real browser. It must be built.
pub(crate) fn test(shell: &Shell) -> Result<()> {
    let chromium = setup::chromium(shell)?;
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "npm run --silent test").env("CHROMIUM", chromium).run()?)
}

/// Builds the page, measures it for the page of benchmarks and takes pictures of its figures.
pub(crate) fn measure(shell: &Shell) -> Result<()> {
    build(shell, Path::new(OUT), programs::build_writers, &Stages::of("page"))?;
    let chromium = setup::chromium(shell)?;
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "npm run --silent measure")
        .env("CHROMIUM", chromium)
        .run()?)
}
