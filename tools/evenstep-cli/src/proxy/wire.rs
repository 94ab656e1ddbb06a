//! Messages of Wayland's wire format: a header of two words, then arguments.

use std::time::Duration;

/// The length of a header: the object, then the length of the message and the opcode.
pub(super) const HEADER: usize = 8;

/// The object that every connection begins with, `wl_display`.
pub(super) const DISPLAY: u32 = 1;

/// The interface of presentation feedback.
pub(super) const PRESENTATION: &str = "wp_presentation";

/// A message that is not of this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    /// Its length, which is below that of a header or no multiple of four.
    #[error("a message of {0} bytes, which cannot be")]
    Length(usize),
    /// Its arguments are shorter than they must be, or a string is not text.
    #[error("message {opcode} of object {object} with arguments that cannot be")]
    Arguments { object: u32, opcode: u16 },
    /// Its object is one of the proxy, which the program does not know.
    #[error("a request to object {0}, which it has not created")]
    Object(u32),
}

/// A whole message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub(super) object: u32,
    pub(super) opcode: u16,
    /// The message with its header.
    pub(super) bytes: &'a [u8],
}

impl<'a> Message<'a> {
    /// The first message of some bytes; none if its end has not come yet.
    pub(super) fn first(bytes: &'a [u8]) -> Result<Option<Self>, Malformed> {
        let (Some(object), Some(second)) = (word(bytes, 0), word(bytes, 1)) else {
            return Ok(None);
        };
        let length = (second >> 16) as usize;
        if length < HEADER || !length.is_multiple_of(4) {
            return Err(Malformed::Length(length));
        }
        Ok(bytes.get(..length).map(|bytes| Self {
            object,
            opcode: second as u16,
            bytes,
        }))
    }

    /// Its arguments, to be read in their order.
    pub(super) fn arguments(self) -> Arguments<'a> {
        Arguments {
            message: self,
            left: &self.bytes[HEADER..],
        }
    }
}

/// The arguments of a message that have not been read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments<'a> {
    message: Message<'a>,
    left: &'a [u8],
}

impl<'a> Arguments<'a> {
    /// A number, or the id of an object.
    pub(super) fn word(&mut self) -> Result<u32, Malformed> {
        let word = word(self.left, 0).ok_or_else(|| self.malformed())?;
        self.left = &self.left[4..];
        Ok(word)
    }

    /// A time: the high and the low word of its seconds, and its nanoseconds.
    pub(super) fn time(&mut self) -> Result<Duration, Malformed> {
        let seconds = u64::from(self.word()?) << 32 | u64::from(self.word()?);
        let nanos = Duration::from_nanos(self.word()?.into());
        Ok(Duration::from_secs(seconds).saturating_add(nanos))
    }

    /// A string: its length with a zero at the end, and its bytes, filled up to whole words.
    pub(super) fn string(&mut self) -> Result<&'a str, Malformed> {
        let length = self.word()? as usize;
        let padded = length.checked_next_multiple_of(4).ok_or_else(|| self.malformed())?;
        let text = self.left.get(..padded).ok_or_else(|| self.malformed())?;
        self.left = &self.left[padded..];
        let text = text[..length].split_last().map_or(&[][..], |(_, text)| text);
        std::str::from_utf8(text).map_err(|_| self.malformed())
    }

    fn malformed(&self) -> Malformed {
        let Message { object, opcode, .. } = self.message;
        Malformed::Arguments { object, opcode }
    }
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let (words, _) = bytes.as_chunks();
    words.get(index).map(|word| u32::from_ne_bytes(*word))
}

/// Appends a message whose arguments are these words.
pub(super) fn push(out: &mut Vec<u8>, object: u32, opcode: u16, arguments: &[u32]) {
    // No message of the proxy is longer than a few words.
    let length = (HEADER + 4 * arguments.len()) as u32;
    for word in [object, length << 16 | u32::from(opcode)].iter().chain(arguments) {
        out.extend(word.to_ne_bytes());
    }
}

/// Appends `wl_registry.bind` for a global of this name, as the object `id`.
pub(super) fn push_bind(out: &mut Vec<u8>, registry: u32, name: u32, interface: &str, version: u32, id: u32) {
    let mut arguments = vec![name];
    arguments.extend(string(interface));
    arguments.extend([version, id]);
    push(out, registry, 0, &arguments);
}

/// A string as words.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let length = bytes.len() as u32;
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let (words, _) = bytes.as_chunks();
    let words = words.iter().map(|word| u32::from_ne_bytes(*word));
    [length].into_iter().chain(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_when_its_end_has_come() {
        let mut bytes = Vec::new();
        let mut arguments = vec![7];
        arguments.extend(string("wl_seat"));
        push(&mut bytes, 3, 2, &arguments);
        for end in 0..bytes.len() {
            assert!(Message::first(&bytes[..end]).unwrap().is_none());
        }
        let message = Message::first(&bytes).unwrap().unwrap();
        assert_eq!((message.object, message.opcode), (3, 2));
        let mut arguments = message.arguments();
        assert_eq!((arguments.word(), arguments.string()), (Ok(7), Ok("wl_seat")));
        assert!(arguments.word().is_err() && arguments.string().is_err());
    }

    #[test]
    fn lengths_that_cannot_be_are_refused() {
        for length in [0_u32, 4, 7, 9, 13, 0xffff] {
            let mut bytes = 1_u32.to_ne_bytes().to_vec();
            bytes.extend((length << 16).to_ne_bytes());
            assert_eq!(Message::first(&bytes).unwrap_err(), Malformed::Length(length as usize));
        }
        let mut bytes = Vec::new();
        push(&mut bytes, 3, 0, &[u32::MAX, 5]);
        let message = Message::first(&bytes).unwrap().unwrap();
        assert!(message.arguments().string().is_err());
    }
}
