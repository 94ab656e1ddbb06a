//! Finds the files that patterns and folders on the command line stand for.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use walkdir::WalkDir;

use super::STANDARD_INPUT;
use crate::failure::Failure;

/// The files that the arguments name: patterns are expanded, as a shell may have done already, and folders are searched. Links to files are
/// followed, links to folders are not. A folder that cannot be searched is reported through `report`.
pub(crate) fn find(given: &[PathBuf], mut report: impl FnMut(Failure)) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        let pattern = path.to_str().filter(|text| !path.exists() && text.contains(WILDCARDS));
        let before = files.len();
        let missing = if let Some(pattern) = pattern {
            files.extend(matching(pattern, &mut report)?);
            "no file matches; give a pattern that does"
        } else if path.is_dir() {
            files.extend(search(path, usize::MAX, &mut report));
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

/// Makes sure that files that are read later exist now.
pub(crate) fn must_exist<'p>(argument: &str, files: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    let is_missing = |file: &&PathBuf| file.as_os_str() != STANDARD_INPUT && !file.exists();
    match files.into_iter().find(is_missing) {
        None => Ok(()),
        Some(file) => Err(Failure::Usage(format!(
            "{}: {argument}: there is no such file; check the path",
            file.display()
        ))),
    }
}

const WILDCARDS: [char; 3] = ['*', '?', '['];

/// The files that match a pattern, by name.
fn matching(text: &str, report: &mut impl FnMut(Failure)) -> Result<Vec<PathBuf>, Failure> {
    let options = MatchOptions {
        require_literal_separator: true,
        ..MatchOptions::new()
    };
    let pattern = Pattern::new(text).map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
    // The folder before the first part with a wildcard.
    let parts: Vec<&str> = text.split_inclusive(std::path::is_separator).collect();
    let fixed = parts.iter().take_while(|part| !part.contains(WILDCARDS)).count();
    let folder = parts[..fixed].concat();
    let depth = match text.contains("**") {
        true => usize::MAX,
        false => parts.len() - fixed,
    };
    let start = if folder.is_empty() { "." } else { &folder };
    let found = search(Path::new(start), depth, report);
    let named = found.into_iter().map(|path| match folder.is_empty() {
        true => path.strip_prefix(".").map(Path::to_owned).unwrap_or(path),
        false => path,
    });
    Ok(named.filter(|path| pattern.matches_path_with(path, options)).collect())
}

/// Lists the files of a folder and its subfolders, by name. What cannot be searched is reported.
fn search(folder: &Path, depth: usize, report: &mut impl FnMut(Failure)) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).max_depth(depth).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.path().is_file() => files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) => {
                let kind = error.io_error().map_or(ErrorKind::Other, io::Error::kind);
                // A pattern in a folder that does not exist matches nothing.
                if kind != ErrorKind::NotFound {
                    let folder = error.path().unwrap_or(folder).display();
                    let text = format!("{folder}: cannot be searched: {kind}; give its files by name");
                    report(Failure::Run(text));
                }
            }
        }
    }
    files
}
