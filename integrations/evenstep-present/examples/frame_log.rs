//! A program that tells `evenstep record` which simulated time each of its frames shows: five seconds of a window on Wayland.
//!
//! ```sh
//! cargo build -p evenstep-present --example frame_log
//! evenstep record -o frames.csv -- target/debug/examples/frame_log
//! ```

use std::error::Error;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn Error>> {
    use std::time::Duration;

    use evenstep::filter::DisplayClock;
    use evenstep::present::FrameLog;
    use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
    use evenstep_present::wayland::Window;

    let mut window = Window::open("Frame log")?;
    let mut log = FrameLog::from_env();
    if log.is_none() {
        eprintln!("no recorder has started this program; it runs without one");
    }
    let clock = MonotonicClock::new();
    let mut frames = FrameClock::new(DisplayClock::new());
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    while clock.now() < Duration::from_secs(5) && !window.is_closed() {
        let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
        for _step in frame.steps() {
            // The game continues by a step.
        }
        if let Some(log) = &mut log {
            log.record(frame.drawn_time());
        }
        // A game draws at `frame.alpha()` here.
        window.commit()?;
        // Of a window that is not visible, no frame is wanted: one a second will do.
        window.wait(Duration::from_secs(1))?;
    }
    if let Some(log) = log.filter(|log| log.dropped() > 0) {
        eprintln!(
            "{} simulated times were dropped: the recorder did not read",
            log.dropped()
        );
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn main() -> Result<(), Box<dyn Error>> {
    Err("this needs Wayland".into())
}
