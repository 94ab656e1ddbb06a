// Steps with a limit, and a shorter one for the rest of the frame.
fn main() {
    let (mut x, mut last) = (0.0, std::time::Instant::now());
    for _frame in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(16)); // waits a frame
        let mut delta = last.elapsed(); // clock
        last += delta;
        while !delta.is_zero() {
            let dt = delta.min(std::time::Duration::from_millis(20));
            x += 2.0 * dt.as_secs_f64(); // step: 20 ms, or the rest
            delta -= dt;
        }
        println!("{x:.3}"); // draw
    }
}
