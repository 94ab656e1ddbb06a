//! Reads files of every format, and checks the errors of unreadable ones.

use std::path::Path;
use std::time::Duration;

use evenstep_trace::{Analysis, BadRows, Format, Metrics, SwapChain, Trace, TraceError, write_frame_times};
use proptest::prelude::*;

fn parse(text: &str) -> Result<Trace, TraceError> {
    Trace::parse(text.as_bytes(), "a.csv", BadRows::Fail)
}

fn millis(trace: &Trace) -> Vec<f64> {
    trace
        .main_chain()
        .deltas
        .iter()
        .map(|delta| delta.as_secs_f64() * 1e3)
        .collect()
}

#[test]
fn the_time_that_a_frame_shows_is_the_column_of_it_or_the_start_of_the_frame() {
    let header = "Application,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy";
    let rows = [(0, 1_000), (10, 1_016), (20, 1_024)];
    let with = rows.map(|(at, shown)| format!("a.exe,{at},10,5,2,{shown}\n"));
    let without = rows.map(|(at, _)| format!("a.exe,{at},10,5,2\n"));
    for (text, times, is_told) in [
        (
            format!("{header},AnimationTime\n{}", with.concat()),
            [1_000.0, 1_016.0, 1_024.0],
            true,
        ),
        // Each worked on for 2 ms before its present.
        (format!("{header}\n{}", without.concat()), [-2.0, 8.0, 18.0], false),
    ] {
        let trace = parse(&text).unwrap();
        let presents = &trace.main_chain().presents;
        let shown: Vec<f64> = presents.iter().filter_map(|present| present.simulated).collect();
        assert_eq!(shown, times);
        assert!(presents.iter().all(|present| present.is_simulated_told == is_told));
    }
}

#[test]
fn each_share_counts_from_the_limit_that_its_documentation_names() {
    let share = |rows: &str, of: fn(&Metrics) -> Option<f64>| {
        let text = format!("Application,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy,MsGPUBusy\n{rows}");
        of(&parse(&text).unwrap().main_chain().metrics())
    };
    // Of four frames of 10 ms and one of 25, that one is 2.5 times the median.
    let stutter = |last: f64| {
        let rows = [10.0, 10.0, 10.0, 10.0, last].map(|time| format!("a.exe,0,{time},1,1,1\n"));
        share(&rows.concat(), |metrics| Some(metrics.stutter_time_pct)).unwrap()
    };
    assert_eq!(stutter(25.0), 0.0);
    assert!((stutter(26.0) - 2600.0 / 66.0).abs() < 1e-9);
    // The median of the times between frames on the display is 10 ms; one is longer than the one before by 5 ms, or by more.
    let jank = |longer: f64| {
        let shown = [0.0, 10.0, 20.0, 30.0 + longer, 40.0 + longer];
        let rows = shown.map(|shown| format!("a.exe,{shown},10,5,1,1\n"));
        share(&rows.concat(), |metrics| metrics.jank_pct).unwrap()
    };
    assert_eq!((jank(5.0), jank(5.25)), (0.0, 25.0));
    // Of each frame's 10 ms the program and the graphics card are busy for so many.
    for (busy, cpu, gpu) in [
        ([8.9, 8.9], 0.0, 0.0),
        ([9.0, 8.9], 100.0, 0.0),
        ([8.9, 9.0], 0.0, 100.0),
        ([9.5, 9.0], 0.0, 100.0),
    ] {
        let rows = [0, 10, 20].map(|at| format!("a.exe,{at},10,5,{},{}\n", busy[0], busy[1]));
        let of = |of| share(&rows.concat(), of).unwrap();
        assert_eq!(
            (of(|metrics| metrics.cpu_bound_pct), of(|metrics| metrics.gpu_bound_pct)),
            (cpu, gpu),
            "{busy:?}"
        );
    }
}

#[test]
fn percentiles_are_the_times_of_the_nearest_rank() {
    let times: String = (1..=1000).map(|time| format!("{time}\n")).collect();
    let times = parse(&times).unwrap().main_chain().metrics().frame_time_ms;
    let found = [times.median, times.p95, times.p99, times.p999, times.max];
    assert_eq!(found, [500.0, 950.0, 990.0, 999.0, 1000.0]);
}

#[test]
fn columns_are_found_by_every_spelling_of_their_names() {
    for (header, format) in [
        ("MsBetweenPresents", Format::PresentMon1),
        ("msBetweenPresents", Format::PresentMon1),
        ("ms_between_presents", Format::PresentMon1),
        ("FrameTime", Format::PresentMon2),
        ("MsBetweenAppStart", Format::PresentMon2),
    ] {
        let trace = parse(&format!(
            "\u{feff}Application,{header},Other\r\ngame.exe,16.5,1\r\ngame.exe,17.25,2\r\n"
        ))
        .unwrap();
        assert_eq!((trace.format, millis(&trace)), (format, vec![16.5, 17.25]), "{header}");
        assert_eq!(trace.main_chain().name.application, "game.exe");
    }
}

