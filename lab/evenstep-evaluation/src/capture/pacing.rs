//! The pace of a generated recording: when frames begin, and when they are displayed. Times are in milliseconds.

use std::ops::Range;

use evenstep::Rate;
use evenstep_trace::StutterKind;
use evenstep_trace::simulate::SimulatedDisplay;
use fastrand::Rng;

use crate::random::{between, between_ratios, normal};

/// Common refresh rates of displays, in hertz.
const DISPLAYS: [f64; 16] = [
    50.0, 59.94, 60.0, 72.0, 75.0, 85.0, 90.0, 100.0, 120.0, 144.0, 165.0, 180.0, 240.0, 280.0, 300.0, 360.0,
];

/// Common frame rate limits, in hertz.
const LIMITS: [f64; 14] = [
    24.0, 25.0, 30.0, 40.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0,
];

/// Frame rates in hertz, and lengths of recordings in seconds.
const RATES: Range<f64> = 24.0..360.0;
const SECONDS: Range<f64> = 12.0..40.0;

/// What sets the pace of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The program waits for every n-th refresh.
    Synced,
    /// The same, but its clock is read with large errors.
    ReadLate,
    /// The display follows the program, or tears. `spread` is the deviation of frame times, as a share of them, and `drift` that of the
    /// load, which changes slowly.
    Variable { spread: f64, drift: f64 },
    /// The display follows the program, whose frames are longer by this share of them if one of the steps falls in them, which come at
    /// `rate` a frame.
    Steps { cost: f64, rate: f64 },
    /// A frame limiter keeps a rate other than the display's.
    Limited,
    /// The program waits for refreshes, and a `share` of the frames misses some. The load forgets as much as `memory` is below 1.
    Missing { share: f64, memory: f64 },
    /// The display follows the program, and a `share` of the frames takes longer by a random time.
    Irregular { share: f64 },
    /// The program waits for every n-th refresh, but every second frame, or a random one, is shown `by` refreshes later.
    Unpaced { by: usize, takes_turns: bool },
}

/// A frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedFrame {
    /// When the frame began, by the program's clock.
    pub(super) start: f64,
    /// When the program presented the frame.
    pub(super) ready: f64,
    /// When the frame was displayed; `None` if it never was.
    pub(super) displayed: Option<f64>,
}

/// The pace of a recording.
#[derive(Clone, Debug)]
pub(super) struct FramePacing {
    kind: Kind,
    /// The refresh interval of the display.
    refresh: f64,
    /// The usual frame time.
    baseline: f64,
    frames: usize,
    /// The standard deviation of the program's clock.
    clock_error: f64,
    pub(super) is_display_known: bool,
    /// Displayed images for each frame of the program, generated ones included.
    pub(super) images_per_frame: usize,
    /// The refreshes that each present waits for, and whether it may tear, if the file states it.
    pub(super) facts: Option<(u32, bool)>,
}

impl FramePacing {
    pub(super) fn random(random: &mut Rng) -> Self {
        let refresh = 1e3 / display(random);
        let mut pace = Self {
            kind: Kind::Synced,
            refresh,
            baseline: refresh,
            frames: 0,
            clock_error: 0.0,
            is_display_known: random.f64() < 0.75,
            images_per_frame: 1,
            facts: None,
        };
        match random.u8(0..100) {
            0..18 => pace.synced(random),
            18..32 => pace.variable(random),
            32..53 => pace.limited(random),
            53..71 => pace.missing(random),
            71..82 => pace.read_late(random),
            82..87 => pace.irregular(random),
            87..91 => pace.steps(random),
            91..96 => pace.unpaced(random),
            _ => {
                pace.synced(random);
                pace.frames = random.usize(2..58);
            }
        }
        // What a file states about the presentation, half of the time.
        let waits = matches!(pace.kind, Kind::Synced | Kind::ReadLate | Kind::Missing { .. });
        let refreshes = (pace.baseline / pace.refresh).round() as u32;
        let refreshes = if waits && pace.images_per_frame == 1 {
            refreshes
        } else {
            0
        };
        let tears = pace.is_followed() && random.bool();
        pace.facts = random.bool().then_some((refreshes, tears));
        pace
    }

    /// Sets the frame rate, the error of the clock as a share of a frame, and how long the recording is.
    fn record(&mut self, random: &mut Rng, baseline: f64, clock_error: f64) {
        self.baseline = baseline;
        self.clock_error = clock_error * baseline;
        self.frames = (1e3 * between(random, SECONDS.start, SECONDS.end) / baseline) as usize;
    }

