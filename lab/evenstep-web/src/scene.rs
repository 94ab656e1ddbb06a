//! A scene with fixed steps on any display.

use evenstep::poses::{Pose2, Rot2};
use evenstep::{FixedTimestep, Smoothed};
use evenstep_scenes::{Landmark, Outline, Scene, SceneInfo};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::imitated::ImitatedDisplay;
use crate::time::duration;

/// Steps after which the state is compared.
const MARK: u64 = 300;

/// A scene on the engine with fixed steps, on any display.
#[wasm_bindgen]
pub struct SceneFigure {
    display: ImitatedDisplay,
    info: &'static SceneInfo,
    scene: Box<dyn Scene>,
    timestep: FixedTimestep,
    now: Vec<Outline>,
    drawn: Vec<Smoothed<Pose2>>,
    alpha: f64,
    /// The hash of the state after [`MARK`] steps.
    marked: Option<u64>,
}

#[wasm_bindgen]
impl SceneFigure {
    /// The scene with a name, on Rapier.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, String> {
        let info = SceneInfo::by_name(name).ok_or_else(|| format!("there is no scene {name}"))?;
        let mut settings = info.settings();
        settings.set("engine=rapier2d").map_err(|error| error.to_string())?;
        let scene = info.build(&settings).map_err(|error| error.to_string())?;
        let mut now = Vec::new();
        scene.outlines(&mut now);
        Ok(Self {
            display: ImitatedDisplay::new(),
            drawn: now.iter().map(|outline| Smoothed::new(outline.pose)).collect(),
            timestep: FixedTimestep::new(info.rate).with_max_steps(30),
            info,
            scene,
            now,
            alpha: 0.0,
            marked: None,
        })
    }

    /// Imitates a display of `refresh` frames a second; 0 is the real one.
    pub fn set_display(&mut self, refresh: u32) {
        self.display.set_refresh(refresh);
    }

    /// Lets time pass, in milliseconds. Returns the number of frames that were shown.
    pub fn advance(&mut self, milliseconds: f64) -> usize {
        let deltas = self.display.frames(duration(milliseconds));
        for delta in &deltas {
            let frame = self.timestep.advance(*delta);
            for step in frame.steps() {
                self.scene.step(&step);
                self.look();
                if step.tick + 1 == MARK {
                    self.marked = Some(self.scene.hash());
                }
            }
            self.alpha = frame.alpha();
        }
        deltas.len()
    }

    /// The outlines of the bodies, seven numbers each: x and y in metres, cosine and sine, the half extents in metres,
    /// and 1 if the ends are round.
    pub fn outlines(&self) -> Vec<f32> {
        let outlines = self.drawn.iter().zip(&self.now);
        let numbers = outlines.flat_map(|(drawn, outline)| {
            let Pose2 { position, rotation } = drawn.at(self.alpha);
            let ([x, y], Rot2 { cos, sin }, [width, height]) = (position, rotation, outline.half);
            [x, y, cos, sin, width, height, f32::from(u8::from(outline.is_round))]
        });
        numbers.collect()
    }

    /// The fixed objects, five numbers each: two corners of a wall, or two points of a line of ground, in metres; and
    /// 1 if it is ground.
    pub fn ground(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        for landmark in self.scene.surroundings() {
            match landmark {
                Landmark::Wall([a, b], [c, d]) => numbers.extend([a, b, c, d, 0.0]),
                Landmark::Slope([a, b], [c, d]) => numbers.extend([a, b, c, d, 1.0]),
                _ => {}
            }
        }
        numbers
    }

    /// The number of steps so far.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> f64 {
        self.timestep.tick() as f64
    }

    /// Whether the scene is over.
    #[wasm_bindgen(getter)]
    pub fn is_over(&self) -> bool {
        self.timestep.tick() as f64 * self.info.rate.period_secs_f64() >= f64::from(self.info.seconds)
    }

    /// The hash of the state after 300 steps, once they have run.
    #[wasm_bindgen(getter)]
    pub fn marked(&self) -> String {
        self.marked.map_or_else(String::new, |hash| format!("{hash:016x}"))
    }

    fn look(&mut self) {
        self.now.clear();
        self.scene.outlines(&mut self.now);
        for (drawn, outline) in self.drawn.iter_mut().zip(&self.now) {
            drawn.begin_step();
            drawn.set(outline.pose);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scenes_reach_the_same_state_on_every_display() {
        for name in ["bridge", "platforms"] {
            let marked = |refresh: u32| {
                let mut figure = SceneFigure::new(name).unwrap();
                figure.set_display(refresh);
                while figure.marked().is_empty() {
                    figure.advance(1000.0 / 60.0);
                }
                assert!(!figure.is_over() && figure.outlines().len().is_multiple_of(7));
                assert!(figure.ground().len() >= 5);
                figure.marked()
            };
            assert_eq!(marked(10), marked(144), "{name}");
        }
        assert!(
            SceneFigure::new("nowhere")
                .err()
                .is_some_and(|error| error.contains("nowhere"))
        );
    }
}
