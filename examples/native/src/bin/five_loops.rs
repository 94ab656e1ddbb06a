//! Five game loops side by side, with macroquad: each runs the same spring and ball on the same simulated display, and says what is wrong
//! with it. A circle shows where the ball should be.
//!
//! `cargo run --release -p evenstep-examples --bin five_loops [RECORDING]`

use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use evenstep::{FrameClock, RatioError, TimeScale};
use evenstep_examples::look::{CARD, INK, LINE, LOST, RAW, SIZE, SMOOTH, SOFT, STEP, begin_drawing, write};
use evenstep_examples::open;
use evenstep_scenes::loops::{Loop, LoopRun};
use evenstep_scenes::spring_and_ball::{INFO, SpringAndBall};
use evenstep_scenes::{Display, Integrator};
use evenstep_trace::{BadRows, Trace};
use macroquad::prelude::*;

const HELP: &str = "Left, Right: display   Up, Down: speed of time   I: integrator   Enter: begin again   Escape: end";
const STIFFNESS: f64 = 5000.0; // N/m: explodes in steps of 30 a second
const SPEEDS: [&str; 6] = ["1/10", "1/4", "1/2", "1", "2", "4"];
const INTEGRATORS: [(Integrator, &str); 3] = [
    (Integrator::ExplicitEuler, "explicit Euler"),
    (Integrator::SemiImplicitEuler, "semi-implicit Euler"),
    (Integrator::RungeKutta4, "Runge-Kutta 4"),
];
const ROW: f32 = 134.0; // height in pixels
const METRE: f32 = 96.0; // in pixels
const TRAIL: usize = 40; // frames whose places are shown

/// What the keys have chosen, by index. A recording comes after the displays with a name.
#[derive(Clone, Copy, PartialEq)]
struct Choice {
    display: usize,
    speed: usize,
    integrator: usize,
}

impl Choice {
    fn change(&mut self, displays: usize) {
        let step = |index: usize, count: usize, less, more| {
            let index = index + usize::from(is_key_pressed(more));
            index.saturating_sub(usize::from(is_key_pressed(less))).min(count - 1)
        };
        self.display = step(self.display, displays, KeyCode::Left, KeyCode::Right);
        self.speed = step(self.speed, SPEEDS.len(), KeyCode::Down, KeyCode::Up);
        self.integrator = (self.integrator + usize::from(is_key_pressed(KeyCode::I))) % INTEGRATORS.len();
    }

    fn title(self) -> String {
        let (speed, (_, integrator)) = (SPEEDS[self.speed], INTEGRATORS[self.integrator]);
        let named = Display::NAMES.get(self.display);
        let display = named.map_or("recorded display".to_owned(), |name| format!("display {name} Hz"));
        let steps = INFO.rate.as_hz_f64();
        format!("{display}, {steps} steps a second, {integrator}, speed of time {speed}")
    }
}

/// A loop, and the balls that its last frames have drawn, the newest first.
struct Row {
    run: LoopRun,
    balls: VecDeque<[f64; 2]>,
}

/// A display and the loops that run on it.
struct Scene {
    display: Display,
    frame_at: Duration, // of the display's next frame, in real time since the start
    rows: [Row; 5],
}

impl Scene {
    fn new(choice: Choice, display: &Display) -> Result<Self, RatioError> {
        let speed: TimeScale = SPEEDS[choice.speed].parse()?;
        let rows = Loop::ALL.map(|kind| {
            let scene = SpringAndBall::new(STIFFNESS, INTEGRATORS[choice.integrator].0);
            let mut run = LoopRun::new(kind, INFO.rate, scene);
            run.set_time_scale(speed);
            Row {
                run,
                balls: VecDeque::new(),
            }
        });
        Ok(Self {
            display: display.clone(),
            frame_at: Duration::ZERO,
            rows,
        })
    }

    /// Shows the frames of the display until a real time.
    fn advance(&mut self, now: Duration) {
        while self.frame_at <= now {
            // A recording may have frames without a length.
            let delta = self.display.next_delta().max(Duration::from_micros(1));
            let read = self.display.read_timer(self.frame_at);
            self.frame_at += delta;
            let measured = self.display.read_timer(self.frame_at) - read;
            for Row { run, balls } in &mut self.rows {
                run.advance_measured(delta, measured);
                balls.truncate(TRAIL - 1);
                balls.push_front(run.drawn().ball);
            }
        }
    }
}

