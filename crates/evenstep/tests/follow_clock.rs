//! A clock that follows a song or the display: even, near, and never back.

use std::ops::Range;
use std::time::Duration;

use evenstep::filter::FollowClock;
use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{FixedTimestep, Rate, TimeScale};
use fastrand::Rng;
use proptest::prelude::*;

const BLOCKS: [f64; 6] = [128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0];
const SAMPLE_RATES: [f64; 2] = [44_100.0, 48_000.0];

fn secs(seconds: f64) -> Duration {
    Duration::from_nanos((seconds * 1e9).round() as u64)
}

/// A device that plays a song, whose position is known in blocks.
#[derive(Clone)]
struct Device {
    /// How fast it plays, by the program's clock.
    speed: f64,
    block: f64,
    position: f64,
    now: f64,
    stands_until: f64,
    loops: Option<Range<f64>>,
}

impl Device {
    fn new(speed: f64, block: f64) -> Self {
        Self {
            speed,
            block,
            position: 0.0,
            now: 0.0,
            stands_until: 0.0,
            loops: None,
        }
    }

    fn play_until(&mut self, now: f64) {
        let from = self.now.max(self.stands_until.min(now));
        self.position += (now - from) * self.speed;
        self.now = now;
        if let Some(points) = self.loops.clone().filter(|points| self.position >= points.end) {
            self.position -= points.end - points.start;
        }
    }

    fn reported(&self) -> Duration {
        secs((self.position / self.block).floor() * self.block)
    }

    fn stall(&mut self, seconds: f64) {
        self.stands_until = self.now + seconds;
    }
}

/// A frame: the program's clock, the time of the clock that follows, its position and the true one, in seconds.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    now: f64,
    time: f64,
    position: f64,
    truth: f64,
}

impl Drawn {
    fn off(&self) -> f64 {
        (self.position - self.truth).abs()
    }
}

/// Draws frames whose times are read up to `noise` seconds late. `act` comes before each.
fn draw(
    mut device: Device,
    mut clock: FollowClock,
    (hz, noise): (f64, f64),
    seconds: f64,
    mut act: impl FnMut(u64, &mut Device, &mut FollowClock),
) -> Vec<Drawn> {
    let mut random = Rng::with_seed(7);
    let frame = |n| {
        let now = n as f64 / hz + random.f64() * noise;
        device.play_until(now);
        act(n, &mut device, &mut clock);
        let at = secs(100.0 + now);
        clock.report(at, device.reported());
        let time = clock.begin_frame(at).now().as_secs_f64();
        let (position, truth) = (clock.position().as_secs_f64(), device.position);
        Drawn {
            now,
            time,
            position,
            truth,
        }
    };
    (0..(seconds * hz) as u64).map(frame).collect()
}

/// The speeds between frames after a moment, by the display's time.
fn speeds(frames: &[Drawn], hz: f64, after: f64) -> impl Iterator<Item = f64> {
    let pairs = frames.windows(2).filter(move |pair| pair[0].now > after);
    pairs.map(move |pair| (pair[1].time - pair[0].time) * hz)
}

fn devices(speed: f64) -> impl Iterator<Item = Device> {
    let blocks = SAMPLE_RATES
        .into_iter()
        .flat_map(|rate| BLOCKS.map(|samples| samples / rate));
    blocks.map(move |block| Device::new(speed, block))
}

#[test]
fn in_steady_play_the_speed_is_within_a_hundredth_and_the_position_near_for_ever() {
    for (hz, noise) in [
        (30.0, 1e-3),
        (50.0, 1e-3),
        (59.94, 5e-4),
        (60.0, 1e-3),
        (144.0, 3e-4),
        (240.0, 2e-4),
    ] {
        for error in [-2e-3, -2e-4, 0.0, 2e-4, 2e-3] {
            for device in devices(1.0 + error) {
                let block = device.block;
                let mut measured = 1.0;
                let frames = draw(device, FollowClock::new(), (hz, noise), 90.0, |_, _, clock| {
                    measured = clock.speed()
                });
                assert!(
                    (measured / (1.0 + error) - 1.0).abs() < 1e-3,
                    "{hz} Hz, blocks of {block}, {error}: {measured}"
                );
                let what = format!("{hz} Hz, blocks of {block}, {error}");
                for speed in speeds(&frames, hz, 5.0) {
                    let by_the_song = speed / (1.0 + error);
                    assert!((by_the_song - 1.0).abs() < 0.01, "{what}: speed {speed}");
                }
                for drawn in frames.iter().filter(|drawn| drawn.now > 5.0) {
                    let most = if drawn.now > 15.0 && error.abs() < 1e-3 {
                        0.008
                    } else {
                        0.012
                    };
                    assert!(drawn.off() < most, "{what}: {drawn:?}");
                }
            }
        }
    }
}

