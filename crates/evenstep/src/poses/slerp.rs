//! The arc between two rotations (*slerp*, K. Shoemake 1985) by + − × only, so that every processor and language computes the same bits.
//!
//! With φ between two unit vectors, a point at `s` of the way from one to the other has the weight sin(s φ) / sin φ. D. Eberly, *A Fast and
//! Accurate Algorithm for Computing SLERP* (Journal of Graphics, GPU, and Game Tools 15, 2011), writes it as a series in 1 − cos φ whose
//! coefficients depend on `s` alone. Up to a right angle, which is half a turn of a quaternion, 13 terms with a corrected last one stay within
//! 1.3 × 10⁻⁷ rad; near rotations need 3. Rounding to `f32` adds the same amount.

/// Terms between rotations of any angle.
const TERMS: usize = 13;

/// Terms between near ones.
const NEAR_TERMS: usize = 3;

/// Below this 1 − cos φ, two rotations are near: 14° in the plane, and in space 29°, because a quaternion has half the angle.
const NEAR: f32 = 1.0 / 32.0;

/// What the last of 13 terms counts for, because the series goes on: the factor with the smallest error of the direction.
const LAST: f32 = 1.91;

/// V and U of each term, whose coefficient is the one before × (V − U s²).
const RATIOS: [(f32, f32); TERMS] = {
    let mut ratios = [(0.0, 0.0); TERMS];
    let mut term = 1;
    while term <= TERMS {
        let odd = 2 * term + 1;
        ratios[term - 1] = (term as f32 / odd as f32, 1.0 / (term * odd) as f32);
        term += 1;
    }
    ratios
};

/// A parabola through 1/√x at three points from 0.5 to 1, within 0.3 %; two steps by Newton make it exact to rounding.
const INVERSE_ROOT: [f32; 3] = [2.2255, -2.0428, 0.82];

/// One point of the way between rotations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slerp {
    t: f32,
    older: [f32; NEAR_TERMS + 1],
    newer: [f32; NEAR_TERMS + 1],
}

impl Slerp {
    /// At `t` of the way, between 0 and 1.
    #[inline]
    pub(crate) fn at(t: f32) -> Self {
        Self {
            t,
            older: coefficients(1.0 - t),
            newer: coefficients(t),
        }
    }

    /// Between two rotations in the plane, as cosine and sine. Equal ones keep their bits; half a turn goes counter-clockwise.
    #[inline]
    pub(crate) fn plane(&self, a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
        let (drawn, is_near) = self.near_plane(a, b);
        if is_near {
            drawn
        } else {
            FarSlerp::at(self.t).plane(a, b)
        }
    }

    /// The same, and whether the two are near: other results are meaningless. Without branches, so that it runs for several at once.
    #[inline]
    pub(crate) fn near_plane(&self, a: [f32; 2], b: [f32; 2]) -> ([f32; 2], bool) {
        let rest = 1.0 - (a[0] * b[0] + a[1] * b[1]);
        let (older, newer) = (sum(&self.older, rest), sum(&self.newer, rest));
        let drawn: [f32; 2] = core::array::from_fn(|part| a[part] * older + b[part] * newer);
        let scale = to_unit(drawn[0] * drawn[0] + drawn[1] * drawn[1]);
        let is_equal = (a[0] == b[0]) & (a[1] == b[1]);
        let drawn = core::array::from_fn(|part| if is_equal { a[part] } else { drawn[part] * scale });
        (drawn, is_equal | (rest < NEAR))
    }

    /// Between two rotations in space, as quaternions x, y, z, w, the shorter way. Equal rotations keep their bits.
    #[inline]
    pub(crate) fn space(&self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        let (drawn, is_near) = self.near_space(a, b);
        if is_near {
            drawn
        } else {
            FarSlerp::at(self.t).space(a, b)
        }
    }

    /// As [`near_plane`](Self::near_plane), in space.
    #[inline]
    pub(crate) fn near_space(&self, a: [f32; 4], b: [f32; 4]) -> ([f32; 4], bool) {
        let (b, cos) = nearer(a, b);
        let rest = 1.0 - cos;
        let drawn = weighted(a, sum(&self.older, rest), b, sum(&self.newer, rest));
        let is_equal = (a[0] == b[0]) & (a[1] == b[1]) & (a[2] == b[2]) & (a[3] == b[3]);
        let drawn = core::array::from_fn(|part| if is_equal { a[part] } else { drawn[part] });
        (drawn, is_equal | (rest < NEAR))
    }
}

