// Boxes in space, each interpolated between two steps. The player is attached to a body and placed by the program.

const FLOOR: u32 = 0u;
const PLAYER: u32 = 34u;
const SKY = vec3<f32>(0.62, 0.74, 0.86);

struct View { matrix: mat4x4<f32>, feet: vec4<f32>, player_turn: vec4<f32>, eyes: vec4<f32> }

@group(0) @binding(0) var<uniform> alpha: f32;
@group(0) @binding(1) var<uniform> view: View;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) @interpolate(flat) body: u32,
    @location(2) @interpolate(flat) colour: vec3<f32>,
}

// The corners of a box as one strip: bit n of each number says on which side the n-th corner is.
fn corner_of_box(n: u32) -> vec3<f32> {
    let sides = vec3<u32>(0x287au, 0x02afu, 0x31e3u) >> vec3<u32>(n);
    return vec3<f32>(sides & vec3<u32>(1u)) * 2.0 - 1.0;
}

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) from_place: vec3<f32>, @location(1) from_turn: vec4<f32>,
    @location(2) to_place: vec3<f32>, @location(3) to_turn: vec4<f32>,
    @location(8) half: vec3<f32>, @location(9) colour: vec3<f32>,
) -> Corner {
    var place = evenstep_position3(from_place, to_place, alpha);
    var turn = evenstep_rotation3(from_turn, to_turn, alpha);
    if body == PLAYER {
        place = view.feet.xyz + vec3<f32>(0.0, half.y, 0.0);
        turn = view.player_turn;
    }
    let world = evenstep_transform3(place, turn, corner_of_box(corner) * half);
    return Corner(view.matrix * vec4<f32>(world, 1.0), world, body, colour);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let normal = normalize(cross(dpdy(corner.world), dpdx(corner.world)));
    let sun = max(dot(normal, normalize(vec3<f32>(0.45, 0.75, 0.5))), 0.0);
    let light = (0.5 + 0.14 * normal.y) + 0.55 * sun;
    // Bodies are darker near the floor, like ambient occlusion.
    let foot = 1.0 - 0.3 * exp(-1.5 * max(corner.world.y, 0.0)) * (1.0 - abs(normal.y));
    let tile = floor(corner.world.x * 0.5) + floor(corner.world.z * 0.5);
    let pattern = select(1.0, 0.86 + 0.14 * abs(tile % 2.0), corner.body == FLOOR);
    let haze = 1.0 - exp(-0.012 * distance(corner.world, view.eyes.xyz));
    return vec4<f32>(mix(corner.colour * light * foot * pattern, SKY, haze), 1.0);
}
