//! A shot of the scene `hockey`: how it ends, after which tick, and the hash of its state, as the page's figure shows them.
//!
//! `cargo run -p evenstep-scenes --example hockey LEVEL CHARGES`, with charges as in the page's address.

use std::error::Error;

use evenstep::Step;
use evenstep_scenes::hockey::{Hockey, INFO, Level};
use evenstep_scenes::{Outcome, Scene as _, SceneState as _};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(level), Some(charges)) = (arguments.next(), arguments.next()) else {
        return Err("give a level and charges: hockey 3 solution".into());
    };
    let (level, charges) = Level::read(level.parse()?, &charges)?;
    let mut game = Hockey::new(level, &charges)?;
    let mut tick = 0;
    while game.outcome() == Outcome::Running {
        game.step(&Step::new(tick, INFO.rate));
        tick += 1;
    }
    println!("{:?} after tick {tick}, hash {:016x}", game.outcome(), game.hash());
    Ok(())
}
