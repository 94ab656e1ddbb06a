//! Buoyancy and drag of a body of water.

use evenstep::Step;
use evenstep::Vector as _;
use evenstep::poses::{Motion2, Pose2};

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::body::Shape;
use crate::drag::Drag;
use crate::engine::Engine;
use crate::vector::PhysicsVector;
use crate::world::World;

/// A body of water, or of another fluid, below a level surface.
///
/// The submerged part of a body displaces the fluid. The lift `ρ·g·A` acts at the centre of the displaced area `A` (Archimedes) and
/// turns a body about its centre of mass, so that bodies right themselves. The fluid's [drag](Drag) is the force `F = −k·A·v` and the
/// torque `−k·A·r²·ω`, with `r` the body's half size. `ρ` is in kg/m², `g` in m/s², `k` in N·s/m³.
///
/// ```
/// use evenstep_physics::Shape;
/// use evenstep_physics::controller::Buoyancy;
///
/// let pool = Buoyancy::new(Shape::Box([1.0, 1.0]), 0.0).with_gravity(9.81).with_drag(200.0);
/// assert_eq!(pool.density, 1000.0); // water
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Buoyancy {
    /// The height of the surface in m.
    pub surface: f32,
    /// The fluid's mass per area in kg/m².
    pub density: f32,
    /// The gravity in m/s², downwards.
    pub gravity: f32,
    /// The drag coefficient `k` in N·s/m³.
    pub drag: f32,
    /// The shape of the bodies to which the controller is attached, centred on their origin.
    pub shape: Shape<[f32; 2]>,
}

/// The number of corners of the polygon that approximates a disc.
const DISC_CORNERS: usize = 24;

impl Buoyancy {
    /// Still water below a `surface` at a height in m, taken one metre deep across the plane (1000 kg/m²), with a gravity of 9.81 m/s²
    /// and without drag.
    #[must_use]
    pub const fn new(shape: Shape<[f32; 2]>, surface: f32) -> Self {
        Self {
            surface,
            density: 1000.0,
            gravity: 9.81,
            drag: 0.0,
            shape,
        }
    }

    /// The same fluid with a mass per area in kg/m².
    #[must_use]
    pub const fn with_density(mut self, density: f32) -> Self {
        self.density = density;
        self
    }

    /// The same fluid with a gravity in m/s², downwards.
    #[must_use]
    pub const fn with_gravity(mut self, gravity: f32) -> Self {
        self.gravity = gravity;
        self
    }

    /// The same fluid with a drag in N·s/m³.
    #[must_use]
    pub const fn with_drag(mut self, drag: f32) -> Self {
        self.drag = drag;
        self
    }

    /// The submerged area in m², and its centroid.
    fn submerged(&self, pose: &Pose2) -> (f32, [f32; 2]) {
        let outline = outline(&self.shape, pose);
        let mut below = Vec::with_capacity(outline.len() + 2);
        for (index, corner) in outline.iter().enumerate() {
            let next = outline[(index + 1) % outline.len()];
            if corner[1] <= self.surface {
                below.push(*corner);
            }
            if (corner[1] < self.surface) != (next[1] < self.surface) {
                let share = (self.surface - corner[1]) / (next[1] - corner[1]);
                below.push([corner[0] + (next[0] - corner[0]) * share, self.surface]);
            }
        }
        area_and_centre(&below)
    }

    /// The drag of the fluid on a body with a submerged `area` in m².
    fn drag_on(&self, area: f32) -> Drag<[f32; 2]> {
        let size = match self.shape {
            Shape::Ball(radius) => radius,
            Shape::Box(half) => half.length(),
        };
        let linear = self.drag * area;
        Drag::new([0.0; 2], linear, linear * size * size)
    }
}

impl<E: Engine<Motion = Motion2>, U> Controller<E, U> for Buoyancy {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, _: &Step) {
        let Ok(motion) = world.motion(body) else { return };
        let (area, centre) = self.submerged(&motion.pose);
        if area <= 0.0 {
            return;
        }
        // The world rejects non-finite forces and negative drags, and nothing acts.
        if let Ok(lift) = world.at_point(body, [0.0, self.density * self.gravity * area], centre) {
            let _ = world.apply_force(body, lift);
        }
        let _ = world.apply_drag(body, self.drag_on(area));
    }
}