#[test]
fn a_plain_list_is_read_in_milliseconds() {
    let trace = parse("# recorded by hand\n16.5\n\n33.25\n").unwrap();
    assert_eq!((trace.format, millis(&trace)), (Format::Plain, vec![16.5, 33.25]));
}

#[test]
fn headers_of_key_and_value_are_passed_over_and_ragged_rows_read() {
    let text = "//GameName=game.exe\n//Comment=\nApplication,TimeInSeconds,MsBetweenPresents\n\
                game.exe,0.1,10.0,,\ngame.exe,0.2,11.0\n";
    assert_eq!(millis(&parse(text).unwrap()), [10.0, 11.0]);
}

#[test]
fn semicolons_and_decimal_commas_are_read() {
    assert_eq!(
        millis(&parse("Application;MsBetweenPresents\ngame;16,5\ngame;8,25\n").unwrap()),
        [16.5, 8.25]
    );
}

#[test]
fn the_chain_with_the_most_frames_is_the_main_one_and_others_can_be_chosen() {
    let text = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n\
                dwm.exe,1,0xA,16\ngame.exe,2,0xB,8\ngame.exe,2,0xB,9\ngame.exe,2,0xC,7\n";
    let trace = parse(text).unwrap();
    assert_eq!(trace.chains.len(), 3);
    assert_eq!(trace.main_chain().name.swap_chain, "0xB");
    for (name, swap_chain) in [
        ("DWM.exe", "0xA"),
        ("1", "0xA"),
        ("0xc", "0xC"),
        ("game.exe/2/0xC", "0xC"),
        ("2", "0xB"),
    ] {
        assert_eq!(trace.chain(name).unwrap().name.swap_chain, swap_chain, "{name}");
    }
    let error = trace.chain("other").unwrap_err().to_string();
    assert_eq!(
        error,
        "a.csv: no chain is called other; there are game.exe/2/0xB, game.exe/2/0xC, dwm.exe/1/0xA"
    );
}

#[test]
fn events_become_the_time_between_them() {
    let event = |ts, name| format!("{{\"pid\":5,\"tid\":6,\"ts\":{ts},\"ph\":\"I\",\"name\":\"{name}\"}}");
    let name = "{\"pid\":5,\"tid\":1,\"ts\":0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"Renderer\"}}";
    let events = [
        event("1000.5", "BeginFrame"),
        event("2000", "DrawFrame"),
        event("17500.5", "BeginFrame"),
        name.to_owned(),
    ];
    for text in [
        format!("[{}]", events.join(",\n")),
        format!("{{\"traceEvents\":[{}]}}", events.join(",")),
    ] {
        let trace = parse(&text).unwrap();
        assert_eq!((trace.format, millis(&trace)), (Format::ChromeTrace, vec![16.5]));
        assert_eq!(trace.main_chain().name.to_string(), "Renderer/5/6");
    }
}

#[test]
fn rows_are_sorted_by_time() {
    let text = "TimeInSeconds,MsBetweenPresents\n0.3,30\n0.1,10\n0.2,20\n";
    assert_eq!(millis(&parse(text).unwrap()), [10.0, 20.0, 30.0]);
}

#[test]
fn generated_frames_and_frames_without_a_time_are_left_out() {
    let text = "FrameType,FrameTime\nApplication,16\nIntel XeSS,8\nApplication,NA\nNotSet,17\n";
    assert_eq!(millis(&parse(text).unwrap()), [16.0, 17.0]);
}

#[test]
fn the_time_of_generated_frames_belongs_to_the_programs_next_frame() {
    let trace =
        parse("FrameType,MsBetweenPresents\nApplication,16\nAMD_AFMF,8\nApplication,8\nApplication,16\n").unwrap();
    assert_eq!(millis(&trace), [16.0, 16.0, 16.0]);
}

/// PresentMon's columns: rows of 16 ms, of which every fifth was generated and every seventh was never displayed. The rows from `heavy` on
/// are bound by the graphics card.
fn table(rows: std::ops::Range<u32>, heavy: u32) -> String {
    let mut text = "FrameType,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy,MsGPUBusy\n".to_owned();
    for n in rows {
        let (kind, busy) = (
            if n % 5 == 4 { "AMD_AFMF" } else { "Application" },
            if n < heavy { 4 } else { 38 },
        );
        let frame = if n == 3 { "NA".to_owned() } else { "16".to_owned() };
        let until = if n % 7 == 6 { "NA" } else { "20" };
        text += &format!("{kind},{},{frame},{until},1,{busy}\n", 16 * n);
    }
    text
}

