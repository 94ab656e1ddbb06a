//! The figure of falling blocks: a step per frame beside sixty steps a second.

use std::time::Duration;

use evenstep::poses::Pose2;
use evenstep::{FixedTimestep, Rate, Smoothed, Step};
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Block, FALLING_BLOCKS, Scene};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::imitated::ImitatedDisplay;
use crate::time::duration;

/// The scene `falling-blocks` twice: a step per frame, and sixty steps a second.
#[wasm_bindgen]
pub struct BlocksFigure {
    display: ImitatedDisplay,
    worlds: [BlocksWorld; 2],
}

/// A world and its drawn boxes.
struct BlocksWorld {
    scene: Box<dyn Scene>,
    timestep: Timestep,
    now: Vec<Block>,
    drawn: Vec<Smoothed<Pose2>>,
    alpha: f64,
}

#[wasm_bindgen]
impl BlocksFigure {
    /// `count` boxes above a floor, on a display of `refresh` frames a second; 0 is the real one.
    #[wasm_bindgen(constructor)]
    pub fn new(count: u32, refresh: u32) -> Result<Self, String> {
        let fixed = FixedTimestep::new(Rate::hz(60)).with_max_steps(30);
        Ok(Self {
            display: ImitatedDisplay::new(refresh),
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

    /// The deepest penetration of a box into the floor or another box so far, in metres.
    pub fn deepest(&self, index: usize) -> Option<f32> {
        self.worlds.get(index)?.scene.deepest()
    }
}

impl BlocksWorld {
    fn new(count: u32, timestep: Timestep) -> Result<Self, String> {
        let scene = FALLING_BLOCKS.build_with(["engine=rapier2d", &format!("count={count}")]);
        let scene = scene.map_err(|error| error.to_string())?;
        let now = scene.blocks();
        Ok(Self {
            drawn: now.iter().map(|block| Smoothed::new(block.pose)).collect(),
            scene,
            timestep,
            now,
            alpha: 0.0,
        })
    }

    fn advance(&mut self, delta: Duration) {
        let frame = self.timestep.advance(delta);
        frame.steps().for_each(|step| self.step(&step));
        self.alpha = frame.alpha();
    }

    fn step(&mut self, step: &Step) {
        self.scene.step(step);
        self.now = self.scene.blocks();
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
    fn too_many_blocks_are_refused_in_words() {
        assert!(
            BlocksFigure::new(1001, 0)
                .err()
                .is_some_and(|error| error.contains("1000"))
        );
    }
}
