// Equal steps from an accumulator; the newest state is drawn.
use std::time::{Duration, Instant};

fn main() {
    let (mut x, mut last, mut accumulator) = (0.0, Instant::now(), Duration::ZERO);
    for _frame in 0..60 {
        std::thread::sleep(Duration::from_millis(16)); // waits for the display
        let delta = last.elapsed(); // clock
        last += delta;
        accumulator += delta;
        while accumulator >= Duration::from_millis(20) {
            x += 2.0 * 0.02; // step: always 20 ms
            accumulator -= Duration::from_millis(20);
        }
        println!("{x:.3}"); // draw: the newest state
    }
}
