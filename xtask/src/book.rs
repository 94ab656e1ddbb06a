//! The book: builds it with mdBook, and checks the links and commands of all pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use regex_lite::Regex;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::{commands, links, programs, snippets};

/// The folder of `book.toml`, and the folder of the pages.
const SOURCE: &str = "docs";
const PAGES: &str = "docs/pages";

/// The shortest page, which every package has, too.
pub(crate) const WHICH_CALL: &str = "crates/evenstep/which-call.md";

/// The book's folder beside the page.
const BESIDE: &str = "book";

/// The pages of the repository to which the book links, and where they are served beside it.
const SERVED: [(&str, &str); 2] = [
    ("../../lab/page/index.html", "../index.html"),
    ("../../examples/web/planck.html", "../examples/planck.html"),
];

/// The folder in which the book is written alone.
const OUT: &str = "target/book";

/// Writes the book as static files.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    programs::build_writers(shell)?;
    write(shell, Path::new(OUT))?;
    println!("book: {OUT}/index.html");
    Ok(())
}

/// A step of `cargo ci`: checks the links of all Markdown pages within the repository, and their copies of other files.
pub(crate) fn check_links(shell: &Shell) -> Result<()> {
    let pages = pages(shell)?;
    for page in &pages {
        let text = shell.read_file(page)?;
        let is_copied = text == with_copies(shell, &text)?;
        ensure!(
            is_copied,
            "{}: a copy is out of date: cargo xtask bless --only book",
            page.display()
        );
    }
    links::check(&pages)
}

/// Copies the files again that pages have copies of.
pub(crate) fn store_copies(shell: &Shell) -> Result<()> {
    for page in pages(shell)? {
        let text = shell.read_file(&page)?;
        shell.write_file(&page, with_copies(shell, &text)?)?;
    }
    Ok(())
}

/// A page with the present copies of files, or of a part between a file's comments `ANCHOR: NAME` and `ANCHOR_END: NAME`: a forge shows pages
/// without including anything.
fn with_copies(shell: &Shell, page: &str) -> Result<String> {
    let copies =
        Regex::new(r"(?s)(<!-- copy of ([^ :]+):?(\w*) -->\n\n(?:```text\n)?)(.*?)(\n\n<!-- end of the copy -->\n)")?;
    let mut text = page.to_owned();
    for copy in copies.captures_iter(page) {
        let file = shell.read_file(&copy[2])?;
        let source = match &copy[3] {
            "" => file,
            name => {
                let part = Regex::new(&format!("(?s)<!-- ANCHOR: {name} -->\n(.*)<!-- ANCHOR_END: {name} -->"))?;
                let part = part
                    .captures(&file)
                    .with_context(|| format!("{} has no part {name}", &copy[2]))?;
                part[1].to_owned()
            }
        };
        // Figures stand in a block of text.
        let fence = if copy[1].ends_with("```text\n") { "\n```" } else { "" };
        let copied = format!("{}{}{fence}{}", &copy[1], source.trim_end(), &copy[5]);
        text = text.replace(&copy[0], &copied);
    }
    Ok(text)
}

/// A step of `cargo ci`: builds the book, and checks the commands that all pages name.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    commands::check(shell, &pages(shell)?)?;
    write(shell, Path::new(OUT))
}

/// All Markdown files.
pub(crate) fn pages(shell: &Shell) -> Result<Vec<PathBuf>> {
    let files = ["--cached", "--others", "--exclude-standard", "--deduplicate", "*.md"];
    let files = cmd!(shell, "git ls-files {files...}").quiet().read()?;
    let root = shell.current_dir();
    let pages = files.lines().map(|file| root.join(file));
    Ok(pages.filter(|page| page.exists()).collect())
}

/// Writes the book beside a built page, with links to it. The programs must be built.
pub(crate) fn write_beside(shell: &Shell, page: &Path) -> Result<()> {
    let _theme = shell.push_env("MDBOOK_OUTPUT__HTML__THEME", "page_theme");
    let book = page.join(BESIDE);
    write(shell, &book)?;
    for file in shell.read_dir(&book)? {
        if file.extension().is_some_and(|extension| extension == "html") {
            let text = shell.read_file(&file)?;
            let beside = SERVED
                .iter()
                .fold(text.clone(), |text, (source, served)| text.replace(source, served));
            if beside != text {
                shell.write_file(&file, beside)?;
            }
        }
    }
    write_for_assistants(shell, page, "book/")
}

/// A whole program for each language in `llms.txt`: what is said of it, its language and page, and the number of the block there, from the end if
/// it is negative. The steps of each language run them.
const WHOLE: [(&str, &str, &str, isize); 5] = [
    (
        "Rust, with macroquad: keys and a pause",
        "rust",
        "docs/pages/tutorial.md",
        -1,
    ),
    (
        "JavaScript: keys, and a button that stops; a hidden page is a pause",
        "html",
        "docs/pages/javascript.md",
        0,
    ),
    (
        "C: keys and a pause; `script` stands for the events of a library",
        "c",
        "docs/pages/c.md",
        3,
    ),
    (
        "Python, with pygame: keys and a pause",
        "python",
        "docs/pages/python.md",
        1,
    ),
    ("Lua, in LÖVE: keys and a pause", "lua", "docs/pages/lua.md", 0),
];

/// Writes `llms.txt`: the shortest page, how to install, whole programs, and links to all pages. `to` leads from its folder to the book.
fn write_for_assistants(shell: &Shell, folder: &Path, to: &str) -> Result<()> {
    let (mut page, summary, readme) = (
        shell.read_file(WHICH_CALL)?,
        shell.read_file(format!("{PAGES}/SUMMARY.md"))?,
        shell.read_file("README.md")?,
    );
    let install = readme.lines().skip_while(|line| !line.starts_with("| for |"));
    let install: Vec<_> = install.take_while(|line| line.starts_with('|')).collect();
    let install = install
        .join("\n")
        .replace("](docs/pages/", &format!("]({to}"))
        .replace(".md", ".html");
    page += &format!("\n## Install\n\n{install}\n\n## Whole programs\n");
    for (about, language, file, number) in WHOLE {
        let programs = snippets::read(shell, language, &[file])?;
        let index = number.rem_euclid(programs.len() as isize) as usize;
        page += &format!("\n{about}:\n\n```{language}\n{}```\n", programs[index].code);
    }
    let links = summary.lines().filter(|line| line.starts_with("- ["));
    let links = links.map(|line| line.replace("](", &format!("]({to}")).replace(".md)", ".html)"));
    let text = format!("{page}\n## All pages\n\n{}\n", links.collect::<Vec<_>>().join("\n"));
    Ok(shell.write_file(folder.join("llms.txt"), text)?)
}

fn write(shell: &Shell, out: &Path) -> Result<()> {
    let summary = shell.read_file(format!("{PAGES}/SUMMARY.md"))?;
    for page in shell.read_dir(PAGES)? {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        let is_named = !name.ends_with(".md") || name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        ensure!(is_named, "{PAGES}/SUMMARY.md does not name {name}");
    }
    let out = std::path::absolute(shell.current_dir().join(out))?;
    let program = built("debug/evenstep-mdbook")?;
    cmd!(shell, "{program} {SOURCE} {out}").quiet().run()?;
    write_for_assistants(shell, &out, "")
}
