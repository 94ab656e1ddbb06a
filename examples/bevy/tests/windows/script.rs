//! What the user and the desktop do, and how many steps the game has run after it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::time::{TimeSystems, TimeUpdateStrategy};
use bevy::window::{PrimaryWindow, WindowResolution};
use bevy::winit::{UpdateMode, WinitSettings};
use bevy_evenstep::{ExactLoopPlugin, Hidden, LastFrame, PauseHiddenPlugin};

use crate::desktop::{Desktop, TITLE};

enum Act {
    /// 30 frames of 1/60 s each. Then the counts are noted with a name.
    Play(&'static str),
    /// The user or the desktop acts. Time stands still.
    Do(fn(&mut Desktop, &mut Window)),
    /// Time stands still until a condition holds.
    Await(&'static str, fn(&Window, &Hidden) -> bool),
}

/// The size to which the window is resized.
const SIZE: UVec2 = UVec2::new(800, 450);

const ACTS: [Act; 14] = [
    Act::Await("Bevy's first frame, which lasts no time", |_, _| true),
    Act::Play("seen"),
    Act::Do(|desktop, _| desktop.resize(SIZE.x, SIZE.y).expect("it can be resized")),
    Act::Await("the new size", |window, _| window.physical_size() == SIZE),
    Act::Play("resized"),
    Act::Do(|desktop, window| {
        window.set_minimized(true);
        desktop.minimise().expect("it can be minimised");
    }),
    Act::Play("minimised"),
    Act::Do(|desktop, window| {
        window.set_minimized(false);
        desktop.put_back().expect("it can be put back");
        desktop.cover().expect("it can be covered");
    }),
    Act::Await("that it is covered", |_, hidden| hidden.is_hidden()),
    Act::Play("covered"),
    Act::Do(|desktop, _| desktop.uncover().expect("it can be uncovered")),
    Act::Await("that it is seen", |_, hidden| !hidden.is_hidden()),
    Act::Play("seen again"),
    Act::Do(|desktop, _| desktop.close().expect("it can be closed")),
];

/// After each act that lets time pass: the steps, and the milliseconds that were left out.
type Notes = Vec<(&'static str, u64, u128)>;

/// The current act, when it began, and the frames since then.
#[derive(Resource)]
struct Progress {
    act: usize,
    begun: Instant,
    frames: u32,
    notes: Arc<Mutex<Notes>>,
}

/// The frames of an act in which time passes.
const FRAMES: u32 = 30;

/// The longest time for which something is awaited, on a busy machine, too.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) fn play() {
    let window = Window {
        title: TITLE.into(),
        resolution: WindowResolution::new(640, 360).with_scale_factor_override(1.0),
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let log = LogPlugin {
        filter: "warn".into(),
        ..default()
    };
    // A frame waits for the X server, and not for a display.
    let mode = UpdateMode::reactive(Duration::from_millis(5));
    let notes = Arc::<Mutex<Notes>>::default();
    let progress = Progress {
        act: 0,
        begun: Instant::now(),
        frames: 0,
        notes: notes.clone(),
    };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(windows).set(log),
        ExactLoopPlugin::hz(60),
        PauseHiddenPlugin,
    ))
    .insert_resource(WinitSettings {
        focused_mode: mode,
        unfocused_mode: mode,
    })
    .insert_resource(progress)
    .insert_resource(Desktop::connect().expect("DISPLAY names an X server"))
    .add_systems(First, pass_time.before(TimeSystems))
    .add_systems(PostUpdate, go_on);
    assert_eq!(app.run(), AppExit::Success);
    let expected = [
        ("seen", 30, 0),
        ("resized", 60, 0),
        ("minimised", 90, 0), // X11 does not report it
        ("covered", 90, 500),
        ("seen again", 120, 500),
    ];
    assert_eq!(*notes.lock().unwrap(), expected);
}

/// Frames last whole nanoseconds, and 30 of them half a second.
fn pass_time(progress: Res<Progress>, mut strategy: ResMut<TimeUpdateStrategy>) {
    let at = |frame: u32| Duration::from_secs(1) * frame / 60;
    let delta = match ACTS.get(progress.act) {
        Some(Act::Play(_)) => at(progress.frames + 1) - at(progress.frames),
        _ => Duration::ZERO,
    };
    *strategy = TimeUpdateStrategy::ManualDuration(delta);
}

fn go_on(
    (mut progress, mut desktop): (ResMut<Progress>, ResMut<Desktop>),
    (frame, hidden): (Res<LastFrame>, Res<Hidden>),
    mut window: Single<&mut Window, With<PrimaryWindow>>,
) {
    let Some(act) = ACTS.get(progress.act) else { return };
    progress.frames += 1;
    let is_done = match act {
        Act::Play(_) => progress.frames == FRAMES,
        Act::Do(something) => {
            something(&mut desktop, &mut window);
            true
        }
        Act::Await(what, is_so) => {
            assert!(progress.begun.elapsed() < TIMEOUT, "{what} did not come");
            is_so(&window, &hidden)
        }
    };
    if is_done {
        if let Act::Play(name) = act {
            // Each frame that is left out lasts a nanosecond.
            let left_out = hidden.left_out().as_micros().div_ceil(1_000);
            progress.notes.lock().unwrap().push((name, frame.tick(), left_out));
        }
        (progress.act, progress.begun, progress.frames) = (progress.act + 1, Instant::now(), 0);
    }
}
