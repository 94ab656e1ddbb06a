// Bodies in space. A pose is a position and a unit quaternion (x, y, z, w).

// The cosine of half the angle above which linear interpolation is used instead of spherical.
const EVENSTEP_NEARLY_EQUAL: f32 = 0.9995;

// The position between the last two steps at `alpha`.
fn evenstep_position3(previous: vec3<f32>, current: vec3<f32>, alpha: f32) -> vec3<f32> {
    return previous - (previous - current) * alpha;
}

// The rotation between the last two steps at `alpha`, the shorter way round.
fn evenstep_rotation3(previous: vec4<f32>, current: vec4<f32>, alpha: f32) -> vec4<f32> {
    // A quaternion and its negative are the same rotation; choose the nearer one.
    let cosine = dot(previous, current);
    let target_turn = select(current, -current, cosine < 0.0);
    // An unchanged rotation stays bit-identical.
    if all(previous == target_turn) {
        return previous;
    }
    if abs(cosine) > EVENSTEP_NEARLY_EQUAL {
        return normalize(previous - (previous - target_turn) * alpha);
    }
    let angle = acos(min(abs(cosine), 1.0));
    return normalize(previous * sin((1.0 - alpha) * angle) + target_turn * sin(alpha * angle));
}

// Transforms a point from the body's coordinates to the world's.
fn evenstep_transform3(position: vec3<f32>, rotation: vec4<f32>, point: vec3<f32>) -> vec3<f32> {
    let twice = 2.0 * cross(rotation.xyz, point);
    return position + point + rotation.w * twice + cross(rotation.xyz, twice);
}
