//! All preludes together: each name of ours is ours.
#![expect(
    unused_imports,
    reason = "a name that two of them export is an error where it is used"
)]

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_evenstep::prelude::*;
use bevy_replicon::prelude::*;
use bevy_transform_interpolation::prelude::*;
use leafwing_input_manager::prelude::*;

use std::any::type_name;

#[test]
fn no_name_of_our_prelude_is_in_another_one() {
    #[derive(Clone, PartialEq)]
    struct Hit;
    let names = [
        type_name::<CurrentStep>(),
        type_name::<DisplayTimePlugin>(),
        type_name::<EvenstepPlugins>(),
        type_name::<EvenstepSystems>(),
        type_name::<ExactLoopPlugin>(),
        type_name::<Hidden>(),
        type_name::<LastFrame>(),
        type_name::<NoSmoothTransform>(),
        type_name::<PauseHiddenPlugin>(),
        type_name::<Presented<Hit>>(),
        type_name::<PreviousTransform>(),
        type_name::<Retracted<Hit>>(),
        type_name::<SmoothAhead>(),
        type_name::<SmoothTransform>(),
        type_name::<SmoothTransformPlugin>(),
        type_name::<SmoothVelocity>(),
        type_name::<StepEventPlugin<Hit>>(),
        type_name::<StepEventWriter<Hit>>(),
        type_name::<StepInput>(),
        type_name::<StepInputPlugin>(),
        type_name::<Teleport>(),
    ];
    for name in names {
        assert!(name.starts_with("bevy_evenstep::"), "{name}");
    }
}
