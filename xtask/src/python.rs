//! The Python package: builds it, and tests it as installed by a program.

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::programs::linted;
use crate::{book, setup, snippets};

/// The crate with the sources.
const CRATE: &str = "bindings/py";

/// The pages whose Python code is run.
const PAGES: [&str; 4] = [
    book::WHICH_CALL,
    "docs/pages/python.md",
    "docs/pages/control.md",
    "bindings/py/README.md",
];

/// The folder in which the package is built and tested.
const OUT: &str = "target/python";

/// The step of `cargo ci`: builds a wheel and installs it in an environment with only the packages that the tests need. Checks its types
/// against the module and the tests, and runs its tests, the notebook of the book among them.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    // The profile is that of the Rust tests, because a release build takes twice as long.
    let python = installed(shell, "dev")?;
    let code = shell.current_dir().join(OUT).join("snippets");
    snippets::write(shell, &code, ("python", "py", "#"), &PAGES)?;
    let _crate = shell.push_dir(CRATE);
    cmd!(shell, "{python} -m mypy python tests").quiet().run()?;
    cmd!(
        shell,
        "{python} -m mypy.stubtest evenstep --allowlist tests/stubtest.txt"
    )
    .quiet()
    .run()?;
    Ok(
        cmd!(shell, "{python} -m pytest --quiet --config-file pyproject.toml tests")
            .env("EVENSTEP_SNIPPETS", &code)
            .quiet()
            .run()?,
    )
}

/// Builds the wheel with a profile, and installs it in a new environment with the packages that the tests need. Returns the path of its
/// Python.
pub(crate) fn installed(shell: &Shell, profile: &str) -> Result<String> {
    setup::python(shell)?;
    let out = shell.current_dir().join(OUT);
    let (venv, wheels) = (out.join("venv"), out.join("wheels"));
    println!("Python: installing what the tests need");
    cmd!(shell, "python3 -m venv --clear {venv}").quiet().run()?;
    let python = venv.join("bin/python").display().to_string();
    // Most modules are never imported here, and the others are compiled when they are.
    cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check --no-compile --requirement {CRATE}/tests/requirements.txt"
    )
    .quiet()
    .run()?;
    println!("Python: building the wheel");
    shell.remove_path(&wheels)?;
    let build = cmd!(
        shell,
        "{python} -m maturin build --quiet --profile {profile} --interpreter {python} --manifest-path {CRATE}/Cargo.toml --out {wheels}"
    );
    // Clippy's driver does not optimise as the compiler does.
    let build = match profile {
        "release" => build,
        _ => linted(build),
    };
    build.quiet().run()?;
    let wheel = shell.read_dir(&wheels)?.pop().context("maturin wrote no wheel")?;
    if !wheel.display().to_string().contains("-cp311-abi3-") {
        bail!("{} is not for every Python since 3.11", wheel.display());
    }
    cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check --no-index --no-deps {wheel}"
    )
    .quiet()
    .run()?;
    Ok(python)
}