    /// Chooses how many refreshes a frame takes, so that the frame rate is in range.
    fn wait_for_refreshes(&mut self, random: &mut Rng, clock_error: f64) {
        let most = (1e3 / RATES.start / self.refresh).floor().max(1.0) as usize;
        let refreshes = if random.bool() { 1 } else { random.usize(1..=most) };
        self.record(random, refreshes as f64 * self.refresh, clock_error);
    }

    /// Chooses a frame rate that the display can follow, up to `most` refresh intervals a second.
    fn be_followed(&mut self, random: &mut Rng, most: f64, clock_error: f64) {
        let rate = between_ratios(random, 30.0, (most / self.refresh).min(RATES.end));
        self.record(random, 1e3 / rate, clock_error);
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
        let (is_even, is_exact, drifts) = (random.f64() < 0.6, random.bool(), random.bool());
        let spread = match (is_even, is_exact) {
            (true, true) => 0.0,
            (true, false) => between(random, 0.006, 0.012),
            (false, _) => between(random, 0.12, 0.3),
        };
        let drift = if is_even && drifts {
            between(random, 0.01, 0.02)
        } else {
            0.0
        };
        self.kind = Kind::Variable { spread, drift };
        if is_even && random.f64() < 0.2 {
            self.images_per_frame = 2;
            self.is_display_known = true;
        }
        let error = between(random, 0.0, 0.008);
        self.be_followed(random, 950.0, error);
    }

    /// Even frames at a rate other than the display's.
    fn limited(&mut self, random: &mut Rng) {
        self.kind = Kind::Limited;
        self.is_display_known = true;
        loop {
            let hertz = match random.bool() {
                true => LIMITS[random.usize(..LIMITS.len())],
                false => between_ratios(random, RATES.start, RATES.end),
            };
            let turns = 1e3 / hertz / self.refresh;
            let error = between(random, 0.0, 0.025) * f64::min(1.0, 1.0 / turns);
            self.record(random, 1e3 / hertz, error);
            let off = (turns - turns.round().max(1.0)).abs();
            let uneven = off / turns.max(1.0) * self.frames as f64;
            // A rate nearer to the display's takes longer to be distinguished from it.
            if off / turns > 0.004 + 0.5 * error && uneven > 15.0 && turns > 0.3 {
                return;
            }
        }
    }

    /// Frames that wait for a refresh, and sometimes miss it; in some recordings mostly in bursts.
    fn missing(&mut self, random: &mut Rng) {
        let error = between(random, 0.0, 0.02);
        self.wait_for_refreshes(random, error);
        if !self.is_display_known {
            // Refreshes can only be distinguished where the clock is read more exactly than they are long.
            self.clock_error = self.clock_error.min(0.025 * self.refresh);
        }
        let fewest = f64::max(0.015, 12.0 / self.frames as f64);
        self.kind = Kind::Missing {
            share: between_ratios(random, fewest, 0.35),
            memory: [0.0, 0.9][random.usize(..2)],
        };
    }

    /// Even presentation, but noisy deltas.
    fn read_late(&mut self, random: &mut Rng) {
        self.kind = Kind::ReadLate;
        let least = if self.is_display_known { 0.04 } else { 0.08 };
        let error = between_ratios(random, least, 0.16);
        self.wait_for_refreshes(random, error);
    }

    /// Steps are so expensive that frames with one are longer; no limiter evens them.
    fn steps(&mut self, random: &mut Rng) {
        let (less, more) = (between(random, 0.3, 0.42), between(random, 0.58, 0.7));
        self.kind = Kind::Steps {
            cost: between(random, 0.4, 0.8),
            rate: if random.bool() { less } else { more },
        };
        let error = between(random, 0.0, 0.01);
        self.be_followed(random, 600.0, error);
    }

    /// Some frames take longer, by times that are not whole refreshes.
    fn irregular(&mut self, random: &mut Rng) {
        self.kind = Kind::Irregular {
            share: between_ratios(random, 0.05, 0.15),
        };
        let error = between(random, 0.0, 0.015);
        self.be_followed(random, 950.0, error);
    }

