//! The figure of five loops: the same spring and ball in each.

use evenstep::{Rate, TimeScale};
use evenstep_scenes::loops::{Loop, LoopRun};
use evenstep_scenes::spring_and_ball::SpringAndBall;
use evenstep_scenes::{Display, Integrator};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::emulated_display::EmulatedDisplay;
use crate::time::duration;

/// The same spring and ball in five loops on one display.
#[wasm_bindgen]
pub struct LoopsFigure {
    display: EmulatedDisplay,
    runs: Vec<LoopRun>,
}

#[wasm_bindgen]
impl LoopsFigure {
    /// Loops with `rate` steps a second, a spring of `stiffness` in N/m and the integrator with a name.
    #[wasm_bindgen(constructor)]
    pub fn new(rate: u32, stiffness: f64, integrator: &str) -> Self {
        let integrator = Integrator::by_name(integrator).unwrap_or_default();
        let scene = SpringAndBall::new(stiffness, integrator);
        let run = |kind| LoopRun::new(kind, Rate::hz(rate.max(1)), scene.clone());
        Self {
            display: EmulatedDisplay::new(0),
            runs: Loop::ALL.map(run).to_vec(),
        }
    }

    /// The names of the loops.
    pub fn titles() -> Vec<String> {
        Loop::ALL.map(|kind| kind.title().to_owned()).to_vec()
    }

    /// The names of the displays that [`set_display`](Self::set_display) takes.
    pub fn displays() -> Vec<String> {
        Display::NAMES.map(str::to_owned).to_vec()
    }

    /// Emulates the display of a name, whose times are measured with an error of up to `jitter` milliseconds. The real one if
    /// there is no such display.
    pub fn set_display(&mut self, name: &str, jitter: f64) {
        self.display.set_display(Display::by_name(name));
        self.display.set_jitter(jitter);
    }

    /// Emulates a display whose frames take these milliseconds, over and over.
    pub fn set_recording(&mut self, milliseconds: &[f64]) {
        let deltas = milliseconds.iter().map(|time| duration(*time)).collect();
        self.display.set_display(Some(Display::recorded(deltas)));
        self.display.set_jitter(0.0);
    }

    /// Simulated seconds per second, as a fraction like `1/10`.
    pub fn set_time_scale(&mut self, scale: &str) {
        let scale = scale.parse().unwrap_or(TimeScale::NORMAL);
        self.runs.iter_mut().for_each(|run| run.set_time_scale(scale));
    }

    /// A key is pressed that lets the ball of every loop jump.
    pub fn press(&mut self) {
        self.runs.iter_mut().for_each(LoopRun::press);
    }

    /// Lets time pass, in milliseconds. For each frame shown, four numbers for each loop: the position of the spring's mass, and x and y of
    /// the ball as they are drawn, in metres; and the steps of the frame.
    pub fn advance(&mut self, milliseconds: f64) -> Vec<f64> {
        let mut rows = Vec::new();
        for (delta, measured) in self.display.timed_frames(duration(milliseconds)) {
            for run in &mut self.runs {
                let steps = run.advance_measured(delta, measured);
                let drawn = run.drawn();
                rows.extend([drawn.spring, drawn.ball[0], drawn.ball[1], steps as f64]);
            }
        }
        rows
    }

    /// Where the ball should be now: x and y in metres.
    pub fn exact(&self) -> Vec<f64> {
        self.runs[0].exact_ball().to_vec()
    }

    /// The figures of a loop in a line.
    pub fn figures(&self, index: usize) -> String {
        let Some(figures) = self.runs.get(index).map(LoopRun::figures) else {
            return String::new();
        };
        if figures.frames == 0 {
            return String::new();
        }
        let energy = figures.energy_in_words();
        let (speed, jerk, latency, lost) = (figures.speed, figures.jerk_mm, figures.latency_ms, figures.lost_s);
        let jump = figures
            .jump_m
            .map_or_else(String::new, |metres| format!(" · jump {metres:.2} m"));
        format!("speed {speed:.2}× · {energy} · jerks {jerk:.1} mm · latency {latency:.1} ms · lost {lost:.2} s{jump}")
    }

    /// What is wrong with a loop, in words, the worst first.
    pub fn faults(&self, index: usize) -> Vec<String> {
        let faults = self.runs.get(index).map(LoopRun::faults).unwrap_or_default();
        faults.iter().map(ToString::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_the_figures_first_settings_only_the_last_loop_has_no_fault() {
        let mut figure = LoopsFigure::new(50, 5000.0, "semi-implicit-euler");
        figure.set_display("30", 0.0);
        let frames: usize = (0..300).map(|_| figure.advance(1000.0 / 60.0).len() / 20).sum();
        assert_eq!(frames, 150);
        let faulty: Vec<bool> = (0..5).map(|index| !figure.faults(index).is_empty()).collect();
        assert_eq!(faulty, [true, true, true, true, false]);
        assert!(figure.faults(1)[0].starts_with("explodes"), "{:?}", figure.faults(1));
        assert!(figure.figures(5).is_empty());
    }

    #[test]
    fn a_recording_is_a_display() {
        let mut figure = LoopsFigure::new(50, 10.0, "rk4");
        figure.set_recording(&[20.0, 40.0]);
        figure.set_time_scale("2");
        assert_eq!(figure.advance(130.0).len() / 20, 4);
    }
}
