//! Laws of loops that keep real time: the real-time factor, deadlines, cycles of another clock, and exact ratios of rates.

use std::time::Duration;

use evenstep::control::{Cycle, CycleLock, LoopStats};
use evenstep::schedule::Schedule;
use evenstep::{Backlog, FixedTimestep, FrameStats, Overrun, Rate, SimTime, TimeScale};
use fastrand::Rng;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Signed;
use proptest::prelude::*;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;

fn seconds(time: evenstep::SimDuration) -> Ratio<i128> {
    let (numer, denom) = time.subsec();
    Ratio::from(i128::from(time.secs())) + Ratio::new(numer as i128, denom as i128)
}

#[derive(Clone, Debug)]
enum Act {
    Frame(u64),
    Pause(u64),
    Scale(u32, u32),
    Refuse,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..40 * MS).prop_map(Act::Frame),
        1 => (250 * MS..2 * SECOND).prop_map(Act::Frame),
        1 => (0..SECOND).prop_map(Act::Pause),
        1 => (0_u32..4, 1_u32..4).prop_map(|(numer, denom)| Act::Scale(numer, denom)),
        1 => Just(Act::Refuse),
    ];
    prop::collection::vec(act, 1..60)
}

fn policies() -> impl Strategy<Value = Overrun> {
    prop_oneof![
        Just(Overrun::Drop),
        Just(Overrun::Carry {
            max_backlog: Duration::from_millis(300)
        }),
        Just(Overrun::Stretch {
            max_speed: TimeScale::new(3, 2).unwrap()
        }),
    ]
}

proptest! {
    #[test]
    fn the_factor_is_the_time_that_was_reached_by_the_time_that_passed(
        acts in acts(), overrun in policies(), hertz in 1_u32..400, max_steps in 1_u32..9,
    ) {
        let rate = Rate::hz(hertz);
        let mut timestep = FixedTimestep::new(rate).with_overrun(overrun).with_max_steps(max_steps);
        let mut stats = FrameStats::<4>::new();
        let (mut expected, mut scale) = (Ratio::from(0_i128), Ratio::from(1));
        let mut last = vec![(Some(Ratio::from(0)), Ratio::from(0))];
        for act in acts {
            let (delta, refuses) = match act {
                Act::Frame(nanos) => (nanos, false),
                Act::Refuse => (20 * MS, true),
                Act::Pause(nanos) => {
                    timestep.pause();
                    timestep.resume(Backlog::Keep);
                    (nanos, false)
                }
                Act::Scale(numer, denom) => {
                    timestep.set_time_scale(TimeScale::new(numer, denom).unwrap());
                    scale = Ratio::new(numer.into(), denom.into());
                    continue;
                }
            };
            let mut frame = timestep.advance(Duration::from_nanos(delta));
            if refuses {
                frame = timestep.give_back(frame, 1);
            }
            stats.record(Duration::from_nanos(delta), &frame);
            let paused = frame.lost().paused.as_nanos() as i128;
            expected += Ratio::new(i128::from(delta) - paused, i128::from(SECOND)) * scale;
            let reached = Ratio::new(frame.tick() as i128, i128::from(hertz)) + seconds(frame.overstep());
            let float = |ratio: Ratio<i128>| *ratio.numer() as f64 / *ratio.denom() as f64;
            let factor = |simulated: Ratio<i128>, expected: Ratio<i128>| {
                if expected > Ratio::from(0) { float(simulated) / float(expected) } else { 1.0 }
            };
            // Time that is kept back is not simulated yet.
            prop_assert!(stats.total_real_time_factor() <= factor(reached, expected) + 1e-12);
            let known = (!frame.is_behind()).then_some(reached);
            if let Some(simulated) = known {
                prop_assert!((stats.total_real_time_factor() - factor(simulated, expected)).abs() < 1e-12);
            }
            last.push((known, expected));
            let (before, wanted) = last[last.len().saturating_sub(5)];
            if let (Some(before), Some(now)) = (before, known) {
                let (advanced, passed) = (float(now - before), float(expected - wanted));
                prop_assert!((stats.real_time_factor() * passed - advanced).abs() < 1e-9 || passed == 0.0);
            }
        }
    }
}

