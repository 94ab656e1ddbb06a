//! The clock that follows presentation feedback.

use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::input::InputQueue;
use evenstep::{FixedTimestep, FrameClock, Rate, SimTime};
use evenstep_present::{PresentClock, PresentFeedback};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

#[test]
fn with_feedback_a_delta_is_the_difference_of_two_predictions() {
    let refresh = |n: u64| SimTime::at_tick(n, Rate::hz(144)).to_duration();
    let read = |n: u64| {
        if n == 0 {
            Duration::ZERO
        } else {
            refresh(n) + US * (n * n * 7_919 % 3_000) as u32
        }
    };
    let mut clock = PresentClock::new();
    let mut predicted: Option<Duration> = None;
    let mut followed = 0;
    for n in 1..2_000 {
        let in_flight = clock.grid().frames_in_flight();
        let given = clock.apply(read(n) - read(n - 1));
        let at = clock.predict(in_flight).map(|next| next.at);
        if let (Some(last), Some(at)) = (predicted, at)
            && n > 200
        {
            // A timestamp earlier than all before it moves the whole by a little: it must not be ahead of the clock by too much.
            assert!(given.abs_diff(refresh(1)) < 5 * US, "frame {n}: {given:?}");
            followed += usize::from(given == at - last);
        }
        predicted = at;
        if n > 3 {
            let feedback = PresentFeedback::new(n - 3, refresh(n - 1))
                .with_refresh(refresh(1))
                .with_reliable(true);
            clock.observe(feedback, read(n) + MS);
        }
    }
    assert!(followed > 1_600, "{followed} of 1799");
    assert!(clock.follows_feedback());
}

#[test]
fn without_feedback_it_is_the_display_clock() {
    let (mut clock, mut display) = (PresentClock::new(), DisplayClock::new());
    let read = |n: u64| Duration::from_micros(n * 16_667 + n * 137 % 300);
    for n in 1..1_000 {
        let delta = read(n) - read(n - 1);
        assert_eq!(clock.apply(delta), display.apply(delta));
        clock.observe(PresentFeedback::discarded(n), read(n));
    }
    assert!(!clock.follows_feedback());
}

#[test]
fn when_feedback_stops_the_display_clock_continues_without_a_jump() {
    let refresh = |n: u64| SimTime::at_tick(n, Rate::hz(60)).to_duration();
    let read = |n: u64| {
        if n == 0 {
            Duration::ZERO
        } else {
            refresh(n) + US * (n * n * 7_919 % 1_000) as u32
        }
    };
    let mut clock = PresentClock::new();
    for n in 1..1_000 {
        let given = clock.apply(read(n) - read(n - 1));
        if n > 100 {
            assert!(given.abs_diff(refresh(1)) < 150 * US, "frame {n}: {given:?}");
        }
        assert!(clock.follows_feedback() || !(20..519).contains(&n), "frame {n}");
        assert!(!clock.follows_feedback() || (5..519).contains(&n), "frame {n}");
        if n > 3 && n < 506 {
            let presented = Some(refresh(n - 1));
            let feedback = PresentFeedback::new(n - 3, presented)
                .with_refresh(refresh(1))
                .with_reliable(true);
            clock.observe(feedback, read(n) + MS);
        }
    }
}

#[test]
fn a_refresh_that_was_really_missed_is_followed_when_it_is_reported() {
    let refresh = |n: u64| SimTime::at_tick(n, Rate::hz(60)).to_duration();
    let mut clock = PresentClock::new();
    // From frame 300 on, everything is a refresh later.
    let shown = |n: u64| refresh(if n < 300 { n + 1 } else { n + 2 });
    let noise = |n: u64| US * (n * n * 7_919 % 900) as u32;
    let begin = |n: u64| match n {
        0 => Duration::ZERO,
        n => shown(n) - refresh(1) + MS + noise(n),
    };
    let mut given = Vec::new();
    for n in 1..400 {
        given.push(clock.apply(begin(n) - begin(n - 1)));
        let feedback = PresentFeedback::new(n, shown(n))
            .with_refresh(refresh(1))
            .with_reliable(true);
        clock.observe(feedback, shown(n) + MS / 2); // before the next frame begins
    }
    let doubled: Vec<usize> = (50..399).filter(|n| given[*n].abs_diff(refresh(2)) < MS).collect();
    let even = (50..399).filter(|n| given[*n].abs_diff(refresh(1)) < US).count();
    assert_eq!((doubled.len(), even), (1, 348), "{doubled:?}");
    assert!((299..=301).contains(&doubled[0]), "{doubled:?}");
}

#[test]
fn with_feedback_that_comes_and_goes_no_step_runs_before_its_input_is_known() {
    for hertz in [50, 60, 75, 144, 240] {
        let refresh = |n: u64| SimTime::at_tick(n, Rate::hz(hertz)).to_duration();
        // Times are late by up to 3 ms, and the display misses a refresh now and then.
        let shown = |n: u64| refresh(n + n / 97);
        let read = |n: u64| shown(n) + US * (n * n * 7_919 % 3_000) as u32;
        let mut clock = FrameClock::with_filter(PresentClock::new());
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let mut input = InputQueue::new(64);
        let (mut came, mut followed) = (0, 0);
        for n in 0..4_000 {
            let now = read(n);
            if n > 0 {
                let last = read(n - 1);
                input.push(last + now.saturating_sub(last) * (n * 31 % 100) as u32 / 100, n);
            }
            let time = clock.begin_frame(now);
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame);
            for step in frame.steps() {
                came += std::iter::from_fn(|| input.next(&step)).count();
            }
            followed += usize::from(clock.filter().follows_feedback());
            if n > 3 && n / 500 % 2 == 0 {
                let feedback = PresentFeedback::new(n - 2, shown(n - 1))
                    .with_refresh(refresh(1))
                    .with_reliable(true);
                clock.filter_mut().observe(feedback, now + US * 100);
            }
        }
        assert_eq!(input.counts().late, 0, "{hertz} Hz");
        assert_eq!(came + input.len(), 3_999, "{hertz} Hz");
        assert!((500..3_500).contains(&followed), "{hertz} Hz: {followed}");
    }
}
