//! Paths of values in a state: `players[2].weapon.cooldown`, `inventory["sword"].count`.

/// The path of a state that is one value, and has no fields.
pub(super) const ROOT: &str = "self";

/// The places of a text that are outside of quotes, with the characters there. Keys of maps are quoted as Rust quotes them.
fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    let mut is_escaped = false;
    text.char_indices().filter(move |(_, char)| match quote {
        Some(_) if is_escaped => {
            is_escaped = false;
            false
        }
        Some(open) => {
            is_escaped = *char == '\\';
            if *char == open {
                quote = None;
            }
            false
        }
        None => {
            quote = matches!(char, '"' | '\'').then_some(*char);
            quote.is_none()
        }
    })
}

/// Splits a line of a dump into its path and its value.
pub(super) fn split(line: &str) -> Option<(&str, &str)> {
    let (at, _) = unquoted(line).find(|(at, _)| line[*at..].starts_with(" = "))?;
    Some((&line[..at], &line[at + 3..]))
}

/// The paths of all that a value lies in, the outermost first, and its own last.
pub(super) fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let ends = unquoted(path).filter_map(move |(at, char)| {
        let is_end = depth == 0 && at > 0 && matches!(char, '.' | '[');
        match char {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end.then_some(at)
    });
    ends.chain([path.len()]).map(|end| &path[..end])
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_path_is_cut_between_its_parts_and_not_within_keys() {
        let cut = |path| prefixes(path).collect::<Vec<_>>();
        assert_eq!(cut("a.b[2].c"), ["a", "a.b", "a.b[2]", "a.b[2].c"]);
        assert_eq!(cut("[2].c"), ["[2]", "[2].c"]);
        assert_eq!(cut(r#"m["x].y\"["].z"#), ["m", r#"m["x].y\"["]"#, r#"m["x].y\"["].z"#]);
        assert_eq!(
            cut("m['\"'][1.5 (0x3FC00000)]"),
            ["m", "m['\"']", "m['\"'][1.5 (0x3FC00000)]"]
        );
        assert_eq!(cut("len()"), ["len()"]);
    }

    #[test]
    fn a_line_is_split_at_the_first_equals_sign_outside_of_keys() {
        assert_eq!(split(r#"m["a = b"] = "c = d""#), Some((r#"m["a = b"]"#, r#""c = d""#)));
        assert_eq!(split(r#"m['"'] = 1"#), Some((r#"m['"']"#, "1")));
        assert_eq!(split("nothing"), None);
    }
}
