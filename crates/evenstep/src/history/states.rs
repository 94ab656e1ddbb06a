//! Stored states and inputs, for rewinding, scrubbing and rollback.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::history::{HistoryError, Rewind, SavedStates};
use crate::step::Step;
use crate::time::{Rate, Tick};

/// The recent past of a simulation: any recent tick can be restored.
///
/// It keeps every input, and the state of every n-th tick, because saving a state costs as much as several steps. Ticks in
/// between are simulated again from the last state before them. Games use it to rewind, to scrub, to play backwards, and to
/// roll back when another player's input arrives late.
///
/// ```
/// use evenstep::{Rate, Step};
/// use evenstep::history::{History, Rewind};
///
/// struct Counter(i64);
///
/// impl Rewind for Counter {
///     type Saved = i64;
///     type Input = i64;
///     fn save(&self) -> i64 {
///         self.0
///     }
///     fn restore(&mut self, saved: &i64) {
///         self.0 = *saved;
///     }
///     fn step(&mut self, _: &Step, input: &i64) {
///         self.0 = self.0 * 3 + input;
///     }
/// }
///
/// let mut counter = Counter(0);
/// let mut history = History::new(Rate::hz(60), 4, 1 << 20);
/// for tick in 0..10 {
///     history.step(&mut counter, tick);
/// }
/// let now = counter.0;
///
/// history.seek(&mut counter, 2)?; // after two steps
/// assert_eq!(counter.0, 1);
/// history.seek(&mut counter, 10)?;
/// assert_eq!(counter.0, now);
///
/// history.amend(&mut counter, [(5, 100)])?; // what a player did in tick 5 is only known now
/// assert_eq!(counter.0, now + (100 - 5) * 3_i64.pow(4));
/// # Ok::<(), evenstep::history::HistoryError>(())
/// ```
///
/// When a step exceeds the cap, the oldest state is removed, with the inputs up to the next one; the new state is expected to be as
/// large as the last, and reuses the memory of the removed state ([`Rewind::save_into`]). Seeking forgets nothing, and neither does
/// amending with inputs of the same size: they do not save states for which there is no room. With a cap below the size of one state
/// nothing is kept except the present.
///
/// # A simulation that borrows its world
///
/// A history holds states and inputs, and never the simulation: `S` is its [`Saved`](Rewind::Saved) and `I` its
/// [`Input`](Rewind::Input). So an engine that lends its world only for a call can make an adapter in each call:
///
/// ```
/// use evenstep::history::{History, HistoryError, Rewind};
/// use evenstep::{Rate, Step};
///
/// /// The engine owns it, and lends it to the game for a frame.
/// #[derive(Default)]
/// struct World {
///     heights: Vec<f64>,
/// }
///
/// struct Lent<'w>(&'w mut World);
///
/// impl Rewind for Lent<'_> {
///     type Saved = Vec<f64>;
///     type Input = f64;
///     fn save(&self) -> Vec<f64> {
///         self.0.heights.clone()
///     }
///     fn restore(&mut self, saved: &Vec<f64>) {
///         self.0.heights.clone_from(saved);
///     }
///     fn step(&mut self, step: &Step, push: &f64) {
///         self.0.heights.iter_mut().for_each(|height| *height += push * step.dt);
///     }
/// }
///
/// /// What the game keeps between frames.
/// struct Past(History<Vec<f64>, f64>);
///
/// impl Past {
///     fn frame(&mut self, world: &mut World, push: f64) -> Result<(), HistoryError> {
///         self.0.step(&mut Lent(world), push);
///         self.0.amend(&mut Lent(world), [(0, 6.0)])?;
///         Ok(())
///     }
/// }
///
/// let mut past = Past(History::new(Rate::hz(2), 10, 1 << 20));
/// let mut world = World { heights: vec![1.0] };
/// past.frame(&mut world, 2.0)?;
/// past.frame(&mut world, 2.0)?;
/// assert_eq!(world.heights, [5.0]);
/// # Ok::<(), HistoryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct History<S, I> {
    rate: Rate,
    every: u64,
    max_bytes: usize,
    /// States, oldest first; the first is at `first`, if there is any.
    states: SavedStates<S>,
    /// The inputs of the ticks from `first` on.
    inputs: VecDeque<Given<I>>,
    first: Tick,
    /// Where the simulation is.
    now: Tick,
    /// The total size of states and inputs.
    bytes: usize,
}

