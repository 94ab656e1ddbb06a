//! Decodes a file in UTF-8 or UTF-16 to UTF-8.

use std::borrow::Cow;

use crate::read::perfetto;

/// The encoding that the first bytes of a file indicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 {
        is_big_endian: bool,
    },
    /// No text; its bytes stay as they are.
    Perfetto,
}

/// Converts the bytes of a file, which may arrive in pieces, to UTF-8 without a byte order mark. Only a file that begins with such a mark
/// can be UTF-16, as PowerShell's `>` writes it. The bytes of a Perfetto trace are returned unchanged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    /// `None` while too few bytes have arrived.
    encoding: Option<Encoding>,
    /// Bytes that are not decoded yet: part of a byte order mark, of the first packet, or of a character.
    rest: Vec<u8>,
}

const UTF8_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
const LITTLE_ENDIAN_MARK: &[u8] = &[0xFF, 0xFE];
const BIG_ENDIAN_MARK: &[u8] = &[0xFE, 0xFF];

impl Decoder {
    /// The text of the next bytes; at the end of the file, all that is left.
    pub(crate) fn text<'b>(&mut self, bytes: &'b [u8], is_at_end: bool) -> Cow<'b, [u8]> {
        if let Some(Encoding::Utf8 | Encoding::Perfetto) = self.encoding {
            return Cow::Borrowed(bytes);
        }
        self.rest.extend_from_slice(bytes);
        Cow::Owned(if self.begin(is_at_end) {
            self.decode(is_at_end)
        } else {
            Vec::new()
        })
    }

    /// Whether the file is a Perfetto trace, as far as its encoding is known.
    pub(crate) fn is_perfetto(&self) -> bool {
        self.encoding == Some(Encoding::Perfetto)
    }

    /// Detects the encoding and removes the byte order mark. Returns whether the encoding is known.
    fn begin(&mut self, is_at_end: bool) -> bool {
        if self.encoding.is_some() {
            return true;
        }
        let marks = [
            (UTF8_MARK, Encoding::Utf8),
            (LITTLE_ENDIAN_MARK, Encoding::Utf16 { is_big_endian: false }),
            (BIG_ENDIAN_MARK, Encoding::Utf16 { is_big_endian: true }),
        ];
        let may_come = |(mark, _): &(&[u8], Encoding)| mark.starts_with(&self.rest) && self.rest.len() < mark.len();
        if !is_at_end && marks.iter().any(may_come) {
            return false;
        }
        let Some(is_perfetto) = perfetto::begins(&self.rest, is_at_end) else {
            return false;
        };
        if is_perfetto {
            self.encoding = Some(Encoding::Perfetto);
            return true;
        }
        let found = marks.into_iter().find(|(mark, _)| self.rest.starts_with(mark));
        let (mark, encoding) = found.unwrap_or((&[], Encoding::Utf8));
        self.rest.drain(..mark.len());
        self.encoding = Some(encoding);
        true
    }

    fn decode(&mut self, is_at_end: bool) -> Vec<u8> {
        let Some(Encoding::Utf16 { is_big_endian }) = self.encoding else {
            return std::mem::take(&mut self.rest);
        };
        let unit = |pair: &[u8; 2]| match is_big_endian {
            true => u16::from_be_bytes(*pair),
            false => u16::from_le_bytes(*pair),
        };
        let (mut pairs, _) = self.rest.as_chunks();
        // The first half of a surrogate pair.
        let is_half = |unit: u16| (0xD800..0xDC00).contains(&unit);
        if let Some((last, before)) = pairs.split_last()
            && !is_at_end
            && is_half(unit(last))
        {
            pairs = before;
        }
        let (units, whole) = (pairs.iter().map(unit), 2 * pairs.len());
        let mut text = Vec::with_capacity(whole);
        for character in char::decode_utf16(units) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.rest.drain(..whole);
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_in_any_encoding_and_pieces_is_the_same(
            text in "[a-z0-9,;.\r\n\u{e9}\u{4e2d}\u{1f600}]{0,60}",
            encoding in 0..4_usize,
            size in 1..9_usize,
        ) {
            let units = || text.encode_utf16();
            let bytes: Vec<u8> = match encoding {
                0 => text.clone().into_bytes(),
                1 => [UTF8_MARK, text.as_bytes()].concat(),
                2 => LITTLE_ENDIAN_MARK.iter().copied().chain(units().flat_map(u16::to_le_bytes)).collect(),
                _ => BIG_ENDIAN_MARK.iter().copied().chain(units().flat_map(u16::to_be_bytes)).collect(),
            };
            let (mut decoder, mut pieces) = (Decoder::default(), Vec::new());
            bytes.chunks(size).for_each(|piece| pieces.extend_from_slice(&decoder.text(piece, false)));
            pieces.extend_from_slice(&decoder.text(&[], true));
            prop_assert_eq!(&pieces, text.as_bytes());
        }

        #[test]
        fn any_bytes_without_a_mark_are_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut decoder = Decoder::default();
            let mut read = decoder.text(&bytes, false).into_owned();
            read.extend_from_slice(&decoder.text(&[], true));
            let is_marked = [UTF8_MARK, LITTLE_ENDIAN_MARK, BIG_ENDIAN_MARK].iter().any(|mark| bytes.starts_with(mark));
            prop_assert!(is_marked || read == bytes);
        }
    }
}
