//! The name of a swap chain: application, process and address.

use std::cmp::Reverse;
use std::fmt;

use serde::Serialize;

/// The name of a swap chain: application, process and address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct SwapChainName {
    /// The program's name; empty if the file does not hold it.
    #[serde(rename = "process")]
    pub application: String,
    /// The process; empty if the file does not hold it.
    #[serde(rename = "pid")]
    pub process: String,
    /// The address of the swap chain; empty if the file does not hold it.
    pub swap_chain: String,
}

impl SwapChainName {
    /// Creates the name of a swap chain that was not read from a file.
    #[must_use]
    pub fn new(application: &str, process: &str, swap_chain: &str) -> Self {
        Self {
            application: application.to_owned(),
            process: process.to_owned(),
            swap_chain: swap_chain.to_owned(),
        }
    }

    /// Whether `name` is the application, the process or the swap chain, or all three joined with slashes. ASCII case is ignored.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        let names = [&self.application, &self.process, &self.swap_chain];
        names.iter().any(|own| own.eq_ignore_ascii_case(name)) || self.to_string().eq_ignore_ascii_case(name)
    }

    /// A sort key for swap chains: the one with the most frames first, the desktop compositor's last.
    pub(crate) fn rank(&self, frames: usize) -> impl Ord + use<> {
        let is_compositor = self.application.eq_ignore_ascii_case("dwm.exe");
        (is_compositor, Reverse(frames), self.clone())
    }
}

impl fmt::Display for SwapChainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.application, self.process, self.swap_chain)
    }
}