#[test]
fn jitter_is_by_how_much_the_period_was_wrong() {
    let mut stats = LoopStats::<16>::new();
    for (cycle, late) in [0, 30, 10, 10, 50].into_iter().enumerate() {
        let due = cycle as u64 * MS;
        let [due, begin, end, deadline] =
            [due, due + late * US, due + late * US + 990 * US, due + MS].map(Duration::from_nanos);
        stats.record_cycle(Cycle {
            due,
            begin,
            end,
            deadline,
        });
    }
    let report = stats.report();
    assert_eq!(report.jitter.longest, Duration::from_micros(40));
    assert_eq!(report.jitter.p50, Duration::from_micros(20)); // of 30, 20, 0, 40
    assert_eq!(report.period.longest, Duration::from_micros(1040));
    assert_eq!(report.lateness.mean, Duration::from_micros(20));
    assert_eq!((report.cycles, report.deadline_misses), (5, 2)); // 30 and 50 µs late, with 10 µs to spare
}

/// A cycle of another clock, as it arrives here.
struct External {
    period: f64,
    phase: f64,
    jitter: f64,
    lost: f64,
    /// The share of arrivals that are up to 0.9 periods late.
    late: f64,
    random: Rng,
}

impl External {
    /// A cycle at 1 kHz, off by up to 200 ppm, with arrivals up to 300 µs late, of which 1 % are lost.
    fn of(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        Self {
            period: 1e6 * (1.0 + (random.f64() - 0.5) * 400e-6),
            phase: random.f64() * 1e9,
            jitter: 300e3,
            lost: 0.01,
            late: 0.0,
            random,
        }
    }

    /// The true time of a cycle and the mean delay of its arrival, in nanoseconds.
    fn phase_of(&self, cycle: u64) -> f64 {
        self.phase + cycle as f64 * self.period + self.jitter / 2.0
    }

    fn arrival(&mut self, cycle: u64) -> Option<Duration> {
        let (is_lost, is_late) = (self.random.f64() < self.lost, self.random.f64() < self.late);
        let delay = self.random.f64() * if is_late { 0.9 * self.period } else { self.jitter };
        let at = self.phase + cycle as f64 * self.period + delay;
        (!is_lost).then(|| Duration::from_nanos(at as u64))
    }
}

/// Locks onto a cycle; returns the arrival at which it was locked, the largest error since, and the wrong counts since.
fn lock_onto(mut external: External, cycles: u64) -> (u64, f64, u64) {
    let mut lock = CycleLock::new(Rate::hz(1000));
    let (mut first, mut locked_at, mut worst, mut wrong, mut lost) = (None, None, 0.0_f64, 0, 0);
    let mut ticks = 0;
    for cycle in 0..cycles {
        let Some(at) = external.arrival(cycle) else {
            lost += u64::from(first.is_some());
            continue;
        };
        let origin = *first.get_or_insert(cycle);
        let arrival = lock.arrive(at);
        assert_eq!(arrival.first, ticks, "ticks come in order, without gaps");
        ticks += arrival.ticks;
        if locked_at.is_none() && lock.is_locked() {
            locked_at = Some(cycle);
        }
        if locked_at.is_some() {
            wrong += u64::from(lock.ticks() != cycle - origin + 1);
            wrong += u64::from(lock.lost() != lost);
            let estimated = lock.time_of(cycle - origin).as_nanos() as f64;
            worst = worst.max((estimated - external.phase_of(cycle)).abs());
        }
    }
    let locked_at = locked_at.expect("it locks");
    assert!((lock.period_secs_f64() * 1e9 / external.period - 1.0).abs() < 10e-6);
    (locked_at, worst, wrong)
}

#[test]
fn an_external_cycle_is_locked_within_a_second_then_within_20_us() {
    for seed in 0..40 {
        let (locked_at, worst, wrong) = lock_onto(External::of(seed), 25_000);
        println!(
            "seed {seed}: locked after {locked_at} ms, then at most {:.1} µs off",
            worst / 1e3
        );
        assert!(locked_at <= 1000, "seed {seed}: locked at {locked_at}");
        assert!(worst <= 20e3, "seed {seed}: {worst} ns");
        assert_eq!(wrong, 0, "seed {seed}");
    }
}

#[test]
fn a_cycle_that_arrives_with_the_next_one_is_late_and_not_lost() {
    let mut lock = CycleLock::new(Rate::hz(1000));
    let mut ticks = 0;
    for cycle in 0..3000_u64 {
        let delay = if cycle % 500 == 499 { 700 * US } else { 50 * US };
        ticks += lock.arrive(Duration::from_nanos(cycle * MS + delay)).ticks;
    }
    // The last one of all is late, and no other has shown it yet.
    assert_eq!((ticks, lock.late(), lock.lost()), (3001, 5, 1));
    assert_eq!(lock.arrive(Duration::from_nanos(3000 * MS + 50 * US)).ticks, 0);
    assert_eq!((lock.ticks(), lock.late(), lock.lost()), (3001, 6, 0));
}

