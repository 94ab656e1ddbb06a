//! Reads a state from its difference from another one. Accepts any bytes.

use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};

use crate::delta::encode::{Entries, comparable};
use crate::delta::model::{Model, ROOT};
use crate::delta::range_coder::Reader;
use crate::delta::tree::{Kind, Node, Tree, TreeError, children};

/// The state that [`encode`](crate::delta::encode()) wrote as its difference from `before`, and its tree.
///
/// # Errors
///
/// If the bytes are not a state, as far as that shows: most bytes are some state.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8], before: Option<&Tree>) -> Result<(T, Tree), TreeError> {
    let mut decoder = Decoder {
        before: before.map_or(&[], |before| &before.nodes),
        tree: Tree::default(),
        model: Model::new(),
        reader: Reader::new(bytes),
    };
    let state = T::deserialize(Value {
        decoder: &mut decoder,
        before: before.map(|_| 0),
        is_same: false,
        context: ROOT,
    })?;
    Ok((state, decoder.tree))
}

/// The state that a tree was made of.
///
/// # Errors
///
/// If the state's own deserialization fails, or does not read what its serialization wrote.
pub(crate) fn read<T: DeserializeOwned>(tree: &Tree) -> Result<T, TreeError> {
    let mut decoder = Decoder {
        before: &tree.nodes,
        tree: Tree::default(),
        model: Model::new(),
        reader: Reader::new(&[]),
    };
    let state = T::deserialize(Value {
        decoder: &mut decoder,
        before: Some(0),
        is_same: true,
        context: ROOT,
    })?;
    if decoder.tree == *tree {
        Ok(state)
    } else {
        Err(malformed())
    }
}

struct Decoder<'a> {
    before: &'a [Node],
    /// The state as far as it is read.
    tree: Tree,
    model: Model,
    reader: Reader<'a>,
}

/// A value that is to be read.
struct Value<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    /// The same value of the other state.
    before: Option<usize>,
    /// It is known to be that value.
    is_same: bool,
    context: usize,
}

/// A container whose contents are being read.
struct Contents<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    before: Option<usize>,
    is_same: bool,
    context: usize,
    /// Where it begins in the tree, and its length or variant.
    at: usize,
    bits: u64,
}

fn malformed() -> TreeError {
    TreeError("the bytes are not a state of this game".to_owned())
}

impl<'d, 'a> Value<'d, 'a> {
    /// Reads a number as its bits.
    fn number(self, kind: Kind) -> Result<u64, TreeError> {
        let Decoder {
            before,
            tree,
            model,
            reader,
            ..
        } = self.decoder;
        let before = comparable(before, self.before, kind).map(|at| before[at].bits);
        let bits = match before {
            Some(bits) if self.is_same => bits,
            _ if self.is_same => return Err(malformed()),
            _ => kind.bits(model.number(self.context, reader, before.map(|bits| kind.line(bits)), 0)),
        };
        tree.open(kind, bits)?;
        Ok(bits)
    }

    /// Reads an integer of a type that may be narrower.
    fn integer<T: TryFrom<u64>>(self) -> Result<T, TreeError> {
        T::try_from(self.number(Kind::Integer)?).map_err(|_| malformed())
    }

    fn signed<T: TryFrom<i64>>(self) -> Result<T, TreeError> {
        T::try_from(self.number(Kind::Integer)? as i64).map_err(|_| malformed())
    }

    /// Begins a container. One whose contents are not numbered has a length of zero.
    fn open(self, kind: Kind) -> Result<Contents<'d, 'a>, TreeError> {
        let Decoder {
            before: nodes,
            tree,
            model,
            reader,
        } = &mut *self.decoder;
        let before = comparable(nodes, self.before, kind);
        let is_same = match before {
            Some(_) => self.is_same || !model.differs(self.context, reader, false),
            None if self.is_same => return Err(malformed()),
            None => false,
        };
        let before_bits = before.map(|at| nodes[at].bits);
        let bits = match before_bits {
            Some(bits) if is_same => bits,
            _ if kind == Kind::Fields => 0,
            _ => model.number(self.context, reader, before_bits, 0),
        };
        let at = tree.open(kind, bits)?;
        Ok(Contents {
            decoder: self.decoder,
            before,
            is_same,
            context: self.context,
            at,
            bits,
        })
    }

    fn bytes(self) -> Result<Vec<u8>, TreeError> {
        let mut contents = self.open(Kind::Sequence)?;
        let mut children = contents.children();
        let bytes = (0..contents.bits).map(|_| u8::deserialize(contents.child(children.next(), 0)));
        let bytes = bytes.collect::<Result<_, _>>()?;
        contents.close();
        Ok(bytes)
    }
}

impl<'d, 'a> Contents<'d, 'a> {
    /// Where the contents begin in the other state.
    fn children(&self) -> impl Iterator<Item = usize> + use<'a> {
        let nodes: &'a [Node] = self.decoder.before;
        self.before.into_iter().flat_map(move |before| children(nodes, before))
    }

    fn child(&mut self, before: Option<usize>, index: usize) -> Value<'_, 'a> {
        let context = self.decoder.model.child(self.context, index);
        Value {
            decoder: &mut *self.decoder,
            before,
            is_same: self.is_same,
            context,
        }
    }

    /// The contents of a variant.
    fn variant(&mut self) -> Value<'_, 'a> {
        let bits = self.bits;
        let nodes = self.decoder.before;
        let before = self.before.filter(|before| nodes[*before].bits == bits);
        self.child(before.map(|before| before + 1), bits as usize)
    }

    fn close(self) {
        self.decoder.tree.close(self.at);
    }

    fn fields<'de, V: Visitor<'de>>(mut self, count: usize, visitor: V) -> Result<V::Value, TreeError> {
        let value = visitor.visit_seq(Elements {
            children: self.children(),
            contents: &mut self,
            left: count as u64,
            index: Some(0),
        })?;
        self.close();
        Ok(value)
    }
}

