//! `evenstep-lab ticks`: compares rules that keep ticks in step over a network.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evenstep_evaluation::{
    Network, Spread, SyncRule, SyncScore, SyncStanding, score_network, score_networks, sync_standings,
};
use serde::Serialize;

use evenstep_cli::failure::Failure;
use evenstep_cli::output;
use evenstep_cli::output::charts::{Axis, Chart, Line, Role, Style};
use evenstep_cli::output::html::Document;
use evenstep_cli::output::output_file::Files;

/// The arguments of `ticks`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Compare on this many random networks, one for each seed from --seed on.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    networks: u64,
    /// The first network: the same seed gives the same networks.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Describe the random network of this seed, and compare on it.
    #[arg(long, value_name = "SEED", conflicts_with_all = ["networks", "seed", "report"])]
    network: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write a page with a point for each rule and network.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Many {
    seed: u64,
    networks: u64,
    standings: Vec<SyncStanding>,
    scores: Vec<SyncScore>,
}

/// The output of `--network SEED --json`.
#[derive(Serialize)]
struct One {
    seed: u64,
    description: String,
    scores: Vec<SyncScore>,
}

/// The headings of the columns.
const COLUMNS: [&str; 4] = ["converged, s", "late in 1000", "early, ms", "largest jump, ms"];

pub(crate) fn ticks(args: &Arguments) -> Result<ExitCode, Failure> {
    let report = Files::default().optional("--report", args.report.as_deref())?;
    if let Some(seed) = args.network {
        let one = One::new(seed);
        output::print(&if args.json { output::json(&one)? } else { one.text() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let many = Many::new(args.seed, args.networks);
    if let Some(file) = report {
        file.write(|output| output.write_all(many.page().html().as_bytes()))?;
    }
    output::print(&if args.json { output::json(&many)? } else { many.text() })?;
    Ok(ExitCode::SUCCESS)
}

impl One {
    fn new(seed: u64) -> Self {
        let network = Network::random(seed);
        Self {
            seed,
            description: network.to_string(),
            scores: SyncRule::ALL.map(|rule| score_network(&network, rule)).to_vec(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("network {}: {}\n", self.seed, self.description);
        let [converged, late, early, jump] = COLUMNS;
        let _ = writeln!(text, "{:18} {converged:>14} {late:>14} {early:>14} {jump:>18}", "");
        for score in &self.scores {
            let _ = writeln!(
                text,
                "{:18} {:14.2} {:14.1} {:14.1} {:18.1}",
                score.rule.name(),
                score.converged_s,
                score.late_per_mille,
                score.early_ms,
                score.jump_ms
            );
        }
        text
    }
}

impl Many {
    fn new(seed: u64, networks: u64) -> Self {
        let scores = score_networks(seed..seed.saturating_add(networks));
        Self {
            seed,
            networks,
            standings: sync_standings(&scores),
            scores,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} networks from seed {} on, a minute each\n", self.networks, self.seed);
        let [converged, late, early, jump] = COLUMNS;
        let _ = writeln!(text, "{:18} {converged:>22} {late:>22} {early:>22} {jump:>22}", "");
        let spread = |spread: &Spread| {
            let Spread {
                median,
                worst_of_twenty,
                worst,
                ..
            } = spread;
            format!("{median:.1} {worst_of_twenty:.1} {worst:.1}")
        };
        for standing in &self.standings {
            let _ = writeln!(
                text,
                "{:18} {:>22} {:>22} {:>22} {:>22}",
                standing.rule.name(),
                spread(&standing.converged_s),
                spread(&standing.late_per_mille),
                spread(&standing.early_ms),
                spread(&standing.jump_ms)
            );
        }
        text.push_str("\nEach figure: the median, the worst of twenty, the worst.\n");
        text
    }

    fn page(&self) -> Document {
        let mut page = Document::new("Ticks in step");
        page.heading(&format!("{} networks from seed {} on", self.networks, self.seed));
        let text = "Each point is a rule on a network: for how long inputs waited at the server, and how many came too late. \
                    <span class=\"smoothed\">TickSync</span>, <span class=\"raw\">lightyear's rule</span>, <span class=\"steps\">GGRS's</span> and \
                    <span class=\"lost\">bevy_ggrs's</span>, which roll back instead of waiting for inputs.";
        page.figure("Late inputs against latency", text, self.chart().svg());
        let header = ["", COLUMNS[0], COLUMNS[1], COLUMNS[2], COLUMNS[3]];
        let median = |standing: &SyncStanding| {
            let figures = [
                standing.converged_s,
                standing.late_per_mille,
                standing.early_ms,
                standing.jump_ms,
            ];
            let cells = figures.iter().map(|spread| format!("{:.1}", spread.median));
            std::iter::once(standing.rule.name().to_owned()).chain(cells).collect()
        };
        page.figures(&header, &self.standings.iter().map(median).collect::<Vec<Vec<_>>>());
        page
    }

    fn chart(&self) -> Chart<'static> {
        let points = |rule, role| Line {
            role,
            points: (self.scores.iter().filter(|score| score.rule == rule))
                .map(|score| (score.early_ms, score.late_per_mille))
                .collect(),
            style: Style::Dots,
        };
        Chart {
            x: "inputs early, in ms",
            y: "inputs late in 1000",
            lines: vec![
                points(SyncRule::Ggrs, Role::Steps),
                points(SyncRule::BevyGgrs, Role::Lost),
                points(SyncRule::Lightyear, Role::Raw),
                points(SyncRule::TickSync, Role::Smoothed),
            ],
            axis: Axis::FromZero,
        }
    }
}
