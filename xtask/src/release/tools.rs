//! The programs that pack and upload a release.

use anyhow::Result;
use xshell::Shell;

use crate::setup;

/// The Python that has maturin, zig as a linker for any Linux, and twine.
pub(super) fn python(shell: &Shell) -> Result<String> {
    let packages = [
        "maturin==1.16.0",
        "ziglang==0.17.1",
        "cargo-zigbuild==0.24.1",
        "twine==7.0.0",
    ];
    setup::python_tools(shell, "release", &packages)
}
