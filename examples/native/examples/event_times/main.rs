//! Measures how late winit's events are stamped: XTEST taps keys on an X server without a screen, with imitated displays.
//!
//! `cargo run --release -p evenstep-examples --example event_times` prints the table of the book's page about input. It needs Xvfb.
//!
//! With *one* thread, winit's loop waits for the display in each frame, and events are stamped when the loop delivers them. With *two*
//! threads, winit's loop only stamps events, and the other thread waits for the display and runs steps, as in `src/run.rs`.

#[cfg(target_os = "linux")]
#[path = "../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("it needs X11");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::error::Error;
    use std::process::Command;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::Duration;

    use evenstep::input::{Button, Controls, InputBuffer, InputEvent};
    use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
    use winit::application::ApplicationHandler;
    use winit::event::WindowEvent;
    use winit::event_loop::{ActiveEventLoop, EventLoop};
    use winit::keyboard::KeyCode;
    use winit::window::{Window, WindowId};
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::{ConnectionExt as _, InputFocus, MapState};
    use x11rb::protocol::xtest::ConnectionExt as _;
    use x11rb::rust_connection::RustConnection;

    use super::xvfb_server::Xvfb;

    type Input = InputEvent<Button>;
    type Failure = Box<dyn Error + Send + Sync>;

    /// The keys that are tapped in turn, with their key codes in X servers for Linux. Several keys keep two taps in one frame apart.
    const KEYS: [(u8, KeyCode); 8] = [
        (24, KeyCode::KeyQ),
        (25, KeyCode::KeyW),
        (26, KeyCode::KeyE),
        (27, KeyCode::KeyR),
        (28, KeyCode::KeyT),
        (29, KeyCode::KeyY),
        (30, KeyCode::KeyU),
        (31, KeyCode::KeyI),
    ];
    const TAPS: usize = 100;
    const STEPS: u64 = 60;

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        if let [threads, hertz] = arguments.as_slice() {
            return play(threads == "two", hertz.parse()?);
        }
        println!("| frames a second | threads | late, median | 95 % | 99 % | presses in their step |");
        println!("|---:|---|---:|---:|---:|---:|");
        for hertz in [30, 60, 144, 240, 1000] {
            for threads in ["one", "two"] {
                let server = Xvfb::start("320x200", &[]);
                let mut command = Command::new(std::env::current_exe()?);
                command
                    .args([threads, &hertz.to_string()])
                    .env("DISPLAY", server.name());
                let status = command.env_remove("WAYLAND_DISPLAY").status()?;
                if !status.success() {
                    return Err(format!("{threads} at {hertz} Hz: {status}").into());
                }
            }
        }
        Ok(())
    }

    /// Plays the taps once, and prints a row of the table.
    fn play(has_two: bool, hertz: u32) -> Result<(), Box<dyn Error>> {
        let events = EventLoop::<()>::with_user_event().build()?;
        let clock = MonotonicClock::new();
        let (stamps, stamped) = channel();
        let mut game = Some(Game::new(clock.clone(), stamped, hertz));
        let second = has_two.then(|| game.take()).flatten();
        let second = second.map(|mut game| {
            thread::spawn(move || {
                while game.frame() {}
                game
            })
        });
        let (over, hand) = (events.create_proxy(), clock.clone());
        let hand = thread::spawn(move || {
            let tapped = tap(&hand);
            let _ = over.send_event(()); // fails if the loop has ended already
            tapped
        });
        let mut host = Host {
            clock,
            stamps: Some(stamps),
            game,
            window: None,
        };
        events.run_app(&mut host)?;
        host.stamps = None;
        let tapped = hand.join().map_err(|_| "the hand panicked")?;
        let tapped = tapped.map_err(|failure| -> Box<dyn Error> { failure })?;
        let mut game = match second {
            Some(thread) => thread.join().map_err(|_| "the game panicked")?,
            None => host.game.ok_or("there is no game")?,
        };
        while game.frame() {}
        report(has_two, hertz, &tapped, &game)
    }

    fn report(has_two: bool, hertz: u32, tapped: &[Duration], game: &Game) -> Result<(), Box<dyn Error>> {
        if (game.stamps.len(), game.ticks.len()) != (tapped.len(), tapped.len()) {
            let (stamps, ticks) = (game.stamps.len(), game.ticks.len());
            return Err(format!("{} taps, {stamps} stamps, {ticks} in steps", tapped.len()).into());
        }
        let mut late: Vec<f64> = game
            .stamps
            .iter()
            .zip(tapped)
            .map(|(stamp, tapped)| 1e3 * stamp.saturating_sub(*tapped).as_secs_f64())
            .collect();
        late.sort_by(f64::total_cmp);
        let part = |percent: usize| late[(late.len() - 1) * percent / 100];
        let own =
            |at: &Duration| (at.saturating_sub(game.origin).as_nanos() * u128::from(STEPS) / 1_000_000_000) as u64;
        let right = game.ticks.iter().zip(tapped).filter(|(tick, at)| **tick == own(at));
        println!(
            "| {hertz} | {} | {:.2} ms | {:.2} ms | {:.2} ms | {:.0} % |",
            if has_two { "two" } else { "one" },
            part(50),
            part(95),
            part(99),
            100.0 * right.count() as f64 / tapped.len() as f64
        );
        Ok(())
    }

    /// Taps keys, for 8 to 60 ms each. Returns the time of each press.
    fn tap(clock: &MonotonicClock) -> Result<Vec<Duration>, Failure> {
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
            let key = KEYS[tap % KEYS.len()].0;
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

    /// winit's loop.
    struct Host {
        clock: MonotonicClock,
        stamps: Option<Sender<(Duration, Input)>>,
        /// The game, if there is one thread only.
        game: Option<Game>,
        window: Option<Window>,
    }

    impl ApplicationHandler for Host {
        fn resumed(&mut self, events: &ActiveEventLoop) {
            match events.create_window(Window::default_attributes()) {
                Ok(window) => {
                    window.request_redraw();
                    self.window = Some(window);
                }
                Err(error) => {
                    eprintln!("{error}");
                    events.exit();
                }
            }
        }

        fn user_event(&mut self, events: &ActiveEventLoop, (): ()) {
            events.exit();
        }

        fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
            if let (Some(input), Some(stamps)) = (Input::from_window_event(&event), &self.stamps) {
                let _ = stamps.send((self.clock.now(), input)); // fails if the game has ended
            }
            if let (WindowEvent::RedrawRequested, Some(game), Some(window)) = (event, &mut self.game, &self.window) {
                game.frame();
                window.request_redraw();
            }
        }
    }

    /// Waits for the display, and takes input in steps.
    struct Game {
        clock: MonotonicClock,
        heard: Receiver<(Duration, Input)>,
        hertz: u32,
        frames: FrameClock<()>,
        timestep: FixedTimestep,
        input: InputBuffer<Input>,
        controls: Controls<Button>,
        origin: Duration,
        /// The stamp of each press, and the step that took it.
        stamps: Vec<Duration>,
        ticks: Vec<u64>,
    }

    impl Game {
        fn new(clock: MonotonicClock, heard: Receiver<(Duration, Input)>, hertz: u32) -> Self {
            let mut frames = FrameClock::new(());
            let origin = clock.now();
            frames.begin_frame(origin);
            Self {
                clock,
                heard,
                hertz,
                frames,
                // Hitches of a busy machine are not clamped, so that steps keep their times.
                timestep: FixedTimestep::new(Rate::hz(STEPS as u32))
                    .with_max_delta(Duration::from_secs(60))
                    .with_max_steps(10_000),
                input: InputBuffer::new(256),
                controls: Controls::new(),
                origin,
                stamps: Vec::new(),
                ticks: Vec::new(),
            }
        }

        /// Waits for the next refresh of the display and runs the steps that are due. Returns false if no more input can arrive.
        fn frame(&mut self) -> bool {
            // The rate is slightly off, as with real displays, so that frames end at every fraction of a step in turn.
            let refresh = Duration::from_secs(7) / (7 * self.hertz + 1);
            let wait = refresh.as_nanos() - self.clock.now().as_nanos() % refresh.as_nanos();
            thread::sleep(Duration::from_nanos(wait as u64));
            let now = self.clock.now();
            let is_connected = loop {
                match self.heard.try_recv() {
                    Ok((at, input)) => {
                        if matches!(input, InputEvent::Press(_)) {
                            self.stamps.push(at);
                        }
                        let _ = self.input.push(at, input); // cannot fail: there is room for the states of a thousand keys
                    }
                    Err(error) => break error == std::sync::mpsc::TryRecvError::Empty,
                }
            };
            let time = self.frames.begin_frame(now);
            let frame = self.timestep.advance(time.delta);
            self.input.begin_frame(&time, &frame);
            for step in frame.steps() {
                self.controls.take(&mut self.input, &step);
                // The keys are counted in the order in which they are tapped.
                while let Some((_, key)) = KEYS.get(self.ticks.len() % KEYS.len())
                    && self.controls.was_pressed(&Button::Key(*key))
                {
                    self.ticks.push(step.tick);
                }
            }
            is_connected
        }
    }
}
