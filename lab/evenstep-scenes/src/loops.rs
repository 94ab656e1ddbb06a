//! Five game loops, and what each does wrong on a display.

use std::time::Duration;

use evenstep::{FixedTimestep, PositionVelocity, Rate, SimTime, Smoothed, Smoothing, Step, TimeScale};

use crate::spring_and_ball::{self, Places, SpringAndBall};
use crate::stepping::{SteppedFrame, Timestep};
use crate::{Outcome, Scene};

/// A way from frames to steps and back to what is drawn, in the order in which programmers find them.
///
/// ```
/// use std::time::Duration;
/// use evenstep::Rate;
/// use evenstep_scenes::loops::{Loop, LoopRun};
/// use evenstep_scenes::spring_and_ball::SpringAndBall;
///
/// let scene = SpringAndBall::new(5000.0, Default::default());
/// let mut variable = LoopRun::new(Loop::VariableDelta, Rate::hz(50), scene.clone());
/// let mut interpolated = LoopRun::new(Loop::Interpolated, Rate::hz(50), scene);
/// for _ in 0..60 {
///     variable.advance(Duration::from_nanos(33_333_333)); // 30 frames a second
///     interpolated.advance(Duration::from_nanos(33_333_333));
/// }
/// assert!(variable.faults()[0].starts_with("explodes"));
/// assert!(interpolated.faults().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// One step of a fixed length in each frame.
    FixedDelta,
    /// One step in each frame, as long as the frame.
    VariableDelta,
    /// Steps of a fixed length, and a shorter one for the rest of the frame.
    SemiFixed,
    /// Steps of a fixed length; the rest of the frame is kept for the next frame. The newest state is drawn.
    Accumulator,
    /// The same, and drawn between the last two states.
    Interpolated,
}

impl Loop {
    /// All loops.
    pub const ALL: [Self; 5] = [
        Self::FixedDelta,
        Self::VariableDelta,
        Self::SemiFixed,
        Self::Accumulator,
        Self::Interpolated,
    ];

    /// The name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::FixedDelta => "fixed delta per frame",
            Self::VariableDelta => "variable delta",
            Self::SemiFixed => "semi-fixed",
            Self::Accumulator => "fixed, newest state drawn",
            Self::Interpolated => "fixed and interpolated",
        }
    }

    /// How it draws between steps.
    #[must_use]
    pub const fn smoothing(self) -> Smoothing {
        match self {
            Self::Interpolated => Smoothing::Interpolate,
            _ => Smoothing::None,
        }
    }

    /// Whether the steps, and so the states, are the same on every display.
    #[must_use]
    pub const fn is_repeatable(self) -> bool {
        !matches!(self, Self::VariableDelta | Self::SemiFixed)
    }

    /// Its timestep, with `rate` steps a second if they are fixed.
    #[must_use]
    pub fn timestep(self, rate: Rate) -> Timestep {
        match self {
            Self::FixedDelta => Timestep::locked(rate),
            Self::VariableDelta => Timestep::variable(),
            Self::SemiFixed => Timestep::semi_fixed(rate),
            Self::Accumulator | Self::Interpolated => Timestep::fixed(FixedTimestep::new(rate)),
        }
    }
}

/// The figures of a loop so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopFigures {
    /// The frames that were measured.
    pub frames: u64,
    /// Simulated time by the time that should have been simulated.
    pub speed: f64,
    /// The largest energy by the energy at the start.
    pub energy: f64,
    /// The simulated time at the end of the step in which the simulation exploded, in seconds.
    pub exploded_at: Option<f64>,
    /// How far the motion of the ball from one frame to the next is from even motion at its speed across: the root mean square in
    /// millimetres.
    pub jerk_mm: f64,
    /// The mean age of what is drawn, in milliseconds of real time.
    pub latency_ms: f64,
    /// Simulated time that was lost: long frames that were clamped and steps that were dropped, in seconds.
    pub lost_s: f64,
    /// The presses of the jump key that frames have read.
    pub presses: u32,
    /// The jumps of the ball. More or fewer than `presses` is a fault of the loop.
    pub jumps: u32,
    /// The highest point of the last jump in metres, if there was one. It should be 2 m.
    pub jump_m: Option<f64>,
}

