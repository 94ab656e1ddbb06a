//! The figure of two blocks on a physics engine: one drawn raw, one interpolated.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::poses::{Motion2, Pose2};
use evenstep::{FixedTimestep, PositionVelocity, Rate, Smoothed, Smoothing, Step};
use evenstep_scenes::{Scene, ScriptInterpolation, two_blocks};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// The time over which numbers are measured, in seconds of shown frames.
const WINDOW: f64 = 2.0;

/// The number of steps without motion after which a block counts as resting.
const RESTING: u32 = 10;

const EXTRAPOLATE: Smoothing = Smoothing::Extrapolate {
    horizon: Duration::from_millis(250),
};

/// The scene `two-blocks` on Rapier at 20 steps a second. The first block is drawn as the last step left it, the second one smoothly.
#[wasm_bindgen]
pub struct TwoBlocksFigure {
    display: EmulatedDisplay,
    /// `None` is the accumulator of a script.
    smoothing: Option<Smoothing>,
    timestep: FixedTimestep,
    rate: Rate,
    scene: Box<dyn Scene>,
    raw: Pose2,
    smooth: Smoothed<Motion2>,
    script: ScriptInterpolation<Pose2>,
    /// The number of steps for which both blocks have rested.
    resting: u32,
    shown: VecDeque<Presented>,
}

/// The content of a frame.
#[derive(Clone, Copy)]
struct Presented {
    delta: f64,
    raw: [f64; 2],
    smooth: [f64; 2],
    /// How old the drawn pose of the second block is, in seconds.
    lag: f64,
    /// The height of the second block as the last step left it, interpolated, and extrapolated, in metres.
    heights: [f64; 3],
}

#[wasm_bindgen]
impl TwoBlocksFigure {
    /// Blocks that bounce off what they hit faster than `threshold` in px/s, at 0.02 m a pixel, on a display of `refresh` frames a
    /// second; 0 is the real one.
    #[wasm_bindgen(constructor)]
    pub fn new(threshold: f32, refresh: u32) -> Result<Self, String> {
        let scene = two_blocks("rapier2d", threshold).map_err(|error| error.to_string())?;
        let rate = Rate::hz(20);
        let [raw, second] = poses(&*scene);
        Ok(Self {
            display: EmulatedDisplay::new(refresh),
            smoothing: Some(Smoothing::Interpolate),
            timestep: FixedTimestep::new(rate),
            rate,
            raw,
            smooth: Smoothed::new(motion(second, second, &*scene, 1.0)),
            script: ScriptInterpolation::new(second, rate.period_secs_f64()),
            scene,
            resting: 0,
            shown: VecDeque::new(),
        })
    }

    /// Sets how the second block is drawn: `none`, `interpolate`, `extrapolate`, `hermite`, or `script` for interpolation with an
    /// accumulator of a script.
    pub fn set_smoothing(&mut self, name: &str) {
        self.smoothing = match name {
            "script" => None,
            "none" => Some(Smoothing::None),
            "extrapolate" => Some(EXTRAPOLATE),
            "hermite" => Some(Smoothing::Hermite),
            _ => Some(Smoothing::Interpolate),
        };
        self.shown.clear();
    }

    /// Whether both blocks have come to rest.
    #[wasm_bindgen(getter)]
    pub fn rests(&self) -> bool {
        self.resting >= RESTING
    }

