//! Every scene on every engine that is compiled in.

use evenstep::{Step, inspect};
use evenstep_scenes::{SCENES, SceneError, SceneInfo};

/// The length of a run in steps.
const TICKS: u64 = 600;

/// Pushes of the player: the tick, and the change of velocity.
const NUDGES: [(u64, [f64; 2]); 2] = [(100, [1.5, 0.0]), (250, [-0.5, 2.0])];

/// The names, `SCENE` or `SCENE-ENGINE`, and the hashes of all states of a run.
pub(crate) fn run() -> impl Iterator<Item = (String, u64)> {
    SCENES.iter().flat_map(|scene| match scene.engines {
        [] => vec![(scene.name.to_owned(), hash_of(scene, "").expect("it needs no engine"))],
        engines => engines.iter().filter_map(|engine| on(scene, engine)).collect(),
    })
}

/// The result on an engine; `None` if that is not compiled in.
fn on(scene: &SceneInfo, engine: &str) -> Option<(String, u64)> {
    match hash_of(scene, engine) {
        Ok(hash) => Some((format!("{}-{engine}", scene.name), hash)),
        Err(SceneError::NotCompiled(_)) => None,
        Err(error) => panic!("{} on {engine}: {error}", scene.name),
    }
}

fn hash_of(info: &SceneInfo, engine: &str) -> Result<u64, SceneError> {
    let mut scene = info.build(engine)?;
    let mut hash = 0;
    for tick in 0..TICKS {
        if let Some((_, by)) = NUDGES.iter().find(|(at, _)| *at == tick) {
            scene.nudge(*by);
        }
        scene.step(&Step::new(tick, info.rate));
        hash = inspect::hash(&[hash, scene.hash()]);
    }
    Ok(hash)
}