    /// Even frames of several refreshes each, which are on the screen for more and fewer in turn, or at random.
    fn unpaced(&mut self, random: &mut Rng) {
        self.is_display_known = true;
        let most = (1e3 / RATES.start / self.refresh).floor() as usize;
        let refreshes = random.usize(2..=most.max(2));
        let error = between(random, 0.0, 0.012);
        self.record(random, refreshes as f64 * self.refresh, error);
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
        self.kind = Kind::Unpaced { by, takes_turns };
    }

    /// Whether the display shows frames when they are ready.
    fn is_followed(&self) -> bool {
        matches!(
            self.kind,
            Kind::Variable { .. } | Kind::Steps { .. } | Kind::Irregular { .. }
        )
    }

    /// The fault of the pace, if it has one.
    pub(super) fn fault(&self) -> Option<StutterKind> {
        match self.kind {
            Kind::Synced => None,
            Kind::Variable { spread, .. } => (spread > 0.1).then_some(StutterKind::UnevenFrames),
            Kind::ReadLate | Kind::Steps { .. } | Kind::Irregular { .. } => Some(StutterKind::UnevenFrames),
            Kind::Limited | Kind::Unpaced { .. } => Some(StutterKind::UnevenDisplay),
            Kind::Missing { .. } => Some(StutterKind::MissedRefreshes),
        }
    }

    pub(super) fn is_too_short(&self) -> bool {
        self.frames < 60
    }

    /// Whether the work of the graphics card may set the pace.
    pub(super) fn can_be_bound(&self) -> bool {
        let is_free = matches!(
            self.kind,
            Kind::Variable { .. } | Kind::Limited | Kind::Irregular { .. }
        );
        self.is_display_known && is_free
    }

