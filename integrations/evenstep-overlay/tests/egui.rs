//! The mesh for egui shows the same pixels as the panel in a pixel buffer.
#![cfg(feature = "egui")]

use std::time::Duration;

use epaint::{
    ClippedPrimitive, ClippedShape, Mesh, Pos2, Primitive, Rect, Shape, TessellationOptions, Tessellator, Vertex,
};
use evenstep::{FixedTimestep, FrameStats, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw, mesh};

const BACKGROUND: [u8; 4] = [200, 100, 50, 255];

/// Even frames, noise, a hitch that loses time.
fn stats() -> FrameStats<240> {
    let mut timestep = FixedTimestep::new(Rate::hz(60)).with_max_delta(Duration::from_millis(50));
    let mut stats = FrameStats::new();
    for frame in 0..300_u64 {
        let hitch = if frame == 250 { 70_000 } else { 0 };
        let delta = Duration::from_micros(6_500 + frame * 7_919 % 900 + hitch);
        stats.record(delta, &timestep.advance(delta));
    }
    stats
}

/// The meshes that egui's tessellator makes of a shape.
fn tessellated(shape: Shape, pixels_per_point: f32) -> Vec<Mesh> {
    let mut tessellator = Tessellator::new(pixels_per_point, TessellationOptions::default(), [1, 1], Vec::new());
    let clipped = ClippedShape::new(Rect::EVERYTHING, shape);
    let meshes = tessellator.tessellate_shapes(vec![clipped]).into_iter();
    let mesh = |ClippedPrimitive { primitive, .. }| match primitive {
        Primitive::Mesh(mesh) => mesh,
        Primitive::Callback(_) => unreachable!("no callbacks are painted"),
    };
    meshes.map(mesh).collect()
}

/// Rasterises triangles as a GPU does: the pixels whose centres they cover.
fn painted(meshes: &[Mesh], width: u32, height: u32, pixels_per_point: f32) -> Vec<u8> {
    let mut bytes = BACKGROUND.repeat((width * height) as usize);
    for mesh in meshes {
        assert!(mesh.is_valid() && !mesh.is_empty());
        for triangle in mesh.indices.chunks(3) {
            let corners = [0, 1, 2].map(|corner| mesh.vertices[triangle[corner] as usize]);
            paint(&mut bytes, (width, height), corners, pixels_per_point);
        }
    }
    bytes
}

fn paint(bytes: &mut [u8], (width, height): (u32, u32), corners: [Vertex; 3], pixels_per_point: f32) {
    let [a, b, c] = corners.map(|corner| corner.pos * pixels_per_point);
    let (from, to) = (a.min(b).min(c), a.max(b).max(c));
    for y in from.y.max(0.0) as u32..(to.y.ceil() as u32).min(height) {
        for x in from.x.max(0.0) as u32..(to.x.ceil() as u32).min(width) {
            if covers([a, b, c], Pos2::new(x as f32 + 0.5, y as f32 + 0.5)) {
                let at = 4 * (y * width + x) as usize;
                let source = corners[0].color.to_array();
                for (below, above) in bytes[at..at + 4].iter_mut().zip(source) {
                    *below = above + (u32::from(*below) * u32::from(255 - source[3]) / 255) as u8;
                }
            }
        }
    }
}

/// Whether a triangle covers a point. A point on a shared edge belongs to the right triangle, as on GPUs.
fn covers(corners: [Pos2; 3], point: Pos2) -> bool {
    let [a, b, c] = corners;
    let area = (b - a).rot90().dot(c - a);
    let [b, c] = if area < 0.0 { [c, b] } else { [b, c] };
    [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
        let edge = to - from;
        let side = edge.rot90().dot(point - from);
        side > 0.0 || (side == 0.0 && (edge.y > 0.0 || (edge.y == 0.0 && edge.x < 0.0)))
    })
}

#[test]
fn egui_shows_the_same_pixels_as_a_pixel_buffer() {
    let (stats, rate) = (stats(), Rate::hz(60));
    for (scale, pixels_per_point) in [(1, 1.0), (2, 1.0), (1, 2.0), (1, 3.0)] {
        let times = scale * pixels_per_point as u32;
        let (width, height) = (PANEL_SIZE.0 * times + 10, PANEL_SIZE.1 * times + 10);
        let mut expected = BACKGROUND.repeat((width * height) as usize);
        let mut pixels = Pixels::new(&mut expected, width, height).unwrap().with_scale(times);
        draw(&stats, rate, Some(144.0), &mut pixels);
        let shape = Shape::from(mesh(&stats, rate, Some(144.0), Pos2::ZERO, scale as f32));
        let from_mesh = painted(&tessellated(shape, pixels_per_point), width, height, pixels_per_point);
        let differing = from_mesh
            .chunks(4)
            .zip(expected.chunks(4))
            .filter(|(one, other)| one != other);
        assert_eq!(
            differing.count(),
            0,
            "scale {scale}, {pixels_per_point} pixels per point"
        );
    }
}

#[test]
fn the_mesh_has_the_given_position_and_size() {
    let corner = Pos2::new(30.0, 17.0);
    let bounds = mesh(&stats(), Rate::hz(60), None, corner, 1.5).calc_bounds();
    let size = 1.5 * epaint::vec2(PANEL_SIZE.0 as f32, PANEL_SIZE.1 as f32);
    assert_eq!(bounds, Rect::from_min_size(corner, size));
}
