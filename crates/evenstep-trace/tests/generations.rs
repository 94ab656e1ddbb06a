//! Files of every generation of PresentMon, and of MangoHud. With any columns and clocks, they give the same analysis of the same frames,
//! and a contradiction between columns is reported.
//!
//! Columns are those of PresentMon's `CsvOutput.cpp` from 1.0 to 2.5.1 and of its capture application's `RawFrameDataWriter.cpp`, and
//! those of MangoHud's `logging.cpp` from 0.6.0 to 0.8.

use evenstep::Rate;
use evenstep_trace::simulate::Comparison;
use evenstep_trace::{Analysis, BadRows, Format, SwapChain, Trace, TraceError};
use proptest::prelude::*;

/// A frame of a game. Times are in milliseconds from the beginning of the recording.
#[derive(Clone, Copy, Debug)]
struct Frame {
    start: f64,
    busy: f64,
    /// The time at which the next frame starts.
    end: f64,
    displayed: Option<f64>,
}

impl Frame {
    fn present(&self) -> f64 {
        self.start + self.busy
    }
}

/// A loop that waits for a display at some rate, has cyclically varying work, and drops some frames.
#[derive(Clone, Debug)]
struct Loop {
    hertz: f64,
    works: Vec<f64>,
    frames: usize,
    drops: usize,
}

fn any_loop() -> impl Strategy<Value = Loop> {
    let works = prop::collection::vec(0.05..0.95_f64, 1..5);
    (30.0..240.0_f64, works, 20..120_usize, 0..9_usize).prop_map(|(hertz, works, frames, drops)| Loop {
        hertz,
        works,
        frames,
        drops,
    })
}

impl Loop {
    fn run(&self) -> Vec<Frame> {
        let refresh = 1e3 / self.hertz;
        let frame = |n: usize| {
            let start = 40.0 + n as f64 * refresh;
            Frame {
                start,
                busy: refresh * self.works[n % self.works.len()],
                end: start + refresh,
                displayed: (self.drops == 0 || n % (self.drops + 3) != 1).then_some(start + 2.0 * refresh),
            }
        };
        (0..self.frames).map(frame).collect()
    }
}

/// The unit and origin of the clock of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Time {
    Seconds,
    Milliseconds,
    /// Ticks of a performance counter, with its ticks per millisecond.
    Ticks(f64),
    /// Milliseconds or seconds since the machine booted: `--qpc_time_ms`.
    SinceBoot,
    Date,
}

fn any_time() -> impl Strategy<Value = Time> {
    let ticks = prop::sample::select(vec![
        10_000.0,
        3_579.545,
        14_318.18,
        24_000.0,
        19_200.0,
        2_435.7,
        2_995_123.0,
    ]);
    prop_oneof![
        3 => Just(Time::Milliseconds),
        2 => Just(Time::Seconds),
        2 => ticks.prop_map(Time::Ticks),
        1 => Just(Time::SinceBoot),
        1 => Just(Time::Date),
    ]
}

/// The time from the machine's boot to the beginning of the recording, in milliseconds.
const BOOT: f64 = 207_667_427.6;

fn date(ms: f64) -> String {
    let nanos = ((ms * 1e4).round() * 100.0) as u64 + 86_390_000_000_000;
    let (day, second, nanos) = (
        nanos / 86_400_000_000_000,
        nanos / 1_000_000_000 % 86_400,
        nanos % 1_000_000_000,
    );
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("2026-2-{} {hour}:{minute:02}:{second:02}.{nanos:09}", 28 + day % 2)
}

impl Time {
    fn text(self, ms: f64) -> String {
        match self {
            Self::Seconds => format!("{:.14}", ms / 1e3),
            Self::Milliseconds => format!("{ms:.4}"),
            Self::Ticks(per_ms) => format!("{:.0}", (BOOT + ms) * per_ms),
            Self::SinceBoot => format!("{:.4}", BOOT + ms),
            Self::Date => date(ms),
        }
    }
}

