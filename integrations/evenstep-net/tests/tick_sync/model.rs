//! `TickSync`, against a model that keeps every sample and every input.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::{Rate, SimDuration, SimTime, Tick, TimeScale};
use evenstep_net::{Adjustment, InputReport, Pong, TickJump, TickSync};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

#[derive(Clone, Debug)]
enum Call {
    Pong(Pong),
    Input(InputReport),
    Advance(Duration, Tick, Duration, TimeScale),
}

/// How early inputs were, less what had been gained, and in which sixteenth of the memory.
type Samples = Vec<(i64, i64)>;

#[derive(Clone, Debug)]
struct Settings {
    slew: u32,
    margin: i64,
    tolerance: u32,
    memory: i64,
    beyond: i64,
}

#[derive(Clone, Debug)]
struct Model {
    rate: Rate,
    settings: Settings,
    /// Clock and simulated time in nanoseconds, none before the first frame; and where the game's scale changed last.
    place: Option<(i64, i64)>,
    anchor: (i64, i64),
    gained: i64,
    ran: i64,
    game: TimeScale,
    local: Tick,
    offset: i64,
    has_joined: bool,
    sent: BTreeMap<Tick, i64>,
    reports: Samples,
    pongs: Samples,
    /// For each second the quickest pong: when it came, and the server's simulated time less that.
    quickest: BTreeMap<i64, (i64, i64)>,
    /// The present second.
    second: i64,
    pace: i64,
    /// The pace by which the clock is corrected since the anchor.
    paced: i64,
    newest_ping: Option<Duration>,
    believed: bool,
    answer: Option<Answer>,
}

/// What an `Adjustment` should say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    speed: TimeScale,
    slew: TimeScale,
    jump: Option<TickJump>,
}

fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap()
}

/// A product of two numbers divided by another, rounded down.
fn share(number: i64, numer: u32, denom: u32) -> i64 {
    (BigInt::from(number) * numer)
        .div_floor(&BigInt::from(denom))
        .to_i64()
        .unwrap()
}

impl Model {
    fn real(&self, simulated: i64) -> i64 {
        if self.game.is_paused() {
            return 0;
        }
        share(simulated, self.game.denom(), self.game.numer())
    }

    fn gained_now(&self) -> i64 {
        let (now, simulated) = self.place.unwrap_or(self.anchor);
        if self.game.is_paused() {
            return self.gained;
        }
        let passed = (now - self.anchor.0) * (10_000 + self.paced) / 10_000;
        self.gained + self.real(simulated - self.anchor.1) - passed
    }

    fn ran_now(&self) -> i64 {
        let now = self.place.map_or(0, |place| place.0);
        self.ran + if self.game.is_paused() { 0 } else { now - self.anchor.0 }
    }

    fn part(&self) -> i64 {
        self.ran_now() / (self.settings.memory / 16).max(1)
    }

    fn in_nanos(&self, ticks: i64) -> i64 {
        let nanos: BigInt = BigInt::from(ticks) * self.rate.denom() * 1_000_000_000_u64;
        nanos.div_floor(&BigInt::from(self.rate.numer())).to_i64().unwrap()
    }

    fn remembered(&self, samples: &Samples) -> usize {
        samples.iter().filter(|(part, _)| *part > self.part() - 16).count()
    }

    /// The latest sample, the median and the lower quartile of the last ones, and the target; all but the target include the clock gain.
    fn outlook(&self) -> Option<(i64, i64, i64, i64)> {
        let has_reports = self.has_joined && self.remembered(&self.reports) >= 8;
        let samples = if has_reports { &self.reports } else { &self.pongs };
        let mut parts: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for (part, early) in samples.iter().filter(|(part, _)| *part > self.part() - 16) {
            parts.entry(*part).or_default().push(*early);
        }
        let mut parts: Vec<Vec<i64>> = parts.into_values().collect();
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort_by_key(|part| part[0]);
        let mut rest: Vec<i64> = parts.iter().skip(parts.len() / 6).flatten().copied().collect();
        rest.sort_unstable();
        let aside = (rest.len() * self.settings.tolerance as usize / 1000).min(7);
        let latest = *rest.get(aside).or(rest.last())?;
        let mut last: Vec<i64> = samples.iter().rev().take(32).map(|(_, early)| *early).collect();
        last.sort_unstable();
        let gained = self.gained_now();
        let step = if has_reports {
            0
        } else {
            self.rate.period_nanos() as i64
        };
        Some((
            latest + gained,
            last[last.len() / 2] + gained,
            last[last.len() / 4] + gained,
            self.settings.margin + step,
        ))
    }

