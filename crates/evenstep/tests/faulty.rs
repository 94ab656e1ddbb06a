//! A game of two players with a fault that parts it from the same game on another machine. The tests of sessions of GGRS use it, too.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use evenstep::history::Rewind;
use evenstep::inspect::hash;
use evenstep::{Inspect, Step, Tick};

#[derive(Clone, Default, Inspect)]
struct Rng {
    state: u64,
}

impl Rng {
    /// Knuth's MMIX generator.
    fn next(&mut self) -> f32 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1 << 24) as f32
    }
}

#[derive(Clone, Default, Inspect)]
struct Weapon {
    cooldown: f32,
}

#[derive(Clone, Default, Inspect)]
struct Player {
    position: [f32; 2],
    lean: f32,
    /// NaN without a target.
    aim: f32,
    weapon: Weapon,
}

#[derive(Clone, Default, Inspect)]
pub(crate) struct State {
    rng: Rng,
    players: [Player; 2],
    load: f32,
    elapsed: f32,
    marked: Option<u32>,
    next_cry: u32,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    HashMapOrder,
    NanPayload,
    SumInAnotherOrder,
    SignOfZero,
    TimeReadInAStep,
    RandomNumberDrawnInRendering,
    LateInput,
    FieldForgottenInRestore,
    SoundThatSteps,
    SystemOrder,
}

use Fault::*;

impl Fault {
    pub(crate) const ALL: [Self; 10] = [
        HashMapOrder,
        NanPayload,
        SumInAnotherOrder,
        SignOfZero,
        TimeReadInAStep,
        RandomNumberDrawnInRendering,
        LateInput,
        FieldForgottenInRestore,
        SoundThatSteps,
        SystemOrder,
    ];

    /// The values of which the first is one that the fault changes first, when it does so to this player.
    pub(crate) fn paths(self, player: usize) -> Vec<String> {
        let each = |field: &str| (0..2).map(|player| format!("players[{player}].{field}")).collect();
        match self {
            HashMapOrder => vec!["marked.0".to_owned()],
            NanPayload => vec![format!("players[{player}].aim")],
            SumInAnotherOrder => vec!["load".to_owned()],
            SignOfZero => vec![format!("players[{player}].lean")],
            TimeReadInAStep => vec!["elapsed".to_owned()],
            RandomNumberDrawnInRendering => vec!["rng.state".to_owned()],
            LateInput | SystemOrder => each("position[0]"),
            FieldForgottenInRestore => each("weapon.cooldown"),
            SoundThatSteps => vec!["next_cry".to_owned()],
        }
    }
}

/// A hasher with a seed, as `std`'s has one at random.
#[derive(Clone, Default)]
struct Seeded(u64);

impl BuildHasher for Seeded {
    type Hasher = Self;
    fn build_hasher(&self) -> Self {
        self.clone()
    }
}

impl Hasher for Seeded {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29);
        }
    }
}

/// The key that iteration over a map meets first.
fn first_of_map(seed: u64) -> Option<u32> {
    let mut map = HashMap::with_hasher(Seeded(seed));
    map.extend((0..16).map(|id| (id, ())));
    map.into_keys().next()
}

/// The game, and the fault that its program has from a tick on.
pub(crate) struct Faulty {
    state: State,
    fault: Option<(Fault, Tick)>,
    seed: u64,
    last_inputs: [u8; 2],
    /// The hash of the state before each tick, from its last simulation.
    pub(crate) hashes: Vec<u64>,
}

impl Faulty {
    pub(crate) fn new(seed: u64, fault: Option<(Fault, Tick)>) -> Self {
        let rng = Rng { state: seed };
        Self {
            state: State {
                rng,
                ..State::default()
            },
            fault,
            seed,
            last_inputs: [0; 2],
            hashes: Vec::new(),
        }
    }

    fn has(&self, fault: Fault, tick: Tick) -> bool {
        self.fault.is_some_and(|(own, from)| own == fault && tick >= from)
    }

    /// The present tick.
    fn tick(&self) -> Tick {
        self.hashes.len() as Tick
    }

    /// Draws a frame and plays its sounds.
    pub(crate) fn draw(&mut self) {
        if self.has(RandomNumberDrawnInRendering, self.tick()) {
            self.state.rng.next();
        }
        if self.has(SoundThatSteps, self.tick()) {
            self.state.next_cry += 1;
        }
    }
}

const DT: f32 = 1.0 / 60.0;

impl Rewind for Faulty {
    type Saved = State;
    type Input = [u8; 2];

    fn save(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, saved: &State) {
        let now = self.state.clone();
        self.state.clone_from(saved);
        if self.has(FieldForgottenInRestore, self.tick()) {
            for (player, now) in self.state.players.iter_mut().zip(now.players) {
                player.weapon = now.weapon;
            }
        }
    }

    fn step(&mut self, step: &Step, inputs: &[u8; 2]) {
        let tick = step.tick;
        self.hashes.truncate(tick as usize);
        assert_eq!(self.tick(), tick, "steps come in order");
        self.hashes.push(hash(&self.state));
        let is_late = self.has(LateInput, tick);
        let inputs = if is_late { self.last_inputs } else { *inputs };
        self.last_inputs = inputs;
        if is_late {
            self.last_inputs = inputs.map(|input| input ^ 2);
        }
        let wind = self.state.rng.next();
        let moves = inputs.map(|input| 1.0 + f32::from(input >> 1));
        for (player, by) in self.state.players.iter_mut().zip(moves) {
            let x = player.position[0];
            player.position[0] = match self.fault {
                Some((SystemOrder, from)) if tick >= from => (x + by) * 0.5,
                _ => x * 0.5 + by,
            };
        }
        for (player, input) in self.state.players.iter_mut().zip(inputs) {
            player.position[1] += wind * DT;
            player.lean = 0.0;
            player.aim = f32::from_bits(0x7FC0_0000);
            player.weapon.cooldown = (player.weapon.cooldown - DT).max(0.0);
            if input & 1 == 1 && player.weapon.cooldown == 0.0 {
                player.weapon.cooldown = 0.25;
            }
        }
        let victim = (self.seed % 2) as usize;
        if self.has(NanPayload, tick) {
            self.state.players[victim].aim = f32::from_bits(0x7FC0_0001 + self.seed as u32);
        }
        if self.has(SignOfZero, tick) {
            self.state.players[victim].lean *= -1.0;
        }
        let loads = [1e8, -1e8, 3.0 + self.state.players[victim].position[1]];
        self.state.load = match self.has(SumInAnotherOrder, tick) {
            true => loads.iter().rev().sum(),
            false => loads.iter().sum(),
        };
        let is_measured = self.has(TimeReadInAStep, tick);
        self.state.elapsed += if is_measured {
            DT + 0.001 * (1 + self.seed) as f32
        } else {
            DT
        };
        self.state.marked = first_of_map(self.seed);
        if self.has(HashMapOrder, tick) {
            let others = (self.seed + 1..).map(first_of_map);
            self.state.marked = others.into_iter().find(|first| *first != self.state.marked).flatten();
        }
    }
}
