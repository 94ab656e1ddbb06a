//! The files for Lua, LÖVE and Defold: their tests on every Lua, in LÖVE without a screen, and the code of their page.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::built::built;
use crate::{setup, snippets};

/// The folder of the three files.
const FOLDER: &str = "bindings/lua";

/// Every Lua for which they are written, by the names of its programs in Debian.
const LUAS: [&str; 4] = ["luajit", "lua5.1", "lua5.3", "lua5.4"];

/// Those that Defold has.
const DEFOLDS: [&str; 2] = ["luajit", "lua5.1"];

/// The page whose code is run.
const PAGE: &str = "docs/pages/lua.md";

/// The test of the core that writes the random scripts, with their answers, where a variable says.
const WRITER: &str = "a_thousand_random_scripts";
pub(crate) const WRITTEN: &str = "EVENSTEP_RANDOM_SCRIPTS";

/// Fails unless there is a Lua for the quick tier. A forge has to have one on Linux alone.
pub(crate) fn needs(shell: &Shell) -> Result<()> {
    let is_elsewhere = cfg!(not(target_os = "linux")) && shell.var("CI").is_ok();
    let is_there = is_elsewhere || !found(shell).is_empty();
    ensure!(
        is_there,
        "this needs a Lua; install one, for example: apt-get install luajit"
    );
    Ok(())
}

/// Fails unless there is all that `check` runs.
pub(crate) fn needs_all(shell: &Shell) -> Result<()> {
    let programs = LUAS.iter().chain(&["luacheck", "love", "luarocks"]);
    cmd!(shell, "which {programs...}")
        .quiet()
        .ignore_stdout()
        .run()
        .context("this needs all of these programs, of .ci/packages; install them: cargo xtask setup")
}

/// The programs of this system, whatever their names.
fn found(shell: &Shell) -> Vec<&'static str> {
    let names = LUAS.into_iter().chain(["lua"]);
    names.filter(|lua| setup::runs(cmd!(shell, "{lua} -v"))).collect()
}

/// The step of the quick tier: the tests on one Lua, LuaJIT if it is there.
pub(crate) fn test(shell: &Shell) -> Result<()> {
    let found = found(shell);
    run_tests(shell, &found[..found.len().min(1)])
}

/// The step of `cargo ci --all`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let rockspec = format!("{FOLDER}/evenstep-{}-1.rockspec", env!("CARGO_PKG_VERSION"));
    ensure!(
        shell.path_exists(&rockspec),
        "{rockspec} is missing: a rockspec has its version in its name"
    );
    cmd!(
        shell,
        "luacheck --config {FOLDER}/.luacheckrc --no-color --quiet {FOLDER} examples/defold"
    )
    .quiet()
    .ignore_stdout()
    .run()
    .context("luacheck --config bindings/lua/.luacheckrc bindings/lua examples/defold")?;
    // Its default Lua has all that it installs: files.
    let tree = built("lua/rocks")?;
    cmd!(shell, "luarocks make --tree {tree} {rockspec}")
        .quiet()
        .ignore_stdout()
        .run()?;
    run_tests(shell, &LUAS)?;
    let root = shell.current_dir().join(FOLDER);
    let code = built("lua")?.join("snippets");
    snippets::write(shell, &code, ("lua", "lua", "--"), &[PAGE])?;
    let snippets = &shell.read_dir(&code)?;
    for lua in LUAS {
        cmd!(shell, "{lua} {FOLDER}/tests/snippets.lua {snippets...}")
            .quiet()
            .run()?;
    }
    love(shell, "tests/love", &root).run()?;
    love(shell, "tests/love_snippets", &code).run()?;
    Ok(())
}

/// LÖVE with a folder of tests and an argument, without a screen and a sound.
fn love<'a>(shell: &'a Shell, folder: &str, argument: &Path) -> Cmd<'a> {
    cmd!(shell, "love {FOLDER}/{folder} {argument}")
        .env("HOME", argument)
        .env("ALSOFT_DRIVERS", "null")
        .env("SDL_VIDEODRIVER", "offscreen")
        .quiet()
}

/// The file with the random scripts. Each run of `cargo ci` begins without it, and the core's tests write it.
pub(crate) fn scripts() -> Result<PathBuf> {
    built("lua/random-scripts.txt")
}

fn run_tests(shell: &Shell, luas: &[&str]) -> Result<()> {
    let (scripts, tests) = (scripts()?, format!("{FOLDER}/tests"));
    if !scripts.exists() {
        cmd!(shell, "cargo test --package evenstep --test all -- {WRITER}")
            .env(WRITTEN, &scripts)
            .quiet()
            .ignore_stdout()
            .run()?;
    }
    for lua in luas {
        cmd!(shell, "{lua} {tests}/evenstep.lua").quiet().run()?;
        cmd!(shell, "{lua} {tests}/conformance.lua stored/conformance.txt {scripts}")
            .quiet()
            .run()?;
        if DEFOLDS.contains(lua) {
            cmd!(shell, "{lua} {tests}/defold.lua").quiet().run()?;
        }
    }
    Ok(())
}
