//! Recordings that are compressed, come from standard input, lie behind patterns and links, or hold codes that a terminal obeys.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::common::{command, complaint, evenstep, file, json, stdout};

fn recording() -> String {
    let mut text = String::from("Application,MsBetweenPresents\n");
    for n in 0..20_000 {
        let _ = writeln!(text, "game.exe,{}.{:04}", 16 + n % 2, n * 7919 % 10_000);
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// The chains of the only file of `analyze --json`.
fn chains(args: &[&str]) -> serde_json::Value {
    json(args)["files"][0]["chains"].take()
}

#[test]
fn what_gzip_and_zstd_compressed_is_read_whatever_its_name() {
    let text = recording();
    let (folder, plain) = file("inputs", "plain.csv", &text);
    let expected = chains(&["analyze", "--json", plain.to_str().unwrap()]);
    let halves = text.split_at(text.len() / 2);
    let skipped = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let of_two = |compress: fn(&[u8]) -> Vec<u8>, between: &[u8]| {
        let (one, other) = (compress(halves.0.as_bytes()), compress(halves.1.as_bytes()));
        [&one[..], between, &other[..]].concat()
    };
    for (name, bytes) in [
        ("a.csv.gz", gzip(text.as_bytes())),
        ("b.csv", gzip(text.as_bytes())),
        ("c.csv.zst", zstd(text.as_bytes())),
        ("two.csv.gz", of_two(gzip, &[])),
        ("two.csv.zst", of_two(zstd, &[])),
        ("skip.csv.zst", of_two(zstd, &skipped)),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert_eq!(
            chains(&["analyze", "--json", path.to_str().unwrap()]),
            expected,
            "{name}"
        );
    }
}

#[test]
fn compressed_data_that_is_cut_off_is_an_error_that_names_the_compression() {
    let text = recording();
    for (name, mut bytes) in [("gzip", gzip(text.as_bytes())), ("zstd", zstd(text.as_bytes()))] {
        bytes.truncate(bytes.len() / 2);
        let (folder, _) = file("inputs", "unused.csv", "");
        let path = folder.path().join("cut.csv");
        fs::write(&path, bytes).unwrap();
        let printed = complaint(&["analyze", path.to_str().unwrap()], 1);
        assert!(
            printed.contains(&format!(
                "cut.csv: cannot be read: its {name} data is cut off or damaged"
            )),
            "{printed}"
        );
    }
}

#[test]
fn a_dash_is_standard_input() {
    let text = recording();
    for (args, bytes) in [
        (&["analyze", "-"][..], text.clone().into_bytes()),
        (&["analyze", "-"], gzip(text.as_bytes())),
        (&["check", "-", "--max", "hitches=0"], text.into_bytes()),
    ] {
        let mut child = command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{args:?}: {printed}");
        let expected = if args[0] == "check" { "1 passed" } else { "20000 in " };
        assert!(printed.contains(expected), "{args:?}: {printed}");
    }
}

#[cfg(unix)]
#[test]
fn patterns_and_folders_follow_links_to_files_and_not_to_folders() {
    use std::os::unix::fs::symlink;
    let (folder, one) = file("inputs", "a.csv", "16\n17\n16\n");
    let at = |name: &str| folder.path().join(name);
    symlink(".", at("me")).unwrap();
    symlink("..", at("up")).unwrap();
    fs::create_dir(at("more")).unwrap();
    symlink(one, at("more/b.csv")).unwrap();
    fs::write(at("more/c.txt"), "nonsense").unwrap();
    for (given, expected) in [
        ("**/*.csv", 2),
        ("*.csv", 1),
        ("*/*.csv", 1),
        ("m?re/[ab].csv", 1),
        ("more/*.csv", 1),
    ] {
        for is_absolute in [false, true] {
            let pattern = if is_absolute { at(given) } else { given.into() };
            let output = command()
                .arg("analyze")
                .arg(&pattern)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let count = printed.matches("(one number per line)").count();
            assert_eq!(
                count,
                expected,
                "{pattern:?}: {printed}{}",
                String::from_utf8_lossy(&output.stderr)
            );
            let is_named_as_given = printed.starts_with(given.split('*').next().unwrap_or_default());
            assert!(is_absolute || given.contains('?') || is_named_as_given, "{printed}");
        }
    }
    fs::remove_file(at("more/c.txt")).unwrap();
    let printed = stdout(&["analyze", folder.path().to_str().unwrap()]);
    assert_eq!(printed.matches("(one number per line)").count(), 2, "{printed}");
}

#[test]
fn codes_in_a_file_do_not_reach_the_terminal() {
    let text = "Application,MsBetweenPresents\n\u{1b}[31mred\u{9b}2J.exe,16\n\u{1b}[31mred\u{9b}2J.exe,17\n";
    let (_folder, path) = file("inputs", "game.csv", text);
    let path = path.to_str().unwrap();
    for args in [
        &["analyze", path][..],
        &["analyze", "--json", path],
        &["check", "--max", "hitches=0", "--chain", "\u{1b}[1m", path],
    ] {
        let output = evenstep(args);
        for printed in [&output.stdout, &output.stderr] {
            let printed = String::from_utf8(printed.clone()).unwrap();
            assert!(
                printed.chars().all(|char| char == '\n' || !char.is_control()),
                "{printed:?}"
            );
        }
    }
    let name = &chains(&["analyze", "--json", path])[0]["process"];
    assert_eq!(name, "\u{1b}[31mred\u{9b}2J.exe");
}
