//! The engines under test, with fault injection.

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, BodyKind, Engine as _, Shape};

use crate::common::TestEngine;
use crate::fake_engine::{FakeEngine, Fault};

pub(crate) trait Subject: TestEngine<Motion: Default> + 'static {
    /// Injects a fault into the next step, if the engine supports it. Returns whether the bodies' states remain intact.
    fn be_faulty(&mut self, fault: Fault) -> bool;
    /// Removes pending faults.
    fn recover(&mut self);
}

impl Subject for FakeEngine {
    fn be_faulty(&mut self, fault: Fault) -> bool {
        self.faults.push_back(fault);
        fault != Fault::NonFinite
    }

    fn recover(&mut self) {
        self.faults.clear();
    }
}

macro_rules! never_faulty {
    ($engine:ty) => {
        impl Subject for $engine {
            fn be_faulty(&mut self, _: Fault) -> bool {
                true
            }

            fn recover(&mut self) {}
        }
    };
}

never_faulty!(evenstep_physics::Box2d);
#[cfg(feature = "rapier2d")]
never_faulty!(evenstep_physics::Rapier2d);
#[cfg(feature = "rapier3d")]
never_faulty!(evenstep_physics::Rapier3d);

impl TestEngine for FakeEngine {
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

    fn native_box(&mut self, _: Option<u32>, _: f32, _: f32, _: bool) -> u32 {
        0
    }

    fn native_body(&mut self, x: f32, y: f32) -> u32 {
        self.create(&BodyDef::new(Shape::Ball(1.0)).at(Self::pose(x, y)))
            .unwrap()
    }

    fn native_lift(&mut self, x: f32, y: f32) -> u32 {
        let def = BodyDef::new(Shape::Ball(1.0)).of_kind(BodyKind::Kinematic);
        self.create(&def.at(Self::pose(x, y))).unwrap()
    }

    fn native_move(&mut self, body: u32, x: f32, y: f32) {
        self.set_motion(body, &Motion2::at(Self::pose(x, y))).unwrap();
    }

    fn native_destroy(&mut self, body: u32) {
        self.destroy(body);
    }

    fn native_push(&mut self, _: u32, _: f32) {}

    fn native_damping(&mut self, _: u32, _: f32, _: f32) {}

    fn is_awake(&mut self, _: u32) -> bool {
        true
    }

    fn native_point_mass(&mut self, x: f32, y: f32, _: bool) -> u32 {
        self.native_body(x, y)
    }

    fn native_hinge(&mut self, _: u32, _: u32, _: f32) {}
}
