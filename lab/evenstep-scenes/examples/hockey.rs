//! A shot of the scene `hockey`: how it ends, after which tick, and the hash of its state, as the page's figure shows them.
//!
//! `cargo run -p evenstep-scenes --example hockey LEVEL CHARGES`, with charges as in the page's address.

use std::error::Error;

use evenstep::Step;
use evenstep_scenes::{Outcome, SceneInfo};

fn main() -> Result<(), Box<dyn Error>> {
    let info = SceneInfo::by_name("hockey").ok_or("no scene is called hockey")?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let settings = arguments.iter().zip(["level", "charges"]);
    let settings: Vec<String> = settings.map(|(value, key)| format!("{key}={value}")).collect();
    let mut game = info.build_with(settings.iter().map(String::as_str))?;
    let mut tick = 0;
    while game.outcome() == Outcome::Running {
        game.step(&Step::new(tick, info.rate));
        tick += 1;
    }
    println!("{:?} after tick {tick}, hash {:016x}", game.outcome(), game.hash());
    Ok(())
}
