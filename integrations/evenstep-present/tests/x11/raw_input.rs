//! Keys and buttons with times from Xvfb, pressed by the extension XTEST. `cargo ci --only compositors` installs it and runs these tests.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent;
use evenstep_present::x11::{RawInput, Window, X11Error};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, GrabMode, InputFocus};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::{DefaultStream, RustConnection};

use crate::server::Server;
use crate::xvfb_server::Xvfb;

type Event = (Duration, InputEvent<u32>);

/// Linux's codes of the keys Q and W and of two mouse buttons.
const Q: u32 = 16;
const W: u32 = 17;
const LEFT: u32 = 0x110;
const RIGHT: u32 = 0x111;

/// A server with a window, and a hand that presses keys.
struct Desk {
    window: Window,
    hand: RustConnection,
    clock: MonotonicClock,
    server: Xvfb,
}

impl Desk {
    fn new() -> Self {
        let server = Xvfb::start("640x480", &[]);
        let window = Window::open_at(Some(server.name()), "test").unwrap();
        Self {
            window,
            hand: RustConnection::connect(Some(server.name())).unwrap().0,
            clock: MonotonicClock::new(),
            server,
        }
    }

    fn listen(&self) -> RawInput<DefaultStream> {
        let (connection, _) = RustConnection::connect(Some(self.server.name())).unwrap();
        RawInput::on(connection, self.window.id()).unwrap()
    }

    /// Gives the focus to a window or, by number zero, to none.
    fn focus(&self, window: u32) {
        let time = x11rb::CURRENT_TIME;
        self.hand
            .set_input_focus(InputFocus::PARENT, window, time)
            .unwrap()
            .check()
            .unwrap();
    }

    /// The server has processed it when this returns.
    fn press(&self, key: u32, is_down: bool) {
        self.fake(if is_down { 2 } else { 3 }, key + 8);
    }

    fn click(&self, button: u32) {
        self.fake(4, button);
        self.fake(5, button);
    }

    fn fake(&self, kind: u8, detail: u32) {
        let (root, time) = (self.hand.setup().roots[0].root, x11rb::CURRENT_TIME);
        let fake = self.hand.xtest_fake_input(kind, detail as u8, time, root, 0, 0, 0);
        fake.unwrap().check().unwrap();
        self.settle();
    }

    /// An answer to a later request: the server has sent the events before it to all clients.
    fn settle(&self) {
        std::thread::sleep(Duration::from_millis(2));
        self.hand.get_input_focus().unwrap().reply().unwrap();
    }

    /// The next events, at least as many as this.
    fn receive(&self, input: &mut RawInput<DefaultStream>, count: usize) -> Vec<Event> {
        let mut events = Vec::new();
        while events.len() < count {
            events.extend(input.poll(&self.clock).unwrap());
            assert!(self.clock.now() < Duration::from_secs(60), "{events:?}");
        }
        events
    }
}

fn changes(events: &[Event]) -> Vec<InputEvent<u32>> {
    events.iter().map(|(_, event)| *event).collect()
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn keys_have_the_time_at_which_they_were_pressed_however_late_they_are_read() {
        let desk = Desk::new();
        desk.focus(desk.window.id());
        let (mut soon, mut late) = (desk.listen(), desk.listen());
        let (mut read, mut pressed) = (Vec::new(), Vec::new());
        for tap in 0..40 {
            let key = if tap % 2 == 0 { Q } else { W };
            for is_down in [true, false] {
                let before = desk.clock.now();
                desk.press(key, is_down);
                read.extend(desk.receive(&mut soon, 1));
                pressed.push(before..desk.clock.now());
                std::thread::sleep(Duration::from_millis(5 + tap % 7));
            }
        }
        let at_once = desk.receive(&mut late, 80);
        assert_eq!(changes(&read), changes(&at_once));
        let taps = [
            InputEvent::Press(Q),
            InputEvent::Release(Q),
            InputEvent::Press(W),
            InputEvent::Release(W),
        ];
        assert_eq!(changes(&read), taps.repeat(20));
        // The server's clock counts milliseconds, and may be of the kernel's coarse kind.
        let (quantum, offset) = (Duration::from_millis(2), Duration::from_micros(100));
        for ((soon, late), pressed) in read.iter().zip(&at_once).zip(pressed) {
            assert!(soon.0.abs_diff(late.0) < offset, "{soon:?} {late:?}");
            assert!(
                soon.0 + quantum >= pressed.start && soon.0 <= pressed.end + quantum,
                "{soon:?} {pressed:?}"
            );
        }
        assert!(read.is_sorted_by_key(|(at, _)| *at));
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn without_the_focus_nothing_arrives_and_losing_it_releases_everything() {
        let desk = Desk::new();
        let mut input = desk.listen();
        desk.press(Q, true);
        desk.press(Q, false);
        assert_eq!((desk.receive(&mut input, 0), input.is_focused()), (vec![], false));
        desk.focus(desk.window.id());
        desk.press(Q, true);
        desk.focus(0);
        desk.press(Q, false);
        desk.press(W, true);
        desk.focus(desk.window.id());
        desk.press(W, false);
        let received = desk.receive(&mut input, 3);
        assert_eq!(
            changes(&received),
            [InputEvent::Press(Q), InputEvent::ReleaseAll, InputEvent::Release(W)]
        );
        assert!(received.is_sorted_by_key(|(at, _)| *at) && input.is_focused());
        // A window that has the focus already.
        assert!(desk.listen().is_focused());
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn a_key_that_is_held_is_pressed_once_and_the_wheel_is_no_button() {
        let desk = Desk::new();
        desk.focus(desk.window.id());
        let mut input = desk.listen();
        desk.press(Q, true);
        std::thread::sleep(Duration::from_millis(1_500)); // the server repeats keys after 660 ms
        desk.press(Q, false);
        [1, 4, 5, 6, 7, 3].into_iter().for_each(|button| desk.click(button));
        let clicks = [LEFT, RIGHT].map(|button| [InputEvent::Press(button), InputEvent::Release(button)]);
        let expected = [[InputEvent::Press(Q), InputEvent::Release(Q)], clicks[0], clicks[1]].concat();
        assert_eq!(changes(&desk.receive(&mut input, 6)), expected);
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn keys_arrive_while_the_program_has_grabbed_the_keyboard() {
        let desk = Desk::new();
        desk.focus(desk.window.id());
        let mut input = desk.listen();
        let (window, time) = (desk.window.id(), x11rb::CURRENT_TIME);
        let (grabber, _) = RustConnection::connect(Some(desk.server.name())).unwrap();
        let mode = GrabMode::ASYNC;
        grabber
            .grab_keyboard(false, window, time, mode, mode)
            .unwrap()
            .reply()
            .unwrap();
        desk.press(Q, true);
        assert_eq!(changes(&desk.receive(&mut input, 1)), [InputEvent::Press(Q)]);
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn input_of_a_window_that_does_not_exist_is_refused() {
        let server = Xvfb::start("640x480", &[]);
        let (connection, _) = RustConnection::connect(Some(server.name())).unwrap();
        let refused = RawInput::on(connection, 1).unwrap_err();
        assert!(matches!(refused, X11Error::Refused(_)), "{refused}");
    }
}

#[test]
fn input_of_a_server_without_the_extension_is_refused() {
    let (server, connection) = Server::start(false);
    let refused = RawInput::on(connection, crate::WINDOW).unwrap_err();
    assert!(matches!(refused, X11Error::Unsupported("XInputExtension")), "{refused}");
    server.join().unwrap();
}
