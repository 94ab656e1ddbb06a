//! Runs a game in a winit window: the main thread stamps events as they arrive, another thread steps and draws.
//!
//! winit's events have no timestamps. A thread that waits for a display receives them up to a frame late; a thread that does nothing else
//! receives them when they arrive.

use std::error::Error;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::input::{Button, InputEvent};
use evenstep::{FixedTimestep, Frame, FrameClock, MonotonicClock};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event::{DeviceEvent, DeviceId, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop, EventLoopProxy};
use winit::keyboard::KeyCode;
use winit::window::{CursorGrabMode, Window, WindowId};

use crate::input::Pad;
use crate::screen::Failure;
use crate::stage::{Moment, Stage};
use crate::{Input, Key, Screen};

/// A game that [`run`] plays in a window.
pub trait Game {
    /// The help text on the screen: keys and what they do, such as `Space: jump`, with three spaces between them.
    const HELP: &str;
    /// Whether the mouse turns the view. It is then invisible and stays in the window.
    const TAKES_MOUSE: bool = false;

    /// The game's timestep, which is suspended while the window is hidden, and slowed down by the key L.
    fn timestep(&mut self) -> &mut FixedTimestep;
    /// The clock of the frames. The panel shows the refresh rate that it has measured.
    fn clock(&self) -> &FrameClock<DisplayClock>;
    /// Takes an input event, with its time on the clock of the frames.
    fn input(&mut self, at: Duration, event: Input) {
        let _ = (at, event);
    }
    /// Runs the steps that are due `now`, and draws.
    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame;
}

/// Opens a window, begins a game once the graphics card is ready, and plays until the window is closed or Escape is pressed.
///
/// # Errors
///
/// If there is no window system, if there is no graphics card, or if the window was destroyed.
pub fn run<G: Game + 'static>(title: &'static str, begin: fn(&Screen) -> G) -> Result<(), Box<dyn Error>> {
    let events = EventLoop::<Over>::with_user_event().build()?;
    let mut host = Host {
        title,
        begin,
        over: events.create_proxy(),
        clock: MonotonicClock::new(),
        playing: None,
        failure: None,
    };
    events.run_app(&mut host)?;
    let mut ended = host.failure.map_or(Ok(()), Err);
    if let Some(Playing { messages, thread, .. }) = host.playing {
        drop(messages); // ends the game's thread
        ended = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
    ended.map_err(|failure| -> Box<dyn Error> { failure })
}

/// The game has ended by itself.
struct Over;

/// A message from the window to the game's thread.
enum Message {
    /// An input event with the time of its arrival.
    Input(Duration, Input),
    Resized([u32; 2]),
    Hidden(bool),
}

/// The main thread: the window, and the channel to the game's thread.
struct Host<G> {
    title: &'static str,
    begin: fn(&Screen) -> G,
    over: EventLoopProxy<Over>,
    clock: MonotonicClock,
    playing: Option<Playing>,
    failure: Option<Failure>,
}

struct Playing {
    window: Arc<Window>,
    messages: Sender<Message>,
    thread: JoinHandle<Result<(), Failure>>,
}

impl<G: Game + 'static> Host<G> {
    fn open(&self, events: &ActiveEventLoop) -> Result<Playing, Failure> {
        let size = Stage::size().map_or(Size::from(LogicalSize::new(1280.0, 800.0)), |[width, height]| {
            PhysicalSize::new(width, height).into()
        });
        let attributes = Window::default_attributes()
            .with_title(self.title)
            .with_inner_size(size);
        let window = Arc::new(events.create_window(attributes)?);
        // macOS requires that surfaces are created on the main thread.
        let screen = Screen::open(window.clone(), G::HELP)?;
        let (sender, messages) = channel();
        let (begin, over, stage) = (self.begin, self.over.clone(), Stage::new(self.clock.clone()));
        let thread = thread::Builder::new().name("game".into()).spawn(move || {
            let ended = Player::new(begin, screen, stage).play(&messages);
            let _ = over.send_event(Over); // fails if the loop has ended already
            ended
        })?;
        Ok(Playing {
            window,
            messages: sender,
            thread,
        })
    }

    fn send(&self, message: Message) {
        if let Some(playing) = &self.playing {
            let _ = playing.messages.send(message); // fails if the game has ended, which it reports itself
        }
    }

    fn input(&self, event: Input) {
        self.send(Message::Input(self.clock.now(), event));
    }
}

impl<G: Game + 'static> ApplicationHandler<Over> for Host<G> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.playing.is_some() {
            return;
        }
        match self.open(events) {
            Ok(playing) => self.playing = Some(playing),
            Err(failure) => {
                self.failure = Some(failure);
                events.exit();
            }
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, _: Over) {
        events.exit();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Some(input) = InputEvent::from_window_event(&event).and_then(known) {
            self.input(input);
            if input == Input::Press(Key::Escape) {
                events.exit();
            }
        }
        let Some(Playing { window, .. }) = &self.playing else {
            return;
        };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(size) => self.send(Message::Resized([size.width, size.height])),
            WindowEvent::Occluded(is_occluded) => self.send(Message::Hidden(is_occluded)),
            WindowEvent::Focused(is_focused) => {
                if G::TAKES_MOUSE {
                    take_mouse(window, is_focused);
                }
                let is_minimised = window.is_minimized() == Some(true);
                self.send(Message::Hidden(is_minimised && !is_focused));
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Some(input) = InputEvent::from_device_event(&event).and_then(known) {
            self.input(input);
        }
    }
}

