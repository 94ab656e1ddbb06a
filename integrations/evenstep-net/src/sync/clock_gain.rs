//! Clock gain: by how much simulated time has run ahead of the real clock.

use evenstep::TimeScale;

/// Upper bound of the gain in nanoseconds, either way: 36 years.
pub(super) const MAX_GAIN: i64 = 1 << 60;

/// Later simulated times, in nanoseconds, are clamped to this.
const MAX_SIMULATED: i128 = 1 << 93;

/// How much simulated time has gained on the clock, corrected by the server's speed, in nanoseconds of real time. Clamped frames, pauses of this machine alone and
/// steps that were given back reduce it.
///
/// While the game is paused neither clock counts. In slow motion, where 1 ms of simulated time takes 10 ms, a skipped step
/// gains ten times its length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClockGain {
    game: TimeScale,
    server_speed: i64,
    /// Both times when one of these changed last, and gain and running time until then in nanoseconds.
    anchor: Times,
    gain: i64,
    running: i64,
    /// The newest times.
    times: Times,
    has_begun: bool,
}

/// A clock time and the simulated time at that moment, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) now: i128,
    pub(super) simulated: i128,
}

impl ClockGain {
    /// The newest times; none before the first.
    pub(super) fn times(&self) -> Option<Times> {
        self.has_begun.then_some(self.times)
    }

    /// The game's own time scale.
    pub(super) const fn game(&self) -> TimeScale {
        self.game
    }

    /// Takes the times of this machine. A clock that goes back counts as one that stood still; simulated time that goes back continues
    /// from the new value without a loss.
    pub(super) fn follow(&mut self, now: i128, simulated: i128) {
        let simulated = simulated.min(MAX_SIMULATED);
        let now = now.max(self.times.now);
        if !self.has_begun {
            self.times = Times { now, simulated };
            self.anchor = self.times;
            self.has_begun = true;
        }
        self.times.now = now;
        if simulated < self.times.simulated {
            self.move_anchor();
            self.anchor.simulated = simulated;
        }
        self.times.simulated = simulated;
    }

    /// Sets the time scale of the game from now on, and the [speed of the server](super::server_speed::ServerSpeed) that the clock is corrected by.
    pub(super) fn set(&mut self, game: TimeScale, server_speed: i64) {
        if game != self.game || server_speed != self.server_speed {
            self.move_anchor();
            (self.game, self.server_speed) = (game, server_speed);
        }
    }

    /// Before the game's time scale changes: it should have changed already this long before, in simulated nanoseconds, when the tick began.
    pub(super) fn change_within(&mut self, overstep: i128, game: TimeScale) {
        if !self.game.is_paused() && !game.is_paused() {
            let before = in_real_time(overstep, self.game);
            self.gain = bounded(i128::from(self.gain) + in_real_time(overstep, game) - before);
        }
    }

    fn move_anchor(&mut self) {
        (self.gain, self.running) = (self.now(), self.running_time());
        self.anchor = self.times;
    }

    /// The gain until now, in nanoseconds.
    pub(super) fn now(&self) -> i64 {
        if self.game.is_paused() {
            return self.gain;
        }
        let real = self.in_real_time(self.times.simulated - self.anchor.simulated);
        let passed = (self.times.now - self.anchor.now) * i128::from(10_000 + self.server_speed) / 10_000;
        bounded(i128::from(self.gain) + real - passed)
    }

    /// Counts skipped ticks, of this length in simulated nanoseconds.
    pub(super) fn skip(&mut self, simulated: i128) {
        let real = self.in_real_time(simulated);
        self.gain = bounded(i128::from(self.gain) + real);
    }

    /// How long the game has run, pauses aside, in nanoseconds of real time.
    pub(super) fn running_time(&self) -> i64 {
        let since = if self.game.is_paused() {
            0
        } else {
            self.times.now - self.anchor.now
        };
        bounded(i128::from(self.running) + since)
    }

    /// A length of simulated time in real nanoseconds, less than 2^126; zero in a pause.
    pub(super) fn in_real_time(&self, simulated: i128) -> i128 {
        in_real_time(simulated, self.game)
    }
}

fn in_real_time(simulated: i128, game: TimeScale) -> i128 {
    let simulated = simulated.clamp(-2 * MAX_SIMULATED, 2 * MAX_SIMULATED);
    let (numer, denom) = (i128::from(game.numer()), i128::from(game.denom()));
    (simulated * denom).checked_div_euclid(numer).unwrap_or(0)
}

/// Clamps a gain to its bound.
pub(super) fn bounded(nanos: i128) -> i64 {
    nanos.clamp(-i128::from(MAX_GAIN), MAX_GAIN.into()) as i64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_gain_is_the_sum_of_that_of_all_frames(
            // How much later by the clock and in simulated time, in nanoseconds; a skipped length; another speed of the game and of the server.
            frames in prop::collection::vec(
                (-10_000_000..100_000_000_i128, -10_000_000..100_000_000_i128, 0..3_u8, prop::option::of((0..4_u32, 1..5_u32, -500..300_i64))),
                1..100,
            ),
        ) {
            let mut clock = ClockGain::default();
            let (mut game, mut server_speed, mut times) = (TimeScale::NORMAL, 0, Times::default());
            let (mut gain, mut running, mut rounded) = (0.0, 0, 1.0);
            clock.follow(0, 0);
            for (passed, stepped, skip, change) in frames {
                let (now, simulated) = (times.now + passed, times.simulated + stepped);
                let (passed, stepped) = (passed.max(0), stepped.max(0));
                clock.follow(now, simulated);
                times = Times { now: now.max(times.now), simulated };
                let in_real_time = |simulated: i128| simulated as f64 * f64::from(game.denom()) / f64::from(game.numer());
                if !game.is_paused() {
                    gain += in_real_time(stepped) - passed as f64 * (10_000 + server_speed) as f64 / 10_000.0;
                    running += passed;
                }
                if skip == 0 {
                    clock.skip(16_666_667);
                    gain += if game.is_paused() { 0.0 } else { in_real_time(16_666_667) };
                }
                if let Some((numer, denom, to)) = change {
                    (game, server_speed) = (TimeScale::new(numer, denom).unwrap(), to);
                    clock.set(game, server_speed);
                }
                rounded += 4.0; // nanoseconds, where the speed changes, simulated time goes back, or a step is skipped
                prop_assert!((clock.now() as f64 - gain).abs() < rounded, "{} ns, not {gain}", clock.now());
                prop_assert_eq!(i128::from(clock.running_time()), running);
                prop_assert_eq!(clock.times(), Some(times));
            }
        }
    }
}
