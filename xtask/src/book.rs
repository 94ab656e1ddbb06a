//! The book: builds it with mdBook, and checks the links and commands of all pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
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

/// Options of `cargo xtask book`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; its content is replaced.
    #[arg(long, value_name = "DIR", default_value = "target/book")]
    out: PathBuf,
}

/// Writes the book as static files.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    programs::build_writers(shell)?;
    write(shell, &options.out)?;
    println!("book: {}", options.out.join("index.html").display());
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

/// Begins a copy of a file, or of a part between its comments `ANCHOR: NAME` and `ANCHOR_END: NAME`, in a page: a forge shows pages without
/// including anything. The copy ends at [`COPY_END`].
const COPY: &str = "<!-- copy of ";
const COPY_END: &str = "<!-- end of the copy -->\n";

/// Copies the files again that pages have copies of.
pub(crate) fn store_copies(shell: &Shell) -> Result<()> {
    for page in pages(shell)? {
        let text = shell.read_file(&page)?;
        shell.write_file(&page, with_copies(shell, &text)?)?;
    }
    Ok(())
}

/// A page with the present copies.
fn with_copies(shell: &Shell, page: &str) -> Result<String> {
    let mut parts = page.split(COPY);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (of, rest) = part.split_once(" -->\n").context("the comment before a copy ends")?;
        let (copy, rest) = rest
            .split_once(COPY_END)
            .with_context(|| format!("the copy of {of} has no end"))?;
        let (file, name) = of.split_once(':').unwrap_or((of, ""));
        let all = shell.read_file(file)?;
        let anchor = |word: &str| format!("<!-- {word}: {name} -->\n");
        let named = all
            .split_once(&anchor("ANCHOR"))
            .and_then(|(_, from)| from.split_once(&anchor("ANCHOR_END")));
        let source = match name {
            "" => &all,
            _ => named.with_context(|| format!("{file} has no part {name}"))?.0,
        };
        let source = source.trim_end();
        // Figures stand in a block of text.
        let source = match copy.trim_start().starts_with("```text") {
            true => format!("```text\n{source}\n```"),
            false => source.to_owned(),
        };
        text += &format!("{COPY}{of} -->\n\n{source}\n\n{COPY_END}{rest}");
    }
    Ok(text)
}

/// A step of `cargo ci`: builds the book, and checks the commands that all pages name.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    commands::check(shell, &pages(shell)?)?;
    write(shell, Path::new("target/book"))
}

/// All Markdown files for readers.
pub(crate) fn pages(shell: &Shell) -> Result<Vec<PathBuf>> {
    let root = shell.current_dir();
    let mut crates = Vec::new();
    for tier in ["crates", "integrations", "bindings", "tools", "lab"] {
        crates.extend(shell.read_dir(tier)?.into_iter().map(|folder| folder.join("README.md")));
    }
    let fronts = [
        "README.md",
        WHICH_CALL,
        "stored/README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ]
    .map(|name| root.join(name));
    let book = shell.read_dir(PAGES)?.into_iter();
    let book = book.filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let others = crates.into_iter().filter(|file| file.is_file()).chain(book);
    Ok(fronts.into_iter().chain(others).collect())
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
        let programs = snippets::of(shell, language, &[file])?;
        let index = number.rem_euclid(programs.len() as isize) as usize;
        page += &format!("\n{about}:\n\n```{language}\n{}```\n", programs[index].code);
    }
    let links = summary.lines().filter(|line| line.starts_with("- ["));
    let links = links.map(|line| line.replace("](", &format!("]({to}")).replace(".md)", ".html)"));
    let text = format!("{page}\n## All pages\n\n{}\n", links.collect::<Vec<_>>().join("\n"));
    Ok(shell.write_file(folder.join("llms.txt"), text)?)
}

fn write(shell: &Shell, out: &Path) -> Result<()> {
    let forgotten = forgotten(shell)?;
    if !forgotten.is_empty() {
        bail!("{PAGES}/SUMMARY.md does not name {}", forgotten.join(", "));
    }
    let out = std::path::absolute(shell.current_dir().join(out))?;
    let program = built("debug/evenstep-mdbook")?;
    cmd!(shell, "{program} {SOURCE} {out}").quiet().run()?;
    write_for_assistants(shell, &out, "")
}

/// The pages that no chapter links to.
fn forgotten(shell: &Shell) -> Result<Vec<String>> {
    let summary = shell.read_file(format!("{PAGES}/SUMMARY.md"))?;
    let files = shell.read_dir(PAGES)?.into_iter();
    let names = files.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()));
    let is_forgotten =
        |name: &String| name != "SUMMARY.md" && name.ends_with(".md") && !summary.contains(&format!("({name})"));
    Ok(names.filter(is_forgotten).collect())
}