/// The columns of some versions of PresentMon.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Generation {
    /// 1.0 to 1.6, OCAT and FrameView: with the time in the call to present, at whose return the next frame starts.
    V1,
    /// 1.7 to 2.5 with `--v1_metrics`; without that time.
    V1Lower,
    V2_0,
    /// 2.1 to 2.3.0, and later with `--v2_metrics`.
    V2_1,
    /// 2.3.1 and later.
    V2_3_1,
    /// The capture application of 2.1 to 2.3.0, which counts seconds with six digits.
    Capture2_1,
    /// The same application from 2.3.1 on.
    Capture2_3_1,
}

const GENERATIONS: [Generation; 7] = [
    Generation::V1,
    Generation::V1Lower,
    Generation::V2_0,
    Generation::V2_1,
    Generation::V2_3_1,
    Generation::Capture2_1,
    Generation::Capture2_3_1,
];

/// A table: the names and values of its columns.
type Table = Vec<(String, Vec<String>)>;

fn text(table: &Table) -> String {
    let names: Vec<&str> = table.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = names.join(",") + "\r\n";
    for row in 0..table[0].1.len() {
        let fields: Vec<&str> = table.iter().map(|(_, fields)| fields[row].as_str()).collect();
        text += &(fields.join(",") + "\r\n");
    }
    text
}

fn number(value: Option<f64>, none: &str) -> String {
    value.map_or_else(|| none.to_owned(), |value| format!("{value:.4}"))
}

