//! `evenstep compare`: the differences between recordings of two versions, with their noise.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evenstep_trace::SwapChain;
use serde::Serialize;

use crate::commands::noise::Change;
use crate::commands::part::Part;
use crate::commands::runs::Runs;
use crate::failure::Failure;
use crate::output::analysis::{FRAME_TIMES, Figure, INTERVALS};
use crate::output::charts::{Axis, Chart, RAW, SMOOTHED, Style};
use crate::output::html::Document;
use crate::output::output_file::Files;
use crate::{input, output};

/// The arguments of `compare`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The recording before the change; a folder or a pattern stands for several runs of one scene.
    before: PathBuf,
    /// The recording after the change, or several runs.
    after: PathBuf,
    #[command(flatten)]
    part: Part,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write a page with the charts of both laid over each other.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Compared {
    before: Side,
    after: Side,
    differences: Vec<Difference>,
}

/// The runs of one side.
#[derive(Serialize)]
struct Side {
    files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outlier: Option<String>,
    /// The first diagnosis of each run.
    diagnosis: Vec<String>,
}

/// The difference of a metric.
#[derive(Serialize)]
struct Difference {
    metric: &'static str,
    unit: &'static str,
    #[serde(flatten)]
    change: Change,
    /// Of hitches, the chance that runs of the same program differ so much in this direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    /// About how many runs a side would tell this difference, if it is not certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs_to_tell: Option<usize>,
    /// `different` is neither better nor worse.
    verdict: &'static str,
}

/// Compares recordings.
pub(crate) fn compare(args: &Arguments) -> Result<ExitCode, Failure> {
    let mut exit = ExitCode::SUCCESS;
    let [before, after] = [&args.before, &args.after].map(|path| {
        input::find::find(std::slice::from_ref(path), |failure| {
            exit = failure.into_unreadable().report()
        })
    });
    let (before, after) = (before?, after?);
    let mut files = Files::default();
    files.read("BEFORE", &before);
    files.read("AFTER", &after);
    let report = files.output("--report", args.report.as_deref())?;
    let (before, after) = (args.runs(&before)?, args.runs(&after)?);
    let compared = Compared {
        before: Side::new(&before),
        after: Side::new(&after),
        differences: Change::all(&before.values, &after.values)
            .into_iter()
            .map(Difference::new)
            .collect(),
    };
    if let Some(file) = report {
        file.write(compared.page(&before, &after).html().as_bytes())?;
    }
    output::print(&if args.json {
        output::json(&compared)?
    } else {
        compared.text()
    })?;
    Ok(exit)
}

impl Arguments {
    fn runs(&self, files: &[PathBuf]) -> Result<Runs, Failure> {
        let recordings = files.iter().map(|file| self.part.measure(file, self.report.is_some()));
        let recordings = recordings.collect::<Result<_, _>>().map_err(Failure::into_unreadable)?;
        Ok(Runs::new(recordings))
    }
}

impl Side {
    fn new(runs: &Runs) -> Self {
        let first = runs.recordings.iter().map(|run| &run.main().diagnosis[0]);
        Self {
            files: runs.recordings.iter().map(|run| run.analysis.file.clone()).collect(),
            outlier: runs.outlier(),
            diagnosis: first.map(|one| format!("{}: {}", one.kind, one.evidence)).collect(),
        }
    }

    fn name(&self) -> String {
        match self.files.as_slice() {
            [one] => one.clone(),
            several => format!("{} runs, the first {}", several.len(), several[0]),
        }
    }
}

impl Difference {
    fn new((metric, unit, more, change): (&'static str, &'static str, Option<bool>, Change)) -> Self {
        let by = change.after - change.before;
        let is_certain = change.is_certain(by > 0.0, 0.0);
        let is_of_hitches = change.chances.is_some();
        Self {
            metric,
            unit,
            chance: change.chances.map(|(many, few)| if by > 0.0 { many } else { few }),
            runs_to_tell: change
                .runs_to_tell(by)
                .filter(|_| by != 0.0 && !is_certain && !is_of_hitches),
            verdict: match more {
                _ if by == 0.0 => "the same",
                _ if !is_certain => "within the noise",
                None => "different",
                Some(more) if more == (by > 0.0) => "better",
                Some(_) => "worse",
            },
            change,
        }
    }

