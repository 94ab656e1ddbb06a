//! Every scene on every engine, through a timestep at random frame times, recorded state by state.

use anyhow::{Context, Result};
use evenstep::{FixedTimestep, Step};
use evenstep_scenes::{Nudge, Recorder, Recording, SCENES, SceneInfo, Setting, SettingKind};

use crate::frames::Frames;

/// The length of a run.
const TICKS: u64 = 600;

/// A scene on an engine, if it has one.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) scene: &'static SceneInfo,
    pub(crate) engine: Option<&'static str>,
}

impl Pair {
    /// All scenes and engines that are compiled in.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        SCENES.iter().flat_map(|scene| {
            let pairs = engines(scene).into_iter().map(move |engine| Self { scene, engine });
            pairs
                .filter(|pair| cfg!(feature = "box2d") || pair.engine != Some("box2d"))
                .filter(|pair| cfg!(feature = "rapier2d") || pair.engine != Some("rapier2d"))
                .filter(|pair| cfg!(feature = "rapier3d") || pair.engine != Some("rapier3d"))
        })
    }

    /// The name: `SCENE` or `SCENE-ENGINE`.
    pub(crate) fn name(&self) -> String {
        let engine = self.engine.map(|engine| format!("-{engine}"));
        format!("{}{}", self.scene.name, engine.unwrap_or_default())
    }

    /// Builds the scene and its recorder.
    pub(crate) fn start(&self) -> Result<(Box<dyn evenstep_scenes::Scene>, Recorder)> {
        let mut settings = self.scene.settings();
        if let Some(engine) = self.engine {
            settings.set(&format!("engine={engine}"))?;
        }
        let nudges = [(100, [1.5, 0.0]), (250, [-0.5, 2.0])].map(|(tick, by)| Nudge { tick, by });
        let recorder = Recorder::new(self.scene, &settings, self.scene.rate, 1, nudges.to_vec());
        Ok((self.scene.build(&settings)?, recorder))
    }

    /// Runs the scene at frame times that the seed decides. The recording must not depend on them.
    pub(crate) fn record(&self, seed: u64) -> Result<Recording> {
        let (mut scene, mut recorder) = self.start()?;
        let (mut timestep, mut frames) = (FixedTimestep::new(self.scene.rate), Frames::new(seed));
        while timestep.tick() < TICKS {
            let frame = timestep.advance(frames.next_delta());
            for step in frame.steps().filter(|step| step.tick < TICKS) {
                take(scene.as_mut(), &mut recorder, &step);
            }
        }
        Ok(recorder.finish())
    }
}

/// Advances a recorded scene by a step.
pub(crate) fn take(scene: &mut dyn evenstep_scenes::Scene, recorder: &mut Recorder, step: &Step) {
    recorder.before_step(scene, step);
    scene.step(step);
    recorder.after_step(scene, step);
}

/// The engines of a scene, or a single `None`.
fn engines(scene: &SceneInfo) -> Vec<Option<&'static str>> {
    let is_engine = |setting: &&Setting| setting.key == "engine";
    match scene.settings.iter().find(is_engine).map(|setting| setting.kind) {
        Some(SettingKind::Choice(engines)) => engines.iter().copied().map(Some).collect(),
        _ => vec![None],
    }
}

/// The hash of the last state.
pub(crate) fn hash(recording: &Recording) -> Result<u64> {
    Ok(recording.checkpoints.last().context("the run has no states")?.hash)
}

/// Repeats a recording, and says where it differs.
pub(crate) fn replay(file: &[u8], name: &str) -> Result<String> {
    let recording = Recording::read(file, name)?;
    Ok(match recording.replay()? {
        None => "the same".to_owned(),
        Some(difference) => format!(
            "differs after tick {} from that of {}: {:?}, not {:?}",
            difference.ticks, recording.platform, difference.replayed.values, difference.recorded.values
        ),
    })
}
