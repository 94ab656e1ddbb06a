//! Measures the jitter of cameras and attached parts relative to the body that they belong to.

use std::time::Duration;

use evenstep::follow::{Attached, Follower, RigidTransform};
use evenstep::poses::{Pose2, Rot2};
use evenstep::{FixedTimestep, Frame, Rate, SimTime, Smoothed};
use serde::Serialize;

/// How a camera that follows a body, or an attached part, is drawn. The body itself is drawn between its last two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// A camera by [`Follower`], at the drawn time of the frame.
    Follower,
    /// The same camera, drawn where the last step left it.
    CameraInStep,
    /// A camera on the same spring that moves once a frame, towards the newest state of the body.
    CameraOnNewest,
    /// A camera that moves a tenth of the way to the drawn body in each frame.
    ShareOfTheWay,
    /// A hand by [`Attached`], blended in the frame of the body.
    Attached,
    /// A hand blended in the world, between its own last two states.
    BlendedInWorld,
    /// A hand drawn where the last step left it.
    HandInStep,
}

impl Attachment {
    /// All ways: cameras, then hands.
    pub const ALL: [Self; 7] = [
        Self::Follower,
        Self::CameraInStep,
        Self::CameraOnNewest,
        Self::ShareOfTheWay,
        Self::Attached,
        Self::BlendedInWorld,
        Self::HandInStep,
    ];

    /// Whether it is a camera, rather than a hand.
    #[must_use]
    pub const fn is_camera(self) -> bool {
        matches!(
            self,
            Self::Follower | Self::CameraInStep | Self::CameraOnNewest | Self::ShareOfTheWay
        )
    }
}

/// The drawn distance of a camera or a hand from its body, over all displays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AttachmentScore {
    /// The way of drawing.
    pub attachment: Attachment,
    /// Steps in a second.
    pub steps_hz: f64,
    /// The standard deviation of the distance in millimetres, on the display where it is largest.
    pub jitter_mm: f64,
    /// The refresh rate of that display, in hertz.
    pub worst_display_hz: f64,
    /// The mean distance in metres on the display where it is shortest.
    pub nearest_m: f64,
    /// The mean distance in metres on the display where it is longest.
    pub farthest_m: f64,
}

/// The speed of the body that a camera follows, in metres per second.
const SPEED: f64 = 10.0;

/// The lag of the camera.
const LAG: Duration = Duration::from_millis(150);

/// The angular speed of the body with the hand, in radians per second. The hand is one metre away.
const TURNING: f64 = std::f64::consts::PI;

/// The time in which the camera settles, and the time that is measured afterwards, in seconds.
const SECONDS: (f64, f64) = (4.0, 2.0);

/// Draws a camera behind a body that runs straight on, and a hand on one that turns, in every way on every display with exact frame
/// times: at each rate of steps.
///
/// Both are rigid motions: the camera trails at a constant distance, and the hand is a metre from the shoulder. Any variation of
/// the distance is jitter of the drawing.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_evaluation::{Attachment, score_attachments};
///
/// let scores = score_attachments(&[Rate::hz(30)], &[Rate::hz(60), Rate::hz(144)]);
/// let jitter = |attachment| scores.iter().find(|score| score.attachment == attachment).unwrap().jitter_mm;
/// assert!(jitter(Attachment::Follower) < 1e-6);
/// assert!(jitter(Attachment::CameraInStep) > 50.0);
/// ```
#[must_use]
pub fn score_attachments(steps: &[Rate], displays: &[Rate]) -> Vec<AttachmentScore> {
    let mut scores = Vec::new();
    for &rate in steps {
        let shown: Vec<(f64, Distances)> = displays
            .iter()
            .map(|&display| (display.as_hz_f64(), distances(rate, display)))
            .collect();
        scores.extend(Attachment::ALL.map(|attachment| score(attachment, rate, &shown)));
    }
    scores
}

/// The mean and the standard deviation of a distance in metres, for each way.
type Distances = [(f64, f64); Attachment::ALL.len()];

fn score(attachment: Attachment, rate: Rate, shown: &[(f64, Distances)]) -> AttachmentScore {
    let of = |distances: &Distances| distances[attachment as usize];
    let mut score = AttachmentScore {
        attachment,
        steps_hz: rate.as_hz_f64(),
        jitter_mm: 0.0,
        worst_display_hz: shown.first().map_or(0.0, |(display, _)| *display),
        nearest_m: f64::INFINITY,
        farthest_m: 0.0,
    };
    for (display, distances) in shown {
        let (mean, deviation) = of(distances);
        if 1e3 * deviation > score.jitter_mm {
            (score.jitter_mm, score.worst_display_hz) = (1e3 * deviation, *display);
        }
        score.nearest_m = score.nearest_m.min(mean);
        score.farthest_m = score.farthest_m.max(mean);
    }
    score
}

/// Mean and standard deviation of numbers, added up one by one (B. P. Welford, 1962).
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.squares += off * (value - self.mean);
    }

    fn mean_and_deviation(self) -> (f64, f64) {
        (self.mean, (self.squares / self.count.max(1.0)).sqrt())
    }
}