/// The table that a version writes for these frames.
fn table(generation: Generation, time: Time, frames: &[Frame]) -> Table {
    let mut table = Table::new();
    let mut column = |name: &str, of: &dyn Fn(usize) -> String| {
        table.push((name.to_owned(), (0..frames.len()).map(of).collect()));
    };
    let six_digits = |ms: f64| {
        let seconds = ms / 1e3;
        let decimals = 5 - seconds.abs().max(1e-4).log10().floor() as i32;
        format!("{seconds:.*}", decimals.max(0) as usize)
    };
    let present = |n: usize| frames[n].present();
    let between_presents = |n: usize| n.checked_sub(1).map_or(16.0, |before| present(n) - present(before));
    let between_displays = |n: usize| {
        let before = frames[..n].iter().rev().find_map(|frame| frame.displayed);
        frames[n].displayed.zip(before).map(|(now, before)| now - before)
    };
    let until_displayed = |n: usize| frames[n].displayed.map(|at| at - present(n));
    let latency = |n: usize| frames[n].displayed.map(|at| at - frames[n].start);
    let whole = |n: usize| frames[n].end - frames[n].start;
    let busy = |n: usize| frames[n].busy;
    column("Application", &|_| "game.exe".to_owned());
    column("ProcessID", &|_| "4711".to_owned());
    match generation {
        Generation::V1 | Generation::V1Lower => {
            let ms = if generation == Generation::V1 { "Ms" } else { "ms" };
            column("SwapChainAddress", &|_| "0x0000000076F3DB00".to_owned());
            column("Dropped", &|n| u8::from(frames[n].displayed.is_none()).to_string());
            // Times of day replace seconds; counters have an additional column.
            let seconds = if time == Time::Date { time } else { Time::Seconds };
            column("TimeInSeconds", &|n| seconds.text(present(n)));
            column(&format!("{ms}BetweenPresents"), &|n| {
                number(Some(between_presents(n)), "")
            });
            if generation == Generation::V1 {
                column("MsInPresentAPI", &|n| number(Some(whole(n) - busy(n)), ""));
            }
            column(&format!("{ms}UntilDisplayed"), &|n| number(until_displayed(n), "0"));
            column(&format!("{ms}BetweenDisplayChange"), &|n| {
                number(between_displays(n), "0")
            });
            match time {
                Time::Ticks(_) => column("QPCTime", &|n| time.text(present(n))),
                Time::SinceBoot => column("QPCTime", &|n| format!("{:.14}", (BOOT + present(n)) / 1e3)),
                _ => {}
            }
        }
        Generation::V2_0 | Generation::V2_1 => {
            column("FrameType", &|n| ["Application", "Unknown", "NotSet"][n % 3].to_owned());
            let name = match time {
                Time::Seconds | Time::Milliseconds => "CPUStartTime",
                Time::Ticks(_) => "CPUStartQPC",
                Time::SinceBoot => "CPUStartQPCTime",
                Time::Date => "CPUStartDateTime",
            };
            column(name, &|n| time.text(frames[n].start));
            if generation == Generation::V2_1 {
                column("FrameTime", &|n| number(Some(whole(n)), ""));
            }
            column("CPUBusy", &|n| number(Some(busy(n)), ""));
            column("CPUWait", &|n| number(Some(whole(n) - busy(n)), ""));
            column("DisplayLatency", &|n| number(latency(n), "NA"));
        }
        Generation::V2_3_1 => {
            let (presents, starts) = match time {
                Time::Seconds => ("TimeInSeconds", "CPUStartTimeInSeconds"),
                Time::Milliseconds => ("TimeInMs", "CPUStartTimeInMs"),
                Time::Ticks(_) => ("TimeInQPC", "CPUStartQPC"),
                // Despite the name, milliseconds since the recording began.
                Time::SinceBoot => ("TimeInSeconds", "CPUStartQPCTimeInMs"),
                Time::Date => ("TimeInDateTime", "CPUStartDateTime"),
            };
            let of_presents = if time == Time::SinceBoot {
                Time::Milliseconds
            } else {
                time
            };
            column(presents, &|n| of_presents.text(present(n)));
            column("MsBetweenPresents", &|n| number(Some(between_presents(n)), ""));
            column("MsBetweenDisplayChange", &|n| number(between_displays(n), "NA"));
            column("MsUntilDisplayed", &|n| number(until_displayed(n), "NA"));
            column(starts, &|n| time.text(frames[n].start));
            column("MsBetweenAppStart", &|n| number(Some(whole(n)), ""));
            column("MsCPUBusy", &|n| number(Some(busy(n)), ""));
            column("MsCPUWait", &|n| number(Some(whole(n) - busy(n)), ""));
        }
        Generation::Capture2_1 => {
            column("CPUStartTime", &|n| six_digits(frames[n].start));
            column("FrameTime", &|n| number(Some(whole(n)), ""));
            column("CPUBusy", &|n| number(Some(busy(n)), ""));
            column("DisplayLatency", &|n| number(latency(n), "NA"));
        }
        Generation::Capture2_3_1 => {
            // Each of the two clocks begins at zero in the first row.
            column("PresentStartTime", &|n| six_digits(present(n) - present(0)));
            column("BetweenPresents", &|n| number(Some(between_presents(n)), ""));
            column("BetweenDisplayChange", &|n| number(between_displays(n), "NA"));
            column("UntilDisplayed", &|n| number(until_displayed(n), "NA"));
            column("CPUStartTime", &|n| six_digits(frames[n].start - frames[0].start));
            column("BetweenAppStart", &|n| number(Some(whole(n)), ""));
            column("CPUBusy", &|n| number(Some(busy(n)), ""));
        }
    }
    table
}

fn read(text: &str) -> Result<Trace, TraceError> {
    Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail)
}

/// The first row whose start a version's columns state.
fn first_start(generation: Generation) -> usize {
    match generation {
        Generation::V1 => 1,
        Generation::V1Lower => usize::MAX,
        _ => 0,
    }
}

