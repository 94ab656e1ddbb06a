// Blends bodies in space between their last two steps. A pose is a position and a unit quaternion (x, y, z, w).

// The cosine of half the angle above which linear interpolation is used instead of spherical.
const NEARLY_EQUAL: f32 = 0.9995;

@group(0) @binding(0) var<uniform> alpha: f32;

// The rotation between the last two steps at `alpha`, the shorter way round.
fn blend_rotation(previous: vec4<f32>, current: vec4<f32>, alpha: f32) -> vec4<f32> {
    // A quaternion and its negative are the same rotation; choose the nearer one.
    let cosine = dot(previous, current);
    let target_turn = select(current, -current, cosine < 0.0);
    // An unchanged rotation stays bit-identical.
    if all(previous == target_turn) {
        return previous;
    }
    if abs(cosine) > NEARLY_EQUAL {
        return normalize(previous - (previous - target_turn) * alpha);
    }
    let angle = acos(min(abs(cosine), 1.0));
    return normalize(previous * sin((1.0 - alpha) * angle) + target_turn * sin(alpha * angle));
}

fn rotate(rotation: vec4<f32>, point: vec3<f32>) -> vec3<f32> {
    let twice = 2.0 * cross(rotation.xyz, point);
    return point + rotation.w * twice + cross(rotation.xyz, twice);
}

struct Corner { @builtin(position) place: vec4<f32>, @location(0) @interpolate(flat) colour: vec3<f32> }

@vertex
fn blended(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) from_place: vec3<f32>, @location(1) from_turn: vec4<f32>,
    @location(2) to_place: vec3<f32>, @location(3) to_turn: vec4<f32>,
) -> Corner {
    let place = from_place - (from_place - to_place) * alpha;
    let turn = blend_rotation(from_turn, to_turn, alpha);
    return projected(place + rotate(turn, rectangle(corner)), body);
}

// The same bodies, blended by the processor to matrices.
@vertex
fn placed(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) x: vec4<f32>, @location(1) y: vec4<f32>, @location(2) z: vec4<f32>, @location(3) place: vec4<f32>,
) -> Corner {
    let point = mat4x4<f32>(x, y, z, place) * vec4<f32>(rectangle(corner), 1.0);
    return projected(point.xyz, body);
}

fn rectangle(corner: u32) -> vec3<f32> {
    return (vec3<f32>(f32(corner & 1u), f32(corner >> 1u), 0.5) - 0.5) * vec3<f32>(0.010, 0.004, 0.0);
}

fn projected(point: vec3<f32>, body: u32) -> Corner {
    let hue = f32(body % 6151u) / 6151.0 * 6.2831853;
    let colour = 0.55 + 0.45 * cos(vec3<f32>(hue, hue + 2.1, hue + 4.2));
    return Corner(vec4<f32>(point.xy, 0.5 * point.z, point.z + 1.0), colour);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(corner.colour, 1.0);
}