#[test]
fn frames_in_memory_are_measured_as_while_they_are_read_and_a_part_is_its_rows() {
    let begin = |n: u32| {
        format!(
            "{{\"name\":\"BeginFrame\",\"pid\":5,\"tid\":7,\"ts\":{},\"args\":{{\"layerTreeId\":1,\"frameSeqId\":{n}}}}}",
            16_000 * n + n * n % 900
        )
    };
    let chrome = format!(
        "{{\"traceEvents\":[{}]}}",
        (0..300).map(begin).collect::<Vec<_>>().join(",")
    );
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces"));
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|one| one != "md"));
    let mut texts: Vec<Vec<u8>> = files.map(|file| std::fs::read(file).unwrap()).collect();
    texts.extend([chrome.into(), table(0..400, 200).into()]);
    assert!(texts.len() > 12);
    for text in texts {
        let (analysis, mut trace) = Analysis::read_with_trace(&text[..], "a.csv", BadRows::Fail).unwrap();
        for (measured, chain) in analysis.chains.iter().zip(&trace.chains) {
            assert_eq!(
                (&measured.metrics, &measured.diagnosis),
                (&chain.metrics(), &chain.diagnose())
            );
        }
        let whole = analysis.clone().cut(&mut trace, SwapChain::span).unwrap();
        assert_eq!(whole, analysis);
    }
    // A part is of frame time: without the row that has no number, row 200 ends at 3200 ms.
    let (whole, mut trace) = Analysis::read_with_trace(table(0..400, 200).as_bytes(), "a.csv", BadRows::Fail).unwrap();
    let part = whole.cut(&mut trace, |_| (3190.0, f64::INFINITY)).unwrap();
    let metrics = &part.chains[0].metrics;
    let of_rows = Analysis::read(table(200..400, 200).as_bytes(), "a.csv", BadRows::Fail).unwrap();
    let of_rows = &of_rows.chains[0].metrics;
    assert_eq!(metrics.gpu_bound_pct, Some(100.0));
    assert_eq!(
        (
            metrics.frames,
            metrics.generated,
            metrics.displayed,
            metrics.not_displayed
        ),
        (
            of_rows.frames,
            of_rows.generated,
            of_rows.displayed,
            of_rows.not_displayed
        )
    );
}