    fn leave_out(&mut self, real: i64) -> i64 {
        let simulated: BigInt = BigInt::from(real) * self.game.numer() * self.rate.numer();
        let ticks = simulated.div_ceil(&(BigInt::from(1_000_000_000_u64) * self.game.denom() * self.rate.denom()));
        let ticks = ticks.to_i64().unwrap();
        let ticks = if self.has_joined { ticks.max(0) } else { ticks };
        self.offset += ticks;
        self.gained += self.real(self.in_nanos(ticks));
        ticks
    }

    fn shared(&self, local: Tick) -> Tick {
        u64::try_from(local as i64 + self.offset).unwrap_or(0)
    }

    fn advance(&mut self, now: i64, tick: Tick, overstep: i64, game: TimeScale) {
        let simulated = self.in_nanos(tick as i64) + overstep;
        let (last_now, last) = self.place.unwrap_or((now, simulated));
        if self.place.is_none() {
            self.anchor = (now, simulated);
        }
        self.place = Some((now.max(last_now), last));
        if simulated < last {
            (self.gained, self.ran) = (self.gained_now(), self.ran_now());
            self.anchor = (now.max(last_now), simulated);
        }
        self.place = Some((now.max(last_now), simulated));
        if tick < self.local {
            self.offset += (self.local - tick) as i64;
            self.local = tick;
        }
        if self.has_joined {
            let end = self.shared(tick);
            // Those of four seconds, and at least 64, are remembered.
            let ticks = ((4.0 * self.rate.as_hz_f64()) as u64).clamp(64, 4096);
            for tick in self.shared(self.local).max(end.saturating_sub(ticks))..end {
                self.sent.retain(|sent, _| sent % ticks != tick % ticks);
                self.sent.insert(tick, self.gained_now());
            }
        }
        self.local = tick;
        if game != self.game {
            self.quickest.clear();
        }
        if game != self.game || self.pace != self.paced {
            (self.gained, self.ran) = (self.gained_now(), self.ran_now());
            self.anchor = self.place.unwrap_or_default();
            (self.game, self.paced) = (game, self.pace);
        }
        self.answer = Some(self.decide());
    }

    /// The answer with this speed, in ten-thousandths more than the normal one.
    fn answer(&self, faster: i64, jump: Option<TickJump>) -> Answer {
        let slew = TimeScale::new((10_000 + faster) as u32, 10_000).unwrap();
        let exact = self.game.checked_mul(slew).map(|speed| (speed, slew));
        let (speed, slew) = exact.unwrap_or((self.game, TimeScale::NORMAL));
        Answer { speed, slew, jump }
    }

    /// Measures the pace when a second has ended, from the twelve before it.
    fn measure_pace(&mut self, second: i64) {
        let points: Vec<_> = (1..13).map(|ago| self.quickest.get(&(second - ago)).copied()).collect();
        let span = (points.iter().flatten().count() / 3).clamp(1, 3);
        let pairs = points
            .iter()
            .zip(&points[span..])
            .filter_map(|(newer, older)| Some((newer.as_ref()?, older.as_ref()?)));
        let mut speeds: Vec<i64> = pairs
            .map(|(newer, older)| 10_000 * (newer.1 - older.1) / (newer.0 - older.0))
            .collect();
        speeds.sort_unstable();
        if speeds.len() >= 4 {
            let pace = speeds[speeds.len() / 2].clamp(-5_000, 300);
            self.pace = if pace.abs() < 10 { 0 } else { pace };
        }
    }

