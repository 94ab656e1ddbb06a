//! Text and shapes on a screen of 640 by 360 units.

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy::text::TextBackgroundColor;

/// The colour of secondary text.
pub(crate) const GREY: Color = Color::srgb(0.70, 0.73, 0.78);
/// The ground of text in front of a scene.
const GROUND: Color = Color::srgba(0.04, 0.045, 0.055, 0.8);

/// A camera for the whole screen.
pub(crate) fn camera() -> impl Bundle {
    let (min_width, min_height) = (640.0, 360.0);
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin { min_width, min_height },
        ..OrthographicProjection::default_2d()
    };
    (Camera2d, Projection::Orthographic(projection))
}

/// A line of text at the left edge, at a given height.
pub(crate) fn line(height: f32, size: f32, colour: Color, text: &str) -> impl Bundle + use<> {
    (
        Text2d::new(text),
        TextFont::from_font_size(size),
        TextColor(colour),
        Anchor::CENTER_LEFT,
        Transform::from_xyz(-304.0, height, 10.0),
    )
}

/// A line of text that has its own dark ground, at a given height.
pub(crate) fn title(height: f32, size: f32) -> impl Bundle {
    (line(height, size, Color::WHITE, ""), TextBackgroundColor(GROUND))
}

/// A dark strip behind text, from a height down to the lower edge of the window.
pub(crate) fn strip(top: f32) -> impl Bundle {
    let size = Vec2::new(4000.0, 1000.0);
    (
        Sprite::from_color(GROUND, size),
        Transform::from_xyz(0.0, top - size.y / 2.0, 5.0),
    )
}

/// A rectangle.
pub(crate) fn rectangle(x: f32, y: f32, size: Vec2, colour: Color) -> (Sprite, Transform) {
    (Sprite::from_color(colour, size), Transform::from_xyz(x, y, 0.0))
}
