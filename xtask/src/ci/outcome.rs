//! The outcome of a step, and its line in the file by which one process of `cargo ci` reports to the other.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

/// The outcome of a step.
pub(super) enum Outcome {
    Passed,
    Failed(String),
}

/// A step that has run.
pub(super) struct Ran {
    pub(super) name: &'static str,
    pub(super) outcome: Outcome,
    pub(super) time: Duration,
    /// The processor time of its processes on all cores, where the system reports it. On a busy machine it varies less than the time.
    pub(super) processor: Option<Duration>,
}

impl Ran {
    /// Adds a step to the file of outcomes: word, milliseconds, processor milliseconds or nothing, name, reason.
    pub(super) fn append(&self, file: &Path) -> Result<()> {
        let (word, why) = match &self.outcome {
            Outcome::Passed => ("passed", ""),
            Outcome::Failed(why) => ("failed", why.as_str()),
        };
        let processor = self.processor.map(|time| time.as_millis().to_string());
        let (time, processor) = (self.time.as_millis(), processor.unwrap_or_default());
        let why = why.replace(['\n', '\t'], " ");
        let mut file = File::options().append(true).open(file)?;
        Ok(writeln!(file, "{word}\t{time}\t{processor}\t{}\t{why}", self.name)?)
    }

    /// Parses a line of the file of outcomes, if it belongs to this step.
    pub(super) fn read(line: &str, step: &'static str) -> Option<Self> {
        let mut fields = line.splitn(5, '\t');
        let (word, time, processor) = (fields.next()?, fields.next()?, fields.next()?);
        let (name, why) = (fields.next()?, fields.next()?.to_owned());
        let millis = |text: &str| text.parse().ok().map(Duration::from_millis);
        (name == step).then_some(())?;
        Some(Self {
            name: step,
            outcome: match word {
                "passed" => Outcome::Passed,
                _ => Outcome::Failed(why),
            },
            time: millis(time)?,
            processor: millis(processor),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_back_unchanged_and_of_its_own_step_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("outcomes");
        std::fs::write(&file, "").unwrap();
        let ran = Ran {
            name: "one",
            outcome: Outcome::Failed("a line\nand another".into()),
            time: Duration::from_millis(1234),
            processor: None,
        };
        ran.append(&file).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let again = Ran::read(text.trim_end_matches('\n'), "one").unwrap();
        assert_eq!((again.time, again.processor), (ran.time, None));
        assert!(matches!(again.outcome, Outcome::Failed(why) if why == "a line and another"));
        assert!(Ran::read(&text, "other").is_none());
        // A process that was killed may leave half a line.
        assert!(Ran::read("passed\t12", "one").is_none());
    }
}
