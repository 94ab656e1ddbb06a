//! A `GameLoop` by the system's clock.

use evenstep::filter::DeltaFilter;
use evenstep::input::InputEvent;
use evenstep::{GameLoop, Rate};

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
