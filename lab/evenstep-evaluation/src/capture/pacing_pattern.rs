//! The pacing of a generated recording: when frames begin, and when they are displayed.

use std::fmt;

use evenstep::Rate;
use fastrand::Rng;

use crate::capture::frames::{Frame, Frames};
use crate::capture::hitches::Hitches;
use crate::random::{between, between_ratios, normal};
use evenstep_trace::StutterKind;
use evenstep_trace::simulate::SimulatedDisplay;

/// Common refresh rates of displays, in hertz.
const DISPLAYS: [f64; 16] = [
    50.0, 59.94, 60.0, 72.0, 75.0, 85.0, 90.0, 100.0, 120.0, 144.0, 165.0, 180.0, 240.0, 280.0, 300.0, 360.0,
];

/// Common frame rate limits, in hertz.
const LIMITS: [f64; 14] = [
    24.0, 25.0, 30.0, 40.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0,
];

/// Frame rates in hertz, and lengths of recordings in seconds.
const RATES: (f64, f64) = (24.0, 360.0);
const SECONDS: (f64, f64) = (12.0, 40.0);

/// The mechanism that sets the pace of frames.
#[derive(Clone, Debug)]
enum Kind {
    /// The program waits for every n-th refresh.
    Synced,
    /// The display follows the program, or tears. `spread` is the deviation of frame times, as a share of them, and `drift` that of the
    /// load, which changes slowly.
    Variable { spread: f64, drift: f64 },
    /// The display follows the program, whose frames are longer by this share of them if one of the steps falls in them, which come at
    /// `rate` a frame.
    Steps { cost: f64, rate: f64 },
    /// A frame limiter keeps a rate other than the display's.
    Limited,
    /// The program waits for refreshes and misses some. `late` holds the extra refreshes of each frame.
    Missing { late: Vec<usize> },
    /// The display follows the program, and a `share` of the frames takes longer by a random time.
    Irregular { share: f64 },
    /// The program waits for every n-th refresh, but its frames are shown by these numbers of refreshes later.
    Unpaced { later: Vec<usize> },
}

/// The pacing pattern of a recording. Times are in milliseconds.
#[derive(Clone, Debug)]
pub(super) struct PacingPattern {
    kind: Kind,
    fault: Option<StutterKind>,
    /// The refresh interval of the display.
    refresh: f64,
    /// The baseline frame time.
    baseline: f64,
    frames: usize,
    /// The standard deviation of the program's clock.
    clock_error: f64,
    /// The standard deviation of display times.
    display_error: f64,
    is_display_known: bool,
    images_per_frame: usize,
    /// How long the start of the capture disturbs the program.
    disturbed: f64,
    /// What the file states about vertical sync and tearing, if it does.
    facts: Option<(u32, bool)>,
}

impl PacingPattern {
    pub(super) fn random(random: &mut Rng) -> Self {
        let refresh = 1e3 / display(random);
        let mut pattern = Self {
            kind: Kind::Synced,
            fault: None,
            refresh,
            baseline: refresh,
            frames: 0,
            clock_error: 0.0,
            display_error: between(random, 0.0, 0.04),
            is_display_known: random.f64() < 0.75,
            images_per_frame: 1,
            disturbed: 0.0,
            facts: None,
        };
        match random.u8(0..100) {
            0..18 => pattern.synced(random),
            18..32 => pattern.variable(random),
            32..53 => pattern.limited(random),
            53..71 => pattern.missing(random),
            71..82 => pattern.jittery(random),
            82..87 => pattern.irregular(random),
            87..91 => pattern.steps(random),
            91..96 => pattern.unpaced(random),
            _ => {
                pattern.synced(random);
                pattern.frames = random.usize(2..58);
            }
        }
        if pattern.frames > 60 && random.bool() {
            pattern.disturbed = f64::min(between(random, 0.0, 0.04) * pattern.length(), 600.0);
        }
        pattern.state_facts(random);
        pattern
    }

