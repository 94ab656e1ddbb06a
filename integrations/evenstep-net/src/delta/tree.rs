//! A state as a list of numbers with the structure that serde reports.

use std::fmt::Display;

use serde::ser::{self, Serialize};

/// The largest number of nodes of a state: bounds the memory that a message can ask for.
pub(crate) const MAX_NODES: usize = 1 << 20;

/// How deep a state may be nested.
pub(crate) const MAX_DEPTH: usize = 96;

/// The name of the newtype that marks numbers which were rounded, see [`Quantized`](crate::Quantized).
pub(crate) const QUANTIZED: &str = "evenstep_net::Quantized";

/// A number, or the beginning of a container whose contents follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The bits of the number; the length of a sequence or a map; the index of a variant.
    pub(crate) bits: u64,
    /// The number of nodes that it consists of, itself included.
    pub(crate) size: u32,
    pub(crate) kind: Kind,
}

/// What a node is. All that come before `Fields` are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    F32,
    F64,
    /// A struct, a tuple or an array.
    Fields,
    /// Elements of one type.
    Sequence,
    /// Keys and values in turn.
    Map,
    /// A variant of an enum, or an `Option`.
    Variant,
}

impl Kind {
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::F32 | Self::F64)
    }

    /// The bits of a number as an integer whose differences are small where the numbers are close. The inverse of [`Self::bits`].
    pub(crate) const fn line(self, bits: u64) -> u64 {
        match self {
            Self::F32 if bits >> 31 & 1 == 1 => !bits & 0x7FFF_FFFF,
            Self::F32 => bits | 0x8000_0000,
            Self::F64 if bits >> 63 == 1 => !bits,
            Self::F64 => bits | 1 << 63,
            _ => bits,
        }
    }

    pub(crate) const fn bits(self, line: u64) -> u64 {
        match self {
            Self::F32 if line >> 31 & 1 == 1 => line & 0x7FFF_FFFF,
            Self::F32 => !line & 0xFFFF_FFFF,
            Self::F64 if line >> 63 == 1 => line & !(1 << 63),
            Self::F64 => !line,
            _ => line,
        }
    }
}

/// A state as a list of nodes. Equal states have equal trees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// There are rounded numbers in it, so the game that it was saved from may be in another state.
    pub(crate) is_quantized: bool,
    depth: usize,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

impl Tree {
    /// The tree of a state.
    ///
    /// # Errors
    ///
    /// If the state's own serialization fails, or it is too large or nested too deep.
    pub(crate) fn new(state: &(impl Serialize + ?Sized)) -> Result<Self, TreeError> {
        let mut tree = Self::default();
        state.serialize(&mut tree)?;
        tree.depth = 0;
        Ok(tree)
    }

    /// Appends a node, and returns its index. A container must be closed.
    pub(crate) fn open(&mut self, kind: Kind, bits: u64) -> Result<usize, TreeError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(TreeError(format!("it has more than {MAX_NODES} values; save less")));
        }
        if !kind.is_number() {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(TreeError(format!("it is nested deeper than {MAX_DEPTH}; save less")));
            }
        }
        self.nodes.push(Node { bits, size: 1, kind });
        Ok(self.nodes.len() - 1)
    }

    /// Ends the container that begins at `at`.
    pub(crate) fn close(&mut self, at: usize) {
        self.depth = self.depth.saturating_sub(1);
        // There are at most `MAX_NODES`.
        self.nodes[at].size = (self.nodes.len() - at) as u32;
    }

    fn number(&mut self, kind: Kind, bits: u64) -> Result<(), TreeError> {
        self.open(kind, bits).map(|_| ())
    }

    fn container(&mut self, kind: Kind, bits: u64) -> Result<Container<'_>, TreeError> {
        let at = self.open(kind, bits)?;
        Ok(Container {
            tree: self,
            at,
            inner: None,
        })
    }

    /// The fields of a variant are one container within it.
    fn variant(&mut self, index: u32) -> Result<Container<'_>, TreeError> {
        let at = self.open(Kind::Variant, index.into())?;
        let inner = Some(self.open(Kind::Fields, 0)?);
        Ok(Container { tree: self, at, inner })
    }

    /// The nodes of a field, if this is a struct or a tuple.
    pub(crate) fn field(&self, index: usize) -> &[Node] {
        let mut fields = children(&self.nodes, 0);
        fields.nth(index).map_or(&[], |at| subtree(&self.nodes, at))
    }

    /// The bytes that it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }
}

/// The children of a container: where each begins, up to the container's end.
pub(crate) fn children(nodes: &[Node], at: usize) -> impl Iterator<Item = usize> {
    let end = nodes.get(at).map_or(at, |node| at + node.size as usize);
    let next = |child: &usize| nodes.get(*child).map(|node| child + node.size.max(1) as usize);
    std::iter::successors(Some(at + 1), next).take_while(move |child| *child < end)
}

/// The nodes that a node consists of.
pub(crate) fn subtree(nodes: &[Node], at: usize) -> &[Node] {
    let size = nodes.get(at).map_or(0, |node| node.size as usize);
    nodes.get(at..at + size).unwrap_or_default()
}