/// The corners of a shape in the world, counter-clockwise.
fn outline(shape: &Shape<[f32; 2]>, pose: &Pose2) -> Vec<[f32; 2]> {
    let (turn, [x, y]) = (pose.rotation, pose.position);
    let placed = |[u, v]: [f32; 2]| [x + turn.cos * u - turn.sin * v, y + turn.sin * u + turn.cos * v];
    match *shape {
        Shape::Box([w, h]) => [[-w, -h], [w, -h], [w, h], [-w, h]].into_iter().map(placed).collect(),
        Shape::Ball(radius) => {
            // A polygon of the disc's own area, so that a submerged disc displaces exactly its area.
            let step = std::f32::consts::TAU / DISC_CORNERS as f32;
            let radius = radius * (step / libm::sinf(step)).sqrt();
            let corner = |index: usize| {
                let (sin, cos) = libm::sincosf(index as f32 * step);
                [radius * cos, radius * sin]
            };
            (0..DISC_CORNERS).map(corner).map(placed).collect()
        }
    }
}

/// The area and centroid of a polygon, by the shoelace formula.
fn area_and_centre(polygon: &[[f32; 2]]) -> (f32, [f32; 2]) {
    let Some(&origin) = polygon.first() else {
        return (0.0, [0.0; 2]);
    };
    let (mut area, mut centre) = (0.0_f32, [0.0_f32; 2]);
    for pair in polygon.windows(2) {
        let [a, b] = [pair[0].plus(origin, -1.0), pair[1].plus(origin, -1.0)];
        let part = 0.5 * (a[0] * b[1] - a[1] * b[0]);
        area += part;
        centre = centre.plus(a.add(b), f64::from(part / 3.0));
    }
    if area <= 0.0 {
        return (0.0, origin);
    }
    (area, origin.plus(centre, 1.0 / f64::from(area)))
}

#[cfg(test)]
mod tests {
    use evenstep::poses::Rot2;

    use super::*;

    fn pool(shape: Shape<[f32; 2]>) -> Buoyancy {
        Buoyancy::new(shape, 0.0).with_gravity(9.81)
    }

    #[test]
    fn a_box_displaces_its_submerged_part_at_any_angle() {
        let crate_pool = pool(Shape::Box([1.0, 0.5]));
        for degrees in 0..360 {
            let rotation = Rot2::from_radians((degrees as f32).to_radians());
            let (half, _) = crate_pool.submerged(&Pose2::new([3.0, 0.0], rotation));
            assert!((half - 1.0).abs() < 1e-4, "{degrees}° has {half}");
            let (all, centre) = crate_pool.submerged(&Pose2::new([3.0, -2.0], rotation));
            assert!((all - 2.0).abs() < 1e-4 && (centre[0] - 3.0).abs() < 1e-4 && (centre[1] + 2.0).abs() < 1e-4);
            assert_eq!(crate_pool.submerged(&Pose2::new([3.0, 2.0], rotation)).0, 0.0);
        }
    }

    #[test]
    fn a_disc_displaces_its_segment() {
        let ball_pool = pool(Shape::Ball(1.0));
        for depth in [-0.8_f32, -0.3, 0.0, 0.4, 0.9] {
            let (area, _) = ball_pool.submerged(&Pose2::new([0.0, -depth], Rot2::IDENTITY));
            // Area of a circular segment of height 1 + depth.
            let exact = std::f32::consts::PI - (libm::acosf(depth) - depth * (1.0 - depth * depth).sqrt());
            assert!((area - exact).abs() < 0.03, "{depth}: {area} and {exact}");
        }
    }

    #[test]
    fn drag_grows_with_the_submerged_area_and_its_torque_with_the_square_of_the_size() {
        for (shape, size) in [(Shape::Ball(2.0), 2.0), (Shape::Box([3.0, 4.0]), 5.0)] {
            let drag = pool(shape).with_drag(10.0).drag_on(0.5);
            assert_eq!(drag, Drag::new([0.0; 2], 5.0, 5.0 * size * size));
        }
    }
}
