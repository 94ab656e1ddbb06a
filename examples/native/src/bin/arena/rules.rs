//! How the player walks and shoots.

use evenstep::follow::{Attached, LookAngles, Place as _};
use evenstep::poses::{Pose3, Poses3};
use evenstep::{Smoothed, Step};
use glam::{Vec3, vec3};

use crate::scene::{
    AWAY, BODIES, FIRST_PLATFORM, FIRST_SHOT, FIRST_TARGET, PLATFORM, PLATFORMS, SHOTS, STILL, TARGETS, direction,
    platform, target, upright,
};

const EYES: Vec3 = vec3(0.0, 1.6, 0.0);
/// The camera that can be chosen is on this platform, and so high above it.
const CAMERA: ([f32; 3], usize) = ([-1.6, 2.0, 0.0], 2);

/// What the player wants in a step: to the right and ahead, each from -1 to 1.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wish {
    pub(crate) walk: [f32; 2],
    pub(crate) jumps: bool,
    pub(crate) shoots: bool,
}

#[derive(Clone, Copy, Default)]
struct Shot {
    velocity: Vec3,
    seconds_left: f32,
}

pub(crate) struct Arena {
    pub(crate) poses: Poses3,
    /// What one can stand on: the world, which never moves, and the platforms.
    grounds: [Smoothed<Pose3>; 1 + PLATFORMS],
    /// The player's feet, and the ground that they are on.
    feet: Attached<Pose3>,
    ground: usize,
    upwards: f32,
    camera: Attached<Pose3>,
    shots: [Shot; SHOTS],
    pub(crate) fired: usize,
    pub(crate) hits: usize,
}

impl Arena {
    pub(crate) fn new() -> Self {
        let mut poses = Poses3::new();
        STILL.iter().for_each(|(place, _)| _ = poses.push(upright(*place)));
        (0..PLATFORMS).for_each(|index| _ = poses.push(platform(index, 0.0)));
        (0..TARGETS).for_each(|index| _ = poses.push(target(index, 0)));
        (FIRST_SHOT..BODIES).for_each(|_| _ = poses.push(upright(AWAY)));
        let ground = |index: usize| Smoothed::new(index.checked_sub(1).map_or(Pose3::IDENTITY, |at| platform(at, 0.0)));
        Self {
            poses,
            grounds: std::array::from_fn(ground),
            feet: Attached::new(upright([3.0, 0.0, 13.0])),
            ground: 0,
            upwards: 0.0,
            camera: Attached::new(upright(CAMERA.0)),
            shots: [Shot::default(); SHOTS],
            fired: 0,
            hits: 0,
        }
    }

    /// Where the player's feet are drawn.
    pub(crate) fn feet(&self, alpha: f64) -> Pose3 {
        self.feet.at(&self.grounds[self.ground].at(alpha), alpha)
    }

    /// Where the player sees from.
    pub(crate) fn eyes(&self, alpha: f64) -> Vec3 {
        Vec3::from(self.feet(alpha).position) + EYES
    }

    /// Where the camera on a platform is.
    pub(crate) fn camera(&self, alpha: f64) -> Vec3 {
        Vec3::from(self.camera.at(&self.grounds[CAMERA.1 + 1].at(alpha), alpha).position)
    }

    pub(crate) fn step(&mut self, step: &Step, wish: Wish, look: LookAngles) {
        let (dt, time) = (step.dt as f32, (step.tick + 1) as f32 * step.dt as f32);
        self.poses.begin_step();
        self.feet.begin_step();
        self.grounds.iter_mut().for_each(Smoothed::begin_step);
        for index in 0..PLATFORMS {
            let pose = platform(index, time);
            self.grounds[index + 1].set(pose);
            self.poses.set(FIRST_PLATFORM + index, pose);
        }
        self.walk(dt, wish, look.yaw as f32);
        if wish.shoots {
            self.shoot(look);
        }
        (0..SHOTS).for_each(|shot| self.fly(shot, dt));
    }

