//! Decides when poses are sorted by the rows of their entities again.

/// Entities of a run, on average, below which their places are out of order.
const WORTH_A_RUN: usize = 8;

/// Fewer entities are fast in any order.
const FEW: usize = 256;

/// Steps between two times at which all get new places, at least.
const PATIENCE: u32 = 60;

/// How well the order of stored states matches the order of the rows of entities: entities that come and go mix them up.
#[derive(Debug)]
pub(super) struct Order {
    entities: usize,
    runs: usize,
    /// Steps since all got new places.
    waited: u32,
    /// Steps to wait. Where new places do not help, as with many small tables, it grows.
    patience: u32,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            entities: 0,
            runs: 0,
            waited: 0,
            patience: PATIENCE,
        }
    }
}

impl Order {
    pub(super) fn begin_step(&mut self) {
        (self.entities, self.runs) = (0, 0);
        self.waited = self.waited.saturating_add(1);
    }

    /// Counts a run of entities that a step has moved.
    pub(super) fn count(&mut self, entities: usize) {
        self.entities += entities;
        self.runs += 1;
    }

    /// Whether to give all entities new places, of which `free` are not taken. A caller that gets `true` does it.
    pub(super) fn should_compact(&mut self, free: usize, taken: usize) -> bool {
        let is_mixed = self.entities >= FEW && self.runs * WORTH_A_RUN > self.entities;
        let should_compact = is_mixed || (free >= FEW && free > taken);
        if should_compact && self.waited < self.patience {
            return false;
        }
        let grown = self.patience.saturating_mul(2);
        self.patience = if should_compact { grown } else { PATIENCE };
        if should_compact {
            self.waited = 0;
        }
        should_compact
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of some hundred before which all get new places.
    fn lost_before(free: usize, entities_of_a_run: usize) -> Vec<u32> {
        let mut order = Order::default();
        let should_compact = |step: &u32| {
            let should_compact = order.should_compact(free, 512);
            order.begin_step();
            (0..512 / entities_of_a_run).for_each(|_| order.count(entities_of_a_run));
            should_compact && *step > 0
        };
        (0..500).filter(should_compact).collect()
    }

    #[test]
    fn unordered_rows_are_reassigned_and_less_and_less_often_where_that_does_not_help() {
        assert_eq!(lost_before(0, 1), [60, 180, 420]);
    }

    #[test]
    fn places_in_order_are_kept_unless_most_are_free() {
        assert!(lost_before(512, 32).is_empty());
        assert_eq!(lost_before(513, 32), [60, 180, 420]);
    }
}