/// The other thread: the game, and the screen that it is drawn on.
struct Player<G> {
    game: G,
    screen: Screen,
    stage: Stage,
    pad: Pad,
    /// The time of the last frame.
    last: Duration,
    inputs: u64,
    is_hidden: bool,
}

impl<G: Game> Player<G> {
    fn new(begin: fn(&Screen) -> G, screen: Screen, stage: Stage) -> Self {
        Self {
            game: begin(&screen),
            screen,
            pad: if stage.is_scripted() {
                Pad::default()
            } else {
                Pad::new()
            },
            stage,
            last: Duration::ZERO,
            inputs: 0,
            is_hidden: false,
        }
    }

    /// Plays until the main thread ends the game, or the script of a test ends.
    fn play(mut self, messages: &Receiver<Message>) -> Result<(), Failure> {
        loop {
            while self.is_hidden && !self.stage.is_scripted() {
                let Ok(message) = messages.recv() else { return Ok(()) };
                self.handle(message);
            }
            let moment = self.stage.next_moment();
            // Events that arrived before this moment have earlier timestamps.
            loop {
                match messages.try_recv() {
                    Ok(message) => self.handle(message),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        self.stage.end();
                        return Ok(());
                    }
                }
            }
            match moment {
                Moment::Frame(now) => self.frame(now),
                Moment::LoseSurface => self.screen.renew(),
                Moment::Tell => self.stage.tell(self.inputs, self.screen.size(), self.is_hidden),
                Moment::End => return Ok(()),
            }
            if let Some(failure) = self.screen.take_failure() {
                return Err(failure);
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Input(at, event) => self.input(at, event),
            Message::Resized(size) => self.screen.resize(size),
            Message::Hidden(is_hidden) if is_hidden == self.is_hidden => {}
            // A hidden game is not drawn, and is suspended.
            Message::Hidden(true) => {
                self.is_hidden = true;
                self.game.timestep().suspend();
            }
            Message::Hidden(false) => {
                self.is_hidden = false;
                self.game.timestep().resume();
            }
        }
    }

    fn input(&mut self, at: Duration, event: Input) {
        self.inputs += 1;
        self.screen.view_mut().input(&event);
        self.game.input(self.stage.time_of(at), event);
    }

    fn frame(&mut self, now: Duration) {
        let now = match self.screen.view().due(now) {
            Ok(now) => now,
            Err(wait) => return thread::sleep(wait),
        };
        for (ago, event) in self.pad.poll(now.saturating_sub(self.last)) {
            self.input(now.saturating_sub(ago), event);
        }
        let scale = self.screen.view().time_scale();
        self.game.timestep().set_time_scale(scale);
        self.screen.set_vsync(!self.stage.is_scripted());
        let frame = self.game.frame(now, &mut self.screen);
        let (rate, display) = (self.game.timestep().rate(), self.game.clock().filter().refresh_hz());
        self.screen.record(now, &frame, rate, display);
        self.last = now;
        self.stage.drawn(&frame);
    }
}

/// An input event of winit, if the games use its key.
fn known(event: InputEvent<Button>) -> Option<Input> {
    Some(match event {
        InputEvent::Press(button) => Input::Press(key(button)?),
        InputEvent::Release(button) => Input::Release(key(button)?),
        InputEvent::Hold(button) => Input::Hold(key(button)?),
        InputEvent::Motion(by) => Input::Motion(by),
        InputEvent::Wheel(lines) => Input::Wheel(lines),
        InputEvent::ReleaseAll => Input::ReleaseAll,
        _ => return None,
    })
}

fn key(button: Button) -> Option<Key> {
    Some(match button {
        Button::Mouse(MouseButton::Left) => Key::Click,
        Button::Key(KeyCode::ArrowLeft) => Key::Left,
        Button::Key(KeyCode::ArrowRight) => Key::Right,
        Button::Key(KeyCode::ArrowUp) => Key::Up,
        Button::Key(KeyCode::ArrowDown) => Key::Down,
        Button::Key(KeyCode::Space) => Key::Space,
        Button::Key(KeyCode::Enter) => Key::Enter,
        Button::Key(KeyCode::Escape) => Key::Escape,
        Button::Key(KeyCode::Tab) => Key::Tab,
        Button::Key(KeyCode::KeyA) => Key::A,
        Button::Key(KeyCode::KeyC) => Key::C,
        Button::Key(KeyCode::KeyD) => Key::D,
        Button::Key(KeyCode::KeyF) => Key::F,
        Button::Key(KeyCode::KeyI) => Key::I,
        Button::Key(KeyCode::KeyL) => Key::L,
        Button::Key(KeyCode::KeyS) => Key::S,
        Button::Key(KeyCode::KeyW) => Key::W,
        _ => return None,
    })
}

/// Locks the mouse to its place or, failing that, to the window. If the system supports neither, the mouse may leave the window.
fn take_mouse(window: &Window, is_taken: bool) {
    window.set_cursor_visible(!is_taken);
    let _ = if is_taken {
        let locked = window.set_cursor_grab(CursorGrabMode::Locked);
        locked.or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined))
    } else {
        window.set_cursor_grab(CursorGrabMode::None)
    };
}
