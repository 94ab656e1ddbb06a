//! Sorts rows by time within a bounded window, because files list them in the order of completion.

use std::collections::VecDeque;

use crate::read::row::Row;

/// How many rows may wait for earlier ones: far more than the frames that any program has in flight. With the row that arrives, 4096
/// entries fill the deque exactly; one more would double its memory.
pub(super) const WINDOW: usize = 4095;

/// Sorts rows by time. A row without a time stays after the row before it.
#[derive(Clone, Default)]
pub(super) struct ReorderBuffer {
    /// The waiting rows by time.
    waiting: VecDeque<Waiting>,
}

/// A row that waits for earlier ones.
#[derive(Clone)]
pub(super) struct Waiting {
    pub(super) chain: usize,
    pub(super) time: f64,
    pub(super) row: Row,
}

impl ReorderBuffer {
    /// Adds the next row of the file. While the buffer [is full](Self::is_full), the earliest row is to be taken.
    pub(super) fn push(&mut self, chain: usize, time: Option<f64>, row: Row) {
        let newest = self.waiting.back().map_or(f64::NEG_INFINITY, |waiting| waiting.time);
        let time = time.unwrap_or(newest);
        let row = Waiting { chain, time, row };
        if time >= newest {
            self.waiting.push_back(row);
        } else {
            let after = self.waiting.partition_point(|waiting| waiting.time <= time);
            self.waiting.insert(after, row);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() > WINDOW
    }

    /// Takes the earliest row.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        self.waiting.pop_front()
    }

    /// The rows that wait, the earliest first.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> + Clone {
        self.waiting.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of rows in the order in which the buffer gives them; a row is its time.
    fn sorted(times: &[Option<f64>]) -> Vec<u64> {
        let (mut buffer, mut lines) = (ReorderBuffer::default(), Vec::new());
        for (line, time) in (1..).zip(times) {
            buffer.push(0, *time, Row { line, ..Row::default() });
            if buffer.is_full() {
                lines.extend(buffer.pop().map(|waiting| waiting.row.line));
            }
        }
        lines.extend(std::iter::from_fn(|| buffer.pop()).map(|waiting| waiting.row.line));
        lines
    }

    #[test]
    fn rows_are_sorted_and_those_of_one_time_or_without_one_keep_their_order() {
        let times = [3.0, 1.0, 2.0, 1.0].map(Some);
        assert_eq!(sorted(&times), [2, 4, 3, 1]);
        assert_eq!(sorted(&[Some(2.0), None, Some(1.0), None, Some(2.0)]), [3, 1, 2, 4, 5]);
    }

    #[test]
    fn a_row_is_sorted_if_it_is_as_late_as_the_window_is_long_and_no_later() {
        for late in [WINDOW - 1, WINDOW, WINDOW + 1] {
            let mut times: Vec<Option<f64>> = (0..late).map(|n| Some(1.0 + n as f64)).collect();
            times.push(Some(0.0));
            assert_eq!(sorted(&times)[0] == times.len() as u64, late <= WINDOW, "{late}");
        }
    }
}
