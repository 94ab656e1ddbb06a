//! Snapshots of the reports, word for word: `cargo insta review` shows how a change affects them.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// A capture with everything that a report can mention: two programs, generated frames, frames that were never displayed, a hitch.
fn capture() -> String {
    let mut text = String::from(
        "Application,ProcessID,SwapChainAddress,FrameType,TimeInMs,MsBetweenPresents,MsUntilDisplayed,CPUStartTime,\
         MsCPUBusy,MsGPUBusy,AnimationTime,MsAnimationError\n",
    );
    let mut time = 0.0;
    for frame in 0..90 {
        let delta = if frame == 60 {
            100.0
        } else {
            16.0 + f64::from(frame % 3)
        };
        time += delta;
        let kind = if frame % 5 == 4 { "Intel XeFG" } else { "Application" };
        let until = if frame % 31 == 30 {
            "NA".to_owned()
        } else {
            format!("{:.4}", 20.0 + f64::from(frame % 2))
        };
        let _ = writeln!(
            text,
            "game.exe,7,0x1,{kind},{time:.4},{delta:.4},{until},{:.4},10.0,14.0,{:.4},NA",
            time - 10.0,
            time - 10.0
        );
        if frame % 30 == 0 {
            let _ = writeln!(
                text,
                "dwm.exe,2,0x2,Application,{time:.4},NA,NA,{time:.4},1.0,0.5,NA,NA"
            );
        }
    }
    text
}

/// A folder with that capture.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("game.csv"), capture()).unwrap();
    folder
}

/// The output of the command in a folder.
fn printed(folder: &TempDir, args: &[&str]) -> String {
    let output = Command::new(crate::PROGRAM)
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A page without its style sheet, and with only the words of its figures, whose lines must not be inside a label.
fn words(page: &str) -> String {
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let mut words = head.to_owned();
    for part in rest.split("<svg") {
        let Some((picture, after)) = part.split_once("</svg>") else {
            words += part;
            continue;
        };
        let xml = format!("<svg{picture}</svg>");
        let document = roxmltree::Document::parse(&xml).unwrap();
        let is_line = |node: &roxmltree::Node| node.has_tag_name("path");
        assert!(document.root_element().children().any(|node| is_line(&node)), "{xml}");
        assert!(
            !document
                .descendants()
                .any(|node| node.has_tag_name("g") && node.descendants().any(|node| is_line(&node)))
        );
        for text in picture.split("<text").skip(1) {
            let (_, text) = text.split_once('>').unwrap();
            let _ = writeln!(words, "  | {}", text.split("</text>").next().unwrap().trim());
        }
        words += after;
    }
    words
}

/// Compares a text with the stored one.
fn assert_stored(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stored/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_analysis_of_a_capture_has_metrics_and_a_diagnosis() {
    let folder = folder();
    let text = printed(&folder, &["analyze", "game.csv", "--report", "report.html"]);
    assert_stored("analyze_text", &text);
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_stored("analyze_page", &words(&page));
    assert_stored("analyze_json", &printed(&folder, &["analyze", "game.csv", "--json"]));
}

#[test]
fn a_simulation_of_a_capture_recommends_settings() {
    assert_stored("simulate_text", &printed(&folder(), &["simulate", "game.csv"]));
}
