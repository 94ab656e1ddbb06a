//! A clock that follows the display: it keeps its lock, counts refreshes, and lets go of another rate.

use std::time::Duration;

use evenstep::filter::RefreshClock;
use evenstep::input::{InputBuffer, InputEvent, InputQueue};
use evenstep::{FixedTimestep, FrameClock, Rate};
use fastrand::Rng;

fn secs(seconds: f64) -> Duration {
    Duration::from_nanos((seconds * 1e9).round() as u64)
}

/// A clock that has no pattern: it is the filter.
fn without() -> RefreshClock {
    RefreshClock::new(Rate::new(1, 1_000).unwrap())
}

/// How often in ten minutes, after ten seconds, pictures leave the most regular pattern of `steps` in `refreshes`. Frames are read up to
/// `noise` seconds late, and every `missed`th refresh has none.
fn irregular(
    rate: Rate,
    display: Rate,
    pattern: (i64, i64),
    (noise, missed): (f64, u64),
    mut clock: RefreshClock,
) -> (u32, RefreshClock) {
    let (steps, refreshes) = pattern;
    let (mut timestep, mut random) = (FixedTimestep::new(rate), Rng::with_seed(11));
    let hz = display.as_hz_f64();
    // In the pattern, pictures × refreshes less refreshes × steps stay within a window as long as the steps.
    let (mut ahead, mut window, mut irregular) = (0, None, 0);
    for n in 0..(hz * 610.0) as u64 {
        ahead -= steps;
        if n % missed == missed - 1 {
            continue;
        }
        let now = display.secs_at_tick(n) + random.f64() * noise;
        let frame = timestep.advance(clock.begin_frame(secs(1.0 + now)).delta);
        for _ in frame.steps() {
            ahead += refreshes;
            if (n as f64) < hz * 10.0 {
                continue;
            }
            let (least, most) = window.get_or_insert((ahead, ahead));
            (*least, *most) = (ahead.min(*least), ahead.max(*most));
            if *most - *least > steps.max(refreshes) - 1 {
                irregular += 1;
                window = None;
            }
        }
    }
    (irregular, clock)
}

const EMULATED: [(u32, u32); 4] = [(262_144, 4_389), (60_000, 1_001), (39_375_000, 655_171), (50, 1)];
const DISPLAYS: [(u32, u32); 9] = [
    (60, 1),
    (60_000, 1_001),
    (75, 1),
    (120, 1),
    (144, 1),
    (165, 1),
    (240, 1),
    (360, 1),
    (480, 1),
];

/// Steps in refreshes: of the three machines at about 60 Hz, and of 50 Hz.
const PATTERNS: [[(i64, i64); 2]; 9] = [
    [(1, 1), (5, 6)],
    [(1, 1), (5, 6)],
    [(4, 5), (2, 3)],
    [(1, 2), (5, 12)],
    [(5, 12), (8, 23)],
    [(4, 11), (7, 23)],
    [(1, 4), (5, 24)],
    [(1, 6), (5, 36)],
    [(1, 8), (5, 48)],
];

#[test]
#[ignore = "ten minutes of 36 displays take seconds"]
fn at_any_display_an_emulator_repeats_only_the_pictures_that_it_must() {
    let of = |(numer, denom)| Rate::new(numer, denom).unwrap();
    for (display, patterns) in DISPLAYS.into_iter().zip(PATTERNS) {
        for (rate, pattern) in EMULATED
            .into_iter()
            .zip([patterns[0], patterns[0], patterns[0], patterns[1]])
        {
            for times in [(0.0, u64::MAX), (0.5e-3, u64::MAX), (0.5e-3, 577), (0.5e-3, 23)] {
                let clock = RefreshClock::new(of(rate));
                let (count, clock) = irregular(of(rate), of(display), pattern, times, clock);
                let what = format!("{rate:?} on {display:?}, {pattern:?}, {times:?}");
                // A missed refresh shows one picture too long and the next one not at all, and no more.
                let missed = (of(display).as_hz_f64() * 600.0) as u64 / times.1;
                assert!(u64::from(count) <= missed && clock.is_following(), "{what}: {count}");
                let speed = pattern.0 as f64 / pattern.1 as f64 * of(display).as_hz_f64() / of(rate).as_hz_f64();
                assert!((clock.speed() / speed - 1.0).abs() < 5e-4, "{what}: {}", clock.speed());
            }
            let (plain, _) = irregular(of(rate), of(display), pattern, (0.5e-3, u64::MAX), without());
            println!(
                "{:.4} Hz on {:.2}: {plain} without",
                of(rate).as_hz_f64(),
                of(display).as_hz_f64()
            );
        }
    }
}

#[test]
fn a_second_of_the_emulators_table() {
    let (television, display) = (Rate::new(60_000, 1_001).unwrap(), Rate::hz(120));
    for (follows, expected) in [(false, 20..200), (true, 0..1)] {
        let clock = if follows {
            RefreshClock::new(television)
        } else {
            without()
        };
        let (count, _) = irregular(television, display, (1, 2), (0.5e-3, u64::MAX), clock);
        assert!(expected.contains(&count), "{count}");
    }
}

