//! Engines as the machine needs them.

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep_physics::engine::{BodyMotion, PoseStore};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Box2d, Engine, Rapier2d, Rapier3d, Shape};

use crate::common::Bench;
use crate::fake_engine::{FakeEngine, Fault};

pub(crate) trait Subject: Bench<Motion: Default> + 'static {
    /// Does wrong in the next step, if it can. Answers whether the bodies' state is not harmed.
    fn be_faulty(&mut self, fault: Fault) -> bool;
    /// Does right from here on.
    fn recover(&mut self);

    /// Whether the engine reports nothing under the slot of a key.
    fn slot_is_free(&self, key: BodyKey, handle: Option<Self::Handle>) -> bool {
        handle.is_none_or(|handle| self.slot(handle) != Some(key.index() as u32))
    }
}

pub(crate) fn len<E: Engine>(poses: &<E::Motion as BodyMotion>::Poses) -> usize {
    poses.len()
}

impl Subject for FakeEngine {
    fn be_faulty(&mut self, fault: Fault) -> bool {
        self.faults.push_back(fault);
        fault != Fault::Break
    }

    fn recover(&mut self) {
        self.faults.clear();
    }
}

macro_rules! never_faulty {
    ($($engine:ty)*) => {
        $(impl Subject for $engine {
            fn be_faulty(&mut self, _: Fault) -> bool {
                true
            }

            fn recover(&mut self) {}
        })*
    };
}

never_faulty!(Box2d Rapier2d Rapier3d);

impl Bench for FakeEngine {
    const SUB_STEPS: u32 = 1;

    fn fresh(_: f32) -> Self {
        Self::default()
    }

    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }

    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn own_box(&mut self, _: Option<u32>, _: f32, _: f32, _: bool) -> u32 {
        0
    }

    fn own_body(&mut self, x: f32, y: f32) -> u32 {
        self.create(&BodyDef::new(Shape::Ball(1.0)).at(Self::pose(x, y)))
            .unwrap()
    }

    fn own_lift(&mut self, x: f32, y: f32) -> u32 {
        let def = BodyDef::new(Shape::Ball(1.0)).of_kind(BodyKind::Kinematic);
        self.create(&def.at(Self::pose(x, y))).unwrap()
    }

    fn own_move(&mut self, body: u32, x: f32, y: f32) {
        self.set_motion(body, &Motion2::at(Self::pose(x, y))).unwrap();
    }

    fn own_destroy(&mut self, body: u32) {
        self.destroy(body);
    }

    fn own_push(&mut self, _: u32, _: f32) {}

    fn own_gravity(&mut self, _: f32) {}

    fn own_damping(&mut self, _: u32, _: f32, _: f32) {}

    fn is_awake(&mut self, _: u32) -> bool {
        true
    }

    fn own_point_mass(&mut self, x: f32, y: f32, _: bool) -> u32 {
        self.own_body(x, y)
    }

    fn has_shape(&mut self, _: u32) -> bool {
        false
    }

    fn own_hinge(&mut self, _: u32, _: u32, _: f32) {}

    fn set_own_data(&mut self, _: u32, _: u32) {}

    fn own_data(&mut self, _: u32) -> u32 {
        0
    }
}