    /// What a file states about the presentation, half of the time.
    fn state_facts(&mut self, random: &mut Rng) {
        let tears = matches!(
            self.kind,
            Kind::Variable { .. } | Kind::Irregular { .. } | Kind::Steps { .. }
        ) && random.bool();
        let waits = matches!(self.kind, Kind::Synced | Kind::Missing { .. }) && self.images_per_frame == 1;
        let refreshes = (self.baseline / self.refresh).round() as u32;
        self.facts = random.bool().then_some((if waits { refreshes } else { 0 }, tears));
    }

    /// Chooses how many refreshes a frame takes, so that the frame rate is in range.
    fn wait_for_refreshes(&mut self, random: &mut Rng, clock_error: f64) {
        let most = (1e3 / RATES.0 / self.refresh).floor().max(1.0) as usize;
        let refreshes = if random.bool() { 1 } else { random.usize(1..=most) };
        self.baseline = refreshes as f64 * self.refresh;
        self.clock_error = clock_error * self.baseline;
        self.record_for(random);
    }

    fn record_for(&mut self, random: &mut Rng) {
        let seconds = between(random, SECONDS.0, SECONDS.1);
        self.frames = (1e3 * seconds / self.baseline) as usize;
    }

    /// Even frames, on some displays with generated ones between them.
    fn synced(&mut self, random: &mut Rng) {
        let error = between(random, 0.0, 0.018);
        self.wait_for_refreshes(random, error);
        let refreshes = (self.baseline / self.refresh).round() as usize;
        if refreshes > 1 && random.f64() < 0.4 {
            // An image for each refresh.
            self.images_per_frame = refreshes.min(4);
            self.refresh = self.baseline / self.images_per_frame as f64;
            self.is_display_known = true;
        }
    }

    /// A display with variable refresh follows the program, whose frames are even or vary.
    fn variable(&mut self, random: &mut Rng) {
        self.baseline = 1e3 / between_ratios(random, RATES.0.max(30.0), (950.0 / self.refresh).min(RATES.1));
        let is_even = random.f64() < 0.6;
        let spread = if is_even {
            if random.bool() {
                0.0
            } else {
                between(random, 0.006, 0.012)
            }
        } else {
            between(random, 0.12, 0.3)
        };
        let drift = if is_even && random.bool() {
            between(random, 0.01, 0.02)
        } else {
            0.0
        };
        self.kind = Kind::Variable { spread, drift };
        self.clock_error = between(random, 0.0, 0.008) * self.baseline;
        if !is_even {
            self.fault = Some(StutterKind::UnevenFrames);
        } else if random.f64() < 0.2 {
            self.images_per_frame = 2;
            self.is_display_known = true;
        }
        self.record_for(random);
    }

    /// Even frames at a rate other than the display's.
    fn limited(&mut self, random: &mut Rng) {
        self.kind = Kind::Limited;
        self.fault = Some(StutterKind::UnevenDisplay);
        self.is_display_known = true;
        loop {
            let hertz = match random.bool() {
                true => LIMITS[random.usize(..LIMITS.len())],
                false => between_ratios(random, RATES.0, RATES.1),
            };
            self.baseline = 1e3 / hertz;
            self.clock_error = between(random, 0.0, 0.025) * self.baseline.min(self.refresh);
            self.record_for(random);
            let turns = self.baseline / self.refresh;
            let off = (turns - turns.round().max(1.0)).abs();
            let uneven = off / turns.max(1.0) * self.frames as f64;
            // A rate nearer to the display's takes longer to be distinguished from it.
            let is_far = off / turns > 0.004 + 0.5 * self.clock_error / self.baseline;
            if is_far && uneven > 15.0 && turns > 0.3 {
                return;
            }
        }
    }

