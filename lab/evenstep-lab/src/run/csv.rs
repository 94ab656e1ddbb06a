//! The frames of a run as CSV.

use std::time::Duration;

use evenstep_scenes::Scene;
use evenstep_scenes::stepping::SteppedFrame;

use crate::run::options::Options;
use crate::run::stepped_scene::SteppedScene;

/// The header, and a row for each frame so far.
pub(crate) struct Rows {
    pub(crate) text: String,
    /// Real time since the start, in seconds.
    time: f64,
}

impl Rows {
    pub(crate) fn new(options: &Options, scene: &dyn Scene) -> Self {
        let mut text = String::from("time_s,delta_ns,steps,ticks,alpha,clamped_ns,dropped_steps");
        let channels = options.scene.channels;
        for channel in channels {
            text += &format!(",{channel}_raw,{channel}_drawn");
        }
        // The closed form of the first channel, where it is known, at the time that the frame shows.
        if scene.exact(0.0).is_some() {
            text += &format!(",{}_exact", channels[0]);
        }
        text.push('\n');
        Self { text, time: 0.0 }
    }

    /// Appends the row of a frame.
    pub(crate) fn add(&mut self, delta: Duration, frame: &SteppedFrame, world: &SteppedScene<'_>) {
        self.time += delta.as_secs_f64();
        let lost = frame.lost();
        self.text += &format!(
            "{:.9},{},{},{},{},{},{}",
            self.time,
            delta.as_nanos(),
            frame.steps().count(),
            frame.tick(),
            frame.alpha(),
            lost.clamped.as_nanos(),
            lost.dropped
        );
        for (raw, drawn) in world.draw(frame) {
            self.text += &format!(",{raw},{drawn}");
        }
        if let Some(exact) = world.exact(frame) {
            self.text += &format!(",{exact}");
        }
        self.text.push('\n');
    }
}