impl LoopFigures {
    /// The largest energy by that at the start.
    #[must_use]
    pub fn energy_in_words(&self) -> String {
        match self.energy {
            energy if energy < 100.0 => format!("energy up to {energy:.2}×"),
            _ => "energy without end".to_owned(),
        }
    }

    /// What is wrong with the loop on its display in words, the worst first. The energy of a spring in long, stable steps goes up and down by
    /// up to 4. Before the first frame nothing is.
    #[must_use]
    pub fn faults(&self, kind: Loop) -> Vec<String> {
        if self.frames == 0 {
            return Vec::new();
        }
        // Equal steps that fail fail in the same tick on every display.
        let alike = match kind {
            Loop::Accumulator | Loop::Interpolated => ", alike on every display",
            _ => "",
        };
        let energy = format!("gains {}", self.energy_in_words());
        let faults = [
            self.exploded_at
                .map(|seconds| format!("explodes after {seconds:.1} s{alike}")),
            ((self.speed - 1.0).abs() > 0.01).then(|| format!("runs {:.2}× as fast", self.speed)),
            (self.energy > 4.0).then_some(energy),
            (!kind.is_repeatable()).then(|| match self.jump_m {
                Some(metres) => format!("another result on every display, here a jump of {metres:.2} m"),
                None => "another result on every display".to_owned(),
            }),
            (self.jerk_mm > 1.0).then(|| format!("jerks by {:.0} mm", self.jerk_mm)),
            (self.lost_s > 0.0).then(|| format!("loses {:.2} s", self.lost_s)),
            (self.jumps != self.presses).then(|| format!("{} presses, {} jumps", self.presses, self.jumps)),
        ];
        faults.into_iter().flatten().collect()
    }
}

/// Sums of the products of two values: the advance that was shown, and the advance of the display.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    shown: f64,
    display: f64,
    squares: [f64; 3],
}

impl Sums {
    fn add(&mut self, shown: f64, display: f64) {
        self.shown += shown;
        self.display += display;
        for (sum, square) in self
            .squares
            .iter_mut()
            .zip([shown * shown, shown * display, display * display])
        {
            *sum += square;
        }
    }

    /// The root of the mean square of what was shown, less the display's advance at the mean speed.
    fn unevenness(&self, frames: f64) -> f64 {
        let speed = if self.display > 0.0 {
            self.shown / self.display
        } else {
            0.0
        };
        let [shown, both, display] = self.squares;
        let sum = shown - 2.0 * speed * both + speed * speed * display;
        (sum.max(0.0) / frames).sqrt()
    }
}

/// Measures a loop, frame by frame.
#[derive(Clone, Debug)]
struct LoopMeter {
    smoothing: Smoothing,
    rate: Rate,
    start_energy: f64,
    largest_energy: f64,
    /// The time that should have been simulated, and the sum of all steps, in seconds.
    due: f64,
    stepped: f64,
    exploded_at: Option<f64>,
    lost: f64,
    /// The time that the last frame showed.
    shown: Option<SimTime>,
    /// The frames so far, and those among them of which the motion is measured.
    added: u64,
    frames: f64,
    /// Simulated time at the newest state, with what is kept for the next frame, in seconds.
    simulated: f64,
    latency: f64,
    motion: Sums,
}

impl LoopMeter {
    /// A meter for a scene at its start, with `rate` steps a second that are drawn with `smoothing`.
    #[must_use]
    fn new(scene: &SpringAndBall, rate: Rate, smoothing: Smoothing) -> Self {
        Self {
            smoothing,
            rate,
            start_energy: scene.energy(),
            largest_energy: scene.energy(),
            due: 0.0,
            stepped: 0.0,
            exploded_at: None,
            lost: 0.0,
            shown: None,
            added: 0,
            frames: 0.0,
            simulated: 0.0,
            latency: 0.0,
            motion: Sums::default(),
        }
    }

    /// Takes a step after it was made. What a step does is measured in each step: sampled once a frame it would depend on the display.
    fn add_step(&mut self, step: &Step, scene: &SpringAndBall) {
        self.stepped += step.dt;
        if self.exploded_at.is_none() && scene.outcome() == Outcome::Exploded {
            self.exploded_at = Some(self.stepped);
        }
        self.largest_energy = self.largest_energy.max(scene.energy());
    }