    fn cells(&self) -> Vec<String> {
        let Change {
            before, after, noise, ..
        } = self.change;
        let by = after - before;
        let noise = match (noise, self.chance) {
            (Some(noise), _) => format!("± {noise:.2}"),
            (_, Some(chance)) => format!("p = {chance:.4}"),
            _ => "not known".to_owned(),
        };
        vec![
            format!("{} {}", self.metric, self.unit).trim_end().to_owned(),
            format!("{before:.2}"),
            format!("{after:.2}"),
            format!("{by:+.2}"),
            noise,
            self.verdict.to_owned(),
        ]
    }
}

const HEADER: [&str; 6] = ["", "before", "after", "difference", "noise", ""];

impl Compared {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, side) in [("before", &self.before), ("after", &self.after)] {
            let _ = writeln!(text, "{name}: {}", side.name());
            for found in &side.diagnosis {
                let _ = writeln!(text, "  {found}");
            }
            if let Some(outlier) = &side.outlier {
                let _ = writeln!(text, "  outlier: {outlier}");
            }
        }
        let mut line = |cells: &[&str]| {
            let figures: String = cells[1..5].iter().map(|cell| format!("{cell:>12}")).collect();
            let line = format!("{:30}{figures}  {}", cells[0], cells[5]);
            text += line.trim_end();
            text.push('\n');
        };
        line(&HEADER);
        for difference in &self.differences {
            let cells = difference.cells();
            line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
        text += match self.before.files.len().max(self.after.files.len()) {
            1 => {
                "With one recording a side only a difference of hitches is certain, from p < 0.01 on: runs of one program differ, often by 2 %.\n"
            }
            _ => {
                "A difference beyond the noise is certain: of the same program, one comparison in a hundred has any.\n"
            }
        };
        let rate = self.differences.iter().find(|one| one.metric == "fps_average");
        if let Some((one, runs)) = rate.and_then(|one| Some((one, one.runs_to_tell?))) {
            let percent = 100.0 * (one.change.after / one.change.before - 1.0);
            let _ = writeln!(
                text,
                "About {runs} runs a side would tell the {percent:+.1} % of fps_average."
            );
        }
        text
    }

    fn page<'r>(&self, before: &'r Runs, after: &'r Runs) -> Document {
        let mut page = Document::new("Recordings before and after");
        let side = |side: &Side| format!("{}; {}", side.name(), side.diagnosis.join("; "));
        page.table(&[
            ("before", side(&self.before)),
            ("after", side(&self.after)),
            (
                "charts",
                "before in the colour of raw motion, after in that of smoothed motion; of several runs, the first"
                    .to_owned(),
            ),
        ]);
        page.figures(
            &HEADER,
            &self.differences.iter().map(Difference::cells).collect::<Vec<_>>(),
        );
        let first = |color, runs: &'r Runs| {
            let run = &runs.recordings[0];
            Some((color, run.frames(run.main())?))
        };
        let chains: Vec<_> = [first(RAW, before), first(SMOOTHED, after)]
            .into_iter()
            .flatten()
            .collect();
        for figure in [FRAME_TIMES, INTERVALS, SLOWEST] {
            figure.draw(&mut page, &chains);
        }
        page
    }
}

const SLOWEST: Figure = Figure {
    title: "Slowest frames",
    text: "The frame time that each share of the frames exceeds.",
    chart: Chart {
        x: "share of the frames in %",
        y: "frame time in ms",
        style: Style::Stepped,
        axis: Axis::FromZero,
    },
    points: percentiles,
};

/// The frame time that each share of the frames exceeds, the slowest tenth.
fn percentiles(chain: &SwapChain) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> = chain.deltas.iter().map(|delta| 1e3 * delta.as_secs_f64()).collect();
    times.sort_by(|one, other| other.total_cmp(one));
    let share = |index: usize| 100.0 * index as f64 / times.len() as f64;
    let slowest = times.iter().enumerate().take_while(|(index, _)| share(*index) <= 10.0);
    slowest.map(|(index, time)| (share(index), *time)).collect()
}