    /// Whether a limiter evens frames, whose sleep may count as work.
    pub(super) fn is_held(&self) -> bool {
        !self.can_be_busy() && self.can_be_bound() && self.clock_error < 0.006 * self.baseline
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

    /// Simulates the frames. Returns them, and when hitches ended.
    pub(super) fn frames(&self, random: &mut Rng) -> (Vec<CapturedFrame>, Vec<f64>) {
        let (times, hitches) = self.hitches(random);
        let mut hitches = hitches.into_iter().peekable();
        let length = self.frames as f64 * self.baseline;
        // The start of a capture disturbs half of the programs.
        let is_disturbed = !self.is_too_short() && random.bool();
        let disturbed = if is_disturbed {
            f64::min(between(random, 0.0, 0.04) * length, 600.0)
        } else {
            0.0
        };
        let refreshes = self.extra_refreshes(random);
        let (mut load, mut now, mut last_start) = (0.0, 0.0, f64::NEG_INFINITY);
        let (mut frames, mut hitch_ends) = (Vec::new(), Vec::new());
        for (index, extra) in refreshes.iter().enumerate() {
            let start = f64::max(now + self.misread(random), last_start);
            last_start = start;
            if let Kind::Variable { drift, .. } = self.kind {
                load = correlated(random, load, 0.985, drift);
            }
            let is_hitch = hitches.next_if(|at| *at <= now).is_some();
            let mut took = match is_hitch {
                true => times * self.baseline,
                false => self.baseline * (1.0 + self.longer(random, index, load)),
            };
            if let (Kind::Missing { .. }, false) = (self.kind, is_hitch) {
                took += *extra as f64 * self.refresh;
            }
            if now < disturbed {
                took *= between(random, 1.0, 2.5);
            }
            if matches!(
                self.kind,
                Kind::Synced | Kind::ReadLate | Kind::Missing { .. } | Kind::Unpaced { .. }
            ) {
                took = (took / self.refresh - 1e-6).ceil() * self.refresh;
            }
            now += took;
            hitch_ends.extend(is_hitch.then_some(now));
            let late = if let Kind::Unpaced { .. } = self.kind {
                *extra
            } else {
                0
            };
            frames.push(CapturedFrame {
                start,
                ready: now,
                displayed: Some(now + late as f64 * self.refresh),
            });
        }
        if self.kind == Kind::Limited {
            self.show(random, &mut frames);
        }
        // A constant latency does not change how even the presentation is.
        let (latency, display_error) = (2.0 * self.baseline, between(random, 0.0, 0.04));
        for frame in &mut frames {
            frame.ready = f64::max(frame.ready + 0.1 * self.clock_error * normal(random), frame.start);
            let shown = |at: f64| at + latency + display_error * normal(random);
            frame.displayed = frame.displayed.map(shown);
        }
        (frames, hitch_ends)
    }

    /// How long hitches take, in usual frames, and when they begin: periodic or at random times, in four of ten recordings whose pace
    /// leaves them recognisable.
    fn hitches(&self, random: &mut Rng) -> (f64, Vec<f64>) {
        let shortest = if let Kind::Missing { .. } = self.kind { 6.0 } else { 4.0 };
        let times = between(random, shortest, 10.0);
        let varies = self.is_followed() && self.fault().is_some();
        if self.is_too_short() || varies || random.f64() < 0.6 {
            return (times, Vec::new());
        }
        let length = self.frames as f64 * self.baseline;
        if random.bool() {
            let room = length / (5.0 * times * self.baseline);
            let count = random.usize(7..=20).min(room as usize);
            let mut at = |n: usize| n as f64 + 0.5 + between(random, -0.04, 0.04);
            return (times, (0..count).map(|n| at(n) * length / count as f64).collect());
        }
        let mut at: Vec<f64> = (0..random.usize(1..=12)).map(|_| length * random.f64()).collect();
        at.sort_by(f64::total_cmp);
        (times, at)
    }

    /// By how many refreshes each frame misses its own, or is shown later.
    fn extra_refreshes(&self, random: &mut Rng) -> Vec<usize> {
        match self.kind {
            Kind::Missing { share, memory } => {
                let refreshes = self.baseline / self.refresh;
                let most = if refreshes < 1.5 { 1 } else { (1.3 * refreshes) as usize };
                // The amount of work changes from time to time.
                let mut load = 0.0;
                let mut next = |_| {
                    load = correlated(random, load, memory, 1.0);
                    load
                };
                let loads: Vec<f64> = (0..self.frames).map(&mut next).collect();
                let mut sorted = loads.clone();
                sorted.sort_by(f64::total_cmp);
                let limit = sorted[((1.0 - share) * (self.frames - 1) as f64) as usize];
                let late = loads.iter().map(|load| *load > limit);
                late.map(|is_late| if is_late { random.usize(1..=most) } else { 0 })
                    .collect()
            }
            Kind::Unpaced { by, takes_turns } => {
                let mut is_later = |n: usize| if takes_turns { n % 2 == 1 } else { random.f64() < 0.4 };
                (0..self.frames).map(|n| if is_later(n) { by } else { 0 }).collect()
            }
            _ => vec![0; self.frames],
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

    /// By which share of the usual time a frame takes longer.
    fn longer(&self, random: &mut Rng, index: usize, load: f64) -> f64 {
        match self.kind {
            // Now and then one is a refresh late: too few to speak of.
            Kind::Synced | Kind::ReadLate if random.f64() < 0.0007 && self.images_per_frame == 1 => {
                self.refresh / self.baseline
            }
            Kind::Variable { spread, .. } => load + (spread * normal(random)).clamp(-0.6, 0.8),
            Kind::Steps { cost, rate } => {
                let steps = ((index + 1) as f64 * rate).floor() - (index as f64 * rate).floor();
                0.02 * normal(random) + cost * steps
            }
            // A frame that takes twice as long or longer is a hitch.
            Kind::Irregular { share } if random.f64() < share => between(random, 0.35, 0.95),
            _ => 0.0,
        }
    }

    /// Shows frames on a display that does not wait for them.
    fn show(&self, random: &mut Rng, frames: &mut [CapturedFrame]) {
        let jittered = |frame: &CapturedFrame| (frame.ready + self.clock_error * normal(random)) / 1e3;
        let ready: Vec<f64> = frames.iter().map(jittered).collect();
        // Rounded to the nanosecond, the resolution of clocks.
        let nanos = (self.refresh * 1e6).round() as u32;
        let rate = Rate::new(1_000_000_000, nanos.max(1)).unwrap_or(Rate::hz(60));
        for (frame, shown) in frames.iter_mut().zip(SimulatedDisplay::fixed(rate).show(&ready)) {
            frame.displayed = shown.map(|at| at * 1e3);
        }
    }
}

/// The next number of a sequence with this deviation, which remembers a share of the one before.
fn correlated(random: &mut Rng, before: f64, memory: f64, deviation: f64) -> f64 {
    memory * before + deviation * f64::sqrt(1.0 - memory * memory) * normal(random)
}

/// A random refresh rate in hertz, most often a common one.
fn display(random: &mut Rng) -> f64 {
    match random.f64() < 0.7 {
        true => DISPLAYS[random.usize(..DISPLAYS.len())] * (1.0 + 0.0005 * normal(random)),
        false => between_ratios(random, 50.0, 360.0),
    }
}
