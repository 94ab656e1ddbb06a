//! [`TickSync`]: keeps the ticks of a client in step with those of a server.

use core::time::Duration;

use evenstep::{Rate, SimDuration, SimTime, Tick, TimeScale};

use crate::sync::adjustment::{Adjustment, TickJump};
use crate::sync::arrival_samples::ArrivalSamples;
use crate::sync::clock_gain::{ClockGain, bounded};
use crate::sync::pong::{Pong, nanos};
use crate::sync::report::InputReport;
use crate::sync::sent_inputs::SentInputs;
use crate::sync::server_speed::ServerSpeed;

const NANOS_PER_SEC: u32 = 1_000_000_000;

/// Pongs before local ticks are mapped to those of the server.
const PONGS_TO_JOIN: u32 = 3;

/// Below this number of reports, pongs tell how early inputs are.
const MIN_REPORTS: u32 = 8;

/// The largest correction of the speed, in ten-thousandths.
const MAX_SLEW: i64 = 200;

/// For so long after a change of the game's time scale, the correction of lateness is as many times as large: each machine
/// changes it at a frame of its own.
const HURRY_NANOS: i128 = 2_000_000_000;
const HURRY_FACTOR: i64 = 10;

/// By how much earlier the first inputs are sent, and for how long that declines: by then the speed is known, and what the network does.
const HEAD_START_NANOS: i64 = 15_000_000;
const HEAD_START_DECLINE_NANOS: i64 = 3_000_000_000;

/// Lateness beyond this is corrected by a jump, and earliness by a slow-down.
const JUMP_BEYOND_NANOS: i64 = 150_000_000;

/// The slowest that time runs, in ten-thousandths less the normal speed.
const MIN_SPEED: i64 = -9_000;

/// A report of an input that was this far from its tick is wrong.
const MAX_EARLY_NANOS: i64 = 10_000_000_000;

