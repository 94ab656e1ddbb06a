//! `analyze --parquet`. `cargo ci --only Python` checks that other programs read its tables correctly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::command;

fn analyze(captures: &Path, tables: &Path) -> Output {
    let mut command = command();
    command.arg("analyze").arg(captures).arg("--parquet").arg(tables);
    command.output().unwrap()
}

fn printed(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap()
}

/// The files below a folder, hidden ones included.
fn names(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let name = |path: PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    files.map(|entry| name(entry.into_path())).collect()
}

/// Whether a file begins and ends as a Parquet file.
fn is_whole(file: &Path) -> bool {
    let bytes = fs::read(file).unwrap();
    bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")
}

#[test]
fn a_folder_becomes_tables_and_an_unreadable_file_has_no_frames() {
    let folder = tempfile::tempdir().unwrap();
    let (captures, tables) = (folder.path().join("captures"), folder.path().join("tables"));
    fs::create_dir_all(captures.join("deep")).unwrap();
    fs::write(captures.join("a.csv"), "16\n17\n").unwrap();
    fs::write(captures.join("b.csv"), "16\nx\n").unwrap();
    fs::write(captures.join("deep/c.csv"), "FrameTimeNs\n16000000\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&captures, captures.join("deep/loop")).unwrap();
    let output = analyze(&captures, &tables);
    assert!(output.status.success(), "{output:?}");
    let expected = format!(
        "{}: 3 files, 2 chains; 1 cannot be read, files.parquet says why\n",
        tables.display()
    );
    assert_eq!(printed(&output.stdout), expected);
    let written = [
        "chains.parquet",
        "files.parquet",
        "frames/000000.parquet",
        "frames/000002.parquet",
    ];
    assert_eq!(names(&tables), written);
    assert!(written.iter().all(|name| is_whole(&tables.join(name))));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn existing_tables_are_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "16\n17\n").unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let missing = folder.path().join("no/such/tables");
    for (out, reason) in [(&tables, "exists already"), (&missing, "no folder to put it in")] {
        let output = analyze(folder.path(), out);
        let printed = printed(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(
            printed.contains(reason) && printed.contains("; ") && printed.lines().count() == 1,
            "{printed}"
        );
    }
    assert_eq!(names(folder.path()), ["a.csv"]);
}

#[test]
fn a_folder_without_files_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let output = command().arg("analyze").arg(folder.path()).output().unwrap();
    let printed = printed(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains("there is no file in it; give a folder with recordings"),
        "{printed}"
    );
}

#[test]
fn files_that_grow_shrink_or_vanish_while_they_are_read_are_rows_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    fs::create_dir(&captures).unwrap();
    let text = "Application,MsBetweenPresents\n".to_owned() + &"game.exe,16.5\n".repeat(20_000);
    let path = |index: usize| captures.join(format!("{index:02}.csv"));
    let write_all = || (0..12).for_each(|index| fs::write(path(index), &text).unwrap());
    write_all();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in (0..12).cycle() {
                if is_done.load(Ordering::Relaxed) {
                    return;
                }
                let file = || fs::File::options().append(true).create(true).open(path(turn)).unwrap();
                match turn % 3 {
                    0 => file().set_len(text.len() as u64 / 3).unwrap(),
                    1 => std::io::Write::write_all(&mut file(), b"game.exe,17\n").unwrap(),
                    _ => drop(fs::remove_file(path(turn))),
                }
            }
        });
        for run in 0..3 {
            let tables = folder.path().join(format!("tables-{run}"));
            let output = analyze(&captures, &tables);
            assert!(output.status.success(), "{output:?}");
            assert!(names(&tables).iter().all(|name| is_whole(&tables.join(name))));
            write_all();
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
#[ignore = "slow: ten thousand files"]
fn ten_thousand_files_good_and_bad_become_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (captures, tables) = (folder.path().join("captures"), folder.path().join("tables"));
    fs::create_dir(&captures).unwrap();
    let contents: [&[u8]; 5] = [b"16\n17\n", b"", b"\xff\xfe", b"16\nx\n", &[b'1'; 200_000]];
    for index in 0..10_000 {
        fs::write(captures.join(format!("{index}.csv")), contents[index % contents.len()]).unwrap();
    }
    let output = analyze(&captures, &tables);
    let expected = "10000 files, 2000 chains; 8000 cannot be read, files.parquet says why";
    assert!(printed(&output.stdout).contains(expected), "{output:?}");
    assert_eq!(names(&tables).len(), 2 + 2000);
}
