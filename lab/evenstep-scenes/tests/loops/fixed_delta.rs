// A fixed delta in each frame.
fn main() {
    let mut x = 0.0; // m
    for _frame in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(16)); // waits a frame
        x += 2.0 * 0.02; // step: 20 ms, however long the frame was
        println!("{x:.3}"); // draw
    }
}
