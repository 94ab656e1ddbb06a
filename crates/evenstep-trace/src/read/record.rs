//! Splits a line of a table into its fields.

use csv_core::ReadRecordResult;

/// The index of an invalid field, and why it is invalid.
pub(crate) type Wrong = (usize, String);

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
#[derive(Default)]
pub(crate) struct Splitter {
    ends: Vec<usize>,
    quoted: Option<Box<Quoted>>,
}

impl Splitter {
    /// Finds the first `most` fields of a line without quotes.
    pub(crate) fn plain<'l>(&'l mut self, line: &'l [u8], delimiter: u8, most: usize) -> Record<'l> {
        self.ends.clear();
        find(delimiter, line, most, &mut self.ends);
        if self.ends.len() < most {
            self.ends.push(line.len());
        }
        Record {
            text: line,
            ends: &self.ends,
            between: 1,
        }
    }

    /// The fields of a line with quotes. An unclosed quote is an error: otherwise it would include the following lines.
    pub(crate) fn quoted<'l>(&'l mut self, line: &[u8], delimiter: u8) -> Result<Record<'l>, Wrong> {
        self.quoted
            .get_or_insert_with(|| Box::new(Quoted::new(delimiter)))
            .read(line)
    }
}

/// Appends the positions of the delimiter, up to `most` positions. Compares eight bytes at once in a word: fields are short, so a search
/// per field would start too often.
fn find(delimiter: u8, line: &[u8], most: usize, ends: &mut Vec<usize>) {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let everywhere = u64::from_le_bytes([delimiter; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let differs = u64::from_le_bytes(*word) ^ everywhere;
        // The highest bit of each byte that is equal to the delimiter.
        let mut found = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        while found != 0 {
            if ends.len() == most {
                return;
            }
            ends.push(8 * index + found.trailing_zeros() as usize / 8);
            found &= found - 1;
        }
    }
    let start = 8 * words.len();
    let found = (start..).zip(rest).filter(|(_, byte)| **byte == delimiter);
    let left = most - ends.len();
    ends.extend(found.map(|(place, _)| place).take(left));
}

/// Reads lines with quotes.
struct Quoted {
    reader: csv_core::Reader,
    line: Vec<u8>,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl Quoted {
    fn new(delimiter: u8) -> Self {
        let mut reader = csv_core::ReaderBuilder::new();
        reader.delimiter(delimiter).terminator(csv_core::Terminator::Any(b'\n'));
        Self {
            reader: reader.build(),
            line: Vec::new(),
            fields: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<Record<'_>, Wrong> {
        self.line.clear();
        self.line.extend_from_slice(line);
        self.line.push(b'\n');
        // The output is no longer than the input, and every field but the last ends with a delimiter.
        self.fields.resize(self.fields.len().max(self.line.len()), 0);
        self.ends.resize(self.ends.len().max(self.line.len()), 0);
        self.reader.reset();
        let (result, _, _, count) = self.reader.read_record(&self.line, &mut self.fields, &mut self.ends);
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

/// The fields of a header.
pub(crate) fn header(line: &str, delimiter: u8) -> Vec<String> {
    let mut splitter = Splitter::default();
    let Ok(record) = splitter.quoted(line.as_bytes(), delimiter) else {
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
            delimiter in prop::sample::select(vec![b',', b';']),
            most in 1..12_usize,
        ) {
            let (mut plain, mut quoted) = (Splitter::default(), Splitter::default());
            let ours = plain.plain(line.as_bytes(), delimiter, most);
            let theirs = quoted.quoted(line.as_bytes(), delimiter).expect("no quote is open");
            prop_assert_eq!(ours.count(), theirs.count().min(most));
            for index in 0..most {
                prop_assert_eq!(ours.get(index), theirs.get(index));
            }
        }
    }
}
