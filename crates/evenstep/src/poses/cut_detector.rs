//! Finds the steps in which a body did not move but was put elsewhere.

use crate::math::sqrt;
use crate::poses::Pose3;

/// Tells a teleport or a cut of a camera from a motion, for programs that do not mark theirs: a step farther than the steps before it explain.
///
/// A step is explained up to a limit, which a body may reach from rest, plus twice the last explained step, so that bodies accelerate
/// and bounce; and by the step before it, so only the first step of a motion faster than the limit counts as a cut. Both the distance
/// and the turn have to be explained. A cut shorter than that is not found, and a body that is shot faster than the limit is drawn without
/// a way for one step: where the program knows, call [`teleport`](crate::Smoothed::teleport).
///
/// One for each body.
///
/// ```
/// use evenstep::Smoothed;
/// use evenstep::poses::{CutDetector, Pose3, Quat};
///
/// let mut cuts = CutDetector::new(0.5, 0.6); // 0.5 m and 0.6 rad within a step
/// let mut camera = Smoothed::new(Pose3::IDENTITY);
/// for x in [0.1, 0.2, 0.3, 25.0, 25.1] {
///     camera.begin_step();
///     camera.set(Pose3::new([x, 0.0, 0.0], Quat::IDENTITY));
///     if cuts.is_cut(*camera.previous(), *camera.current()) {
///         camera.teleport();
///     }
///     assert_eq!(camera.is_teleport(), x == 25.0);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CutDetector {
    distance: f64,
    radians: f64,
    moved: Steps,
    turned: Steps,
}

/// Two steps, as vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Steps {
    /// The last one that was explained.
    explained: [f64; 3],
    /// The last one.
    last: [f64; 3],
}

impl Steps {
    /// Takes a step. Returns whether it is explained.
    fn explain(&mut self, step: [f64; 3], limit: f64) -> bool {
        let change = core::array::from_fn(|axis| step[axis] - self.last[axis]);
        let is_explained = length(step) <= limit + 2.0 * length(self.explained) || length(change) <= limit;
        if is_explained {
            self.explained = step;
        }
        self.last = step;
        is_explained
    }
}

impl CutDetector {
    /// With the farthest distance and the largest turn in radians of a step from rest: the greatest speeds times the seconds of a step.
    #[must_use]
    pub const fn new(distance: f64, radians: f64) -> Self {
        let rest = Steps {
            explained: [0.0; 3],
            last: [0.0; 3],
        };
        Self {
            distance,
            radians,
            moved: rest,
            turned: rest,
        }
    }

    /// Takes the step of a body from one pose to the next. Returns whether it is a cut, as each step to or from a pose that is not finite.
    /// Call it once in each step; of a matrix, with [`Affine3::pose`](crate::poses::Affine3::pose).
    pub fn is_cut(&mut self, older: impl Into<Pose3>, newer: impl Into<Pose3>) -> bool {
        let (older, newer) = (older.into(), newer.into());
        let way = core::array::from_fn(|axis| f64::from(newer.position[axis]) - f64::from(older.position[axis]));
        let turn = newer.rotation.after(older.rotation.inverse()).to_scaled_axis();
        let is_moved = self.moved.explain(way, self.distance);
        let is_turned = self.turned.explain(turn.map(f64::from), self.radians);
        !(is_moved && is_turned)
    }
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    sqrt(x * x + y * y + z * z)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::poses::{Pose2, Quat, Rot2};

    const DT: f32 = 1.0 / 35.0;
    /// Units and radians a second, of a body that starts to run or to turn.
    const SPEED: f32 = 300.0;
    const SPIN: f32 = 6.0;

    fn vector(random: &mut Rng, size: f32) -> [f32; 3] {
        [0; 3].map(|_| (random.f32() * 2.0 - 1.0) * size)
    }

    fn detector() -> CutDetector {
        // √3: a body may run along all axes at once.
        CutDetector::new(f64::from(SPEED * DT * 1.8), f64::from(SPIN * DT * 1.8))
    }

    /// A body that runs, stops, bounces, accelerates to many times its running speed, and turns; and what it does when it is put elsewhere.
    struct Body {
        pose: Pose3,
        velocity: [f32; 3],
        spin: [f32; 3],
    }

    impl Body {
        fn step(&mut self, random: &mut Rng) {
            match random.u32(0..100) {
                0..5 => self.velocity = vector(random, SPEED),
                5..8 => self.velocity = [0.0; 3],
                8..10 => self.velocity[random.usize(..3)] *= -0.9,
                10..14 => self.velocity = self.velocity.map(|part| (part * 1.8).clamp(-6.0 * SPEED, 6.0 * SPEED)),
                14..20 => self.spin = vector(random, SPIN),
                20 => self.spin = [0.0; 3],
                _ => {}
            }
            let jitter = vector(random, 0.02 * SPEED * DT);
            let position = self.pose.position;
            self.pose.position = core::array::from_fn(|axis| position[axis] + self.velocity[axis] * DT + jitter[axis]);
            let turn = Quat::from_scaled_axis(self.spin.map(|part| part * DT));
            let Quat { x, y, z, w } = turn.after(self.pose.rotation);
            let scale = 1.0 / crate::math::sqrt_f32(x * x + y * y + z * z + w * w);
            self.pose.rotation = Quat::new(x * scale, y * scale, z * scale, w * scale);
        }
    }

