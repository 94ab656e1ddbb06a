//! Two machines of a lockstep game of its own, each with a monitor: no session of GGRS, no `TickSync`.

use std::collections::{HashMap, VecDeque};

use evenstep::inspect::{Desync, Dump, Visitor, hash};
use evenstep::{Inspect, Tick};
use evenstep_desync::{DesyncMonitor, MessageError};
use proptest::prelude::*;

/// A game whose units act in the order of a `HashMap`, which is another on each machine. Its `total` is another for each order;
/// a sum of floats would round to the same value for many.
#[derive(Clone)]
struct Army {
    weights: HashMap<u64, u64>,
    total: u64,
    pulls: [u8; 2],
}

impl Army {
    fn new() -> Self {
        Self {
            weights: (0..64).map(|unit| (unit, unit + 1)).collect(),
            total: 0,
            pulls: [0; 2],
        }
    }

    /// The fault is there from a tick on.
    fn step(&mut self, tick: Tick, begin: Tick, pulls: [u8; 2]) {
        let mut units: Vec<_> = self.weights.iter().collect();
        if tick < begin {
            units.sort_by_key(|(unit, _)| **unit);
        }
        self.total = units.iter().fold(0, |total: u64, (_, weight)| {
            total.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(**weight)
        });
        self.pulls = pulls;
    }
}

impl Inspect for Army {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("total", &self.total);
        visitor.field("pulls", &self.pulls);
    }
}

fn inputs(tick: Tick) -> [u8; 2] {
    [tick as u8 / 8, tick as u8 / 16]
}

/// Plays on two machines until both have a report, for ten seconds at most. Of the messages those that `is_lost` chooses do not arrive.
fn play(begin: Tick, mut is_lost: impl FnMut() -> bool) -> [DesyncMonitor<Army>; 2] {
    let mut armies = [Army::new(), Army::new()];
    let mut monitors = [DesyncMonitor::new(120), DesyncMonitor::new(120)];
    for tick in 0..600 {
        for own in [0, 1] {
            monitors[own].record(tick, &armies[own]);
            monitors[own].record_inputs(tick, &inputs(tick));
            armies[own].step(tick, begin, inputs(tick));
            while let Some(bytes) = monitors[own].message() {
                assert!(bytes.len() <= 1200);
                if !is_lost() {
                    monitors[1 - own].receive(&bytes).expect("a message of a monitor");
                }
            }
        }
        if monitors.iter().all(|monitor| monitor.desync().is_some()) {
            break;
        }
    }
    monitors
}

fn mirrored(desync: &Desync) -> Desync {
    let mut mirrored = desync.clone();
    for difference in &mut mirrored.differences {
        std::mem::swap(&mut difference.here, &mut difference.there);
    }
    mirrored
}

#[test]
fn the_order_of_a_hash_map_is_found_between_machines_and_not_by_a_test_that_rolls_back_in_one_process() {
    // A sync test: each step twice from the same saved state.
    let mut army = Army::new();
    for tick in 0..100 {
        let mut again = army.clone();
        army.step(tick, 0, inputs(tick));
        again.step(tick, 0, inputs(tick));
        assert_eq!(hash(&army), hash(&again), "the clone of a map has its order");
    }

    let mut sent = 0;
    let monitors = play(90, || {
        sent += 1;
        sent % 3 == 0
    });
    let [here, there] = monitors
        .each_ref()
        .map(|monitor| monitor.desync().expect("they differ"));
    assert_eq!(*here, mirrored(there));
    assert_eq!((here.tick, here.differences.len()), (91, 1), "{here}");
    assert_eq!(here.differences[0].path, "total");
    // The files that `evenstep desync` reads.
    let [a, b] = monitors
        .each_ref()
        .map(|monitor| monitor.dump().expect("a dump").to_string());
    let [a, b] = [a, b].map(|text| text.parse::<Dump>().expect("a dump"));
    assert_eq!(a.compare(&b).as_ref(), Some(here));
    let player_inputs: Vec<_> = a
        .values()
        .filter(|(path, _)| path.starts_with("player_inputs"))
        .collect();
    assert_eq!(
        player_inputs,
        [("player_inputs[90][0]", "11"), ("player_inputs[90][1]", "5")]
    );
}

#[test]
fn machines_that_agree_send_two_kilobytes_a_second_at_most_and_report_nothing() {
    let (mut sent, mut monitors) = (0, [DesyncMonitor::new(120), DesyncMonitor::new(120)]);
    for tick in 0..600_u64 {
        for own in [0, 1] {
            monitors[own].record(tick, &tick);
            while let Some(bytes) = monitors[own].message() {
                sent += bytes.len();
                monitors[1 - own].receive(&bytes).expect("a message of a monitor");
            }
        }
    }
    assert!(monitors.iter().all(|monitor| monitor.desync().is_none()));
    assert!(sent < 2 * 10 * 2_100, "{sent} bytes in ten seconds of two machines");
}

