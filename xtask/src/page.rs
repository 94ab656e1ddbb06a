//! The web page: builds it, tests it in a browser, measures it.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::{book, links, npm, setup, wasm};

/// Where the page is built for the lab and for its tests.
pub(crate) const OUT: &str = "target/page/site";

/// Options of `cargo xtask page`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; what is in it is replaced.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

/// Writes the page as static files.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    build(shell, &options.out)?;
    println!("page: {}", options.out.display());
    Ok(())
}

/// Builds the page into a folder, the book beside it, and checks the links of both.
pub(crate) fn build(shell: &Shell, out: &Path) -> Result<()> {
    println!("page: building the simulations as WebAssembly");
    wasm::build(shell, Path::new("web/src/wasm"))?;
    setup::node(shell)?;
    let out = std::path::absolute(out)?;
    bundle(shell, &out)?;
    println!("page: building the examples with other people's engines");
    bundle_examples(shell, &out.join("examples"))?;
    println!("page: building the book");
    book::build_beside(shell, &out)?;
    // The command has the page built in, so its build script is to run again.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evenstep-cli/build.rs");
    File::options()
        .append(true)
        .open(script)?
        .set_modified(SystemTime::now())?;
    links::check(&out)
}

/// Makes the page's files of its sources and modules.
fn bundle(shell: &Shell, out: &Path) -> Result<()> {
    println!("page: bundling");
    setup::packages(shell, "web")?;
    let _web = shell.push_dir("web");
    Ok(cmd!(shell, "npm run --silent build -- --outDir {out} --emptyOutDir")
        .quiet()
        .run()?)
}

/// The pages with other people's engines, which have the npm package.
fn bundle_examples(shell: &Shell, out: &Path) -> Result<()> {
    npm::write(shell, Path::new(npm::OUT))?;
    setup::packages(shell, "examples/web")?;
    let _web = shell.push_dir("web");
    cmd!(shell, "node_modules/.bin/tsc --project ../examples/web")
        .quiet()
        .run()?;
    Ok(cmd!(
        shell,
        "node_modules/.bin/vite build ../examples/web --outDir {out} --emptyOutDir --logLevel warn"
    )
    .quiet()
    .run()?)
}

/// Tests the page in a real browser. It must be built.
pub(crate) fn test(shell: &Shell) -> Result<()> {
    let chromium = setup::chromium(shell)?;
    let _web = shell.push_dir("web");
    Ok(cmd!(shell, "npm run --silent test").env("CHROMIUM", chromium).run()?)
}

/// Builds the page, measures it for `docs/pages/page.md` and takes pictures of its figures.
pub(crate) fn measure(shell: &Shell) -> Result<()> {
    run_measure(shell, &[])
}

/// Builds the page, and writes what a frame costs by the number of bodies into a file.
pub(crate) fn measure_cost(shell: &Shell, file: &Path) -> Result<()> {
    let file = shell.current_dir().join(file);
    run_measure(shell, &["--".into(), file.into_os_string()])
}

fn run_measure(shell: &Shell, arguments: &[OsString]) -> Result<()> {
    build(shell, Path::new(OUT))?;
    cmd!(shell, "cargo build --release -p evenstep-cli").run()?;
    let chromium = setup::chromium(shell)?;
    let _web = shell.push_dir("web");
    Ok(cmd!(shell, "npm run --silent measure {arguments...}")
        .env("CHROMIUM", chromium)
        .run()?)
}
