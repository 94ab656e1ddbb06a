//! Input of a fast mouse and of the keys beside it: motion takes no room from presses.

use std::time::Duration;

use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{FixedTimestep, FrameClock, Rate};

const US: u64 = 1_000;
const MS: u64 = 1_000 * US;
const END: u64 = 1_000 * MS;

/// Between two motions of a mouse of 8 kHz.
const MOTION: u64 = 125 * US;

fn ns(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

/// Ten taps of as many keys, and each motion of the mouse: one to the right.
fn events(tap: impl Fn(u64) -> u64) -> Vec<(u64, InputEvent<u64>)> {
    let mut events: Vec<_> = (0..END / MOTION)
        .map(|n| (n * MOTION, InputEvent::Motion([1.0, 0.0])))
        .collect();
    for key in 0..10 {
        events.push((tap(key), InputEvent::Press(key)));
        events.push((tap(key) + 1_300 * US, InputEvent::Release(key)));
    }
    events.sort_by_key(|(at, _)| *at);
    events
}

#[test]
fn beside_a_mouse_of_8_khz_each_tap_reaches_its_step_and_motion_is_as_precise_as_there_is_room() {
    let taps: [fn(u64) -> u64; 3] = [
        |key| key * 97 * MS + 13 * MS,
        |key| key * 300 * US + 510 * MS, // all within one frame
        |key| key * 1_301 * US,
    ];
    for (taps, frame_ms) in taps
        .into_iter()
        .flat_map(|taps| [16, 33, 50, 100, 250].map(|frame| (taps, frame)))
    {
        for (capacity, keeps_pauses) in [20, 64, 256, 1024]
            .into_iter()
            .flat_map(|room| [(room, false), (room, true)])
        {
            let what = format!("frames of {frame_ms} ms, room for {capacity}, pauses kept: {keeps_pauses}");
            let (mut clock, input) = (FrameClock::unfiltered(), InputBuffer::new(capacity));
            let mut input = if keeps_pauses { input.keep_pauses() } else { input };
            let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(u32::MAX);
            let step = 20 * MS;
            // Motion comes too soon by no more than what was added up, and never late.
            let grain = 3 * (frame_ms * MS + step) / (capacity as u64 / 4) / MOTION;
            let (mut now, mut moved, mut pressed, mut released) = (0, 0, Vec::new(), Vec::new());
            let events = events(taps);
            let mut waiting = events.iter().peekable();
            clock.begin_frame(ns(0));
            while now < END + step {
                now += frame_ms * MS;
                while let Some((at, event)) = waiting.next_if(|(at, _)| *at < now) {
                    input.push_at(ns(*at), *event);
                }
                let time = clock.begin_frame(ns(now));
                let frame = timestep.advance(time.delta);
                input.begin_frame(&time, &frame);
                for step in frame.steps() {
                    let controls = input.controls(&step);
                    pressed.extend(
                        (0..10)
                            .filter(|key| controls.presses(key) == 1)
                            .map(|key| (key, step.tick)),
                    );
                    released.extend(
                        (0..10)
                            .filter(|key| controls.was_released(key))
                            .map(|key| (key, step.tick)),
                    );
                    moved += controls.motion()[0] as u64;
                    let arrived = ((step.tick + 1) * 20 * MS / MOTION).min(END / MOTION);
                    let is_near = moved >= arrived && moved <= arrived + grain;
                    assert!(is_near, "{what}: {moved} for {arrived} in step {}", step.tick);
                }
            }
            let ticks = |after: u64| -> Vec<_> { (0..10).map(|key| (key, (taps(key) + after) / step)).collect() };
            assert_eq!((pressed, released), (ticks(0), ticks(1_300 * US)), "{what}");
            assert_eq!((moved, input.counts().refused), (END / MOTION, 0), "{what}");
        }
    }
}

#[test]
fn of_presses_without_room_no_release_is_lost_beside_any_motion() {
    for (frame_ms, capacity) in [100, 250]
        .into_iter()
        .flat_map(|frame| [0, 1, 2, 7].map(|room| (frame, room)))
    {
        let (mut clock, mut input) = (FrameClock::unfiltered(), InputBuffer::new(capacity));
        let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(u32::MAX);
        let (mut moved, mut turned) = (0.0, 0.0);
        clock.begin_frame(ns(0));
        // Runs a frame, and returns the number of keys that are held in each step.
        let mut run = |input: &mut InputBuffer<u64>, now| -> Vec<usize> {
            let time = clock.begin_frame(ns(now));
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame);
            let steps = frame.steps().map(|step| {
                let controls = input.controls(&step);
                moved += controls.motion()[0];
                turned += controls.wheel()[1];
                controls.held().count()
            });
            steps.collect()
        };
        for now in (1..=1_000_u64 / frame_ms).map(|frame| frame * frame_ms * MS) {
            // More taps than there are states, each among motion and turns of the wheel.
            for n in 0..1_500 {
                let at = ns(now - frame_ms * MS + n * frame_ms * MS / 1_500);
                input.push_at(at, InputEvent::Press(n % 10));
                input.push_at(at, InputEvent::Motion([1.0, 0.0]));
                input.push_at(at, InputEvent::Wheel([0.0, 1.0]));
                input.push_at(at, InputEvent::Release(n % 10));
            }
            run(&mut input, now);
        }
        let what = format!("frames of {frame_ms} ms, room for {capacity}");
        for held in run(&mut input, 1_040 * MS) {
            assert_eq!(held, 0, "{what}");
        }
        let all = (1_000 / frame_ms * 1_500) as f64;
        assert_eq!((moved, turned, input.len()), (all, all, 0), "{what}");
    }
}
