//! `evenstep check`: fails if a recording is not as smooth as required.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evenstep_trace::Metrics;

use self::found::{Found, Outcome};
use self::limits::{Bound, Limit};
use crate::commands::noise::Values;
use crate::commands::part::Part;
use crate::failure::{Failure, printable};
use crate::output::html::escaped;
use crate::output::output_file::{Files, OutputFile};
use crate::{input, output};

mod baseline;
mod found;
pub(in crate::commands) mod limits;

/// The arguments of `check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The recordings, folders of recordings, and patterns such as 'runs/**/*.csv'; `-` is standard input. In each, the chain with the
    /// most frames is checked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    checks: Checks,
}

/// The limits for recordings, and where the results go.
#[derive(Args)]
pub(crate) struct Checks {
    /// A metric of `analyze --json` that must not be above a value, such as stutter_time_pct=1 or 'animation_error_ms.p99_abs=4 ms'.
    #[arg(long, value_name = "METRIC=VALUE", allow_hyphen_values = true, value_parser = |text: &str| limits::limit(text, Bound::Max))]
    max: Vec<Limit>,
    /// A metric that must not be below a value, such as fps_low_1pct=50.
    #[arg(long, value_name = "METRIC=VALUE", allow_hyphen_values = true, value_parser = |text: &str| limits::limit(text, Bound::Min))]
    min: Vec<Limit>,
    /// A TOML file with such limits, in the tables [max] and [min].
    #[arg(long, value_name = "LIMITS.toml")]
    limits: Option<PathBuf>,
    /// Fail if the recordings, runs of one scene, are surely worse than this one by more than `--allow`. A folder or a pattern stands for
    /// several runs; with one recording of each only a count of hitches is sure.
    #[arg(long, value_name = "BASELINE")]
    against: Option<PathBuf>,
    /// The change against the baseline that is allowed, in percent.
    #[arg(long, value_name = "PERCENT", default_value = "5%", requires = "against", allow_hyphen_values = true, value_parser = limits::percent)]
    allow: f64,
    /// Check the chain of this name instead: an application, process or swap chain.
    #[arg(long, value_name = "NAME")]
    chain: Option<String>,
    /// Skip unreadable rows.
    #[arg(long)]
    lenient: bool,
    /// Write the results of the checks as JUnit XML.
    #[arg(long, value_name = "OUT.xml")]
    junit: Option<PathBuf>,
    /// Print violated limits as annotations of GitHub Actions.
    #[arg(long)]
    github: bool,
}

/// Checks that are ready to run: their files were read.
pub(crate) struct Ready<'a> {
    checks: &'a Checks,
    limits: Vec<Limit>,
    /// Of each run; empty if none is compared with.
    baseline: Vec<Values>,
    junit: Option<OutputFile>,
}

/// The name of a recording, and the result of one check on it.
type Checked<'a> = (&'a str, Found);

/// A recording to check.
pub(crate) struct Recording {
    pub(crate) path: PathBuf,
    /// Its name in messages and in JUnit XML.
    pub(crate) name: String,
}

/// Checks all recordings. The exit code is 1 if one of them violates a limit, and 2 if one cannot be read, a file is missing or a metric is
/// unknown; in the last two cases nothing was checked.
pub(crate) fn check(args: &Arguments) -> Result<ExitCode, Failure> {
    let mut exit = ExitCode::SUCCESS;
    let found = input::find::find(&args.files, |failure| exit = failure.into_unreadable().report())?;
    let mut files = Files::default();
    files.read("FILE", &found);
    let ready = args.checks.ready(&mut files)?;
    input::find::must_exist("FILE", &found)?;
    let recording = |path: PathBuf| Recording {
        name: path.display().to_string(),
        path,
    };
    ready.check(&found.into_iter().map(recording).collect::<Vec<_>>(), exit)
}

impl Checks {
    /// Whether there is a limit or a baseline.
    pub(crate) fn are_any(&self) -> bool {
        !self.max.is_empty() || !self.min.is_empty() || self.limits.is_some() || self.against.is_some()
    }

