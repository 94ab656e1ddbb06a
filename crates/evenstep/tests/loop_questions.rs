//! Questions that come up with every loop of this kind, each with the answer as a program.

use std::cell::Cell;
use std::time::Duration;

use evenstep::input::{InputBuffer, InputEvent};
use evenstep::{Blend, FixedTimestep, FrameClock, GameLoop, Rate, Smoothed, Smoothing};
use proptest::prelude::*;

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The steps of a frame took long. Does a second look at the clock bring the simulation up to the present?
#[test]
fn a_second_advance_in_a_frame_brings_it_up_to_the_time_that_its_steps_took() {
    let (mut clock, mut timestep) = (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(100)));
    let (mut input, mut presses) = (InputBuffer::new(16), Vec::new());
    let (mut now, step_takes) = (ms(0), ms(4));
    clock.begin_frame(now);
    now = ms(25);
    let mut shown = Vec::new();
    // Until a look at the clock brings no step: the steps are faster than the time that they simulate.
    loop {
        input.push_at(now - ms(2), InputEvent::Press('a'));
        input.push_at(now - ms(1), InputEvent::Release('a'));
        let time = clock.begin_frame(now);
        let frame = timestep.advance(time.delta);
        input.begin_frame(&time, &frame);
        for step in frame.steps() {
            presses.push(input.controls(&step).presses(&'a'));
            now += step_takes;
        }
        shown.push(frame.shown_time(Smoothing::Interpolate).to_duration());
        if frame.step_count() == 0 {
            break;
        }
    }
    // 25 ms bring two steps, their 8 ms another, and its 4 ms none. The frame is drawn 12 ms later than by the first look.
    assert_eq!((timestep.tick(), now), (3, ms(37)));
    assert_eq!(shown, [ms(15), ms(23), ms(27)]);
    // Two taps have come; the third belongs to the step under way.
    assert_eq!(presses, [0, 0, 1]);
    let once = FixedTimestep::new(Rate::hz(100)).advance(now);
    assert_eq!(timestep.idle_frame().overstep(), once.overstep());
}

thread_local!(static COPIES: Cell<u64> = const { Cell::new(0) });

/// A state that is expensive to copy.
#[derive(Debug, PartialEq)]
struct World(f64);

impl Clone for World {
    fn clone(&self) -> Self {
        COPIES.set(COPIES.get() + 1);
        Self(self.0)
    }
}

impl Blend for World {
    fn blend(&self, next: &Self, alpha: f64) -> Self {
        Self(self.0.blend(&next.0, alpha))
    }
}

proptest! {
    /// Must the state be copied before each step?
    #[test]
    fn a_copy_before_the_last_step_of_a_frame_is_enough(deltas in prop::collection::vec(0..150_u64, 1..40)) {
        let mut timestep = FixedTimestep::new(Rate::hz(100));
        let (mut each, mut last) = (Smoothed::new(0.0), Smoothed::new(World(0.0)));
        for delta in deltas {
            let frame = timestep.advance(ms(delta));
            let before = COPIES.get();
            for step in frame.steps() {
                let run = |x: &mut f64| *x = (*x + step.dt) * 1.01;
                each.step(run);
                prop_assert_eq!(step.is_last(), step.tick + 1 == frame.tick());
                if step.is_last() {
                    last.begin_step();
                }
                run(&mut last.current_mut().0);
            }
            prop_assert_eq!(COPIES.get() - before, frame.steps().len().min(1) as u64);
            prop_assert_eq!(last.at(frame.alpha()).0.to_bits(), each.at(frame.alpha()).to_bits());
        }
    }
}

/// Where in a frame may the key be read that begins or ends a pause?
#[test]
fn a_pause_begins_and_ends_at_the_next_begin_frame_wherever_in_a_frame_its_key_is_read() {
    let moments = [
        "before the events",
        "before begin_frame",
        "before the steps",
        "in a step",
        "after the steps",
    ];
    for (begin, end) in moments
        .into_iter()
        .flat_map(|begin| moments.map(|end| (begin, end)))
        .filter(|(_, end)| *end != "in a step")
    {
        let mut game = GameLoop::from(FixedTimestep::new(Rate::hz(100))).with_input();
        let (mut presses, mut counts) = (Vec::new(), Vec::new());
        for frame in 0..12_u32 {
            let toggle = |game: &mut GameLoop<u32>, moment: &str| match frame {
                4 if moment == begin => game.pause(),
                8 if moment == end => game.resume(),
                _ => {}
            };
            toggle(&mut game, "before the events");
            let now = ms(15 * u64::from(frame));
            if frame > 0 {
                game.push_at(now - ms(14), InputEvent::Press(frame));
            }
            toggle(&mut game, "before begin_frame");
            let plan = game.begin_frame_at(now);
            toggle(&mut game, "before the steps");
            let mut count = 0;
            for step in plan.steps() {
                toggle(&mut game, "in a step");
                count += 1;
                presses.extend((0..12).filter(|key| game.input(&step).was_pressed(key)));
            }
            toggle(&mut game, "after the steps");
            counts.push(count);
        }
        // The filter holds up to 5 ms back.
        let early = begin.starts_with("before the events") || begin == "before begin_frame";
        let late = end.starts_with("before the events") || end == "before begin_frame";
        let (first, last) = (if early { 4 } else { 5 }, if late { 8 } else { 9 });
        let case = format!("paused {begin}, resumed {end}");
        for (frame, count) in counts.iter().enumerate().skip(2) {
            assert_eq!(*count == 0, (first..=last).contains(&frame), "{case}: {counts:?}");
        }
        let expected: Vec<u32> = (1..first as u32).chain(last as u32 + 1..12).collect();
        assert!(expected.starts_with(&presses), "{case}: {presses:?}");
        assert!(presses.len() + 1 >= expected.len(), "{case}: {presses:?}");
    }
}

