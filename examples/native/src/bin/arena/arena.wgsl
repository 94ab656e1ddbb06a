// Boxes in space, each interpolated between two steps, and their shadows on the floor. The player is attached to a body and placed by the
// program.

const FLOOR: u32 = 0u;
const PLATFORMS: u32 = 1u;
const WALLS: u32 = 4u;
const PILLARS: u32 = 8u;
const TARGETS: u32 = 12u;
const SHOTS: u32 = 18u;
const SKY: u32 = 34u;
const PLAYER: u32 = 35u;
const SHADOW: u32 = 36u; // stands for the body in the fragments of a shadow
const HAZE = vec3<f32>(0.80, 0.87, 0.94);
const ZENITH = vec3<f32>(0.27, 0.50, 0.84);
const SUN = vec3<f32>(0.446, 0.744, 0.496); // the direction to it, of length 1
const FLOOR_COLOUR = vec3<f32>(0.42, 0.45, 0.52);

struct View { matrix: mat4x4<f32>, feet: vec4<f32>, player_turn: vec4<f32>, eyes: vec4<f32> }

@group(0) @binding(0) var<uniform> alpha: f32;
@group(0) @binding(1) var<uniform> view: View;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) local: vec3<f32>, // from -1 to 1
    @location(2) @interpolate(flat) body: u32,
    @location(3) @interpolate(flat) colour: vec3<f32>,
}

// The corners of a box as one strip: bit n of each number says on which side the n-th corner is.
fn corner_of_box(n: u32) -> vec3<f32> {
    let sides = vec3<u32>(0x287au, 0x02afu, 0x31e3u) >> vec3<u32>(n);
    return vec3<f32>(sides & vec3<u32>(1u)) * 2.0 - 1.0;
}

// The strip of a body has 14 corners, and that of its shadow as many. Between them, two repeated corners make empty triangles.
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
    let is_shadow = corner > 14u;
    let local = corner_of_box(select(min(corner, 13u), max(corner, 16u) - 16u, is_shadow));
    var world = evenstep_transform3(place, turn, local * half);
    if is_shadow {
        if body == FLOOR || body == SKY || place.y < 0.0 {
            world = vec3<f32>(0.0, -1.0, 0.0); // none, below the floor
        } else {
            world -= SUN * (world.y / SUN.y);
            world.y = 0.012;
        }
    }
    return Corner(view.matrix * vec4<f32>(world, 1.0), world, local, select(body, SHADOW, is_shadow), colour);
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    let glow = pow(max(dot(direction, SUN), 0.0), 24.0);
    return mix(HAZE, ZENITH, smoothstep(0.0, 0.7, direction.y)) + glow * vec3<f32>(0.35, 0.28, 0.15);
}

fn floor_pattern(world: vec3<f32>) -> f32 {
    let tile = floor(world.x * 0.5) + floor(world.z * 0.5);
    return 0.84 + 0.16 * abs(tile % 2.0);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let ahead = corner.world - view.eyes.xyz;
    let normal = normalize(cross(dpdy(corner.world), dpdx(corner.world)));
    if corner.body == SKY {
        return vec4<f32>(sky(normalize(ahead)), 1.0);
    }
    let body = corner.body;
    let is_shadow = body == SHADOW;
    if is_shadow && max(abs(corner.world.x), abs(corner.world.z)) > 15.0 {
        discard;
    }
    var colour = select(corner.colour, FLOOR_COLOUR, is_shadow);
    let up = select(normal.y, 1.0, is_shadow);
    let sun = select(max(dot(normal, SUN), 0.0), 0.0, is_shadow);
    // From the sky comes bluish light, from the sun yellowish light.
    var light = (0.56 + 0.14 * up) * vec3<f32>(0.95, 0.99, 1.06) + 0.46 * sun * vec3<f32>(1.06, 1.0, 0.90);
    if is_shadow || body == FLOOR {
        colour *= floor_pattern(corner.world);
    } else {
        // Bodies are darker near the floor, like ambient occlusion.
        light *= 1.0 - 0.3 * exp(-1.5 * max(corner.world.y, 0.0)) * (1.0 - abs(up));
    }
    // The distance from the nearest edge of the face: the second largest coordinate is 1 there.
    let along = abs(corner.local);
    let edge = max(min(along.x, along.y), min(max(along.x, along.y), along.z));
    if body >= TARGETS && body < SHOTS {
        colour *= mix(1.0, 0.68, smoothstep(0.70, 0.74, edge));
    } else if body >= PLATFORMS && body < WALLS {
        colour *= mix(0.92, 1.12, smoothstep(0.90, 0.92, edge));
    } else if body >= PILLARS && body < TARGETS {
        let joint = abs(fract(corner.world.y + 0.5) - 0.5);
        colour *= mix(0.78, 1.0, smoothstep(0.02, 0.05, joint));
    } else if body >= WALLS && body < PILLARS {
        let along_wall = select(corner.world.x, corner.world.z, abs(corner.local.x) > 0.999);
        let joint = abs(fract(along_wall / 3.0 + 0.5) - 0.5);
        colour *= mix(0.82, 1.0, smoothstep(0.01, 0.025, joint)) * mix(1.0, 1.25, step(2.75, corner.world.y));
    } else if body >= SHOTS && body < SKY {
        light = vec3<f32>(1.1);
    }
    let haze = 1.0 - exp(-0.010 * length(ahead));
    return vec4<f32>(mix(colour * light, HAZE, haze), 1.0);
}
