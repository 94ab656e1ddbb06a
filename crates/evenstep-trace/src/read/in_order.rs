//! Work on pieces of a file on all cores, with results in the order of the file.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::read::blocks::Filled;

/// Fills pieces, works on them, and takes them, in order. Filling and taking happen on the calling thread, work also on those of
/// rayon's pool that have nothing else to do; without the feature `parallel` on the calling thread alone.
///
/// At most a few pieces for each thread are in memory; they are used again. The first error in the order of the pieces ends it.
pub(crate) fn in_order<T: Default + Send, E>(
    mut fill: impl FnMut(&mut T) -> Result<Filled, E>,
    work: impl Fn(&mut T) + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), E>,
) -> Result<(), E> {
    let desk = Desk::default();
    with_helpers(
        || desk.help(&work),
        |helpers, call| {
            let most = 2 * helpers as u64 + 2;
            let (mut filled, mut taken) = (0, 0);
            let mut spare: Vec<T> = Vec::new();
            loop {
                let (mut is_short, mut end) = (false, None);
                while !is_short && end.is_none() && filled - taken < most {
                    let mut piece = spare.pop().unwrap_or_default();
                    match fill(&mut piece) {
                        Ok(Filled::End) => end = Some(Ok(())),
                        Err(error) => end = Some(Err(error)),
                        Ok(how) => {
                            is_short = how == Filled::Short;
                            // What came short is worked through before more is waited for.
                            if desk.add(filled, piece, if is_short { 0 } else { helpers }) {
                                call();
                            }
                            filled += 1;
                        }
                    }
                }
                let least = if is_short || end.is_some() { filled } else { taken + 1 };
                while taken < least {
                    let mut piece = desk.finish(taken, &work);
                    take(&mut piece)?;
                    spare.push(piece);
                    taken += 1;
                }
                if let Some(end) = end {
                    return end;
                }
            }
        },
    )
}

/// Runs `lead` with a number of helpers that there can be, and a function that calls one: another thread that runs `help`.
#[cfg(feature = "parallel")]
fn with_helpers<R>(help: impl Fn() + Sync, lead: impl FnOnce(usize, &dyn Fn()) -> R) -> R {
    let help = &help;
    let helpers = rayon::current_num_threads() - 1;
    rayon::in_place_scope(|scope| lead(helpers, &|| scope.spawn(move |_| help())))
}

#[cfg(not(feature = "parallel"))]
fn with_helpers<R>(_: impl Fn() + Sync, lead: impl FnOnce(usize, &dyn Fn()) -> R) -> R {
    lead(0, &|| ())
}

/// Pieces to be worked on, and those that are done.
struct Desk<T> {
    state: Mutex<State<T>>,
    is_done: Condvar,
}

struct State<T> {
    waiting: VecDeque<(u64, T)>,
    done: BTreeMap<u64, T>,
    helpers: usize,
}

impl<T> Default for Desk<T> {
    fn default() -> Self {
        let state = State {
            waiting: VecDeque::new(),
            done: BTreeMap::new(),
            helpers: 0,
        };
        Self {
            state: Mutex::new(state),
            is_done: Condvar::new(),
        }
    }
}

impl<T> Desk<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a piece. Returns whether another helper, of so many, should be called.
    fn add(&self, number: u64, piece: T, most_helpers: usize) -> bool {
        let mut state = self.state();
        state.waiting.push_back((number, piece));
        let needs_help = state.helpers < most_helpers;
        state.helpers += usize::from(needs_help);
        needs_help
    }

    /// Works on pieces while there are any.
    fn help(&self, work: impl Fn(&mut T)) {
        loop {
            let mut state = self.state();
            let Some((number, mut piece)) = state.waiting.pop_front() else {
                state.helpers -= 1;
                return;
            };
            drop(state);
            work(&mut piece);
            self.state().done.insert(number, piece);
            self.is_done.notify_one();
        }
    }

    /// A piece that is done. Works on pieces itself until it is.
    fn finish(&self, number: u64, work: impl Fn(&mut T)) -> T {
        let mut state = self.state();
        loop {
            if let Some(piece) = state.done.remove(&number) {
                return piece;
            }
            if let Some((number, mut piece)) = state.waiting.pop_front() {
                drop(state);
                work(&mut piece);
                state = self.state();
                state.done.insert(number, piece);
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
        fn pieces_are_worked_on_once_and_come_out_in_order(
            pieces in prop::collection::vec(any::<bool>(), 0..40),
            fails_to_fill in prop::option::of(0..40_usize),
            refused in prop::option::of(0..40_usize),
        ) {
            let (mut next, mut taken) = (0, Vec::new());
            let result = in_order(
                |piece: &mut (usize, usize)| {
                    *piece = (next, 0);
                    next += 1;
                    match pieces.get(piece.0) {
                        _ if fails_to_fill == Some(piece.0) => Err(("fill", piece.0)),
                        None => Ok(Filled::End),
                        Some(true) => Ok(Filled::Full),
                        Some(false) => Ok(Filled::Short),
                    }
                },
                |piece| piece.1 += 1,
                |piece| {
                    taken.push(*piece);
                    if refused == Some(piece.0) { Err(("take", piece.0)) } else { Ok(()) }
                },
            );
            let filled = pieces.len().min(fails_to_fill.unwrap_or(usize::MAX));
            let expected = match (fails_to_fill, refused) {
                (_, Some(refused)) if refused < filled => Err(("take", refused)),
                (Some(failed), _) if failed <= pieces.len() => Err(("fill", failed)),
                _ => Ok(()),
            };
            prop_assert_eq!(result, expected);
            let count = if let Err(("take", refused)) = expected { refused + 1 } else { filled };
            prop_assert_eq!(taken, (0..count).map(|number| (number, 1)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_comes_short_is_taken_before_more_is_waited_for() {
        let (filled, taken) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        let result: Result<(), ()> = in_order(
            |piece| {
                *piece = filled.get();
                assert_eq!(taken.get(), filled.get());
                filled.set(filled.get() + 1);
                Ok(if *piece < 5 { Filled::Short } else { Filled::End })
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