#[test]
fn a_wrong_prediction_that_is_recorded_again_before_it_is_final_is_no_desync() {
    let mut monitors = [0, 1].map(|_| DesyncMonitor::new(120).with_rollback(10));
    for tick in 0..400_u64 {
        for own in [0, 1] {
            let predicted = (own as u64 + 1) << 32 | tick;
            monitors[own].record(tick, &predicted);
            if let Some(known) = tick.checked_sub(8) {
                monitors[own].record(known, &known);
            }
            // From a tick on they differ for good.
            if let Some(known) = tick.checked_sub(7).filter(|tick| *tick == 300) {
                monitors[own].record(known, &(known + own as u64));
            }
            let bytes: Vec<_> = std::iter::from_fn(|| monitors[own].message()).collect();
            for bytes in bytes {
                monitors[1 - own].receive(&bytes).expect("a message of a monitor");
            }
        }
        assert!(
            tick > 300 || monitors.iter().all(|monitor| monitor.desync().is_none()),
            "{tick}"
        );
    }
}

/// Two machines, three ticks and three frames apart, whose states differ as `state` says. Of the messages those that are sent at a tick that
/// `is_lost` chooses do not arrive. Both have a report before tick 1200.
fn play_apart(step: Tick, state: fn(Tick, u64) -> [u64; 3], is_lost: impl Fn(Tick) -> bool) -> [Desync; 2] {
    let mut monitors = [DesyncMonitor::new(120), DesyncMonitor::new(120)];
    let mut under_way: VecDeque<(Tick, usize, Vec<u8>)> = VecDeque::new();
    for tick in 3..1200 {
        while under_way.front().is_some_and(|(arrives, ..)| *arrives <= tick) {
            let (_, to, bytes) = under_way.pop_front().expect("a message");
            monitors[to].receive(&bytes).expect("a message of a monitor");
        }
        for own in [0, 1] {
            let at = tick - 3 * own as Tick;
            if at.is_multiple_of(step) {
                monitors[own].record(at, &state(at, own as u64));
            }
            while let Some(bytes) = monitors[own].message() {
                if !is_lost(tick) {
                    under_way.push_back((tick + 3, 1 - own, bytes));
                }
            }
        }
    }
    monitors.map(|monitor| monitor.desync().expect("they differ").clone())
}

#[test]
fn with_a_third_of_the_messages_lost_at_random_both_machines_name_the_same_values() {
    let (mut named_first, mut sent, mut lost) = (0, 0_u64, 0);
    for seed in 0..60_u64 {
        let (history, rollback, delay) = [(120, 0, 3), (120, 10, 6), (60, 10, 12), (30, 10, 1)][seed as usize % 4];
        let fault = 200 + hash(&seed) % 100;
        let mut monitors = [0, 1].map(|_| DesyncMonitor::new(history).with_rollback(rollback));
        let mut under_way: VecDeque<(Tick, usize, Vec<u8>)> = VecDeque::new();
        for tick in 0..fault + 1200 {
            while under_way.front().is_some_and(|(arrives, ..)| *arrives <= tick) {
                let (_, to, bytes) = under_way.pop_front().expect("a message");
                monitors[to].receive(&bytes).expect("a message of a monitor");
            }
            for own in [0, 1] {
                let wrong = if tick >= fault { own as u64 * tick } else { 0 };
                monitors[own].record(tick, &[tick, wrong, 7]);
                while let Some(bytes) = monitors[own].message() {
                    sent += 1;
                    match hash(&sent) % 3 {
                        0 => lost += 1,
                        _ => under_way.push_back((tick + delay, 1 - own, bytes)),
                    }
                }
            }
        }
        let [here, there] = monitors.map(|monitor| monitor.desync().cloned());
        let here = here.unwrap_or_else(|| panic!("seed {seed}: there alone: {there:?}"));
        assert_eq!(there.map(|there| mirrored(&there)).as_ref(), Some(&here), "seed {seed}");
        assert_eq!(here.differences[0].path, "[1]", "seed {seed}: {here}");
        named_first += u32::from(here.tick == fault);
    }
    assert!(lost > sent * 3 / 10 && lost < sent * 4 / 10, "{lost} of {sent}");
    // Otherwise all messages that named it were lost for as long as it was kept.
    assert!(named_first > 50, "{named_first} of 60 name the first tick");
}

#[test]
fn machines_that_differed_long_before_they_first_compare_both_report_the_same_tick() {
    for end in [118, 150, 300, 301, 317] {
        let [here, there] = play_apart(1, |tick, own| [tick, own, 0], |tick| tick < end);
        assert_eq!(here, mirrored(&there), "{end}");
        assert_eq!(here.differences[0].path, "[1]", "{end}: {here}");
    }
}

