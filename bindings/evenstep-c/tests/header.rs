//! The header is made from the sources by cbindgen and committed: this test sees that it is current.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cbindgen::{Builder, Config, EnumConfig, ItemType, Language, Layout, RenameRule, SortKey, Style};

const HEADER: &str = "include/evenstep.h";

/// Files of which the header is made, in the order of the manual.
const SOURCES: &[&str] = &[
    "src/status.rs",
    "../evenstep-flat/src/exact.rs",
    "src/objects.rs",
    "../evenstep-flat/src/filter.rs",
    "../evenstep-flat/src/frame.rs",
    "../evenstep-flat/src/timestep.rs",
    "src/timestep.rs",
    "../evenstep-flat/src/smoothed.rs",
    "src/smoothed.rs",
    "src/poses.rs",
    "../evenstep-flat/src/input.rs",
    "src/input.rs",
    "../evenstep-flat/src/events.rs",
    "src/events.rs",
    "../evenstep-flat/src/schedule.rs",
    "src/schedule.rs",
    "../evenstep-flat/src/stats.rs",
    "src/stats.rs",
];

/// The names of our types in C.
const NAMES: &[(&str, &str)] = &[
    ("Status", "es_status"),
    ("Exact", "es_exact"),
    ("FilterSettings", "es_filter"),
    ("Frame", "es_frame"),
    ("TimestepId", "es_timestep"),
    ("Smoothed", "es_smoothed"),
    ("PosesId", "es_poses"),
    ("Event", "es_event"),
    ("InputCounts", "es_input_counted"),
    ("InputId", "es_input"),
    ("EventsId", "es_events"),
    ("TaskStep", "es_task_step"),
    ("ScheduleLost", "es_schedule_lost"),
    ("ScheduleId", "es_schedule"),
    ("Report", "es_report"),
    ("StatsId", "es_stats"),
    ("FILTER_DISPLAY_CLOCK", "ES_FILTER_DISPLAY_CLOCK"),
    ("FILTER_SNAP", "ES_FILTER_SNAP"),
    ("FILTER_SNAP_ESTIMATING", "ES_FILTER_SNAP_ESTIMATING"),
    ("FILTER_AVERAGE", "ES_FILTER_AVERAGE"),
    ("FILTER_CLAMP", "ES_FILTER_CLAMP"),
    ("INPUT_PRESS", "ES_INPUT_PRESS"),
    ("INPUT_RELEASE", "ES_INPUT_RELEASE"),
    ("INPUT_MOTION", "ES_INPUT_MOTION"),
    ("INPUT_WHEEL", "ES_INPUT_WHEEL"),
    ("INPUT_RELEASE_ALL", "ES_INPUT_RELEASE_ALL"),
    ("INPUT_HOLD", "ES_INPUT_HOLD"),
    ("SEEN_BLENDED", "ES_SEEN_BLENDED"),
    ("SEEN_EXTRAPOLATED", "ES_SEEN_EXTRAPOLATED"),
    ("SEEN_AT_ONCE", "ES_SEEN_AT_ONCE"),
];

/// The chapters of the manual, by their first function.
const CHAPTERS: &[(&str, &str)] = &[
    ("es_status_text", "Errors, versions, clocks and exact times"),
    ("es_hand_over", "Threads"),
    (
        "es_timestep_create",
        "Timestep: times of frames go in, equal steps come out",
    ),
    (
        "es_smoothed_init",
        "Smoothed: a number that is drawn between its last two states",
    ),
    (
        "es_poses_create",
        "Poses: many bodies, drawn between their last two states",
    ),
    ("es_input_create", "Input: each event in exactly one step"),
    ("es_events_create", "Events: sounds and flashes, when they are shown"),
    ("es_schedule_create", "Schedule: several rates in one order"),
    ("es_stats_create", "Statistics of the last 240 frames"),
];