    #[test]
    #[ignore = "slow: a million steps"]
    fn of_ten_thousand_planted_cuts_none_is_missed_and_of_ten_thousand_motions_at_most_one_is_taken_for_one() {
        // Beyond what the fastest body explains.
        let is_far = |older: Pose3, newer: Pose3| {
            let way = core::array::from_fn(|axis| f64::from(newer.position[axis] - older.position[axis]));
            let turn = newer.rotation.after(older.rotation.inverse()).to_scaled_axis();
            length(way) > 200.0 || length(turn.map(f64::from)) > 1.0
        };
        let random = &mut Rng::with_seed(9);
        let (mut planted, mut missed, mut steps, mut wrong) = (0, 0, 0, 0);
        for _ in 0..1_000 {
            let mut cuts = detector();
            let mut body = Body {
                pose: Pose3::IDENTITY,
                velocity: [0.0; 3],
                spin: [0.0; 3],
            };
            let doors = [vector(random, 4_000.0), vector(random, 4_000.0)];
            for _ in 0..1_000 {
                let older = body.pose;
                body.step(random);
                let is_planted = random.u32(0..80) == 0;
                while is_planted && !is_far(older, body.pose) {
                    // Elsewhere, to one of two doors, a camera that looks elsewhere, and both.
                    let turned = Quat::from_scaled_axis(vector(random, 2.0)).after(older.rotation);
                    match random.u32(0..4) {
                        0 => body.pose.position = vector(random, 4_000.0),
                        1 => body.pose.position = doors[random.usize(..2)],
                        2 => body.pose.rotation = turned,
                        _ => body.pose = Pose3::new(doors[random.usize(..2)], turned),
                    }
                }
                let is_cut = cuts.is_cut(older, body.pose);
                if is_planted {
                    (planted, missed) = (planted + 1, missed + u32::from(!is_cut));
                } else {
                    (steps, wrong) = (steps + 1, wrong + u32::from(is_cut));
                }
            }
        }
        assert!(planted > 10_000 && missed == 0, "{missed} of {planted}");
        assert!(wrong * 10_000 <= steps, "{wrong} of {steps}");
    }

    #[test]
    fn of_a_motion_faster_than_the_limit_only_the_first_step_is_a_cut() {
        let mut cuts = CutDetector::new(1.0, 1.0);
        let at = |x: f32| Pose2::new([x, 0.0], Rot2::IDENTITY);
        let found = [0.0, 50.0, 100.0, 150.0].map(|x| cuts.is_cut(at(x), at(x + 50.0)));
        assert_eq!(found, [true, false, false, false]);
    }

    /// Both sides of each limit, for the distance and for the turn: a step of each amount after the ones before it.
    #[test]
    fn a_step_is_explained_up_to_the_limit_and_twice_the_last_explained_step() {
        let cases: [(&[f64], f64); 5] = [
            (&[], 1.0),
            (&[0.5], 2.0),
            (&[1.0], 3.0),
            // The cut between them is no explained step, and the step back differs from it by more than the limit.
            (&[0.5, 9.0], 2.0),
            // The first step of a fast motion is a cut; the second is explained by it, and explains what follows.
            (&[9.0, 9.5], 20.0),
        ];
        for (before, most) in cases {
            for (beyond, is_cut) in [(-1e-3, false), (1e-3, true)] {
                for is_turn in [false, true] {
                    // Turns of up to half a revolution have a size.
                    let scale = if is_turn { 0.1 } else { 1.0 };
                    let mut cuts = CutDetector::new(scale, scale);
                    let amounts = before
                        .iter()
                        .map(|&amount| (amount, false))
                        .chain([(most + beyond, true)]);
                    for (amount, is_last) in amounts {
                        let vector = [(amount * scale) as f32, 0.0, 0.0];
                        let pose = match is_turn {
                            true => Pose3::new([0.0; 3], Quat::from_scaled_axis(vector)),
                            false => Pose3::new(vector, Quat::IDENTITY),
                        };
                        let found = cuts.is_cut(Pose3::IDENTITY, pose);
                        assert!(
                            !is_last || found == is_cut,
                            "{before:?}, then {amount}, as a turn: {is_turn}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_pose_that_is_not_finite_is_a_cut_and_no_motion() {
        let mut cuts = CutDetector::new(1.0, 1.0);
        let at = |x: f32| Pose2::new([x, 0.0], Rot2::IDENTITY);
        assert!(cuts.is_cut(at(0.0), at(f32::NAN)));
        assert!(cuts.is_cut(at(f32::NAN), at(0.0)));
        assert!(!cuts.is_cut(at(0.0), at(0.5)));
        assert!(cuts.is_cut(at(0.5), at(30.0)));
    }
}
