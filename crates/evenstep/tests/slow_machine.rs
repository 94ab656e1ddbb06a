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
    /// By an estimate of what a step and drawing cost: the most steps that fit into 100 ms, if nine tenths of the speed remain; else 250 ms.
    Estimated,
    /// What `GameLoop` does by default.
    Default,
}

/// What the rule `Estimated` knows: means of the steps in a frame, of its milliseconds, and of their products, which forget 1/32 with each frame.
#[derive(Default)]
struct Estimate {
    steps: f64,
    millis: f64,
    squares: f64,
    products: f64,
    /// Milliseconds for a step, once frames with unequal steps have shown it.
    step: Option<f64>,
}

impl Estimate {
    /// The longest delta in milliseconds, after a frame of this many steps and milliseconds.
    fn limit(&mut self, steps: f64, millis: f64, period: f64) -> f64 {
        self.steps += (steps - self.steps) / 32.0;
        self.millis += (millis - self.millis) / 32.0;
        self.squares += (steps * steps - self.squares) / 32.0;
        self.products += (steps * millis - self.products) / 32.0;
        let variance = self.squares - self.steps * self.steps;
        if variance > 0.05 {
            self.step = Some(((self.products - self.steps * self.millis) / variance).max(0.0));
        }
        let Some(step) = self.step else { return 100.0 };
        let drawing = (self.millis - step * self.steps).max(0.0);
        let speed = |steps: f64| (steps * period / (steps * step + drawing)).min(1.0);
        let most = (250.0 / period).floor();
        let fits = ((100.0 - drawing) / step).floor().min(most);
        if fits >= 1.0 && speed(fits) >= 0.9 * speed(most) {
            fits * period
        } else {
            250.0
        }
    }
}

/// Twenty seconds, after ten at the beginning.
fn played(machine: Machine, rule: Rule) -> Played {
    let period = 1000.0 / f64::from(machine.rate);
    let mut timestep = FixedTimestep::new(Rate::hz(machine.rate));
    let (mut game, mut clock) = (GameLoop::new(Rate::hz(machine.rate)), FrameClock::new());
    let mut estimate = Estimate::default();
    let (mut now, mut last, mut steps) = (5_000.0_f64, 5_000.0, 0.0);
    let mut seen = Played::default();
    while now < 35_000.0 {
        let at = Duration::from_secs_f64(now / 1e3);
        let limit = match rule {
            Rule::Fixed(millis) => millis as f64,
            Rule::Estimated => estimate.limit(steps, now - last, period),
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
        "step | drawing | steps a second | display | 250 ms | 133 ms | default | 83 ms | 50 ms | estimated | best possible: frames a second, speed"
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
                        Rule::Estimated,
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
