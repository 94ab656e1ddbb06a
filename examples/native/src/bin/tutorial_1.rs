//! Step 1 of the tutorial: a square jumps, and each frame simulates the time since the last one.

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
        let mut square = Square {
            height: 0.0,
            speed: 300.0,
        };
        let mut top = 0.0_f64;
        for _ in 0..frames_a_second {
            square.update(1.0 / f64::from(frames_a_second));
            top = top.max(square.height);
        }
        println!("{frames_a_second} frames a second: it jumps {top:.2} pixels high");
    }
}
