//! Protobuf's encoding: the fields of a message.

/// The reason why bytes are not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// More bytes are needed.
    Ends,
    /// No further bytes could complete the number.
    Malformed(&'static str),
}

impl From<DecodeError> for &'static str {
    fn from(broken: DecodeError) -> Self {
        match broken {
            DecodeError::Ends => "a field is longer than its message",
            DecodeError::Malformed(reason) => reason,
        }
    }
}

/// Reads a number in groups of seven bits, the lowest group first, and removes it from `bytes`.
fn varint(bytes: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate() {
        if index == 10 {
            return Err(DecodeError::Malformed("a number has more than 64 bits"));
        }
        number |= u64::from(byte & 0x7F) << (7 * index);
        if byte & 0x80 == 0 {
            *bytes = &bytes[index + 1..];
            return Ok(number);
        }
    }
    Err(DecodeError::Ends)
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'b> {
    /// A number, or the bits of one.
    Number(u64),
    /// A text or a message.
    Bytes(&'b [u8]),
}

/// The fields of a message with their numbers. The iterator ends after an error.
pub(crate) struct Fields<'b>(pub(crate) &'b [u8]);

impl<'b> Fields<'b> {
    /// The next field.
    pub(crate) fn field(&mut self) -> Result<(u64, Value<'b>), DecodeError> {
        let tag = varint(&mut self.0)?;
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            1 => Value::Number(u64::from_le_bytes(self.take()?)),
            2 => {
                let length = usize::try_from(varint(&mut self.0)?).unwrap_or(usize::MAX);
                let (bytes, rest) = self.0.split_at_checked(length).ok_or(DecodeError::Ends)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            5 => Value::Number(u32::from_le_bytes(self.take()?).into()),
            _ => return Err(DecodeError::Malformed("a field is of no known kind")),
        };
        match tag >> 3 {
            0 => Err(DecodeError::Malformed("a field has the number 0")),
            number => Ok((number, value)),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(DecodeError::Ends)?;
        self.0 = rest;
        Ok(*bytes)
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field.map_err(<&str>::from))
    }
}

/// These fields of a message, as far as they are numbers: of each its last value, as the format has it.
pub(crate) fn numbers<const N: usize>(message: &[u8], fields: [u64; N]) -> Result<[Option<u64>; N], &'static str> {
    values(message, fields, |value| match value {
        Value::Number(number) => Some(number),
        Value::Bytes(_) => None,
    })
}

/// The same of texts and messages.
pub(crate) fn bytes<const N: usize>(message: &[u8], fields: [u64; N]) -> Result<[Option<&[u8]>; N], &'static str> {
    values(message, fields, |value| match value {
        Value::Bytes(bytes) => Some(bytes),
        Value::Number(_) => None,
    })
}

fn values<'b, T: Copy, const N: usize>(
    message: &'b [u8],
    fields: [u64; N],
    of_kind: impl Fn(Value<'b>) -> Option<T>,
) -> Result<[Option<T>; N], &'static str> {
    let mut values = [None; N];
    for field in Fields(message) {
        let (number, value) = field?;
        if let Some(place) = fields.iter().position(|own| *own == number) {
            values[place] = of_kind(value).or(values[place]);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The first two fields are the examples of the format's own documentation.
    #[test]
    fn each_kind_of_field_has_its_number_and_value() {
        let message = b"\x08\x96\x01\x12\x07testing\x19\0\0\0\0\0\0\xf8\x3f\xe5\x04\x01\x02\x03\x04";
        assert_eq!(
            Fields(message).collect::<Result<Vec<_>, _>>(),
            Ok(vec![
                (1, Value::Number(150)),
                (2, Value::Bytes(b"testing")),
                (3, Value::Number(1.5_f64.to_bits())),
                (76, Value::Number(0x0403_0201)),
            ])
        );
    }

    #[test]
    fn the_last_value_of_a_field_counts_and_one_of_another_kind_does_not() {
        let message = b"\x08\x01\x08\x02\x0a\x01a\x0a\x01b\x12\x01c";
        assert_eq!(numbers(message, [1, 2]), Ok([Some(2), None]));
        assert_eq!(bytes(message, [1, 2, 3]), Ok([Some(&b"b"[..]), Some(b"c"), None]));
    }

    proptest! {
        #[test]
        fn any_bytes_are_fields_or_an_error_and_end(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            prop_assert!(Fields(&bytes).count() <= bytes.len());
        }
    }
}
