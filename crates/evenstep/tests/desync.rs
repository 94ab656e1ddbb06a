//! Faults that part two machines, planted in a small game: the tick and the path of each are named.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hasher};

use evenstep::Snapshot;
use evenstep::snapshot::{Desync, Dump, hash};

const DT: f32 = 1.0 / 60.0;

#[derive(Clone, Default, Snapshot)]
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

#[derive(Clone, Default, Snapshot)]
struct Weapon {
    cooldown: f32,
}

#[derive(Clone, Default, Snapshot)]
struct Player {
    position: [f32; 2],
    lean: f32,
    /// NaN without a target.
    aim: f32,
    weapon: Weapon,
}

#[derive(Clone, Default, Snapshot)]
struct Game {
    rng: Rng,
    players: Vec<Player>,
    load: f32,
    elapsed: f32,
    marked: Option<u32>,
    next_cry: u32,
    shots: BTreeMap<String, u32>,
    #[snapshot(skip)]
    sparks: Vec<f32>,
}

/// The ten kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    HashMapOrder,
    NanPayload,
    SumInAnotherOrder,
    SignOfZero,
    TimeReadInAStep,
    RandomNumberDrawnInRendering,
    LateInput,
    FieldForgottenInSave,
    SoundThatSteps,
    SystemOrder,
}

use Fault::*;

const FAULTS: [Fault; 10] = [
    HashMapOrder,
    NanPayload,
    SumInAnotherOrder,
    SignOfZero,
    TimeReadInAStep,
    RandomNumberDrawnInRendering,
    LateInput,
    FieldForgottenInSave,
    SoundThatSteps,
    SystemOrder,
];

/// Whether each player fires, and how it moves.
type Inputs = [(bool, i8); 3];

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

/// One machine: the game, the fault that its program has in one tick, and its log.
struct Machine {
    game: Game,
    fault: Option<(Fault, u64)>,
    seed: u64,
    saved: Vec<Game>,
    hashes: Vec<u64>,
}

impl Machine {
    fn new(seed: u64, fault: Option<(Fault, u64)>) -> Self {
        let players = vec![Player::default(); 3];
        let rng = Rng { state: seed };
        let game = Game {
            rng,
            players,
            ..Game::default()
        };
        Self {
            game,
            fault,
            seed,
            saved: Vec::new(),
            hashes: Vec::new(),
        }
    }

    fn has(&self, fault: Fault, tick: u64) -> bool {
        self.fault == Some((fault, tick))
    }

    fn step(&mut self, tick: u64, inputs: &Inputs) {
        let (wind, push) = (self.game.rng.next(), |game: &mut Game| {
            for (player, (_, by)) in game.players.iter_mut().zip(inputs) {
                player.position[0] += 1.0 + f32::from(*by);
            }
        });
        let drag = |game: &mut Game| game.players.iter_mut().for_each(|player| player.position[0] *= 0.5);
        if self.has(SystemOrder, tick) {
            push(&mut self.game);
            drag(&mut self.game);
        } else {
            drag(&mut self.game);
            push(&mut self.game);
        }
        for (index, (player, (fires, _))) in self.game.players.iter_mut().zip(inputs).enumerate() {
            player.position[1] += wind * DT;
            player.lean = 0.0;
            player.aim = f32::from_bits(0x7FC0_0000);
            player.weapon.cooldown = (player.weapon.cooldown - DT).max(0.0);
            if *fires && player.weapon.cooldown == 0.0 {
                player.weapon.cooldown = 0.25;
                *self.game.shots.entry(format!("player {index}")).or_default() += 1;
            }
        }
        let victim = (self.seed % 3) as usize;
        if self.has(NanPayload, tick) {
            self.game.players[victim].aim = f32::from_bits(0x7FC0_0001 + self.seed as u32);
        }
        if self.has(SignOfZero, tick) {
            self.game.players[victim].lean *= -1.0;
        }
        let loads = [1e8, -1e8, 3.0 + self.game.players[victim].position[1]];
        self.game.load = if self.has(SumInAnotherOrder, tick) {
            loads.iter().rev().sum()
        } else {
            loads.iter().sum()
        };
        let frame = DT + 0.001 * (1 + self.seed) as f32;
        self.game.elapsed += if self.has(TimeReadInAStep, tick) { frame } else { DT };
        self.game.marked = first_of_map(self.seed);
        if self.has(HashMapOrder, tick) {
            let others = (self.seed + 1..).map(first_of_map);
            self.game.marked = others.into_iter().find(|first| *first != self.game.marked).flatten();
        }
    }

