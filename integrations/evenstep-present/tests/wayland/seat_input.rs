//! Keys and buttons with times from a compositor with a seat.

use std::sync::mpsc::Sender;
use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent::{self, Press, Release, ReleaseAll};
use evenstep_present::wayland::{SeatInput, WaylandError};
use rustix::time::ClockId;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_keyboard::{self, WlKeyboard};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, delegate_noop};
use wayland_server::protocol::wl_seat::Capability;

use crate::client::Client;
use crate::compositor::Compositor;
use crate::now;
use crate::seat::{Act, Hands};

const Q: u32 = 16;
const LEFT: u32 = 0x110;

/// A window library: it owns the surface, has a keyboard of its own, and reads from the connection.
struct Library {
    connection: Connection,
    queue: EventQueue<Keys>,
    keys: Keys,
    hands: Hands,
}

/// The keys that it receives, without times.
#[derive(Default)]
struct Keys(Vec<u32>);

impl Library {
    fn start(plugged: Capability) -> Self {
        let (hands, stream) = Hands::start(plugged);
        let connection = Connection::from_socket(stream).unwrap();
        let (globals, queue) = registry_queue_init::<Keys>(&connection).unwrap();
        let compositor: WlCompositor = globals.bind(&queue.handle(), 1..=4, ()).unwrap();
        compositor.create_surface(&queue.handle(), ());
        let seat: WlSeat = globals.bind(&queue.handle(), 1..=7, ()).unwrap();
        if plugged.contains(Capability::Keyboard) {
            seat.get_keyboard(&queue.handle(), ());
        }
        let mut library = Self {
            connection,
            queue,
            keys: Keys::default(),
            hands,
        };
        library.read();
        library
    }

    /// Reads from the connection. The compositor has then processed all requests.
    fn read(&mut self) {
        self.queue.roundtrip(&mut self.keys).unwrap();
    }

    /// The next events, at least as many as this.
    fn receive(
        &mut self,
        input: &mut SeatInput,
        clock: &MonotonicClock,
        count: usize,
    ) -> Vec<(Duration, InputEvent<u32>)> {
        let mut events = Vec::new();
        while events.len() < count {
            self.read();
            events.extend(input.poll(clock).unwrap());
            assert!(clock.now() < Duration::from_secs(60), "{events:?}");
        }
        events
    }
}

fn changes(events: &[(Duration, InputEvent<u32>)]) -> Vec<InputEvent<u32>> {
    events.iter().map(|(_, event)| *event).collect()
}

/// The time that a compositor states now.
fn millis() -> u32 {
    now(ClockId::Monotonic).as_millis() as u32
}

#[test]
fn keys_of_the_librarys_window_arrive_with_the_compositors_times_and_at_the_library_too() {
    let mut library = Library::start(Capability::Keyboard | Capability::Pointer);
    let clock = MonotonicClock::new();
    let mut input = SeatInput::new(&library.connection).unwrap();
    library.read();
    library.hands.act(Act::Focus(true));
    let mut pressed = Vec::new();
    for tap in 0..20 {
        for is_down in [true, false] {
            let (before, time) = (clock.now(), millis());
            let act = if tap % 2 == 0 { Act::Key } else { Act::Button };
            library
                .hands
                .act(act(time, if tap % 2 == 0 { Q } else { LEFT }, is_down));
            pressed.push(before..clock.now());
            std::thread::sleep(Duration::from_millis(3));
        }
    }
    // All are read at the end: their times do not depend on it.
    let received = library.receive(&mut input, &clock, 40);
    assert_eq!(
        changes(&received),
        [Press(Q), Release(Q), Press(LEFT), Release(LEFT)].repeat(10)
    );
    let quantum = Duration::from_millis(1);
    for ((at, _), pressed) in received.iter().zip(pressed) {
        assert!(
            *at + quantum >= pressed.start && *at <= pressed.end + quantum,
            "{at:?} {pressed:?}"
        );
    }
    assert_eq!(library.keys.0, [Q; 20]);
}

/// Presses keys at random times. Returns the time of each.
fn type_keys(hand: &Sender<Act>, clock: &MonotonicClock) -> Vec<Duration> {
    let key = |key: u32| {
        // Between 8 and 60 ms apart, and not in step with any frame rate.
        std::thread::sleep(Duration::from_micros(8_000 + u64::from(key) * 32_136 % 52_000));
        let at = clock.now();
        hand.send(Act::Key(millis(), key, true)).unwrap();
        at
    };
    (0..100).map(key).collect()
}

