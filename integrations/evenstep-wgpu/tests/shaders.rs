//! Validates the WGSL functions, by themselves and in a shader that uses all of them.

use evenstep_wgpu::{WGSL2, WGSL3};
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn check(source: &str) {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).unwrap();
}

#[test]
fn functions_are_valid_alone_and_together() {
    check(WGSL2);
    check(WGSL3);
    check(&format!("{WGSL2}{WGSL3}"));
}

#[test]
fn a_shader_can_use_all_functions() {
    check(&format!(
        "{WGSL2}{WGSL3}
        struct Frame {{ alpha: f32 }}
        @group(0) @binding(0) var<uniform> frame: Frame;

        @vertex
        fn vertex(
            @location(0) previous: vec4<f32>, @location(1) current: vec4<f32>,
            @location(2) from_place: vec3<f32>, @location(3) from_turn: vec4<f32>,
            @location(4) to_place: vec3<f32>, @location(5) to_turn: vec4<f32>,
        ) -> @builtin(position) vec4<f32> {{
            let flat = evenstep_transform2(evenstep_blend2(previous, current, frame.alpha), vec2<f32>(1.0, 0.0));
            let place = evenstep_position3(from_place, to_place, frame.alpha);
            let turn = evenstep_rotation3(from_turn, to_turn, frame.alpha);
            return vec4<f32>(evenstep_transform3(place, turn, vec3<f32>(flat, 0.0)), 1.0);
        }}"
    ));
}
