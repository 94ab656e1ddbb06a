//! Matrices of bodies: decomposed into rotation, stretch and position, blended, and composed again.

use crate::drawing::Blend;
use crate::drawing::blend::between;
use crate::math::sqrt;
use crate::poses::{Pose2, Pose3, Quat, Rot2};

/// A matrix in the plane, column by column: x axis, y axis, position. Points are turned, stretched and moved: `x·p₀ + y·p₁ + position`.
///
/// As [`Affine3`].
///
/// ```
/// use evenstep::Blend;
/// use evenstep::poses::Affine2;
///
/// let sprite = Affine2 { columns: [[2.0, 0.0], [0.0, 2.0], [0.0, 0.0]] }; // twice as large
/// let turned = Affine2 { columns: [[0.0, 2.0], [-2.0, 0.0], [1.0, 0.0]] }; // and turned by a quarter
/// let [x, _, position] = sprite.blend(&turned, 0.5).columns;
/// assert!((x[0].hypot(x[1]) - 2.0).abs() < 1e-6); // as large as before
/// assert_eq!(position, [0.5, 0.0]);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Affine2 {
    /// x axis, y axis and position.
    pub columns: [[f32; 2]; 3],
}

/// A matrix in space, column by column: x axis, y axis, z axis, position. Points are turned, stretched and moved:
/// `x·p₀ + y·p₁ + z·p₂ + position`.
///
/// The array `[[f32; 4]; 4]` is blended number by number, and then shears and shrinks. This type blends the parts of the matrix: the rotation along
/// the shorter arc, sizes and shear evenly, and the position on a straight line. Both ends are reproduced bit-identically, and so is a linear part
/// at rest.
///
/// The rotation comes from the x axis, and from the part of the y axis at right angles to x (the method of Gram and Schmidt); the rest of
/// the three axes, three sizes and three shears, is the stretch. Three cases are different:
///
/// - A mirrored matrix keeps its sign. From a matrix to a mirrored one, the newer one's axes are used, and only the position is blended.
/// - If x or y has no length, or both have one direction, there is no rotation: the axes are blended number by number.
/// - A perspective projection is no affine matrix.
///
/// Of matrices for row vectors, as in Direct3D, store the rows as columns: they are the same numbers in the same order.
///
/// ```
/// use evenstep::poses::Affine3;
/// use evenstep::{Blend, Smoothed};
///
/// // As an engine returns it: 4×4, column by column. Half a turn about z, and 2 m along x.
/// let after = [[-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 1.0]];
/// let mut door = Smoothed::new(Affine3::IDENTITY);
/// door.begin_step();
/// door.set(Affine3::from_4x4(after).unwrap());
/// let drawn = door.at(0.5).to_4x4();
/// assert!((drawn[0][1] - 1.0).abs() < 1e-6); // a quarter turn: x points along y
/// assert_eq!(drawn[3], [1.0, 0.0, 0.0, 1.0]);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Affine3 {
    /// x axis, y axis, z axis and position.
    pub columns: [[f32; 3]; 4],
}

impl Affine2 {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self {
        columns: [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    };

    /// Position and rotation, without size and shear. `None` if the x axis has no length.
    #[must_use]
    pub fn pose(&self) -> Option<Pose2> {
        let [x, y, position] = self.columns;
        let (rotation, _) = decompose2([x, y])?;
        Some(Pose2::new(position, rotation))
    }
}

impl Affine3 {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self {
        columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
    };

    /// From a 4×4 matrix, column by column. `None` if its last row is not 0, 0, 0, 1, as in a projection.
    #[must_use]
    pub fn from_4x4(columns: [[f32; 4]; 4]) -> Option<Self> {
        let is_affine = columns.map(|column| column[3]) == [0.0, 0.0, 0.0, 1.0];
        let columns = columns.map(|[x, y, z, _]| [x, y, z]);
        is_affine.then_some(Self { columns })
    }