/// The same point of the way between rotations at any angle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarSlerp {
    older: [f32; TERMS + 1],
    newer: [f32; TERMS + 1],
}

impl FarSlerp {
    /// At `t` of the way, between 0 and 1.
    pub(crate) fn at(t: f32) -> Self {
        let corrected = |s: f32| {
            let mut all: [f32; TERMS + 1] = coefficients(s);
            all[TERMS] *= LAST;
            all
        };
        Self {
            older: corrected(1.0 - t),
            newer: corrected(t),
        }
    }

    /// In the plane: along the arc of the quaternions, which have half of the angle.
    #[inline(always)]
    pub(crate) fn plane(&self, a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
        // Cosine and sine of the turn from a to b, then of half of it: the larger of the two is a root, the other follows from it.
        let cos = a[0] * b[0] + a[1] * b[1];
        let sin = a[0] * b[1] - a[1] * b[0];
        let square = 0.5 + 0.5 * cos.abs();
        let mut root = INVERSE_ROOT[0] + square * (INVERSE_ROOT[1] + square * INVERSE_ROOT[2]);
        root = root * (1.5 - 0.5 * square * root * root);
        root = root * (1.5 - 0.5 * square * root * root);
        let larger = square * root;
        let smaller = 0.5 * sin.abs() * root;
        let (half_cos, half_sin) = if cos < 0.0 {
            (smaller, larger)
        } else {
            (larger, smaller)
        };
        let half_sin = if sin < 0.0 { -half_sin } else { half_sin };
        // The part of that half, doubled again.
        let (older, newer) = self.weights(half_cos);
        let part_cos = older + newer * half_cos;
        let part_sin = newer * half_sin;
        let turn_cos = part_cos * part_cos - part_sin * part_sin;
        let turn_sin = 2.0 * (part_cos * part_sin);
        let drawn = [a[0] * turn_cos - a[1] * turn_sin, a[1] * turn_cos + a[0] * turn_sin];
        let scale = to_unit(drawn[0] * drawn[0] + drawn[1] * drawn[1]);
        [drawn[0] * scale, drawn[1] * scale]
    }

    /// In space, the shorter way.
    #[inline(always)]
    pub(crate) fn space(&self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        let (b, cos) = nearer(a, b);
        let (older, newer) = self.weights(cos);
        weighted(a, older, b, newer)
    }

    /// The weights of two vectors at an angle of this cosine, from 0 to 1.
    #[inline(always)]
    fn weights(&self, cos: f32) -> (f32, f32) {
        (sum(&self.older, 1.0 - cos), sum(&self.newer, 1.0 - cos))
    }
}

/// The first coefficients of sin(s φ) / sin φ.
#[inline]
fn coefficients<const N: usize>(s: f32) -> [f32; N] {
    let square = s * s;
    let mut all = [s; N];
    for term in 1..N {
        let (v, u) = RATIOS[term - 1];
        all[term] = all[term - 1] * (v - u * square);
    }
    all
}

/// The sum of coefficients × powers of `x`.
#[inline]
fn sum<const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    let mut sum = coefficients[N - 1];
    for term in (0..N - 1).rev() {
        sum = sum * x + coefficients[term];
    }
    sum
}

/// A quaternion and its negative are the same rotation: the one that is nearer to `a`, and the cosine of the angle between them.
#[inline]
fn nearer(a: [f32; 4], b: [f32; 4]) -> ([f32; 4], f32) {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    (b.map(|part| part * sign), dot.abs())
}