#[test]
fn without_a_period_it_steps_aside_and_says_so_and_a_new_display_is_followed_in_five_seconds() {
    let mut clock = RefreshClock::new(Rate::new(60_000, 1_001).unwrap());
    let (mut now, mut random) = (Duration::from_secs(3), Rng::with_seed(3));
    let mut frames = |count: u32, delta: &mut dyn FnMut(&mut Rng) -> f64| {
        for _ in 0..count {
            now += secs(delta(&mut random));
            let _ = clock.begin_frame(now);
        }
        (clock.is_following(), clock.speed())
    };
    assert_eq!(
        frames(3000, &mut |random| 0.007 + 0.006 * random.f64()),
        (false, 1.0),
        "variable refresh"
    );
    for hertz in [60.0, 144.0, 75.0] {
        let (follows, speed) = frames(hertz as u32 * 5, &mut |random| 1.0 / hertz + 1e-5 * random.f64());
        assert!(follows && (speed - 1.0).abs() < 0.003, "{hertz}: {speed}");
    }
    assert!(frames(1, &mut |_| 40.0).0, "a pause");
    assert_eq!(frames(3000, &mut |random| 0.004 + 0.012 * random.f64()), (false, 1.0));
}

#[test]
fn no_pattern_is_near_a_rate_far_from_the_display() {
    let mut clock = RefreshClock::new(Rate::new(1, 100).unwrap());
    for n in 0..2000 {
        let _ = clock.begin_frame(secs(f64::from(n) / 60.0));
    }
    assert!(!clock.is_following());
}

/// How late the time of a frame is read.
#[expect(
    clippy::disallowed_methods,
    reason = "noise need not be the same bits on every system"
)]
fn lateness(random: &mut Rng, (is_exponential, amount): (bool, f64)) -> f64 {
    if is_exponential {
        -amount * (1.0 - random.f64()).ln()
    } else {
        amount * random.f64()
    }
}

#[test]
fn it_keeps_its_lock_through_hitches_noise_and_refreshes_missed_at_random() {
    for (hz, noise) in [
        (60.0, (false, 2e-3)),
        (60.0, (true, 1e-3)),
        (75.0, (false, 2e-3)),
        (144.0, (false, 2e-3)),
        (144.0, (true, 3e-4)),
        (240.0, (true, 3e-4)),
        (240.0, (false, 1e-3)),
    ] {
        for missed in [0.0, 0.05, 0.1] {
            let (mut random, mut last, mut refresh) = (Rng::with_seed(4), 0.0_f64, 0_u64);
            let mut clock = RefreshClock::new(Rate::new(262_144, 4_389).unwrap());
            while refresh < (60.0 * hz) as u64 {
                // Every ten seconds a hitch of 100 to 240 ms.
                let hitch = refresh % (10.0 * hz) as u64 == (5.0 * hz) as u64;
                refresh += if hitch {
                    ((0.1 + 0.14 * random.f64()) * hz) as u64
                } else {
                    1
                };
                if random.f64() < missed {
                    continue;
                }
                last = last.max(refresh as f64 / hz + lateness(&mut random, noise));
                let _ = clock.begin_frame(secs(1.0 + last));
                assert!(
                    clock.is_following() || last < 15.0,
                    "{hz} Hz, {noise:?}, {missed}, at {last}"
                );
            }
        }
    }
}

/// The mean seconds from a tap to the frame that runs its step, in a machine at a rate.
fn delay(rate: Rate, hz: f64, follows: bool) -> f64 {
    let (mut random, mut follow, mut frames) = (Rng::with_seed(9), RefreshClock::new(rate), FrameClock::new());
    let (mut timestep, mut input) = (FixedTimestep::new(rate), InputQueue::new(64));
    let (mut sum, mut count, mut last) = (0.0, 0, 1.0_f64);
    for n in 0..(hz * 60.0) as u64 {
        let now = last.max(1.0 + n as f64 / hz + 3e-4 * random.f64());
        if n > 0 {
            let tap = last + random.f64() * (now - last);
            input.push_at(if follows { follow.time_at(secs(tap)) } else { secs(tap) }, tap);
        }
        last = now;
        let time = match follows {
            true => follow.begin_frame(secs(now)),
            false => frames.begin_frame(secs(now)),
        };
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        for step in frame.steps() {
            while let Some(tap) = input.next(&step) {
                if now > 20.0 {
                    sum += now - tap;
                    count += 1;
                }
            }
        }
    }
    assert_eq!(input.counts().late, 0);
    sum / f64::from(count)
}

#[test]
fn input_through_it_costs_no_more_than_through_the_default_filter() {
    for rate in
        [(262_144, 4_389), (39_375_000, 655_171), (50, 1)].map(|(numer, denom)| Rate::new(numer, denom).unwrap())
    {
        for hz in [59.94, 60.0, 75.0, 120.0, 144.0, 165.0, 240.0] {
            let (followed, filtered) = (delay(rate, hz, true), delay(rate, hz, false));
            println!(
                "{rate:?} on {hz}: {:.1} ms, by the filter {:.1}",
                followed * 1e3,
                filtered * 1e3
            );
            assert!(followed <= filtered, "{rate:?} on {hz}: {followed} for {filtered}");
        }
    }
}

#[test]
fn presses_of_its_pause_reach_no_step() {
    let rate = Rate::hz(60);
    let (mut clock, mut timestep, mut input) =
        (RefreshClock::new(rate), FixedTimestep::new(rate), InputBuffer::new(64));
    let mut presses = 0;
    for n in 0..1000_u32 {
        match n {
            600 => clock.pause(),
            700 => clock.resume(),
            _ => {}
        }
        let now = f64::from(n) / 60.0;
        let at = clock.time_at(secs(1.0 + now - 0.005));
        input.push_at(at, InputEvent::Press(1));
        input.push_at(at, InputEvent::Release(1));
        let time = clock.begin_frame(secs(1.0 + now));
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        for step in frame.steps() {
            presses += input.controls(&step).presses(&1);
        }
    }
    assert!((896..=900).contains(&presses), "{presses}");
}
