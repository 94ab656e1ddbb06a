use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::history::{HistoryError, Rewind};
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
/// When a step exceeds the cap, the oldest state goes, with the inputs up to the next one; the new one is expected to be as
/// large as the last, and takes the memory of the one that goes ([`Rewind::save_into`]). Seeking and amending forget nothing:
/// they do not save states for which there is no room. With a cap below the size of one state nothing is kept, and only the
/// present is there.
#[derive(Clone, Debug, PartialEq)]
pub struct History<W: Rewind> {
    rate: Rate,
    every: u64,
    max_bytes: usize,
    /// States, oldest first; the first is at `first`, if there is any.
    states: VecDeque<Kept<W::Saved>>,
    /// The inputs of the ticks from `first` on.
    inputs: VecDeque<W::Input>,
    first: Tick,
    /// Where the simulation is.
    now: Tick,
    /// What the states take.
    bytes: usize,
}

/// The state before a tick.
#[derive(Clone, Debug, PartialEq)]
struct Kept<S> {
    tick: Tick,
    /// What it counts for against the cap: asked once, so that what is taken away is what was added.
    bytes: usize,
    saved: S,
}

impl<W: Rewind> History<W> {
    /// The history of a simulation that steps at `rate`, with a state every `every` ticks (at least 1) in at most
    /// `max_bytes` of memory.
    #[must_use]
    pub fn new(rate: Rate, every: u32, max_bytes: usize) -> Self {
        Self {
            rate,
            every: u64::from(every.max(1)),
            max_bytes,
            states: VecDeque::new(),
            inputs: VecDeque::new(),
            first: 0,
            now: 0,
            bytes: 0,
        }
    }

    /// Runs the next step with new input and remembers it. After a [`seek`](Self::seek) into the past, the former future is
    /// forgotten.
    pub fn step(&mut self, world: &mut W, input: W::Input) {
        let mut spares = self.forget_after(self.now);
        if self.now >= self.next_save() {
            spares.extend(self.forget_oldest_if_full());
            self.save(world, spares.pop());
        }
        world.step(&Step::new(self.now, self.rate), &input);
        self.inputs.push_back(input);
        self.now += 1;
        self.make_room();
    }

    /// Brings the simulation to the state before a tick, from the nearest saved state at or before it. Returns how many steps
    /// were simulated again. The future is kept until [`step`](Self::step) is called.
    ///
    /// # Errors
    ///
    /// If the tick is not kept. The simulation then stays where it is.
    pub fn seek(&mut self, world: &mut W, tick: Tick) -> Result<u64, HistoryError> {
        if tick == self.now {
            return Ok(0);
        }
        self.check(tick, self.newest())?;
        Ok(self.simulate_to(world, tick, Vec::new()))
    }

    /// Seeks a tick that is kept. States that are saved on the way take the memory of `spares`.
    fn simulate_to(&mut self, world: &mut W, tick: Tick, mut spares: Vec<W::Saved>) -> u64 {
        // From where it is, if that is nearer.
        let kept = self.states.iter().rev().find(|kept| kept.tick <= tick);
        if let Some(kept) = kept.filter(|kept| self.now > tick || kept.tick > self.now) {
            world.restore(&kept.saved);
            self.now = kept.tick;
        }
        let steps = tick - self.now;
        let mut due = self.next_save();
        while self.now < tick {
            if self.now >= due {
                // What has no room is not kept: looking back forgets nothing.
                due = self.now + self.every;
                self.save(world, spares.pop());
                if self.bytes() > self.max_bytes {
                    spares.extend(self.drop_newest_state());
                }
            }
            let Some(input) = self.inputs.get((self.now - self.first) as usize) else {
                break;
            };
            world.step(&Step::new(self.now, self.rate), input);
            self.now += 1;
        }
        steps
    }

