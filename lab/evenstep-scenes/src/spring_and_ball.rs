//! A stiff spring and a ball that bounces: the spring shows whether a loop is stable, the ball whether its motion is even.

use evenstep::{Blend, Inspect, PositionVelocity, Rate, Step};

use crate::spring::Spring;
use crate::{Integrator, Outcome, Scene, SceneInfo};

/// The ball's horizontal speed in m/s, in either direction.
const SPEED: f64 = 2.0;
/// The half of the distance between the walls, in m.
const REACH: f64 = 2.0;
/// The height of a bounce, in m.
const HEIGHT: f64 = 1.25;
/// Gravity in m/s², so that the ball lands with 5 m/s.
const GRAVITY: f64 = 10.0;
/// The speed in m/s with which the ball leaves the floor.
const BOUNCE: f64 = 5.0;
/// The highest point of a jump, in m.
const JUMP: f64 = 2.0;
/// The largest number of bounces in a step. A ball that was pushed until it hardly leaves the floor would bounce without end.
const MAX_BOUNCES: u32 = 64;

/// The description of the scene.
pub const INFO: SceneInfo = SceneInfo {
    name: "spring-and-ball",
    rate: Rate::hz(50),
    engines: &[],
    build: |_| Ok(Box::new(SpringAndBall::new(5000.0, Integrator::default()))),
};

/// Where the spring's mass and the ball are, in metres.
#[derive(Blend, Clone, Copy, Debug, PartialEq)]
pub struct Places {
    /// The position of the spring's mass.
    pub spring: f64,
    /// The position of the ball: from −2 to 2 across, and its height above the floor.
    pub ball: [f64; 2],
}

/// A stiff spring of 1 kg, let go at 1 m, and a ball of 1 kg that bounces without loss.
///
/// The ball's flight and its bounces are exact in steps of any length, so what is wrong with its motion is wrong with the loop. A
/// [jump](Self::jump) is integrated as in a game: by the spring's integrator, in the loop's own steps.
///
/// ```
/// use evenstep::{Rate, Step};
/// use evenstep_scenes::Scene;
/// use evenstep_scenes::spring_and_ball::SpringAndBall;
///
/// let mut scene = SpringAndBall::new(100.0, Default::default());
/// for tick in 0..50 {
///     scene.step(&Step::new(tick, Rate::hz(50)));
/// }
/// let exact = SpringAndBall::ball_at(1.0);
/// assert!((scene.places().ball[1] - exact[1]).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq, Inspect)]
pub struct SpringAndBall {
    spring: Spring,
    ball: PositionVelocity<[f64; 2]>,
    /// Whether the ball is in a jump, which no recorded run has.
    #[inspect(skip)]
    is_jumping: bool,
}

impl SpringAndBall {
    /// A spring of `stiffness` in N/m with a damping of 1 N·s/m that moves by `integrator`, and the ball.
    #[must_use]
    pub fn new(stiffness: f64, integrator: Integrator) -> Self {
        let start = PositionVelocity {
            position: 1.0,
            velocity: 0.0,
        };
        let spring = Spring {
            k: stiffness,
            b: 1.0,
            integrator,
            state: start,
        };
        let ball = PositionVelocity {
            position: Self::ball_at(0.0),
            velocity: [SPEED, 0.0],
        };
        Self {
            spring,
            ball,
            is_jumping: false,
        }
    }

    /// The ball.
    #[must_use]
    pub(crate) const fn ball(&self) -> PositionVelocity<[f64; 2]> {
        self.ball
    }

    /// Where the spring's mass and the ball are now.
    #[must_use]
    pub const fn places(&self) -> Places {
        Places {
            spring: self.spring.state.position,
            ball: self.ball.position,
        }
    }

    /// Lets the ball jump from where it is, with the speed that takes it to 2 m. After that it bounces as before.
    pub fn jump(&mut self) {
        self.ball = jump(self.ball);
        self.is_jumping = true;
    }

    /// Whether the ball is in a jump.
    #[must_use]
    pub(crate) const fn is_jumping(&self) -> bool {
        self.is_jumping
    }

    /// The total energy in J. Without a loop's errors it never grows.
    pub(crate) fn energy(&self) -> f64 {
        let [vx, vy] = self.ball.velocity;
        let ball = 0.5 * (vx * vx + vy * vy) + GRAVITY * self.ball.position[1];
        self.spring.energy() + ball
    }

    /// The exact position of the ball in m, `seconds` after the start.
    #[must_use]
    pub fn ball_at(seconds: f64) -> [f64; 2] {
        let across = (SPEED * seconds + REACH).rem_euclid(4.0 * REACH);
        let x = if across < 2.0 * REACH {
            across
        } else {
            4.0 * REACH - across
        } - REACH;
        // It starts at the top of a bounce.
        let half = (2.0 * HEIGHT / GRAVITY).sqrt();
        let from_top = (seconds + half).rem_euclid(2.0 * half) - half;
        [x, HEIGHT - 0.5 * GRAVITY * from_top * from_top]
    }
}

