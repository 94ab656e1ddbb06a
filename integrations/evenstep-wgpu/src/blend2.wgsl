// Bodies in the plane. A pose is a position and the cosine and sine of an angle: (x, y, cos, sin).

// The pose between the last two steps at `alpha`; the rotation takes the shorter way.
fn evenstep_blend2(previous: vec4<f32>, current: vec4<f32>, alpha: f32) -> vec4<f32> {
    let between = previous - (previous - current) * alpha;
    let square = dot(between.zw, between.zw);
    // For half a turn both ways are equally short: take the nearer end.
    let nearer = select(current.zw, previous.zw, alpha < 0.5);
    let turn = select(between.zw * inverseSqrt(square), nearer, square < 1e-6);
    // An unchanged rotation stays bit-identical.
    let rests = all(previous.zw == current.zw);
    return vec4<f32>(between.xy, select(turn, previous.zw, rests));
}

// Transforms a point from the body's coordinates to the world's.
fn evenstep_transform2(pose: vec4<f32>, point: vec2<f32>) -> vec2<f32> {
    let turned = vec2<f32>(pose.z * point.x - pose.w * point.y, pose.w * point.x + pose.z * point.y);
    return pose.xy + turned;
}