    fn decide(&mut self) -> Answer {
        let Some((latest, median, quarter, wanted)) = self.outlook().filter(|_| !self.game.is_paused()) else {
            return self.answer(self.pace, None);
        };
        if !self.has_joined {
            if self.remembered(&self.pongs) < 3 {
                return self.answer(self.pace, None);
            }
            self.leave_out(wanted - median);
            self.has_joined = true;
            let tick = self.shared(self.local);
            return self.answer(self.pace, Some(TickJump::Joined { tick }));
        }
        let too_early = latest - wanted;
        let mut jump = None;
        if wanted - median > self.settings.beyond {
            let ticks = self.leave_out(wanted - quarter) as u64;
            jump = (ticks > 0).then_some(TickJump::Forward { ticks });
        }
        let most = i64::from(self.settings.slew) * 10;
        let grain = if too_early < 0 { 50_000 } else { 200_000 };
        let beyond = (median - wanted - self.settings.beyond).max(0) / 50_000;
        let faster = self.pace + (-too_early / grain).clamp(-most, most) - beyond;
        self.answer(faster.max(-9_000), jump)
    }
}

fn any_scale() -> impl Strategy<Value = TimeScale> {
    let scales = [(1, 1), (1, 1), (1, 1), (0, 1), (1, 10), (7, 3), (1_000_003, 1_000_033)];
    prop::sample::select(
        scales
            .map(|(numer, denom)| TimeScale::new(numer, denom).unwrap())
            .to_vec(),
    )
}