    /// The frame that shows a tick.
    fn draw(&mut self, tick: u64) {
        let spark = match self.has(RandomNumberDrawnInRendering, tick) {
            true => self.game.rng.next(),
            false => 0.5,
        };
        self.game.sparks.push(spark);
        if self.has(SoundThatSteps, tick) {
            self.game.next_cry += 1;
        }
    }

    fn restore(&mut self, tick: u64) {
        let mut saved = self.saved[tick as usize].clone();
        for (player, now) in saved.players.iter_mut().zip(&self.game.players) {
            player.weapon = now.weapon.clone(); // forgotten
        }
        self.game = saved;
    }

    fn run(&mut self, ticks: u64, inputs: impl Fn(u64) -> Inputs) {
        for tick in 0..ticks {
            self.hashes.push(hash(&self.game));
            self.saved.push(self.game.clone());
            // An input that is late acts a tick later.
            let late = self.has(LateInput, tick);
            self.step(tick, &inputs(tick - u64::from(late)));
            if self.has(FieldForgottenInSave, tick) {
                self.restore(tick - 2);
                (tick - 2..=tick).for_each(|tick| self.step(tick, &inputs(tick)));
            }
            self.draw(tick);
        }
    }
}

/// What two machines with these logs report.
fn report(here: &Machine, there: &Machine) -> Option<Desync> {
    let mut ticks = here.hashes.iter().zip(&there.hashes);
    let tick = ticks.position(|(here, there)| here != there)?;
    Dump::new(tick as u64, &here.saved[tick]).compare(&Dump::new(tick as u64, &there.saved[tick]))
}

#[test]
fn a_hundred_planted_faults_of_ten_kinds_are_named_by_tick_and_path() {
    let mut named = 0;
    for fault in FAULTS {
        for seed in 0..10_u64 {
            let (tick, victim) = (10 + 7 * seed, (seed % 3) as usize);
            // The victim fires and moves for one tick, just before and when the fault acts.
            let inputs = |now: u64| {
                let mut inputs = [(false, 0); 3];
                inputs[victim] = (now == tick - 1, i8::from(now == tick));
                inputs
            };
            let (mut here, mut there) = (Machine::new(seed, None), Machine::new(seed, Some((fault, tick))));
            here.run(100, inputs);
            there.run(100, inputs);
            let desync = report(&here, &there).unwrap_or_else(|| panic!("{fault:?}, {seed}: nothing differs"));
            let path = match fault {
                HashMapOrder => "marked.0".to_owned(),
                NanPayload => format!("players[{victim}].aim"),
                SumInAnotherOrder => "load".to_owned(),
                SignOfZero => format!("players[{victim}].lean"),
                TimeReadInAStep => "elapsed".to_owned(),
                RandomNumberDrawnInRendering => "rng.state".to_owned(),
                LateInput => format!("players[{victim}].position[0]"),
                FieldForgottenInSave => format!("players[{victim}].weapon.cooldown"),
                SoundThatSteps => "next_cry".to_owned(),
                SystemOrder => "players[0].position[0]".to_owned(),
            };
            // The state before the next tick is the first that differs.
            assert_eq!(desync.tick, tick + 1, "{fault:?}, {seed}: {desync}");
            assert_eq!(desync.differences[0].path, path, "{fault:?}, {seed}: {desync}");
            named += 1;
        }
    }
    assert_eq!(named, 100);
}

#[test]
fn machines_without_a_fault_agree_whatever_they_draw() {
    let (mut here, mut there) = (Machine::new(5, None), Machine::new(5, None));
    here.run(100, |_| [(true, 1); 3]);
    there.run(100, |_| [(true, 1); 3]);
    there.game.sparks.push(7.0);
    assert_eq!(report(&here, &there), None);
    assert_eq!(hash(&here.game), hash(&there.game));
}
