// A step as long as the frame.
fn main() {
    let (mut x, mut last) = (0.0, std::time::Instant::now());
    for _frame in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(16)); // waits a frame
        let delta = last.elapsed(); // clock
        last += delta;
        x += 2.0 * delta.as_secs_f64(); // step: as long as the frame
        println!("{x:.3}"); // draw
    }
}