    /// As a 4×4 matrix, column by column.
    #[must_use]
    pub fn to_4x4(self) -> [[f32; 4]; 4] {
        let [x, y, z, position] = self.columns;
        let column = |[x, y, z]: [f32; 3], last| [x, y, z, last];
        [column(x, 0.0), column(y, 0.0), column(z, 0.0), column(position, 1.0)]
    }

    /// Position and rotation, without size and shear. `None` if there is no rotation, because x or y has no length or both have one
    /// direction.
    #[must_use]
    pub fn pose(&self) -> Option<Pose3> {
        let [x, y, z, position] = self.columns;
        let (rotation, _) = decompose3([x, y, z])?;
        Some(Pose3::new(position, rotation))
    }
}

impl Default for Affine2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Default for Affine3 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl From<Pose2> for Affine2 {
    fn from(pose: Pose2) -> Self {
        let Rot2 { cos, sin } = pose.rotation;
        Self {
            columns: [[cos, sin], [-sin, cos], pose.position],
        }
    }
}

impl From<Pose3> for Affine3 {
    fn from(pose: Pose3) -> Self {
        let [x, y, z] = compose3(pose.rotation, [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        Self {
            columns: [x, y, z, pose.position],
        }
    }
}

impl Blend for Affine2 {
    fn blend(&self, newer: &Self, t: f64) -> Self {
        between(*self, *newer, t, || {
            let ([x, y, position], [newer_x, newer_y, newer_position]) = (self.columns, newer.columns);
            let [x, y] = blend_axes([x, y], [newer_x, newer_y], t, decompose2, compose2);
            Self {
                columns: [x, y, position.blend(&newer_position, t)],
            }
        })
    }
}

impl Blend for Affine3 {
    fn blend(&self, newer: &Self, t: f64) -> Self {
        between(*self, *newer, t, || {
            let ([x, y, z, position], [newer_x, newer_y, newer_z, newer_position]) = (self.columns, newer.columns);
            let [x, y, z] = blend_axes([x, y, z], [newer_x, newer_y, newer_z], t, decompose3, compose3);
            Self {
                columns: [x, y, z, position.blend(&newer_position, t)],
            }
        })
    }
}

/// The axes of a matrix, one after the other.
type Axes<const N: usize> = [[f32; N]; N];

/// Blends the axes of two matrices: their rotations, and their stretches; the last stretch is negative if the matrix is mirrored.
fn blend_axes<R: Blend, const AXES: usize, const STRETCH: usize>(
    older: Axes<AXES>,
    newer: Axes<AXES>,
    t: f64,
    decompose: impl Fn(Axes<AXES>) -> Option<(R, [f64; STRETCH])>,
    compose: impl Fn(R, [f64; STRETCH]) -> Axes<AXES>,
) -> Axes<AXES> {
    if older == newer {
        return older;
    }
    let (Some((older_rotation, older_stretch)), Some((newer_rotation, newer_stretch))) =
        (decompose(older), decompose(newer))
    else {
        return older.blend(&newer, t);
    };
    if older_stretch[STRETCH - 1] * newer_stretch[STRETCH - 1] < 0.0 {
        return newer;
    }
    compose(
        older_rotation.blend(&newer_rotation, t),
        older_stretch.blend(&newer_stretch, t),
    )
}

/// The rotation of the axes x and y, and the stretch: the length of x, y along x, and y across it. None if x has no length.
fn decompose2([x, y]: Axes<2>) -> Option<(Rot2, [f64; 3])> {
    let (x, y) = (x.map(f64::from), y.map(f64::from));
    let length = sqrt(x[0] * x[0] + x[1] * x[1]);
    if !(length > 0.0 && length < f64::INFINITY) {
        return None;
    }
    let e = [x[0] / length, x[1] / length];
    let rotation = Rot2 {
        cos: e[0] as f32,
        sin: e[1] as f32,
    };
    let stretch = [length, e[0] * y[0] + e[1] * y[1], e[0] * y[1] - e[1] * y[0]];
    Some((rotation, stretch))
}

fn compose2(rotation: Rot2, [length, along, across]: [f64; 3]) -> Axes<2> {
    let (cos, sin) = (f64::from(rotation.cos), f64::from(rotation.sin));
    let x = [cos * length, sin * length];
    let y = [cos * along - sin * across, sin * along + cos * across];
    [x, y].map(|axis| axis.map(|part| part as f32))
}

/// The share of y's length at right angles to x, squared, below which both have one direction: a few roundings of `f32`.
const PARALLEL: f64 = 1e-12;

/// The rotation of the axes, and the stretch: of the axes of that rotation, x has the first number, y the next two and z the last three.
/// None if there is no rotation.
fn decompose3([x, y, z]: Axes<3>) -> Option<(Quat, [f64; 6])> {
    let (x, y, z) = (x.map(f64::from), y.map(f64::from), z.map(f64::from));
    let length = sqrt(dot(x, x));
    if !(length > 0.0 && length < f64::INFINITY) {
        return None;
    }
    let ex = x.map(|part| part / length);
    let along = dot(ex, y);
    let across = [y[0] - ex[0] * along, y[1] - ex[1] * along, y[2] - ex[2] * along];
    let square = dot(across, across);
    if !(square > PARALLEL * dot(y, y) && square < f64::INFINITY) {
        return None;
    }
    let height = sqrt(square);
    let ey = across.map(|part| part / height);
    let ez = [
        ex[1] * ey[2] - ex[2] * ey[1],
        ex[2] * ey[0] - ex[0] * ey[2],
        ex[0] * ey[1] - ex[1] * ey[0],
    ];
    let stretch = [length, along, height, dot(ex, z), dot(ey, z), dot(ez, z)];
    Some((quaternion(ex, ey, ez), stretch))
}

/// The quaternion of axes of unit length at right angles (M. Day, *Converting a Rotation Matrix to a Quaternion*, 2014).
fn quaternion(x: [f64; 3], y: [f64; 3], z: [f64; 3]) -> Quat {
    let (parts, square) = if z[2] < 0.0 {
        if x[0] > y[1] {
            let square = 1.0 + x[0] - y[1] - z[2];
            ([square, x[1] + y[0], z[0] + x[2], y[2] - z[1]], square)
        } else {
            let square = 1.0 - x[0] + y[1] - z[2];
            ([x[1] + y[0], square, y[2] + z[1], z[0] - x[2]], square)
        }
    } else if x[0] < -y[1] {
        let square = 1.0 - x[0] - y[1] + z[2];
        ([z[0] + x[2], y[2] + z[1], square, x[1] - y[0]], square)
    } else {
        let square = 1.0 + x[0] + y[1] + z[2];
        ([y[2] - z[1], z[0] - x[2], x[1] - y[0], square], square)
    };
    let scale = 0.5 / sqrt(square);
    let [x, y, z, w] = parts.map(|part| (part * scale) as f32);
    Quat::new(x, y, z, w)
}

fn compose3(rotation: Quat, stretch: [f64; 6]) -> Axes<3> {
    let [x, y, z, w] = [rotation.x, rotation.y, rotation.z, rotation.w].map(f64::from);
    // Exactly at right angles and of unit length, also for a quaternion that is not.
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let ex = [1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)];
    let ey = [s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)];
    let ez = [s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)];
    let [length, along, height, z_along, z_across, depth] = stretch;
    let x = ex.map(|part| part * length);
    let y: [f64; 3] = core::array::from_fn(|part| ex[part] * along + ey[part] * height);
    let z: [f64; 3] = core::array::from_fn(|part| ex[part] * z_along + ey[part] * z_across + ez[part] * depth);
    [x, y, z].map(|axis| axis.map(|part| part as f32))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Three axes times a stretch: x, y and z along the axes of a rotation.
    fn stretched(rotation: Quat, stretch: [f32; 6], position: [f32; 3]) -> Affine3 {
        let [x, y, z] = compose3(rotation, stretch.map(f64::from));
        Affine3 {
            columns: [x, y, z, position],
        }
    }

