//! The machine of a recording: operating system, processor, graphics card and driver.

use serde::Serialize;

use crate::read::columns::normalized;
use crate::read::record::Splitter;

/// The machine that a recording was made on, if its file describes the machine: in CapFrameX's and MangoHud's headers, and in OCAT's
/// first row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Machine {
    /// The operating system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// The processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The graphics card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    /// The version of the graphics driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
}

impl Machine {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Stores the value that a file gives under a name. The first nonempty value counts.
    pub(crate) fn learn(&mut self, name: &str, value: &str) {
        let own = match normalized(name).as_str() {
            "os" => &mut self.os,
            "processor" | "cpu" => &mut self.cpu,
            "gpu" => &mut self.gpu,
            "gpudriverversion" | "basedriverversion" | "driver" => &mut self.driver,
            _ => return,
        };
        let value = value.trim();
        if own.is_none() && !matches!(value, "" | "-" | "NA") {
            *own = Some(value.to_owned());
        }
    }

    /// Stores the fields of a row under the names of their columns.
    pub(crate) fn learn_row(&mut self, names: &[String], row: &[u8], delimiter: u8) {
        let mut splitter = Splitter::default();
        let Ok(row) = splitter.split(row, delimiter) else {
            return;
        };
        for (index, name) in names.iter().enumerate() {
            if let Some(value) = row.get(index) {
                self.learn(name, &String::from_utf8_lossy(value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nonempty_value_counts() {
        let mut machine = Machine::default();
        let names = ["OS", "Base Driver Version", "GPU", "GPU"].map(str::to_owned);
        machine.learn_row(&names, b"\"Windows, 10\",-,RTX 2080", b',');
        machine.learn("driver", "Mesa 25.1");
        machine.learn("GPU", "another");
        let fields = [machine.os, machine.cpu, machine.gpu, machine.driver];
        let expected = [Some("Windows, 10"), None, Some("RTX 2080"), Some("Mesa 25.1")];
        assert_eq!(fields.each_ref().map(Option::as_deref), expected);
    }
}
