//! Bevy for programs with a window, without one: `DefaultPlugins` plays some seconds and notes what is drawn, and cameras, materials and text
//! are components that nobody reads.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ::bevy::asset::AssetPlugin;
use ::bevy::input::InputPlugin;
pub(crate) use ::bevy::*;
pub(crate) use ::bevy_color as color;
use prelude::*;

use crate::frames::{begin, frame, frames};

#[expect(dead_code, reason = "nothing is drawn")]
pub(crate) mod prelude {
    pub(crate) use ::bevy::prelude::*;
    pub(crate) use ::bevy_color::Color;

    pub(crate) use super::DefaultPlugins;

    #[derive(Component)]
    pub(crate) struct Camera2d;

    #[derive(Asset, TypePath)]
    pub(crate) struct ColorMaterial;

    impl From<Color> for ColorMaterial {
        fn from(_: Color) -> Self {
            Self
        }
    }

    #[derive(Component, Clone)]
    pub(crate) struct MeshMaterial2d<M: Asset>(pub(crate) Handle<M>);

    #[derive(Component, Clone, Default)]
    pub(crate) struct TextFont {
        pub(crate) font_size: FontSize,
    }

    #[derive(Clone, Default)]
    pub(crate) enum FontSize {
        #[default]
        Unset,
        Px(f32),
    }

    #[derive(Component)]
    pub(crate) struct Text;

    impl Text {
        pub(crate) fn new(_: &str) -> Self {
            Self
        }
    }

    #[derive(Component)]
    pub(crate) struct TextColor;

    impl<C: Into<Color>> From<C> for TextColor {
        fn from(_: C) -> Self {
            Self
        }
    }

    #[derive(Component, Default)]
    pub(crate) struct TextSpan(pub(crate) String);

    #[derive(Component)]
    pub(crate) struct TextLayout;

    impl TextLayout {
        pub(crate) fn justify(_: Justify) -> Self {
            Self
        }
    }

    pub(crate) enum Justify {
        Right,
    }

    #[derive(Component, Default)]
    pub(crate) struct Node {
        pub(crate) position_type: PositionType,
        pub(crate) top: Val,
        pub(crate) left: Val,
        pub(crate) right: Val,
    }

    #[derive(Default)]
    pub(crate) enum PositionType {
        #[default]
        Relative,
        Absolute,
    }

    #[derive(Default)]
    pub(crate) enum Val {
        #[default]
        Auto,
        Px(f32),
    }
}

/// The poses of each entity with a name, frame by frame.
pub(crate) type Drawn = BTreeMap<String, Vec<Transform>>;

thread_local! {
    static DRAWN: RefCell<Drawn> = RefCell::default();
}

/// What a program draws.
pub(crate) fn drawn_by(program: fn()) -> Drawn {
    program();
    DRAWN.take()
}

pub(crate) struct DefaultPlugins;

impl Plugin for DefaultPlugins {
    fn build(&self, app: &mut App) {
        app.add_plugins((MinimalPlugins, TransformPlugin, InputPlugin, AssetPlugin::default()))
            .init_asset::<Mesh>()
            .init_asset::<ColorMaterial>()
            .set_runner(play);
    }
}

/// Four seconds at 144 frames a second.
fn play(mut app: App) -> AppExit {
    begin(&mut app);
    let mut drawn = Drawn::new();
    let mut named = app.world_mut().query::<(&Name, &GlobalTransform)>();
    for delta in frames(144, 4) {
        frame(&mut app, delta);
        for (name, pose) in named.iter(app.world()) {
            drawn
                .entry(name.to_string())
                .or_default()
                .push(pose.compute_transform());
        }
    }
    DRAWN.set(drawn);
    AppExit::Success
}
