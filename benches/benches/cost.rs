//! How costs grow with the amount of work: the cost of a body over the number of bodies, and the cost of a frame over the step rate. Prints
//! the figures, and draws charts into `target/cost`. Includes the page's figures if `cargo xtask measure-cost` has written them.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use evenstep::poses::{Pose2, Pose3, Poses2, Poses3};
use evenstep::{FixedTimestep, Rate};
use evenstep_benches::Comparison;
use evenstep_benches::bodies::{ALPHA, Roofline, pose2, pose3};
use plotters::prelude::*;

const FOLDER: &str = "../target/cost";

/// The number of bodies that are blended in one turn of an entry.
const WORK: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(FOLDER)?;
    of_bodies().show("bodies")?;
    of_step_rates().show("step-rates")?;
    match fs::read_to_string(Path::new(FOLDER).join("page.csv")) {
        Ok(csv) => of_page(&csv)?.show("page")?,
        Err(_) => println!("the page was not measured; with it: cargo xtask measure-cost"),
    }
    Ok(())
}

/// Costs over an amount of work, on logarithmic axes.
struct Costs {
    title: &'static str,
    /// The quantities on the axes: the amount and the cost.
    axes: [&'static str; 2],
    lines: Vec<&'static str>,
    /// The costs of each line at an amount.
    rows: Vec<(f64, Vec<f64>)>,
}

macro_rules! costs_of {
    ($bodies:expr, $poses:ty, $pose:ty, $at:path, $numbers:literal) => {{
        let states = [1.0, 2.0].map(|step| (0..$bodies).map(|body| $at(body, step)).collect::<Vec<$pose>>());
        let mut blended = <$poses>::new();
        (0..$bodies).for_each(|body| _ = blended.push($at(body, 0.0)));
        let mut captured = blended.clone();
        blended.begin_step();
        blended.set_all(&states[0]);
        let mut out = vec![<$pose>::IDENTITY; $bodies];
        comparison(
            $bodies,
            $numbers,
            || {
                blended.blend(black_box(ALPHA), &mut out);
                black_box(&out);
            },
            |turn| {
                captured.begin_step();
                captured.set_all(&states[turn % 2]);
                black_box(&captured);
            },
        )
    }};
}

/// Measures the cost of a body for 1024 to two million bodies.
fn of_bodies() -> Costs {
    let row = |bodies: usize| {
        let plane = costs_of!(bodies, Poses2, Pose2, pose2, 4);
        let space = costs_of!(bodies, Poses3, Pose3, pose3, 7);
        (bodies as f64, [plane, space].concat())
    };
    Costs {
        title: "A body, by the number of bodies",
        axes: ["bodies", "ns"],
        lines: vec![
            "2D memory",
            "2D blend",
            "2D capture",
            "3D memory",
            "3D blend",
            "3D capture",
        ],
        rows: (10..=21).map(|power| row(1 << power)).collect(),
    }
}

/// The cost of a body with `N` numbers, in nanoseconds: to read from memory, to blend, and to capture.
fn comparison(bodies: usize, numbers: usize, mut blend: impl FnMut(), mut capture: impl FnMut(usize)) -> Vec<f64> {
    let turns = (WORK / bodies).max(1);
    let mut roofline = Roofline::new(numbers * bodies);
    Comparison::new("", turns * bodies)
        .entry("memory", || (0..turns).for_each(|_| roofline.run()))
        .entry("blend", || (0..turns).for_each(|_| blend()))
        .entry("capture", || (0..turns).for_each(&mut capture))
        .nanos()
}

/// Measures the cost of a frame for rates from one step in ten seconds to 100 000 steps a second, on a display of 144 Hz.
fn of_step_rates() -> Costs {
    const FRAMES: usize = 2_000;
    const FRAME: Duration = Duration::from_nanos(6_944_444);
    let row = |per_second: f64| {
        let rate = Rate::new((per_second * 10.0) as u32, 10).expect("not zero");
        let mut timestep = FixedTimestep::new(rate).with_max_steps(1_000);
        let dt = 1.0 / per_second as f32;
        let (mut accumulator, mut ours, mut by_hand) = (0.0_f32, 0.0_f32, 0.0_f32);
        let nanos = Comparison::new("", FRAMES)
            .entry("by hand", || {
                for _ in 0..FRAMES {
                    accumulator += black_box(FRAME).as_secs_f32();
                    while accumulator >= dt {
                        accumulator -= dt;
                        by_hand = black_box(by_hand + dt);
                    }
                }
            })
            .entry("evenstep", || {
                for _ in 0..FRAMES {
                    for step in timestep.advance(black_box(FRAME)).steps() {
                        ours = black_box(ours + step.dt as f32);
                    }
                }
            })
            .nanos();
        (per_second, nanos)
    };
    let rates = [
        0.1, 1.0, 10.0, 30.0, 60.0, 144.0, 240.0, 500.0, 1e3, 2e3, 5e3, 1e4, 3e4, 1e5,
    ];
    Costs {
        title: "A frame of the loop at 144 Hz, by the step rate",
        axes: ["steps a second", "ns"],
        lines: vec!["f32 accumulator by hand", "evenstep"],
        rows: rates.map(row).to_vec(),
    }
}

/// Reads the figures that `lab/page/measure.mjs` has written.
fn of_page(csv: &str) -> Result<Costs, Box<dyn Error>> {
    let row = |line: &str| -> Result<_, Box<dyn Error>> {
        let (blocks, cost) = line.split_once(',').ok_or("page.csv: two columns are expected")?;
        Ok((blocks.parse()?, vec![cost.parse()?]))
    };
    Ok(Costs {
        title: "A frame of the page's falling blocks at 60 Hz, by their number",
        axes: ["blocks, twice", "ms"],
        lines: vec!["both simulations, slowest second"],
        rows: csv.lines().skip(1).map(row).collect::<Result<_, _>>()?,
    })
}

impl Costs {
    /// Prints a table, and draws it.
    fn show(&self, name: &str) -> Result<(), Box<dyn Error>> {
        let [amount, cost] = self.axes;
        println!("{}, in {cost}\n  {amount:>15}  {}", self.title, self.lines.join("  "));
        for (amount, costs) in &self.rows {
            let costs = self
                .lines
                .iter()
                .zip(costs)
                .map(|(line, cost)| format!("{cost:>0$.2}", line.len()));
            println!("  {amount:>15}  {}", costs.collect::<Vec<_>>().join("  "));
        }
        let path = Path::new(FOLDER).join(name).with_extension("svg");
        self.draw(&path)?;
        println!("  drawn: target/cost/{name}.svg");
        Ok(())
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let costs = || {
            self.rows
                .iter()
                .flat_map(|(_, costs)| costs)
                .copied()
                .filter(|cost| *cost > 0.0)
        };
        let (least, most) = (
            costs().fold(f64::MAX, f64::min),
            costs().fold(f64::MIN_POSITIVE, f64::max),
        );
        let (Some((first, _)), Some((last, _))) = (self.rows.first(), self.rows.last()) else {
            return Ok(());
        };
        let root = SVGBackend::new(path, (900, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d((*first..*last).log_scale(), (0.8 * least..2.5 * most).log_scale())?;
        let [amount, cost] = self.axes;
        chart
            .configure_mesh()
            .x_desc(amount)
            .y_desc(cost)
            .max_light_lines(1)
            .x_label_formatter(&tidy)
            .y_label_formatter(&tidy)
            .draw()?;
        for (number, line) in self.lines.iter().enumerate() {
            let colour = Palette99::pick(number).mix(0.9);
            let points = self.rows.iter().map(|(amount, costs)| (*amount, costs[number]));
            let style = ShapeStyle::from(&colour).stroke_width(2);
            chart
                .draw_series(LineSeries::new(points, style).point_size(3))?
                .label(*line)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        Ok(root.present()?)
    }
}

/// The label of a power of ten, with as few digits as possible.
fn tidy(value: &f64) -> String {
    format!("{value}")
}