fn within(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn config() -> Config {
    let mut config = Config {
        language: Language::C,
        cpp_compat: true,
        include_guard: Some("EVENSTEP_H".to_owned()),
        header: Some(
            fs::read_to_string(within("src/manual.h"))
                .unwrap()
                .trim_end()
                .to_owned(),
        ),
        includes: Vec::new(),
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        no_includes: true,
        usize_is_size_t: true,
        style: Style::Type,
        documentation: true,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        after_includes: Some(format!(
            "\n/** The version of this header. */\n#define EVENSTEP_VERSION \"{}\"",
            env!("CARGO_PKG_VERSION")
        )),
        ..Config::default()
    };
    config.function.sort_by = Some(SortKey::None);
    config.function.args = Layout::Auto;
    config.line_length = 110;
    config.export.item_types = vec![
        ItemType::Constants,
        ItemType::Structs,
        ItemType::Enums,
        ItemType::Functions,
    ];
    let names = NAMES
        .iter()
        .map(|(ours, theirs)| ((*ours).to_owned(), (*theirs).to_owned()));
    config.export.rename = names.collect::<HashMap<_, _>>();
    config
}

fn made() -> String {
    let builder = SOURCES
        .iter()
        .fold(Builder::new().with_config(config()), |builder, source| {
            builder.with_src(within(source))
        });
    let mut text = Vec::new();
    builder.generate().expect("the sources are parsed").write(&mut text);
    let text = String::from_utf8(text).unwrap();
    // Safety is comment once, at the top.
    let text = text
        .replace("`FILTER_", "ES_FILTER_")
        .replace("`INPUT_", "ES_INPUT_")
        .replace('`', "");
    let lines = text.lines().filter(|line| !line.contains("# Safety"));
    let text = (lines.collect::<Vec<_>>().join("\n") + "\n").replace("\n *\n *\n", "\n *\n");
    with_chapters(&with_short_comments(&text))
}

/// Puts comments of one line on one line.
fn with_short_comments(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut short, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let indent = lines[at].strip_suffix("/**");
        let comment = indent.and_then(|indent| lines.get(at + 1)?.strip_prefix(indent)?.strip_prefix(" * "));
        let ends = lines.get(at + 2).is_some_and(|line| line.trim() == "*/");
        match (indent, comment) {
            (Some(indent), Some(comment)) if ends => {
                short.push(format!("{indent}/** {comment} */"));
                at += 3;
            }
            _ => {
                short.push(lines[at].to_owned());
                at += 1;
            }
        }
    }
    short.join("\n") + "\n"
}

/// Puts a heading before the functions of each object.
fn with_chapters(text: &str) -> String {
    CHAPTERS.iter().fold(text.to_owned(), |text, (first, heading)| {
        let function = [format!(" {first}("), format!("*{first}(")];
        let at = function.iter().find_map(|name| text.rfind(name.as_str()));
        let at = at.expect("each chapter's first function is there");
        let (before, after) = text.split_at(text[..at].rfind("\n\n").expect("a comment stands before it") + 2);
        let line = "-".repeat(heading.len());
        format!("{before}/*\n * {heading}\n * {line}\n */\n\n{after}")
    })
}

#[test]
fn the_header_is_current() {
    let (made, path) = (made(), within(HEADER));
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        made == committed,
        "{HEADER} is out of date: cargo xtask bless --only header"
    );
}

#[test]
fn every_function_is_in_the_header_and_described() {
    let header = made();
    let mut count = 0;
    for source in SOURCES.iter().filter(|source| source.starts_with("src/")) {
        let text = fs::read_to_string(within(source)).unwrap();
        for line in text.lines().filter(|line| line.contains("extern \"C\" fn ")) {
            let name = line
                .split(" fn ")
                .nth(1)
                .and_then(|rest| rest.split('(').next())
                .unwrap();
            assert!(
                header.contains(&format!(" {name}(")) || header.contains(&format!("*{name}(")),
                "{name}"
            );
            count += 1;
        }
    }
    assert!(count > 70, "only {count}");
    assert!(!header.contains("FrameId") && !header.contains("[`"));
}

#[test]
fn unsafe_code_is_in_two_files_only() {
    let mut with = Vec::new();
    for entry in fs::read_dir(within("src")).unwrap() {
        let path = entry.unwrap().path();
        let is_rust = path.extension().is_some_and(|ending| ending == "rs");
        let text = if is_rust {
            fs::read_to_string(&path).unwrap()
        } else {
            String::new()
        };
        if text.contains("unsafe {") || text.contains("unsafe impl") || text.contains("unsafe fn") {
            with.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    with.sort();
    assert_eq!(with, ["objects.rs", "poses.rs"]);
}
