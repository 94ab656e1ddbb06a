//! Splits a line of a table into its fields.

use csv_core::ReadRecordResult;

/// The index of an invalid field, and why it is invalid.
pub(crate) type RowError = (usize, String);

/// The fields of a line.
pub(crate) struct Record<'l> {
    text: &'l [u8],
    ends: &'l [usize],
    /// The number of bytes between fields.
    between: usize,
}

impl<'l> Record<'l> {
    /// The number of fields that were found.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&'l [u8]> {
        let end = *self.ends.get(index)?;
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] + self.between);
        self.text.get(start..end)
    }
}

/// Splits lines into fields.
#[derive(Clone, Default)]
pub(crate) struct Splitter {
    /// Where the fields end.
    ends: Vec<usize>,
    fields: Vec<u8>,
}

impl Splitter {
    /// The fields of a line. An unclosed quote is an error: otherwise it would include the following lines.
    pub(crate) fn split<'l>(&'l mut self, line: &'l [u8], delimiter: u8) -> Result<Record<'l>, RowError> {
        if memchr::memchr(b'"', line).is_some() {
            return self.quoted(line, delimiter);
        }
        self.ends.clear();
        find(delimiter, line, &mut self.ends);
        self.ends.push(line.len());
        Ok(Record {
            text: line,
            ends: &self.ends,
            between: 1,
        })
    }

    fn quoted(&mut self, line: &[u8], delimiter: u8) -> Result<Record<'_>, RowError> {
        let mut reader = csv_core::ReaderBuilder::new();
        reader.delimiter(delimiter).terminator(csv_core::Terminator::Any(b'\n'));
        let line = [line, b"\n"].concat();
        // The output is no longer than the input, and every field but the last ends with a delimiter.
        self.fields.resize(line.len(), 0);
        self.ends.resize(line.len(), 0);
        let (result, _, _, count) = reader.build().read_record(&line, &mut self.fields, &mut self.ends);
        match result {
            ReadRecordResult::Record => Ok(Record {
                text: &self.fields,
                ends: &self.ends[..count],
                between: 0,
            }),
            _ => Err((count, "a quote is not closed on its line".to_owned())),
        }
    }
}

/// Appends the positions of the delimiter. Eight bytes are compared at once in a word: fields are short, so a search for each would start
/// too often.
fn find(delimiter: u8, line: &[u8], ends: &mut Vec<usize>) {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let everywhere = u64::from_le_bytes([delimiter; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let differs = u64::from_le_bytes(*word) ^ everywhere;
        // The highest bit of each byte that is equal to the delimiter.
        let mut found = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        while found != 0 {
            ends.push(8 * index + found.trailing_zeros() as usize / 8);
            found &= found - 1;
        }
    }
    let start = 8 * words.len();
    let found = (start..).zip(rest).filter(|(_, byte)| **byte == delimiter);
    ends.extend(found.map(|(place, _)| place));
}

/// The fields of a header.
pub(crate) fn header(line: &str, delimiter: u8) -> Vec<String> {
    let mut splitter = Splitter::default();
    let Ok(record) = splitter.split(line.as_bytes(), delimiter) else {
        return Vec::new();
    };
    let names = (0..record.count()).filter_map(|index| record.get(index));
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_without_quotes_have_the_fields_that_a_reader_of_quotes_finds(
            line in "[a,; .\r0é\u{ac}\u{2c00}-]{1,40}",
            delimiter in prop::sample::select(vec![b',', b';', b'\t']),
        ) {
            let (mut plain, mut quoted) = (Splitter::default(), Splitter::default());
            let ours = plain.split(line.as_bytes(), delimiter).expect("no quote is open");
            let theirs = quoted.quoted(line.as_bytes(), delimiter).expect("no quote is open");
            prop_assert_eq!(ours.count(), theirs.count());
            for index in 0..ours.count() {
                prop_assert_eq!(ours.get(index), theirs.get(index));
            }
        }
    }
}
