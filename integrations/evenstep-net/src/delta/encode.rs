//! Writes a state as its difference from another one.

use crate::delta::model::{Model, ROOT};
use crate::delta::range_coder::Writer;
use crate::delta::tree::{Kind, Node, Tree, children, subtree};

/// A key of a map is looked for among this number of entries of the other state's map, from the one after the last that was found.
pub(super) const MAX_SKIPPED: u64 = 64;

/// The difference of a state from another one of the same type, or the whole state.
pub(crate) fn encode(state: &Tree, before: Option<&Tree>) -> Vec<u8> {
    let mut encoder = Encoder {
        state: &state.nodes,
        before: before.map_or(&[], |before| &before.nodes),
        model: Model::new(),
        writer: Writer::new(),
    };
    if !state.nodes.is_empty() {
        encoder.node(0, before.map(|_| 0), ROOT);
    }
    encoder.writer.finish()
}

struct Encoder<'a> {
    state: &'a [Node],
    before: &'a [Node],
    model: Model,
    writer: Writer,
}

impl Encoder<'_> {
    fn node(&mut self, at: usize, before: Option<usize>, context: usize) {
        let Node { bits, kind, .. } = self.state[at];
        let before = comparable(self.before, before, kind);
        if kind.is_number() {
            let before = before.map(|before| kind.line(self.before[before].bits));
            self.model.number(context, &mut self.writer, before, kind.line(bits));
            return;
        }
        if let Some(before) = before {
            let differs = subtree(self.state, at) != subtree(self.before, before);
            if !self.model.differs(context, &mut self.writer, differs) {
                return;
            }
        }
        if kind != Kind::Fields {
            let before = before.map(|before| self.before[before].bits);
            self.model.number(context, &mut self.writer, before, bits);
        }
        let state = self.state;
        match kind {
            Kind::Map => self.entries(at, before, context),
            Kind::Variant => {
                let before = before.filter(|before| self.before[*before].bits == bits);
                let context = self.model.child(context, bits as usize);
                if let Some(child) = children(state, at).next() {
                    self.node(child, before.map(|before| before + 1), context);
                }
            }
            _ => {
                let others = self.before;
                let mut others = before.map(|before| children(others, before));
                for (index, child) in children(state, at).enumerate() {
                    let index = if kind == Kind::Fields { index } else { 0 };
                    let context = self.model.child(context, index);
                    let before = others.as_mut().and_then(Iterator::next);
                    self.node(child, before, context);
                }
            }
        }
    }

    /// The entries of a map: those of the other state are found by their keys.
    fn entries(&mut self, at: usize, before: Option<usize>, context: usize) {
        let [skips, keys, values] = [0, 1, 2].map(|index| self.model.child(context, index));
        let (state, other) = (self.state, self.before);
        let mut others = before.map(|before| Entries::new(other, before)).unwrap_or_default();
        let mut nodes = children(state, at);
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            let is_key = |entry: &(usize, usize)| subtree(other, entry.0) == subtree(state, key);
            let found = if others.0.as_slice().is_empty() {
                None
            } else {
                let skipped = others.0.as_slice().iter().take(MAX_SKIPPED as usize).position(is_key);
                let skip = skipped.map_or(MAX_SKIPPED, |skipped| skipped as u64);
                self.model.number(skips, &mut self.writer, Some(0), skip);
                others.find(skip)
            };
            if found.is_none() {
                self.node(key, None, keys);
            }
            self.node(value, found.map(|(_, value)| value), values);
        }
    }
}

/// The entries of a map that were not passed yet: where the key and the value of each begin.
#[derive(Default)]
pub(super) struct Entries(pub(super) std::vec::IntoIter<(usize, usize)>);

impl Entries {
    pub(super) fn new(nodes: &[Node], at: usize) -> Self {
        let (mut nodes, mut entries) = (children(nodes, at), Vec::new());
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            entries.push((key, value));
        }
        Self(entries.into_iter())
    }

    /// The entry after `skip` others, unless that says that there is none.
    pub(super) fn find(&mut self, skip: u64) -> Option<(usize, usize)> {
        if skip < MAX_SKIPPED {
            self.0.nth(skip as usize)
        } else {
            None
        }
    }
}

/// The node of the other state, if it is of the same kind.
pub(super) fn comparable(before: &[Node], at: Option<usize>, kind: Kind) -> Option<usize> {
    at.filter(|at| before.get(*at).is_some_and(|node| node.kind == kind))
}