    /// Frames that wait for a refresh, and sometimes miss it.
    fn missing(&mut self, random: &mut Rng) {
        self.fault = Some(StutterKind::MissedRefreshes);
        let error = between(random, 0.0, 0.02);
        self.wait_for_refreshes(random, error);
        if !self.is_display_known {
            // Refreshes can only be distinguished where the clock is read more exactly than they are long.
            self.clock_error = self.clock_error.min(0.025 * self.refresh);
        }
        let refreshes = self.baseline / self.refresh;
        let most = if refreshes < 1.5 { 1 } else { (1.3 * refreshes) as usize };
        let (wanted, memory) = (between_ratios(random, 0.015, 0.35), [0.0, 0.9][random.usize(..2)]);
        loop {
            // The amount of work changes from time to time.
            let mut load = 0.0;
            let loads: Vec<f64> = (0..self.frames)
                .map(|_| {
                    load = memory * load + f64::sqrt(1.0 - memory * memory) * normal(random);
                    load
                })
                .collect();
            let mut sorted = loads.clone();
            sorted.sort_by(f64::total_cmp);
            let limit = sorted[((1.0 - wanted) * (self.frames - 1) as f64) as usize];
            let late = loads
                .iter()
                .map(|load| if *load > limit { random.usize(1..=most) } else { 0 });
            let late: Vec<usize> = late.collect();
            if late.iter().filter(|late| **late > 0).count() >= 10 {
                self.kind = Kind::Missing { late };
                return;
            }
            self.frames *= 2;
        }
    }

    /// Even presentation, but noisy deltas.
    fn jittery(&mut self, random: &mut Rng) {
        let least = if self.is_display_known { 0.04 } else { 0.08 };
        let error = between_ratios(random, least, 0.16);
        self.wait_for_refreshes(random, error);
        self.fault = Some(StutterKind::UnevenFrames);
    }

    /// Steps are so expensive that frames with one are longer; no limiter evens them.
    fn steps(&mut self, random: &mut Rng) {
        self.baseline = 1e3 / between_ratios(random, RATES.0.max(30.0), (600.0 / self.refresh).min(RATES.1));
        let rate = if random.bool() {
            between(random, 0.3, 0.42)
        } else {
            between(random, 0.58, 0.7)
        };
        self.kind = Kind::Steps {
            cost: between(random, 0.4, 0.8),
            rate,
        };
        self.fault = Some(StutterKind::UnevenFrames);
        self.clock_error = between(random, 0.0, 0.01) * self.baseline;
        self.record_for(random);
    }

    /// Some frames take longer, by times that are not whole refreshes.
    fn irregular(&mut self, random: &mut Rng) {
        self.baseline = 1e3 / between_ratios(random, RATES.0.max(30.0), (950.0 / self.refresh).min(RATES.1));
        self.kind = Kind::Irregular {
            share: between_ratios(random, 0.05, 0.15),
        };
        self.fault = Some(StutterKind::UnevenFrames);
        self.clock_error = between(random, 0.0, 0.015) * self.baseline;
        self.record_for(random);
    }

    /// Even frames of several refreshes each, which are on the screen for more and fewer in turn, or at random.
    fn unpaced(&mut self, random: &mut Rng) {
        self.fault = Some(StutterKind::UnevenDisplay);
        self.is_display_known = true;
        let most = (1e3 / RATES.0 / self.refresh).floor() as usize;
        let refreshes = random.usize(2..=most.max(2));
        self.baseline = refreshes as f64 * self.refresh;
        self.clock_error = between(random, 0.0, 0.012) * self.baseline;
        self.record_for(random);
        let takes_turns = random.bool();
        // 2 and 4 refreshes in turn are as well 1 and 2 of a display at half the rate, against which frames of 3 beat.
        let is_beat = |by: usize| {
            let unit = (1..=refreshes)
                .rev()
                .find(|unit| (refreshes + by).is_multiple_of(*unit) && (refreshes - by).is_multiple_of(*unit));
            takes_turns && unit.is_some_and(|unit| !refreshes.is_multiple_of(unit))
        };
        let ways: Vec<usize> = (1..refreshes).filter(|by| !is_beat(*by)).collect();
        let by = ways[random.usize(..ways.len())];
        let is_later = |n: usize, random: &mut Rng| if takes_turns { n % 2 == 1 } else { random.f64() < 0.4 };
        let later = (0..self.frames).map(|n| if is_later(n, random) { by } else { 0 });
        self.kind = Kind::Unpaced { later: later.collect() };
    }