/// Keeps the ticks of a client in step with a server's: its inputs arrive just before the server runs their ticks.
///
/// Use it where a server runs the simulation and clients predict it. Once a frame call [`advance`](Self::advance) with the time and the
/// tick, and set the timestep's time scale to the one that it returns. Pass it the server's [pongs](Self::observe_pong) and its
/// [reports](Self::observe_input) of how early inputs arrived, when they arrive.
///
/// ```
/// use evenstep_net::{Pong, TickSync};
/// use evenstep::{FixedTimestep, Rate, TimeScale};
/// use std::time::Duration;
///
/// let rate = Rate::hz(60);
/// let (mut timestep, mut sync) = (FixedTimestep::new(rate), TickSync::new(rate));
/// let mut now = Duration::ZERO; // in a game: MonotonicClock::now
/// for _ in 0..60 {
///     let delta = Duration::from_millis(10);
///     now += delta;
///     let frame = timestep.advance(delta);
///     for step in frame.steps() {
///         if let Some(tick) = sync.tick(step.tick) {
///             // Read input, send it for `tick`, and simulate.
///             assert!(tick > 5_000);
///         }
///     }
///     let adjustment = sync.advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
///     timestep.set_time_scale(adjustment.speed);
///     // Messages of the network. Here a server that began 100 s before the client, 20 ms away each way.
///     sync.observe_pong(Pong {
///         sent: now.saturating_sub(Duration::from_millis(40)),
///         received: now + Duration::from_secs(7), // the server's clock has a zero of its own
///         replied: now + Duration::from_secs(7),
///         arrived: now,
///         simulated: now + Duration::from_millis(99_980),
///     });
/// }
/// let ahead = sync.tick(timestep.tick()).unwrap() as f64 / 60.0 - 100.6; // of the server's tick now
/// assert!((0.03..0.06).contains(&ahead), "{ahead} s: the way there, a step, and the head start");
/// ```
///
/// - The ticks of the server that it [translates](Self::tick) to never go back.
/// - It measures the speed of the server's simulated time by this machine's clock, and follows it: clocks may be wrong by up to 3 %, and a
///   server that cannot keep up may run at half its speed.
/// - It corrects errors by at most 2 % of the speed, and lateness by at most 20 % in the two seconds after a change of the game's time scale.
///   Where inputs are too late by more than 150 ms, ticks are skipped by a [`TickJump`], which is reported. Where they are too early by
///   more, time slows down to no less than a tenth.
/// - Inputs are sent as early as the latest ones of the last seconds needed it, some in a thousand and short bursts aside, and
///   earlier by a [margin](Self::set_margin) and, after it has joined, by 15 ms that decline within three seconds.
/// - Slow motion and pauses of the game, on both machines at the same tick, are not errors: it multiplies the scales exactly.
/// - Steps that were given back or lost, and pauses of only this machine, are corrected.
/// - The same calls have bit-identical results. It computes in integers, allocates nothing and reads no clock.
///
/// From each report it computes how early the input would have been without the clock gain since it was sent.
/// These samples do not depend on its own corrections, so it does not oscillate, at any delay. The way there and the way
/// back need not take equally long: a report measures the way there, and a pong bounds their sum, which is what counts.
///
/// # Bad input
///
/// Nothing panics or overflows. Pongs with impossible times, or sent before one that was taken, are ignored; so are reports of
/// ticks that were not sent within the last four seconds, or were reported before, or are off by more than ten seconds. A clock that goes
/// back has stood still; after a local tick that goes back, as in a reset, it continues from its last value. A server that lies is
/// trusted: it can slow this machine down or make it skip ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct TickSync {
    rate: Rate,
    /// In nanoseconds.
    margin: i64,
    gain: ClockGain,
    /// The server's tick less the local tick.
    offset: i128,
    has_joined: bool,
    /// The local tick at the last call.
    local: Tick,
    sent: SentInputs,
    reports: ArrivalSamples,
    pongs: ArrivalSamples,
    server_speed: ServerSpeed,
    /// The server's simulated time at the last change of the game's time scale; the speed is measured from then on.
    changed: i128,
    /// How long the game had run when this machine joined.
    joined: i64,
    /// Until when, on the clock of this machine, lateness is corrected in a hurry after that.
    hurry_until: Option<i128>,
    /// When the newest ping was sent of those whose pongs were taken.
    newest_ping: Option<Duration>,
}

/// The evidence of the samples, in nanoseconds: how early inputs are now.
#[derive(Clone, Copy)]
struct Outlook {
    latest: i64,
    median: i64,
    quarter: i64,
    /// How early they should be.
    wanted: i64,
}

