//! What is spawned moving, through every door of the core: a shot is drawn at the mouth of its moving gun.

use std::time::Duration;

use evenstep::poses::{Body, Pose2, Pose3, Poses, Quat, Rot2};
use evenstep::{FixedTimestep, PositionVelocity, Rate, Smoothed, Smoothing};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A shot, spawned from a moving gun.
trait Shot {
    fn spawn(&mut self, now: f32, before: f32);
    /// Begins a step. Nothing before it is spawned.
    fn begin_step(&mut self);
    fn move_to(&mut self, now: f32);
    fn drawn(&mut self, alpha: f64) -> f32;
}

/// As it is drawn in a way of its own.
struct OneShot {
    smoothing: Smoothing,
    dt: f32,
    shot: Option<Smoothed<PositionVelocity<f32>>>,
}

impl Shot for OneShot {
    fn spawn(&mut self, now: f32, before: f32) {
        let at = |position| PositionVelocity {
            position,
            velocity: (now - before) / self.dt,
        };
        self.shot.insert(Smoothed::new(at(now))).set_previous(at(before));
    }
    fn begin_step(&mut self) {
        self.shot.iter_mut().for_each(Smoothed::begin_step);
    }
    fn move_to(&mut self, now: f32) {
        self.shot.iter_mut().for_each(|shot| shot.current_mut().position = now);
    }
    fn drawn(&mut self, alpha: f64) -> f32 {
        let drawn = |shot: &Smoothed<_>| shot.drawn(self.smoothing, alpha, f64::from(self.dt));
        self.shot.as_ref().map_or(f32::NAN, |shot| drawn(shot).position)
    }
}

/// A row of poses: a new one, or that of a former body that has just teleported.
struct RowOfShots<P: Body> {
    poses: Poses<P>,
    row: Option<usize>,
    at: fn(f32) -> P,
    x: fn(&P) -> f32,
}

impl<P: Body> RowOfShots<P> {
    fn new(is_reused: bool, at: fn(f32) -> P, x: fn(&P) -> f32) -> Self {
        let mut poses = Poses::new();
        (0..40).for_each(|row| _ = poses.push(at(row as f32)));
        let row = is_reused.then_some(33);
        row.iter().for_each(|row| _ = poses.teleport(*row, at(-500.0)));
        Self { poses, row, at, x }
    }
}

impl<P: Body> Shot for RowOfShots<P> {
    fn spawn(&mut self, now: f32, before: f32) {
        let now = (self.at)(now);
        let row = match self.row {
            Some(row) => {
                self.poses.teleport(row, now);
                row
            }
            None => self.poses.push(now),
        };
        assert!(self.poses.set_previous(row, (self.at)(before)));
        self.row = Some(row);
    }
    fn begin_step(&mut self) {
        self.poses.begin_step();
    }
    fn move_to(&mut self, now: f32) {
        self.row.iter().for_each(|row| _ = self.poses.set(*row, (self.at)(now)));
    }
    fn drawn(&mut self, alpha: f64) -> f32 {
        let mut drawn = [(self.at)(0.0)];
        self.poses.blend_range(self.row.unwrap_or_default(), alpha, &mut drawn);
        (self.x)(&drawn[0])
    }
}

/// A gun that moves, and its shot.
struct Range {
    gun: Smoothed<PositionVelocity<f32>>,
    shot: Box<dyn Shot>,
    at: Option<f32>,
    dt: f32,
}

const VELOCITY: f32 = 10.0;
const MUZZLE: f32 = 2.0;

impl Range {
    fn shoot(&mut self) {
        let now = self.gun.current().position + MUZZLE;
        self.shot.spawn(now, now - VELOCITY * self.dt);
        self.at = Some(now);
    }
    fn step(&mut self) {
        let way = VELOCITY * self.dt;
        self.shot.begin_step();
        self.gun.step(|gun| gun.position += way);
        if let Some(at) = &mut self.at {
            *at += way;
            self.shot.move_to(*at);
        }
    }
}

/// A shot from a moving gun: how far from its mouth is it drawn?
#[test]
fn what_is_spawned_moving_is_drawn_on_its_way_in_each_door_in_each_order_at_each_rate() {
    type Make = Box<dyn Fn(f32) -> Box<dyn Shot>>;
    let horizon = ms(100);
    let mut doors: Vec<(String, Smoothing, Make)> = Vec::new();
    for smoothing in [
        Smoothing::Interpolate,
        Smoothing::Hermite,
        Smoothing::Extrapolate { horizon },
        Smoothing::None,
    ] {
        let make = move |dt| {
            Box::new(OneShot {
                smoothing,
                dt,
                shot: None,
            }) as _
        };
        doors.push((format!("{smoothing:?}"), smoothing, Box::new(make)));
    }
    for is_reused in [false, true] {
        let plane = move |_| {
            let at = |x| Pose2::new([x, 0.0], Rot2::IDENTITY);
            Box::new(RowOfShots::new(is_reused, at, |pose| pose.position[0])) as _
        };
        let space = move |_| {
            let at = |x| Pose3::new([x, 0.0, 0.0], Quat::IDENTITY);
            Box::new(RowOfShots::new(is_reused, at, |pose| pose.position[0])) as _
        };
        doors.push((
            format!("Poses2, reused: {is_reused}"),
            Smoothing::Interpolate,
            Box::new(plane),
        ));
        doors.push((
            format!("Poses3, reused: {is_reused}"),
            Smoothing::Interpolate,
            Box::new(space),
        ));
    }
    let orders = [
        "before all moves",
        "after all has moved",
        "before the steps",
        "after the steps",
    ];
    for ((name, smoothing, make), order) in doors.iter().flat_map(|door| orders.map(|order| (door, order))) {
        for (rate, display) in [20_u32, 60, 144]
            .into_iter()
            .flat_map(|rate| [30_u32, 60, 144, 240].map(|display| (rate, display)))
        {
            let (mut timestep, dt) = (FixedTimestep::new(Rate::hz(rate)), 1.0 / rate as f32);
            let mut range = Range {
                gun: Smoothed::new(PositionVelocity {
                    position: 0.0,
                    velocity: VELOCITY,
                }),
                shot: make(dt),
                at: None,
                dt,
            };
            for index in 0..2 * display {
                let spawn = |range: &mut Range, moment: &str| {
                    if moment == order && range.at.is_none() && index > display / 2 {
                        range.shoot();
                    }
                };
                spawn(&mut range, "before the steps");
                let frame = timestep.advance(Duration::from_secs(1) / display);
                for _ in frame.steps() {
                    spawn(&mut range, "before all moves");
                    range.step();
                    spawn(&mut range, "after all has moved");
                }
                spawn(&mut range, "after the steps");
                if range.at.is_some() {
                    let gun = range.gun.drawn(*smoothing, frame.alpha(), f64::from(dt)).position;
                    let distance = range.shot.drawn(frame.alpha()) - gun;
                    assert!(
                        (distance - MUZZLE).abs() < 1e-4,
                        "{name}, spawned {order}, {rate} steps at {display} Hz: {distance}"
                    );
                }
            }
            assert!(range.at.is_some());
        }
    }
}