/// Draws a loop below the height `top`.
fn draw(Row { run, balls }: &Row, top: f32) {
    let colour = if run.kind() == Loop::Interpolated { SMOOTH } else { RAW };
    draw_rectangle(440.0, top, SIZE.x - 460.0, ROW - 8.0, CARD);
    write([20.0, top + 20.0], run.kind().title(), 24.0, colour);
    let (faults, figures) = (run.faults(), run.figures());
    let mut line = top + 42.0;
    for fault in faults.iter().take(3) {
        write([20.0, line], fault, 18.0, LOST);
        line += 20.0;
    }
    if faults.is_empty() {
        write([20.0, line], "nothing wrong", 18.0, STEP);
    }
    let (speed, energy, lost) = (figures.speed, figures.energy_in_words(), figures.lost_s);
    let text = format!("speed {speed:.2}×   {energy}   {lost:.1} s lost");
    write([20.0, top + ROW - 29.0], &text, 17.0, SOFT);
    let text = format!("jerks {:.1} mm   {:.0} ms late", figures.jerk_mm, figures.latency_ms);
    write([20.0, top + ROW - 11.0], &text, 17.0, SOFT);

    let floor = top + ROW - 14.0;
    draw_line(460.0, floor, 880.0, floor, 2.0, LINE);
    let ball = |[x, y]: [f64; 2]| vec2(670.0 + METRE * x as f32, floor - 10.0 - 0.8 * METRE * y as f32);
    for (age, place) in (0_u8..).zip(balls) {
        let place = ball(*place);
        draw_circle(place.x, place.y, 2.5, colour.with_alpha(0.8 - 0.02 * f32::from(age)));
    }
    let (drawn, exact) = (ball(run.drawn().ball), ball(run.exact_ball()));
    draw_circle(drawn.x, drawn.y, 10.0, colour);
    draw_circle_lines(exact.x, exact.y, 12.0, 2.0, INK);

    let spring = run.drawn().spring;
    let wall = vec2(920.0, top + ROW / 2.0);
    let mass = vec2(1080.0 + METRE * spring.clamp(-1.6, 1.6) as f32, wall.y);
    let turns =
        (0..=12_u8).map(|turn| wall.lerp(mass, f32::from(turn) / 12.0) + vec2(0.0, [0.0, 8.0][usize::from(turn % 2)]));
    for (from, to) in turns.clone().zip(turns.skip(1)) {
        draw_line(from.x, from.y, to.x, to.y, 2.0, LINE);
    }
    draw_circle(mass.x, mass.y, 10.0, if spring.abs() > 1.5 { LOST } else { colour });
}

async fn play() -> Result<(), Box<dyn Error>> {
    let mut displays: Vec<_> = Display::NAMES.into_iter().filter_map(Display::by_name).collect();
    let mut choice = Choice {
        display: 1,
        speed: 3,
        integrator: 1,
    };
    if let Some(path) = std::env::args_os().nth(1) {
        let recording = Trace::read(Path::new(&path), BadRows::Skip)?;
        choice.display = displays.len();
        displays.push(Display::recorded(recording.main_chain().deltas.clone()));
    }
    let mut scene = Scene::new(choice, &displays[choice.display])?;
    let (mut clock, begin, mut now) = (FrameClock::new(), Instant::now(), Duration::ZERO);
    while !is_key_pressed(KeyCode::Escape) {
        let before = choice;
        choice.change(displays.len());
        if choice != before || is_key_pressed(KeyCode::Enter) {
            scene = Scene::new(choice, &displays[choice.display])?;
            now = Duration::ZERO;
        }
        // After a pause the display does not catch up.
        now += clock.begin_frame(begin.elapsed()).delta.min(Duration::from_millis(250));
        scene.advance(now);
        begin_drawing(&choice.title(), INK, HELP);
        write([1040.0, SIZE.y - 14.0], "circle: the exact ball", 20.0, INK);
        let mut top = 70.0;
        for row in &scene.rows {
            draw(row, top);
            top += ROW;
        }
        next_frame().await;
    }
    Ok(())
}

fn main() -> ExitCode {
    open("Five loops", HELP, play())
}
