// Equal steps from an accumulator; the newest state is drawn.
fn main() {
    let (mut x, mut last, mut accumulator) = (0.0, std::time::Instant::now(), 0);
    for _frame in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(16)); // waits a frame
        let delta = last.elapsed(); // clock
        last += delta;
        accumulator += delta.as_nanos();
        while accumulator >= 20_000_000 {
            x += 2.0 * 0.02; // step: always 20 ms
            accumulator -= 20_000_000;
        }
        println!("{x:.3}"); // draw: the newest state
    }
}