    /// Reads the limits and the baseline.
    pub(crate) fn ready(&self, files: &mut Files) -> Result<Ready<'_>, Failure> {
        if !self.are_any() {
            let reason =
                "nothing to check; give --max METRIC=VALUE, --min METRIC=VALUE, --limits FILE or --against BASELINE";
            return Err(Failure::Usage(reason.to_owned()));
        }
        input::find::must_exist("--limits", &self.limits)?;
        let mut unread = None;
        let runs = input::find::find(self.against.as_slice(), |failure| unread = Some(failure))?;
        input::find::must_exist("--against", &runs)?;
        if let Some(failure) = unread {
            return Err(failure.into_unreadable());
        }
        let mut limits = [&self.max[..], &self.min].concat();
        if let Some(file) = &self.limits {
            limits.extend(limits::read(file).map_err(Failure::into_unreadable)?);
        }
        limits::must_be_known(&limits)?;
        files.read("--limits", &self.limits);
        files.read("--against", &runs);
        let junit = files.output("--junit", self.junit.as_deref())?;
        let baseline = runs.iter().map(|run| Ok(limits::values(&self.read(run)?)));
        let baseline = baseline.collect::<Result<_, Failure>>()?;
        Ok(Ready {
            checks: self,
            limits,
            baseline,
            junit,
        })
    }

    /// The metrics of the chain of a file to check.
    fn read(&self, file: &Path) -> Result<Metrics, Failure> {
        let whole = Part::whole(self.chain.clone(), self.lenient);
        let mut recording = whole.measure(file, false).map_err(Failure::into_unreadable)?;
        Ok(recording.analysis.chains.swap_remove(0).metrics)
    }
}

impl Ready<'_> {
    /// Checks recordings and prints the results. Returns `exit` if nothing is violated, and something could be told.
    pub(crate) fn check(self, recordings: &[Recording], mut exit: ExitCode) -> Result<ExitCode, Failure> {
        let (mut checked, mut runs): (Vec<Checked<'_>>, _) = (Vec::new(), Vec::new());
        for Recording { path, name } in recordings {
            match self.checks.read(path) {
                Ok(metrics) => {
                    let values = limits::values(&metrics);
                    let found = self.limits.iter().map(|limit| limit.check(&metrics, &values));
                    checked.extend(found.map(|found| (&**name, found)));
                    runs.push(values);
                }
                Err(failure) => exit = failure.report(),
            }
        }
        let name = match recordings {
            [one] => one.name.clone(),
            several => format!("{} and {} more", several[0].name, several.len() - 1),
        };
        if !self.baseline.is_empty() && !runs.is_empty() {
            let found = baseline::compare(&runs, &self.baseline, self.checks.allow);
            checked.extend(found.into_iter().map(|found| (&*name, found)));
        }
        if checked.is_empty() {
            return Ok(exit);
        }
        let count = |outcome| checked.iter().filter(|(_, found)| found.outcome == outcome).count();
        let (violated, unsure) = (count(Outcome::Failed), count(Outcome::Unsure));
        if let Some(file) = self.junit {
            file.write(junit(&checked, violated, unsure).as_bytes())?;
        }
        let mut text: String = checked.iter().map(|one| line(one, self.checks.github)).collect();
        let first = checked.iter().find(|(_, found)| found.outcome == Outcome::Unsure);
        let first = first.map_or_else(String::new, |(_, found)| format!(", the first: {}", found.finding));
        text += &format!(
            "{} checks: {} passed, {violated} violated, {unsure} too uncertain to tell{first}\n",
            checked.len(),
            checked.len() - violated - unsure
        );
        output::print(&text)?;
        // A gate that could tell nothing must not pass.
        let is_passed = violated == 0 && unsure < checked.len();
        Ok(if is_passed { exit } else { ExitCode::from(1) })
    }
}

/// A violated limit as a line for a terminal or for GitHub Actions; else empty.
fn line((file, found): &Checked<'_>, github: bool) -> String {
    if found.outcome != Outcome::Failed {
        return String::new();
    }
    if github {
        let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let (file, finding) = (escape(file).replace(':', "%3A"), escape(&found.finding));
        format!("::error file={},title=violated::{finding}\n", file.replace(',', "%2C"))
    } else {
        format!("{file}: violated: {}\n", found.finding)
    }
}

/// The results as JUnit XML.
fn junit(checked: &[Checked<'_>], failed: usize, unsure: usize) -> String {
    let counts = format!(
        "name=\"evenstep check\" tests=\"{}\" skipped=\"{unsure}\" failures=\"{failed}\" errors=\"0\"",
        checked.len()
    );
    let mut xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite {counts}>\n");
    for (file, found) in checked {
        // XML has no control characters.
        let [file, metric, finding] = [*file, &found.metric, &found.finding].map(|text| escaped(&printable(text)));
        let result = match found.outcome {
            Outcome::Passed => String::new(),
            Outcome::Unsure => format!("<skipped message=\"{finding}\"/>"),
            Outcome::Failed => format!("<failure message=\"{finding}\"/>"),
        };
        let _ = writeln!(
            xml,
            "<testcase classname=\"{file}\" name=\"{metric}\">{result}</testcase>"
        );
    }
    xml + "</testsuite>\n</testsuites>\n"
}
