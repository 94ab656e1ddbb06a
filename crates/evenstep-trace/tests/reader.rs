//! Readings of clocks, lists and tables that tools write in ways of their own: small files, made by hand.

use std::fmt::Write as _;

use evenstep_trace::{Analysis, BadRows, Metrics, StutterKind, Trace};

fn analysis(text: &str) -> Analysis {
    analysis_of(text, "a.csv")
}

fn analysis_of(text: &str, file: &str) -> Analysis {
    Analysis::read(text.as_bytes(), file, BadRows::Fail).unwrap()
}

fn metrics(text: &str) -> Metrics {
    analysis(text).chains.swap_remove(0).metrics
}

/// Why a file is refused. Each refusal names the file.
fn refusal(text: &str) -> String {
    let refused = Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail);
    let refusal = refused.unwrap_err().to_string();
    assert!(refusal.starts_with("a.csv"), "{refusal}");
    refusal
}

fn near(one: f64, other: f64, tolerance: f64) {
    assert!((one - other).abs() < tolerance, "{one} {other}");
}

/// As C's `%.4g`, which PresentMon's capture application prints its clocks with.
fn four_digits(number: f64) -> String {
    let decimals = 3 - number.abs().max(1e-9).log10().floor() as i32;
    let text = format!("{number:.*}", decimals.max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

const CAPTURE: &str = "Application,PresentStartTime,MsBetweenPresents,MsBetweenDisplayChange,MsUntilDisplayed,CPUStartTime,\
                       MsBetweenAppStart,MsCPUBusy,MsCPUWait\n";

/// A perfect 144 Hz whose clocks have four digits. Rows for which `is_missing` holds are left out.
fn coarse(is_missing: impl Fn(i32) -> bool) -> String {
    let period = 1e3 / 144.0;
    let mut text = CAPTURE.to_owned();
    for n in (0..6000).filter(|n| !is_missing(*n)) {
        let time = f64::from(n) * period;
        let _ = writeln!(
            text,
            "game.exe,{},{period:.4},{period:.4},20.0000,{},{period:.4},5.0000,{:.4}",
            four_digits(time / 1e3),
            four_digits((time - 5.0).max(0.0) / 1e3),
            period - 5.0
        );
    }
    text
}

#[test]
fn a_clock_of_four_digits_aligns_and_the_intervals_measure() {
    let analysis = analysis(&coarse(|_| false));
    let metrics = &analysis.chains[0].metrics;
    let errors = metrics.animation_error_ms.unwrap();
    near(errors.rms, 0.0, 0.1);
    near(metrics.display_interval_std_ms.unwrap(), 0.0, 0.05);
    assert_eq!((metrics.jank_pct, metrics.hitches.len()), (Some(0.0), 0));
    assert_eq!(analysis.warnings.len(), 1, "{:?}", analysis.warnings);
    assert!(
        analysis.warnings[0].starts_with("PresentStartTime is written more coarsely than the intervals beside it"),
        "{:?}",
        analysis.warnings
    );
}

#[test]
fn a_clock_is_coarse_beside_a_column_of_finer_times_whose_unit_is_guessed() {
    let mut text = String::from("Time,DeltaTime\n");
    for n in 0..6000 {
        let _ = writeln!(text, "{},7.01", four_digits(f64::from(n) * 7.01e-3));
    }
    let warnings = analysis(&text).warnings;
    let is_named = |warning: &String| warning.starts_with("Time is written more coarsely than the intervals beside it");
    assert!(warnings.iter().any(is_named), "{warnings:?}");
}

#[test]
fn the_digits_of_a_date_do_not_make_a_clock_coarse() {
    let mut text = String::from("Application,CPUStartDateTime,MsBetweenAppStart,MsCPUBusy,MsCPUWait\n");
    for n in 0..200 {
        let (minute, second) = (n / 60, n % 60);
        let _ = writeln!(
            text,
            "game.exe,2026-6-9 17:{minute:02}:{second:02},1000.0000,5.0000,995.0000"
        );
    }
    assert_eq!(analysis(&text).warnings, Vec::<String>::new());
}

#[test]
fn a_generated_frame_without_a_frame_time_of_its_own_has_no_coarse_clock_beside_its_interval() {
    let mut text = String::from("Application,FrameType,CPUStartTime,MsBetweenAppStart,MsCPUBusy,MsCPUWait\n");
    for n in 0..400 {
        let kind = if n % 2 == 0 { "Application" } else { "Intel_XEFG" };
        let _ = writeln!(text, "game.exe,{kind},{:.1},16.0,5.0,11.0", f64::from(n) * 8.0);
    }
    assert_eq!(analysis(&text).warnings, Vec::<String>::new());
}

#[test]
fn a_gap_in_a_coarse_clock_is_kept() {
    let trace = Trace::parse(coarse(|n| (3000..3300).contains(&n)).as_bytes(), "a.csv", BadRows::Fail).unwrap();
    let presents = &trace.main_chain().presents;
    let (first, last) = (presents[0], presents[presents.len() - 1]);
    near(last.presented - first.presented, 5999.0 * 1e3 / 144.0, 12.0);
    near(
        presents[3000].presented - presents[2999].presented,
        301.0 * 1e3 / 144.0,
        20.0,
    );
}

/// Even frames at 60 Hz by PresentMon 1. Row 150 has the interval `interval`, and its clock advances by `step`.
fn even(interval: f64, step: f64) -> String {
    let mut text = String::from("Application,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed\n");
    let mut time = 1e3;
    for n in 0..300 {
        let (interval, step) = if n == 150 { (interval, step) } else { (16.667, 16.667) };
        time += step;
        let _ = writeln!(text, "game.exe,{:.6},{interval:.3},20.000", time / 1e3);
    }
    text
}

#[test]
fn a_bogus_frame_time_beside_an_even_clock_is_named_and_no_hitch() {
    let bogus = analysis(&even(50_123.0, 16.667));
    let metrics = &bogus.chains[0].metrics;
    assert!(metrics.hitches.is_empty(), "{:?}", metrics.hitches);
    near(metrics.seconds, 5.0, 0.001);
    assert_eq!(
        bogus.warnings,
        [
            "1 frame time is wrong and replaced by the step of TimeInSeconds: on line 152, MsBetweenPresents is \
          50123.000 ms and the clock advances by 16.667 ms"
        ]
    );
    // A frame time that the clock confirms is a hitch.
    assert_eq!(hitches_and_warnings(&even(216.667, 216.667)), (1, 0));
    // Nor is it wrong up to twice the step of the clock and 100 ms.
    assert_eq!(hitches_and_warnings(&even(259.0, 80.0)), (1, 0));
    assert_eq!(hitches_and_warnings(&even(262.0, 80.0)), (1, 1));
}

/// The numbers of hitches and of warnings.
fn hitches_and_warnings(text: &str) -> (usize, usize) {
    let analysis = analysis(text);
    (analysis.chains[0].metrics.hitches.len(), analysis.warnings.len())
}

/// Sixty rows a second, with a value of its own in each column; in row 300 one column has another.
fn with_value(columns: &[(&str, f64)], wrong: Option<(usize, &str)>) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("Application,TimeInMs,MsBetweenPresents,{}\n", names.join(","));
    for row in 0..600_i32 {
        text += &format!("game.exe,{:.3},16.667", 1000.0 + 16.667 * f64::from(row));
        for (index, (_, value)) in columns.iter().enumerate() {
            match wrong {
                Some((column, value)) if row == 300 && column == index => text += &format!(",{value}"),
                _ => text += &format!(",{value}"),
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_value_that_a_column_cannot_have_is_left_out_with_a_warning_and_changes_no_figure() {
    let columns = [
        ("MsUntilDisplayed", 9.0),
        ("MsBetweenDisplayChange", 16.667),
        ("MsInPresentAPI", 0.2),
        ("MsCPUBusy", 5.0),
        ("MsGPUBusy", 6.0),
        ("MsPCLatency", 40.0),
        ("MsClickToPhotonLatency", 45.0),
    ];
    let right = analysis(&with_value(&columns, None));
    assert_eq!(right.warnings, Vec::<String>::new());
    let latencies = [0, 5, 6];
    for (index, (name, _)) in columns.iter().enumerate() {
        let wraps = ["1844674407371009.750", "-1844674407370955.1", "6727011648977478"].into_iter();
        for wrong in wraps.chain(latencies.contains(&index).then_some("459982.120")) {
            let read = analysis(&with_value(&columns, Some((index, wrong))));
            let [warning] = &read.warnings[..] else {
                panic!("{name}: {:?}", read.warnings)
            };
            assert!(warning.contains("on line 302") && warning.contains(name), "{warning}");
            let (ours, theirs) = (&read.chains[0].metrics, &right.chains[0].metrics);
            assert_eq!(
                (ours.displayed, &ours.hitches),
                (theirs.displayed, &theirs.hitches),
                "{name}"
            );
            let all = |of: &Metrics| {
                let times = [
                    of.until_displayed_ms,
                    of.pc_latency_ms,
                    of.click_to_photon_ms,
                    of.display_interval_ms,
                ];
                times.map(|times| times.map_or(0.0, |times| times.mean + times.max + times.std))
            };
            all(ours)
                .into_iter()
                .zip(all(theirs))
                .for_each(|(one, other)| near(one, other, 0.01));
            assert_eq!(
                read.chains[0].diagnosis[0].kind, right.chains[0].diagnosis[0].kind,
                "{name}"
            );
        }
    }
    for wrong in ["1844674407371009.75", "-5.0"] {
        let text = with_value(&columns, None).replacen("16.667,9", &format!("{wrong},9"), 1);
        assert!(refusal(&text).contains("MsBetweenPresents"));
    }
}

/// 180 frames a second on a display of 60 Hz: two of three rows have an interval and no time on the screen, written as `nothing`.
#[test]
fn a_row_without_a_time_on_the_screen_was_never_displayed_whatever_its_interval_says() {
    for nothing in ["NA", "", "0", "0.0000", "NaN"] {
        for (column, since) in [("MsUntilDisplayed", "15"), ("DisplayLatency", "20")] {
            let mut text = format!("TimeInMs,MsBetweenPresents,CPUStartTimeInMs,{column},MsBetweenDisplayChange\n");
            for n in 0..900 {
                let time = 50.0 + 50.0 / 9.0 * f64::from(n);
                let until = if n % 3 == 0 { since } else { nothing };
                let _ = writeln!(text, "{time:.4},5.5556,{:.4},{until},16.6667", time - 5.0);
            }
            let read = metrics(&text);
            assert_eq!(
                (read.displayed, read.not_displayed),
                (Some(300), Some(600)),
                "{column}: {nothing:?}"
            );
            near(read.displayed_fps_average.unwrap(), 60.0, 0.01);
        }
    }
    // CapFrameX's `null` is of one frame in one run, and of all frames in another, which has only intervals.
    let run = |until: &str| {
        let times: Vec<String> = (0..90).map(|n| format!("{:.6}", f64::from(n) / 60.0)).collect();
        let [deltas, intervals] = [vec!["16.6667"; 90].join(","), vec!["16.6667"; 90].join(",")];
        format!(
            "{{\"CaptureData\":{{\"TimeInSeconds\":[{}],\"MsBetweenPresents\":[{deltas}],\"MsUntilDisplayed\":{until},\
             \"MsBetweenDisplayChange\":[{intervals}]}}}}",
            times.join(",")
        )
    };
    let known: Vec<&str> = (0..90).map(|n| if n % 2 == 0 { "9.5" } else { "null" }).collect();
    let text = format!(
        "{{\"Runs\":[{},{}]}}",
        run(&format!("[{}]", known.join(","))),
        run("null")
    );
    let displayed: Vec<_> = analysis(&text)
        .chains
        .iter()
        .map(|chain| chain.metrics.displayed)
        .collect();
    assert_eq!(displayed, [Some(45), None]);
    let text = text.replace("\"MsUntilDisplayed\":null,", "");
    assert_eq!(analysis(&text).chains[1].metrics.displayed, None);
}

#[test]
fn a_display_never_goes_back_and_one_wrong_time_costs_one_row() {
    for wrong in [-40.0, 500.0] {
        let mut text = String::from("TimeInMs,MsBetweenPresents,MsUntilDisplayed\n");
        for n in 0..600 {
            let until = if n % 100 == 50 { 60.0 + wrong } else { 60.0 };
            let _ = writeln!(text, "{:.4},16.6667,{until}", 16.6667 * f64::from(n));
        }
        let read = analysis(&text);
        let chain = Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail).unwrap();
        let measured = chain.main_chain().measure();
        let back = measured
            .iter()
            .filter(|one| one.between_display_change.is_some_and(|time| time < 0.0));
        let [warning] = &read.warnings[..] else {
            panic!("{:?}", read.warnings)
        };
        assert!(warning.contains("before that of an earlier frame"), "{warning}");
        // A time that is far ahead is told from the true ones when several contradict it.
        let (lost, most_back) = if wrong < 0.0 { (6, 0) } else { (18, 6) };
        assert_eq!(read.chains[0].metrics.not_displayed, Some(lost), "{wrong}");
        assert_eq!(back.count(), most_back, "{wrong}");
    }
}

#[test]
fn starts_in_another_unit_than_presents_are_not_read() {
    // As PresentMon's `--qpc_time_ms` writes them: presents since the start of the recording, starts since that of the machine.
    let rows = |header: &str, busy: &str| {
        let mut text =
            format!("Application,TimeInSeconds,CPUStartQPCTimeInMs,MsBetweenAppStart,MsUntilDisplayed{header}\n");
        for n in 0..60 {
            let time = 16.0 * f64::from(n);
            let _ = writeln!(
                text,
                "game.exe,{:.4},{:.4},16.0000,20.0000{busy}",
                time + 9.0,
                9e7 + time
            );
        }
        let trace = Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail).unwrap();
        assert_eq!(trace.warnings, Vec::<String>::new());
        let presents = &trace.main_chain().presents;
        presents[30].started.map(|started| presents[30].presented - started)
    };
    assert_eq!(rows("", ""), None);
    near(rows(",MsCPUBusy", ",9.0000").unwrap(), 9.0, 1e-6);
}

#[test]
fn a_bogus_frame_time_that_looks_forward_is_no_hitch_either() {
    let mut text = String::from("Application,CPUStartTime,FrameTime,CPUBusy,DisplayLatency\n");
    for n in 0..300 {
        let delta = if n == 150 { 50_123.0 } else { 16.6667 };
        let _ = writeln!(text, "game.exe,{:.4},{delta:.4},5.0,30.0", f64::from(n) * 16.6667);
    }
    let bogus = analysis(&text);
    assert!(bogus.chains[0].metrics.hitches.is_empty());
    assert!(bogus.warnings[0].contains("on line 152, FrameTime is 50123.000 ms"));
}

#[test]
fn rows_that_contradict_the_clock_in_both_directions_are_counted() {
    let mut text = String::from("Application,TimeInMs,MsBetweenPresents\n");
    for n in 0..200 {
        let interval = if n % 20 > 1 {
            16.667
        } else {
            6.667 + 20.0 * f64::from(n % 2)
        };
        let _ = writeln!(text, "game.exe,{:.3},{interval:.3}", f64::from(n) * 16.667);
    }
    let warnings = analysis(&text).warnings;
    assert_eq!(
        warnings,
        [
            "the file contradicts itself in 19 of 199 rows: on line 3, the first, MsBetweenPresents is 26.667 ms and TimeInMs \
          advances by 16.667 ms"
        ]
    );
}

#[test]
fn a_comma_in_a_programs_name_is_an_error_that_names_it() {
    let text = "Application,ProcessID,MsBetweenPresents\nRock, Paper.exe,7,16.7\n";
    assert_eq!(
        refusal(text),
        "a.csv:2: Application: the row has 4 fields and the header 3: a comma in a program's name, or \
         decimal commas? Put the name in quotes, in each row, or semicolons between columns; correct or remove the row, or skip such rows with --lenient"
    );
    let quoted = text.replace("Rock, Paper.exe", "\"Rock, Paper.exe\"");
    let trace = Trace::parse(quoted.as_bytes(), "a.csv", BadRows::Fail).unwrap();
    assert_eq!(trace.main_chain().name.application, "Rock, Paper.exe");
}

#[test]
fn dropped_may_be_a_number_or_a_word() {
    for (yes, no) in [("1", "0"), ("true", "false"), ("True", "False"), ("TRUE", "FALSE")] {
        let text = format!(
            "Application,TimeInMs,MsBetweenPresents,MsUntilDisplayed,Dropped\ngame,0,16,9,{no}\ngame,16,16,9,{yes}\ngame,32,16,9,{no}\n"
        );
        let metrics = metrics(&text);
        assert_eq!((metrics.displayed, metrics.not_displayed), (Some(2), Some(1)), "{yes}");
    }
}

#[test]
fn tabs_and_a_stated_delimiter_are_read() {
    let table = "Application,MsBetweenPresents\ngame.exe,16.5\ngame.exe,8.5\n";
    for text in [
        table.replace(',', "\t"),
        format!("sep=,\n{table}"),
        format!("sep=;\r\n{}", table.replace(',', ";").replace('.', ",")),
        format!("sep=|\n{}", table.replace(',', "|")),
    ] {
        near(metrics(&text).seconds, 0.025, 1e-9);
    }
}

#[test]
fn facts_of_the_presents_are_read() {
    let text = "Application,SyncInterval,AllowsTearing,PresentMode,TimeInMs,MsBetweenPresents,MsPCLatency,\
                MsClickToPhotonLatency\n\
                game,1,0,Hardware Composed: Independent Flip,0,16,33.5,NA\ngame,0,1,Composed: Flip,16,16,NA,60.25\n";
    let trace = Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail).unwrap();
    let [one, other] = [0, 1].map(|n| trace.main_chain().presents[n]);
    assert_eq!((one.sync_interval, other.sync_interval), (Some(1), Some(0)));
    assert_eq!((one.allows_tearing, other.allows_tearing), (Some(false), Some(true)));
    assert_eq!((one.is_composed, other.is_composed), (Some(false), Some(true)));
    assert_eq!((one.pc_latency, one.click_to_photon), (Some(33.5), None));
    assert_eq!((other.pc_latency, other.click_to_photon), (None, Some(60.25)));
}

#[test]
fn generated_frames_are_counted_and_their_generator_is_named() {
    for (frame_type, name) in [("AMD_AFMF", "AMD Fluid Motion Frames"), ("Intel XeSS-FG", "Intel XeSS")] {
        let mut text = "FrameType,TimeInMs,MsBetweenPresents,MsUntilDisplayed\n".to_owned();
        for n in 0..400 {
            let of = if n % 2 == 0 { "Application" } else { frame_type };
            let _ = writeln!(text, "{of},{:.3},8.333,9.000", f64::from(n) * 8.333);
        }
        let chain = analysis(&text).chains.swap_remove(0);
        assert_eq!((chain.metrics.generated, chain.metrics.generated_by), (200, vec![name]));
        let evidence = &chain.diagnosis[0].evidence;
        assert!(
            evidence.starts_with(&format!("200 frames were generated by {name} beside")),
            "{evidence}"
        );
    }
}

#[test]
fn frames_in_turn_are_pairs_from_the_first_on_and_no_hitches() {
    let of = |pairs: i32| {
        (0..2 * pairs)
            .map(|n| if n % 2 == 0 { "0.6\n" } else { "15.4\n" })
            .collect::<String>()
    };
    for text in [
        of(300),
        format!("0.6\n{}", of(300)),
        format!("15.4\n{}", of(300)),
        of(20),
    ] {
        let metrics = metrics(&text);
        assert!(metrics.hitches.is_empty(), "{:?}", metrics.hitches);
    }
}

#[test]
fn what_a_file_states_needs_no_sixty_frames() {
    let rows = |of: &str| {
        (0..20)
            .map(|n| format!("{},{n}6,16\n", if n % 2 == 0 { "Application" } else { of }))
            .collect::<String>()
    };
    let first = |text: &str| analysis(text).chains[0].diagnosis[0].kind;
    let header = "FrameType,TimeInMs,MsBetweenPresents\n";
    assert_eq!(
        first(&format!("{header}{}", rows("AMD_AFMF"))),
        StutterKind::FrameGeneration
    );
    assert_eq!(first(&format!("{header}{}", rows("Application"))), StutterKind::Unknown);
}

#[test]
fn lists_in_seconds_and_microseconds_are_recognised_and_rates_are_doubted() {
    let list = |numbers: &dyn Fn(i32) -> String| (0..100).map(|n| numbers(n) + "\n").collect::<String>();
    let jitter = |n: i32| 16.667 + f64::from(n * 7 % 5) * 0.1;
    for (text, warning) in [
        (list(&|n| format!("{:.3}", jitter(n))), None),
        (list(&|n| format!("{:.6}", jitter(n) / 1e3)), Some("read as seconds")),
        (
            list(&|n| format!("{:.0}", jitter(n) * 1e3)),
            Some("read as microseconds"),
        ),
        (
            list(&|n| format!("{:.0}", jitter(n) * 1e6)),
            Some("read as nanoseconds"),
        ),
    ] {
        let analysis = analysis(&text);
        near(analysis.chains[0].metrics.frame_time_ms.mean, 16.867, 0.001);
        let warned = analysis.warnings.first().map(String::as_str).unwrap_or_default();
        assert!(
            warned.contains(warning.unwrap_or_default()) && warned.is_empty() == warning.is_none(),
            "{warned}"
        );
    }
    let rates = analysis(&list(&|n| format!("{:.1}", 1e3 / jitter(n))));
    assert!(
        rates.warnings[0].contains("if they are frames a second, write 1000 divided by each"),
        "{:?}",
        rates.warnings
    );
}

#[test]
fn the_unit_of_an_unknown_column_is_guessed_with_a_warning() {
    let text = "frame,frame_time_us\n".to_owned() + &(0..50).map(|n| format!("{n},16667\n")).collect::<String>();
    let analysis = analysis(&text);
    near(analysis.chains[0].metrics.frame_time_ms.mean, 16.667, 1e-9);
    assert_eq!(
        analysis.warnings,
        ["the unit of frame_time_us is guessed: its numbers are about 16667 and are read as microseconds"]
    );
}

#[test]
fn logs_that_hold_no_frames_are_refused_by_name() {
    for (text, name, instead) in [
        (
            "TimeStamp,Application,Log Name,GPU0,Avg FPS,1% Low FPS,Min FPS\n2024-04-17T000111,game.exe,a.csv,GPU,30,28,27\n",
            "a summary by NVIDIA FrameView",
            "its column Log Name",
        ),
        (
            "Timestamp (Elapsed time in seconds),PID,FPS,99(%) FPS,Render Latency(MSec)\n1,7,60,50,9\n",
            "a log by the NVIDIA App",
            "PresentMon",
        ),
        (
            "00, 15-01-2026 20:15:33, Hardware monitoring log v1.6 \n01, 15-01-2026 20:15:33, GPU\n",
            "a hardware log by MSI Afterburner",
            "benchmark recording",
        ),
        (
            "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 1\n\n---PROFILEDATA---\nFlags,IntendedVsync,\n0,1,\n",
            "a dump of Android's gfxinfo",
            "Perfetto",
        ),
        (
            "---PROFILEDATA---\nFlags,IntendedVsync,\n0,1,\n",
            "a dump of Android's gfxinfo",
            "Perfetto",
        ),
        (
            "Date,Time,\"Virtual Memory Committed [MB]\",\"Core 0 Clock [MHz]\",\"Frame Time [ms]\"\n1.1.2026,1:2:3,1,2,3\n",
            "a sensor log by HWiNFO",
            "PresentMon",
        ),
    ] {
        let message = refusal(text);
        assert!(message.starts_with(&format!("a.csv:1: is {name}")), "{message}");
        assert!(
            message.contains("of which no frames are read") && message.contains(instead),
            "{message}"
        );
    }
}

/// Events of Chrome: time in microseconds, thread, name, layer tree and frame.
fn chrome(events: &[(f64, u8, &str, u8, usize)]) -> String {
    let event = |(ts, thread, name, tree, frame): &(f64, u8, &str, u8, usize)| match *name {
        "NeedsBeginFrameChanged" => format!(
            "{{\"name\":\"{name}\",\"pid\":5,\"tid\":{thread},\"ts\":{ts},\"args\":{{\"data\":{{\"needsBeginFrame\":{frame}}},\"layerTreeId\":{tree}}}}}"
        ),
        _ => format!(
            "{{\"name\":\"{name}\",\"pid\":5,\"tid\":{thread},\"ts\":{ts},\"args\":{{\"layerTreeId\":{tree},\"frameSeqId\":{frame}}}}}"
        ),
    };
    let events: Vec<String> = events.iter().map(event).collect();
    format!("{{\"traceEvents\":[{}]}}", events.join(",\n"))
}

#[test]
fn frames_that_chrome_dropped_were_never_displayed() {
    let mut events = Vec::new();
    for n in 0..240 {
        let begin = 1e6 + n as f64 * 1e6 / 60.0;
        let (name, after) = if n % 2 == 0 {
            ("DrawFrame", 3e3)
        } else {
            ("DroppedFrame", 1e6 / 60.0)
        };
        events.extend([(begin, 7, "BeginFrame", 1, n), (begin + after, 7, name, 1, n)]);
    }
    let metrics = metrics(&chrome(&events));
    assert_eq!(
        (metrics.frames, metrics.displayed, metrics.not_displayed),
        (239, Some(120), Some(120))
    );
    near(metrics.fps_average, 60.0, 0.01);
    near(metrics.display_interval_std_ms.unwrap(), 0.0, 0.001);
}

#[test]
fn a_page_and_an_embedded_frame_on_one_thread_are_two_chains() {
    let mut events = Vec::new();
    for n in 0..200 {
        let begin = 1e6 + n as f64 * 1e6 / 60.0;
        events.extend([(begin, 7, "BeginFrame", 1, n), (begin + 400.0, 7, "BeginFrame", 2, n)]);
    }
    let analysis = analysis(&chrome(&events));
    let names: Vec<String> = analysis.chains.iter().map(|chain| chain.name.to_string()).collect();
    assert_eq!(names, ["/5/7 layer tree 1", "/5/7 layer tree 2"]);
    for chain in &analysis.chains {
        near(chain.metrics.fps_average, 60.0, 0.01);
        near(chain.metrics.frame_time_ms.std, 0.0, 0.001);
    }
}

#[test]
fn time_in_which_chrome_needs_no_frames_is_no_frame() {
    let mut events = Vec::new();
    for burst in 0..6 {
        let begin = 1e6 + f64::from(burst) * 3e6;
        events.push((begin - 100.0, 7, "NeedsBeginFrameChanged", 1, 1));
        for n in 0..60 {
            events.push((begin + n as f64 * 1e6 / 60.0, 7, "BeginFrame", 1, n));
        }
        events.push((begin + 1e6, 7, "NeedsBeginFrameChanged", 1, 0));
    }
    let metrics = metrics(&chrome(&events));
    assert_eq!((metrics.frames, metrics.hitches.len()), (6 * 59, 0));
    near(metrics.fps_average, 60.0, 0.01);
}

#[test]
fn a_trace_of_chrome_without_frames_names_the_category() {
    let message = refusal(&chrome(&[(1e6, 1, "FireAnimationFrame", 1, 0)]));
    assert!(
        message.contains("disabled-by-default-devtools.timeline.frame"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_recording_is_called_what_it_is() {
    let latency = format!("16666666\n{}", "1000\t2000\t3000\n".repeat(20));
    for (text, what) in [
        (
            "Application,MsBetweenPresents\rgame.exe,16.7\rgame.exe,16.6\r",
            "CR alone",
        ),
        ("{\"traceEvents\":[]}", "none of the 0 events"),
        ("[]", "none of the 0 events"),
        (latency.as_str(), "SurfaceFlinger's --latency"),
        ("---PROFILEDATA---\nFlags,IntendedVsync\n---PROFILEDATA---\n", "gfxinfo"),
        ("Flags,IntendedVsync,Vsync\n", "gfxinfo"),
        (" a-1 [0] .... 1.5: tracing_mark_write: B|1|x\n", "atrace"),
        ("Application,MsBetweenPresents\ngame.exe,16,7\n", "decimal commas"),
        (
            "Application,MsBetweenPresents\ngame.exe,16.7\n\0\0\0\0,\0\0\n",
            "NUL bytes",
        ),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(what), "{text:?}: {refusal}");
    }
}

#[test]
fn a_header_that_unreal_repeats_at_the_end_is_left_out_with_a_warning() {
    let rows = "EVENTS,0,16.7\n".repeat(30);
    let text = format!("EVENTS,Frame,FrameTime\n{rows}EVENTS,Frame,FrameTime\n[HasHeaderRowAtEnd],1,[x],2\n");
    let read = analysis(&text);
    assert_eq!(
        (read.chains[0].metrics.frames, read.format.as_str()),
        (30, "a table of frame times")
    );
    assert!(
        read.warnings
            .iter()
            .any(|warning| warning.contains("repeats the header")),
        "{:?}",
        read.warnings
    );
}

#[test]
fn a_column_frame_time_in_any_unit_is_right_or_has_a_warning() {
    for (factor, unit) in [(1e-3, "seconds"), (1.0, "milliseconds"), (1e3, "microseconds")] {
        let rows = |before: &str| -> String { (0..100).map(|_| format!("{before}{}\n", 16.7 * factor)).collect() };
        let alone = analysis(&format!("FrameTime\n{}", rows("")));
        near(alone.chains[0].metrics.fps_average, 59.88, 0.01);
        assert_eq!(
            alone.warnings.is_empty(),
            unit == "milliseconds",
            "{:?}",
            alone.warnings
        );
        let beside = analysis(&format!("Application,FrameTime\n{}", rows("game.exe,")));
        assert_eq!(
            beside.warnings.is_empty(),
            unit == "milliseconds",
            "{:?}",
            beside.warnings
        );
    }
}