#[test]
fn an_error_is_one_line_with_its_position() {
    for (text, complaint) in [
        ("", "a.csv: is empty"),
        ("\n\n", "a.csv: is empty"),
        (
            "{\"traceEvents\":[]}",
            "a.csv:1: is no frame-time trace: none of the 0 events of this Chrome trace is a BeginFrame",
        ),
        (
            "{\n\"frames\": 3}",
            "a.csv:1: is no frame-time trace: the object has neither traceEvents nor Runs",
        ),
        (
            "[{\"name\": \"BeginFrame\"",
            "a.csv:1: is no frame-time trace: EOF while parsing an object",
        ),
        (
            "Dear diary,\ntoday I",
            "a.csv:1: is no frame-time trace: it begins with \"Dear diary,\"",
        ),
        (
            "\nTimeInSeconds,Dropped\n1,0\n",
            "a.csv:2: is no frame-time trace: no column holds the time between frames",
        ),
        (
            "FrameTime\n16\nfast\n",
            "a.csv:3: FrameTime: \"fast\" is no frame time; correct or remove",
        ),
        ("FrameTime\n-1\n", "a.csv:2: FrameTime: \"-1\" is negative"),
        (
            "A,FrameTime\n1,16\n1\n",
            "a.csv:3: FrameTime: the row ends after column 1, and 2 are needed",
        ),
        ("16\n17\nx\n", "a.csv:3: frame time: \"x\" is no frame time"),
        (
            "FrameTimeNs\n16.5\n",
            "a.csv:2: FrameTimeNs: \"16.5\" is no whole number of nanoseconds",
        ),
        (
            "FrameTime\n",
            "a.csv: holds no frame that takes time (0 unreadable rows)",
        ),
        ("FrameTime\n0\n0.0\n", "a.csv: holds no frame that takes time"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let binary = Trace::parse(&[0x50, 0x4b, 3, 4, 0xff, 0xfe][..], "a.zip", BadRows::Fail).unwrap_err();
    assert!(
        binary
            .to_string()
            .starts_with("a.zip:1: is no frame-time trace: it is not text")
    );
    let missing = Trace::read(Path::new("no/such/file.csv"), BadRows::Fail).unwrap_err();
    assert!(missing.to_string().starts_with("no/such/file.csv: cannot be read:"));
}

#[test]
fn unreadable_rows_are_skipped_and_listed_if_requested() {
    let text = "FrameTime\n16\nfast\n17\n-3\n";
    let trace = Trace::parse(text.as_bytes(), "a.csv", BadRows::Skip).unwrap();
    assert_eq!(millis(&trace), [16.0, 17.0]);
    let lines: Vec<u64> = trace.skipped.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [3, 5]);
}

proptest! {
    #[test]
    fn any_rows_are_read_or_refused(rows in prop::collection::vec("[0-9a-zA-Z,.;\"#NA-]{0,20}", 0..20)) {
        let text = format!("Application,FrameType,FrameTime\n{}", rows.join("\n"));
        for mode in [BadRows::Fail, BadRows::Skip] {
            let trace = Trace::parse(text.as_bytes(), "a.csv", mode);
            let analysis = Analysis::read(text.as_bytes(), "a.csv", mode);
            prop_assert_eq!(trace.is_ok(), analysis.is_ok());
            if let (Ok(trace), Ok(analysis)) = (trace, analysis) {
                let chain = trace.main_chain();
                prop_assert!(chain.deltas.iter().any(|delta| !delta.is_zero()));
                // The metrics are the same whether the trace is measured while it is read or afterwards.
                prop_assert_eq!(&chain.metrics(), &analysis.chains[0].metrics);
                prop_assert_eq!(&chain.diagnose(), &analysis.chains[0].diagnosis);
            }
        }
    }

    #[test]
    fn a_recording_is_read_back_exactly(nanos in prop::collection::vec(1..u64::MAX, 1..50)) {
        let deltas: Vec<Duration> = nanos.into_iter().map(Duration::from_nanos).collect();
        let mut file = Vec::new();
        write_frame_times(&mut file, &deltas).unwrap();
        let trace = Trace::parse(file.as_slice(), "a.csv", BadRows::Fail).unwrap();
        prop_assert_eq!(trace.format, Format::FrameTimes);
        prop_assert_eq!(&trace.main_chain().deltas, &deltas);
    }
}

#[test]
fn fraps_writes_a_running_clock() {
    let trace = parse("Frame, Time (ms)\n    1,     0.000\n    2,    16.500\n    3,    33.750\n").unwrap();
    assert_eq!((trace.format, millis(&trace)), (Format::Fraps, vec![16.5, 17.25]));
}

#[test]
fn mangohud_names_its_columns_after_the_machine() {
    let columns = "fps,frametime,cpu_load,gpu_load,elapsed\n";
    let rows = "60,16.0,5,6,1000000000\n60,17.0,5,6,1017000000\n50,20.0,5,6,1037000000\n";
    for preface in [
        "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nArch,Ryzen,Radeon,32,6.1,Mesa,powersave\n",
        "v1\nv0.8.1\n---------------------SYSTEM INFO---------------------\nos,cpu,gpu,ram,kernel,driver,cpuscheduler\n\
         Arch,Ryzen,Radeon,32,6.1,Mesa,powersave\n--------------------FRAME METRICS--------------------\n",
    ] {
        let trace = parse(&format!("{preface}{columns}{rows}")).unwrap();
        assert_eq!(
            (trace.format, millis(&trace)),
            (Format::MangoHud, vec![16.0, 17.0, 20.0])
        );
    }
}

#[test]
fn samples_are_refused_with_the_reason() {
    let mut text = String::from("os,cpu,gpu\na,b,c\nfps,frametime,elapsed\n");
    for n in 0..20_u64 {
        text += &format!("60,16.6,{}\n", n * 100_000_000);
    }
    let message = parse(&text).unwrap_err().to_string();
    assert!(
        message.contains("holds samples, not frames: they add up to 0.3 s of 1.9 s"),
        "{message}"
    );
    assert!(message.contains("log_interval=0"));
}

#[test]
fn capframex_keeps_its_runs_in_json() {
    let text = r#"{"Info":{"ProcessName":"game.exe"},"Runs":[
        {"CaptureData":{"TimeInSeconds":[0,0.016,0.033],"MsBetweenPresents":[16,16,17],"MsUntilDisplayed":[9,0,9],
                        "Dropped":[false,true,false]}},
        {"CaptureData":{"MsBetweenPresents":[20,20]}}]}"#;
    let trace = parse(text).unwrap();
    assert_eq!(
        (trace.format, millis(&trace)),
        (Format::CapFrameXJson, vec![16.0, 16.0, 17.0])
    );
    assert_eq!(trace.chains.len(), 2);
    let measured = trace.main_chain().measure();
    assert!((measured[2].between_display_change.unwrap() - 33.0).abs() < 1e-9);
    assert_eq!(measured[1].between_display_change, None);
    let message = parse(&text.replace("16,16,17", "16,-16,17")).unwrap_err().to_string();
    assert!(
        message.contains("Runs[0].CaptureData.MsBetweenPresents[1]: \"-16\" is negative"),
        "{message}"
    );
}
