//! `Inspect` for the types of this crate that a state may hold.

use crate::drawing::{Angle, PositionVelocity, Smoothed};
use crate::inspect::visit::{Inspect, Visitor, inspect_fields};
use crate::poses::{Affine2, Affine3, Motion2, Motion3, Pose2, Pose3, Quat, Rot2};
use crate::time::{Rate, SimDuration, SimTime, TimeScale};

macro_rules! methods {
    ($($ty:ident $(<$param:ident: $bound:ident>)? { $($name:ident)* } )*) => {$(
        impl $(<$param: Inspect + $bound>)? Inspect for $ty $(<$param>)? {
            #[inline]
            fn visit(&self, visitor: &mut impl Visitor) {
                $(visitor.field(stringify!($name), &self.$name());)*
            }
        }
    )*};
}

methods! {
    Angle { radians }
    SimTime { secs subsec }
    SimDuration { secs subsec }
    Rate { numer denom }
    TimeScale { numer denom }
    Smoothed<T: Clone> { previous current is_teleport }
}

inspect_fields! {
    PositionVelocity<T> { position velocity }
    Rot2 { cos sin }
    Quat { x y z w }
    Pose2 { position rotation }
    Pose3 { position rotation }
    Affine2 { columns }
    Affine3 { columns }
    Motion2 { pose velocity angular_velocity }
    Motion3 { pose velocity angular_velocity }
}
