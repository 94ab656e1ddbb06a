//! Lists that stand in several places name the same things: formats of recordings, and the page's figures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    String::from_utf8_lossy(&fs::read(root.join(path)).unwrap()).into_owned()
}

/// What stands between `start` and `end`, each time.
fn between<'t>(text: &'t str, start: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(start).skip(1);
    parts.filter_map(move |part| Some(part.split_once(end)?.0))
}

/// Each format by its name in `read/format.rs`, with the words that the book has for it, and how a file of it begins in the fuzz target.
const FORMATS: [(&str, &str, &str); 10] = [
    (
        "PresentMon 1",
        "PresentMon from 1.0",
        "MsBetweenPresents,MsUntilDisplayed,Dropped",
    ),
    ("PresentMon 2", "to 2.5.1", "TimeInQPC,MsBetweenAppStart"),
    ("one number per line", "one number of milliseconds per line", "b\"\","),
    ("evenstep recording", "`FrameTimeNs`", "FrameTimeNs"),
    ("a table of frame times", "an unknown column whose name", "FrameTimeNs"),
    ("Chrome trace", "Chrome traces", "traceEvents"),
    ("CapFrameX JSON", "CapFrameX (also its JSON)", "CaptureData"),
    ("FRAPS", "FRAPS", "Frame, Time (ms)"),
    ("MangoHud", "MangoHud from", "fps,frametime,elapsed"),
    ("Perfetto trace", "Perfetto and", "\\x12\\x40"),
];

#[test]
fn every_format_is_in_the_book_and_in_the_fuzz_target() {
    let source = read("crates/evenstep-trace/src/read/format.rs");
    let (book, fuzz) = (
        read("docs/pages/recordings.md"),
        read("fuzz/fuzz_targets/trace_reader.rs"),
    );
    let names: BTreeSet<&str> = between(&source, " => \"", "\"").collect();
    let known: BTreeSet<&str> = FORMATS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, known, "FORMATS has a row for each format");
    for (name, words, beginning) in FORMATS {
        assert!(
            book.contains(words),
            "docs/pages/recordings.md says nothing of {name}: {words:?}"
        );
        assert!(
            fuzz.contains(beginning),
            "the fuzz target trace_reader has no beginning of {name}: {beginning:?}"
        );
    }
}

#[test]
fn every_figure_of_the_page_has_its_code_its_place_and_a_section_that_links_can_name() {
    let (page, main) = (read("lab/page/index.html"), read("lab/page/src/main.ts"));
    let placed: BTreeSet<&str> = between(&page, "data-figure=\"", "\"").collect();
    let (_, table) = main.split_once("const figures").unwrap();
    let (table, _) = table.split_once("};").unwrap();
    let made: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| Some(line.split_once(": [")?.0.trim().trim_matches('"')))
        .filter(|name| !name.contains('<'))
        .collect();
    assert!(placed.len() > 8, "{placed:?}");
    assert_eq!(placed, made, "the places of index.html and the table of main.ts");
    for name in placed {
        let file = format!("lab/page/src/figures/{}.ts", name.replace('-', "_"));
        assert!(read(&file).contains("extends"), "{file} draws it");
    }
}

#[test]
fn a_program_of_a_page_has_no_hidden_line_and_compiles_as_it_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pages");
    let mut programs = 0;
    for page in fs::read_dir(root).unwrap().map(|page| page.unwrap().path()) {
        let text = fs::read_to_string(&page).unwrap_or_default();
        for program in between(&text, "```rust", "\n```") {
            programs += 1;
            let is_hidden = |line: &str| line.trim_start().starts_with("# ") || line.trim() == "#";
            assert!(!program.lines().any(is_hidden), "{}:{program}", page.display());
        }
    }
    assert!(programs > 50, "{programs}");
}
