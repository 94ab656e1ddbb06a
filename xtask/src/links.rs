//! Checks links between HTML and Markdown files. Nothing is fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail};

/// The link targets of an HTML file, and the anchors that links can lead to.
struct Page {
    links: Vec<String>,
    places: BTreeSet<String>,
}

/// Fails if a link of a file in the folder leads to a missing file or anchor. Links that leave the folder are
/// not checked.
pub(crate) fn check(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(folder, folder, &mut files).with_context(|| format!("{}: cannot be read", folder.display()))?;
    let files: BTreeSet<PathBuf> = files.into_iter().collect();
    let mut pages = BTreeMap::new();
    for file in &files {
        if file.extension().is_some_and(|extension| extension == "html") {
            pages.insert(file.clone(), read(&fs::read_to_string(folder.join(file))?));
        }
    }
    let links: usize = pages.values().map(|page| page.links.len()).sum();
    if links == 0 {
        bail!("{}: no page has a link", folder.display());
    }
    let dead = dead(&files, &pages);
    if !dead.is_empty() {
        bail!("links that lead nowhere:\n{}", dead.join("\n"));
    }
    println!("{links} links on {} pages lead somewhere", pages.len());
    Ok(())
}

/// Fails if a link of a Markdown file leads to a missing file, folder or heading.
pub(crate) fn check_markdown(files: &[PathBuf]) -> Result<()> {
    let mut dead = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (path, place) = target.split_once('#').unwrap_or((target, ""));
            let to = if path.is_empty() {
                file.clone()
            } else {
                folder.join(path)
            };
            let is_page = to.extension().is_some_and(|extension| extension == "md");
            let has_place = |text: &str| headings(text).any(|heading| heading == place);
            if !to.exists() || (is_page && !place.is_empty() && !has_place(&fs::read_to_string(&to)?)) {
                dead.push(format!("{}: {target}", file.display()));
            }
        }
    }
    if !dead.is_empty() {
        bail!("links that lead nowhere:\n{}", dead.join("\n"));
    }
    Ok(())
}

/// The anchors of the headings of a page.
fn headings(page: &str) -> impl Iterator<Item = String> {
    let texts = page.lines().filter_map(|line| line.strip_prefix('#'));
    texts.map(|text| {
        let text = text.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars()
            .filter(|char| char.is_alphanumeric() || "-_".contains(*char))
            .collect()
    })
}

/// The files of a folder and its subfolders, relative to a root.
fn list(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            files.push(relative.to_owned());
        }
    }
    Ok(())
}

fn read(html: &str) -> Page {
    let (mut links, mut places) = (Vec::new(), BTreeSet::new());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once("=\"") {
        let Some((value, behind)) = after.split_once('"') else {
            break;
        };
        let value = value.replace("&amp;", "&");
        match before.rsplit(char::is_whitespace).next() {
            Some("href" | "src") => links.push(value),
            Some("id" | "name") => {
                places.insert(value);
            }
            _ => {}
        }
        rest = behind;
    }
    Page { links, places }
}

/// The links that lead nowhere, each with its page.
fn dead(files: &BTreeSet<PathBuf>, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut dead = Vec::new();
    for (path, page) in pages {
        for link in &page.links {
            if !leads_somewhere(path, link, files, pages) {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    dead
}

fn leads_somewhere(from: &Path, link: &str, files: &BTreeSet<PathBuf>, pages: &BTreeMap<PathBuf, Page>) -> bool {
    let has_scheme = link.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
    if has_scheme || link.starts_with("//") {
        return true;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let file = file.split('?').next().unwrap_or_default();
    let Some(target) = resolve(from, file) else { return true };
    // A link to a folder leads to its `index.html`.
    let front = target.join("index.html");
    let target = if files.contains(&front) { front } else { target };
    match pages.get(&target) {
        Some(page) => place.is_empty() || page.places.contains(place),
        None => files.contains(&target),
    }
}

/// The file that a link leads to; `None` if it is outside the folder.
fn resolve(from: &Path, link: &str) -> Option<PathBuf> {
    if link.is_empty() {
        return Some(from.to_owned());
    }
    let mut path = match link.strip_prefix('/') {
        Some(_) => PathBuf::new(),
        None => from.parent().map(Path::to_owned).unwrap_or_default(),
    };
    for part in Path::new(link.trim_start_matches('/')).components() {
        match part {
            Component::ParentDir => path = path.parent()?.to_owned(),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for a folder with these files, if there is one.
    fn complaint(files: &[(&str, &str)]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        check(folder.path()).err().map(|error| error.to_string())
    }

    #[test]
    fn links_to_files_folders_places_and_other_hosts_lead_somewhere() {
        let page = r##"<a href="book/">1</a> <a href="book/one.html#two">2</a> <a href="#here">3</a> <p id="here">
            <img src="a.png"> <a href="https://example.org/x">4</a> <a href="../outside.html">5</a>"##;
        let book = r#"<h1 id="two"></h1> <a href="../index.html">back</a> <a href="/a.png?1">6</a>"#;
        let files = [
            ("index.html", page),
            ("book/one.html", book),
            ("book/index.html", ""),
            ("a.png", ""),
        ];
        assert_eq!(complaint(&files), None);
    }

    #[test]
    fn a_link_to_a_missing_file_or_anchor_is_reported_with_its_page() {
        let file = complaint(&[("book/one.html", r#"<a href="two.html">two</a>"#)]).unwrap();
        assert!(file.ends_with("book/one.html: two.html"), "{file}");
        let place = complaint(&[("one.html", r#"<a href="one.html#two">two</a>"#)]).unwrap();
        assert!(place.ends_with("one.html: one.html#two"), "{place}");
        let picture = complaint(&[("one.html", r#"<img src="one.png">"#)]).unwrap();
        assert!(picture.ends_with("one.html: one.png"), "{picture}");
    }

    #[test]
    fn links_of_markdown_are_followed_from_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let pages = [folder.path().join("page.md")];
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(
            &pages[0],
            "[1](docs) [2](https://example.org) [3](#here) ![4](page.md#the-loops-x)\n## Here\n### The loop's `x`\n",
        )
        .unwrap();
        check_markdown(&pages).unwrap();
        for gone in ["docs/gone.md", "page.md#there", "#there"] {
            fs::write(&pages[0], format!("# Here\n[1]({gone})")).unwrap();
            let complaint = check_markdown(&pages).unwrap_err().to_string();
            assert!(complaint.ends_with(&format!("page.md: {gone}")), "{complaint}");
        }
    }

    #[test]
    fn a_folder_without_links_is_not_taken_for_a_good_one() {
        assert!(complaint(&[("one.html", "")]).unwrap().contains("no page has a link"));
    }
}