#[test]
fn where_every_tenth_tick_is_recorded_the_first_difference_is_found() {
    let fault = |tick, own| [tick, 0, if tick > 700 { own } else { 0 }];
    let [here, there] = play_apart(10, fault, |_| false);
    assert_eq!(here, mirrored(&there));
    assert_eq!((here.tick, &*here.differences[0].path), (710, "[2]"));
}

#[test]
fn a_false_alarm_does_not_hide_a_desync_that_follows() {
    let mut monitors = [DesyncMonitor::new(120), DesyncMonitor::new(120)];
    for tick in 0..1200_u64 {
        for own in [0, 1] {
            // Only one machine learns of a hash that was never sent.
            if tick == 100 && own == 0 {
                let forged = [&[2, 0, 0, 0, 0, 0], &90_u64.to_le_bytes()[..], &7_u64.to_le_bytes()].concat();
                monitors[own].receive(&forged).expect("a message of a monitor");
            }
            monitors[own].record(tick, &[tick, if tick > 700 { own as u64 } else { 0 }]);
            while let Some(bytes) = monitors[own].message() {
                monitors[1 - own].receive(&bytes).expect("a message of a monitor");
            }
        }
    }
    let [here, there] = monitors.map(|monitor| monitor.desync().expect("they differ").clone());
    assert_eq!(here, mirrored(&there));
    assert_eq!((here.tick, here.differences.len()), (701, 1));
}

/// Three matches of two machines with the same monitors and channel, unless `is_new` says that a machine makes another one for the last.
#[derive(Debug, Clone)]
struct Matches {
    /// How long the first two matches are.
    lengths: [Tick; 2],
    /// How much later the second machine begins a match.
    lag: Tick,
    /// How long a message is under way, and how many of ten are lost.
    delay: Tick,
    lost: u64,
    rollback: Tick,
    is_new: [bool; 2],
    /// The match and the tick from which on they differ.
    fault: (usize, Tick),
}

impl Matches {
    fn state(&self, number: usize, tick: Tick, own: usize) -> [u64; 3] {
        let is_wrong = number == self.fault.0 && tick >= self.fault.1;
        // The matches begin alike, and soon differ.
        let number = if tick < 5 { 0 } else { number as u64 };
        [tick, number, if is_wrong { own as u64 } else { 7 }]
    }

    /// The reports at the end of each match.
    fn play(&self) -> [[Option<Desync>; 2]; 3] {
        let new = || DesyncMonitor::new(120).with_rollback(self.rollback);
        let mut monitors = [new(), new()];
        let mut reports = [const { [None, None] }; 3];
        let mut under_way: Vec<(Tick, usize, bool, Vec<u8>)> = Vec::new();
        let begins = [0, self.lengths[0], self.lengths[0] + self.lengths[1], Tick::MAX];
        let mut sent = 0_u64;
        for now in 0..begins[2] + 1200 {
            let has_other_channel =
                |own: usize| now >= begins[2] + self.lag * own as Tick && self.is_new.contains(&true);
            for (_, to, channel, bytes) in under_way.extract_if(.., |(arrives, ..)| *arrives <= now) {
                if channel == has_other_channel(to) {
                    monitors[to].receive(&bytes).expect("a message of a monitor");
                }
            }
            for own in [0, 1] {
                let Some(here) = now.checked_sub(self.lag * own as Tick) else {
                    continue;
                };
                let number = begins.iter().rposition(|begin| *begin <= here).expect("the first");
                let tick = here - begins[number];
                if tick == 0 && number > 0 {
                    reports[number - 1][own] = monitors[own].desync().cloned();
                }
                if number == 2 && tick == 0 && self.is_new[own] {
                    monitors[own] = new();
                }
                // A prediction, and what was right for the ticks before.
                for tick in tick.saturating_sub(self.rollback / 2).max(1)..=tick {
                    monitors[own].record_inputs(tick - 1, &tick);
                }
                if self.rollback > 0 && tick > 0 {
                    monitors[own].record(tick, &[tick, 99, own as u64]);
                }
                for tick in tick.saturating_sub(self.rollback / 2)..=tick {
                    monitors[own].record(tick, &self.state(number, tick, own));
                }
                while let Some(bytes) = monitors[own].message() {
                    sent += 1;
                    if hash(&sent) % 10 >= self.lost {
                        let arrives = now + self.delay + hash(&(sent, 1)) % (self.delay + 1);
                        under_way.push((arrives, 1 - own, has_other_channel(own), bytes));
                    }
                }
            }
        }
        reports[2] = monitors.map(|monitor| monitor.desync().cloned());
        reports
    }
}