#[test]
fn a_stall_or_a_seek_is_caught_up_with_in_half_a_second_without_a_jump_back() {
    for hz in [30.0, 60.0, 144.0, 240.0] {
        for by in [-0.1, 0.1, -0.2] {
            for stalls in [false, true].into_iter().filter(|stalls| !stalls || by < 0.0) {
                for (device, at) in devices(1.0002).zip((0..).map(|n| 10.0 + 0.013 * f64::from(n))) {
                    let what = format!("{hz} Hz, blocks of {}, {by}, stalls {stalls}", device.block);
                    let frames = draw(device, FollowClock::new(), (hz, 3e-4), 20.0, |n, device, _| {
                        if n == (at * hz) as u64 {
                            if stalls {
                                device.stall(-by)
                            } else {
                                device.position += by
                            }
                        }
                    });
                    for speed in speeds(&frames, hz, 5.0) {
                        assert!((0.48..1.52).contains(&speed), "{what}: {speed}");
                    }
                    for pair in frames.windows(2) {
                        assert!(pair[1].position >= pair[0].position, "{what}: {pair:?}");
                    }
                    let ends = at + if stalls { -by } else { 0.0 } + 0.5 * (by / 0.1_f64).abs();
                    for drawn in frames.iter().filter(|drawn| drawn.now > ends && drawn.now < ends + 1.0) {
                        assert!(drawn.off() < 0.02, "{what} at {at}: {drawn:?}");
                    }
                    for drawn in frames.iter().filter(|drawn| drawn.now > ends + 3.0) {
                        assert!(drawn.off() < 0.01, "{what} at {at}: {drawn:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_long_seek_moves_the_position_at_once_and_time_goes_on_evenly() {
    for to in [0.3, 3.0, 40.0] {
        for device in devices(0.9998) {
            let block = device.block;
            let frames = draw(device, FollowClock::new(), (60.0, 3e-4), 20.0, |n, device, _| {
                if n == 600 {
                    device.position = to;
                }
            });
            for speed in speeds(&frames, 60.0, 5.0) {
                assert!((speed - 1.0).abs() < 0.012, "blocks of {block} to {to}: {speed}");
            }
            let late = frames.iter().filter(|drawn| drawn.now > 10.0 + 2.5 * block.max(0.02));
            for drawn in late {
                assert!(drawn.off() < 0.02, "blocks of {block} to {to}: {drawn:?}");
            }
        }
    }
}

#[test]
fn a_single_wrong_position_changes_nothing() {
    let device = || Device::new(1.0, 1024.0 / 48_000.0);
    let run = |slips: bool| {
        let act = |n: u64, device: &mut Device, clock: &mut FollowClock| {
            if slips && n % 300 == 299 {
                let (_, at) = (device, secs(100.0 + n as f64 / 60.0));
                clock.report(at, Duration::ZERO);
            }
        };
        draw(device(), FollowClock::new(), (60.0, 0.0), 30.0, act)
    };
    for (with, without) in run(true).iter().zip(run(false)) {
        assert!((with.time - without.time).abs() < 0.003, "{with:?} for {without:?}");
    }
}

#[test]
fn a_loop_is_followed_round_its_points() {
    for points in [0.0..4.0, 1.5..7.3, 2.0..2.5] {
        for mut device in devices(1.0003) {
            let block = device.block;
            device.loops = Some(points.clone());
            let clock = FollowClock::new().with_loop_points(secs(points.start)..secs(points.end));
            let frames = draw(device, clock, (60.0, 3e-4), 40.0, |_, _, _| ());
            for speed in speeds(&frames, 60.0, 5.0) {
                assert!((speed - 1.0).abs() < 0.01, "blocks of {block}: {speed}");
            }
            let length = points.end - points.start;
            for drawn in frames.iter().filter(|drawn| drawn.now > 5.0) {
                assert!(drawn.position <= points.end + 1e-9);
                let off = drawn.off().min(length - drawn.off());
                assert!(off < 0.01, "blocks of {block}: {drawn:?}");
            }
        }
    }
}

#[test]
fn in_a_pause_time_stands_still_and_then_goes_on_from_there() {
    for device in devices(1.0002) {
        let block = device.block;
        let frames = draw(device, FollowClock::new(), (60.0, 3e-4), 30.0, |n, device, clock| {
            match n {
                600 => {
                    clock.pause();
                    device.stall(4.0);
                }
                // The device starts again 60 ms late.
                836 => clock.resume(),
                _ => {}
            }
        });
        assert_eq!(frames[599].time, frames[836].time, "blocks of {block}");
        assert_eq!(frames[599].position, frames[836].position, "blocks of {block}");
        assert!(frames.windows(2).all(|pair| pair[1].position >= pair[0].position));
        for drawn in &frames[880..] {
            assert!(drawn.off() < 0.02, "blocks of {block}: {drawn:?}");
        }
        for speed in speeds(&frames, 60.0, 17.0) {
            assert!((speed - 1.0).abs() < 0.01, "blocks of {block}: {speed}");
        }
    }
}

#[test]
fn a_song_that_has_not_begun_stands_at_its_beginning() {
    for device in devices(1.0) {
        let block = device.block;
        let frames = draw(device, FollowClock::new(), (60.0, 0.0), 5.0, |n, device, _| {
            if n == 0 {
                device.stall(0.4);
            }
        });
        assert!(frames[..24].iter().all(|drawn| drawn.position < 0.005));
        assert!(frames[36..].iter().all(|drawn| drawn.off() < 0.02), "blocks of {block}");
        for speed in speeds(&frames, 60.0, 0.6) {
            assert!((speed - 1.0).abs() < 0.01, "blocks of {block}: {speed}");
        }
    }
}

#[test]
fn playback_rates_are_followed() {
    for (numer, denom) in [(1, 2), (3, 4), (5, 4), (3, 2), (2, 1), (4, 1)] {
        let speed = f64::from(numer) / f64::from(denom) * 1.0005;
        for device in devices(speed) {
            let clock = FollowClock::new().with_playback_rate(TimeScale::new(numer, denom).unwrap());
            let frames = draw(device.clone(), clock, (60.0, 3e-4), 30.0, |_, _, _| ());
            for seen in speeds(&frames, 60.0, 5.0) {
                assert!((seen / speed - 1.0).abs() < 0.01, "{speed}: {seen}");
            }
            for drawn in frames.iter().filter(|drawn| drawn.now > 5.0) {
                assert!(
                    drawn.off() < 0.012 * speed.max(1.0),
                    "{speed}, blocks of {}: {drawn:?}",
                    device.block
                );
            }
        }
    }
}

#[test]
fn the_latency_of_the_device_is_taken_off_the_position() {
    let device = || Device::new(1.0, 256.0 / 48_000.0);
    let plain = draw(device(), FollowClock::new(), (60.0, 0.0), 10.0, |_, _, _| ());
    let clock = FollowClock::new().with_latency(Duration::from_millis(40));
    let late = draw(device(), clock, (60.0, 0.0), 10.0, |_, _, _| ());
    for (plain, late) in plain.iter().zip(&late).skip(20) {
        assert_eq!(plain.time, late.time);
        assert!((plain.position - late.position - 0.04).abs() < 1e-8);
    }
}

#[test]
fn a_press_is_judged_at_the_position_of_its_time() {
    let (mut device, mut clock) = (Device::new(1.0001, 512.0 / 48_000.0), FollowClock::new());
    let mut timestep = FixedTimestep::new(Rate::hz(240));
    let mut input = InputBuffer::new(64);
    let (mut random, mut pressed) = (Rng::with_seed(5), 0);
    for n in 0..3600_u32 {
        let now = f64::from(n) / 60.0;
        // A press before this frame, which is known in it.
        let press = (n > 300).then(|| now - random.f64() / 60.0);
        if let Some(at) = press {
            device.play_until(at);
            assert!((clock.position_at(secs(at + 9.0)).as_secs_f64() - device.position).abs() < 0.006);
            let at = clock.time_at(secs(at + 9.0));
            input.push_at(at, InputEvent::Press("hit"));
            input.push_at(at, InputEvent::Release("hit"));
        }
        device.play_until(now);
        clock.report(secs(now + 9.0), device.reported());
        let time = clock.begin_frame(secs(now + 9.0));
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        pressed += frame
            .steps()
            .map(|step| input.controls(&step).presses(&"hit"))
            .sum::<u32>();
    }
    assert_eq!(input.counts().late, 0);
    assert!(pressed >= 3298, "{pressed}");
}

proptest! {
    #[test]
    fn no_report_and_no_time_takes_it_back_or_stops_it(
        acts in prop::collection::vec((0_u8..13, any::<u64>(), 0_u64..100_000_000), 1..300), is_song: bool, hertz in 1_u32..1000,
    ) {
        let mut clock = if is_song { FollowClock::new() } else { FollowClock::of_display(Rate::hz(hertz)) };
        let (mut now, mut last, mut is_paused, mut resumes) = (Duration::from_secs(50), Duration::ZERO, false, false);
        for (act, any, near) in acts {
            let before = now.saturating_sub(Duration::from_nanos(near));
            match act {
                0 => clock.report(Duration::from_nanos(any), Duration::from_nanos(near)),
                1 => clock.report(now, Duration::from_nanos(any)),
                2..5 => clock.report(before, now.saturating_sub(Duration::from_secs(50))),
                5 => clock.set_playback_rate(TimeScale::new(any as u32 % 50, 1 + near as u32 % 50).unwrap()),
                6 => clock.set_loop_points(Duration::from_nanos(near)..Duration::from_nanos(any)),
                7 => {
                    clock.pause();
                    (is_paused, resumes) = (true, false);
                }
                _ => {
                    now += Duration::from_nanos(near);
                    let time = clock.begin_frame(now);
                    prop_assert_eq!(time.now(), last + time.delta);
                    let stands = time.delta.is_zero() && near > 30_000_000;
                    prop_assert!(!stands || is_paused || time.now().is_zero() || !is_song, "{:?}", clock);
                    prop_assert!(clock.time_at(now) >= time.now());
                    last = time.now();
                    is_paused = is_paused && !resumes;
                    resumes = act == 9 && is_paused;
                    if resumes { clock.resume() }
                }
            }
            prop_assert!(clock.speed().is_finite() && clock.position() <= clock.position().max(Duration::from_secs(1 << 27)));
        }
    }
}

/// How often in ten minutes, after ten seconds, pictures leave the most regular pattern of `steps` in `refreshes`. Frames are read up to
/// `noise` seconds late, and every `missed`th refresh has none.
fn irregular(
    rate: Rate,
    display: Rate,
    pattern: (i64, i64),
    (noise, missed): (f64, u64),
    mut clock: FollowClock,
) -> (u32, FollowClock) {
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
                let clock = FollowClock::of_display(of(rate));
                let (count, clock) = irregular(of(rate), of(display), pattern, times, clock);
                let what = format!("{rate:?} on {display:?}, {pattern:?}, {times:?}");
                // A missed refresh shows one picture too long and the next one not at all, and no more.
                let missed = (of(display).as_hz_f64() * 600.0) as u64 / times.1;
                assert!(u64::from(count) <= missed && clock.is_following(), "{what}: {count}");
                let speed = pattern.0 as f64 / pattern.1 as f64 * of(display).as_hz_f64() / of(rate).as_hz_f64();
                assert!((clock.speed() / speed - 1.0).abs() < 5e-4, "{what}: {}", clock.speed());
            }
            let (plain, _) = irregular(of(rate), of(display), pattern, (0.5e-3, u64::MAX), FollowClock::new());
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
            FollowClock::of_display(television)
        } else {
            FollowClock::new()
        };
        let (count, _) = irregular(television, display, (1, 2), (0.5e-3, u64::MAX), clock);
        assert!(expected.contains(&count), "{count}");
    }
}

#[test]
fn without_a_period_it_steps_aside_and_says_so_and_a_new_display_is_followed_in_five_seconds() {
    let mut clock = FollowClock::of_display(Rate::new(60_000, 1_001).unwrap());
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
    let mut clock = FollowClock::of_display(Rate::new(1, 100).unwrap());
    for n in 0..2000 {
        let _ = clock.begin_frame(secs(f64::from(n) / 60.0));
    }
    assert!(!clock.is_following());
}
