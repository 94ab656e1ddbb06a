//! The names, signs and strings of a Rust text, without comments and test modules.

/// The tokens of a text. `::` is one token, and so is a whole string.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut rest = without_tests(text);
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first);
        let (token, after) = rest.split_at(length);
        if !(first.is_whitespace() || token.starts_with("//") || token.starts_with("/*")) {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// A text up to its inline test module, since the imports of tests do not count.
fn without_tests(text: &str) -> &str {
    let is_in_place = |at: &usize| text[*at..].lines().nth(2).is_some_and(|module| module.ends_with('{'));
    let mut modules = text.match_indices("\n#[cfg(test)]\nmod ").map(|(at, _)| at);
    let end = modules.find(is_in_place);
    end.map_or(text, |at| &text[..at])
}

/// The length of the first token of a text.
fn length(rest: &str, first: char) -> usize {
    let until = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    match first {
        '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
        '/' if rest.starts_with("/*") => until("*/", 2),
        '"' => string(rest),
        'r' if rest.starts_with("r#\"") => until("\"#", 3),
        ':' if rest.starts_with("::") => 2,
        '\'' => character(rest),
        _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of a string in quotes, which may contain escaped quotes.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == '"' && !escaped;
        escaped = *character == '\\' && !escaped;
        ends
    });
    end.map_or(rest.len(), |(at, _)| at + 1)
}

/// The length of a character in quotes, or of the sign of a lifetime.
fn character(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => rest[3..].find('\'').map_or(1, |at| 3 + at + 1),
        Some(_) => characters
            .next()
            .filter(|(_, end)| *end == '\'')
            .map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}

#[test]
fn comments_and_tests_are_no_tokens_and_a_string_is_one() {
    let text = "use a::b; // crate::c\n/* crate::d */ let s = \"crate::\\\"e\"; f('\\'', '\"', &'a x)\n\n#[cfg(test)]\nmod tests {";
    let expected = [
        "use",
        "a",
        "::",
        "b",
        ";",
        "let",
        "s",
        "=",
        "\"crate::\\\"e\"",
        ";",
        "f",
        "(",
        "'\\''",
        ",",
        "'\"'",
        ",",
        "&",
        "'",
        "a",
        "x",
        ")",
    ];
    assert_eq!(tokens(text), expected);
}
