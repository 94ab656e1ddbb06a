//! The figure of falling blocks: a step per frame beside sixty steps a second.

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
    variable: BlocksWorld,
    fixed: BlocksWorld,
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
    /// `count` boxes above a floor.
    #[wasm_bindgen(constructor)]
    pub fn new(count: u32) -> Result<Self, String> {
        let fixed = FixedTimestep::new(Rate::hz(60)).with_max_steps(30);
        Ok(Self {
            display: ImitatedDisplay::new(),
            variable: BlocksWorld::new(count, Timestep::variable())?,
            fixed: BlocksWorld::new(count, Timestep::fixed(fixed))?,
        })
    }

    /// Imitates a display of `refresh` frames a second; 0 is the real one.
    pub fn set_display(&mut self, refresh: u32) {
        self.display.set_refresh(refresh);
        self.display.set_jitter(0.0);
    }

    /// Lets time pass, in milliseconds. Returns the number of frames that were shown.
    pub fn advance(&mut self, milliseconds: f64) -> usize {
        let deltas = self.display.frames(duration(milliseconds));
        for delta in &deltas {
            self.variable.advance(*delta);
            self.fixed.advance(*delta);
        }
        deltas.len()
    }

    /// The boxes with variable steps; see [`fixed`](Self::fixed).
    pub fn variable(&self) -> Vec<f32> {
        self.variable.draw()
    }

    /// The boxes with fixed steps as they are drawn, six numbers each: x and y in metres, cosine and sine, from the
    /// centre to the side in metres, and how deep in the floor it is in metres.
    pub fn fixed(&self) -> Vec<f32> {
        self.fixed.draw()
    }

    /// The deepest penetration of a box into the floor or another box so far with variable steps, in metres.
    #[wasm_bindgen(getter)]
    pub fn variable_sunk(&self) -> f64 {
        self.variable.sunk()
    }

    /// The deepest penetration of a box into the floor or another box so far with fixed steps, in metres.
    #[wasm_bindgen(getter)]
    pub fn fixed_sunk(&self) -> f64 {
        self.fixed.sunk()
    }

    /// The hash of the state with fixed steps.
    #[wasm_bindgen(getter)]
    pub fn fixed_hash(&self) -> String {
        format!("{:016x}", self.fixed.scene.hash())
    }
}

impl BlocksWorld {
    fn new(count: u32, timestep: Timestep) -> Result<Self, String> {
        let mut settings = FALLING_BLOCKS.settings();
        for assignment in ["engine=rapier2d".to_owned(), format!("count={count}")] {
            settings.set(&assignment).map_err(|error| error.to_string())?;
        }
        let scene = FALLING_BLOCKS.build(&settings).map_err(|error| error.to_string())?;
        let mut now = Vec::new();
        scene.blocks(&mut now);
        Ok(Self {
            drawn: now.iter().map(|block| Smoothed::new(block.pose)).collect(),
            scene,
            timestep,
            now,
            alpha: 0.0,
        })
    }

    fn advance(&mut self, delta: std::time::Duration) {
        let frame = self.timestep.advance(delta);
        frame.steps().for_each(|step| self.step(&step));
        self.alpha = frame.alpha();
    }

    fn step(&mut self, step: &Step) {
        self.scene.step(step);
        self.now.clear();
        self.scene.blocks(&mut self.now);
        for (drawn, block) in self.drawn.iter_mut().zip(&self.now) {
            drawn.begin_step();
            drawn.set(block.pose);
        }
    }

    fn sunk(&self) -> f64 {
        self.scene.step_error().map_or(0.0, |step_error| step_error.value)
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
        let mut figure = BlocksFigure::new(30).unwrap();
        figure.set_display(10);
        let frames: usize = (0..180).map(|_| figure.advance(1000.0 / 60.0)).sum();
        assert_eq!(frames, 30);
        assert!(figure.variable_sunk() > 0.3, "{}", figure.variable_sunk());
        assert!(
            figure.variable_sunk() > 3.0 * figure.fixed_sunk(),
            "{} {}",
            figure.variable_sunk(),
            figure.fixed_sunk()
        );
        assert_eq!(figure.fixed().len(), 30 * 6);
    }

    #[test]
    fn too_many_blocks_are_refused_in_words() {
        assert!(
            BlocksFigure::new(1001)
                .err()
                .is_some_and(|error| error.contains("1000"))
        );
    }
}
