// Bodies in the plane, each at its place between two steps. The aim is a ring.

const AIM: u32 = 10001u;

struct View { scale: vec2<f32>, middle: vec2<f32> }

@group(0) @binding(0) var<uniform> alpha: f32;
@group(0) @binding(1) var<uniform> view: View;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) point: vec2<f32>,
    @location(1) @interpolate(flat) body: u32,
    @location(2) @interpolate(flat) colour: vec3<f32>,
}

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) previous: vec4<f32>, @location(1) current: vec4<f32>,
    @location(8) half: vec3<f32>, @location(9) colour: vec3<f32>,
) -> Corner {
    let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let pose = evenstep_blend2(previous, current, alpha);
    let place = evenstep_transform2(pose, point * half.xy) - view.middle;
    return Corner(vec4<f32>(place * view.scale, 0.0, 1.0), point, body, colour);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let distance = length(corner.point);
    let ring = step(0.95, distance) * step(distance, 1.0) + step(distance, 0.04);
    return vec4<f32>(corner.colour, select(1.0, 0.8 * ring, corner.body == AIM));
}