fn matches() -> impl Strategy<Value = Matches> {
    // A match that lasts less than the other machine's delay may be compared with another.
    let lengths = [60_u64..400, 60..400];
    let times = (0_u64..60, 0_u64..15, 0_u64..4, prop_oneof![Just(0_u64), Just(10)]);
    (lengths, times, any::<[bool; 2]>(), (0_usize..4, 0_u64..300)).prop_map(
        |(lengths, (lag, delay, lost, rollback), is_new, fault)| Matches {
            lengths,
            lag: if rollback == 0 { lag } else { lag / 3 },
            delay,
            lost,
            rollback,
            is_new,
            fault,
        },
    )
}

#[test]
fn inputs_are_in_the_dump_and_are_not_compared() {
    let mut monitors = [DesyncMonitor::new(120), DesyncMonitor::new(120)];
    for tick in 0..200_u64 {
        for own in [0, 1] {
            monitors[own].record_inputs(tick, &(own as u64));
            monitors[own].record(tick, &[tick, if tick > 100 { own as u64 } else { 0 }]);
            while let Some(bytes) = monitors[own].message() {
                monitors[1 - own].receive(&bytes).expect("a message of a monitor");
            }
        }
    }
    let desync = monitors[0].desync().expect("they differ");
    assert_eq!(desync.to_string(), "tick 101: [1]: 0 here, 1 there");
    let dump = monitors[0].dump().expect("a dump");
    assert!(dump.values().any(|(path, _)| path == "player_inputs[100]"));
}

#[test]
fn sixteen_questions_are_answered_between_two_calls_and_the_others_when_they_are_repeated() {
    let [mut monitor, _] = play(40, || false);
    let tick = monitor.desync().unwrap().tick;
    while monitor.message().is_some() {}
    let mut answers_to = |questions: u32| {
        for start in 0..questions {
            let header = [&[2, 1, 0, 0, 0, 0], &tick.to_le_bytes()[..]].concat();
            let question = [&header[..], &start.to_le_bytes(), &1_u32.to_le_bytes()].concat();
            monitor.receive(&question).unwrap();
        }
        let sent: Vec<_> = std::iter::from_fn(|| monitor.message()).collect();
        sent.iter().filter(|bytes| bytes[1] == 3).count()
    };
    assert_eq!([15, 16, 17, 40].map(&mut answers_to), [15, 16, 16, 16]);
}

#[test]
fn other_bytes_are_refused() {
    let mut monitor = DesyncMonitor::<u64>::new(120);
    assert_eq!(monitor.receive(&[]), Err(MessageError));
    assert_eq!(monitor.receive(&[1; 2000]), Err(MessageError));
}

fn check(matches: &Matches) -> Result<(), TestCaseError> {
    let reports = matches.play();
    let (number, tick) = matches.fault;
    for (at, report) in reports.iter().enumerate() {
        if at != number {
            prop_assert_eq!(report, &[None, None], "match {}", at);
        } else if at == 2 && matches.lost > 0 {
            // A state may no longer be kept when the last answer arrives.
            let mut reports = report.iter().flatten().peekable();
            prop_assert!(reports.peek().is_some());
            for report in reports {
                prop_assert!(report.tick >= tick && report.differences[0].path == "[2]", "{report}");
            }
        } else if at == 2 {
            let [Some(here), Some(there)] = report else {
                return Err(TestCaseError::fail(format!("{report:?}")));
            };
            prop_assert_eq!(here, &mirrored(there));
            prop_assert_eq!((here.tick, &*here.differences[0].path), (tick, "[2]"));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn a_monitor_that_is_set_back_compares_the_next_match_whatever_of_the_last_is_under_way(matches in matches()) {
        check(&matches)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    #[ignore = "half a minute"]
    fn a_monitor_that_is_set_back_compares_the_next_match_in_five_hundred_triples_of_matches(matches in matches()) {
        check(&matches)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn hostile_messages_neither_panic_nor_ask_for_more_answers_than_the_limit(
        messages in prop::collection::vec((0_u8..4, 0_u8..3, 0_u64..200, prop::collection::vec(any::<u8>(), 0..160)), 0..200),
    ) {
        let [mut monitor, _] = play(40, || true);
        for (kind, number, tick, rest) in messages {
            let message = [&[2, kind, number, 0, 0, 0], &tick.to_le_bytes()[..], &rest].concat();
            let _ = monitor.receive(&message);
            if tick % 10 == 0 {
                let sent: Vec<_> = std::iter::from_fn(|| monitor.message()).collect();
                prop_assert!(sent.len() <= 2 + 8 + 16, "{} messages", sent.len());
                prop_assert!(sent.iter().all(|bytes| bytes.len() <= 1200));
            }
        }
    }
}
