// The same with evenstep, and drawn between the last two states.
use evenstep::{GameLoop, Rate, Smoothed};

fn main() {
    let (mut game, mut x) = (GameLoop::new(Rate::hz(50)), Smoothed::new(0.0));
    for _frame in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(16)); // waits a frame
        let frame = game.begin_frame(); // clock
        for step in frame.steps() {
            x.step(|x| *x += 2.0 * step.dt); // step: always 20 ms
        }
        println!("{:.3}", x.at(frame.alpha())); // draw: between the last two states
    }
}
