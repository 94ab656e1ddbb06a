//! Laws of loops that keep real time: the real-time factor, and exact ratios of rates.

use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, FrameStats, Overrun, Rate, SimTime, TimeScale};
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
                    timestep.resume();
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

proptest! {
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