fn distances(rate: Rate, display: Rate) -> Distances {
    let mut timestep = FixedTimestep::new(rate).with_max_steps(u32::MAX);
    let (mut runner, mut turner) = (Runner::new(), Turner::new());
    let mut spreads = [Spread::default(); Attachment::ALL.len()];
    let settled = (SECONDS.0 * display.as_hz_f64()).ceil() as u64;
    let frames = settled + (SECONDS.1 * display.as_hz_f64()).ceil() as u64;
    let mut last = Duration::ZERO;
    for number in 1..=frames {
        let now = SimTime::at_tick(number, display).to_duration();
        let frame = timestep.advance(now - last);
        for step in frame.steps() {
            runner.step(step.tick + 1, step.dt);
            turner.step(step.tick + 1, step.dt);
        }
        let (cameras, hands) = (runner.draw(&frame, (now - last).as_secs_f64()), turner.draw(&frame));
        last = now;
        if number > settled {
            let all = cameras.into_iter().chain(hands);
            spreads
                .iter_mut()
                .zip(all)
                .for_each(|(spread, distance)| spread.add(distance));
        }
    }
    spreads.map(Spread::mean_and_deviation)
}

/// A body that runs, and cameras behind it.
struct Runner {
    body: Smoothed<[f64; 1]>,
    follower: Follower<1>,
    on_newest: Follower<1>,
    share: f64,
}

impl Runner {
    fn new() -> Self {
        let camera = Follower::new([0.0]).with_lag(LAG);
        Self {
            body: Smoothed::new([0.0]),
            follower: camera,
            on_newest: camera,
            share: 0.0,
        }
    }

    fn step(&mut self, tick: u64, dt: f64) {
        self.body.begin_step();
        self.body.set([SPEED * tick as f64 * dt]);
        self.follower.step(*self.body.current(), dt);
    }

    /// The distance of each camera from the drawn body.
    fn draw(&mut self, frame: &Frame, delta: f64) -> [f64; 4] {
        let [body] = self.body.at(frame.alpha());
        self.on_newest.step(*self.body.current(), delta);
        self.share += 0.1 * (body - self.share);
        let cameras = [
            self.follower.at(frame.alpha())[0],
            self.follower.at(1.0)[0],
            self.on_newest.at(1.0)[0],
            self.share,
        ];
        cameras.map(|camera| body - camera)
    }
}

/// A body that turns, with a hand.
struct Turner {
    body: Smoothed<Pose2>,
    hand: Attached<Pose2>,
    in_world: Smoothed<Pose2>,
}

impl Turner {
    fn new() -> Self {
        let local = Pose2::new([1.0, 0.0], Rot2::IDENTITY);
        Self {
            body: Smoothed::new(Pose2::IDENTITY),
            hand: Attached::new(local),
            in_world: Smoothed::new(local),
        }
    }

    fn step(&mut self, tick: u64, dt: f64) {
        self.body.begin_step();
        self.hand.begin_step();
        self.in_world.begin_step();
        let angle = TURNING * tick as f64 * dt % std::f64::consts::TAU;
        self.body.current_mut().rotation = Rot2::from_radians(angle as f32);
        self.in_world.set(self.body.current().place(self.hand.local()));
    }

    /// The distance of each hand from the drawn body.
    fn draw(&self, frame: &Frame) -> [f64; 3] {
        let alpha = frame.alpha();
        let body = self.body.at(alpha);
        let hands = [
            self.hand.at(&body, alpha),
            self.in_world.at(alpha),
            *self.in_world.current(),
        ];
        hands.map(|hand| {
            let [x, y] = body.locate(&hand).position.map(f64::from);
            let [right_x, right_y] = self.hand.local().position.map(f64::from);
            (x - right_x).hypot(y - right_y)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores() -> Vec<AttachmentScore> {
        let steps = [20, 30, 60, 120, 240].map(Rate::hz);
        let displays = [24, 60, 75, 144, 165, 360].map(Rate::hz);
        score_attachments(&steps, &displays)
    }

    #[test]
    fn rigid_motion_is_drawn_rigid_at_every_rate_and_otherwise_is_not() {
        for score in scores() {
            let rigid = match score.attachment {
                Attachment::Follower => 1e-9, // of metres in f64
                Attachment::Attached => 1e-3, // of metres in f32
                _ => continue,
            };
            assert!(score.jitter_mm < rigid, "{score:?}");
        }
        let slow = |attachment| {
            let is_it = |score: &&AttachmentScore| score.attachment == attachment && score.steps_hz == 20.0;
            scores().iter().find(is_it).unwrap().jitter_mm
        };
        // Between the ends of a step the drawn body is anywhere: a uniform distribution has 1/√12 of its width.
        let step = 1e3 * SPEED / 20.0;
        assert!((slow(Attachment::CameraInStep) - step / 12.0_f64.sqrt()).abs() < 0.1 * step);
        assert!(slow(Attachment::CameraOnNewest) > 10.0);
        // The chord of a ninth of a right angle is nearer to the centre than its arc.
        assert!(slow(Attachment::BlendedInWorld) > 0.5);
        assert!(slow(Attachment::HandInStep) > 20.0);
    }

    #[test]
    fn a_follower_is_equally_far_on_every_display_and_a_share_of_the_way_is_not() {
        for score in scores() {
            match score.attachment {
                Attachment::Follower => {
                    let expected = SPEED * LAG.as_secs_f64();
                    assert!((score.nearest_m - expected).abs() < 1e-9 && (score.farthest_m - expected).abs() < 1e-9);
                }
                Attachment::ShareOfTheWay => assert!(score.farthest_m > 10.0 * score.nearest_m, "{score:?}"),
                _ => {}
            }
        }
    }
}