    /// Takes a frame after its steps: the real time since the last one, and the speed at which time should pass.
    fn add(&mut self, delta: Duration, scale: TimeScale, frame: &SteppedFrame, scene: &SpringAndBall) {
        self.added += 1;
        let due = delta.as_secs_f64() * scale.as_f64();
        self.due += due;
        let lost = frame.lost();
        self.lost += lost.clamped.as_secs_f64() * scale.as_f64() + lost.dropped as f64 * self.rate.period_secs_f64();
        let now = frame.released_time();
        let shown = frame.shown_time(self.smoothing);
        self.simulated = now.as_secs_f64();
        // Until the first step is done, nothing moves.
        if frame.tick() == 0 {
            return;
        }
        let Some(last) = self.shown.replace(shown) else { return };
        let advance = (shown - last).as_secs_f64();
        let speed = scene.ball().velocity[0].abs();
        self.frames += 1.0;
        self.motion.add(advance * speed, due * speed);
        if !scale.is_paused() {
            self.latency += (now - shown).as_secs_f64() / scale.as_f64();
        }
    }

    /// The figures so far.
    #[must_use]
    fn figures(&self) -> LoopFigures {
        let frames = self.frames.max(1.0);
        LoopFigures {
            frames: self.added,
            speed: if self.due > 0.0 { self.simulated / self.due } else { 1.0 },
            energy: self.largest_energy / self.start_energy,
            exploded_at: self.exploded_at,
            jerk_mm: 1e3 * self.motion.unevenness(frames),
            latency_ms: 1e3 * self.latency / frames,
            lost_s: self.lost,
            ..LoopFigures::default()
        }
    }
}

/// A loop that runs a spring and a ball.
#[derive(Clone, Debug)]
pub struct LoopRun {
    kind: Loop,
    timestep: Timestep,
    scale: TimeScale,
    scene: SpringAndBall,
    drawn: Smoothed<Places>,
    alpha: f64,
    ticks: u64,
    meter: LoopMeter,
    /// Where the ball should be at the last frame.
    exact: PositionVelocity<[f64; 2]>,
    /// Whether the key was pressed since the last frame, and the presses that no step of [`Loop::Interpolated`] has taken.
    is_pressed: bool,
    waiting: u32,
    presses: u32,
    jumps: u32,
    jump_m: Option<f64>,
}

impl LoopRun {
    /// A loop at its start, with `rate` steps a second if its steps are fixed.
    #[must_use]
    pub fn new(kind: Loop, rate: Rate, scene: SpringAndBall) -> Self {
        Self {
            kind,
            timestep: kind.timestep(rate),
            scale: TimeScale::NORMAL,
            drawn: Smoothed::new(scene.places()),
            alpha: 0.0,
            ticks: 0,
            meter: LoopMeter::new(&scene, rate, kind.smoothing()),
            exact: scene.ball(),
            is_pressed: false,
            waiting: 0,
            presses: 0,
            jumps: 0,
            jump_m: None,
            scene,
        }
    }

