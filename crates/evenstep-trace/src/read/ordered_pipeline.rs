//! Processes parts of a file on all cores, and returns the results in the order of the file.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::read::blocks::Filled;

/// Fills items, processes them, and takes the results, in order. The calling thread fills and takes; idle threads of rayon's pool help to
/// process. Without the feature `parallel`, the calling thread does everything.
///
/// Only a few items per thread are in memory, and their buffers are reused. The first error, in the order of the items, ends the
/// processing.
pub(crate) fn process_in_order<T: Default + Send, E>(
    mut fill: impl FnMut(&mut T) -> Result<Filled, E>,
    work: impl Fn(&mut T) + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), E>,
) -> Result<(), E> {
    let queue = OrderedQueue::default();
    with_workers(
        || queue.run_worker(&work),
        |workers, call| {
            let most = 2 * workers as u64 + 2;
            let (mut filled, mut taken) = (0, 0);
            let mut spare: Vec<T> = Vec::new();
            loop {
                let (mut is_short, mut end) = (false, None);
                while !is_short && end.is_none() && filled - taken < most {
                    let mut item = spare.pop().unwrap_or_default();
                    match fill(&mut item) {
                        Ok(Filled::End) => end = Some(Ok(())),
                        Err(error) => end = Some(Err(error)),
                        Ok(how) => {
                            is_short = how == Filled::Short;
                            // A short item is processed before the next read, because that may block.
                            if queue.add(filled, item, if is_short { 0 } else { workers }) {
                                call();
                            }
                            filled += 1;
                        }
                    }
                }
                let least = if is_short || end.is_some() { filled } else { taken + 1 };
                while taken < least {
                    let mut item = queue.finish(taken, &work);
                    take(&mut item)?;
                    spare.push(item);
                    taken += 1;
                }
                if let Some(end) = end {
                    return end;
                }
            }
        },
    )
}

/// Runs `lead` with the largest possible number of workers, and a function that starts a worker: a thread that runs `run_worker`.
#[cfg(feature = "parallel")]
fn with_workers<R>(run_worker: impl Fn() + Sync, lead: impl FnOnce(usize, &dyn Fn()) -> R) -> R {
    let run_worker = &run_worker;
    let workers = rayon::current_num_threads() - 1;
    rayon::in_place_scope(|scope| lead(workers, &|| scope.spawn(move |_| run_worker())))
}

#[cfg(not(feature = "parallel"))]
fn with_workers<R>(_: impl Fn() + Sync, lead: impl FnOnce(usize, &dyn Fn()) -> R) -> R {
    lead(0, &|| ())
}

/// A queue whose items many threads process, and which is emptied in order.
struct OrderedQueue<T> {
    state: Mutex<State<T>>,
    is_done: Condvar,
}

struct State<T> {
    waiting: VecDeque<(u64, T)>,
    done: BTreeMap<u64, T>,
    workers: usize,
}

impl<T> Default for OrderedQueue<T> {
    fn default() -> Self {
        let state = State {
            waiting: VecDeque::new(),
            done: BTreeMap::new(),
            workers: 0,
        };
        Self {
            state: Mutex::new(state),
            is_done: Condvar::new(),
        }
    }
}

impl<T> OrderedQueue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item. Returns whether another worker should be started, of at most `max_workers`.
    fn add(&self, number: u64, item: T, max_workers: usize) -> bool {
        let mut state = self.state();
        state.waiting.push_back((number, item));
        let needs_worker = state.workers < max_workers;
        state.workers += usize::from(needs_worker);
        needs_worker
    }

    /// Processes items until none is waiting.
    fn run_worker(&self, work: impl Fn(&mut T)) {
        loop {
            let mut state = self.state();
            let Some((number, mut item)) = state.waiting.pop_front() else {
                state.workers -= 1;
                return;
            };
            drop(state);
            work(&mut item);
            self.state().done.insert(number, item);
            self.is_done.notify_one();
        }
    }

    /// Returns the processed item with this number. Processes waiting items itself until it is done.
    fn finish(&self, number: u64, work: impl Fn(&mut T)) -> T {
        let mut state = self.state();
        loop {
            if let Some(item) = state.done.remove(&number) {
                return item;
            }
            if let Some((number, mut item)) = state.waiting.pop_front() {
                drop(state);
                work(&mut item);
                state = self.state();
                state.done.insert(number, item);
            } else {
                state = self.is_done.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_processed_once_and_returned_in_order(
            items in prop::collection::vec(any::<bool>(), 0..40),
            fails_to_fill in prop::option::of(0..40_usize),
            refused in prop::option::of(0..40_usize),
        ) {
            let (mut next, mut taken) = (0, Vec::new());
            let result = process_in_order(
                |item: &mut (usize, usize)| {
                    *item = (next, 0);
                    next += 1;
                    match items.get(item.0) {
                        _ if fails_to_fill == Some(item.0) => Err(("fill", item.0)),
                        None => Ok(Filled::End),
                        Some(true) => Ok(Filled::Full),
                        Some(false) => Ok(Filled::Short),
                    }
                },
                |item| item.1 += 1,
                |item| {
                    taken.push(*item);
                    if refused == Some(item.0) { Err(("take", item.0)) } else { Ok(()) }
                },
            );
            let filled = items.len().min(fails_to_fill.unwrap_or(usize::MAX));
            let expected = match (fails_to_fill, refused) {
                (_, Some(refused)) if refused < filled => Err(("take", refused)),
                (Some(failed), _) if failed <= items.len() => Err(("fill", failed)),
                _ => Ok(()),
            };
            prop_assert_eq!(result, expected);
            let count = if let Err(("take", refused)) = expected { refused + 1 } else { filled };
            prop_assert_eq!(taken, (0..count).map(|number| (number, 1)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_short_item_is_taken_before_the_next_read() {
        let (filled, taken) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        let result: Result<(), ()> = process_in_order(
            |item| {
                *item = filled.get();
                assert_eq!(taken.get(), filled.get());
                filled.set(filled.get() + 1);
                Ok(if *item < 5 { Filled::Short } else { Filled::End })
            },
            |_: &mut usize| (),
            |_| {
                taken.set(taken.get() + 1);
                Ok(())
            },
        );
        assert_eq!((result, taken.get()), (Ok(()), 5));
    }
}
