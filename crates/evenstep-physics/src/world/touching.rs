//! The pairs of shapes that touch, as the program knows them. The contacts that begin and end are the differences of this table, so that
//! a pair ends exactly if it has begun, also after a removal or a restore.

use std::collections::hash_map::Entry;

use evenstep::Tick;
use rustc_hash::FxHashMap;

use crate::contact::{Contact, ContactSide};
use crate::engine::{ContactKind, Engine};

/// The two shapes, and whether the first is a sensor.
type PairKey<E> = (<E as Engine>::ShapeHandle, <E as Engine>::ShapeHandle, bool);

/// The pairs whose begin was delivered and whose end was not.
pub(crate) struct Touching<E: Engine> {
    /// The contact with which each pair began, and its number. Numbers order the pairs by their begins, which is the same on all machines and
    /// after a restore; the order of handles is not.
    pairs: FxHashMap<PairKey<E>, (u64, Contact<E>)>,
    /// The number of the next pair.
    next: u64,
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
        let Entry::Vacant(entry) = self.pairs.entry(key_of(contact)) else {
            return false;
        };
        entry.insert((self.next, *contact));
        self.next += 1;
        true
    }

    /// Removes the pair of a contact that ends, and returns the contact with which it began; `None` if it has not begun.
    pub(super) fn end(&mut self, contact: &Contact<E>) -> Option<Contact<E>> {
        let (first, second, is_sensor) = key_of(contact);
        let pair = self.pairs.remove(&(first, second, is_sensor));
        let (_, begin) = pair.or_else(|| self.pairs.remove(&(second, first, is_sensor)))?;
        Some(begin)
    }

    /// The ends of the pairs of which a side no longer exists, in the order of their begins.
    pub(super) fn lost(
        &self,
        tick: Tick,
        exists: impl Fn(&ContactSide<E>) -> bool,
    ) -> impl Iterator<Item = Contact<E>> {
        let pairs = self.pairs.values();
        let mut lost: Vec<_> = pairs
            .filter(|(_, begin)| !(exists(&begin.first) && exists(&begin.second)))
            .collect();
        lost.sort_unstable_by_key(|(number, _)| *number);
        lost.into_iter().map(move |(_, begin)| Contact {
            tick,
            kind: if is_sensor(&begin.kind) {
                ContactKind::SensorEnd
            } else {
                ContactKind::End
            },
            ..*begin
        })
    }

    /// Copies another table into this one, whose memory is reused.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.pairs.clone_from(&other.pairs);
        self.next = other.next;
    }

    /// Copies a saved table into this one, with the handles of the present.
    pub(super) fn restore(&mut self, saved: &Self, restored: impl Fn(&Contact<E>) -> Contact<E>) {
        self.pairs.clear();
        self.pairs.extend(saved.pairs.values().map(|(number, begin)| {
            let begin = restored(begin);
            (key_of(&begin), (*number, begin))
        }));
        self.next = saved.next;
    }
}

fn key_of<E: Engine>(contact: &Contact<E>) -> PairKey<E> {
    (contact.first.shape, contact.second.shape, is_sensor(&contact.kind))
}

const fn is_sensor<V>(kind: &ContactKind<V>) -> bool {
    matches!(kind, ContactKind::SensorBegin | ContactKind::SensorEnd)
}
