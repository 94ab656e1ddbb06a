//! Draws the panel of a game with a hitch, and writes it as an image: `cargo run -p evenstep-overlay --example panel OUT.png`.

use std::error::Error;
use std::fs::File;
use std::time::Duration;

use evenstep::{FixedTimestep, FrameStats, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("give the path of the image to write")?;
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut stats = FrameStats::<240>::new();
    for frame in 0..600_u64 {
        let noise = Duration::from_micros(frame * 7_919 % 900);
        let hitch = if frame == 520 {
            Duration::from_millis(60)
        } else {
            Duration::ZERO
        };
        let delta = Duration::from_micros(6_500) + noise + hitch;
        stats.record(delta, &timestep.advance(delta));
    }
    let scale = 2;
    let (width, height) = (PANEL_SIZE.0 * scale, PANEL_SIZE.1 * scale);
    let mut bytes = vec![0x40; (4 * width * height) as usize];
    draw(
        &stats,
        Rate::hz(60),
        Some(144.0),
        &mut Pixels::new(&mut bytes, width, height)?.with_scale(scale),
    );
    let mut encoder = png::Encoder::new(File::create(path)?, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}
