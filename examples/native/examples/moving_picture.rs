//! Makes the animated picture of the README: a display at 144 Hz and 60 steps a second, slowed down six times. Above, each frame shows the
//! newest state; below, it shows the state between the last two steps.
//!
//! `cargo run --release -p evenstep-examples --example moving_picture docs/pages/smooth.png`

use std::error::Error;
use std::f64::consts::TAU;
use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Smoothed};

const REFRESH: u32 = 144;
const STEPS: u32 = 60;
/// The factor of the slowdown. It results in 24 pictures a second, which every browser keeps up with.
const SLOWER: u32 = 6;

const WIDTH: usize = 640;
const LANE: usize = 130;
const BACKGROUND: [f64; 3] = [17.0, 20.0, 26.0];
const LINE: [f64; 3] = [52.0, 58.0, 70.0];
const RAW: [f64; 3] = [250.0, 128.0, 114.0];
const SMOOTH: [f64; 3] = [96.0, 200.0, 150.0];

/// A disc that crosses the lane once a second, and one on a spring with a period of a second: both repeat seamlessly.
struct World {
    x: Smoothed<f64>,
    spring: Smoothed<[f64; 2]>,
    velocity: [f64; 2],
}

impl World {
    fn new() -> Self {
        Self {
            x: Smoothed::new(0.0),
            spring: Smoothed::new([45.0, 0.0]),
            velocity: [0.0, 45.0 * TAU],
        }
    }

    fn step(&mut self, dt: f64) {
        self.x.begin_step();
        *self.x.current_mut() += WIDTH as f64 * dt;
        if *self.x.current() >= WIDTH as f64 {
            self.x.shift(|x| *x -= WIDTH as f64);
        }
        self.spring.begin_step();
        // With this stiffness, sixty steps of semi-implicit Euler are exactly one period.
        let stiffness = 2.0 * (1.0 - (TAU * dt).cos()) / (dt * dt);
        for (place, velocity) in self.spring.current_mut().iter_mut().zip(&mut self.velocity) {
            *velocity -= stiffness * *place * dt;
            *place += *velocity * dt;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: moving_picture FILE.png")?;
    let (mut world, mut timestep) = (World::new(), FixedTimestep::new(Rate::hz(STEPS)));
    let mut pictures = Vec::new();
    for frame in 0..2 * REFRESH {
        // Whole nanoseconds, as in a clock.
        let at = |frame: u32| Duration::from_secs(1) * frame / REFRESH;
        let frame_drawn = timestep.advance(at(frame + 1) - at(frame));
        for step in frame_drawn.steps() {
            world.step(step.dt);
        }
        // Only the second second is drawn, because the first begins with two equal states.
        if frame >= REFRESH {
            let alpha = frame_drawn.alpha();
            pictures.push(picture(&[
                (*world.x.current(), *world.spring.current(), RAW),
                (world.x.at(alpha), world.spring.at(alpha), SMOOTH),
            ]));
        }
    }
    let height = 2 * LANE as u32;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), WIDTH as u32, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.set_animated(pictures.len() as u32, 0)?;
    encoder.set_frame_delay(SLOWER as u16, REFRESH as u16)?;
    let mut writer = encoder.write_header()?;
    for picture in &pictures {
        writer.write_image_data(picture)?;
    }
    Ok(writer.finish()?)
}

/// Both lanes, each with its disc that crosses and its disc on a spring.
fn picture(lanes: &[(f64, [f64; 2], [f64; 3]); 2]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 * WIDTH * 2 * LANE);
    for row in 0..2 * LANE {
        let (x, [spring_x, spring_y], colour) = lanes[row / LANE];
        let y = (row % LANE) as f64 + 0.5;
        for column in 0..WIDTH {
            let column_x = column as f64 + 0.5;
            let disc =
                |at_x: f64, at_y: f64, radius: f64| (radius + 0.5 - (column_x - at_x).hypot(y - at_y)).clamp(0.0, 1.0);
            let middle = WIDTH as f64 / 2.0;
            // Also drawn on the other side, where it enters again.
            let crossing = [-1.0, 0.0, 1.0].map(|turn| disc(x + turn * WIDTH as f64, 100.0, 13.0));
            let crossing = crossing.into_iter().fold(0.0, f64::max);
            let covered = crossing.max(disc(middle + 3.0 * spring_x, 42.0 + 0.6 * spring_y, 13.0));
            let under = if row % LANE == LANE - 1 || (column % 80 == 0 && y > 114.0) {
                LINE
            } else {
                BACKGROUND
            };
            bytes.extend((0..3).map(|at| (under[at] + (colour[at] - under[at]) * covered).round() as u8));
        }
    }
    bytes
}
