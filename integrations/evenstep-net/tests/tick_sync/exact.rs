//! Numbers of `TickSync` to the nanosecond and the tick, on a machine whose simulated time keeps to its clock.

use std::time::Duration;

use evenstep::{Rate, SimDuration, SimTime, Tick, TimeScale};
use evenstep_net::{Adjustment, InputReport, Pong, TickJump, TickSync};

const MS: i64 = 1_000_000;

fn scale(numer: u32, denom: u32) -> TimeScale {
    TimeScale::new(numer, denom).unwrap()
}

/// A reply that took as long there as back, from a server whose clock is this machine's.
fn pong(arrived: Duration, way: Duration, simulated: Duration) -> Pong {
    Pong {
        sent: arrived.saturating_sub(2 * way),
        received: arrived.saturating_sub(way),
        replied: arrived.saturating_sub(way),
        arrived,
        simulated,
    }
}

/// How early inputs are to be: the margin.
const WANTED: i64 = MS;

/// A machine that has joined. It ignores all adjustments, so its clock gain stays zero.
struct Machine {
    sync: TickSync,
    rate: Rate,
    game: TimeScale,
    now: Duration,
    tick: Tick,
    reported: Tick,
}

impl Machine {
    fn new() -> Self {
        Self::at(Rate::hz(50), TimeScale::NORMAL, Duration::from_millis(1))
    }

    fn at(rate: Rate, game: TimeScale, margin: Duration) -> Self {
        let mut machine = Self {
            sync: TickSync::new(rate).with_margin(margin),
            rate,
            game,
            now: Duration::ZERO,
            tick: 0,
            reported: 0,
        };
        let mut joined = None;
        for _ in 0..3 {
            let now = machine.step(1).0;
            let simulated = SimTime::at_tick(machine.tick, rate).to_duration();
            assert!(machine.sync.observe_pong(pong(now, Duration::ZERO, simulated)));
            joined = machine.step(1).1.jump;
        }
        assert!(matches!(joined, Some(TickJump::Joined { .. })), "{joined:?}");
        machine.reported = machine.sync.tick(machine.tick).unwrap();
        machine
    }

    /// One whose head start is over, and whose last inputs were this early.
    fn with_inputs(mut self, early: i64) -> Self {
        let _ = self.step(200);
        self.reported = self.sync.tick(self.tick).unwrap();
        assert_eq!(self.report(&[early; 32]), []);
        self
    }

    /// How long this many ticks take in nanoseconds, which must be whole.
    fn lasts(&self, ticks: Tick) -> u64 {
        let numer = ticks * 1_000_000_000 * u64::from(self.rate.denom()) * u64::from(self.game.denom());
        let denom = u64::from(self.rate.numer()) * u64::from(self.game.numer());
        assert_eq!(numer % denom, 0);
        numer / denom
    }

    fn step(&mut self, ticks: Tick) -> (Duration, Adjustment) {
        self.tick += ticks;
        self.now += Duration::from_nanos(self.lasts(ticks));
        let adjustment = self.advance(0, self.game);
        (self.now, adjustment)
    }

    /// Advances with this overstep, in nanoseconds.
    fn advance(&mut self, overstep: u64, game: TimeScale) -> Adjustment {
        let overstep = SimDuration::from(Duration::from_nanos(overstep));
        self.sync.advance(self.now, self.tick, overstep, game)
    }

    /// Sends the next inputs, which arrive so early, and returns the jumps that this led to.
    fn report(&mut self, early: &[i64]) -> Vec<TickJump> {
        let report = |early: &i64| {
            let _ = self.step(1);
            let believed = self.sync.observe_input(InputReport {
                tick: self.reported,
                early: *early,
            });
            assert!(believed, "{}", self.reported);
            self.reported += 1;
            let jump = self.step(0).1.jump;
            if let Some(TickJump::Forward { ticks }) = jump {
                self.reported += ticks;
            }
            jump
        };
        early.iter().filter_map(report).collect()
    }
}