/// The input of a tick.
#[derive(Clone, Debug, PartialEq)]
struct Given<I> {
    /// Its size against the cap. It is computed once, so that the amount subtracted is the amount that was added.
    bytes: usize,
    input: I,
}

impl<S, I> History<S, I> {
    /// The history of a simulation that steps at `rate`, with a state every `every` ticks (at least 1) in at most
    /// `max_bytes` of memory.
    #[must_use]
    pub fn new(rate: Rate, every: u32, max_bytes: usize) -> Self {
        Self {
            rate,
            every: u64::from(every.max(1)),
            max_bytes,
            states: SavedStates::new(usize::MAX),
            inputs: VecDeque::new(),
            first: 0,
            now: 0,
            bytes: 0,
        }
    }

    /// Runs the next step with new input and remembers it. After a [`seek`](Self::seek) into the past, the former future is
    /// forgotten.
    pub fn step<W: Rewind<Saved = S, Input = I>>(&mut self, world: &mut W, input: I) {
        self.forget_after(self.now);
        let input_bytes = W::input_bytes(&input);
        if self.now >= self.next_save() {
            self.forget_oldest_if_full(input_bytes);
            self.save(world);
        }
        world.step(&Step::new(self.now, self.rate), &input);
        let bytes = self.take_room(input_bytes);
        self.inputs.push_back(Given { bytes, input });
        self.now += 1;
        self.make_room();
        self.states.free_spares();
    }

    /// Brings the simulation to the state before a tick, from the nearest saved state at or before it. Returns how many steps
    /// were simulated again. The future is kept until [`step`](Self::step) is called.
    ///
    /// # Errors
    ///
    /// If the tick is not kept. The simulation then stays where it is.
    pub fn seek<W: Rewind<Saved = S, Input = I>>(&mut self, world: &mut W, tick: Tick) -> Result<u64, HistoryError> {
        if tick == self.now {
            return Ok(0);
        }
        self.check(tick, self.newest() + 1)?;
        let steps = self.simulate_to(world, tick);
        self.states.free_spares();
        Ok(steps)
    }

    /// Seeks a tick that is kept.
    fn simulate_to<W: Rewind<Saved = S, Input = I>>(&mut self, world: &mut W, tick: Tick) -> u64 {
        // From where it is, if that is nearer.
        let kept = self.states.newest_at(tick);
        if let Some(kept) = kept.filter(|kept| self.now > tick || kept.tick > self.now) {
            world.restore(&kept.saved);
            self.now = kept.tick;
        }
        let steps = tick - self.now;
        let mut due = self.next_save();
        while self.now < tick {
            if self.now >= due {
                // A state for which there is no room is not kept: looking back forgets nothing.
                due = self.now + self.every;
                self.save(world);
                if self.bytes > self.max_bytes {
                    self.bytes -= self.states.retire_newest().unwrap_or(0);
                }
            }
            let Some(given) = self.inputs.get((self.now - self.first) as usize) else {
                break;
            };
            world.step(&Step::new(self.now, self.rate), &given.input);
            self.now += 1;
        }
        steps
    }