#[test]
fn a_cycle_that_moves_is_found_again() {
    let mut lock = CycleLock::new(Rate::hz(1000));
    let mut random = Rng::with_seed(5);
    let mut at = |cycle: u64, offset: u64| Duration::from_nanos(cycle * MS + offset + random.u64(..50 * US));
    for cycle in 0..2000 {
        let _ = lock.arrive(at(cycle, 0));
    }
    assert!(lock.is_locked());
    for cycle in 2000..4000 {
        let _ = lock.arrive(at(cycle, 300 * US));
    }
    let expected = 3999 * MS + 325 * US;
    assert!(lock.time_of(3999).abs_diff(Duration::from_nanos(expected)) < Duration::from_micros(20));
    assert_eq!((lock.ticks(), lock.lost()), (4000, 0));
}

proptest! {
    #[test]
    fn any_arrivals_are_counted_in_order(arrivals in prop::collection::vec(any::<u64>(), 0..100), hertz in 1_u32..100_000) {
        let mut lock = CycleLock::new(Rate::hz(hertz));
        let mut ticks = 0_u64;
        for at in arrivals {
            let arrival = lock.arrive(Duration::from_nanos(at));
            prop_assert_eq!(arrival.first, ticks);
            ticks += arrival.ticks;
            prop_assert_eq!(lock.ticks(), ticks);
            prop_assert!(lock.lost() <= ticks && lock.period_secs_f64().is_finite());
        }
    }
}

#[test]
fn the_external_time_is_zero_before_its_first_cycle_and_runs_on_after_the_last() {
    let mut lock = CycleLock::new(Rate::new(48_000, 512).unwrap());
    assert_eq!(lock.external_time(Duration::from_secs(3)), Duration::ZERO);
    let _ = lock.arrive(Duration::from_secs(5));
    assert_eq!(lock.external_time(Duration::from_secs(4)), Duration::ZERO);
    assert_eq!(lock.external_time(Duration::from_secs(8)), Duration::from_secs(3));
    assert!(lock.external_time(Duration::MAX) > Duration::from_secs(1 << 33));
}

proptest! {
    #[test]
    fn the_external_time_is_the_inverse_of_the_time_of_a_tick(seed: u64, arrivals in 1_u64..3000, tick in 0_u64..10_000) {
        let mut external = External::of(seed);
        let mut lock = CycleLock::new(Rate::hz(1000));
        for at in (0..arrivals).filter_map(|cycle| external.arrival(cycle)) {
            let _ = lock.arrive(at);
        }
        let at = lock.time_of(tick);
        prop_assume!(at > Duration::ZERO);
        prop_assert!(lock.external_time(at).abs_diff(Duration::from_millis(tick)) <= Duration::from_nanos(2));
    }

    #[test]
    fn no_ratio_is_nearer_to_a_number_than_its_time_scale(
        number in prop_oneof![0.0..2.0, 0.0..1e-6, 0.0..4e9, (1_u32.., 1_u32..).prop_map(|(p, q)| f64::from(p) / f64::from(q))],
        denoms in prop::collection::vec(1_u32.., 20),
    ) {
        let ratio = |numer, denom: u32| Ratio::<BigInt>::new(BigInt::from(numer), denom.into());
        let exact = Ratio::from_float(number).unwrap();
        let scale = TimeScale::from_f64(number).unwrap();
        let distance = (ratio(scale.numer(), scale.denom()) - &exact).abs();
        for denom in denoms {
            let numer = (number * f64::from(denom)).min(f64::from(u32::MAX) - 1.0) as u32;
            prop_assert!((ratio(numer, denom) - &exact).abs() >= distance);
            prop_assert!((ratio(numer + 1, denom) - &exact).abs() >= distance);
        }
    }

    #[test]
    fn a_ratio_of_small_terms_is_found_from_its_float(numer in 0_u32..1 << 16, denom in 1_u32..1 << 16) {
        let scale = TimeScale::new(numer, denom).unwrap();
        prop_assert_eq!(TimeScale::from_f64(scale.as_f64()), Ok(scale));
    }
}

/// The rule of controllers that measure: one is due when the time since it last ran, by its rate, is a cycle or nearly so; what it
/// overslept is forgotten.
struct Measured {
    hertz: f64,
    last: u64,
    runs: u64,
}

impl Measured {
    fn update(&mut self, now: u64) {
        if (now - self.last) as f64 * 1e-9 * self.hertz >= 0.99 {
            self.last = now;
            self.runs += 1;
        }
    }
}