#[test]
#[ignore = "types for 15 seconds"]
fn times_do_not_depend_on_the_frame_rate() {
    println!("| frames a second | late on arrival, median | 99 % | late by the compositor's time, median | 99 % |");
    for hertz in [30, 60, 144, 240] {
        let mut library = Library::start(Capability::Keyboard);
        let clock = MonotonicClock::new();
        let mut input = SeatInput::new(&library.connection).unwrap();
        library.read();
        let (hand, its_clock) = (library.hands.hand(), clock.clone());
        let typist = std::thread::spawn(move || type_keys(&hand, &its_clock));
        let (mut arrived, mut stamped) = (Vec::new(), Vec::new());
        while stamped.len() < 100 {
            let refresh = Duration::from_secs(1) / hertz;
            std::thread::sleep(refresh - Duration::from_nanos((clock.now().as_nanos() % refresh.as_nanos()) as u64));
            library.read();
            for (at, _) in input.poll(&clock).unwrap() {
                arrived.push(clock.now());
                stamped.push(at);
            }
            assert!(clock.now() < Duration::from_secs(60), "{stamped:?}");
        }
        let pressed = typist.join().unwrap();
        let quantum = Duration::from_millis(1);
        for ((at, arrived), pressed) in stamped.iter().zip(&arrived).zip(&pressed) {
            assert!(
                *at + quantum >= *pressed && *at <= *arrived + quantum,
                "{pressed:?} {at:?} {arrived:?}"
            );
        }
        let late = |stamps: &[Duration]| {
            let stamps = stamps.iter().zip(&pressed);
            let mut late: Vec<f64> = stamps
                .map(|(at, pressed)| 1e3 * (at.as_secs_f64() - pressed.as_secs_f64()))
                .collect();
            late.sort_by(f64::total_cmp);
            format!("{:.2} ms | {:.2} ms", late[49], late[98])
        };
        println!("| {hertz} | {} | {} |", late(&arrived), late(&stamped));
    }
}

#[test]
fn losing_the_focus_releases_everything_in_order() {
    let mut library = Library::start(Capability::Keyboard);
    let clock = MonotonicClock::new();
    let mut input = SeatInput::new(&library.connection).unwrap();
    library.read();
    let time = millis();
    for act in [
        Act::Focus(true),
        Act::Key(time, Q, true),
        Act::Focus(false),
        Act::Focus(true),
        Act::Key(time + 1, Q, true),
    ] {
        library.hands.act(act);
    }
    let received = library.receive(&mut input, &clock, 3);
    assert_eq!(changes(&received), [Press(Q), ReleaseAll, Press(Q)]);
    assert!(received.is_sorted_by_key(|(at, _)| *at), "{received:?}");
}

#[test]
fn a_keyboard_that_is_plugged_in_is_used_and_one_that_is_unplugged_holds_nothing() {
    let mut library = Library::start(Capability::Pointer);
    let clock = MonotonicClock::new();
    let mut input = SeatInput::new(&library.connection).unwrap();
    library.hands.act(Act::Plug(Capability::Keyboard));
    // The compositor announces it, and processes the request that answers it.
    for _ in 0..100 {
        library.read();
        assert_eq!(input.poll(&clock).unwrap(), []);
    }
    library.hands.act(Act::Key(millis(), Q, true));
    assert_eq!(changes(&library.receive(&mut input, &clock, 1)), [Press(Q)]);
    library.hands.act(Act::Plug(Capability::Pointer));
    assert_eq!(changes(&library.receive(&mut input, &clock, 1)), [ReleaseAll]);
    drop(input);
    library.read();
}

#[test]
fn a_compositor_without_a_seat_is_refused() {
    let client = Client::connect(Compositor::silent());
    let refused = SeatInput::new(&client.connection).unwrap_err();
    assert!(matches!(refused, WaylandError::Unsupported(_)), "{refused}");
}

impl Dispatch<WlKeyboard, ()> for Keys {
    fn event(
        keys: &mut Self,
        _: &WlKeyboard,
        event: wl_keyboard::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_keyboard::Event::Key { key, .. } = event {
            keys.0.push(key);
        }
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Keys {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(Keys: ignore WlCompositor);
delegate_noop!(Keys: ignore WlSeat);
delegate_noop!(Keys: ignore WlSurface);