    /// Sets how fast simulated time should pass. A fixed delta per frame has no time to scale: it only pauses.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
        self.timestep.set_time_scale(scale);
    }

    /// A key is pressed that lets the ball jump. The next frame reads it: of several presses in a frame there is one.
    pub fn press(&mut self) {
        if self.is_pressed {
            return;
        }
        self.is_pressed = true;
        self.presses += 1;
        self.exact = spring_and_ball::jump(self.exact);
    }

    /// Whether the ball jumps in a step: the first of its frame, or a later one.
    fn jumps(&mut self, is_first: bool) -> bool {
        match self.kind {
            // Each frame has a step.
            Loop::FixedDelta | Loop::VariableDelta | Loop::SemiFixed => is_first && self.is_pressed,
            // "Pressed in this frame?", asked in each step.
            Loop::Accumulator => self.is_pressed,
            Loop::Interpolated => {
                let jumps = self.waiting > 0;
                self.waiting -= u32::from(jumps);
                jumps
            }
        }
    }

    /// Shows a frame, `delta` of real time after the last one. Returns the number of its steps.
    pub fn advance(&mut self, delta: Duration) -> u64 {
        self.advance_measured(delta, delta)
    }

    /// Shows a frame, `delta` of real time after the last one, of which the program has measured `measured`. Returns the number of its steps.
    pub fn advance_measured(&mut self, delta: Duration, measured: Duration) -> u64 {
        let before = self.ticks;
        let frame = self.timestep.advance(measured);
        self.ticks = frame.tick();
        self.exact = spring_and_ball::fly(self.exact, delta.as_secs_f64() * self.scale.as_f64(), true);
        if self.kind == Loop::Interpolated {
            self.waiting += u32::from(self.is_pressed);
        }
        for (index, step) in frame.steps().enumerate() {
            self.drawn.begin_step();
            if self.jumps(index == 0) {
                self.scene.jump();
                self.jumps += 1;
                self.jump_m = Some(self.scene.places().ball[1]);
            }
            self.scene.step(&step);
            if let Some(top) = self.jump_m.as_mut().filter(|_| self.scene.is_jumping()) {
                *top = top.max(self.scene.places().ball[1]);
            }
            self.meter.add_step(&step, &self.scene);
            self.drawn.set(self.scene.places());
        }
        self.is_pressed = false;
        self.alpha = frame.alpha();
        self.meter.add(delta, self.scale, &frame, &self.scene);
        self.ticks - before
    }

    /// Where spring and ball are drawn.
    #[must_use]
    pub fn drawn(&self) -> Places {
        match self.kind.smoothing() {
            Smoothing::None => *self.drawn.current(),
            _ => self.drawn.at(self.alpha),
        }
    }

    /// Where the ball should be now.
    #[must_use]
    pub const fn exact_ball(&self) -> [f64; 2] {
        self.exact.position
    }

    /// The figures so far.
    #[must_use]
    pub fn figures(&self) -> LoopFigures {
        LoopFigures {
            presses: self.presses - self.waiting - u32::from(self.is_pressed),
            jumps: self.jumps,
            jump_m: self.jump_m,
            ..self.meter.figures()
        }
    }

    /// What is wrong so far in words, the worst first.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.figures().faults(self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Display, Integrator, SceneState as _};

    /// Ten seconds of a loop on a display.
    fn run(kind: Loop, display: &str, stiffness: f64, scale: TimeScale) -> LoopRun {
        let scene = SpringAndBall::new(stiffness, Integrator::SemiImplicitEuler);
        let mut run = LoopRun::new(kind, Rate::hz(50), scene);
        run.set_time_scale(scale);
        let mut display = Display::by_name(display).unwrap();
        let mut real = Duration::ZERO;
        while real < Duration::from_secs(10) {
            let delta = display.next_delta();
            real += delta;
            run.advance(delta);
        }
        run
    }

    #[test]
    fn whatever_becomes_of_the_spring_the_ball_is_where_the_loops_figures_say() {
        let displays = ["24", "30", "60", "144", "2700", "40-60"];
        let (rates, scales) = ([20, 50, 240], [(1, 10), (1, 1), (4, 1)]);
        for (kind, display) in Loop::ALL
            .iter()
            .flat_map(|kind| displays.map(|display| (*kind, display)))
        {
            for (integrator, stiffness) in Integrator::ALL
                .iter()
                .flat_map(|one| [10.0, 5e3, 2e4].map(|k| (*one, k)))
            {
                for (rate, scale) in rates.iter().flat_map(|rate| scales.map(|scale| (*rate, scale))) {
                    let scene = SpringAndBall::new(stiffness, integrator);
                    let mut run = LoopRun::new(kind, Rate::hz(rate), scene);
                    run.set_time_scale(TimeScale::new(scale.0, scale.1).unwrap());
                    let mut display = Display::by_name(display).unwrap();
                    for _ in 0..100 {
                        run.advance(display.next_delta());
                    }
                    let Some(shown) = run.meter.shown else { continue };
                    let (drawn, exact) = (run.drawn().ball, SpringAndBall::ball_at(shown.as_secs_f64()));
                    let off = (drawn[0] - exact[0]).abs() + (drawn[1] - exact[1]).abs();
                    // Between two states it is drawn on a straight line: across a bounce, by up to a step at 5 m/s beside it.
                    let most = if kind == Loop::Interpolated {
                        7.0 / f64::from(rate)
                    } else {
                        1e-5
                    };
                    assert!(
                        off < most,
                        "{kind:?}, {integrator:?}, {stiffness} N/m, {rate} steps: {off} m, {:?}",
                        run.figures()
                    );
                }
            }
        }
    }

    /// Every entry of the page's menus but the display.
    fn menus() -> impl Iterator<Item = (u32, f64, Integrator)> {
        let integrators =
            ["explicit-euler", "semi-implicit-euler", "rk4"].map(|name| Integrator::by_name(name).unwrap());
        let rates = [20, 25, 30, 50, 60, 100, 120, 240];
        rates.into_iter().flat_map(move |rate| {
            let stiffness = [10.0, 100.0, 1e3, 5e3, 2e4].into_iter();
            stiffness.flat_map(move |stiffness| integrators.map(|integrator| (rate, stiffness, integrator)))
        })
    }

    #[test]
    fn energy_and_explosion_of_equal_steps_are_the_same_digits_on_every_display_in_every_menu() {
        let mut exploded = 0;
        for (rate, stiffness, integrator) in menus() {
            // The largest energy so far, and the end of the step that explodes, of the steps alone.
            let mut scene = SpringAndBall::new(stiffness, integrator);
            let (start, mut largest, mut time, mut exploded_at) = (scene.energy(), 1.0_f64, 0.0, None);
            let mut expected = vec![(largest, exploded_at)];
            for tick in 0..u64::from(rate) {
                let step = Step::new(tick, Rate::hz(rate));
                scene.step(&step);
                time += step.dt;
                if exploded_at.is_none() && scene.outcome() == Outcome::Exploded {
                    exploded_at = Some(time);
                }
                largest = largest.max(scene.energy() / start);
                expected.push((largest, exploded_at));
            }
            exploded += usize::from(exploded_at.is_some());
            for display in ["24", "30", "40-60", "55", "59.94", "75", "144", "240"] {
                let kinds = [Loop::Accumulator, Loop::Interpolated];
                let scene = SpringAndBall::new(stiffness, integrator);
                let mut runs = kinds.map(|kind| LoopRun::new(kind, Rate::hz(rate), scene.clone()));
                let mut display_times = Display::by_name(display).unwrap();
                for _ in 0..20 {
                    let delta = display_times.next_delta();
                    for run in &mut runs {
                        run.advance(delta);
                        let Some(&(energy, exploded_at)) = expected.get(run.ticks as usize) else {
                            continue;
                        };
                        let figures = run.figures();
                        let off = (figures.energy - energy).abs() / energy;
                        assert!(
                            figures.exploded_at == exploded_at && (off < 1e-12 || energy.is_infinite()),
                            "{integrator:?}, {stiffness} N/m, {rate} steps, {display} Hz, tick {}: {figures:?}, {energy}",
                            run.ticks
                        );
                    }
                }
            }
        }
        assert!(
            exploded > 20,
            "only {exploded} of the menus explode: the law says little"
        );
    }

    #[test]
    fn what_the_page_says_of_integrators_holds() {
        let explodes = |kind, integrator: &str, stiffness, rate| {
            let scene = SpringAndBall::new(stiffness, Integrator::by_name(integrator).unwrap());
            let mut run = LoopRun::new(kind, Rate::hz(rate), scene);
            for _ in 0..90 {
                run.advance(Duration::from_nanos(33_333_333));
            }
            run.figures().exploded_at.is_some()
        };
        for kind in [Loop::Accumulator, Loop::Interpolated] {
            assert!(explodes(kind, "explicit-euler", 5e3, 50));
            assert!(explodes(kind, "semi-implicit-euler", 5e3, 20));
            assert!(!explodes(kind, "semi-implicit-euler", 5e3, 50));
        }
        assert!(explodes(Loop::VariableDelta, "semi-implicit-euler", 5e3, 50));
        assert!(!explodes(Loop::VariableDelta, "rk4", 5e3, 50));
        assert!(explodes(Loop::VariableDelta, "rk4", 2e4, 50));
    }

    #[test]
    fn interpolated_fixed_steps_have_no_fault_on_any_display_at_any_speed() {
        for display in Display::NAMES {
            for scale in [(1, 10), (1, 1), (4, 1)] {
                let scale = TimeScale::new(scale.0, scale.1).unwrap();
                let run = run(Loop::Interpolated, display, 5000.0, scale);
                assert!(
                    run.faults().is_empty(),
                    "{display} Hz at {}×: {:?}",
                    scale.as_f64(),
                    run.figures()
                );
            }
        }
    }

    #[test]
    fn a_fixed_delta_per_frame_is_as_fast_as_the_display() {
        for (display, speed) in [("30", 0.6), ("60", 1.2), ("75", 1.5), ("85", 1.7)] {
            let run = run(Loop::FixedDelta, display, 10.0, TimeScale::NORMAL);
            assert!((run.figures().speed - speed).abs() < 0.01, "{:?}", run.figures());
        }
        let even = run(Loop::FixedDelta, "50", 10.0, TimeScale::NORMAL);
        assert!(even.faults().is_empty());
        let uneven = run(Loop::FixedDelta, "40-60", 10.0, TimeScale::NORMAL);
        assert!(uneven.figures().jerk_mm > 1.0, "{:?}", uneven.figures());
    }

    #[test]
    fn a_variable_delta_explodes_on_slow_displays_and_the_fixed_steps_do_not() {
        for kind in Loop::ALL {
            let run = run(kind, "30", 5000.0, TimeScale::NORMAL);
            assert_eq!(
                run.figures().exploded_at.is_some(),
                kind == Loop::VariableDelta,
                "{kind:?}"
            );
        }
        assert_eq!(
            run(Loop::VariableDelta, "60", 5000.0, TimeScale::NORMAL).faults(),
            ["another result on every display"]
        );
    }

    #[test]
    fn without_interpolation_fixed_steps_jerk_where_the_rates_differ() {
        for display in ["24", "30", "55", "59.94", "60", "75", "144", "40-60"] {
            let run = run(Loop::Accumulator, display, 10.0, TimeScale::NORMAL);
            assert!(run.figures().jerk_mm > 1.0, "{display}: {:?}", run.figures());
            assert!(run.figures().latency_ms < 20.0);
        }
        let slow = run(Loop::Accumulator, "60", 10.0, TimeScale::new(1, 10).unwrap());
        assert!(slow.figures().jerk_mm > 1.0, "{:?}", slow.figures());
        let locked = run(Loop::Accumulator, "50", 10.0, TimeScale::NORMAL);
        assert!(locked.faults().is_empty());
    }

    #[test]
    fn interpolation_shows_states_that_are_one_step_old() {
        for display in ["30", "60", "144"] {
            let run = run(Loop::Interpolated, display, 10.0, TimeScale::NORMAL);
            assert!((run.figures().latency_ms - 20.0).abs() < 1e-6, "{:?}", run.figures());
            let (drawn, exact) = (run.drawn().ball, SpringAndBall::ball_at(run.meter.due - 0.02));
            assert!((drawn[0] - exact[0]).abs() < 1e-3, "{drawn:?} {exact:?}");
        }
    }

    #[test]
    fn a_press_that_each_step_asks_for_is_lost_or_doubled_and_one_that_waits_for_a_step_is_not() {
        let jumps = |kind, display: &str| {
            let mut run = LoopRun::new(kind, Rate::hz(60), SpringAndBall::new(10.0, Integrator::RungeKutta4));
            let mut display = Display::by_name(display).unwrap();
            for frame in 0..500 {
                if frame % 25 == 24 {
                    run.press();
                    assert!(
                        frame < 100 || run.figures().presses == frame / 25,
                        "a press counts when it was read"
                    );
                }
                run.advance(display.next_delta());
            }
            (
                run.figures().presses,
                run.figures().jumps,
                run.faults().iter().any(|fault| fault.contains("presses")),
            )
        };
        for kind in Loop::ALL.into_iter().filter(|kind| *kind != Loop::Accumulator) {
            for display in ["24", "30", "60", "75", "144", "40-60"] {
                let (presses, jumped, is_fault) = jumps(kind, display);
                assert!(
                    presses >= 19 && jumped == presses && !is_fault,
                    "{kind:?}, {display} Hz: {jumped} of {presses}"
                );
            }
        }
        let (presses, lost, is_fault) = jumps(Loop::Accumulator, "144");
        assert!(lost < presses / 2 + 1 && is_fault, "{lost} of {presses}");
        assert_eq!(jumps(Loop::Accumulator, "30"), (20, 40, true));
        assert_eq!(jumps(Loop::Accumulator, "60"), (20, 20, false));
    }

    #[test]
    fn a_ball_that_jumps_where_it_should_is_where_it_should_be_two_steps_later_at_most() {
        for display in ["30", "60", "144"] {
            let mut run = LoopRun::new(
                Loop::Interpolated,
                Rate::hz(240),
                SpringAndBall::new(10.0, Integrator::RungeKutta4),
            );
            let mut display_times = Display::by_name(display).unwrap();
            for frame in 0..200 {
                if frame % 50 == 20 {
                    run.press();
                }
                run.advance(display_times.next_delta());
                let (drawn, exact) = (run.drawn().ball, run.exact_ball());
                // A frame that reads the press, and a step of drawing between states, at 6.4 m/s and 2 m/s at most.
                let most = 6.4 * (1.0 / f64::from(display.parse::<u32>().unwrap()) + 2.0 / 240.0) + 0.05;
                assert!(
                    (drawn[1] - exact[1]).abs() < most,
                    "{display} Hz, frame {frame}: {drawn:?} {exact:?}"
                );
            }
        }
    }

    #[test]
    fn a_jump_is_as_high_as_the_display_lets_it_unless_steps_are_equal() {
        let top = |kind, integrator, display: &str| {
            let mut run = LoopRun::new(kind, Rate::hz(60), SpringAndBall::new(10.0, integrator));
            let mut display = Display::by_name(display).unwrap();
            let mut real = Duration::ZERO;
            while real < Duration::from_millis(1400) {
                let delta = display.next_delta();
                // The ball bounces after half a second: it jumps from the floor.
                if (real..real + delta).contains(&Duration::from_millis(500)) {
                    run.press();
                }
                real += delta;
                run.advance(delta);
            }
            run.figures().jump_m.unwrap()
        };
        for (integrator, sign) in [(Integrator::ExplicitEuler, 1.0), (Integrator::SemiImplicitEuler, -1.0)] {
            for kind in [Loop::VariableDelta, Loop::SemiFixed, Loop::Interpolated] {
                // With the speed v it misses 2 m by v·dt/2: 0.10, 0.05 and 0.02 m in steps as long as these frames.
                let missed = ["30", "60", "144"].map(|display| sign * (top(kind, integrator, display) - 2.0));
                let [slow, same, fast] = missed;
                if kind.is_repeatable() {
                    assert!(
                        (slow - same).abs() < 0.01 && (fast - same).abs() < 0.01,
                        "{kind:?}: {missed:?}"
                    );
                } else {
                    assert!(slow > same - 1e-3 && same > fast + 0.02, "{kind:?}: {missed:?}");
                }
                assert!((0.04..0.06).contains(&same), "{kind:?}: {missed:?}");
            }
            assert!(sign * (top(Loop::VariableDelta, integrator, "30") - 2.0) > 0.08);
        }
        assert!((top(Loop::VariableDelta, Integrator::RungeKutta4, "30") - 2.0).abs() < 0.01);
    }

    #[test]
    fn only_loops_with_fixed_steps_reach_the_same_bits_on_every_display() {
        for kind in Loop::ALL {
            // The state after 100 steps, however many frames they take.
            let hash = |display: &str| {
                let mut scene = SpringAndBall::new(1000.0, Integrator::RungeKutta4);
                let (mut timestep, mut display) = (kind.timestep(Rate::hz(50)), Display::by_name(display).unwrap());
                loop {
                    for step in timestep.advance(display.next_delta()).steps() {
                        scene.step(&step);
                        if step.tick == 99 {
                            return scene.hash();
                        }
                    }
                }
            };
            let expected = hash("60");
            let is_same = ["24", "75", "144", "40-60"]
                .iter()
                .all(|display| hash(display) == expected);
            assert_eq!(is_same, kind.is_repeatable(), "{kind:?}");
        }
    }

    #[test]
    fn time_beyond_the_longest_delta_is_reported_as_lost() {
        for kind in Loop::ALL {
            let mut run = LoopRun::new(kind, Rate::hz(50), SpringAndBall::new(10.0, Integrator::RungeKutta4));
            run.advance(Duration::from_secs(600));
            let lost = run.figures().lost_s;
            let expected = if kind == Loop::FixedDelta { 0.0 } else { 599.75 };
            assert!((lost - expected).abs() < 1e-9, "{kind:?}: {lost} s");
        }
    }
}