impl TickSync {
    /// For a simulation at `rate`, which is the same on the server.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            margin: 1_000_000,
            gain: ClockGain::default(),
            offset: 0,
            has_joined: false,
            local: 0,
            sent: SentInputs::new(rate),
            reports: ArrivalSamples::new(),
            pongs: ArrivalSamples::new(),
            server_speed: ServerSpeed::new(),
            changed: 0,
            joined: i64::MAX,
            hurry_until: None,
            newest_ping: None,
        }
    }

    /// The same with a [margin](Self::set_margin).
    #[must_use]
    pub fn with_margin(mut self, margin: Duration) -> Self {
        self.set_margin(margin);
        self
    }

    /// How much earlier inputs should arrive than the network requires; 1 ms unless set, at most 36 years.
    pub fn set_margin(&mut self, margin: Duration) {
        self.margin = bounded(nanos(margin));
    }

    /// The tick of the server that a tick of the timestep, or of a task of a [`Schedule`](evenstep::schedule::Schedule), is. None
    /// until the third pong.
    #[must_use]
    pub fn tick(&self, local: Tick) -> Option<Tick> {
        self.has_joined.then(|| self.shared(local))
    }

    /// The nanoseconds of real time by which the latest inputs will arrive early, without the tolerated late ones; negative if they will
    /// be late. None before there are samples.
    #[must_use]
    pub fn early(&self) -> Option<i64> {
        self.outlook().map(|outlook| outlook.latest)
    }

    /// Takes a pong as soon as it arrives. Returns whether it was used: pongs before the first frame and during a pause are
    /// ignored.
    pub fn observe_pong(&mut self, pong: Pong) -> bool {
        let is_new = self.newest_ping.is_none_or(|newest| pong.sent > newest);
        let (Some(under_way), Some(times)) = (pong.under_way().filter(|_| is_new), self.gain.times()) else {
            return false;
        };
        if self.gain.game().is_paused() {
            return false;
        }
        self.newest_ping = Some(pong.sent);
        if nanos(pong.simulated) >= self.changed {
            let simulated = self.gain.in_real_time(nanos(pong.simulated));
            self.server_speed
                .observe(nanos(pong.arrived), simulated + i128::from(under_way / 2), under_way);
        }
        // An input that leaves when the pong arrives gets there when the server has gone on for as long as both were under way.
        let ahead = times.simulated + self.nanos_of(self.offset) - nanos(pong.simulated);
        let since = nanos(pong.arrived) - times.now;
        let early = self.gain.in_real_time(ahead) + since - i128::from(under_way);
        self.pongs.add(bounded(early - i128::from(self.gain.now())));
        true
    }

    /// Takes a report as soon as it arrives. Returns whether it was used.
    pub fn observe_input(&mut self, report: InputReport) -> bool {
        if report.early.unsigned_abs() > MAX_EARLY_NANOS as u64 {
            return false;
        }
        let gain = self.sent.take(report.tick);
        if let Some(gain) = gain {
            self.reports.add(report.early - gain);
        }
        gain.is_some()
    }

    /// Takes the progress of this machine, once a frame and after its steps: the time of the frame on its clock, the number of steps that
    /// the timestep has granted, the simulated time that has arrived beyond them, and the game's own time scale for the next
    /// tick, as the last step set it. The inputs of these steps count as sent now.
    ///
    /// With a [`FixedTimestep`](evenstep::FixedTimestep) `tick` and `overstep` are the last [`Frame`](evenstep::Frame)'s, after
    /// [`give_back`](evenstep::FixedTimestep::give_back). With a task of a [`Schedule`](evenstep::schedule::Schedule) they are `schedule.tick(task)` and
    /// `schedule.now() - SimTime::at_tick(tick, rate)`.
    pub fn advance(&mut self, now: Duration, tick: Tick, overstep: SimDuration, game: TimeScale) -> Adjustment {
        let simulated = nanos(SimTime::at_tick(tick, self.rate).to_duration()) + nanos(overstep.to_duration());
        self.gain.follow(nanos(now), simulated);
        if tick < self.local {
            self.offset = offset(self.offset + i128::from(self.local - tick));
            self.local = tick;
        }
        if self.has_joined {
            let (first, end) = (self.shared(self.local), self.shared(tick));
            self.sent.record(first, end, self.gain.now());
        }
        self.local = tick;
        if game != self.gain.game() {
            self.server_speed.forget();
            self.gain.change_within(nanos(overstep.to_duration()), game);
            self.hurry_until = Some(nanos(now) + HURRY_NANOS);
            self.changed = if self.has_joined {
                simulated + self.nanos_of(self.offset)
            } else {
                0
            };
        }
        self.gain.set(game, self.server_speed.get());
        let ran = self.gain.running_time();
        self.reports.forget(ran);
        self.pongs.forget(ran);
        self.decide(game)
    }

    fn decide(&mut self, game: TimeScale) -> Adjustment {
        let outlook = self.outlook().filter(|_| !game.is_paused());
        let Some(outlook) = outlook else {
            return Adjustment::new(game, self.server_speed.get(), None);
        };
        if !self.has_joined {
            return Adjustment::new(game, self.server_speed.get(), self.join(outlook));
        }
        let mut jump = None;
        if outlook.wanted - outlook.median > JUMP_BEYOND_NANOS {
            // At least one, since the quarter is no earlier than the median, and at most `Tick::MAX`.
            let ticks = self.ticks_in(outlook.wanted - outlook.quarter);
            self.skip(ticks);
            jump = Some(TickJump::Forward { ticks: ticks as Tick });
        }
        Adjustment::new(game, self.slew(outlook), jump)
    }

    fn join(&mut self, outlook: Outlook) -> Option<TickJump> {
        if self.pongs.count() < PONGS_TO_JOIN {
            return None;
        }
        self.skip(self.ticks_in(outlook.wanted + HEAD_START_NANOS - outlook.latest));
        self.has_joined = true;
        self.joined = self.gain.running_time();
        let tick = self.shared(self.local);
        Some(TickJump::Joined { tick })
    }

    /// By how many ten-thousandths to run faster, or slower if negative: at the server's speed, and in proportion to the error, which
    /// halves in a third of a second where inputs are late and in 1.4 s where they are early. Far beyond that time slows down further,
    /// and never stands still.
    fn slew(&self, outlook: Outlook) -> i64 {
        let (latest, median) = (
            outlook.latest - outlook.wanted - self.head_start(),
            outlook.median - outlook.wanted,
        );
        let now = self.gain.times().map(|times| times.now);
        let hurried = if latest < 0 && self.hurry_until > now {
            HURRY_FACTOR
        } else {
            1
        };
        let per_ten_thousandth = if latest < 0 { 50_000 } else { 200_000 };
        let fine = (-latest / per_ten_thousandth * hurried).clamp(-MAX_SLEW, MAX_SLEW * hurried);
        let beyond = median.saturating_sub(JUMP_BEYOND_NANOS).max(0) / 50_000;
        (self.server_speed.get() + fine - beyond).max(MIN_SPEED)
    }

    fn outlook(&self) -> Option<Outlook> {
        let has_reports = self.has_joined && self.reports.count() >= MIN_REPORTS;
        let samples = if has_reports { &self.reports } else { &self.pongs };
        let latest = samples.low_quantile()?;
        let (median, quarter) = samples.recent()?;
        let gain = self.gain.now();
        // The samples of pongs do not include the wait for the step whose input is sent.
        let step = if has_reports { 0 } else { self.rate.period_nanos() };
        Some(Outlook {
            latest: latest + gain,
            median: median + gain,
            quarter: quarter + gain,
            wanted: bounded(i128::from(self.margin) + i128::from(step)),
        })
    }

    /// By how much earlier than the samples demand inputs are sent for now, in nanoseconds.
    fn head_start(&self) -> i64 {
        let since = self.gain.running_time().saturating_sub(self.joined).max(0);
        (HEAD_START_DECLINE_NANOS - since).max(0) / (HEAD_START_DECLINE_NANOS / HEAD_START_NANOS)
    }

    fn shared(&self, local: Tick) -> Tick {
        (i128::from(local) + self.offset).clamp(0, Tick::MAX.into()) as Tick
    }

    /// Adds ticks to the offset between local ticks and those of the server.
    fn skip(&mut self, ticks: i128) {
        self.offset = offset(self.offset + ticks);
        self.gain.skip(self.nanos_of(ticks));
    }

    /// A length of real time in ticks, rounded up.
    fn ticks_in(&self, real: i64) -> i128 {
        let game = self.gain.game();
        // Less than 2^62 × 2^32 × 2^32, and 2^30 × 2^32 × 2^32.
        let numer = i128::from(real) * i128::from(self.rate.numer()) * i128::from(game.numer());
        let denom = i128::from(NANOS_PER_SEC) * i128::from(self.rate.denom()) * i128::from(game.denom());
        offset(-(-numer).div_euclid(denom))
    }

    /// A number of ticks, at most 2^64, in nanoseconds of simulated time.
    fn nanos_of(&self, ticks: i128) -> i128 {
        let numer = ticks * i128::from(self.rate.denom()) * i128::from(NANOS_PER_SEC);
        numer.div_euclid(self.rate.numer().into())
    }
}

/// No two ticks are farther apart.
fn offset(ticks: i128) -> i128 {
    ticks.clamp(-i128::from(Tick::MAX), Tick::MAX.into())
}
