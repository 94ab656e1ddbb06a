//! Finds the code of the book and of READMEs that is not Rust. The steps of each language run it.

use std::path::Path;

use anyhow::{Result, bail};
use xshell::Shell;

/// The word in an opening fence that marks code that another check runs.
const ELSEWHERE: &str = "elsewhere";

/// A block of code in a page.
#[derive(Debug, PartialEq)]
pub(crate) struct Snippet {
    /// The page, from the root of the repository.
    pub(crate) file: String,
    /// The line of its first line of code, from 1.
    pub(crate) line: usize,
    pub(crate) code: String,
}

/// The code of a language in pages, except code that is marked as run elsewhere.
pub(crate) fn read(shell: &Shell, language: &str, files: &[&str]) -> Result<Vec<Snippet>> {
    let mut snippets = Vec::new();
    for file in files {
        let found = find(file, &shell.read_file(file)?, language);
        if found.is_empty() {
            bail!("{file} has no code of {language} that is run");
        }
        snippets.extend(found);
    }
    Ok(snippets)
}

/// Writes each snippet into a file of its own, which begins with a comment about its origin.
pub(crate) fn write(
    shell: &Shell,
    folder: &Path,
    (language, extension, comment): (&str, &str, &str),
    files: &[&str],
) -> Result<()> {
    shell.remove_path(folder)?;
    for (index, snippet) in read(shell, language, files)?.iter().enumerate() {
        let Snippet { file, line, code } = snippet;
        let text = format!("{comment} {file}:{line}\n{code}");
        shell.write_file(folder.join(format!("{index:02}.{extension}")), text)?;
    }
    Ok(())
}

fn find(file: &str, page: &str, language: &str) -> Vec<Snippet> {
    let is_run = |info: &str| {
        let mut words = info.split_whitespace();
        words.next() == Some(language) && !words.any(|word| word == ELSEWHERE)
    };
    let found = parts(page).filter(|part| part.info.is_some_and(is_run));
    found
        .map(|Part { line, text, .. }| Snippet {
            file: file.to_owned(),
            line,
            code: text.to_owned() + "\n",
        })
        .collect()
}

/// A part of a page: prose, or a block of code between two lines that begin with three backticks.
pub(crate) struct Part<'p> {
    /// What follows the backticks before a block of code; none for prose.
    pub(crate) info: Option<&'p str>,
    /// The line of its first line, from 1.
    pub(crate) line: usize,
    pub(crate) text: &'p str,
}

/// The parts of a page, which begins with prose.
pub(crate) fn parts(page: &str) -> impl Iterator<Item = Part<'_>> {
    let mut begins = 1;
    page.split("\n```").enumerate().map(move |(index, part)| {
        let (info, text) = match index {
            0 => ("", part),
            _ => part.split_once('\n').unwrap_or((part, "")),
        };
        let line = begins + usize::from(index > 0);
        begins += part.split('\n').count();
        let info = (index % 2 == 1).then_some(info);
        Part { info, line, text }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_one_language_is_found_with_its_line_and_code_that_is_run_elsewhere_is_not() {
        let page = "# A\n\n```c\nint a;\n\nint b;\n```\n```js\nlet c;\n```\n```c elsewhere\nint d;\n```\n";
        let expected = Snippet {
            file: "a.md".to_owned(),
            line: 4,
            code: "int a;\n\nint b;\n".to_owned(),
        };
        assert_eq!(find("a.md", page, "c"), [expected]);
    }
}
