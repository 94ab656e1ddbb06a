//! How many kilobits a second the states of 901 cubes take, whole and compressed by crates that exist.
//!
//! `cargo run --release -p evenstep-network-examples --bin cubes`

use std::io::{Error, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// As in Glenn Fiedler's articles on snapshot compression, whose goal is 256 kilobits a second.
const CUBES: usize = 901;
const RATE: usize = 60;

/// The acknowledged state is as many ticks old: a round trip of 100 ms.
const ROUND_TRIP: usize = 6;

/// A cube: where it is, how it is turned, and how fast both change.
#[derive(Clone, Copy, Default)]
struct Cube {
    position: [f32; 3],
    rotation: [f32; 4],
    velocity: [f32; 2],
}

/// 900 cubes on a floor, and one that a player drives through them in circles. Those that it meets are pushed aside, roll, and come to rest. The
/// motion is our own, of `+ − × ÷ √` only, so that it is the same everywhere; an engine's cubes would pile up.
fn scene() -> Vec<Cube> {
    let cube = |x: f32, z: f32| Cube {
        position: [x, 0.2, z],
        rotation: [0.0, 0.0, 0.0, 1.0],
        velocity: [0.0; 2],
    };
    let field = (0..CUBES - 1).map(|number| cube((number % 30) as f32 - 14.5, (number / 30) as f32 - 14.5));
    field.chain([cube(9.0, 0.0)]).collect()
}

fn step(cubes: &mut [Cube], tick: usize) {
    const DT: f32 = 1.0 / RATE as f32;
    let player = cubes.len() - 1;
    // Towards one of four corners after the other.
    let corner = [[9.0, 9.0], [-9.0, 9.0], [-9.0, -9.0], [9.0, -9.0]][tick / (2 * RATE) % 4];
    let at = cubes[player].position;
    cubes[player].velocity = [(corner[0] - at[0]) * 2.0, (corner[1] - at[2]) * 2.0];
    let (at, speed) = (cubes[player].position, cubes[player].velocity);
    for (number, cube) in cubes.iter_mut().enumerate() {
        let apart = [cube.position[0] - at[0], cube.position[2] - at[2]];
        let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
        if number != player && distance < 1.5 {
            let push = 4.0 * (1.5 - distance) / distance.max(0.1);
            cube.velocity = [speed[0] * 0.5 + apart[0] * push, speed[1] * 0.5 + apart[1] * push];
        }
        let [vx, vz] = cube.velocity;
        cube.position[0] += vx * DT;
        cube.position[2] += vz * DT;
        // It rolls: half the angle of this tick about the axis across the motion.
        let [x, y, z, w] = cube.rotation;
        let (a, c) = (vz * DT * 0.5, -vx * DT * 0.5);
        let turned = [
            x + a * w - c * y,
            y + c * x - a * z,
            z + c * w + a * y,
            w - a * x - c * z,
        ];
        let length = turned.iter().map(|part| part * part).sum::<f32>().sqrt();
        cube.rotation = turned.map(|part| part / length);
        let slower = [vx * 0.97, vz * 0.97];
        let is_at_rest = slower[0] * slower[0] + slower[1] * slower[1] < 0.01;
        cube.velocity = if is_at_rest { [0.0; 2] } else { slower };
    }
}

/// Position and rotation of each cube, 28 bytes.
fn serialize(cubes: &[Cube]) -> Vec<u8> {
    let numbers = cubes
        .iter()
        .flat_map(|cube| cube.position.into_iter().chain(cube.rotation));
    numbers.flat_map(f32::to_le_bytes).collect()
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn main() -> Result<(), Error> {
    let seconds = 20;
    let mut cubes = scene();
    let mut states: Vec<Vec<u8>> = Vec::new();
    let mut bytes = [0_usize; 6];
    let mut moving = 0;
    for tick in 0..seconds * RATE {
        step(&mut cubes, tick);
        moving += cubes.iter().filter(|cube| cube.velocity != [0.0; 2]).count();
        states.push(serialize(&cubes));
        let state = &states[tick];
        let acknowledged = &states[tick.saturating_sub(ROUND_TRIP)];
        let xor: Vec<u8> = state.iter().zip(acknowledged).map(|(new, old)| new ^ old).collect();
        let sizes = [
            state.len(),
            lz4_flex::compress(state).len(),
            deflate(state)?.len(),
            xor.len(),
            lz4_flex::compress(&xor).len(),
            deflate(&xor)?.len(),
        ];
        bytes.iter_mut().zip(sizes).for_each(|(sum, size)| *sum += size);
    }
    println!(
        "{CUBES} cubes, of which {} move at a time; {RATE} states a second",
        moving / (seconds * RATE)
    );
    let names = [
        "whole",
        "whole, lz4",
        "whole, deflate",
        "xor",
        "xor, lz4",
        "xor, deflate",
    ];
    for (name, sum) in names.iter().zip(bytes) {
        println!("{name}: {} kbit/s", sum * 8 / 1000 / seconds);
    }
    Ok(())
}
