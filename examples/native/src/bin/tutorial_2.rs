//! Step 2 of the tutorial: the same jump in equal steps.

use std::time::Duration;

use evenstep::{GameLoop, Rate};

struct Square {
    height: f64, // pixels above the ground
    speed: f64,  // pixels a second, upwards
}

impl Square {
    fn update(&mut self, dt: f64) {
        self.speed -= 900.0 * dt; // gravity
        self.height += self.speed * dt;
    }
}

fn main() {
    for frames_a_second in [30, 60, 144] {
        let mut game = GameLoop::new(Rate::hz(60));
        let mut square = Square {
            height: 0.0,
            speed: 300.0,
        };
        let mut top = 0.0_f64;
        for number in 0..=frames_a_second {
            // When the frame begins. In a window: game.begin_frame().
            let frame = game.begin_frame_at(Duration::from_secs(1) * number / frames_a_second);
            for step in frame.steps() {
                square.update(step.dt);
                top = top.max(square.height);
            }
        }
        println!("{frames_a_second} frames a second: it jumps {top:.2} pixels high");
    }
}
