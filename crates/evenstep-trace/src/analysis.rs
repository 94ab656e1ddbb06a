//! A whole file, measured and diagnosed.

use serde::Serialize;

use crate::{Chain, Diagnosis, Metrics, Trace, TraceError};

/// What there is to say of a file: its chains, measured and diagnosed. As JSON it is what `evenstep analyze --json` prints of
/// each file.
///
/// ```
/// use evenstep_trace::{Rows, Trace};
///
/// let trace = Trace::parse("16\n17\n16\n".as_bytes(), "list.txt", Rows::All)?;
/// let analysis = trace.analyze(None)?;
/// assert_eq!(analysis.chains[0].metrics.frames, 3);
/// # Ok::<(), evenstep_trace::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The name of the file.
    pub file: String,
    /// What kind of file it is.
    pub format: String,
    /// What is odd about it, in sentences.
    pub warnings: Vec<String>,
    /// Its chains, the one with the most frames first.
    pub chains: Vec<ChainAnalysis>,
}

/// What there is to say of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainAnalysis {
    /// The program's name.
    pub process: String,
    /// Its process.
    pub pid: String,
    /// Its swap chain.
    pub swap_chain: String,
    /// What it comes down to.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// What kind of stutter it has.
    pub diagnosis: Vec<Diagnosis>,
}

impl Trace {
    /// Measures and diagnoses all chains, or the one of a name.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`].
    pub fn analyze(&self, chain: Option<&str>) -> Result<Analysis, TraceError> {
        let mut warnings = self.warnings.clone();
        if !self.skipped.is_empty() {
            warnings.push(format!("{} unreadable rows were skipped", self.skipped.len()));
        }
        let chains = match chain {
            Some(name) => vec![self.chain(name)?.analyze()],
            None => self.chains.iter().map(Chain::analyze).collect(),
        };
        Ok(Analysis {
            file: self.file().to_owned(),
            format: self.format.to_string(),
            warnings,
            chains,
        })
    }
}

impl Chain {
    fn analyze(&self) -> ChainAnalysis {
        ChainAnalysis {
            process: self.application.clone(),
            pid: self.process.clone(),
            swap_chain: self.swap_chain.clone(),
            metrics: self.metrics(),
            diagnosis: self.diagnose(),
        }
    }
}