/// Runs cycles at 1 kHz with 200 µs of jitter by a schedule and by the rule on measured time. Returns the cycles' counts by the
/// rule; by the schedule every one is exact, at every moment and in order.
fn at_four_rates(cycles: u64) -> [u64; 4] {
    const HERTZ: [u32; 4] = [1000, 333, 60, 7];
    let mut random = Rng::with_seed(3);
    let mut schedule = Schedule::new();
    let tasks = HERTZ.map(|hertz| schedule.add(Rate::hz(hertz)));
    let mut measured = HERTZ.map(|hertz| Measured {
        hertz: hertz.into(),
        last: 0,
        runs: 0,
    });
    let (mut last, mut latest) = (0, SimTime::ZERO);
    for cycle in 1..=cycles {
        let now = cycle * MS + random.u64(..200 * US);
        let lost = schedule.advance(Duration::from_nanos(now - last));
        assert!(lost.is_none());
        last = now;
        while let Some((_, step)) = schedule.next_step() {
            assert!(step.end() >= latest, "out of order");
            latest = step.end();
        }
        for (task, hertz) in tasks.into_iter().zip(HERTZ) {
            let due = u128::from(now) * u128::from(hertz) / u128::from(SECOND);
            assert_eq!(schedule.tick(task).map(u128::from), Some(due), "{hertz} Hz at {now} ns");
        }
        measured.iter_mut().for_each(|task| task.update(now));
    }
    measured.map(|task| task.runs)
}

#[test]
fn four_rates_are_exact_where_the_rule_on_measured_time_is_not() {
    let [_, at_333, at_60, at_7] = at_four_rates(100_000);
    println!("by the rule on measured time {at_333}, {at_60} and {at_7}, for 33300, 6000 and 700");
    assert!(
        at_333 != 33_300 && at_60 != 6_000 && at_7 != 700,
        "{at_333}, {at_60}, {at_7}"
    );
}

/// Whether a time is within half a unit in the last place of `tick × 1/3 ms`, in integers.
fn is_nearest(secs: f64, tick: u64) -> bool {
    let bits = secs.to_bits();
    let (exponent, mantissa) = ((bits >> 52) as i32 - 1075, (bits & ((1 << 52) - 1)) | 1 << 52);
    // |mantissa × 2^exponent − tick/3000| ≤ 2^exponent / 2, times 3000 × 2^(1 − exponent)
    let exact = u128::from(tick) << (1 - exponent);
    (2 * 3000 * u128::from(mantissa)).abs_diff(exact) <= 3000
}

#[test]
fn times_of_steps_are_within_half_an_ulp_and_sums_are_not() {
    // How a quotient by 375 × 2^3 is rounded depends on the residue by 375 and on the binade: all of both.
    let binades = (9..=40)
        .flat_map(|bits| (0..375).flat_map(move |residue| [(1_u64 << bits) + residue, (2 << bits) - residue - 1]));
    let rate = Rate::hz(3000);
    for tick in (1..20_000).chain(binades) {
        assert!(is_nearest(rate.secs_at_tick(tick), tick), "tick {tick}");
    }
    let (mut sum, mut first_wrong) = (0.0, None);
    for tick in 1..=300_u64 {
        sum += rate.period_secs_f64();
        if first_wrong.is_none() && !is_nearest(sum, tick) {
            first_wrong = Some(tick);
        }
    }
    println!("a sum is wrong from step {first_wrong:?} on");
    assert!(first_wrong.is_some_and(|tick| tick < 100));
    assert_eq!(rate.secs_at_tick(0), 0.0);
    assert_eq!(Rate::hz(u32::MAX).secs_at_tick(u64::from(u32::MAX)), 1.0);
    assert_eq!(
        Rate::new(1, u32::MAX).unwrap().secs_at_tick(u64::MAX),
        u64::MAX as f64 * f64::from(u32::MAX)
    );
}

proptest! {
    #[test]
    fn times_of_steps_are_rounded_once(tick in 0_u64..1 << 40, numer in 1_u32.., denom in 1_u32..) {
        let rate = Rate::new(numer, denom).unwrap();
        let exact = Ratio::new(i128::from(tick) * i128::from(rate.denom()), i128::from(rate.numer()));
        let secs = rate.secs_at_tick(tick);
        let (below, above) = (secs.next_down().max(0.0), secs.next_up());
        let apart = |other: f64| {
            let big = |value: i128| num_bigint::BigInt::from(value);
            let exact = num_rational::BigRational::new(big(*exact.numer()), big(*exact.denom()));
            let other = num_rational::BigRational::from_float(other).unwrap();
            if other > exact { other - exact } else { exact - other }
        };
        prop_assert!(apart(secs) <= apart(below) || tick == 0);
        prop_assert!(apart(secs) <= apart(above));
    }
}