/// Checks that a chain has these frames, with a tolerance in milliseconds.
fn compare(chain: &SwapChain, frames: &[Frame], first_start: usize, tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(chain.presents.len(), frames.len());
    let zero = chain.presents[0].presented - frames[0].present();
    for (n, (present, frame)) in chain.presents.iter().zip(frames).enumerate() {
        let same = |ours: Option<f64>, truth: Option<f64>| match (ours, truth) {
            // The frequency of an unusual counter is found from intervals that are rounded to four decimals.
            (Some(ours), Some(truth)) => (ours - zero - truth).abs() < tolerance + 1.5e-5 * truth.abs().min(1e4),
            (ours, truth) => ours.is_none() && truth.is_none(),
        };
        prop_assert!(
            same(Some(present.presented), Some(frame.present())),
            "{n}: {present:?}, {frame:?}"
        );
        prop_assert!(same(present.displayed, frame.displayed), "{n}: {present:?}, {frame:?}");
        prop_assert!(
            same(present.started, (n >= first_start).then_some(frame.start)),
            "{n}: {present:?}, {frame:?}"
        );
        prop_assert!(!present.is_generated);
    }
    Ok(())
}

fn millis(chain: &SwapChain) -> Vec<f64> {
    chain.deltas.iter().map(|delta| delta.as_secs_f64() * 1e3).collect()
}

proptest! {
    #[test]
    fn every_generation_and_clock_says_the_same_of_the_same_frames(
        of in any_loop(),
        generation in prop::sample::select(&GENERATIONS[..]),
        time in any_time(),
    ) {
        let frames = of.run();
        let trace = read(&text(&table(generation, time, &frames))).unwrap();
        prop_assert_eq!(&trace.warnings, &Vec::<String>::new());
        let is_v1 = matches!(generation, Generation::V1 | Generation::V1Lower);
        prop_assert_eq!(trace.format, if is_v1 { Format::PresentMon1 } else { Format::PresentMon2 });
        let is_capture = matches!(generation, Generation::Capture2_1 | Generation::Capture2_3_1);
        let tolerance = if is_capture { 0.15 } else { 0.002 };
        let chain = trace.main_chain();
        compare(chain, &frames, first_start(generation), tolerance)?;
        for (n, delta) in millis(chain).into_iter().enumerate().skip(1) {
            let truth = if generation == Generation::V1Lower { frames[n].present() - frames[n - 1].present() } else { frames[n].end - frames[n].start };
            prop_assert!((delta - truth).abs() < 0.001, "{n}: {delta}, {truth}");
        }
    }

    #[test]
    fn where_a_clock_begins_changes_nothing(of in any_loop(), shift in -1e9..1e9_f64, v1 in any::<bool>()) {
        let generation = if v1 { Generation::V1 } else { Generation::V2_3_1 };
        let (frames, shifted) = (of.run(), of.run().into_iter().map(|frame| Frame {
            start: frame.start + shift.round(),
            end: frame.end + shift.round(),
            displayed: frame.displayed.map(|at| at + shift.round()),
            ..frame
        }).collect::<Vec<_>>());
        for time in [Time::Milliseconds, Time::Seconds] {
            let [one, other] = [&frames, &shifted].map(|frames| read(&text(&table(generation, time, frames))).unwrap());
            prop_assert_eq!(&one.warnings, &Vec::<String>::new());
            prop_assert_eq!(&other.warnings, &one.warnings);
            let rounded = |ours: &f64, theirs: f64| (ours - theirs).abs() < 0.0002;
            prop_assert!(millis(one.main_chain()).iter().zip(millis(other.main_chain())).all(|(one, other)| rounded(one, other)));
            compare(other.main_chain(), &shifted, first_start(generation), 0.005)?;
        }
    }

    #[test]
    fn a_column_that_contradicts_the_others_is_never_read_without_a_word(
        of in any_loop(),
        generation in prop::sample::select(&GENERATIONS[1..5]),
        seconds in any::<bool>(),
        column in any::<prop::sample::Index>(),
        factor in prop_oneof![0.02..0.85_f64, 1.2..40.0_f64],
    ) {
        prop_assume!(of.frames > 40);
        let time = if seconds { Time::Seconds } else { Time::Milliseconds };
        let mut table = table(generation, time, &of.run());
        // Whether another column gives the same information.
        let is_said_twice = |name: &str| {
            let name = name.to_lowercase();
            // With a clock of presents and the work before them, that of starts is not read.
            let is_read = !(generation == Generation::V2_3_1 && name.contains("cpustart"));
            is_read && (name.contains("time") || name.contains("between") || (name.contains("cpu") && generation == Generation::V2_0))
        };
        let columns: Vec<usize> = (0..table.len()).filter(|n| is_said_twice(&table[*n].0)).collect();
        let (name, fields) = &mut table[*column.get(&columns)];
        for field in fields.iter_mut() {
            if let Ok(value) = field.parse::<f64>() {
                *field = format!("{:.9}", value * factor);
            }
        }
        let name = name.clone();
        let small = generation == Generation::V2_0 && name.contains("CPU") && !name.contains("Time");
        match read(&text(&table)) {
            Err(error) => prop_assert!(error.to_string().contains("contradicts itself"), "{error}"),
            Ok(trace) => {
                let is_reported = trace.warnings.iter().any(|warning| {
                    warning.contains("contradicts itself") && warning.matches(" s by ").count() == 2
                });
                // A part of the frame may be too small a share of the frame to matter.
                prop_assert!(is_reported || small, "{name} by {factor}: {:?}", trace.warnings);
            }
        }
    }
}

