//! The Python package: builds it, and tests it as installed by a program.

use std::path::Path;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::programs::linted;
use crate::stages::Stages;
use crate::{setup, snippets};

/// The crate with the sources.
const CRATE: &str = "bindings/py";

/// The pages whose Python code is run.
const PAGES: [&str; 3] = ["docs/pages/python.md", "docs/pages/control.md", "bindings/py/README.md"];

/// The folder in which the package is built and tested.
const OUT: &str = "target/python";

/// The step of `cargo ci`: builds a wheel and installs it in an environment with only the packages that the tests need. Checks its types
/// against the module and the tests, and runs its tests, the notebook of the book among them.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    setup::python(shell)?;
    let stages = Stages::of("Python");
    let python = stages.run("installing what the tests need", || environment(shell))?;
    // The profile is that of the Rust tests, because a release build takes twice as long.
    stages.run("building the wheel", || install(shell, &python, "dev"))?;
    let code = shell.current_dir().join(OUT).join("snippets");
    snippets::write(shell, &code, ("python", "py", "#"), &PAGES)?;
    let _crate = shell.push_dir(CRATE);
    stages.run("checking types", || {
        cmd!(shell, "{python} -m mypy evenstep.pyi tests").quiet().run()?;
        Ok(cmd!(
            shell,
            "{python} -m mypy.stubtest evenstep --allowlist tests/stubtest.txt"
        )
        .quiet()
        .run()?)
    })?;
    stages.run("testing", || {
        Ok(
            cmd!(shell, "{python} -m pytest --quiet --config-file pyproject.toml tests")
                .env("EVENSTEP_SNIPPETS", &code)
                .quiet()
                .run()?,
        )
    })?;
    stages.print();
    Ok(())
}

/// Creates an environment with the packages that the tests need. Returns the path of its Python.
fn environment(shell: &Shell) -> Result<String> {
    let venv = shell.current_dir().join(OUT).join("venv");
    cmd!(shell, "python3 -m venv --clear {venv}").quiet().run()?;
    let python = venv.join("bin/python").display().to_string();
    // Most modules are never imported here, and the others are compiled when they are.
    cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check --no-compile --requirement {CRATE}/tests/requirements.txt"
    )
    .quiet()
    .run()?;
    Ok(python)
}

/// Builds the wheel with a profile and installs it in a new environment. Returns the path of its Python.
pub(crate) fn installed(shell: &Shell, profile: &str) -> Result<String> {
    setup::python(shell)?;
    let python = environment(shell)?;
    install(shell, &python, profile)?;
    Ok(python)
}

/// Builds the wheel and installs it.
fn install(shell: &Shell, python: &str, profile: &str) -> Result<()> {
    let wheels = shell.current_dir().join(OUT).join("wheels");
    shell.remove_path(&wheels)?;
    let build = cmd!(
        shell,
        "{python} -m maturin build --quiet --profile {profile} --interpreter {python} --manifest-path {CRATE}/Cargo.toml --out {wheels}"
    );
    // Clippy's driver does not optimise as the compiler does.
    let build = if profile == "release" { build } else { linted(build) };
    build.quiet().run()?;
    let wheel = shell.read_dir(&wheels)?.pop().context("maturin wrote no wheel")?;
    if !is_for_any_python(&wheel) {
        bail!("{} is not for every Python since 3.11", wheel.display());
    }
    Ok(cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check --no-index --no-deps {wheel}"
    )
    .quiet()
    .run()?)
}

fn is_for_any_python(wheel: &Path) -> bool {
    let name = wheel.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.contains("-cp311-abi3-"))
}
