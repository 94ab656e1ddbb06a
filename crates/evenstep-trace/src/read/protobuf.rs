//! Protobuf's encoding: the fields of a message.

/// The reason why bytes are not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// More bytes are needed.
    Ends,
    /// No further bytes could complete the number.
    Malformed(&'static str),
}

impl From<Broken> for &'static str {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Ends => "a field is longer than its message",
            Broken::Malformed(reason) => reason,
        }
    }
}

/// Reads a number in groups of seven bits, the lowest group first, and removes it from `bytes`.
pub(crate) fn varint(bytes: &mut &[u8]) -> Result<u64, Broken> {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate() {
        if index == 10 {
            return Err(Broken::Malformed("a number has more than 64 bits"));
        }
        number |= u64::from(byte & 0x7F) << (7 * index);
        if byte & 0x80 == 0 {
            *bytes = &bytes[index + 1..];
            return Ok(number);
        }
    }
    Err(Broken::Ends)
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
    fn field(&mut self) -> Result<(u64, Value<'b>), Broken> {
        let tag = varint(&mut self.0)?;
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            1 => Value::Number(u64::from_le_bytes(self.take()?)),
            2 => {
                let length = usize::try_from(varint(&mut self.0)?).unwrap_or(usize::MAX);
                let (bytes, rest) = self.0.split_at_checked(length).ok_or(Broken::Ends)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            5 => Value::Number(u32::from_le_bytes(self.take()?).into()),
            _ => return Err(Broken::Malformed("a field is of no known kind")),
        };
        match tag >> 3 {
            0 => Err(Broken::Malformed("a field has the number 0")),
            number => Ok((number, value)),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Broken::Ends)?;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message;

    use super::*;

    #[derive(Clone, PartialEq, Message)]
    struct Known {
        #[prost(uint64, tag = "1")]
        number: u64,
        #[prost(int64, tag = "2")]
        signed: i64,
        #[prost(double, tag = "16")]
        real: f64,
        #[prost(fixed32, tag = "76")]
        fixed: u32,
        #[prost(bytes = "vec", tag = "3")]
        bytes: Vec<u8>,
    }

    proptest! {
        #[test]
        fn the_fields_of_a_message_are_those_that_another_library_wrote(
            number in 1..=u64::MAX,
            signed in any::<i64>().prop_filter("zero is not written", |number| *number != 0),
            real in 1e-300..1e300_f64,
            fixed in 1..=u32::MAX,
            bytes in prop::collection::vec(any::<u8>(), 1..40),
        ) {
            let encoded = Known { number, signed, real, fixed, bytes: bytes.clone() }.encode_to_vec();
            let mut fields = Fields(&encoded).collect::<Result<Vec<_>, _>>().unwrap();
            fields.sort_by_key(|(number, _)| *number);
            prop_assert_eq!(fields, vec![
                (1, Value::Number(number)),
                (2, Value::Number(signed.cast_unsigned())),
                (3, Value::Bytes(&bytes)),
                (16, Value::Number(real.to_bits())),
                (76, Value::Number(fixed.into())),
            ]);
        }

        #[test]
        fn any_bytes_are_fields_or_an_error_and_end(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            prop_assert!(Fields(&bytes).count() <= bytes.len());
        }
    }
}