/// The sum of two vectors, at unit length.
#[inline]
fn weighted(a: [f32; 4], older: f32, b: [f32; 4], newer: f32) -> [f32; 4] {
    let sum: [f32; 4] = core::array::from_fn(|part| a[part] * older + b[part] * newer);
    let scale = to_unit(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    sum.map(|part| part * scale)
}

/// The factor that brings a vector of nearly unit length to it, from the square of the length: 1/√x near 1.
#[inline]
fn to_unit(square: f32) -> f32 {
    1.5 - 0.5 * square
}

#[cfg(test)]
mod tests {
    use core::f64::consts::TAU;

    use super::*;

    /// A number from 0 to 1, and the next state of a generator (M. Weyl's sequence and SplitMix64's mix).
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Angles up to a limit: even ones, tiny ones, and ones close to the limit.
    fn angle(state: &mut u64, limit: f64) -> f64 {
        let tiny = 1.0 / (1.0 + 1e6 * random(state) * random(state));
        match (random(state) * 3.0) as u8 {
            0 => limit * random(state),
            1 => limit * tiny,
            _ => limit * (1.0 - tiny * 1e-3),
        }
    }

    // The references, in double precision, may use the platform's functions.
    #[allow(clippy::disallowed_methods)]
    #[test]
    fn rotations_in_the_plane_are_within_a_millionth_of_the_arc_up_to_half_a_turn() {
        let state = &mut 1;
        for _ in 0..50_000 {
            let (start, turn) = (7.0 * random(state), angle(state, TAU / 2.0));
            let turn = if random(state) < 0.5 { turn } else { -turn };
            let rotation = |angle: f64| [angle.cos() as f32, angle.sin() as f32];
            let (a, b) = (rotation(start), rotation(start + turn));
            let t = random(state) as f32;
            let drawn = Slerp::at(t).plane(a, b);
            let ([a0, a1], [b0, b1], [d0, d1]) = (a.map(f64::from), b.map(f64::from), drawn.map(f64::from));
            let turn = (a0 * b1 - a1 * b0).atan2(a0 * b0 + a1 * b1);
            let way = (a0 * d1 - a1 * d0).atan2(a0 * d0 + a1 * d1);
            // Half a turn may go either way.
            let is_half = TAU / 2.0 - turn.abs() < 1e-6;
            let error = |turn: f64| {
                ((way - f64::from(t) * turn) / TAU - ((way - f64::from(t) * turn) / TAU).round()).abs() * TAU
            };
            let error = if is_half {
                error(turn).min(error(-turn))
            } else {
                error(turn)
            };
            assert!(error < 1e-6, "{error:e} rad from {a:?} to {b:?} at {t}");
            assert!((d0.hypot(d1) - 1.0).abs() < 2e-7, "the length of {drawn:?}");
        }
    }

    #[allow(clippy::disallowed_methods)]
    #[test]
    fn rotations_in_space_are_within_a_millionth_of_the_arc_up_to_half_a_turn() {
        let state = &mut 2;
        for _ in 0..50_000 {
            let unit = |parts: [f64; 4]| {
                let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
                parts.map(|part| part / length)
            };
            let dot = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let a = unit([0; 4].map(|_: i32| random(state) - 0.5));
            let other = unit([0; 4].map(|_: i32| random(state) - 0.5));
            let across = unit(core::array::from_fn(|part| other[part] - a[part] * dot(a, other)));
            let phi = angle(state, TAU / 4.0);
            let b: [f64; 4] = core::array::from_fn(|part| a[part] * phi.cos() + across[part] * phi.sin());
            let (a, b) = (a.map(|part| part as f32), b.map(|part| part as f32));
            let t = random(state) as f32;
            let drawn = Slerp::at(t).space(a, b).map(f64::from);
            // The arc between the rounded ends.
            let (a, b) = (unit(a.map(f64::from)), unit(b.map(f64::from)));
            let length = |parts: [f64; 4]| dot(parts, parts).sqrt();
            let (t, direct) = (f64::from(t), unit(drawn));
            let error = |sign: f64| {
                let phi = 2.0
                    * length(core::array::from_fn(|part| a[part] - sign * b[part]))
                        .atan2(length(core::array::from_fn(|part| a[part] + sign * b[part])));
                let weight = |s: f64| if phi < 1e-9 { s } else { (s * phi).sin() / phi.sin() };
                let (older, newer) = (weight(1.0 - t), sign * weight(t));
                2.0 * length(core::array::from_fn(|part| {
                    direct[part] - a[part] * older - b[part] * newer
                }))
            };
            // Half a turn may go either way.
            let error = match dot(a, b) {
                dot if dot.abs() < 1e-6 => error(1.0).min(error(-1.0)),
                dot => error(1.0_f64.copysign(dot)),
            };
            assert!(error < 1e-6, "{error:e} rad from {a:?} to {b:?} at {t}");
            assert!((length(drawn) - 1.0).abs() < 2e-7, "the length of {drawn:?}");
        }
    }
}
