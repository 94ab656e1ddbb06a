//! A `GameLoop` by the system's clock.

use std::time::Duration;

use evenstep::filter::{DeltaFilter, PlaybackClock, PlaybackReport, RefreshClock};
use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{FixedTimestep, Frame, GameLoop, Rate};

#[test]
fn a_press_now_is_seen_once_by_the_steps_of_a_loop_that_reads_the_clock() {
    let mut game = GameLoop::new(Rate::hz(500)).with_input();
    let (mut presses, mut ticks, mut later) = (0, 0, 0);
    let mut has_tapped = false;
    let first = game.begin_frame();
    assert_eq!(first.step_count(), 0);
    // A frame that began long before the press may bring many steps and not yet the one of its time, so the end is 20 steps after it was seen.
    while later < 20 {
        if ticks >= 5 && !has_tapped {
            game.push(InputEvent::Press('a'));
            game.push(InputEvent::Release('a'));
            has_tapped = true;
        }
        let frame = game.begin_frame();
        for step in frame.steps() {
            assert!(step.tick < 50_000, "the press is lost");
            presses += game.input(&step).presses(&'a');
            ticks += 1;
            later += u32::from(presses > 0);
        }
        assert!(game.frame_time().now() <= game.now() + game.frame_clock().filter().max_lead());
    }
    assert_eq!((presses, game.input_buffer().counts().late), (1, 0));
}

/// When a frame of a display at 60 Hz begins, on a clock that does not begin at zero; before each 400th frame is a hitch of 200 ms.
fn frame_at(n: u64) -> Duration {
    Duration::from_secs(7_000) + Duration::from_micros(n * 1_000_000 / 60) + Duration::from_millis(n / 400 * 200)
}

fn figures(frame: &Frame) -> (u64, u32, u64, Duration) {
    (
        frame.tick(),
        frame.step_count(),
        frame.alpha().to_bits(),
        frame.lost().clamped,
    )
}

#[test]
fn a_loop_that_follows_a_song_does_what_its_parts_do_and_a_hitch_loses_no_time() {
    let rate = Rate::hz(120);
    let mut game = GameLoop::new(rate).with_input().with_playback(PlaybackClock::new());
    let (mut clock, mut timestep) = (PlaybackClock::new(), FixedTimestep::new(rate));
    let mut input = InputBuffer::new(256);
    let mut presses = 0;
    for n in 0..1_000 {
        let at = frame_at(n);
        let position = Duration::from_millis((at - frame_at(0)).as_millis() as u64 / 21 * 21);
        let report = PlaybackReport { at, position };
        game.playback_mut().expect("it follows a song").report(report);
        clock.report(report);
        if n % 30 == 20 {
            let pressed = at - Duration::from_millis(9);
            game.push_at(pressed, InputEvent::Press('a'));
            game.push_at(pressed, InputEvent::Release('a'));
            for event in [InputEvent::Press('a'), InputEvent::Release('a')] {
                input.push_at(clock.time_at(pressed), event);
            }
        }
        let frame = game.begin_frame_at(at);
        let time = clock.begin_frame(at);
        let expected = timestep.advance(time.delta);
        input.begin_frame(&time, &expected);
        assert_eq!(figures(&frame), figures(&expected), "frame {n}");
        assert_eq!(frame.lost().clamped, Duration::ZERO, "frame {n}");
        for step in frame.steps() {
            assert_eq!(game.input(&step).presses(&'a'), input.controls(&step).presses(&'a'));
            presses += game.input(&step).presses(&'a');
        }
    }
    assert!(presses >= 32, "{presses} of 33 presses reached a step");
}

#[test]
fn a_loop_that_follows_the_display_does_what_its_parts_do() {
    let rate = Rate::new(262_144, 4_389).unwrap();
    let mut game = GameLoop::new(rate).with_refresh(RefreshClock::new(rate));
    let (mut clock, mut timestep) = (RefreshClock::new(rate), FixedTimestep::new(rate));
    assert!(game.playback_mut().is_none());
    for n in 0..1_000 {
        let frame = game.begin_frame_at(frame_at(n));
        let expected = timestep.advance(clock.begin_frame(frame_at(n)).delta);
        assert_eq!(figures(&frame), figures(&expected), "frame {n}");
    }
    assert!(clock.is_following());
}
