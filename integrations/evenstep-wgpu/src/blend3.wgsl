// Bodies in space. A pose is a position and a unit quaternion (x, y, z, w).

// Below this angle, as the cosine of half of it, a straight line is as good as the arc.
const EVENSTEP_NEARLY_EQUAL: f32 = 0.9995;

// The position between the last two steps at `alpha`.
fn evenstep_position3(previous: vec3<f32>, current: vec3<f32>, alpha: f32) -> vec3<f32> {
    return previous - (previous - current) * alpha;
}

// The rotation between the last two steps at `alpha`, the short way round.
fn evenstep_rotation3(previous: vec4<f32>, current: vec4<f32>, alpha: f32) -> vec4<f32> {
    // A quaternion and its negative are the same rotation; the nearer of the two is the shorter way.
    let cosine = dot(previous, current);
    let target_turn = select(current, -current, cosine < 0.0);
    // What rests keeps its bits.
    if all(previous == target_turn) {
        return previous;
    }
    if abs(cosine) > EVENSTEP_NEARLY_EQUAL {
        return normalize(previous - (previous - target_turn) * alpha);
    }
    let angle = acos(min(abs(cosine), 1.0));
    return normalize(previous * sin((1.0 - alpha) * angle) + target_turn * sin(alpha * angle));
}

// Where a point of a body is.
fn evenstep_place3(position: vec3<f32>, rotation: vec4<f32>, point: vec3<f32>) -> vec3<f32> {
    let twice = 2.0 * cross(rotation.xyz, point);
    return position + point + rotation.w * twice + cross(rotation.xyz, twice);
}