/// By how much something is off, in nanoseconds: mostly by a little.
fn any_error() -> impl Strategy<Value = i64> {
    prop_oneof![6 => -30_000_000..90_000_000_i64, 2 => -2_000_000_000..2_000_000_000_i64, 1 => any::<i32>().prop_map(|far| i64::from(far) * 1_000)]
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let millis = |most: i64| (0..most).prop_map(|millis| millis * 1_000_000);
        let settings = (
            Just(20_u32),
            millis(20),
            Just(2_u32),
            Just(4_000_000_000_i64),
            Just(150_000_000_i64),
        );
        let rate = prop::sample::select(vec![(60, 1), (60_000, 1_001), (128, 1), (7, 3)]);
        (rate, settings)
            .prop_map(|((numer, denom), (slew, margin, tolerance, memory, beyond))| Self {
                rate: Rate::new(numer, denom).unwrap(),
                settings: Settings {
                    slew,
                    margin,
                    tolerance,
                    memory,
                    beyond,
                },
                place: None,
                anchor: (0, 0),
                gained: 0,
                ran: 0,
                game: TimeScale::NORMAL,
                local: 0,
                offset: 0,
                has_joined: false,
                sent: BTreeMap::new(),
                reports: Vec::new(),
                pongs: Vec::new(),
                quickest: BTreeMap::new(),
                second: 0,
                pace: 0,
                paced: 0,
                newest_ping: None,
                believed: false,
                answer: None,
            })
            .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Call> {
        let (now, local) = (model.place.map_or(0, |place| place.0), model.local);
        let period = model.rate.period_nanos();
        let at = move |error: i64| Duration::from_nanos(u64::try_from(now + error).unwrap_or(0));
        let newest = model.shared(local);
        let delta = prop_oneof![8 => 0..40_000_000_i64, 1 => -50_000_000..3_000_000_000_i64];
        let ticks = prop_oneof![8 => 0..4_i64, 1 => -20..400_i64];
        let simulated = (model.place.map_or(0, |place| place.1) + model.in_nanos(model.offset)).max(0);
        let pong = (0..200_000_000_i64, 0..20_000_000_i64, any_error(), 0..9_u32);
        prop_oneof![
            9 => (delta, ticks, 0..period * 3 / 2, any_scale()).prop_map(move |(delta, ticks, over, game)| {
                let tick = local.saturating_add_signed(ticks);
                Call::Advance(at(delta), tick, Duration::from_nanos(over), game)
            }),
            6 => (prop_oneof![9 => 0..24_u64, 1 => 250..260_u64], any_error()).prop_map(move |(back, early)| {
                Call::Input(InputReport { tick: newest.saturating_sub(back), early })
            }),
            3 => pong.prop_map(move |(way, at_server, error, zero)| {
                let received = Duration::from_secs(u64::from(zero));
                Call::Pong(Pong {
                    sent: at(-way),
                    received,
                    replied: received + Duration::from_nanos(at_server as u64),
                    arrived: at(0),
                    simulated: Duration::from_nanos((simulated + error).max(0) as u64),
                })
            }),
        ]
        .boxed()
    }

    fn apply(mut model: Self, call: &Call) -> Self {
        match call {
            Call::Advance(now, tick, over, game) => model.advance(nanos(*now), *tick, nanos(*over), *game),
            Call::Input(report) => {
                let sent = (report.early.abs() <= 10_000_000_000).then(|| model.sent.remove(&report.tick));
                let sent = sent.flatten();
                model.believed = sent.is_some();
                let part = model.part();
                model.reports.extend(sent.map(|gained| (part, report.early - gained)));
            }
            Call::Pong(pong) => {
                let way = nanos(pong.arrived) - nanos(pong.sent) - (nanos(pong.replied) - nanos(pong.received));
                let is_new = model.newest_ping.is_none_or(|newest| pong.sent > newest);
                model.believed = way >= 0 && is_new && model.place.is_some() && !model.game.is_paused();
                if let Some((now, simulated)) = model.place.filter(|_| model.believed) {
                    model.newest_ping = Some(pong.sent);
                    let arrived = nanos(pong.arrived);
                    let second = arrived / 1_000_000_000;
                    if second > model.second {
                        model.second = second;
                        model.measure_pace(second);
                    }
                    let lead = model.real(nanos(pong.simulated)) - arrived;
                    let best = model.quickest.entry(model.second).or_insert((arrived, lead));
                    if lead > best.1 {
                        *best = (arrived, lead);
                    }
                    let ahead = simulated + model.in_nanos(model.offset) - nanos(pong.simulated);
                    let early = model.real(ahead) + nanos(pong.arrived) - now - way;
                    let part = model.part();
                    model.pongs.push((part, early - model.gained_now()));
                }
            }
        }
        model
    }
}

struct Program {
    sync: TickSync,
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let margin = Duration::from_nanos(model.settings.margin as u64);
        let sync = TickSync::new(model.rate).with_margin(margin);
        Self { sync }
    }

    fn apply(mut program: Self, model: &Model, call: Call) -> Self {
        let sync = &mut program.sync;
        match call {
            Call::Pong(pong) => assert_eq!(sync.observe_pong(pong), model.believed),
            Call::Input(report) => assert_eq!(sync.observe_input(report), model.believed),
            Call::Advance(now, tick, over, game) => {
                let adjustment = sync.advance(now, tick, SimDuration::from(over), game);
                let Adjustment { speed, slew, jump, .. } = adjustment;
                assert_eq!(Some(Answer { speed, slew, jump }), model.answer);
            }
        }
        program
    }

    fn check_invariants(Self { sync }: &Self, model: &Model) {
        assert_eq!(sync.early(), model.outlook().map(|outlook| outlook.0));
        let tick = sync.tick(model.local);
        assert_eq!(tick, model.has_joined.then(|| model.shared(model.local)));
        assert!(SimTime::at_tick(tick.unwrap_or(0), model.rate) >= SimTime::ZERO);
    }
}

#[test]
fn ticks_are_kept_in_step_as_if_every_sample_were_kept() {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let sequences = Model::sequential_strategy(1..300);
    let run = TestRunner::new(config.clone()).run(&sequences, |(reference, calls, seen)| {
        Program::test_sequential(config.clone(), reference, calls, seen);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
