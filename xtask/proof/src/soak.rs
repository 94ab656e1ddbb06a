//! A simulated day at random frame times, pauses and slow motion: no drift, no leak, and the state of the same ticks run
//! straight.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_scenes::Scene;

use crate::scenes::Pair;

mod clock;
mod memory;
mod rates;
mod subject;

use clock::{Clock, MINUTE};
use rates::Rates;
use subject::Subject;

/// What is simulated at the most.
const DAY: u32 = 24 * 60;

/// The scenes: one of many contacts, one of none.
const SCENES: [&str; 2] = ["falling-blocks", "hockey"];

/// So many simulated minutes a scene goes on before it starts again: its bodies have come to rest by then.
const RESTART: u32 = 1;

/// Runs all subjects by turns, a simulated minute each, until a day or so many seconds have passed.
pub(crate) fn run(seconds: u64) -> Result<()> {
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let mut subjects: Vec<Box<dyn Subject>> = vec![Box::new(Rates::new())];
    for pair in Pair::all().filter(|pair| SCENES.contains(&pair.scene.name)) {
        subjects.push(Box::new(Run::start(pair)?));
    }
    // Memory is to be flat after a minute, or a quarter of a shorter run.
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

/// A scene that is disturbed, and the same run straight.
struct Run {
    pair: Pair,
    timestep: FixedTimestep,
    clock: Clock,
    disturbed: Box<dyn Scene>,
    straight: Box<dyn Scene>,
    minutes: u32,
    /// The tick at which both scenes began.
    begun: u64,
}

impl Run {
    fn start(pair: Pair) -> Result<Self> {
        Ok(Self {
            pair,
            timestep: FixedTimestep::new(pair.scene.rate),
            clock: Clock::new(7),
            disturbed: pair.start()?.0,
            straight: pair.start()?.0,
            minutes: 0,
            begun: 0,
        })
    }
}

impl Subject for Run {
    fn name(&self) -> String {
        self.pair.name()
    }

    fn pass_minute(&mut self) -> Result<()> {
        if self.minutes.is_multiple_of(RESTART) {
            self.begun = self.timestep.tick();
            (self.disturbed, self.straight) = (self.pair.start()?.0, self.pair.start()?.0);
        }
        self.minutes += 1;
        let (first, rate) = (self.timestep.tick(), self.pair.scene.rate);
        self.clock.pass(MINUTE, |delta, event| {
            event.apply(&mut self.timestep);
            let frame = self.timestep.advance(delta);
            for step in frame.steps() {
                step_from(self.disturbed.as_mut(), step.tick, self.begun, rate);
            }
            frame.lost()
        });
        for tick in first..self.timestep.tick() {
            step_from(self.straight.as_mut(), tick, self.begun, rate);
        }
        let (name, tick) = (self.name(), self.timestep.tick());
        ensure!(
            self.disturbed.hash() == self.straight.hash(),
            "{name}: the state after tick {tick} is another than that of the ticks run straight"
        );
        let due = self.clock.ticks(rate);
        ensure!(
            tick == due,
            "{name}: drifted: {tick} steps were granted, {due} were due"
        );
        Ok(())
    }
}

/// Steps a scene that began at a tick, and pushes it once a second.
fn step_from(scene: &mut dyn Scene, tick: u64, begun: u64, rate: Rate) {
    if tick.is_multiple_of(60) {
        scene.nudge([0.7, 1.9]);
    }
    scene.step(&Step::new(tick - begun, rate));
}
