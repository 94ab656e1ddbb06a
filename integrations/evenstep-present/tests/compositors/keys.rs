//! Keys with times from weston, which gets them from Xvfb, where XTEST presses them.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent::{Press, Release};
use evenstep_present::wayland::{SeatInput, Window};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, InputFocus, MapState};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::headless::Headless;
use crate::xvfb_server::Xvfb;

/// Linux's code of the key Q. X servers add eight.
const Q: u32 = 16;

/// Gives the focus to the only window.
fn focus(hand: &RustConnection, root: u32) {
    let is_viewable = |window: &u32| {
        let attributes = hand.get_window_attributes(*window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    };
    let window = loop {
        let windows = hand.query_tree(root).unwrap().reply().unwrap().children;
        if let Some(window) = windows.into_iter().find(is_viewable) {
            break window;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    hand.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
        .unwrap()
        .check()
        .unwrap();
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston and Xvfb: cargo ci --only compositors"]
    fn keys_of_weston_have_times_between_the_press_and_the_arrival() {
        let server = Xvfb::start("1280x1024", &[]);
        let weston = Headless::weston_on_x11(server.name());
        let connection = weston.connect();
        let mut window = Window::open_on(connection.clone(), "test").unwrap();
        let mut input = SeatInput::new(&connection).unwrap();
        window.commit().unwrap();
        let (hand, _) = RustConnection::connect(Some(server.name())).unwrap();
        let root = hand.setup().roots[0].root;
        focus(&hand, root);
        window.listen(Duration::from_secs(1)).unwrap(); // weston gives the focus to its new window
        let clock = MonotonicClock::new();
        input.poll(&clock).unwrap(); // the focus may have come and gone
        let mut late = Vec::new();
        for number in 0..60 {
            let (kind, change) = if number % 2 == 0 {
                (2, Press(Q))
            } else {
                (3, Release(Q))
            };
            let pressed = clock.now();
            let time = x11rb::CURRENT_TIME;
            let fake = hand.xtest_fake_input(kind, Q as u8 + 8, time, root, 0, 0, 0);
            fake.unwrap().check().unwrap();
            // As long as a frame, which is not in step with anything.
            window.listen(Duration::from_millis(7 + number % 11)).unwrap();
            let mut received = Vec::new();
            while received.is_empty() {
                received = input.poll(&clock).unwrap();
                window.listen(Duration::from_millis(1)).unwrap();
                assert!(clock.now() < Duration::from_secs(60), "no event after {number}");
            }
            let arrived = clock.now();
            assert_eq!(received.iter().map(|(_, change)| *change).collect::<Vec<_>>(), [change]);
            let (at, quantum) = (received[0].0, Duration::from_millis(1));
            assert!(
                at + quantum >= pressed && at <= arrived + quantum,
                "{pressed:?} {at:?} {arrived:?}"
            );
            late.push(1e3 * (at.as_secs_f64() - pressed.as_secs_f64()));
        }
        late.sort_by(f64::total_cmp);
        println!("late: median {:.2} ms, largest {:.2} ms", late[30], late[59]);
    }
}
