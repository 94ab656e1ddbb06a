//! Step 3 of the tutorial: the drawn position lies between the last two steps.

use std::time::Duration;

use evenstep::{GameLoop, Rate, Smoothed};

fn main() {
    let mut game = GameLoop::new(Rate::hz(60));
    let mut x = Smoothed::new(0.0_f64);
    let (mut last_raw, mut last_smooth) = (0.0, 0.0);
    println!("frame   raw moves   smooth moves");
    for number in 1..=10 {
        // A display with 144 refreshes a second.
        let frame = game.begin_frame_at(Duration::from_secs(1) * number / 144);
        for step in frame.steps() {
            x.step(|x| *x += 200.0 * step.dt); // 200 pixels a second
        }
        let (raw, smooth) = (*x.current(), x.at(frame.alpha()));
        println!("{number:5}{:12.2}{:15.2}", raw - last_raw, smooth - last_smooth);
        (last_raw, last_smooth) = (raw, smooth);
    }
}