/// A log of MangoHud.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MangoHud {
    /// 0.6.0 to 0.6.6: whole microseconds, and the rate of the last half second.
    Microseconds,
    /// 0.6.7 and 0.6.8: whole microseconds, and the rate of each frame.
    MicrosecondsEach,
    /// 0.6.9 and later.
    Milliseconds,
}

fn mangohud(version: MangoHud, frames: &[f64]) -> String {
    let columns = match version {
        MangoHud::Milliseconds => "fps,frametime,cpu_load,gpu_load,swap_used,process_rss,elapsed",
        _ => "fps,frametime,cpu_load,gpu_load,gpu_power,ram_used,elapsed",
    };
    let mut text = format!("os,cpu,gpu,ram,kernel,driver\nArch,Ryzen,Radeon,32,6.1,Mesa\n{columns}\n");
    let (mut elapsed, mut window, mut rate) = (3e6, (0.0, 0.0), 0.0);
    for frame in frames {
        elapsed += frame * 1e6;
        window = (window.0 + frame, window.1 + 1.0);
        if window.0 >= 500.0 {
            rate = 1e3 * window.1 / window.0;
            window = (0.0, 0.0);
        }
        let fps = if version == MangoHud::MicrosecondsEach {
            1e3 / frame
        } else {
            rate
        };
        let frametime = match version {
            MangoHud::Milliseconds => format!("{frame:.4}"),
            _ => format!("{:.0}", frame * 1e3),
        };
        text += &format!("{fps:.3},{frametime},12,97,40,8,{elapsed:.0}\n");
    }
    text
}