#[test]
fn ticks_are_left_out_when_more_than_half_of_the_last_32_inputs_are_too_late_for_the_time_scale() {
    let (good, late) = (WANTED, WANTED - 150 * MS - 1);
    let mut machine = Machine::new();
    assert_eq!(machine.report(&[good; 40]), []);
    assert_eq!(machine.report(&[late; 16]), []);
    assert_eq!(machine.report(&[late]).len(), 1, "the seventeenth");

    let mut machine = Machine::new();
    machine.report(&[good; 40]);
    assert_eq!(machine.report(&[late]), []);
    assert_eq!(machine.report(&[good; 16]), []);
    assert_eq!(
        machine.report(&[late; 16]),
        [],
        "the first of the seventeen is the 33rd"
    );

    let mut machine = Machine::new();
    assert_eq!(machine.report(&[good - 150 * MS; 40]), [], "as late as it may be");
}

#[test]
fn enough_ticks_are_skipped_for_three_quarters_of_the_last_inputs_to_be_in_time() {
    let (normal, in_30_ms) = (TimeScale::NORMAL, Rate::new(100, 3).unwrap());
    for (rate, game, late, ticks) in [
        (Rate::hz(50), normal, 300 * MS, 15),
        (Rate::hz(50), normal, 300 * MS + 1, 16),
        (Rate::hz(50), normal, 280 * MS + 1, 15),
        (Rate::hz(50), scale(1, 2), 300 * MS, 8),
        (Rate::hz(50), scale(5, 4), 300 * MS, 19),
        (in_30_ms, normal, 300 * MS, 10),
        (in_30_ms, normal, 300 * MS + 1, 11),
        (in_30_ms, scale(5, 4), 300 * MS, 13),
    ] {
        let mut machine = Machine::at(rate, game, Duration::from_millis(1));
        let before = machine.sync.tick(machine.tick + 8).unwrap();
        assert_eq!(machine.report(&[WANTED - late; 8]), [TickJump::Forward { ticks }]);
        assert_eq!(machine.sync.tick(machine.tick).unwrap() - before, ticks);
        assert_eq!(machine.report(&[WANTED; 8]), []);
    }
    let early = [-500, -450, -400, -300, -300, -300, -300, -300].map(|late| WANTED + late * MS);
    assert_eq!(Machine::new().report(&early), [TickJump::Forward { ticks: 20 }]);
}

#[test]
fn inputs_that_are_far_too_early_slow_time_down_in_proportion_and_to_a_tenth_at_most() {
    for (too_early, speed) in [
        (0, 10_000),
        (150, 9_800),
        (151, 9_780),
        (200, 8_800),
        (500, 2_800),
        (9_000, 1_000),
    ] {
        let mut machine = Machine::new();
        let _ = machine.step(150); // the head start is over
        machine.reported = machine.sync.tick(machine.tick).unwrap();
        assert_eq!(machine.report(&[WANTED + too_early * MS; 10]), [], "{too_early} ms");
        let speed = TimeScale::new(speed, 10_000).unwrap();
        assert_eq!(machine.step(0).1.speed, speed, "{too_early} ms");
    }
}

#[test]
fn the_inputs_of_the_last_four_seconds_can_be_reported_and_each_once() {
    let mut machine = Machine::new();
    let _ = machine.step(400);
    let end = machine.sync.tick(machine.tick).unwrap();
    let mut believed = |tick| machine.sync.observe_input(InputReport { tick, early: 0 });
    assert!(!believed(end) && !believed(end - 201));
    assert!(believed(end - 200) && believed(end - 1));
    assert!(!believed(end - 200));
}

#[test]
fn inputs_are_wanted_as_early_as_the_margin_and_errors_are_corrected_in_proportion() {
    for margin in [0, 1, 20, 140] {
        for (too_early, ten_thousandths) in [
            (0, 0),
            (-49_999, 0),
            (-50_000, 1),
            (-5 * MS, 100),
            (-10 * MS, 200),
            (-11 * MS, 200),
            (199_999, 0),
            (200_000, -1),
            (20 * MS, -100),
            (41 * MS, -200),
        ] {
            let machine = Machine::at(Rate::hz(50), TimeScale::NORMAL, Duration::from_millis(margin));
            let early = margin as i64 * MS + too_early;
            let mut machine = machine.with_inputs(early);
            assert_eq!(machine.sync.early(), Some(early));
            let slew = scale((10_000 + ten_thousandths) as u32, 10_000);
            assert_eq!(machine.step(0).1.slew, slew, "{margin} ms and {too_early} ns");
        }
    }
}