    /// Changes the inputs of ticks that have been simulated, and simulates again from the first of them. Returns how many steps
    /// were simulated again. Of several changes to a tick the last one counts.
    ///
    /// # Errors
    ///
    /// If one of the ticks is not kept. Then nothing is changed.
    pub fn amend(
        &mut self,
        world: &mut W,
        changes: impl IntoIterator<Item = (Tick, W::Input)>,
    ) -> Result<u64, HistoryError> {
        let changes: Vec<_> = changes.into_iter().collect();
        for (tick, _) in &changes {
            self.check(*tick, self.newest().saturating_sub(1))?;
        }
        let Some(earliest) = changes.iter().map(|(tick, _)| *tick).min() else {
            return Ok(0);
        };
        for (tick, input) in changes {
            self.inputs[(tick - self.first) as usize] = input;
        }
        // States after it are no longer true.
        let spares = self.drop_states_after(earliest);
        let now = self.now;
        if now <= earliest {
            return Ok(0);
        }
        if let Some(kept) = self.states.back() {
            world.restore(&kept.saved);
            self.now = kept.tick;
        }
        Ok(self.simulate_to(world, now, spares))
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
        self.bytes.saturating_add(self.inputs.len() * size_of::<W::Input>())
    }

    /// How many states are saved.
    #[must_use]
    pub fn saved_states(&self) -> usize {
        self.states.len()
    }

    fn check(&self, tick: Tick, newest: Tick) -> Result<(), HistoryError> {
        let oldest = self.first;
        if self.states.is_empty() || tick < oldest || tick > newest {
            return Err(HistoryError::NotKept { tick, oldest, newest });
        }
        Ok(())
    }

    /// The tick from which on the next state is to be saved.
    fn next_save(&self) -> Tick {
        self.states.back().map_or(0, |kept| kept.tick + self.every)
    }

    /// Saves a state, in the memory of another one if there is one to spare.
    fn save(&mut self, world: &W, spare: Option<W::Saved>) {
        let saved = match spare {
            Some(mut saved) => {
                world.save_into(&mut saved);
                saved
            }
            None => world.save(),
        };
        // Sizes that no memory has do not wrap around.
        let bytes = W::bytes(&saved).min(usize::MAX - self.bytes);
        self.bytes += bytes;
        self.states.push_back(Kept {
            tick: self.now,
            bytes,
            saved,
        });
    }

    fn forget_after(&mut self, tick: Tick) -> Vec<W::Saved> {
        self.inputs.truncate(tick.saturating_sub(self.first) as usize);
        self.drop_states_after(tick)
    }

    fn drop_states_after(&mut self, tick: Tick) -> Vec<W::Saved> {
        let mut dropped = Vec::new();
        while self.states.back().is_some_and(|kept| kept.tick > tick) {
            dropped.extend(self.drop_newest_state());
        }
        dropped
    }

    fn drop_newest_state(&mut self) -> Option<W::Saved> {
        let kept = self.states.pop_back()?;
        self.bytes -= kept.bytes;
        Some(kept.saved)
    }

    /// Forgets the oldest state if another one as large as the newest would exceed the cap.
    fn forget_oldest_if_full(&mut self) -> Option<W::Saved> {
        let more = self.states.back()?.bytes.saturating_add(size_of::<W::Input>());
        (self.bytes().saturating_add(more) > self.max_bytes).then(|| self.forget_oldest())?
    }

    /// Forgets the oldest state, and what leads from it to the next, until the cap holds.
    fn make_room(&mut self) {
        while self.bytes() > self.max_bytes && self.forget_oldest().is_some() {}
    }

    fn forget_oldest(&mut self) -> Option<W::Saved> {
        let kept = self.states.pop_front()?;
        self.bytes -= kept.bytes;
        let next = self.states.front().map_or(self.now, |kept| kept.tick);
        let gone = (next - self.first).min(self.inputs.len() as u64);
        self.inputs.drain(..gone as usize);
        self.first = next;
        Some(kept.saved)
    }
}

#[cfg(test)]
mod tests;
