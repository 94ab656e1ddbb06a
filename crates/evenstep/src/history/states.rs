//! Stored states and inputs, for rewinding, scrubbing and rollback.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::history::{HistoryError, Rewind, SavedStates};
use crate::step::Step;
use crate::time::{Rate, Tick};

/// The recent past of a simulation: any recent tick can be restored.
///
/// It keeps every input, and the state of every n-th tick, because saving a state costs the time of several steps. Ticks in
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
/// let mut history = History::new(Rate::hz(60), 4, 100);
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
/// At the limit, the next state replaces the oldest, reuses its memory ([`Rewind::save_into`]), and drops the inputs before the next-oldest
/// state. Only [`step`](Self::step) forgets ticks: seeking and amending do not.
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
/// let mut past = Past(History::new(Rate::hz(2), 10, 6));
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
    /// Those of the ticks that `every` divides, but for the last ones after an amendment of the past.
    states: SavedStates<S>,
    /// The inputs of the ticks from the first state on.
    inputs: VecDeque<I>,
    /// Where the simulation is.
    now: Tick,
}

impl<S, I> History<S, I> {
    /// The history of a simulation that steps at `rate`, with a state every `every` ticks and at most `max_states` of them, both at least
    /// 1. It reaches back by `every × max_states` ticks, or by up to `every − 1` less.
    #[must_use]
    pub fn new(rate: Rate, every: u32, max_states: usize) -> Self {
        Self {
            rate,
            every: u64::from(every.max(1)),
            states: SavedStates::new(max_states.max(1)),
            inputs: VecDeque::new(),
            now: 0,
        }
    }

    /// Runs the next step with new input and remembers it. After a [`seek`](Self::seek) into the past, the former future is
    /// forgotten.
    pub fn step<W: Rewind<Saved = S, Input = I>>(&mut self, world: &mut W, input: I) {
        self.inputs.truncate((self.now - self.oldest()) as usize);
        self.states.retire_from(self.now + 1);
        self.save_if_due(world);
        world.step(&Step::new(self.now, self.rate), &input);
        self.inputs.push_back(input);
        self.now += 1;
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
        // From where it is, if that is nearer.
        let nearest = self
            .states
            .newest_at(tick)
            .filter(|kept| self.now > tick || *kept > self.now);
        Ok(self.simulate(world, nearest, tick))
    }

    /// Changes the inputs of ticks that have been simulated, and simulates again from the first of them. Returns how many steps
    /// were simulated again. Of several changes to a tick the last one counts.
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
        let oldest = self.oldest();
        for (tick, input) in changes {
            self.inputs[(tick - oldest) as usize] = input;
        }
        // States after it are no longer true.
        self.states.retire_from(earliest + 1);
        if self.now <= earliest {
            return Ok(0);
        }
        Ok(self.simulate(world, self.states.newest_at(earliest), self.now))
    }

    /// Simulates again up to a tick, from a saved state or from where it is. Returns how many steps that took.
    fn simulate<W: Rewind<Saved = S, Input = I>>(&mut self, world: &mut W, from: Option<Tick>, to: Tick) -> u64 {
        if let Some((tick, saved)) = from.and_then(|tick| Some((tick, self.states.get(tick)?))) {
            world.restore(saved);
            self.now = tick;
        }
        let steps = to - self.now;
        for _ in 0..steps {
            self.save_if_due(world);
            let input = &self.inputs[(self.now - self.oldest()) as usize];
            world.step(&Step::new(self.now, self.rate), input);
            self.now += 1;
        }
        steps
    }

    /// The first tick that can be restored.
    #[must_use]
    pub fn oldest(&self) -> Tick {
        self.states.ticks().next().unwrap_or(self.now)
    }

    /// The last tick that can be restored: the number of steps up to the newest state.
    #[must_use]
    pub fn newest(&self) -> Tick {
        self.oldest() + self.inputs.len() as u64
    }

    /// Whether a tick before `end` is kept.
    fn check(&self, tick: Tick, end: Tick) -> Result<(), HistoryError> {
        let (oldest, newest) = (self.oldest(), end.saturating_sub(1));
        if self.states.is_empty() || !(oldest..end).contains(&tick) {
            return Err(HistoryError::NotKept { tick, oldest, newest });
        }
        Ok(())
    }

    /// Saves the state if its tick is due for it, and drops the inputs before the oldest state.
    fn save_if_due<W: Rewind<Saved = S>>(&mut self, world: &W) {
        if self.now % self.every == 0 && self.states.get(self.now).is_none() {
            let before = self.oldest();
            self.states.save(self.now, world);
            self.inputs.drain(..(self.oldest() - before) as usize);
        }
    }
}

#[cfg(test)]
mod tests;
