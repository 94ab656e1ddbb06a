//! Numbers of `TickSync` to the nanosecond and the tick, on a machine whose simulated time keeps to its clock.

use std::time::Duration;

use evenstep::{Rate, SimDuration, Tick, TimeScale};
use evenstep_net::{Adjustment, InputReport, Pong, TickJump, TickSync};

const MS: i64 = 1_000_000;

/// How early inputs are to be: the margin.
const WANTED: i64 = MS;

/// A machine that has joined. It ignores all adjustments, so its clock gain stays zero.
struct Machine {
    sync: TickSync,
    tick: Tick,
    reported: Tick,
}

impl Machine {
    fn new() -> Self {
        let sync = TickSync::new(Rate::hz(50));
        let mut machine = Self {
            sync,
            tick: 0,
            reported: 0,
        };
        let mut joined = None;
        for _ in 0..3 {
            let now = machine.step(1).0;
            let pong = Pong {
                sent: now,
                arrived: now,
                simulated: now,
                ..Pong::default()
            };
            assert!(machine.sync.observe_pong(pong));
            joined = machine.step(1).1.jump;
        }
        assert!(matches!(joined, Some(TickJump::Joined { .. })), "{joined:?}");
        machine.reported = machine.sync.tick(machine.tick).unwrap();
        machine
    }

    fn step(&mut self, ticks: Tick) -> (Duration, Adjustment) {
        self.tick += ticks;
        let now = Duration::from_millis(20 * self.tick);
        let adjustment = self.sync.advance(now, self.tick, SimDuration::ZERO, TimeScale::NORMAL);
        (now, adjustment)
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
    for (late, ticks) in [(300 * MS, 15), (300 * MS + 1, 16), (280 * MS + 1, 15)] {
        let mut machine = Machine::new();
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
