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
pub(crate) fn of(shell: &Shell, language: &str, files: &[&str]) -> Result<Vec<Snippet>> {
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
    for (index, snippet) in of(shell, language, files)?.iter().enumerate() {
        let Snippet { file, line, code } = snippet;
        let text = format!("{comment} {file}:{line}\n{code}");
        shell.write_file(folder.join(format!("{index:02}.{extension}")), text)?;
    }
    Ok(())
}

fn find(file: &str, page: &str, language: &str) -> Vec<Snippet> {
    let mut snippets = Vec::new();
    let mut open: Option<(bool, Snippet)> = None;
    for (index, line) in page.lines().enumerate() {
        let fence = line.strip_prefix("```");
        match (fence, &mut open) {
            (Some(info), None) => {
                let mut words = info.split_whitespace();
                let is_run = words.next() == Some(language) && !words.any(|word| word == ELSEWHERE);
                let snippet = Snippet {
                    file: file.to_owned(),
                    line: index + 2,
                    code: String::new(),
                };
                open = Some((is_run, snippet));
            }
            (Some(_), Some(_)) => {
                snippets.extend(open.take().filter(|(is_run, _)| *is_run).map(|(_, snippet)| snippet))
            }
            (None, Some((_, snippet))) => {
                snippet.code += line;
                snippet.code.push('\n');
            }
            (None, None) => {}
        }
    }
    snippets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_one_language_is_found_with_its_line_and_code_that_is_run_elsewhere_is_not() {
        let page = "# A\n```c\nint a;\n\nint b;\n```\n```js\nlet c;\n```\n```c elsewhere\nint d;\n```\n";
        let expected = Snippet {
            file: "a.md".to_owned(),
            line: 3,
            code: "int a;\n\nint b;\n".to_owned(),
        };
        assert_eq!(find("a.md", page, "c"), [expected]);
    }
}