    fn walk(&mut self, dt: f32, wish: Wish, yaw: f32) {
        // The ground has moved already, and what stands on it with it.
        let mut pose = self.grounds[self.ground].current().place(self.feet.local());
        let before = Vec3::from(pose.position);
        let (sin, cos) = yaw.sin_cos();
        let [right, ahead] = wish.walk;
        let way = vec3(cos * right + sin * ahead, 0.0, sin * right - cos * ahead).normalize_or_zero();
        self.upwards -= 18.0 * dt;
        let mut at = before + way * 6.0 * dt;
        let is_in_pillar = |at: Vec3| {
            STILL[5..].iter().any(|(centre, half)| {
                let apart = (at - Vec3::from(*centre)).abs() - Vec3::from(*half) - 0.4;
                apart.x < 0.0 && apart.z < 0.0
            })
        };
        if is_in_pillar(at) || at.x.abs() > 14.6 || at.z.abs() > 14.6 {
            at = before;
        }
        at.y += self.upwards * dt;
        let (ground, height) = self.ground_below(at);
        let stands = at.y <= height;
        if stands {
            (at.y, self.upwards) = (height, if wish.jumps { 8.0 } else { 0.0 });
        }
        pose.position = at.to_array();
        self.feet.set(self.grounds[self.ground].current().locate(&pose));
        let next = if stands { ground } else { 0 };
        if next != self.ground {
            self.feet.hand_over(&self.grounds[self.ground], &self.grounds[next]);
            self.ground = next;
        }
    }

    /// The ground on which someone at a place would stand, and its height.
    fn ground_below(&self, at: Vec3) -> (usize, f32) {
        let top = |(index, ground): (usize, &Smoothed<Pose3>)| {
            let apart = Vec3::from(ground.current().locate(&upright(at.to_array())).position);
            let is_on = apart.x.abs() < PLATFORM.x && apart.z.abs() < PLATFORM.z && apart.y > -0.5;
            is_on.then(|| (index, ground.current().position[1] + PLATFORM.y))
        };
        self.grounds
            .iter()
            .enumerate()
            .skip(1)
            .find_map(top)
            .unwrap_or((0, 0.0))
    }

    fn shoot(&mut self, look: LookAngles) {
        let shot = self.fired % SHOTS;
        self.fired += 1;
        let ahead = direction(look);
        self.shots[shot] = Shot {
            velocity: 30.0 * ahead,
            seconds_left: 1.5,
        };
        // It is there at once, not drawn on a way from where it waited.
        let muzzle = self.eyes(1.0) - vec3(0.0, 0.2, 0.0) + 0.5 * ahead;
        self.poses.teleport(FIRST_SHOT + shot, upright(muzzle.to_array()));
    }

    fn fly(&mut self, shot: usize, dt: f32) {
        let (body, Shot { velocity, seconds_left }) = (FIRST_SHOT + shot, self.shots[shot]);
        let Some(pose) = self.poses.current(body).filter(|_| seconds_left > 0.0) else {
            return;
        };
        self.shots[shot].seconds_left -= dt;
        let at = Vec3::from(pose.position) + velocity * dt;
        let place = |target: usize| {
            self.poses
                .current(FIRST_TARGET + target)
                .map(|pose| Vec3::from(pose.position))
        };
        let hit = (0..TARGETS).find(|target| place(*target).is_some_and(|place| place.distance(at) < 0.9));
        if let Some(target_hit) = hit {
            self.hits += 1;
            // A cut: nothing is seen between the two places.
            self.poses
                .teleport(FIRST_TARGET + target_hit, target(target_hit, self.hits));
        }
        if hit.is_some() || seconds_left <= dt || at.y < 0.0 {
            self.shots[shot].seconds_left = 0.0;
            self.poses.teleport(body, upright(AWAY));
        } else if !self.poses.has_jumped(body) {
            self.poses.set(body, upright(at.to_array()));
        }
    }
}

#[cfg(test)]
mod tests {
    use evenstep::Rate;

    use super::*;

    #[test]
    fn who_stands_on_a_platform_is_drawn_at_the_same_place_on_it_between_steps() {
        let mut arena = Arena::new();
        arena.feet = Attached::new(upright([-3.0, 0.5, 3.0]));
        for tick in 0..120 {
            arena.step(&Step::new(tick, Rate::hz(60)), Wish::default(), LookAngles::default());
        }
        assert_eq!(arena.ground, 1);
        let on = |alpha| Vec3::from(arena.grounds[1].at(alpha).locate(&arena.feet(alpha)).position);
        for alpha in [0.1, 0.5, 0.9] {
            assert!(on(alpha).distance(on(0.0)) < 1e-5);
        }
    }
}