/// What happens in a second `for` over the steps of a frame?
#[test]
fn a_second_for_over_the_steps_of_a_frame_simulates_them_again_with_the_keys_that_are_held_then() {
    let mut game = GameLoop::from(FixedTimestep::new(Rate::hz(100))).with_input();
    let _ = game.begin_frame_at(ms(0));
    game.push_at(ms(5), InputEvent::Press("jump"));
    game.push_at(ms(6), InputEvent::Press("right"));
    game.push_at(ms(7), InputEvent::Release("jump"));
    let frame = game.begin_frame_at(ms(60));
    assert!(frame.step_count() > 2);
    // Two worlds, one after the other. It is a correct program if the second needs no more than held keys, or each frame has one step, which
    // can be asked for again: so no check refuses it.
    let (mut jumps, mut held) = ([0; 2], [0; 2]);
    for world in 0..2 {
        for step in frame.steps() {
            jumps[world] += game.input(&step).presses(&"jump");
            held[world] += u32::from(game.input(&step).is_held_at_end(&"right"));
        }
    }
    assert_eq!((jumps, held[1]), ([1, 0], frame.step_count()));
}

/// A timer of 32 bits that counts milliseconds wraps after 49.7 days. How does a program count on?
#[test]
fn a_clock_of_32_bits_that_wraps_loses_no_step_and_has_no_frame_of_49_days() {
    let timer = |frame: u32| (u32::MAX - 500).wrapping_add(frame * 10);
    let mut timestep = FixedTimestep::new(Rate::hz(50));
    let (mut clock, mut now, mut last) = (FrameClock::unfiltered(), Duration::ZERO, timer(0));
    for frame in 0..=200 {
        // The difference of two times is right also where the timer has wrapped in between.
        now += ms(u64::from(timer(frame).wrapping_sub(last)));
        last = timer(frame);
        assert!(timestep.advance(clock.begin_frame(now).delta).lost().is_none());
    }
    assert_eq!((now, timestep.tick()), (ms(2_000), 100));
}

/// There is no timer finer than a second. Do frames of a measured mean length keep time?
#[test]
fn frames_of_a_measured_mean_length_have_even_steps_and_keep_time() {
    for (frames_a_second, fewest, most) in [(20.0, 5, 5), (59.94, 1, 2), (144.0, 0, 1)] {
        let seconds = |frame: u32| (f64::from(frame) / frames_a_second) as u64; // all that the clock tells
        // The mean of the frames of 20 s, measured while the title is shown.
        let counted = (0..).take_while(|frame| seconds(*frame) < 20).count() as u32;
        let mean = Duration::from_secs(20) / counted;
        let mut timestep = FixedTimestep::new(Rate::hz(100));
        let frames = (0..).take_while(|frame| seconds(*frame) < 600).count();
        for _ in 0..frames {
            let steps = timestep.advance(mean).steps().len();
            assert!(
                (fewest..=most).contains(&steps),
                "{steps} steps at {frames_a_second} frames a second"
            );
        }
        let lag = 60_000_i64 - timestep.tick() as i64;
        assert!(
            lag.abs() <= 60,
            "{lag} steps of ten minutes at {frames_a_second} frames a second"
        );
    }
}

/// Which way round is alpha, and how does the wrong way look?
#[test]
fn the_wrong_way_round_a_body_goes_back_between_steps_and_jumps_nearly_two_steps_forward() {
    let mut timestep = FixedTimestep::new(Rate::hz(25));
    let mut x = Smoothed::new(0.0);
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for _ in 0..16 {
        let frame = timestep.advance(ms(10)); // a display at 100 Hz: four frames a step
        for _ in frame.steps() {
            x.step(|x| *x += 1.0);
        }
        right.push(x.at(frame.alpha()));
        wrong.push(x.at(1.0 - frame.alpha()));
    }
    let moves = |drawn: &[f64]| drawn[3..].windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    assert_eq!(moves(&right), [0.25; 12]);
    assert_eq!(moves(&wrong), [[-0.25, -0.25, -0.25, 1.75]; 3].as_flattened());
}