    fn rotations() -> impl Strategy<Value = Quat> {
        prop::array::uniform3(-4.0..4.0_f32).prop_map(Quat::from_scaled_axis)
    }

    fn determinant([x, y, z, _]: [[f32; 3]; 4]) -> f64 {
        let [x, y, z] = [x, y, z].map(|axis| axis.map(f64::from));
        let across = [
            y[1] * z[2] - y[2] * z[1],
            y[2] * z[0] - y[0] * z[2],
            y[0] * z[1] - y[1] * z[0],
        ];
        dot(x, across)
    }

    fn farthest<const N: usize, const M: usize>(one: [[f32; N]; M], other: [[f32; N]; M]) -> f32 {
        let pairs = one.as_flattened().iter().zip(other.as_flattened());
        pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
    }

    #[test]
    #[ignore = "slow: a million ways"]
    fn rotations_stay_at_right_angles_within_a_millionth_on_a_million_random_ways() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut rotation = || {
            let axis = [0; 3].map(|_| random.f32() * 8.0 - 4.0);
            let [x, y, z] = compose3(Quat::from_scaled_axis(axis), [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
            let position = [0; 3].map(|_| random.f32() * 100.0);
            (
                Affine3 {
                    columns: [x, y, z, position],
                },
                f64::from(random.f32()),
            )
        };
        let mut older = rotation().0;
        for _ in 0..1_000_000 {
            let (newer, t) = rotation();
            let [x, y, z, _] = older.blend(&newer, t).columns.map(|axis| axis.map(f64::from));
            let off = [
                dot(x, y),
                dot(y, z),
                dot(z, x),
                dot(x, x) - 1.0,
                dot(y, y) - 1.0,
                dot(z, z) - 1.0,
            ];
            assert!(
                off.iter().all(|off| off.abs() < 1e-6),
                "{off:?} from {older:?} to {newer:?} at {t}"
            );
            older = newer;
        }
    }

    #[test]
    fn a_growing_body_without_a_rotation_at_first_grows_evenly() {
        let nothing = Affine3 { columns: [[0.0; 3]; 4] };
        let half = nothing.blend(&Affine3::IDENTITY, 0.5);
        assert_eq!(half.columns[..3], [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]]);
        let flat = Affine2 { columns: [[0.0; 2]; 3] };
        assert_eq!(flat.blend(&Affine2::IDENTITY, 0.25).columns[1], [0.0, 0.25]);
    }