    /// Changes the inputs of ticks that have been simulated, and simulates again from the first of them. Returns how many steps
    /// were simulated again. Of several changes to a tick the last one counts.
    ///
    /// Inputs that are larger than those they replace may exceed the cap: then the oldest states are forgotten, and if that does not
    /// suffice, the states after the present.
    ///
    /// # Errors
    ///
    /// If one of the ticks is not kept. Then nothing is changed.
    pub fn amend<W: Rewind<Saved = S, Input = I>>(
        &mut self,
        world: &mut W,
        changes: impl IntoIterator<Item = (Tick, I)>,
    ) -> Result<u64, HistoryError> {
        let changes: Vec<_> = changes.into_iter().collect();
        for (tick, _) in &changes {
            self.check(*tick, self.newest())?;
        }
        let Some(earliest) = changes.iter().map(|(tick, _)| *tick).min() else {
            return Ok(0);
        };
        for (tick, input) in changes {
            let at = (tick - self.first) as usize;
            self.bytes -= self.inputs[at].bytes;
            let bytes = self.take_room(W::input_bytes(&input));
            self.inputs[at] = Given { bytes, input };
        }
        // States after it are no longer true.
        self.bytes -= self.states.retire_from(earliest + 1);
        let now = self.now;
        let mut steps = 0;
        if now > earliest {
            if let Some(kept) = self.states.newest() {
                world.restore(&kept.saved);
                self.now = kept.tick;
            }
            steps = self.simulate_to(world, now);
        }
        self.make_room();
        self.states.free_spares();
        Ok(steps)
    }

    /// The first tick that can be restored.
    #[must_use]
    pub fn oldest(&self) -> Tick {
        self.first
    }

    /// The last tick that can be restored: the number of steps up to the newest state.
    #[must_use]
    pub fn newest(&self) -> Tick {
        self.first + self.inputs.len() as u64
    }

    /// The memory of states and inputs in bytes. Never more than the cap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many states are saved.
    #[must_use]
    pub fn saved_states(&self) -> usize {
        self.states.len()
    }

    /// Whether a tick before `end` is kept.
    fn check(&self, tick: Tick, end: Tick) -> Result<(), HistoryError> {
        let (oldest, newest) = (self.first, end.saturating_sub(1));
        if self.states.is_empty() || !(oldest..end).contains(&tick) {
            return Err(HistoryError::NotKept { tick, oldest, newest });
        }
        Ok(())
    }

    /// The tick from which on the next state is to be saved.
    fn next_save(&self) -> Tick {
        self.states.newest().map_or(0, |kept| kept.tick + self.every)
    }

    /// Saves the state, in the memory of a forgotten one if there is any.
    fn save<W: Rewind<Saved = S>>(&mut self, world: &W) {
        let saved = self.states.save_into_spare(world);
        let bytes = self.take_room(W::bytes(&saved));
        self.states.append(self.now, bytes, saved);
    }

    /// Adds to the memory in use; returns the size that counts against the cap.
    fn take_room(&mut self, bytes: usize) -> usize {
        // Sizes that no memory has do not wrap around.
        let bytes = bytes.min(usize::MAX - self.bytes);
        self.bytes += bytes;
        bytes
    }

    fn forget_after(&mut self, tick: Tick) {
        let kept = tick.saturating_sub(self.first) as usize;
        for given in self.inputs.drain(kept.min(self.inputs.len())..) {
            self.bytes -= given.bytes;
        }
        self.bytes -= self.states.retire_from(tick + 1);
    }

    /// Forgets the oldest state if another one as large as the newest, with the input that follows it, would exceed the cap.
    fn forget_oldest_if_full(&mut self, input_bytes: usize) {
        let newest = self.states.newest().map_or(0, |kept| kept.bytes);
        let more = newest.saturating_add(input_bytes);
        if self.bytes.saturating_add(more) > self.max_bytes {
            self.forget_oldest();
        }
    }

    /// Forgets the oldest states and the inputs up to the next ones, until the cap holds. The state before the present is forgotten last,
    /// after the future.
    fn make_room(&mut self) {
        while self.bytes > self.max_bytes {
            let next = self.states.ticks().nth(1).unwrap_or(self.newest());
            if next > self.now {
                self.forget_after(self.now);
            } else if !self.forget_oldest() {
                return;
            }
        }
    }

    /// Returns whether there was one.
    fn forget_oldest(&mut self) -> bool {
        let Some(bytes) = self.states.retire_oldest() else {
            return false;
        };
        self.bytes -= bytes;
        let next = self.states.ticks().next().unwrap_or(self.now);
        let gone = (next - self.first).min(self.inputs.len() as u64);
        for given in self.inputs.drain(..gone as usize) {
            self.bytes -= given.bytes;
        }
        self.first = next;
        true
    }
}

#[cfg(test)]
mod tests;