/// Why a state has no tree.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct TreeError(pub(crate) String);

impl ser::Error for TreeError {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl serde::de::Error for TreeError {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A container that is being written.
pub(crate) struct Container<'a> {
    tree: &'a mut Tree,
    at: usize,
    /// The fields of a variant.
    inner: Option<usize>,
}

impl Container<'_> {
    fn add(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), TreeError> {
        value.serialize(&mut *self.tree)
    }

    fn add_counted(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), TreeError> {
        self.tree.nodes[self.at].bits += 1;
        self.add(value)
    }

    fn close(self) -> Result<(), TreeError> {
        if let Some(inner) = self.inner {
            self.tree.close(inner);
        }
        self.tree.close(self.at);
        Ok(())
    }
}

macro_rules! numbers {
    ($($method:ident($ty:ty) = |$value:ident| $kind:ident, $bits:expr;)*) => {$(
        fn $method(self, $value: $ty) -> Result<(), TreeError> {
            self.number(Kind::$kind, $bits)
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Tree {
    type Ok = ();
    type Error = TreeError;
    type SerializeSeq = Container<'a>;
    type SerializeTuple = Container<'a>;
    type SerializeTupleStruct = Container<'a>;
    type SerializeTupleVariant = Container<'a>;
    type SerializeMap = Container<'a>;
    type SerializeStruct = Container<'a>;
    type SerializeStructVariant = Container<'a>;

    numbers! {
        serialize_bool(bool) = |value| Integer, value.into();
        serialize_i8(i8) = |value| Integer, value as u64;
        serialize_i16(i16) = |value| Integer, value as u64;
        serialize_i32(i32) = |value| Integer, value as u64;
        serialize_i64(i64) = |value| Integer, value as u64;
        serialize_u8(u8) = |value| Integer, value.into();
        serialize_u16(u16) = |value| Integer, value.into();
        serialize_u32(u32) = |value| Integer, value.into();
        serialize_u64(u64) = |value| Integer, value;
        serialize_f32(f32) = |value| F32, value.to_bits().into();
        serialize_f64(f64) = |value| F64, value.to_bits();
        serialize_char(char) = |value| Integer, u32::from(value).into();
    }

    fn serialize_i128(self, value: i128) -> Result<(), TreeError> {
        self.serialize_u128(value as u128)
    }

    fn serialize_u128(self, value: u128) -> Result<(), TreeError> {
        let mut fields = self.container(Kind::Fields, 0)?;
        fields.add(&(value as u64))?;
        fields.add(&((value >> 64) as u64))?;
        fields.close()
    }

    fn serialize_str(self, value: &str) -> Result<(), TreeError> {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), TreeError> {
        let mut sequence = self.container(Kind::Sequence, 0)?;
        value.iter().try_for_each(|byte| sequence.add_counted(byte))?;
        sequence.close()
    }

    fn serialize_none(self) -> Result<(), TreeError> {
        self.container(Kind::Variant, 0)?.close()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), TreeError> {
        let mut variant = self.container(Kind::Variant, 1)?;
        variant.add(value)?;
        variant.close()
    }

    fn serialize_unit(self) -> Result<(), TreeError> {
        self.container(Kind::Fields, 0)?.close()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), TreeError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), TreeError> {
        self.container(Kind::Variant, index.into())?.close()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), TreeError> {
        self.is_quantized |= name == QUANTIZED;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), TreeError> {
        let mut variant = self.container(Kind::Variant, index.into())?;
        variant.add(value)?;
        variant.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Container<'a>, TreeError> {
        self.container(Kind::Sequence, 0)
    }

    fn serialize_tuple(self, _: usize) -> Result<Container<'a>, TreeError> {
        self.container(Kind::Fields, 0)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Container<'a>, TreeError> {
        self.container(Kind::Fields, 0)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Container<'a>, TreeError> {
        self.variant(index)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Container<'a>, TreeError> {
        self.container(Kind::Map, 0)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Container<'a>, TreeError> {
        self.container(Kind::Fields, 0)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Container<'a>, TreeError> {
        self.variant(index)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! containers {
    ($($trait:ident $method:ident $add:ident $(($key:ty))?;)*) => {$(
        impl ser::$trait for Container<'_> {
            type Ok = ();
            type Error = TreeError;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Result<(), TreeError> {
                self.$add(value)
            }

            fn end(self) -> Result<(), TreeError> {
                self.close()
            }
        }
    )*};
}

containers! {
    SerializeSeq serialize_element add_counted;
    SerializeTuple serialize_element add;
    SerializeTupleStruct serialize_field add;
    SerializeTupleVariant serialize_field add;
    SerializeStruct serialize_field add (&'static str);
    SerializeStructVariant serialize_field add (&'static str);
}

impl ser::SerializeMap for Container<'_> {
    type Ok = ();
    type Error = TreeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), TreeError> {
        self.add_counted(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        self.add(value)
    }

    fn end(self) -> Result<(), TreeError> {
        self.close()
    }
}