/// The elements of a sequence, or the fields of a struct.
struct Elements<'c, 'd, 'a, I> {
    contents: &'c mut Contents<'d, 'a>,
    children: I,
    left: u64,
    /// Of the next field; none in a sequence.
    index: Option<usize>,
}

impl<'de, I: Iterator<Item = usize>> de::SeqAccess<'de> for Elements<'_, '_, '_, I> {
    type Error = TreeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TreeError> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let child = self.contents.child(self.children.next(), self.index.unwrap_or(0));
        self.index = self.index.map(|index| index + 1);
        seed.deserialize(child).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.left).ok()
    }
}

/// The entries of a map.
struct MapEntries<'c, 'd, 'a> {
    contents: &'c mut Contents<'d, 'a>,
    others: Entries,
    left: u64,
    /// Where the value of the present entry is in the other state.
    value: Option<usize>,
}

impl<'de> de::MapAccess<'de> for MapEntries<'_, '_, '_> {
    type Error = TreeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TreeError> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let mut found = None;
        let contents = &mut *self.contents;
        if !self.others.0.as_slice().is_empty() {
            let decoder = &mut *contents.decoder;
            let skip = match contents.is_same {
                true => 0,
                false => {
                    let skips = decoder.model.child(contents.context, 0);
                    decoder.model.number(skips, &mut decoder.reader, Some(0), 0)
                }
            };
            found = self.others.find(skip);
        }
        self.value = found.map(|(_, value)| value);
        let mut key = contents.child(found.map(|(key, _)| key), 1);
        key.is_same |= found.is_some();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TreeError> {
        let value = self.contents.child(self.value, 2);
        seed.deserialize(value)
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.left).ok()
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $read:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            visitor.$visit(self.$read()?)
        }
    )*};
}

macro_rules! refused {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TreeError> {
            Err(TreeError(
                "it is read by #[serde(flatten)], untagged or another way that needs the names of fields".to_owned(),
            ))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Value<'_, '_> {
    type Error = TreeError;

    numbers! {
        deserialize_i8 visit_i8 signed
        deserialize_i16 visit_i16 signed
        deserialize_i32 visit_i32 signed
        deserialize_i64 visit_i64 signed
        deserialize_u8 visit_u8 integer
        deserialize_u16 visit_u16 integer
        deserialize_u32 visit_u32 integer
        deserialize_u64 visit_u64 integer
        deserialize_str visit_string string
        deserialize_string visit_string string
        deserialize_bytes visit_byte_buf bytes
        deserialize_byte_buf visit_byte_buf bytes
        deserialize_u128 visit_u128 u128
        deserialize_bool visit_bool bool
        deserialize_char visit_char char
    }

    refused!(deserialize_any deserialize_ignored_any deserialize_identifier);

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_i128(self.u128()? as i128)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let bits = u32::try_from(self.number(Kind::F32)?).map_err(|_| malformed())?;
        visitor.visit_f32(f32::from_bits(bits))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_f64(f64::from_bits(self.number(Kind::F64)?))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let mut contents = self.open(Kind::Variant)?;
        let value = match contents.bits {
            0 => visitor.visit_none(),
            1 => visitor.visit_some(contents.variant()),
            _ => Err(malformed()),
        }?;
        contents.close();
        Ok(value)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.open(Kind::Fields)?.close();
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let mut contents = self.open(Kind::Sequence)?;
        let value = visitor.visit_seq(Elements {
            children: contents.children(),
            left: contents.bits,
            contents: &mut contents,
            index: None,
        })?;
        contents.close();
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, TreeError> {
        self.open(Kind::Fields)?.fields(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let mut contents = self.open(Kind::Map)?;
        let others = contents
            .before
            .map(|before| Entries::new(contents.decoder.before, before));
        let value = visitor.visit_map(MapEntries {
            others: others.unwrap_or_default(),
            left: contents.bits,
            contents: &mut contents,
            value: None,
        })?;
        contents.close();
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        let mut contents = self.open(Kind::Variant)?;
        if contents.bits >= variants.len() as u64 {
            return Err(malformed());
        }
        let value = visitor.visit_enum(&mut contents)?;
        contents.close();
        Ok(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl Value<'_, '_> {
    fn bool(self) -> Result<bool, TreeError> {
        match self.number(Kind::Integer)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(malformed()),
        }
    }

    fn char(self) -> Result<char, TreeError> {
        char::from_u32(self.integer()?).ok_or_else(malformed)
    }

    fn string(self) -> Result<String, TreeError> {
        String::from_utf8(self.bytes()?).map_err(|_| malformed())
    }

    fn u128(self) -> Result<u128, TreeError> {
        let mut contents = self.open(Kind::Fields)?;
        let mut children = contents.children();
        let low = u64::deserialize(contents.child(children.next(), 0))?;
        let high = u64::deserialize(contents.child(children.next(), 1))?;
        contents.close();
        Ok(u128::from(high) << 64 | u128::from(low))
    }
}

impl<'de, 'c, 'd, 'a> de::EnumAccess<'de> for &'c mut Contents<'d, 'a> {
    type Error = TreeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), TreeError> {
        // It is less than the number of variants.
        let index: de::value::U32Deserializer<TreeError> = (self.bits as u32).into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Contents<'_, '_> {
    type Error = TreeError;

    fn unit_variant(self) -> Result<(), TreeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, TreeError> {
        seed.deserialize(self.variant())
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, TreeError> {
        self.variant().open(Kind::Fields)?.fields(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.tuple_variant(fields.len(), visitor)
    }
}
