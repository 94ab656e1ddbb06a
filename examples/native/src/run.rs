//! Runs a game in a window of winit: events, time, steps, drawing.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use evenstep::input::Button;
use evenstep::{FixedTimestep, Frame};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::KeyCode;
use winit::window::{CursorGrabMode, Window, WindowId};

use crate::input::Pad;
use crate::stage::{Moment, Stage};
use crate::{Input, Screen};

/// A game that [`run`] plays in a window.
pub trait Game {
    /// Whether the mouse steers: it is then unseen and stays in the window.
    const TAKES_MOUSE: bool = false;

    /// What is suspended while nobody can see the window.
    fn timestep(&mut self) -> &mut FixedTimestep;
    /// Takes what the player did, at a time of the frames' clock.
    fn input(&mut self, at: Duration, event: Input) {
        let _ = (at, event);
    }
    /// Runs the steps that are due `now`, and draws.
    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame;
}

/// Opens a window, begins a game once there is something to draw on, and plays until it is closed or Escape is pressed.
///
/// # Errors
///
/// If there is no window system or no graphics card to draw with, or the window was taken away.
pub fn run<G: Game>(title: &'static str, begin: fn(&Screen) -> G) -> Result<(), Box<dyn Error>> {
    let mut player = Player {
        title,
        begin,
        stage: Stage::new(),
        pad: Pad::default(),
        open: None,
        polled: Duration::ZERO,
        inputs: 0,
        is_hidden: false,
        failure: None,
    };
    if !player.stage.is_scripted() {
        player.pad = Pad::new();
    }
    EventLoop::new()?.run_app(&mut player)?;
    if let Some(failure) = player.failure {
        return Err(failure);
    }
    player.stage.end();
    Ok(())
}

struct Player<G> {
    title: &'static str,
    begin: fn(&Screen) -> G,
    stage: Stage,
    pad: Pad,
    open: Option<(Screen, G)>,
    /// When the gamepads were asked last.
    polled: Duration,
    inputs: u64,
    is_hidden: bool,
    failure: Option<Box<dyn Error>>,
}

impl<G: Game> Player<G> {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let size = Stage::size().map_or(Size::from(LogicalSize::new(1280.0, 720.0)), |[width, height]| {
            PhysicalSize::new(width, height).into()
        });
        let attributes = Window::default_attributes()
            .with_title(self.title)
            .with_inner_size(size);
        let window = Arc::new(events.create_window(attributes)?);
        let screen = Screen::open(window)?;
        screen.window().request_redraw();
        let game = (self.begin)(&screen);
        self.open = Some((screen, game));
        Ok(())
    }

    fn input(&mut self, event: Input) {
        self.inputs += 1;
        if let Some((_, game)) = &mut self.open {
            game.input(self.stage.now(), event);
        }
    }

    /// A window that nobody sees is not drawn, and what it shows stands still.
    fn set_hidden(&mut self, is_hidden: bool) {
        let Some((screen, game)) = &mut self.open else { return };
        if is_hidden != self.is_hidden {
            self.is_hidden = is_hidden;
            if is_hidden {
                game.timestep().suspend();
            } else {
                game.timestep().resume();
            }
        }
        screen.window().request_redraw();
    }

    /// Draws the next frame, or does what a test says.
    fn go_on(&mut self, events: &ActiveEventLoop) {
        let moment = self.stage.next_moment();
        let now = self.stage.now();
        for event in self.pad.poll(now - self.polled) {
            self.input(event);
        }
        self.polled = now;
        let Some((screen, game)) = &mut self.open else { return };
        match moment {
            Moment::Frame(now) => {
                let frame = game.frame(now, screen);
                self.stage.drawn(&frame);
            }
            Moment::LoseSurface => screen.renew(),
            Moment::Tell => self.stage.tell(self.inputs, screen.size(), self.is_hidden),
            Moment::End => events.exit(),
        }
        if let Some(failure) = screen.take_failure() {
            self.failure = Some(failure);
            events.exit();
        }
        if !self.is_hidden && !self.stage.is_scripted() {
            screen.window().request_redraw();
        }
    }
}

impl<G: Game> ApplicationHandler for Player<G> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.stage.is_scripted() {
            events.set_control_flow(ControlFlow::Poll);
        }
        if self.open.is_none()
            && let Err(failure) = self.open(events)
        {
            self.failure = Some(failure);
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Some(input) = Input::from_window_event(&event) {
            self.input(input);
            if input == Input::Press(Button::Key(KeyCode::Escape)) {
                events.exit();
            }
        }
        let Some((screen, _)) = &mut self.open else { return };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(size) => screen.resize([size.width, size.height]),
            WindowEvent::Occluded(is_occluded) => self.set_hidden(is_occluded),
            WindowEvent::Focused(is_focused) => {
                if G::TAKES_MOUSE {
                    take_mouse(screen.window(), is_focused);
                }
                let is_minimised = screen.window().is_minimized() == Some(true);
                self.set_hidden(is_minimised && !is_focused);
            }
            WindowEvent::RedrawRequested if !self.stage.is_scripted() && !self.is_hidden => self.go_on(events),
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Some(input) = Input::from_device_event(&event) {
            self.input(input);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if self.stage.is_scripted() && !events.exiting() {
            self.go_on(events);
        }
    }
}

/// Where the system can do neither, the mouse may leave the window.
fn take_mouse(window: &Window, is_taken: bool) {
    window.set_cursor_visible(!is_taken);
    let _ = if is_taken {
        let locked = window.set_cursor_grab(CursorGrabMode::Locked);
        locked.or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined))
    } else {
        window.set_cursor_grab(CursorGrabMode::None)
    };
}