/// A ball that begins to jump.
pub(crate) fn jump(ball: PositionVelocity<[f64; 2]>) -> PositionVelocity<[f64; 2]> {
    let up = (2.0 * GRAVITY * (JUMP - ball.position[1]).max(0.0)).sqrt();
    PositionVelocity {
        velocity: [ball.velocity[0], up],
        ..ball
    }
}

/// The ball after a step of a jump by one of Euler's rules, which moves it at the speed `vy`. It lands at the end of a step.
fn step_jump(ball: PositionVelocity<[f64; 2]>, dt: f64, vy: f64) -> PositionVelocity<[f64; 2]> {
    let across = fly(ball, dt, true);
    let y = ball.position[1] + vy * dt;
    let (y, vy) = if y > 0.0 {
        (y, ball.velocity[1] - GRAVITY * dt)
    } else {
        (0.0, BOUNCE)
    };
    PositionVelocity {
        position: [across.position[0], y],
        velocity: [across.velocity[0], vy],
    }
}

/// The ball after `dt` seconds of flight, with the bounces on the floor and at the walls in between.
pub(crate) fn fly(ball: PositionVelocity<[f64; 2]>, dt: f64, has_jumped: bool) -> PositionVelocity<[f64; 2]> {
    let ([mut x, mut y], [mut vx, mut vy]) = (ball.position, ball.velocity);
    let mut left = dt;
    for _ in 0..MAX_BOUNCES {
        // The time until it lands: y + vy·t − g·t²/2 = 0.
        let until = (vy + (vy * vy + 2.0 * GRAVITY * y.max(0.0)).sqrt()) / GRAVITY;
        let flight = if until < left { until } else { left };
        y += vy * flight - 0.5 * GRAVITY * flight * flight;
        vy -= GRAVITY * flight;
        left -= flight;
        if left <= 0.0 || vy >= 0.0 {
            break;
        }
        // A jump ends with the first bounce. Other bounces keep their bits.
        (y, vy) = (0.0, if has_jumped && -vy > 1.01 * BOUNCE { BOUNCE } else { -vy });
    }
    x += vx * dt;
    while x.abs() > REACH {
        let wall = if x > 0.0 { REACH } else { -REACH };
        (x, vx) = (2.0 * wall - x, -vx);
    }
    PositionVelocity {
        position: [x, y],
        velocity: [vx, vy],
    }
}

impl Scene for SpringAndBall {
    fn step(&mut self, step: &Step) {
        self.spring.step(step);
        let before = self.ball.velocity[1];
        self.ball = match self.spring.integrator {
            Integrator::ExplicitEuler if self.is_jumping => step_jump(self.ball, step.dt, before),
            Integrator::SemiImplicitEuler if self.is_jumping => {
                step_jump(self.ball, step.dt, before - GRAVITY * step.dt)
            }
            _ => fly(self.ball, step.dt, self.is_jumping),
        };
        // A jump ends with the first bounce.
        self.is_jumping &= self.ball.velocity[1] <= before;
    }

    fn outcome(&self) -> Outcome {
        self.spring.outcome()
    }

    fn read(&self) -> Vec<PositionVelocity<f64>> {
        let axis = |axis: usize| PositionVelocity {
            position: self.ball.position[axis],
            velocity: self.ball.velocity[axis],
        };
        vec![axis(0), axis(1), self.spring.state]
    }

    fn nudge(&mut self, by: [f64; 2]) {
        self.spring.state.velocity += by[0];
        self.ball.velocity[1] += by[1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_follows_its_closed_form_in_steps_of_any_length() {
        for hertz in [1, 7, 60, 2700] {
            let rate = Rate::hz(hertz);
            let mut scene = SpringAndBall::new(0.0, Integrator::default());
            for tick in 0..u64::from(20 * hertz) {
                scene.step(&Step::new(tick, rate));
                let exact = SpringAndBall::ball_at((tick + 1) as f64 / f64::from(hertz));
                for (at, exact) in scene.ball.position.iter().zip(exact) {
                    assert!((at - exact).abs() < 1e-6, "{hertz} Hz, step {tick}: {at} m, {exact} m");
                }
            }
        }
    }

    #[test]
    fn a_ball_that_jumps_exactly_reaches_two_metres_and_bounces_as_before_after_it() {
        let mut scene = SpringAndBall::new(0.0, Integrator::RungeKutta4);
        let rate = Rate::hz(1000);
        let heights = |scene: &mut SpringAndBall, steps: u64| {
            let steps = (0..steps).map(|tick| {
                scene.step(&Step::new(tick, rate));
                scene.ball.position[1]
            });
            steps.fold(0.0, f64::max)
        };
        heights(&mut scene, 700);
        scene.jump();
        assert!((heights(&mut scene, 1200) - 2.0).abs() < 1e-3);
        assert!((heights(&mut scene, 2000) - HEIGHT).abs() < 1e-3);
    }

    #[test]
    fn a_ball_that_is_pushed_below_the_floor_by_a_rounding_error_rises_again() {
        let ball = fly(
            PositionVelocity {
                position: [0.0, -1e-17],
                velocity: [0.0, 0.0],
            },
            1.0,
            false,
        );
        assert!(ball.position[1].abs() < 1e-9 || ball.position[1] >= 0.0, "{ball:?}");
    }
}
