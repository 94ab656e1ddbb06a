//! Recording a session of frames with different rules for when a frame starts.

use std::time::Duration;

use evenstep::pace::{FramePlan, Pacer};
use evenstep::present::RefreshGrid;
use evenstep::{MonotonicClock, Rate};

use crate::desktop::Desktop;
use crate::error::DesktopError;
use crate::session::Session;

/// A frame starts after this time even if the system has not requested one.
const FRAME_REQUEST_TIMEOUT: Duration = Duration::from_millis(250);

/// How long reports are awaited after the last frame.
const REPORT_TIMEOUT: Duration = Duration::from_millis(200);

/// When the next frame starts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FrameStart {
    /// When the last frame was submitted.
    Immediate,
    /// When the system [requests](Desktop::wait) a frame.
    OnRequest,
    /// As `OnRequest`, and by sleeping at least a period of this rate after the start of the last frame.
    Sleep(Rate),
    /// When a [`Pacer`] decides, which gets the refreshes of the display from reports.
    Paced(Box<Pacer>),
}

impl Desktop {
    /// Shows frames for some time and records their presentation feedback. Each frame takes `cost` before it is submitted. `goes_on` is
    /// called with the time for each frame and can end the recording.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn record(
        &mut self,
        begin: FrameStart,
        cost: Duration,
        time: Duration,
        mut goes_on: impl FnMut(Duration) -> bool,
    ) -> Result<Session, DesktopError> {
        let mut recording = Recording::new(self, begin);
        while recording.clock.now() < time && !recording.desktop.is_closed() && goes_on(recording.clock.now()) {
            recording.frame(cost)?;
            recording.wait()?;
        }
        recording.desktop.listen(REPORT_TIMEOUT)?;
        recording.take()?;
        if let FrameStart::Paced(pacer) = &recording.begin {
            recording.session.set_pacing(pacer.stats());
        }
        Ok(recording.session)
    }
}

struct Recording<'a> {
    desktop: &'a mut Desktop,
    begin: FrameStart,
    /// The plan of the next frame.
    plan: Option<FramePlan>,
    last: Duration,
    clock: MonotonicClock,
    grid: RefreshGrid,
    session: Session,
}

impl<'a> Recording<'a> {
    fn new(desktop: &'a mut Desktop, begin: FrameStart) -> Self {
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
        if let (FrameStart::Paced(pacer), Some(plan)) = (&mut self.begin, self.plan.take()) {
            pacer.finish(plan, ready);
        }
        self.last = begun;
        Ok(())
    }

    /// Waits until the next frame starts.
    fn wait(&mut self) -> Result<(), DesktopError> {
        if self.begin != FrameStart::Immediate {
            self.desktop.wait(FRAME_REQUEST_TIMEOUT)?;
        }
        self.take()?;
        let now = self.clock.now();
        let left = match &mut self.begin {
            FrameStart::Immediate | FrameStart::OnRequest => Duration::ZERO,
            FrameStart::Sleep(rate) => {
                let period = Duration::from_nanos(rate.period_nanos());
                (self.last + period).saturating_sub(now)
            }
            FrameStart::Paced(pacer) => {
                let plan = pacer.next_frame(now, self.grid.next_refresh(now));
                self.plan = Some(plan);
                plan.wait()
            }
        };
        self.desktop.listen(left)?;
        self.take()
    }

    /// Processes the reports that have arrived.
    fn take(&mut self) -> Result<(), DesktopError> {
        for report in self.desktop.poll(&self.clock)? {
            let now = self.clock.now();
            self.session.observe(report, now);
            self.grid.observe(report, now);
        }
        Ok(())
    }
}
