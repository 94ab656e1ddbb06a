use crate::time::TimeScale;

/// No machine is farther ahead of its clock or behind it, in nanoseconds: 36 years.
pub(super) const FARTHEST: i64 = 1 << 60;

/// The latest simulated time that counts, in nanoseconds.
const LATEST: i128 = 1 << 93;

/// How much simulated time has gained on the clock, in real nanoseconds: less what was lost by frames that were too long, by
/// pauses that only this machine made, and by steps that were given back.
///
/// While the game is paused neither counts. So in slow motion, where 1 ms of simulated time takes 10 ms, a step that is left out
/// gains ten times as much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gained {
    game: TimeScale,
    /// Clock, simulated time, and what had been gained and run when the game's time scale changed last.
    anchor: Place,
    gained: i64,
    ran: i64,
    place: Place,
    has_begun: bool,
}

/// A clock and a simulated time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) now: i128,
    pub(super) simulated: i128,
}

impl Gained {
    pub(super) const fn new() -> Self {
        let zero = Place { now: 0, simulated: 0 };
        Self {
            game: TimeScale::NORMAL,
            anchor: zero,
            gained: 0,
            ran: 0,
            place: zero,
            has_begun: false,
        }
    }

    /// Where this machine was told to be last; none before that.
    pub(super) fn place(&self) -> Option<Place> {
        self.has_begun.then_some(self.place)
    }

    /// The game's own time scale.
    pub(super) const fn game(&self) -> TimeScale {
        self.game
    }

    /// Takes where this machine is. A clock that goes back has stood still, and simulated time that goes back has begun anew where
    /// it was.
    pub(super) fn follow(&mut self, now: i128, simulated: i128) {
        let simulated = simulated.min(LATEST);
        let now = now.max(self.place.now);
        if !self.has_begun {
            self.place = Place { now, simulated };
            self.anchor = self.place;
            self.has_begun = true;
        }
        self.place.now = now;
        if simulated < self.place.simulated {
            self.drop_anchor();
            self.anchor.simulated = simulated;
        }
        self.place.simulated = simulated;
    }

    /// From now on the game runs at this speed.
    pub(super) fn set_game(&mut self, game: TimeScale) {
        if game != self.game {
            self.drop_anchor();
            self.game = game;
        }
    }

    fn drop_anchor(&mut self) {
        (self.gained, self.ran) = (self.now(), self.ran());
        self.anchor = self.place;
    }

    /// What was gained until now.
    pub(super) fn now(&self) -> i64 {
        if self.game.is_paused() {
            return self.gained;
        }
        let real = self.in_real_time(self.place.simulated - self.anchor.simulated);
        bounded(i128::from(self.gained) + real - (self.place.now - self.anchor.now))
    }

    /// Counts ticks that were left out, as so much simulated time.
    pub(super) fn leave_out(&mut self, simulated: i128) {
        let real = self.in_real_time(simulated);
        self.gained = bounded(i128::from(self.gained) + real);
    }

    /// For how long the game has run, pauses aside, in real nanoseconds.
    pub(super) fn ran(&self) -> i64 {
        let since = if self.game.is_paused() {
            0
        } else {
            self.place.now - self.anchor.now
        };
        bounded(i128::from(self.ran) + since)
    }

    /// A length of simulated time in real nanoseconds, less than 2^126; zero in a pause.
    pub(super) fn in_real_time(&self, simulated: i128) -> i128 {
        let simulated = simulated.clamp(-2 * LATEST, 2 * LATEST);
        let (numer, denom) = (i128::from(self.game.numer()), i128::from(self.game.denom()));
        (simulated * denom).checked_div_euclid(numer).unwrap_or(0)
    }
}

pub(super) fn bounded(nanos: i128) -> i64 {
    nanos.clamp(-i128::from(FARTHEST), FARTHEST.into()) as i64
}
