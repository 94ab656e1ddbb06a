//! `Blend` and `Inspect` for the vectors, rotations and matrices of glam, and conversions to and from them: one module for each version,
//! by feature, because each version has its own types.

macro_rules! blend_linearly {
    ($($vector:ty: $float:ty),*) => {$(
        impl Blend for $vector {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                between(*self, *newer, t, || *self - (*self - *newer) * t as $float)
            }
        }
    )*};
}

macro_rules! blend_affine {
    ($($theirs:ident: $ours:ident),*) => {$(
        impl From<$theirs> for crate::poses::$ours {
            fn from(matrix: $theirs) -> Self {
                let columns = matrix.to_cols_array_2d();
                Self { columns }
            }
        }

        impl From<crate::poses::$ours> for $theirs {
            fn from(matrix: crate::poses::$ours) -> Self {
                Self::from_cols_array_2d(&matrix.columns)
            }
        }

        /// As [`poses::Affine2`](crate::poses::Affine2) and [`poses::Affine3`](crate::poses::Affine3).
        impl Blend for $theirs {
            fn blend(&self, newer: &Self, t: f64) -> Self {
                crate::poses::$ours::from(*self).blend(&(*newer).into(), t).into()
            }
        }
    )*};
}

macro_rules! inspect_columns {
    ($($matrix:ident)*) => {$(
        impl Inspect for $matrix {
            fn visit(&self, visitor: &mut impl Visitor) {
                visitor.field("columns", &self.to_cols_array_2d());
            }
        }
    )*};
}

macro_rules! blend_glam {
    ($glam:ident) => {
        use ::$glam::{Affine2, Affine3A, DQuat, DVec2, DVec3, DVec4, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4};

        use crate::drawing::Blend;
        use crate::drawing::blend::between;
        use crate::inspect::visit::{Inspect, Visitor, inspect_fields};

        inspect_fields! {
            Vec2 { x y } Vec3 { x y z } Vec3A { x y z } Vec4 { x y z w } Quat { x y z w }
            DVec2 { x y } DVec3 { x y z } DVec4 { x y z w } DQuat { x y z w }
        }

        blend_linearly! { Vec2: f32, Vec3: f32, Vec3A: f32, Vec4: f32, DVec2: f64, DVec3: f64, DVec4: f64 }

        /// As [`poses::Quat`](crate::poses::Quat), with the same bits.
        impl Blend for Quat {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                crate::poses::Quat::from(*self).blend(&(*newer).into(), t).into()
            }
        }

        /// The shorter arc at an even speed.
        impl Blend for DQuat {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                // Equal ones would be normalised again, which changes the last bits.
                between(*self, *newer, t, || {
                    if self == newer {
                        *self
                    } else {
                        self.slerp(*newer, t)
                    }
                })
            }
        }

        impl From<Quat> for crate::poses::Quat {
            fn from(quat: Quat) -> Self {
                Self::new(quat.x, quat.y, quat.z, quat.w)
            }
        }

        impl From<crate::poses::Quat> for Quat {
            fn from(quat: crate::poses::Quat) -> Self {
                Self::from_xyzw(quat.x, quat.y, quat.z, quat.w)
            }
        }

        blend_affine! { Affine2: Affine2, Affine3A: Affine3 }

        /// As [`poses::Affine3`](crate::poses::Affine3). Projections, whose last row is not 0, 0, 0, 1, are blended number by number.
        impl Blend for Mat4 {
            fn blend(&self, newer: &Self, t: f64) -> Self {
                let columns = [self, newer].map(Mat4::to_cols_array_2d);
                let [older, newer] = columns.map(crate::poses::Affine3::from_4x4);
                let blended = match older.zip(newer) {
                    Some((older, newer)) => older.blend(&newer, t).to_4x4(),
                    None => columns[0].blend(&columns[1], t),
                };
                Self::from_cols_array_2d(&blended)
            }
        }

        inspect_columns! { Affine2 Affine3A Mat4 }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn blending_equal_values_keeps_every_bit() {
                for step in 0..2000_u16 {
                    let (angle, t) = (f32::from(step) * 0.37 - 300.0, f64::from(step % 99) / 99.0);
                    let quat = Quat::from_euler(::$glam::EulerRot::XYZ, angle, 0.7 * angle, -1.3 * angle);
                    let bits = |quat: Quat| quat.to_array().map(f32::to_bits);
                    assert_eq!(bits(quat.blend(&quat, t)), bits(quat));
                    let double = quat.as_dquat();
                    let bits = |quat: DQuat| quat.to_array().map(f64::to_bits);
                    assert_eq!(bits(double.blend(&double, t)), bits(double));
                    let vector = Vec4::new(angle, -0.0, 1.0 / angle, 0.0);
                    assert_eq!(
                        vector.blend(&vector, t).to_array().map(f32::to_bits),
                        vector.to_array().map(f32::to_bits)
                    );
                    let vector = DVec3::new(f64::from(angle), -0.0, 1e300);
                    assert_eq!(
                        vector.blend(&vector, t).to_array().map(f64::to_bits),
                        vector.to_array().map(f64::to_bits)
                    );
                }
            }

            #[test]
            fn matrices_blend_as_rotation_size_and_position() {
                let scale = Vec3::splat(2.0);
                let at = |angle| {
                    Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_z(angle), Vec3::splat(angle))
                };
                assert!(at(0.2).blend(&at(1.2), 0.5).abs_diff_eq(at(0.7), 1e-6));
                let at = |angle| {
                    Affine3A::from_scale_rotation_translation(scale, Quat::from_rotation_z(angle), Vec3::splat(angle))
                };
                assert!(at(0.2).blend(&at(1.2), 0.5).abs_diff_eq(at(0.7), 1e-6));
                let at = |angle| Affine2::from_scale_angle_translation(Vec2::splat(2.0), angle, Vec2::splat(angle));
                assert!(at(0.2).blend(&at(1.2), 0.5).abs_diff_eq(at(0.7), 1e-6));
                let projection =
                    |near: f32| Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(0.0, 0.0, near, -1.0), Vec4::Z);
                let drawn = projection(1.0).blend(&projection(2.0), 0.25);
                assert!(drawn.abs_diff_eq(projection(1.0) * 0.75 + projection(2.0) * 0.25, 1e-6));
            }

            #[test]
            fn vectors_and_rotations_blend() {
                assert_eq!(Vec2::ZERO.blend(&Vec2::new(2.0, 4.0), 0.25), Vec2::new(0.5, 1.0));
                let turned = Quat::IDENTITY.blend(&Quat::from_rotation_y(1.0), 0.5);
                assert!(turned.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
                // A quaternion and its negative are the same rotation: the way round is the short one either way.
                let other_sign = Quat::IDENTITY.blend(&-Quat::from_rotation_y(1.0), 0.5);
                assert!((turned.dot(other_sign).abs() - 1.0).abs() < 1e-6, "{other_sign}");
                assert_eq!(Quat::from(crate::poses::Quat::from(turned)), turned);
            }
        }
    };
}

#[cfg(feature = "glam")]
mod glam {
    blend_glam! { glam }
}

#[cfg(feature = "glam-032")]
mod glam_032 {
    blend_glam! { glam_032 }
}

#[cfg(feature = "glam-027")]
mod glam_027 {
    blend_glam! { glam_027 }
}
