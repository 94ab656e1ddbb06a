//! QEMU for another processor, and a C compiler.

use std::env;

use anyhow::{Context, Result, bail};
use xshell::Shell;

use crate::setup;

#[derive(Clone, Copy)]
pub(super) struct Cross {
    pub(super) emulator: &'static str,
    /// The first version that computes right, major and minor.
    pub(super) since: (u32, u32),
    /// What the names of the C compiler's programs begin with.
    pub(super) prefix: &'static str,
    /// Debian's package of the C library.
    pub(super) library: &'static str,
}

/// Where no version is known to compute wrong.
pub(super) const ANY: (u32, u32) = (0, 0);

impl Cross {
    /// Installs what is missing; answers with the versions of the compiler and the emulator.
    pub(super) fn find(&self, shell: &Shell) -> Result<[String; 2]> {
        let (gcc, emulator) = (format!("{}-gcc", self.prefix), self.program());
        let packages = [&format!("gcc-{}", self.prefix), self.library, "qemu-user"];
        setup::programs(shell, &[&gcc, &emulator], &packages)?;
        let found = setup::version(shell, &emulator)?;
        if number(&found).with_context(|| format!("no version in: {found}"))? < self.since {
            let (major, minor) = self.since;
            bail!(
                "{found} computes wrong; get {major}.{minor} or later, and name it: {}=/path/to/{}",
                self.variable(),
                self.emulator
            );
        }
        Ok([setup::version(shell, &gcc)?, found])
    }

    /// The emulator that the environment names, or the one that is on the path.
    pub(super) fn program(&self) -> String {
        env::var(self.variable()).unwrap_or_else(|_| self.emulator.to_owned())
    }

    /// Such as `QEMU_S390X`.
    fn variable(&self) -> String {
        self.emulator.to_uppercase().replace('-', "_")
    }
}

/// The version that a program of QEMU says: "qemu-arm version 7.2.22 (Debian …)".
fn number(said: &str) -> Option<(u32, u32)> {
    let (_, version) = said.split_once(" version ")?;
    let mut parts = version.split(['.', ' ']).map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_version_of_two_digits_is_later_than_one_of_one() {
        let said = |version: &str| number(&format!("qemu-s390x version {version}"));
        assert_eq!(said("7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)"), Some((7, 2)));
        assert_eq!(said("8.1"), Some((8, 1)));
        assert!(said("10.0.2 (Debian 1:10.0.2+ds-2)") > said("8.1.0"));
        assert_eq!(number("a program that says nothing"), None);
    }
}
