//! Messages in the protobuf encoding, written field by field into a buffer.

/// A message that is being written at the end of a buffer.
pub(crate) struct Message<'b>(&'b mut Vec<u8>);

/// The wire types of fields.
const VARINT: u32 = 0;
const FIXED_64: u32 = 1;
const LENGTH: u32 = 2;

impl Message<'_> {
    /// Writes an unsigned number or an identifier.
    pub(crate) fn number(&mut self, field: u32, value: u64) {
        self.tag(field, VARINT);
        self.varint(value);
    }

    /// Writes a signed number: an `int32` is written as the `int64` of the same value.
    pub(crate) fn signed(&mut self, field: u32, value: impl Into<i64>) {
        self.number(field, value.into().cast_unsigned());
    }

    /// Writes a `double`.
    pub(crate) fn real(&mut self, field: u32, value: f64) {
        self.tag(field, FIXED_64);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes a `string`.
    pub(crate) fn text(&mut self, field: u32, text: &str) {
        self.tag(field, LENGTH);
        self.varint(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Writes a nested message.
    pub(crate) fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message<'_>)) {
        self.tag(field, LENGTH);
        push_with_length(self.0, fill);
    }

    fn tag(&mut self, field: u32, kind: u32) {
        self.varint((field << 3 | kind).into());
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// Appends a message as a field of an outer one that has no other fields.
pub(crate) fn push(bytes: &mut Vec<u8>, field: u32, fill: impl FnOnce(&mut Message<'_>)) {
    Message(bytes).message(field, fill);
}

/// Appends a message with its length before it. One byte is reserved for the length; a message that needs more bytes is moved.
fn push_with_length(bytes: &mut Vec<u8>, fill: impl FnOnce(&mut Message<'_>)) {
    let at = bytes.len();
    bytes.push(0);
    fill(&mut Message(bytes));
    let length = bytes.len() - at - 1;
    if length < 0x80 {
        bytes[at] = length as u8;
    } else {
        let mut encoded = Vec::new();
        Message(&mut encoded).varint(length as u64);
        bytes.splice(at..=at, encoded);
    }
}
