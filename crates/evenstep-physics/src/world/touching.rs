//! The pairs of shapes that touch, as the program knows them. The contacts that begin and end are the differences of this table, so that
//! a pair ends exactly if it has begun, also after a removal or a restore.

use evenstep::Tick;
use rustc_hash::FxHashMap;

use crate::contact::{Contact, ContactSide};
use crate::engine::{ContactKind, Engine};

/// The two shapes, and whether the first is a sensor.
type PairKey<E> = (<E as Engine>::ShapeHandle, <E as Engine>::ShapeHandle, bool);

/// The pairs whose begin was delivered and whose end was not.
pub(crate) struct Touching<E: Engine> {
    pairs: FxHashMap<PairKey<E>, Pair<E>>,
    /// The number of the next pair.
    next: u64,
}

/// A pair with its sides at its begin.
pub(super) struct Pair<E: Engine> {
    pub(super) first: ContactSide<E>,
    pub(super) second: ContactSide<E>,
    is_sensor: bool,
    /// Orders the pairs by their begins, which is the same on all machines and after a restore. The order of handles is not.
    number: u64,
}

impl<E: Engine> Touching<E> {
    pub(crate) fn new() -> Self {
        Self {
            pairs: FxHashMap::default(),
            next: 0,
        }
    }

    /// Enters the pair of a contact that begins. Returns whether it did not touch before.
    pub(super) fn begin(&mut self, contact: &Contact<E>) -> bool {
        let pair = Pair {
            first: contact.first,
            second: contact.second,
            is_sensor: is_sensor(&contact.kind),
            number: self.next,
        };
        let is_new = !self.pairs.contains_key(&pair.key());
        if is_new {
            self.pairs.insert(pair.key(), pair);
            self.next += 1;
        }
        is_new
    }

    /// Removes the pair of a contact that ends. Returns `None` if it has not begun.
    pub(super) fn end(&mut self, contact: &Contact<E>) -> Option<Pair<E>> {
        let (first, second) = (contact.first.shape, contact.second.shape);
        let is_sensor = is_sensor(&contact.kind);
        let pair = self.pairs.remove(&(first, second, is_sensor));
        pair.or_else(|| self.pairs.remove(&(second, first, is_sensor)))
    }

    /// The ends of the pairs of which a side no longer exists, in the order of their begins.
    pub(super) fn lost(
        &self,
        tick: Tick,
        exists: impl Fn(&ContactSide<E>) -> bool,
    ) -> impl Iterator<Item = Contact<E>> {
        let pairs = self.pairs.values();
        let mut lost: Vec<&Pair<E>> = pairs
            .filter(|pair| !(exists(&pair.first) && exists(&pair.second)))
            .collect();
        lost.sort_unstable_by_key(|pair| pair.number);
        lost.into_iter().map(move |pair| Contact {
            tick,
            first: pair.first,
            second: pair.second,
            kind: if pair.is_sensor {
                ContactKind::SensorEnd
            } else {
                ContactKind::End
            },
        })
    }

    /// Copies another table into this one, whose memory is reused.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.pairs.clone_from(&other.pairs);
        self.next = other.next;
    }

    /// Copies a saved table into this one, with each side as it is called after the restore.
    pub(super) fn restore(&mut self, saved: &Self, restored: impl Fn(ContactSide<E>) -> ContactSide<E>) {
        self.pairs.clear();
        self.pairs.extend(saved.pairs.values().map(|pair| {
            let (first, second) = (restored(pair.first), restored(pair.second));
            let pair = Pair { first, second, ..*pair };
            (pair.key(), pair)
        }));
        self.next = saved.next;
    }
}

impl<E: Engine> Pair<E> {
    fn key(&self) -> PairKey<E> {
        (self.first.shape, self.second.shape, self.is_sensor)
    }
}

// A derived implementation would require `E: Clone`.
impl<E: Engine> Clone for Pair<E> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

const fn is_sensor<V>(kind: &ContactKind<V>) -> bool {
    matches!(kind, ContactKind::SensorBegin | ContactKind::SensorEnd)
}
