//! QEMU for another processor, and a C compiler.

use std::env::{self, consts};

use anyhow::{Context, Result, bail};
use xshell::Shell;

use crate::setup;

#[derive(Clone, Copy)]
pub(super) struct Cross {
    /// The QEMU program; `None` if an x86-64 processor runs these programs itself.
    pub(super) emulator: Option<&'static str>,
    /// The first version that computes correctly, major and minor.
    pub(super) since: (u32, u32),
    /// The prefix of the names of the C compiler's programs.
    pub(super) prefix: &'static str,
    /// The Debian package of the C library.
    pub(super) library: &'static str,
}

/// For emulators of which no version is known to compute incorrectly.
pub(super) const ANY: (u32, u32) = (0, 0);

impl Cross {
    /// Installs missing tools. Returns the versions of the compiler and the emulator.
    pub(super) fn find(&self, shell: &Shell) -> Result<Vec<String>> {
        let gcc = format!("{}-gcc", self.prefix);
        let compiler = [&format!("gcc-{}", self.prefix), self.library];
        let Some(name) = self.emulator else {
            if consts::ARCH != "x86_64" {
                bail!("it needs an x86-64 processor");
            }
            setup::programs(shell, &[&gcc], &compiler)?;
            return Ok(vec![setup::version(shell, &gcc)?]);
        };
        let emulator = program(name);
        setup::programs(shell, &[&gcc, &emulator], &[&compiler[..], &["qemu-user"]].concat())?;
        let found = setup::version(shell, &emulator)?;
        if number(&found).with_context(|| format!("no version in: {found}"))? < self.since {
            let (major, minor) = self.since;
            bail!(
                "{found} computes wrong; get {major}.{minor} or later, and name it: {}=/path/to/{name}",
                variable(name),
            );
        }
        Ok(vec![setup::version(shell, &gcc)?, found])
    }

    /// The command that runs a program.
    pub(super) fn runner(&self) -> Option<String> {
        self.emulator.map(program)
    }
}

/// The emulator that the environment names, or the one that is on the path.
fn program(name: &str) -> String {
    env::var(variable(name)).unwrap_or_else(|_| name.to_owned())
}

/// The environment variable that names an emulator, such as `QEMU_S390X`.
fn variable(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// Parses the version in the output of a QEMU program: "qemu-arm version 7.2.22 (Debian …)".
fn number(output: &str) -> Option<(u32, u32)> {
    let (_, version) = output.split_once(" version ")?;
    let mut parts = version.split(['.', ' ']).map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_version_of_two_digits_is_later_than_one_of_one() {
        let version_in = |version: &str| number(&format!("qemu-s390x version {version}"));
        assert_eq!(version_in("7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)"), Some((7, 2)));
        assert_eq!(version_in("8.1"), Some((8, 1)));
        assert!(version_in("10.0.2 (Debian 1:10.0.2+ds-2)") > version_in("8.1.0"));
        assert_eq!(number("a program that says nothing"), None);
    }
}
