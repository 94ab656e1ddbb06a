//! A pacer's plans and its statistics.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep::Rate;
use evenstep::pace::{self, FramePlan};
use evenstep::present::Prediction;
use evenstep_flat::Error;
use evenstep_flat::pace::{Pacer, Plan};
use evenstep_flat::present::Refresh;

/// Writes calls and the core's answers.
struct Writer {
    text: String,
    core: pace::Pacer,
    now: u64,
    random: fastrand::Rng,
}

const LIMITS: &[(u32, u32)] = &[
    (60, 1),
    (60_000, 1_001),
    (138, 1),
    (7, 2),
    (4_294_967_291, 4_294_967_279),
];

const PERIODS: &[u64] = &[16_666_667, 6_944_444, 4_166_667, 33_333_333];

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Restarts, mostly with settings of its own.
    fn pacer(&mut self) {
        self.core = pace::Pacer::new();
        self.now = self.random.u64(0..1_000_000_000_000);
        self.line(format_args!("pacer"));
        if self.random.bool() {
            let percent = self.random.u32(50..=100);
            self.core = self.core.clone().with_percentile(f64::from(percent));
            self.line(format_args!("pacer_percentile {percent}"));
        }
        if self.random.bool() {
            let margin = self.random.u64(0..3_000_000);
            self.core = self.core.clone().with_margin(Duration::from_nanos(margin));
            self.line(format_args!("pacer_margin {margin}"));
        }
        if self.random.u32(..4) == 0 {
            let margin = self.random.u64(0..600_000);
            self.core = self.core.clone().with_variable_refresh(Duration::from_nanos(margin));
            self.line(format_args!("pacer_variable {margin}"));
        }
    }

    /// Changes a limit.
    fn set(&mut self) {
        let (numer, denom) = LIMITS[self.random.usize(..LIMITS.len())];
        let rate = Some(Rate::new(numer, denom).unwrap());
        match self.random.u32(..4) {
            0 => {
                self.core.set_limit(rate);
                self.line(format_args!("pacer_limit {numer} {denom}"));
            }
            1 => {
                self.core.set_saving(rate);
                self.line(format_args!("pacer_saving {numer} {denom}"));
            }
            2 => {
                self.core.set_limit(None);
                self.line(format_args!("pacer_unset_limit"));
            }
            _ => {
                self.core.set_saving(None);
                self.line(format_args!("pacer_unset_saving"));
            }
        }
    }

    fn frame(&mut self, period: u64) {
        let now = self.now;
        let next = (self.random.u32(..8) > 0).then(|| {
            let (at, uncertainty) = ((now / period + 1) * period, self.random.u64(0..200_000));
            self.line(format_args!("plan {now} {at} {period} {uncertainty}"));
            Prediction::new(
                Duration::from_nanos(at),
                Duration::from_nanos(period),
                Duration::from_nanos(uncertainty),
            )
        });
        if next.is_none() {
            self.line(format_args!("plan {now}"));
        }
        let plan = self.core.next_frame(Duration::from_nanos(now), next);
        self.planned(plan);
        let cost = match self.random.u32(..20) {
            0 => self.random.u64(0..3 * period),
            _ => self.random.u64(period / 4..period / 2),
        };
        let ready = plan.begin + Duration::from_nanos(cost);
        self.core.finish(plan, ready);
        self.now = ready.as_nanos() as u64 + self.random.u64(0..period / 8);
        self.line(format_args!("finish {}", ready.as_nanos()));
        self.finished();
    }

    fn planned(&mut self, plan: FramePlan) {
        let shown = plan.shown.map_or(-1, |shown| shown.as_nanos() as i128);
        let (begin, asked) = (plan.begin.as_nanos(), plan.asked.as_nanos());
        self.line(format_args!("= {begin} {shown} {asked} {}", plan.period.as_nanos()));
    }

    fn finished(&mut self) {
        let (cost, stats) = (self.core.cost(), self.core.stats());
        let line = format!(
            "= {} {} {} {} {} {}",
            cost.map_or(-1, |cost| cost.as_nanos() as i128),
            stats.frames,
            stats.waited.as_nanos(),
            stats.missed,
            stats.missed_by_waiting,
            stats.latency_saved,
        );
        self.line(format_args!("{line}"));
    }
}

/// This part of the script, as the core has it.
pub(crate) fn made() -> String {
    let mut writer = Writer {
        text: String::new(),
        core: pace::Pacer::new(),
        now: 0,
        random: fastrand::Rng::with_seed(144),
    };
    for period in PERIODS.iter().chain(PERIODS) {
        writer.pacer();
        for _ in 0..30 {
            if writer.random.u32(..10) == 0 {
                writer.set();
            }
            writer.frame(*period);
        }
    }
    writer.text
}

/// Runs the script by flat functions.
pub(crate) struct Reader {
    pacer: Pacer,
    plan: Plan,
    answer: String,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            pacer: Pacer::new(),
            plan: Plan::default(),
            answer: String::new(),
        }
    }

    /// Carries out a call, if it is one of this part. Returns whether it is.
    pub(crate) fn call(&mut self, name: &str, numbers: &[i64]) -> Result<bool, Error> {
        let small = |at: usize| u32::try_from(numbers[at]).unwrap();
        let pacer = &mut self.pacer;
        match name {
            "pacer" => *pacer = Pacer::new(),
            "pacer_percentile" => pacer.set_percentile(f64::from(small(0)))?,
            "pacer_margin" => pacer.set_margin(numbers[0])?,
            "pacer_variable" => pacer.set_variable_refresh(numbers[0])?,
            "pacer_limit" => pacer.set_limit(small(0), small(1))?,
            "pacer_unset_limit" => pacer.unset_limit(),
            "pacer_saving" => pacer.set_saving(small(0), small(1))?,
            "pacer_unset_saving" => pacer.unset_saving(),
            "plan" => self.plan(numbers)?,
            "finish" => self.finish(numbers[0])?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn plan(&mut self, numbers: &[i64]) -> Result<(), Error> {
        let refresh = numbers.get(1..4).map(|refresh| Refresh {
            at: refresh[0],
            period: refresh[1],
            uncertainty: refresh[2],
        });
        self.plan = self.pacer.next_frame(numbers[0], refresh.as_ref())?;
        let plan = self.plan;
        self.answer = format!("= {} {} {} {}", plan.begin, plan.shown, plan.asked, plan.period);
        Ok(())
    }

    fn finish(&mut self, ready: i64) -> Result<(), Error> {
        self.pacer.finish(&self.plan, ready)?;
        let (cost, report) = (self.pacer.cost().unwrap_or(-1), self.pacer.report());
        self.answer = format!(
            "= {cost} {} {} {} {} {}",
            report.frames, report.waited, report.missed, report.missed_by_waiting, report.latency_saved
        );
        Ok(())
    }

    pub(crate) fn answer(&self) -> String {
        self.answer.clone()
    }
}
