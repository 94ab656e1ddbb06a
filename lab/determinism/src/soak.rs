//! A simulated day at random frame times with pauses and slow motion: checks that there is no drift, no memory leak, and that the state
//! is the same as after running the ticks directly.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use evenstep_physics::{Box2d, Rapier2d, Rapier3d};

use crate::scenes::Pair;

mod clock;
mod games;
mod memory;
mod rain;
mod rates;
mod sky;
mod subject;
mod twins;

use rates::Rates;
use subject::Subject;

/// The largest simulated time, in minutes.
const DAY: u32 = 24 * 60;

/// Runs all subjects in turn, a simulated minute each, until a simulated day or a number of seconds has passed.
pub(crate) fn run(seconds: u64) -> Result<()> {
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let mut subjects = subjects()?;
    // Memory must not grow after a minute, or after a quarter of a shorter run.
    let mut memory = memory::Watch::new(Duration::from_secs(60).min(length / 4));
    let mut minutes = 0;
    while minutes < DAY && start.elapsed() < length {
        for subject in &mut subjects {
            subject.pass_minute()?;
        }
        minutes += 1;
        memory.look(start.elapsed())?;
    }
    let names: Vec<String> = subjects.iter().map(|subject| subject.name()).collect();
    let seconds = start.elapsed().as_secs();
    println!(
        "soak: {minutes} simulated minutes of each of {} in {seconds} s",
        names.join(", ")
    );
    println!("soak: no drift, the states of the same ticks run straight; {memory}");
    Ok(())
}

/// A schedule, games, and blocks on every engine.
fn subjects() -> Result<Vec<Box<dyn Subject>>> {
    let hockey = Pair::all().find(|pair| pair.scene.name == "hockey");
    Ok(vec![
        Box::new(Rates::new()),
        games::subject(hockey.context("there is no hockey")?)?,
        rain::subject::<Box2d>("box2d")?,
        rain::subject::<Rapier2d>("rapier2d")?,
        rain::subject::<Rapier3d>("rapier3d")?,
    ])
}