proptest! {
    #[test]
    fn mangohuds_milliseconds_and_microseconds_are_the_same_frames(
        usual in 2.0..60.0_f64,
        spread in prop::collection::vec(0.5..1.6_f64, 1..7),
        hitch in prop_oneof![3 => Just(0.0), 1 => 100.0..9_000.0_f64],
        seconds in 5.0..12.0_f64,
        version in prop::sample::select(vec![MangoHud::Microseconds, MangoHud::MicrosecondsEach, MangoHud::Milliseconds]),
    ) {
        let count = (1e3 * seconds / usual) as usize;
        let mut frames: Vec<f64> = (0..count).map(|n| usual * spread[n % spread.len()]).collect();
        frames[count / 2] += hitch;
        let trace = read(&mangohud(version, &frames)).unwrap();
        prop_assert_eq!(trace.format, Format::MangoHud);
        prop_assert_eq!(&trace.warnings, &Vec::<String>::new());
        for (read, truth) in millis(trace.main_chain()).into_iter().zip(&frames) {
            prop_assert!((read - truth).abs() < 0.001, "{read}, {truth}");
        }
    }

    #[test]
    fn a_log_of_mangohuds_samples_is_refused_in_every_version(
        usual in 2.0..60.0_f64,
        interval in prop::sample::select(vec![200.0, 500.0, 1_000.0]),
        version in prop::sample::select(vec![MangoHud::Microseconds, MangoHud::MicrosecondsEach, MangoHud::Milliseconds]),
    ) {
        let whole = mangohud(version, &vec![usual; (20_000.0 / usual) as usize]);
        let every = (interval / usual) as usize;
        let samples = whole.lines().enumerate().filter(|(line, _)| *line < 3 || line % every == 0);
        let text: String = samples.map(|(_, line)| line.to_owned() + "\n").collect();
        let error = read(&text).unwrap_err().to_string();
        prop_assert!(error.contains("holds samples, not frames"), "{error}");
    }

    #[test]
    fn a_log_of_mangohud_that_contradicts_itself_has_a_warning(
        usual in 2.0..40.0_f64,
        column in prop::sample::select(vec![1, 6]),
        factor in prop_oneof![0.1..0.75_f64, 1.3..8.0_f64],
        version in prop::sample::select(vec![MangoHud::MicrosecondsEach, MangoHud::Milliseconds]),
    ) {
        let text = mangohud(version, &vec![usual; 700]);
        let falsify = |line: &str| {
            let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            if let Some(Ok(value)) = fields.get(column).map(|field| field.parse::<f64>()) {
                fields[column] = format!("{}", value * factor);
            }
            fields.join(",") + "\n"
        };
        match read(&text.lines().map(falsify).collect::<String>()) {
            Err(error) => prop_assert!(error.to_string().contains("holds samples, not frames"), "{error}"),
            Ok(trace) => prop_assert!(trace.warnings.iter().any(|warning| warning.contains("contradicts itself")), "{:?}", trace.warnings),
        }
    }
}

proptest! {
    #[test]
    fn a_last_line_that_is_cut_is_left_out_and_changes_nothing_else(
        of in any_loop(),
        generation in prop::sample::select(&GENERATIONS[..]),
        time in any_time(),
        left in 1..250_usize,
    ) {
        // A frame that was never displayed ends with a shorter field, as if it were cut.
        let of = Loop { drops: 0, ..of };
        let whole = text(&table(generation, time, &of.run()));
        let whole = whole.trim_end();
        // The file that remains if the tool is killed while it writes the last line.
        let last = whole.rfind('\n').unwrap() + 1;
        let cut = &whole[..(last + left).min(whole.len())];
        let [one, without, other] = [whole, &whole[..last], cut].map(|text| {
            Analysis::read(text.as_bytes(), "a.csv", BadRows::Fail).unwrap()
        });
        let number = of.frames + 1;
        let is_cut = other.warnings.iter().any(|warning| warning.starts_with(&format!("the last line, {number}, is cut off")));
        prop_assert_eq!(is_cut, cut.len() < whole.len(), "{:?}", other.warnings);
        prop_assert_eq!(&other.chains, if is_cut { &without.chains } else { &one.chains });
    }
}

proptest! {
    // Each case simulates every cure.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_game_that_waits_in_present_has_one_verdict_and_one_cure_in_all_columns(of in any_loop()) {
        let frames = Loop { frames: 400, ..of }.run();
        let [one, other] = [Generation::V1, Generation::V2_3_1].map(|generation| {
            let trace = read(&text(&table(generation, Time::Milliseconds, &frames))).unwrap();
            let chain = trace.main_chain();
            let kinds: Vec<_> = chain.diagnose().into_iter().map(|one| (one.kind, one.cure)).collect();
            (kinds, Comparison::new(chain, Rate::hz(60), None).recommended.filter)
        });
        prop_assert_eq!(one, other);
    }
}
