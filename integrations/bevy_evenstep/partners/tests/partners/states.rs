//! Bevy's states beside rewinding: a restore leaves them, and they follow a registered resource.

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_evenstep::CurrentStep;
use bevy_evenstep::rewind::{RewindHistory, RewindPlugin, WorldState, resimulate};

use crate::apps::{Loop, app, play};

#[derive(Resource, States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Mode {
    #[default]
    Night,
    Day,
}

#[derive(Resource, Clone, Default)]
struct Score(u64);

fn change(step: Res<CurrentStep>, mut mode: ResMut<Mode>, mut score: ResMut<Score>) {
    score.0 = score.0 * 3 % 65_537 + *mode as u64;
    if step.tick % 7 == 6 {
        *mode = if *mode == Mode::Day { Mode::Night } else { Mode::Day };
    }
}

fn follow(mode: Res<Mode>, mut next: ResMut<NextState<Mode>>) {
    next.set_if_different(*mode);
}

#[test]
fn a_state_that_follows_a_registered_resource_follows_it_into_the_past_as_well() {
    let mut app = app(Loop::Exact, 60);
    let mode = RewindPlugin::new(|mode: &Mode| *mode == Mode::Day);
    app.add_plugins((StatesPlugin, mode, RewindPlugin::new(|score: &Score| score.0)))
        .init_state::<Mode>()
        .init_resource::<Mode>()
        .init_resource::<Score>()
        .insert_resource(RewindHistory::new(60))
        .add_systems(FixedUpdate, change)
        .add_systems(Update, follow);
    play(&mut app, 60, 1);
    let before = WorldState::save(app.world_mut());
    assert_eq!(resimulate(app.world_mut(), 10), Ok(50));
    assert_eq!(WorldState::save(app.world_mut()).hash(), before.hash());
    app.world_mut().resource_scope(|world, history: Mut<RewindHistory>| {
        for tick in [40, 33, 26] {
            history.state(tick).unwrap().restore(world).unwrap();
            world.run_schedule(Update);
            world.run_schedule(StateTransition);
            assert_eq!(
                *world.resource::<State<Mode>>().get(),
                *world.resource::<Mode>(),
                "{tick}"
            );
        }
    });
}
