//! A `GameLoop` by the system's clock, and what its parts would make easy to get wrong.

use std::time::Duration;

use evenstep::filter::DeltaFilter;
use evenstep::input::InputEvent;
use evenstep::{Backlog, GameLoop, Rate, TimeScale};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_press_now_is_seen_once_by_the_steps_of_a_loop_that_reads_the_clock() {
    let mut game = GameLoop::new(Rate::hz(500)).with_input();
    let (mut presses, mut ticks, mut later) = (0, 0, 0);
    let mut has_tapped = false;
    let first = game.begin_frame();
    assert_eq!(first.steps().len(), 0);
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

type Change = fn(&mut GameLoop);

#[test]
fn single_steps_run_in_every_kind_of_pause() {
    let pauses: [(Change, Change); 2] = [
        (GameLoop::pause, |game| game.resume(Backlog::Keep)),
        (
            |game| game.set_time_scale(TimeScale::PAUSED),
            |game| game.set_time_scale(TimeScale::NORMAL),
        ),
    ];
    for (pause, resume) in pauses {
        let mut game = GameLoop::new(Rate::hz(60));
        game.begin_frame_at(ms(0));
        pause(&mut game);
        for number in 1..=10 {
            game.step_once();
            assert_eq!(game.begin_frame_at(ms(number * 100)).steps().len(), 1);
        }
        resume(&mut game);
        assert_eq!(game.timestep().tick(), 10);
    }
}