    /// The fault of the pattern, if it has one.
    pub(super) fn fault(&self) -> Option<StutterKind> {
        self.fault
    }

    pub(super) fn is_too_short(&self) -> bool {
        self.frames < 60
    }

    /// Random hitches, in four of ten recordings whose pattern leaves them recognisable.
    pub(super) fn hitches(&self, random: &mut Rng) -> Hitches {
        let varies = matches!(
            self.kind,
            Kind::Irregular { .. } | Kind::Variable { .. } | Kind::Steps { .. }
        ) && self.fault == Some(StutterKind::UnevenFrames);
        if self.is_too_short() || varies || random.f64() < 0.6 {
            return Hitches::none();
        }
        let is_missing = self.fault == Some(StutterKind::MissedRefreshes);
        Hitches::random(random, if is_missing { 6.0 } else { 4.0 }, self.baseline, self.length())
    }

    /// Whether the work of the graphics card may set the pace.
    pub(super) fn can_be_bound(&self) -> bool {
        self.is_display_known
            && matches!(
                self.kind,
                Kind::Variable { .. } | Kind::Limited | Kind::Irregular { .. }
            )
    }

    /// Whether a limiter evens frames, whose sleep may count as work.
    pub(super) fn is_held(&self) -> bool {
        self.is_display_known && !self.can_be_busy() && self.can_be_bound() && self.clock_error < 0.006 * self.baseline
    }

    /// Whether the program's work may set the pace: no limiter does, so that frame times drift with the load.
    pub(super) fn can_be_busy(&self) -> bool {
        let drifts = match self.kind {
            Kind::Variable { spread, drift } => drift > 0.0 || spread > 0.0,
            Kind::Irregular { .. } => true,
            _ => false,
        };
        self.is_display_known && drifts
    }

    pub(super) fn images_per_frame(&self) -> usize {
        self.images_per_frame
    }

    /// The length of the recording without hitches.
    fn length(&self) -> f64 {
        self.frames as f64 * self.baseline
    }

    /// Simulates the frames.
    pub(super) fn frames(&self, random: &mut Rng, hitches: &Hitches) -> Frames {
        let mut plan = hitches.plan();
        let (mut load, mut hitch_ends) = (0.0, Vec::new());
        let (mut now, mut last_start) = (0.0, f64::NEG_INFINITY);
        let mut all = Vec::with_capacity(self.frames);
        for index in 0..self.frames {
            let start = f64::max(now + self.misread(random), last_start);
            last_start = start;
            if let Kind::Variable { drift, .. } = self.kind {
                load = 0.985 * load + drift * f64::sqrt(1.0 - 0.985 * 0.985) * normal(random);
            }
            let hitch = plan.next(now);
            let took = hitch.map_or_else(|| self.took(random, index, load), |times| times * self.baseline);
            let disturbance = if now < self.disturbed {
                between(random, 1.0, 2.5)
            } else {
                1.0
            };
            now += self.until_ready(took * disturbance);
            hitch_ends.extend(hitch.map(|_| now));
            all.push(Frame {
                start,
                ready: now,
                displayed: Some(now),
                ..Frame::default()
            });
        }
        match &self.kind {
            Kind::Limited => self.show(random, &mut all),
            Kind::Unpaced { later } => {
                for (frame, later) in all.iter_mut().zip(later) {
                    frame.displayed = frame.displayed.map(|at| at + *later as f64 * self.refresh);
                }
            }
            _ => {}
        }
        // A constant latency does not change how even the presentation is.
        let latency = 2.0 * self.baseline;
        for frame in &mut all {
            frame.ready = f64::max(frame.ready + 0.1 * self.clock_error * normal(random), frame.start);
            frame.displayed = frame
                .displayed
                .map(|at| at + latency + self.display_error * normal(random));
        }
        Frames {
            all,
            is_display_known: self.is_display_known,
            images_per_frame: 1,
            facts: self.facts,
            hitch_ends,
        }
    }

