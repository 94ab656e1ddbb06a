use std::time::Duration;

use evenstep::pace::{FramePlan, Pacer};
use evenstep::present::RefreshGrid;
use evenstep::{MonotonicClock, Rate};

use crate::desktop::{Desktop, DesktopError};
use crate::session::Session;

/// A system that wants no frame for so long gets one nevertheless.
const PATIENCE: Duration = Duration::from_millis(250);

/// After the last frame, reports are waited for so long.
const AFTERWARDS: Duration = Duration::from_millis(200);

/// When frames begin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Begin {
    /// When the last one is handed over.
    AtOnce,
    /// When the system [wants](Desktop::wait) one.
    WhenWanted,
    /// The same, but so long after the last one as this rate says, by a sleep.
    Sleeping(Rate),
    /// As a [`Pacer`] says, which knows from reports when the display refreshes.
    Paced(Box<Pacer>),
}

impl Desktop {
    /// Shows frames for some time, and records what is reported of them. Each costs so much, and then is handed over. `goes_on` is
    /// told the time with each frame, and may end it.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn record(
        &mut self,
        begin: Begin,
        cost: Duration,
        time: Duration,
        mut goes_on: impl FnMut(Duration) -> bool,
    ) -> Result<Session, DesktopError> {
        let mut recording = Recording::new(self, begin);
        while recording.clock.now() < time && !recording.desktop.is_closed() && goes_on(recording.clock.now()) {
            recording.frame(cost)?;
            recording.wait()?;
        }
        recording.desktop.listen(AFTERWARDS)?;
        recording.take()?;
        Ok(recording.session)
    }
}

struct Recording<'a> {
    desktop: &'a mut Desktop,
    begin: Begin,
    /// Of the frame that comes.
    plan: Option<FramePlan>,
    last: Duration,
    clock: MonotonicClock,
    grid: RefreshGrid,
    session: Session,
}

impl<'a> Recording<'a> {
    fn new(desktop: &'a mut Desktop, begin: Begin) -> Self {
        Self {
            desktop,
            begin,
            plan: None,
            last: Duration::ZERO,
            clock: MonotonicClock::new(),
            grid: RefreshGrid::new(),
            session: Session::default(),
        }
    }

    fn frame(&mut self, cost: Duration) -> Result<(), DesktopError> {
        let begun = self.clock.now();
        let id = self.session.begin(begun);
        while self.clock.now() < begun + cost {
            std::hint::spin_loop();
        }
        let ready = self.clock.now();
        self.session.submit(ready);
        self.grid.submit(id, ready);
        self.desktop.submit(id)?;
        if let (Begin::Paced(pacer), Some(plan)) = (&mut self.begin, self.plan.take()) {
            pacer.finish(plan, ready);
        }
        self.last = begun;
        Ok(())
    }

    /// Waits until the next frame is to begin.
    fn wait(&mut self) -> Result<(), DesktopError> {
        if self.begin != Begin::AtOnce {
            self.desktop.wait(PATIENCE)?;
        }
        self.take()?;
        let now = self.clock.now();
        let left = match &mut self.begin {
            Begin::AtOnce | Begin::WhenWanted => Duration::ZERO,
            Begin::Sleeping(rate) => {
                let period = Duration::from_nanos(rate.period_nanos());
                (self.last + period).saturating_sub(now)
            }
            Begin::Paced(pacer) => {
                let plan = pacer.next_frame(now, self.grid.next_refresh(now));
                self.plan = Some(plan);
                plan.wait()
            }
        };
        self.desktop.listen(left)?;
        self.take()
    }

    /// Takes the reports that have arrived.
    fn take(&mut self) -> Result<(), DesktopError> {
        for report in self.desktop.poll(&self.clock)? {
            let now = self.clock.now();
            self.session.observe(report, now);
            self.grid.observe(report, now);
        }
        Ok(())
    }
}
