//! A schedule of five rates.

use anyhow::{Result, ensure};
use evenstep::Rate;
use evenstep::schedule::{Schedule, TaskId};

use super::clock::{Clock, Event, MINUTE, scale};
use super::subject::Subject;

pub(super) struct Rates {
    schedule: Schedule,
    tasks: Vec<(TaskId, Rate)>,
    clock: Clock,
}

impl Rates {
    pub(super) fn new() -> Self {
        // All due steps run, so nothing is dropped at any speed.
        let mut schedule = Schedule::new();
        schedule.set_max_behind(MINUTE);
        let film = Rate::new(30_000, 1_001).unwrap_or(Rate::hz(30));
        let rates = [Rate::hz(240), Rate::hz(60), film, Rate::hz(20), Rate::hz(7)];
        Self {
            tasks: rates.map(|rate| (schedule.add(rate), rate)).to_vec(),
            schedule,
            clock: Clock::new(8),
        }
    }
}

impl Subject for Rates {
    fn name(&self) -> String {
        "a schedule of five rates".to_owned()
    }

    fn pass_minute(&mut self) -> Result<()> {
        let Self { schedule, tasks, clock } = self;
        let mut last = schedule.now();
        clock.pass(MINUTE, |delta, event| {
            match event {
                Event::Nothing => {}
                Event::Speed(parts) => schedule.set_time_scale(scale(parts)),
                Event::Suspend => schedule.suspend(),
                Event::Resume => schedule.resume(),
            }
            let lost = schedule.advance(delta);
            while schedule.next_step().is_some() {}
            Ok(lost)
        })?;
        ensure!(schedule.now() >= last, "the schedule went back");
        last = schedule.now();
        for (task, rate) in tasks {
            let (tick, due) = (schedule.tick(*task).unwrap_or(0), clock.ticks(*rate));
            ensure!(
                tick == due,
                "{rate}: drifted: {tick} steps after {last:?}, {due} were due"
            );
        }
        Ok(())
    }
}
