//! The figure of falling blocks: a step per frame beside sixty steps a second.

use std::time::Duration;

use evenstep::poses::Pose2;
use evenstep::{FixedTimestep, Rate, Smoothed, Step};
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Block, Scene, falling_blocks};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// Blocks that are slower than this, in m/s, for so many seconds have come to rest.
const SLOW: f64 = 0.02;
const RESTING: f64 = 2.0;

/// The scene `falling-blocks` twice: a step per frame, and sixty steps a second.
#[wasm_bindgen]
pub struct BlocksFigure {
    display: EmulatedDisplay,
    worlds: [BlocksWorld; 2],
}

/// A world and its drawn boxes.
struct BlocksWorld {
    scene: Box<dyn Scene>,
    timestep: Timestep,
    now: Vec<Block>,
    drawn: Vec<Smoothed<Pose2>>,
    alpha: f64,
    /// The simulated seconds for which no block has moved.
    still: f64,
}

#[wasm_bindgen]
impl BlocksFigure {
    /// `count` boxes above a floor, on a display of `refresh` frames a second; 0 is the real one.
    #[wasm_bindgen(constructor)]
    pub fn new(count: u32, refresh: u32) -> Result<Self, String> {
        let fixed = FixedTimestep::new(Rate::hz(60)).with_max_steps(30);
        Ok(Self {
            display: EmulatedDisplay::new(refresh),
            worlds: [
                BlocksWorld::new(count, Timestep::variable())?,
                BlocksWorld::new(count, Timestep::fixed(fixed))?,
            ],
        })
    }

    /// Lets time pass, in milliseconds.
    pub fn advance(&mut self, milliseconds: f64) {
        for delta in self.display.frames(duration(milliseconds)) {
            self.worlds.iter_mut().for_each(|world| world.advance(delta));
        }
    }

    /// The boxes as they are drawn, six numbers each: x and y in metres, cosine and sine, from the centre to the side in metres, and how
    /// deep in the floor it is in metres. With the index 0 those with a step per frame, with 1 those with fixed steps.
    pub fn boxes(&self, index: usize) -> Vec<f32> {
        self.worlds.get(index).map(BlocksWorld::draw).unwrap_or_default()
    }

    /// Whether the blocks with fixed steps have rested for some seconds.
    #[wasm_bindgen(getter)]
    pub fn rests(&self) -> bool {
        self.worlds[1].still > RESTING
    }

    /// The deepest penetration of a box into the floor or another box so far, in metres.
    pub fn deepest(&self, index: usize) -> Option<f32> {
        self.worlds.get(index)?.scene.deepest()
    }
}

impl BlocksWorld {
    fn new(count: u32, timestep: Timestep) -> Result<Self, String> {
        let scene = falling_blocks("rapier2d", count).map_err(|error| error.to_string())?;
        let now = scene.blocks();
        Ok(Self {
            drawn: now.iter().map(|block| Smoothed::new(block.pose)).collect(),
            scene,
            timestep,
            now,
            alpha: 0.0,
            still: 0.0,
        })
    }

    fn advance(&mut self, delta: Duration) {
        let frame = self.timestep.advance(delta);
        frame.steps().for_each(|step| self.step(&step));
        self.alpha = frame.alpha();
    }

    fn step(&mut self, step: &Step) {
        self.scene.step(step);
        let last = std::mem::replace(&mut self.now, self.scene.blocks());
        let moved = last.iter().zip(&self.now).any(|(last, now)| {
            let ([x, y], [now_x, now_y]) = (last.pose.position, now.pose.position);
            f64::from((now_x - x).hypot(now_y - y)) > SLOW * step.dt
        });
        self.still = if moved { 0.0 } else { self.still + step.dt };
        for (drawn, block) in self.drawn.iter_mut().zip(&self.now) {
            drawn.begin_step();
            drawn.set(block.pose);
        }
    }

    fn draw(&self) -> Vec<f32> {
        let blocks = self.drawn.iter().zip(&self.now);
        blocks
            .flat_map(|(drawn, block)| {
                let Pose2 { position, rotation } = drawn.at(self.alpha);
                [
                    position[0],
                    position[1],
                    rotation.cos,
                    rotation.sin,
                    block.half[0],
                    block.depth,
                ]
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_ten_frames_a_second_blocks_sink_with_variable_steps_and_hardly_with_fixed_ones() {
        let mut figure = BlocksFigure::new(30, 10).unwrap();
        (0..180).for_each(|_| figure.advance(1000.0 / 60.0));
        let [variable, fixed] = [0, 1].map(|index| figure.deepest(index).unwrap());
        assert!(variable > 0.3 && variable > 3.0 * fixed, "{variable} {fixed}");
        assert_eq!(figure.boxes(1).len(), 30 * 6);
    }

    #[test]
    #[ignore = "takes several seconds"]
    fn blocks_that_fall_come_to_rest_at_every_count_and_display() {
        for (count, refresh) in [(1, 10), (60, 10), (60, 0), (200, 30)] {
            let mut figure = BlocksFigure::new(count, refresh).unwrap();
            let frames = (0..40 * 60).take_while(|_| {
                figure.advance(1000.0 / 60.0);
                !figure.rests()
            });
            let frames = frames.count();
            assert!(
                (100..40 * 60).contains(&frames),
                "{count} blocks, {refresh} Hz: {frames}"
            );
        }
    }
}
