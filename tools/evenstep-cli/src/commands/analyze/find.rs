//! Finds the files that patterns and folders on the command line stand for.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::Failure;

/// The files that the arguments name: patterns are expanded, as a shell may have done already, and folders are searched. A folder that cannot be
/// searched is reported through `report`.
pub(super) fn find(given: &[PathBuf], mut report: impl FnMut(Failure)) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        let pattern = path
            .to_str()
            .filter(|text| !path.exists() && text.contains(['*', '?', '[']));
        let before = files.len();
        let missing = if let Some(pattern) = pattern {
            follow(pattern, &mut files, &mut report)?;
            "no file matches; give a pattern that does"
        } else if path.is_dir() {
            search(path, &mut files);
            "there is no file in it; give a folder with recordings"
        } else {
            files.push(path.clone());
            continue;
        };
        if files.len() == before {
            return Err(Failure::Usage(format!("{}: {missing}", path.display())));
        }
    }
    Ok(files)
}

fn follow(pattern: &str, files: &mut Vec<PathBuf>, report: &mut impl FnMut(Failure)) -> Result<(), Failure> {
    let matches = glob::glob(pattern).map_err(|error| Failure::Usage(format!("{pattern}: {error}")))?;
    for found in matches {
        match found {
            Ok(path) if path.is_file() => files.push(path),
            Ok(_) => {}
            Err(error) => {
                let (folder, kind) = (error.path().display(), error.error().kind());
                report(Failure::Run(format!(
                    "{folder}: cannot be searched for {pattern}: {kind}; give its files by name"
                )));
            }
        }
    }
    Ok(())
}

/// Lists all files of a folder and its subfolders, by name. Links are followed, except links to a folder that contains them. An entry
/// that cannot be inspected is listed, too: opening it then fails with the reason.
fn search(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => files.extend(error.path().map(Path::to_owned)),
        }
    }
}
