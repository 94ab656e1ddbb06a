//! Pacing where the latch deadline is some time before the refresh, on virtual clocks.

use std::time::Duration;

use evenstep_present::{Pacer, PresentFeedback, RefreshGrid};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// 60 Hz.
const PERIOD: Duration = Duration::from_nanos(16_666_667);

/// A program that begins a frame once it knows when the last one was presented, and a system whose truth is known.
struct Desktop {
    /// Pictures are taken so long before the refresh that shows them.
    lead: Duration,
    pacer: Pacer,
    grid: RefreshGrid,
    now: Duration,
    frame: u64,
    /// The newest refresh that showed a frame.
    shown: u32,
}

/// How old frames were when they were presented, and refreshes that showed none.
#[derive(Debug)]
struct Seen {
    latency: Duration,
    missed: u32,
}

impl Desktop {
    fn with(lead: Duration) -> Self {
        Self {
            lead,
            pacer: Pacer::new(),
            grid: RefreshGrid::new(),
            now: Duration::ZERO,
            frame: 0,
            shown: 0,
        }
    }

    /// What frame `n` costs: from 2 to 4 ms.
    fn cost(n: u64) -> Duration {
        let varied = (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u32 % 2_000;
        2 * MS + US * varied
    }

    /// Shows this number of frames. Frames for which `hitches` returns true are a refresh later than they could be.
    fn show(&mut self, frames: u32, hitches: impl Fn(u64) -> bool) -> Seen {
        let (mut ages, first) = (Duration::ZERO, self.shown);
        for _ in 0..frames {
            self.frame += 1;
            let plan = self.pacer.next_frame(self.now, self.grid.next_refresh(self.now));
            let ready = plan.begin + Self::cost(self.frame);
            self.pacer.finish(plan, ready);
            self.grid.submit(self.frame, ready);
            let soonest = (ready + self.lead).as_nanos().div_ceil(PERIOD.as_nanos()) as u32;
            self.shown = soonest.max(self.shown + 1) + u32::from(hitches(self.frame));
            let seen = self.shown * PERIOD;
            ages += seen - plan.begin;
            self.now = seen + 300 * US;
            let feedback = PresentFeedback::new(self.frame, seen).with_reliable(true);
            self.grid.observe(feedback, self.now);
        }
        Seen {
            latency: ages / frames,
            missed: self.shown - first - frames,
        }
    }
}

#[test]
fn frames_are_in_time_wherever_the_system_takes_them() {
    // Weston takes them 7 ms before a refresh, and Xvfb half a period.
    for lead in [Duration::ZERO, 2 * MS, 7 * MS, PERIOD / 2, 10 * MS] {
        let mut desktop = Desktop::with(lead);
        desktop.show(100, |_| false);
        let seen = desktop.show(2_000, |_| false);
        let learnt = desktop.grid.latch_deadline();
        println!("{lead:?} before: {seen:?}, {learnt:?}");
        assert!(seen.missed <= 10, "{lead:?} before: {seen:?}, {learnt:?}");
        // The longest cost, the margin, and the error of the estimated lead.
        assert!(seen.latency < lead + 4 * MS + MS + 2 * MS, "{lead:?} before: {seen:?}");
    }
}

#[test]
fn hitches_of_the_system_teach_nothing() {
    let mut desktop = Desktop::with(Duration::ZERO);
    // One of twenty, at random.
    let noise = |n: u64| (n.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ (n.wrapping_mul(n) << 7)) % 1_000_003;
    let hitches = |n: u64| noise(n).is_multiple_of(20);
    let seen = desktop.show(10_000, hitches);
    assert!(
        desktop.grid.latch_deadline() < MS,
        "{:?}",
        desktop.grid.latch_deadline()
    );
    assert!((400..600).contains(&seen.missed), "{seen:?}");
}

#[test]
fn frames_that_were_ready_too_late_teach_nothing() {
    let mut desktop = Desktop::with(Duration::ZERO);
    desktop.pacer = Pacer::new().with_percentile(30.0).with_margin(Duration::ZERO);
    let seen = desktop.show(1_000, |_| false);
    assert!(seen.missed > 300, "{seen:?}");
    assert_eq!(desktop.grid.latch_deadline(), Duration::ZERO);
}

#[test]
fn a_system_that_has_become_faster_is_found_out() {
    let mut desktop = Desktop::with(10 * MS);
    desktop.show(100, |_| false);
    assert!(
        desktop.grid.latch_deadline() > 8 * MS,
        "{:?}",
        desktop.grid.latch_deadline()
    );
    desktop.lead = MS;
    desktop.show(20_000, |_| false);
    assert!(
        desktop.grid.latch_deadline() < 3 * MS,
        "{:?}",
        desktop.grid.latch_deadline()
    );
}
