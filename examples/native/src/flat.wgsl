// Bodies in the plane, each interpolated between two steps. The depth of a body selects its shape: 0 is a box, 1 a ball, 2 a ring,
// 3 a background, whose middle half is the scene.

struct View { scale: vec2<f32>, middle: vec2<f32> }

@group(0) @binding(0) var<uniform> alpha: f32;
@group(0) @binding(1) var<uniform> view: View;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) point: vec2<f32>,
    @location(1) @interpolate(flat) shape: f32,
    @location(2) @interpolate(flat) colour: vec3<f32>,
}

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32,
    @location(0) previous: vec4<f32>, @location(1) current: vec4<f32>,
    @location(8) half: vec3<f32>, @location(9) colour: vec3<f32>,
) -> Corner {
    let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let pose = evenstep_blend2(previous, current, alpha);
    let place = evenstep_transform2(pose, point * half.xy) - view.middle;
    return Corner(vec4<f32>(place * view.scale, 0.0, 1.0), point, half.z, colour);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let distance = length(corner.point);
    let edge = fwidth(distance);
    let inside = 1.0 - smoothstep(1.0 - edge, 1.0, distance);
    if corner.shape > 2.5 {
        return vec4<f32>(corner.colour * mix(1.0, 0.4, smoothstep(-0.5, 0.5, corner.point.y)), 1.0);
    }
    if corner.shape > 1.5 {
        let ring = inside * step(0.95, distance) + step(distance, 0.04);
        return vec4<f32>(corner.colour, 0.8 * ring);
    }
    if corner.shape > 0.5 {
        // Lit from the upper left.
        let lit = length(corner.point - vec2<f32>(-0.35, 0.4));
        let shine = 0.45 * smoothstep(0.55, 0.0, lit);
        return vec4<f32>(corner.colour * (1.15 - 0.5 * lit) + shine, inside);
    }
    return vec4<f32>(corner.colour * (0.9 + 0.12 * corner.point.y), 1.0);
}