#[test]
fn lateness_is_corrected_ten_times_as_fast_for_two_seconds_after_the_games_time_scale_has_changed() {
    let cases = [
        (-MS, 10_020, 10_200),
        (2 * MS, 9_990, 9_990),
        (-20 * MS, 10_200, 12_000),
    ];
    for (too_early, usual, hurried) in cases {
        let mut machine = Machine::new().with_inputs(WANTED + too_early);
        assert_eq!(machine.step(0).1.slew, scale(usual, 10_000));
        let (changed, half) = (machine.now, scale(1, 2));
        let _ = machine.advance(0, half);
        for (micros, slew) in [
            (0, hurried),
            (40_000, hurried),
            (1_999_998, hurried),
            (2_000_000, usual),
            (2_500_000, usual),
        ] {
            machine.now = changed + Duration::from_micros(micros);
            let slow = machine.advance(500 * micros, half).slew;
            assert_eq!(slow, scale(slew, 10_000), "{too_early} ns early, after {micros} us");
        }
    }
}

#[test]
fn where_a_step_changes_the_time_scale_time_beyond_it_counts_at_the_new_scale() {
    let overstep = 10 * MS;
    let in_real_time = |game: TimeScale| overstep * i64::from(game.denom()) / i64::from(game.numer());
    for old in [scale(1, 1), scale(1, 2), scale(5, 4)] {
        for new in [scale(1, 1), scale(1, 4), scale(2, 1)] {
            let wanted = Duration::from_nanos(WANTED as u64);
            let mut machine = Machine::at(Rate::hz(50), old, wanted).with_inputs(WANTED);
            machine.now += Duration::from_nanos(in_real_time(old) as u64);
            let _ = machine.advance(overstep as u64, old);
            assert_eq!(machine.sync.early(), Some(WANTED), "the same scale");
            let mut paused = machine.sync.clone();
            let _ = machine.advance(overstep as u64, new);
            let later = in_real_time(new) - in_real_time(old);
            assert_eq!(machine.sync.early(), Some(WANTED + later), "from {old:?} to {new:?}");
            // In a pause no time passes at all.
            for game in [TimeScale::PAUSED, new] {
                let overstep = Duration::from_nanos(overstep as u64).into();
                let _ = paused.advance(machine.now, machine.tick, overstep, game);
                assert_eq!(paused.early(), Some(WANTED), "{game:?}");
            }
        }
    }
}

#[test]
fn where_pongs_take_equally_long_there_and_back_a_longer_way_changes_no_pace() {
    for (first, growth) in [(20, 40), (700, -40)] {
        let mut machine = Machine::new();
        let _ = machine.step(100); // more than a way there and back
        for tick in 0..700 {
            let now = machine.step(1).0;
            let way = Duration::from_micros((1_000 * first + 20 * growth * tick) as u64);
            assert!(machine.sync.observe_pong(pong(now, way, now - way)));
        }
        // Without samples the speed is the pace.
        let speed = machine.step(250).1.speed;
        assert_eq!(
            (machine.sync.early(), speed),
            (None, TimeScale::NORMAL),
            "{growth} ms/s"
        );
    }
}

#[test]
fn a_report_of_more_than_ten_seconds_is_wrong_and_uses_up_no_tick() {
    let mut machine = Machine::new();
    let _ = machine.step(20);
    let tick = machine.sync.tick(machine.tick).unwrap() - 1;
    for (early, is_believed) in [
        (10_000 * MS + 1, false),
        (-10_000 * MS - 1, false),
        (i64::MIN, false),
        (10_000 * MS, true),
    ] {
        assert_eq!(
            machine.sync.observe_input(InputReport { tick, early }),
            is_believed,
            "{early}"
        );
    }
    let tick = tick - 1;
    assert!(machine.sync.observe_input(InputReport {
        tick,
        early: -10_000 * MS
    }));
}
