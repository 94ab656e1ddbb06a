//! The laws of `Schedule`, against a brute-force oracle in exact rationals.

use std::time::Duration;

use evenstep::{Rate, Schedule, SimTime, TimeScale};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

type Exact = BigRational;

fn ratio(numer: impl Into<BigInt>, denom: impl Into<BigInt>) -> Exact {
    Exact::new(numer.into(), denom.into())
}

fn secs(duration: Duration) -> Exact {
    ratio(duration.as_nanos(), 1_000_000_000)
}

fn exact(time: SimTime) -> Exact {
    let (numer, denom) = time.subsec();
    ratio(time.secs(), 1) + ratio(numer, denom)
}

#[derive(Clone, Debug)]
enum Action {
    /// A frame, of which so many steps are run before the rest is left.
    Advance(Duration, usize),
    /// A frame whose step of this number is refused.
    Refuse(Duration, usize),
    Scale(TimeScale),
    Slew(i32),
}

fn any_action() -> impl Strategy<Value = Action> {
    let delta = || (0..120_000_000_u64).prop_map(Duration::from_nanos);
    let scale = prop_oneof![
        4 => (0..20_u32, 1..20_u32),
        1 => (any::<u32>(), 1..=u32::MAX),
    ];
    prop_oneof![
        8 => delta().prop_map(|delta| Action::Advance(delta, usize::MAX)),
        1 => (delta(), 0..5_usize).prop_map(|(delta, run)| Action::Advance(delta, run)),
        1 => (delta(), 0..5_usize).prop_map(|(delta, run)| Action::Refuse(delta, run)),
        1 => (Just(Duration::MAX), 0..5_usize).prop_map(|(delta, run)| Action::Advance(delta, run)),
        1 => scale.prop_map(|(numer, denom)| Action::Scale(TimeScale::new(numer, denom).unwrap())),
        1 => (-200..200_i32).prop_map(Action::Slew),
    ]
}

fn any_task() -> impl Strategy<Value = (Rate, Duration)> {
    let rate = prop_oneof![
        4 => (1..150_u32, 1..12_u32),
        1 => Just((60_000, 1_001)),
        1 => (1..100_u32, any::<u32>().prop_map(|denom| denom.max(1))),
    ];
    let phase = prop_oneof![2 => Just(0), 1 => 0..500_000_000_u64];
    (rate, phase).prop_map(|((numer, denom), phase)| (Rate::new(numer, denom).unwrap(), Duration::from_nanos(phase)))
}

/// All steps that end up to `now`, sorted by their ends and then by registration.
fn oracle(tasks: &[(Rate, Duration)], now: &Exact) -> Vec<(usize, u64)> {
    let mut steps = Vec::new();
    for (index, (rate, phase)) in tasks.iter().enumerate() {
        for tick in 0.. {
            let end = ratio(tick + 1, 1) * ratio(rate.denom(), rate.numer()) + secs(*phase);
            if end > *now {
                break;
            }
            steps.push((end, index, tick));
        }
    }
    steps.sort();
    steps.into_iter().map(|(_, index, tick)| (index, tick)).collect()
}

proptest! {
    #[test]
    fn the_merged_order_is_that_of_exact_ends_and_no_time_is_lost_unseen(
        tasks in prop::collection::vec(any_task(), 1..5),
        actions in prop::collection::vec(any_action(), 0..40),
    ) {
        let mut schedule = Schedule::new();
        let ids: Vec<_> = tasks.iter().map(|(rate, phase)| schedule.add_with_phase(*rate, *phase)).collect();
        let (mut scale, mut slew) = (TimeScale::NORMAL, 0);
        let (mut arrived, mut run) = (ratio(0, 1), Vec::new());
        for action in actions {
            match action {
                Action::Scale(new) => {
                    scale = TimeScale::new(new.numer() % 40, new.denom()).unwrap();
                    schedule.set_time_scale(scale);
                }
                Action::Slew(thousandths) => {
                    slew = thousandths.clamp(-100, 100);
                    schedule.set_slew(thousandths);
                }
                Action::Advance(delta, most) | Action::Refuse(delta, most) => {
                    let lost = schedule.advance(delta);
                    let speed = ratio(scale.numer(), scale.denom()) * ratio(1000 + slew, 1000);
                    let accepted = secs(delta) - secs(lost.clamped);
                    arrived += accepted * speed - exact(lost.dropped) - exact(lost.rounded);
                    prop_assert_eq!(&exact(schedule.now()), &arrived);
                    for _ in 0..most {
                        let Some((task, step)) = schedule.next_step() else { break };
                        run.push((ids.iter().position(|id| *id == task).unwrap(), step.tick));
                    }
                    if matches!(action, Action::Refuse(..)) && schedule.next_step().is_some() {
                        prop_assert!(schedule.refuse());
                    }
                }
            }
            let expected = oracle(&tasks, &arrived);
            prop_assert!(run.len() <= expected.len());
            prop_assert_eq!(&run[..], &expected[..run.len()]);
        }
        while let Some((task, step)) = schedule.next_step() {
            run.push((ids.iter().position(|id| *id == task).unwrap(), step.tick));
        }
        prop_assert_eq!(run, oracle(&tasks, &arrived));
        for id in ids {
            prop_assert!((0.0..1.0).contains(&schedule.alpha(id)));
        }
    }
}
