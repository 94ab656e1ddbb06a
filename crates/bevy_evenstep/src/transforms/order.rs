/// Entities of a run, on average, below which their places are out of order.
const WORTH_A_RUN: usize = 8;

/// Fewer entities are fast in any order.
const FEW: usize = 256;

/// Steps between two times at which all get new places, at least.
const PATIENCE: u32 = 60;

/// How well the places of states follow the rows in which the entities lie: those that come and go mix them up.
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

    /// Whether it is worth giving new places, of which `free` are not taken. Who hears so does it.
    pub(super) fn is_lost(&mut self, free: usize, taken: usize) -> bool {
        let is_mixed = self.entities >= FEW && self.runs * WORTH_A_RUN > self.entities;
        let is_lost = is_mixed || (free >= FEW && free > taken);
        if is_lost && self.waited < self.patience {
            return false;
        }
        let grown = self.patience.saturating_mul(2);
        self.patience = if is_lost { grown } else { PATIENCE };
        if is_lost {
            self.waited = 0;
        }
        is_lost
    }
}
