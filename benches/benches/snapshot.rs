//! The cost of hashing a state field by field in every tick, and of finding the field in which two states differ.

use std::hint::black_box;

use evenstep::Snapshot;
use evenstep::snapshot::{Dump, hash};
use evenstep_benches::Comparison;

const ENTITIES: usize = 10_000;

/// The number of entities of which all pairs are compared in a step.
const CROWD: usize = 500;

/// The number of values of an entity.
const VALUES: usize = 8;

#[derive(Clone, Snapshot)]
struct Entity {
    position: [f32; 3],
    velocity: [f32; 3],
    health: u32,
    cooldown: f32,
}

fn entities(count: usize) -> Vec<Entity> {
    let entity = |n: usize| Entity {
        position: [n as f32 * 0.25, (n % 97) as f32, (n % 31) as f32],
        velocity: [1.0, 0.0, -1.0],
        health: 100,
        cooldown: 0.25,
    };
    (0..count).map(entity).collect()
}

/// Hashes by hand: the fields as bytes, then FNV-1a.
fn fnv_of_bytes(entities: &[Entity], bytes: &mut Vec<u8>) -> u64 {
    bytes.clear();
    for entity in entities {
        let floats = entity.position.iter().chain(&entity.velocity).chain([&entity.cooldown]);
        floats.for_each(|float| bytes.extend(float.to_bits().to_le_bytes()));
        bytes.extend(entity.health.to_le_bytes());
    }
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
    })
}

/// Lets entities fall and bounce: a step with very little work.
fn fall(entities: &mut [Entity]) {
    for entity in entities {
        entity.velocity[1] -= 9.81 / 60.0;
        for axis in 0..3 {
            entity.position[axis] += entity.velocity[axis] / 60.0;
        }
        if entity.position[1] < 0.0 {
            (entity.position[1], entity.velocity[1]) = (0.0, -0.8 * entity.velocity[1]);
        }
        entity.cooldown = (entity.cooldown - 1.0 / 60.0).max(0.0);
    }
}

/// Lets entities fall, and push away others that are near.
fn push_apart(entities: &mut [Entity]) {
    for first in 0..entities.len() {
        let (left, right) = entities.split_at_mut(first + 1);
        let one = &mut left[first];
        for other in right {
            let apart: [f32; 3] = std::array::from_fn(|axis| other.position[axis] - one.position[axis]);
            let square: f32 = apart.iter().map(|part| part * part).sum();
            if square < 1.0 {
                for (axis, part) in apart.into_iter().enumerate() {
                    one.velocity[axis] -= part;
                    other.velocity[axis] += part;
                }
            }
        }
    }
    fall(entities);
}

fn main() {
    let (here, mut falling) = (entities(ENTITIES), entities(ENTITIES));
    let mut bytes = Vec::new();
    let title = "A value of a state of 10 000 entities";
    let table = Comparison::new(title, ENTITIES * VALUES)
        .entry("bytes by hand, FNV-1a", || {
            black_box(fnv_of_bytes(black_box(&here), &mut bytes));
        })
        .entry("derive, hash", || {
            black_box(hash(black_box(&here)));
        })
        .entry("a step that only falls", || fall(black_box(&mut falling)))
        .run();
    println!("{table}");

    let (crowd, mut pushed) = (entities(CROWD), entities(CROWD));
    let table = Comparison::new("A value of a state of 500 entities", CROWD * VALUES)
        .entry("a step of all pairs", || push_apart(black_box(&mut pushed)))
        .entry("derive, hash", || {
            black_box(hash(black_box(&crowd)));
        })
        .run();
    println!("{table}");

    let mut there = here.clone();
    there[ENTITIES / 2].cooldown = f32::from_bits(there[ENTITIES / 2].cooldown.to_bits() + 1);
    let hashes: Vec<u64> = (0..10_000).collect();
    let mut others = hashes.clone();
    others[9_999] += 1;
    let table = Comparison::new(
        "A value, when two logs of 10 000 ticks differ in the last",
        ENTITIES * VALUES,
    )
    .entry("derive, hash", || {
        black_box(hash(black_box(&here)));
    })
    .entry("first tick, two dumps, compared", || {
        let mut ticks = black_box(&hashes).iter().zip(black_box(&others));
        let tick = ticks.position(|(here, there)| here != there).unwrap_or(0) as u64;
        let desync = Dump::new(tick, black_box(&here)).compare(&Dump::new(tick, black_box(&there)));
        assert!(desync.is_some_and(|desync| desync.differences.len() == 1));
    })
    .run();
    println!("{table}");
}
