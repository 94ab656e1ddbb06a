//! Looks for charges that win a level of Electric Field Hockey, by trying random ones with a fixed seed:
//! `cargo run --release -p evenstep-scenes --example solve_level -- my-level.toml`. Prints the slowest solution found,
//! as `[[solution]]` entries for the level's file.

use std::process::ExitCode;

use evenstep::{SimTime, Step};
use evenstep_scenes::hockey::{Charge, Hockey, INFO, Level, LevelError};
use evenstep_scenes::{Outcome, Scene};

const TRIES: u32 = 200_000;

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        eprintln!("usage: solve_level LEVEL");
        return ExitCode::from(2);
    };
    match solve(&name) {
        Ok(Some((seconds, charges))) => {
            println!("# reaches the goal after {seconds:.1} s");
            for charge in charges {
                let [x, y] = charge.position;
                println!(
                    "\n[[solution]]\nposition = [{x:?}, {y:?}]\ncharge = {:?}",
                    charge.charge
                );
            }
            ExitCode::SUCCESS
        }
        Ok(None) => {
            eprintln!("no solution in {TRIES} tries");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn solve(name: &str) -> Result<Option<(f64, Vec<Charge>)>, LevelError> {
    let level = Level::find(name)?;
    let mut random = Random(1);
    let mut slowest = None;
    for _ in 0..TRIES {
        let charges: Vec<Charge> = (0..level.placeable).map(|_| random.charge(&level)).collect();
        let Ok(mut game) = Hockey::new(level.clone(), &charges) else {
            continue;
        };
        let mut ticks = 0;
        while game.outcome() == Outcome::Running {
            game.step(&Step::new(ticks, INFO.rate));
            ticks += 1;
        }
        let seconds = SimTime::at_tick(ticks, INFO.rate).as_secs_f64();
        let is_slower = slowest.as_ref().is_none_or(|(best, _)| seconds > *best);
        if game.outcome() == Outcome::Ended("goal") && is_slower {
            slowest = Some((seconds, charges));
        }
    }
    Ok(slowest)
}

/// A linear congruential generator, after D. Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn charge(&mut self, level: &Level) -> Charge {
        let [width, height] = level.size.map(|side| side as u64);
        Charge {
            position: [self.below(width) as f64, self.below(height) as f64],
            charge: (self.below(17) as f64 - 8.0) * 25.0,
        }
    }
}
