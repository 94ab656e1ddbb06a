//! Bevy's assets: they load while no step runs, and a level that is loaded again is drawn where it now is.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use bevy_evenstep::{CurrentStep, Timestep, TransformInterpolation};

use crate::apps::{Loop, Steps, app};
use crate::frames::{begin, frame};

/// Where the stones of a level are.
#[derive(Asset, TypePath)]
struct Level(Vec<Vec3>);

#[derive(Default, TypePath)]
struct LevelLoader;

impl AssetLoader for LevelLoader {
    type Asset = Level;
    type Settings = ();
    type Error = BevyError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<Level> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let mut stones = Vec::new();
        for line in std::str::from_utf8(&bytes)?.lines() {
            let numbers = line.split(' ').map(str::parse).collect::<Result<Vec<f32>, _>>()?;
            stones.push(Vec3::from_slice(&numbers));
        }
        Ok(Level(stones))
    }
}

#[derive(Resource)]
struct Loaded(Handle<Level>);

#[derive(Component)]
struct Stone;

/// As a game would: when a level was loaded, or loaded again, its stones replace the ones that are there.
fn place_stones(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<Level>>,
    (loaded, levels): (Res<Loaded>, Res<Assets<Level>>),
    stones: Query<Entity, With<Stone>>,
) {
    for event in events.read() {
        if !matches!(event, AssetEvent::Added { .. } | AssetEvent::Modified { .. }) {
            continue;
        }
        stones.iter().for_each(|stone| commands.entity(stone).despawn());
        for place in levels.get(&loaded.0).into_iter().flat_map(|level| &level.0) {
            commands.spawn((Stone, Transform::from_translation(*place), TransformInterpolation));
        }
    }
}

fn write(folder: &Path, stones: &[Vec3]) {
    let lines: Vec<_> = stones
        .iter()
        .map(|stone| format!("{} {} {}", stone.x, stone.y, stone.z))
        .collect();
    std::fs::write(folder.join("stones.level"), lines.join("\n")).unwrap();
}

fn game(name: &str, stones: &[Vec3]) -> (App, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    write(&folder, stones);
    let mut app = app(Loop::Ours, 60);
    app.add_plugins(AssetPlugin {
        file_path: folder.display().to_string(),
        ..AssetPlugin::default()
    })
    .init_asset::<Level>()
    .init_asset_loader::<LevelLoader>()
    .add_systems(Update, place_stones)
    .add_systems(FixedUpdate, |mut stones: Query<&mut Transform, With<Stone>>| {
        stones.iter_mut().for_each(|mut stone| stone.translation.x += 1.0);
    });
    let handle = app.world().resource::<AssetServer>().load("stones.level");
    app.insert_resource(Loaded(handle));
    (app, folder)
}

fn places(app: &mut App) -> Vec<(Vec3, Vec3)> {
    let mut query = app
        .world_mut()
        .query_filtered::<(&Transform, &GlobalTransform), With<Stone>>();
    let places = query.iter(app.world());
    places
        .map(|(truth, drawn)| (truth.translation, drawn.translation()))
        .collect()
}

/// Runs frames of 7 ms until something is the case. Loading takes real time, on a thread of Bevy's.
fn frames_until(app: &mut App, mut is_so: impl FnMut(&mut App) -> bool) {
    let begin = Instant::now();
    while !is_so(app) {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is loaded");
        frame(app, Duration::from_millis(7));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_level_is_loaded_and_drawn_while_the_steps_are_paused() {
    let (mut app, _) = game("paused", &[Vec3::new(1.0, 2.0, 3.0)]);
    app.world_mut().resource_mut::<Timestep>().pause();
    begin(&mut app);
    frames_until(&mut app, |app| !places(app).is_empty());
    assert_eq!(places(&mut app), [(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 2.0, 3.0))]);
    assert_eq!(app.world().resource::<Steps>().0, 0);
    // The time of loading is left out, with the frame in which it ended: the first step comes a period later.
    app.world_mut()
        .resource_mut::<Timestep>()
        .resume(evenstep::Backlog::Keep);
    frame(&mut app, Duration::from_millis(200));
    frame(&mut app, Duration::from_millis(16));
    assert_eq!(app.world().resource::<Steps>().0, 0);
    frame(&mut app, Duration::from_millis(1));
    assert_eq!(app.world().resource::<CurrentStep>().tick, 0);
    assert_eq!(places(&mut app)[0].0, Vec3::new(2.0, 2.0, 3.0));
}

#[test]
fn a_level_that_is_loaded_again_is_drawn_at_its_new_places_at_once() {
    let (mut app, folder) = game("again", &[Vec3::ZERO, Vec3::Y]);
    begin(&mut app);
    frames_until(&mut app, |app| {
        places(app).first().is_some_and(|(stone, _)| stone.x > 3.0)
    });
    let between = places(&mut app);
    assert!(
        between
            .iter()
            .all(|(truth, drawn)| drawn.x <= truth.x && drawn.x > truth.x - 1.0)
    );
    write(&folder, &[Vec3::new(100.0, 7.0, 0.0)]);
    app.world().resource::<AssetServer>().reload("stones.level");
    let mut frames_before = 0;
    frames_until(&mut app, |app| {
        frames_before += 1;
        places(app).len() == 1
    });
    assert!(frames_before > 1);
    assert_eq!(
        places(&mut app),
        [(Vec3::new(100.0, 7.0, 0.0), Vec3::new(100.0, 7.0, 0.0))]
    );
    frames_until(&mut app, |app| places(app)[0].0.x > 102.0);
    let (truth, drawn) = places(&mut app)[0];
    assert!(drawn.x > truth.x - 1.0 && drawn.x <= truth.x && drawn.x > 100.0);
}
