//! The tables that `--parquet` writes: their rows and columns. The book's page on tables lists them.

use evenstep_trace::{Analysis, MeasuredFrame, StutterKind, SwapChainAnalysis};

use crate::output::parquet::{Column, Value};

/// A row of `frames`.
pub(super) struct FrameRow {
    pub(super) file: i64,
    pub(super) chain: i64,
    pub(super) frame: MeasuredFrame,
}

/// A row of `chains`.
pub(super) struct ChainRow {
    pub(super) file: i64,
    pub(super) chain: i64,
    pub(super) analysis: SwapChainAnalysis,
    kinds: String,
    hitches: usize,
    longest_hitch: Option<f64>,
}

/// A row of `files`.
pub(super) struct FileRow {
    pub(super) file: i64,
    pub(super) path: String,
    pub(super) bytes: Option<u64>,
    /// The recording, or the error of reading it.
    pub(super) read: Result<Analysis, String>,
    pub(super) warnings: String,
}

impl ChainRow {
    pub(super) fn new(file: i64, chain: i64, mut analysis: SwapChainAnalysis) -> Self {
        let kinds = analysis.diagnosis.iter().map(|one| name(one.kind));
        let kinds: Vec<String> = kinds.collect();
        // A recording may have any number of hitches.
        let hitches = std::mem::take(&mut analysis.metrics.hitches);
        Self {
            file,
            chain,
            kinds: kinds.join(", "),
            hitches: hitches.len(),
            longest_hitch: hitches.iter().map(|hitch| hitch.ms).max_by(f64::total_cmp),
            analysis,
        }
    }
}

/// The name of a kind in JSON.
fn name(kind: StutterKind) -> String {
    let json = serde_json::to_value(kind).ok();
    json.and_then(|json| json.as_str().map(str::to_owned))
        .unwrap_or_default()
}

const fn whole<R>(name: &'static str, about: &'static str, value: fn(&R) -> Option<i64>) -> Column<R> {
    let value = Value::Whole(value);
    Column { name, about, value }
}

const fn number<R>(name: &'static str, about: &'static str, value: fn(&R) -> Option<f64>) -> Column<R> {
    let value = Value::Number(value);
    Column { name, about, value }
}

const fn text<R>(name: &'static str, about: &'static str, value: fn(&R) -> Option<&str>) -> Column<R> {
    let value = Value::Text(value);
    Column { name, about, value }
}

const FILE: &str = "the recording: its number in files";
const CHAIN: &str = "the swap chain: its number in the recording";

/// One row per row of a recording, in the order of time.
pub(super) const FRAMES: &[Column<FrameRow>] = &[
    whole("file", FILE, |row| Some(row.file)),
    whole("chain", CHAIN, |row| Some(row.chain)),
    whole("row", "the row of the recording, from 0", |row| {
        i64::try_from(row.frame.metrics.row).ok()
    }),
    number(
        "frame_ms",
        "the delta that the program's loop would have read; none for generated frames",
        |row| row.frame.delta.map(|delta| delta.as_secs_f64() * 1e3),
    ),
    number(
        "started_ms",
        "when the program began to work on it, in milliseconds from the first row",
        |row| row.frame.present?.started,
    ),
    number("presented_ms", "when it was presented", |row| {
        Some(row.frame.present?.presented)
    }),
    number(
        "displayed_ms",
        "when it was on the screen; none if it never was",
        |row| row.frame.present?.displayed,
    ),
    number(
        "simulated_ms",
        "the simulated time that it shows, or when the program began to work on it",
        |row| row.frame.present?.simulated,
    ),
    Column {
        name: "generated",
        about: "whether a driver generated it",
        value: Value::Flag(|row| Some(row.frame.present?.is_generated)),
    },
    number("cpu_busy_ms", "how long the program worked on it", |row| {
        row.frame.present?.cpu_busy
    }),
    number("gpu_busy_ms", "how long the graphics card worked on it", |row| {
        row.frame.present?.gpu_busy
    }),
    number("between_presents_ms", "PresentMon's MsBetweenPresents", |row| {
        row.frame.metrics.between_presents
    }),
    number(
        "between_display_change_ms",
        "PresentMon's MsBetweenDisplayChange",
        |row| row.frame.metrics.between_display_change,
    ),
    number("animation_error_ms", "PresentMon's MsAnimationError", |row| {
        row.frame.metrics.animation_error
    }),
];

fn count(count: usize) -> Option<i64> {
    i64::try_from(count).ok()
}

