//! What a player sees on a machine that is too slow: frames a second, and the speed of the game. To print the table:
//!
//! ```sh
//! cargo test -p evenstep --test all slow_machine -- --nocapture
//! ```

use std::time::Duration;

use evenstep::{FixedTimestep, FrameClock, GameLoop, Rate};

/// What a machine needs for a frame: for a step, as a part of the time that it simulates, and for drawing, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Machine {
    step: f64,
    drawing: f64,
    rate: u32,
    /// Refreshes a second; a frame is presented at the next one.
    refresh: f64,
}

/// What a player sees.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    /// Frames a second.
    frames: f64,
    /// Simulated seconds a second.
    speed: f64,
    /// Seconds a second that are reported as clamped.
    lost: f64,
}

/// The rules that were tried.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// A longest delta, in milliseconds.
    Fixed(u64),
    /// It is halved after a frame that lost time, and taken back if fewer steps did not make the frame shorter.
    Halving,
    /// What `GameLoop` does by default.
    Default,
}

/// What the rule `Halving` remembers of its frames.
#[derive(Default)]
struct Halving {
    limit: f64,
    last: Option<(f64, f64)>,
    blocked: u32,
}

impl Halving {
    /// The longest delta in milliseconds, after a frame of this many steps and milliseconds.
    fn limit(&mut self, steps: f64, millis: f64, period: f64) -> f64 {
        if self.limit == 0.0 {
            self.limit = 250.0;
        }
        if self.blocked > 0 {
            self.blocked -= 1;
            return 250.0;
        }
        if millis <= self.limit {
            (self.limit, self.last) = ((self.limit * 1.25).min(250.0), None);
        } else {
            if let Some((before, took)) = self.last.filter(|(before, _)| *before > steps)
                && (took - millis) / (before - steps) < 0.5 * period
            {
                (self.limit, self.last, self.blocked) = (250.0, None, 60);
                return 250.0;
            }
            self.last = Some((steps, millis));
            self.limit = (self.limit / 2.0).max(2.0 * period);
        }
        self.limit
    }
}

/// Twenty seconds, after ten at the beginning.
fn played(machine: Machine, rule: Rule) -> Played {
    let period = 1000.0 / f64::from(machine.rate);
    let mut timestep = FixedTimestep::new(Rate::hz(machine.rate));
    let (mut game, mut clock) = (GameLoop::new(Rate::hz(machine.rate)), FrameClock::new());
    let mut halving = Halving::default();
    let (mut now, mut last, mut steps) = (5_000.0_f64, 5_000.0, 0.0);
    let mut seen = Played::default();
    while now < 35_000.0 {
        let at = Duration::from_secs_f64(now / 1e3);
        let limit = match rule {
            Rule::Fixed(millis) => millis as f64,
            Rule::Halving => halving.limit(steps, now - last, period),
            Rule::Default => 0.0,
        };
        timestep.set_max_delta(Duration::from_secs_f64(limit / 1e3));
        let frame = match rule {
            Rule::Default => game.begin_frame_at(at),
            _ => timestep.advance(clock.begin_frame(at).delta),
        };
        (last, steps) = (now, f64::from(frame.step_count()));
        now = machine.after(now, steps);
        if last >= 15_000.0 {
            seen.frames += 1.0 / 20.0;
            seen.speed += steps * period / 20_000.0;
            seen.lost += frame.lost().clamped.as_secs_f64() / 20.0;
        }
    }
    seen
}

impl Machine {
    /// When a frame of so many steps is presented that begins now.
    fn after(&self, now: f64, steps: f64) -> f64 {
        let done = now + steps * self.step * 1000.0 / f64::from(self.rate) + self.drawing;
        (done * self.refresh / 1e3 - 1e-9).ceil() * 1e3 / self.refresh
    }

    /// What is possible at a number of steps in each frame: at most as many as come.
    fn with(&self, steps: u32) -> Played {
        let millis = self.after(0.0, f64::from(steps));
        let speed = f64::from(steps) * 1e3 / f64::from(self.rate) / millis;
        Played {
            frames: 1e3 / millis,
            speed: speed.min(1.0),
            lost: 0.0,
        }
    }

    /// Most frames, and ten at least, at nine tenths of the speed that a longest delta of 250 ms has; otherwise that speed.
    fn best(&self, before: Played) -> Played {
        let all = (1..=self.rate / 4).map(|steps| self.with(steps));
        let is_good = |seen: &Played| seen.speed >= 0.9 * before.speed.min(1.0) - 1e-9;
        all.filter(is_good)
            .max_by(|one, other| one.frames.total_cmp(&other.frames))
            .unwrap_or(before)
    }
}

impl Machine {
    /// What the page "The loop" says of the default, beside a longest delta of 250 ms.
    fn assert_promises(&self, before: Played, seen: Played) {
        let name = format!("{self:?}: {seen:?}, with 250 ms {before:?}");
        let is_lost = (seen.speed + seen.lost - 1.0).abs() < 0.02;
        assert!(is_lost, "{name}");
        if self.drawing < 5.0 {
            assert!(seen.speed >= 0.9 * before.speed, "{name}");
            assert!(seen.frames >= 2.2 * before.frames || before.frames > 5.0, "{name}");
        }
        if self.step < 0.1 && before.frames >= 9.0 {
            assert!(seen.speed >= 0.9 - 1e-9, "{name}");
        }
    }
}

#[test]
fn a_machine_that_is_too_slow_for_the_steps_draws_and_one_that_draws_slowly_keeps_its_speed() {
    println!(
        "step | drawing | steps a second | display | 250 ms | 133 ms | default | 83 ms | 50 ms | halving | best possible: frames a second, speed"
    );
    for rate in [30, 60, 120, 240] {
        for refresh in [60.0, 144.0] {
            for step in [0.05, 0.5, 0.9, 1.0, 1.05, 1.2, 2.0, 4.0] {
                for drawing in [4.0, 16.0, 50.0, 100.0, 150.0, 300.0] {
                    let machine = Machine {
                        step,
                        drawing,
                        rate,
                        refresh,
                    };
                    let rules = [
                        Rule::Fixed(250),
                        Rule::Fixed(133),
                        Rule::Default,
                        Rule::Fixed(83),
                        Rule::Fixed(50),
                        Rule::Halving,
                    ];
                    let seen = rules.map(|rule| played(machine, rule));
                    machine.assert_promises(seen[0], seen[2]);
                    let best = machine.best(seen[0]);
                    print!("{step:4} | {drawing:3} ms | {rate:3} | {refresh:3} Hz");
                    for Played { frames, speed, .. } in seen.iter().chain([&best]) {
                        print!(" | {frames:4.1} {:3.0} %", 100.0 * speed);
                    }
                    println!();
                }
            }
        }
    }
}
