//! A square in a window of winit: equal steps at any refresh rate, smooth drawing, keys with their times, and no steps while the window is
//! hidden. Begin with a copy of this. It is drawn by the processor, with softbuffer; replace `draw` by your own renderer.
//!
//! `cargo run --release -p evenstep-examples --features winit --bin window`

use std::error::Error;
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use evenstep::input::{Button, Controls, InputEvent};
use evenstep::{GameLoop, Rate, Smoothed, Step};
use font8x8::legacy::BASIC_LEGACY;
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::KeyCode;
use winit::window::{Window, WindowId};

const TITLE: &str = "A square that jumps";
const HELP: [&str; 3] = ["Left, Right: move", "Space: jump", "Escape: end"];
const BACKGROUND: u32 = 0x0020_2430;
const TEXT: u32 = 0x0066_c0ff;
const SQUARE: u32 = 0x00ff_ffff;
const SIDE: u32 = 50; // of the square, in pixels
const GROUND: i64 = 350;

/// What the steps change.
struct Square {
    place: Smoothed<[f64; 2]>, // from the left, and above the ground
    upwards: f64,              // pixels a second
}

impl Square {
    fn step(&mut self, step: &Step, controls: &Controls<Button>) {
        self.place.begin_step();
        let is_down = |key| f64::from(controls.is_down(&Button::Key(key)));
        let [x, height] = self.place.current_mut();
        *x += 200.0 * (is_down(KeyCode::ArrowRight) - is_down(KeyCode::ArrowLeft)) * step.dt;
        if controls.was_pressed(&Button::Key(KeyCode::Space)) && *height == 0.0 {
            self.upwards = 300.0;
        }
        self.upwards -= 900.0 * step.dt;
        *height += self.upwards * step.dt;
        if *height <= 0.0 {
            (*height, self.upwards) = (0.0, 0.0);
        }
    }
}

struct App {
    game: GameLoop<Button>,
    square: Square,
    surface: Option<Surface<Rc<Window>, Rc<Window>>>,
    size: PhysicalSize<u32>, // by events, because winit panics if it is asked for the size of a window that was destroyed
    next_frame: Instant,
    failure: Option<Box<dyn Error>>,
}

impl App {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let attributes = Window::default_attributes()
            .with_title(TITLE)
            .with_inner_size(PhysicalSize::new(800, 600));
        let window = Rc::new(events.create_window(attributes)?);
        self.size = window.inner_size();
        self.surface = Some(Surface::new(&Context::new(window.clone())?, window)?);
        Ok(())
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let frame = self.game.begin_frame();
        for step in frame.steps() {
            self.square.step(&step, self.game.input(&step));
        }
        self.draw(self.square.place.at(frame.alpha()))
    }

    fn draw(&mut self, [x, height]: [f64; 2]) -> Result<(), Box<dyn Error>> {
        let Some(surface) = &mut self.surface else {
            return Ok(());
        };
        let (Some(width), Some(rows)) = (NonZeroU32::new(self.size.width), NonZeroU32::new(self.size.height)) else {
            return Ok(());
        };
        surface.resize(width, rows)?;
        let mut pixels = surface.buffer_mut()?;
        let (left, top) = (x.round() as i64, GROUND - i64::from(SIDE) - height.round() as i64);
        let is_in = |at: usize, begin: i64| (begin..begin + i64::from(SIDE)).contains(&(at as i64));
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let (row, column) = (index / self.size.width as usize, index % self.size.width as usize);
            *pixel = if is_in(column, left) && is_in(row, top) {
                SQUARE
            } else if is_written(column, row) {
                TEXT
            } else {
                BACKGROUND
            };
        }
        Ok(pixels.present()?)
    }
}

/// Whether a pixel is part of the help: letters of 8×8 dots, each of 2×2 pixels, from the left upper corner.
fn is_written(column: usize, row: usize) -> bool {
    let (x, y) = (column.saturating_sub(20) / 2, row.saturating_sub(20) / 2);
    let letter = HELP.get(y / 12).and_then(|line| line.as_bytes().get(x / 8));
    let dots = letter.and_then(|letter| BASIC_LEGACY[usize::from(*letter)].get(y % 12));
    column >= 20 && row >= 20 && dots.is_some_and(|dots| dots >> (x % 8) & 1 == 1)
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if let Err(failure) = self.open(events) {
            self.failure = Some(failure);
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        // winit reports no times: an event acts in the next step.
        if let Some(event) = InputEvent::from_window_event(&event) {
            self.game.push(event);
            if event == InputEvent::Press(Button::Key(KeyCode::Escape)) {
                events.exit();
            }
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(size) => self.size = size,
            WindowEvent::Occluded(true) => self.game.pause(),
            WindowEvent::Occluded(false) => self.game.resume(),
            WindowEvent::RedrawRequested => {
                if let Err(failure) = self.frame() {
                    self.failure = Some(failure);
                    events.exit();
                }
            }
            _ => {}
        }
    }

    /// softbuffer does not wait for the display, so the loop waits for its next refresh by the clock.
    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(window) = self.surface.as_ref().map(|surface| surface.window()) else {
            return;
        };
        if Instant::now() >= self.next_frame {
            let rate = window
                .current_monitor()
                .and_then(|monitor| monitor.refresh_rate_millihertz());
            self.next_frame = Instant::now() + Duration::from_secs(1000) / rate.unwrap_or(60_000).max(1);
            window.request_redraw();
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let events = EventLoop::new()?;
    let mut app = App {
        game: GameLoop::new(Rate::hz(60)).with_input(),
        square: Square {
            place: Smoothed::new([100.0, 0.0]),
            upwards: 0.0,
        },
        surface: None,
        size: PhysicalSize::default(),
        next_frame: Instant::now(),
        failure: None,
    };
    events.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

fn main() -> ExitCode {
    if std::env::args()
        .skip(1)
        .any(|argument| argument == "--help" || argument == "-h")
    {
        println!("{TITLE}. {}", HELP.join("   "));
        return ExitCode::SUCCESS;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("no window (on Linux it needs X11, whose server the variable DISPLAY names): {error}");
            ExitCode::FAILURE
        }
    }
}