/// One row per swap chain. The metrics are the same as in `--json`, under the same names.
pub(super) const CHAINS: &[Column<ChainRow>] = &[
    whole("file", FILE, |row| Some(row.file)),
    whole("chain", CHAIN, |row| Some(row.chain)),
    text("process", "the program", |row| Some(&row.analysis.process)),
    text("pid", "its process", |row| Some(&row.analysis.pid)),
    text("swap_chain", "its swap chain", |row| Some(&row.analysis.swap_chain)),
    whole("frames", "frames of the program", |row| {
        count(row.analysis.metrics.frames)
    }),
    whole("displayed", "displayed frames", |row| {
        count(row.analysis.metrics.displayed?)
    }),
    whole("not_displayed", "frames that never were displayed", |row| {
        count(row.analysis.metrics.not_displayed?)
    }),
    whole("generated", "frames that a driver generated", |row| {
        count(row.analysis.metrics.generated)
    }),
    number("seconds", "the sum of the frame times", |row| {
        Some(row.analysis.metrics.seconds)
    }),
    number("fps_average", "frames per second", |row| {
        Some(row.analysis.metrics.fps_average)
    }),
    number("mean_ms", "frame time: mean", |row| {
        Some(row.analysis.metrics.frame_time_ms.mean)
    }),
    number("median_ms", "frame time: median", |row| {
        Some(row.analysis.metrics.frame_time_ms.median)
    }),
    number("p95_ms", "frame time: 95th percentile", |row| {
        Some(row.analysis.metrics.frame_time_ms.p95)
    }),
    number("p99_ms", "frame time: 99th percentile", |row| {
        Some(row.analysis.metrics.frame_time_ms.p99)
    }),
    number("p999_ms", "frame time: 99.9th percentile", |row| {
        Some(row.analysis.metrics.frame_time_ms.p999)
    }),
    number("max_ms", "frame time: the longest", |row| {
        Some(row.analysis.metrics.frame_time_ms.max)
    }),
    number("std_ms", "frame time: standard deviation", |row| {
        Some(row.analysis.metrics.frame_time_ms.std)
    }),
    number("fps_low_1pct", "frame rate of the slowest 1 % of the frames", |row| {
        Some(row.analysis.metrics.fps_low_1pct)
    }),
    number(
        "fps_low_01pct",
        "frame rate of the slowest 0.1 % of the frames",
        |row| Some(row.analysis.metrics.fps_low_01pct),
    ),
    number("animation_error_rms_ms", "animation error: root mean square", |row| {
        Some(row.analysis.metrics.animation_error_ms?.rms)
    }),
    number(
        "display_interval_std_ms",
        "standard deviation of the times between changes of the display",
        |row| row.analysis.metrics.display_interval_std_ms,
    ),
    number(
        "stutter_time_pct",
        "share of time in frames longer than 2.5 means",
        |row| Some(row.analysis.metrics.stutter_time_pct),
    ),
    number("dropped_pct", "share of frames that never were displayed", |row| {
        row.analysis.metrics.dropped_pct
    }),
    number(
        "jank_pct",
        "share of frames displayed much longer than the previous frame",
        |row| row.analysis.metrics.jank_pct,
    ),
    whole("hitches", "frames much longer than the median around them", |row| {
        count(row.hitches)
    }),
    number("longest_hitch_ms", "the longest hitch", |row| row.longest_hitch),
    text("diagnosis", "the kinds of stutter, with commas between", |row| {
        Some(&row.kinds)
    }),
    text("evidence", "the numbers that show the first kind", |row| {
        Some(&row.analysis.diagnosis.first()?.evidence)
    }),
    text("cure", "what cures the first kind", |row| {
        Some(row.analysis.diagnosis.first()?.cure)
    }),
];

fn read(row: &FileRow) -> Option<&Analysis> {
    row.read.as_ref().ok()
}

/// One row per file, readable or not.
pub(super) const FILES: &[Column<FileRow>] = &[
    whole("file", "its number, by which the other tables name it", |row| {
        Some(row.file)
    }),
    text("path", "its path", |row| Some(&row.path)),
    whole("bytes", "its size", |row| i64::try_from(row.bytes?).ok()),
    text("format", "the kind of file", |row| Some(&read(row)?.format)),
    text("os", "the operating system", |row| read(row)?.machine.os.as_deref()),
    text("cpu", "the processor", |row| read(row)?.machine.cpu.as_deref()),
    text("gpu", "the graphics card", |row| read(row)?.machine.gpu.as_deref()),
    text("driver", "the version of the graphics driver", |row| {
        read(row)?.machine.driver.as_deref()
    }),
    text("warnings", "warnings, with line ends between", |row| {
        Some(row.warnings.as_str()).filter(|text| !text.is_empty())
    }),
    text("error", "why it could not be read; none if it was", |row| {
        row.read.as_ref().err().map(String::as_str)
    }),
];