    /// The error of the program's clock: a small error always, and occasionally a late timestamp.
    fn misread(&self, random: &mut Rng) -> f64 {
        let is_late = random.f64() < 0.01;
        let late = if is_late {
            0.2 * self.refresh.min(self.baseline) * random.f64()
        } else {
            0.0
        };
        self.clock_error * normal(random) + late
    }

    /// The time that a frame takes if it is not a hitch.
    fn took(&self, random: &mut Rng, index: usize, load: f64) -> f64 {
        let longer = match &self.kind {
            // Now and then one is a refresh late: too few to speak of.
            Kind::Synced if random.f64() < 0.0007 && self.images_per_frame == 1 => self.refresh / self.baseline,
            Kind::Synced | Kind::Limited => 0.0,
            Kind::Variable { spread, .. } => load + (spread * normal(random)).clamp(-0.6, 0.8),
            Kind::Steps { cost, rate } => {
                0.02 * normal(random) + cost * ((index + 1) as f64 * rate).floor()
                    - cost * (index as f64 * rate).floor()
            }
            Kind::Missing { late } => late[index] as f64 * self.refresh / self.baseline,
            // A frame that takes twice as long or longer is a hitch.
            Kind::Irregular { share } if random.f64() < *share => between(random, 0.35, 0.95),
            Kind::Irregular { .. } | Kind::Unpaced { .. } => 0.0,
        };
        self.baseline * (1.0 + longer)
    }

    /// Rounds up to whole refreshes if the program waits for the display.
    fn until_ready(&self, took: f64) -> f64 {
        match self.kind {
            Kind::Synced | Kind::Missing { .. } | Kind::Unpaced { .. } => {
                (took / self.refresh - 1e-6).ceil() * self.refresh
            }
            _ => took,
        }
    }

    fn show(&self, random: &mut Rng, frames: &mut [Frame]) {
        let jittered = |frame: &Frame| (frame.ready + self.clock_error * normal(random)) / 1e3;
        let ready: Vec<f64> = frames.iter().map(jittered).collect();
        // Rounded to the nanosecond, the resolution of clocks.
        let nanos = (self.refresh * 1e6).round() as u32;
        let rate = Rate::new(1_000_000_000, nanos.max(1)).unwrap_or(Rate::hz(60));
        let display = SimulatedDisplay::fixed(rate);
        for (frame, shown) in frames.iter_mut().zip(display.show(&ready)) {
            frame.displayed = shown.map(|at| at * 1e3);
        }
    }
}

/// A random refresh rate in hertz, most often a common one.
fn display(random: &mut Rng) -> f64 {
    match random.f64() < 0.7 {
        true => DISPLAYS[random.usize(..DISPLAYS.len())] * (1.0 + 0.0005 * normal(random)),
        false => between_ratios(random, 50.0, 360.0),
    }
}

impl fmt::Display for PacingPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match (&self.kind, self.fault) {
            (Kind::Synced, Some(_)) => "read late",
            (Kind::Synced, None) => "synced",
            (Kind::Variable { .. }, _) => "followed by the display",
            (Kind::Steps { .. }, _) => "with steps that cost",
            (Kind::Limited, _) => "limited",
            (Kind::Missing { .. }, _) => "missing refreshes",
            (Kind::Irregular { .. }, _) => "irregular",
            (Kind::Unpaced { .. }, _) => "shown unevenly",
        };
        let (rate, hertz) = (1e3 / self.baseline, 1e3 / self.refresh);
        write!(
            f,
            "{} frames at {rate:.2} Hz, {name}, on a display at {hertz:.2} Hz",
            self.frames
        )?;
        write!(f, ", clock off by {:.3} ms", self.clock_error)?;
        f.write_str(if self.is_display_known {
            ""
        } else {
            ", display not recorded"
        })
    }
}
