//! Taps keys of an X server by its extension XTEST.

use std::error::Error;
use std::thread;
use std::time::Duration;

use evenstep::MonotonicClock;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, InputFocus, MapState};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::game::KEYS;

pub(crate) type Failure = Box<dyn Error + Send + Sync>;

const TAPS: usize = 100;

/// Key codes of X servers are those of Linux, plus this.
const FIRST_KEY: u32 = 8;

/// Taps keys, for 8 to 60 ms each, once there is a window. Returns the time of each press.
pub(crate) fn tap(clock: &MonotonicClock) -> Result<Vec<Duration>, Failure> {
    let (connection, screen) = RustConnection::connect(None)?;
    let root = connection.setup().roots[screen].root;
    let window = loop {
        let windows = connection.query_tree(root)?.reply()?.children;
        let is_seen = |window: &u32| -> Result<bool, Failure> {
            let is_viewable = connection.get_window_attributes(*window)?.reply()?.map_state == MapState::VIEWABLE;
            Ok(is_viewable && connection.get_geometry(*window)?.reply()?.width > 100)
        };
        if let Some(window) = windows.into_iter().find(|window| is_seen(window).unwrap_or(false)) {
            break window;
        }
        thread::sleep(Duration::from_millis(10));
    };
    connection
        .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?
        .check()?;
    // When a window gets the focus, winit first queries the state of the keys.
    thread::sleep(Duration::from_millis(500));
    let fake = |kind, key| -> Result<(), Failure> {
        connection.xtest_fake_input(kind, key, x11rb::CURRENT_TIME, root, 0, 0, 0)?;
        Ok(connection.flush()?)
    };
    let mut tapped = Vec::new();
    for tap in 0..TAPS {
        let key = (KEYS[tap % KEYS.len()].0 + FIRST_KEY) as u8;
        // Evenly distributed, and not in step with any frame rate.
        let part = (tap as f64 * 0.618_034).fract();
        tapped.push(clock.now());
        fake(2, key)?;
        thread::sleep(Duration::from_secs_f64(0.008 + 0.052 * part));
        fake(3, key)?;
        thread::sleep(Duration::from_secs_f64(0.020 + 0.030 * (part * 7.3).fract()));
    }
    thread::sleep(Duration::from_millis(300));
    Ok(tapped)
}