    /// Lets time pass, in milliseconds. For each frame shown: x and y in metres and the angle in radians of the first block as it is drawn,
    /// of the second one, and of the second one as the last step left it.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let deltas = self.display.frames(duration(milliseconds));
        deltas.into_iter().flat_map(|delta| self.show(delta)).collect()
    }

    fn show(&mut self, delta: Duration) -> Vec<f64> {
        let frame = self.timestep.advance(delta);
        frame.steps().for_each(|step| self.step(&step));
        let period = self.rate.period_secs_f64();
        let scripted = self.script.update(delta.as_secs_f64());
        let (smooth, lag) = match self.smoothing {
            Some(smoothing) => {
                let now = frame.shown_time(Smoothing::None) + frame.overstep();
                let drawn = self.smooth.drawn(smoothing, frame.alpha(), period);
                (drawn.pose, (now - frame.shown_time(smoothing)).as_secs_f64())
            }
            // Its newest state is that before the last step.
            None => (scripted, (2.0 + frame.alpha() - self.script.alpha()) * period),
        };
        let height = |smoothing| f64::from(self.smooth.drawn(smoothing, frame.alpha(), period).pose.position[1]);
        self.shown.push_back(Presented {
            heights: [Smoothing::None, Smoothing::Interpolate, EXTRAPOLATE].map(height),
            delta: delta.as_secs_f64(),
            raw: self.raw.position.map(f64::from),
            smooth: smooth.position.map(f64::from),
            lag,
        });
        self.forget();
        let numbers = |pose: Pose2| [pose.position[0], pose.position[1], pose.rotation.radians()];
        let row = [self.raw, smooth, self.smooth.current().pose].map(numbers);
        row.as_flattened().iter().copied().map(f64::from).collect()
    }

    fn step(&mut self, step: &Step) {
        let [_, before] = poses(&*self.scene);
        self.script.fixed_update(before);
        self.smooth.begin_step();
        self.scene.step(step);
        let [raw, second] = poses(&*self.scene);
        self.raw = raw;
        self.smooth.set(motion(before, second, &*self.scene, step.dt));
        let is_slow = |value: &PositionVelocity<f64>| value.velocity.abs() < 0.1;
        let rests = self.scene.read().iter().all(is_slow);
        self.resting = if rests { self.resting + 1 } else { 0 };
    }

    fn forget(&mut self) {
        let mut seconds: f64 = self.shown.iter().map(|shown| shown.delta).sum();
        while seconds > WINDOW {
            seconds -= self.shown.pop_front().map_or(f64::INFINITY, |shown| shown.delta);
        }
    }

    fn largest_jump(&self, place: fn(&Presented) -> [f64; 2]) -> f64 {
        let pairs = self.shown.iter().zip(self.shown.iter().skip(1));
        let jump = |(last, next): (&Presented, &Presented)| {
            let ([x, y], [next_x, next_y]) = (place(last), place(next));
            (next_x - x).hypot(next_y - y)
        };
        pairs.map(jump).fold(0.0, f64::max)
    }

    /// The frames of the last two seconds, oldest first: the seconds since the one before, and the height of the second block as the last step
    /// left it, interpolated and extrapolated, in metres.
    pub fn curves(&self) -> Vec<f64> {
        let row = |shown: &Presented| [shown.delta, shown.heights[0], shown.heights[1], shown.heights[2]];
        self.shown.iter().flat_map(row).collect()
    }

    /// The largest motion of the first block from one frame to the next in the last two seconds, in metres.
    #[wasm_bindgen(getter)]
    pub fn raw_jump(&self) -> f64 {
        self.largest_jump(|shown| shown.raw)
    }

    /// The largest motion of the second block from one frame to the next in the last two seconds, in metres.
    #[wasm_bindgen(getter)]
    pub fn smooth_jump(&self) -> f64 {
        self.largest_jump(|shown| shown.smooth)
    }

    /// The mean lag of the second block over two seconds, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn lag(&self) -> f64 {
        let sum: f64 = self.shown.iter().map(|shown| shown.lag).sum();
        1e3 * sum / self.shown.len().max(1) as f64
    }

    /// The fastest of the two blocks, in pixels a second.
    #[wasm_bindgen(getter)]
    pub fn speed(&self) -> f64 {
        let channels = self.scene.read();
        let speeds = channels.chunks(2).map(|pair| pair[0].velocity.hypot(pair[1].velocity));
        speeds.fold(0.0, f64::max) / 0.02
    }
}

fn poses(scene: &dyn Scene) -> [Pose2; 2] {
    let blocks = scene.blocks();
    [0, 1].map(|index| blocks.get(index).map_or(Pose2::IDENTITY, |block| block.pose))
}

/// The motion of the second block, whose angular velocity is that of its last step.
fn motion(before: Pose2, now: Pose2, scene: &dyn Scene, dt: f64) -> Motion2 {
    let velocity = |index: usize| scene.read().get(index).map_or(0.0, |value| value.velocity as f32);
    Motion2 {
        pose: now,
        velocity: [velocity(2), velocity(3)],
        angular_velocity: before.rotation.turn_to(now.rotation) / dt as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(smoothing: &str, threshold: f32) -> TwoBlocksFigure {
        let mut figure = TwoBlocksFigure::new(threshold, 120).unwrap();
        figure.set_smoothing(smoothing);
        for _ in 0..150 {
            figure.advance(1000.0 / 60.0);
        }
        figure
    }

    #[test]
    fn the_interpolated_block_jumps_less_than_a_fifth_as_far_as_the_raw_one() {
        let figure = run("interpolate", 50.0);
        assert!(
            figure.smooth_jump() < figure.raw_jump() / 5.0,
            "{} {}",
            figure.smooth_jump(),
            figure.raw_jump()
        );
    }

    #[test]
    fn interpolation_lags_a_step_extrapolation_none_and_a_script_nearly_two() {
        for (smoothing, lag) in [("interpolate", 50.0), ("hermite", 50.0), ("extrapolate", 0.0)] {
            let figure = run(smoothing, 50.0);
            assert!((figure.lag() - lag).abs() < 0.1, "{smoothing}: {} ms", figure.lag());
        }
        // Six frames are a step, but their rounded sum is less: in one of six frames, the script is at the end of its state already.
        let lag = run("script", 50.0).lag();
        assert!((90.0..100.1).contains(&lag), "{lag} ms");
    }

    #[test]
    fn blocks_that_hit_slower_than_the_threshold_come_to_rest() {
        let (bounces, sticks) = (run("interpolate", 50.0), run("interpolate", 2500.0));
        assert!(
            bounces.speed() > sticks.speed(),
            "{} {}",
            bounces.speed(),
            sticks.speed()
        );
        let mut figure = sticks;
        for _ in 0..1500 {
            figure.advance(1000.0 / 60.0);
        }
        assert!(figure.rests());
    }

    #[test]
    fn between_bounces_the_interpolated_curve_is_the_extrapolated_one_a_step_later() {
        let figure = run("none", 50.0);
        let rows = figure.curves();
        let rows = rows.as_chunks::<4>().0;
        assert!((230..=240).contains(&rows.len()), "{}", rows.len());
        // A step is six frames of 120 Hz. In flight the curves differ by gravity's share: 10 m/s² over a step of 50 ms.
        let late = rows
            .windows(7)
            .filter(|rows| (rows[6][2] - rows[0][3]).abs() < 0.03)
            .count();
        assert!(late > rows.len() / 2, "{late} of {}", rows.len());
        let beyond = rows.iter().filter(|row| row[3] < -6.4 + 0.6).count();
        assert!(
            rows.iter().all(|row| row[2] > -6.4) && beyond < rows.len() / 4,
            "{beyond}"
        );
    }
}