    #[test]
    fn a_sprite_that_is_mirrored_in_a_step_is_never_drawn_in_between() {
        let left = Affine2 {
            columns: [[-1.0, 0.0], [0.0, 1.0], [4.0, 0.0]],
        };
        let drawn = Affine2::IDENTITY.blend(&left, 0.25);
        assert_eq!(drawn.columns, [[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]);
    }

    #[test]
    fn a_projection_is_no_affine_matrix() {
        let mut columns = Affine3::IDENTITY.to_4x4();
        assert_eq!(Affine3::from_4x4(columns), Some(Affine3::IDENTITY));
        columns[2][3] = -1.0;
        assert_eq!(Affine3::from_4x4(columns), None);
    }

    #[test]
    fn numbers_that_are_not_finite_are_blended_one_by_one() {
        for number in [f32::NAN, f32::INFINITY, f32::MAX] {
            let odd = Affine3 {
                columns: [[number; 3], [1.0; 3], [0.0; 3], [1.0; 3]],
            };
            assert_eq!(Affine3::IDENTITY.blend(&odd, 0.5).columns[3], [0.5; 3]);
            let odd = Affine2 {
                columns: [[number; 2], [1.0; 2], [1.0; 2]],
            };
            assert_eq!(Affine2::IDENTITY.blend(&odd, 0.5).columns[2], [0.5; 2]);
        }
    }

    proptest! {
        #[test]
        fn a_matrix_is_what_it_was_decomposed_into(
            rotation in rotations(), sizes in prop::array::uniform3(0.1..10.0_f32), shear in prop::array::uniform3(-3.0..3.0_f32),
            is_mirrored in any::<bool>(),
        ) {
            let depth = if is_mirrored { -sizes[2] } else { sizes[2] };
            let matrix = stretched(rotation, [sizes[0], shear[0], sizes[1], shear[1], shear[2], depth], [0.0; 3]);
            let [x, y, z, _] = matrix.columns;
            let (found, stretch) = decompose3([x, y, z]).unwrap();
            prop_assert!((stretch[5] < 0.0) == is_mirrored);
            prop_assert!(farthest(compose3(found, stretch), [x, y, z]) < 2e-5);
        }

        #[test]
        fn both_ends_and_what_rests_keep_every_bit(rotation in rotations(), other in rotations(), size in 0.1..10.0_f32, t in 0.0..1.0_f64) {
            let older = stretched(rotation, [size, 0.2, 1.0, 0.0, -0.3, 2.0], [1.0, -0.0, 3.0]);
            let newer = stretched(other, [size, 0.2, 1.0, 0.0, -0.3, 2.0], [2.0, 5.0, 3.0]);
            prop_assert_eq!(older.blend(&newer, 0.0), older);
            prop_assert_eq!(older.blend(&newer, 1.0), newer);
            let bits = |matrix: Affine3| matrix.columns.map(|axis| axis.map(f32::to_bits));
            prop_assert_eq!(bits(older.blend(&older, t)), bits(older));
            let slid = Affine3 { columns: [older.columns[0], older.columns[1], older.columns[2], [7.0; 3]] };
            prop_assert_eq!(&older.blend(&slid, t).columns[..3], &older.columns[..3]);
            prop_assert!(farthest(older.blend(&newer, 1e-9).columns, older.columns) < 1e-5 * size.max(1.0));
            prop_assert!(farthest(older.blend(&newer, 1.0 - 1e-9).columns, newer.columns) < 1e-5 * size.max(1.0));
        }

        #[test]
        fn a_mirrored_body_stays_mirrored_and_as_large_as_its_ends(
            rotation in rotations(), other in rotations(), size in 0.1..10.0_f32, t in 0.0..1.0_f64,
        ) {
            let at = |rotation| stretched(rotation, [size, 0.0, size, 0.0, 0.0, -size], [0.0; 3]);
            let volume = determinant(at(rotation).blend(&at(other), t).columns);
            let expected = -f64::from(size * size * size);
            prop_assert!((volume / expected - 1.0).abs() < 1e-5, "{volume} of {expected}");
        }

        #[test]
        fn in_the_plane_a_matrix_turns_as_its_rotation_does(a in -3.0..3.0_f32, b in -3.0..3.0_f32, size in 0.1..10.0_f32, t in 0.0..1.0_f64) {
            let at = |angle: f32| {
                let Rot2 { cos, sin } = Rot2::from_radians(angle);
                Affine2 { columns: [[cos * size, sin * size], [-sin * size, cos * size], [angle, 0.0]] }
            };
            let drawn = at(a).blend(&at(b), t);
            let turned = Rot2::from_radians(a).blend(&Rot2::from_radians(b), t);
            let pose = drawn.pose().unwrap();
            prop_assert!(pose.rotation.turn_to(turned).abs() < 2e-6);
            let [x, y, _] = drawn.columns;
            prop_assert!((x[0] * y[1] - x[1] * y[0] - size * size).abs() < 1e-5 * size * size);
        }
    }
}
