use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::present::PresentFeedback;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event;
use x11rb::protocol::present::{
    CompleteKind, CompleteMode, CompleteNotifyEvent, ConnectionExt as _, EventMask, X11_EXTENSION_NAME,
};
use x11rb::rust_connection::{RustConnection, Stream};

use crate::clock::{Offset, PresentationClock};
use crate::x11::error::X11Error;
use crate::x11::patient::{self, PatientStream};

/// Listens to what a server reports of the frames of a window.
///
/// It has a connection of its own, so it takes no event away from the program, and the window may be any library's. It never
/// waits. After the window is gone it hears nothing more.
///
/// # Which frame it was
///
/// A frame's `id` is the serial number that it was handed to `PresentPixmap` with, counted on beyond 32 bits. A program that hands
/// over pictures by itself chooses it. One that draws by a graphics driver does not: Mesa's count frames from one, but this was not
/// tried with any driver.
///
/// # When it was seen
///
/// Times are converted from `CLOCK_MONOTONIC`, which servers on Linux use. Of a server on another machine they are of another clock;
/// a [`RefreshGrid`](evenstep::present::RefreshGrid) finds that out. They are `reliable` only where the picture became the screen (a
/// *flip*). A picture that was copied is reported when it was copied: where a compositing manager runs, it is seen later. The server
/// announces no rate.
#[derive(Debug)]
pub struct PresentationFeedback<S: Stream = PatientStream> {
    connection: RustConnection<S>,
    /// The number of the newest frame.
    newest: Option<u64>,
    /// What has arrived, with the server's times.
    waiting: Vec<PresentFeedback>,
    /// The best reading of the clock that both use.
    best: Option<Offset>,
}

impl PresentationFeedback {
    /// Listens to a window of the server that the environment names, whose answers are waited for up to five seconds each.
    ///
    /// # Errors
    ///
    /// If there is no server, no such window or no extension `Present`, or the server does not answer.
    pub fn connect(window: u32) -> Result<Self, X11Error> {
        let (connection, _) = patient::connect(None)?;
        Self::on(connection, window)
    }
}

impl<S: Stream> PresentationFeedback<S> {
    /// Listens on a connection that is used for nothing else. How long the server's answers are waited for is up to its stream.
    ///
    /// # Errors
    ///
    /// If there is no such window or no extension `Present`.
    pub fn on(connection: RustConnection<S>, window: u32) -> Result<Self, X11Error> {
        if connection.extension_information(X11_EXTENSION_NAME)?.is_none() {
            return Err(X11Error::Unsupported(X11_EXTENSION_NAME));
        }
        connection.present_query_version(1, 2)?.reply()?;
        let id = connection.generate_id()?;
        connection
            .present_select_input(id, window, EventMask::COMPLETE_NOTIFY)?
            .check()?;
        Ok(Self {
            connection,
            newest: None,
            waiting: Vec::new(),
            best: None,
        })
    }

    /// The reports that have arrived since the last call, in their order, with times as those of [`MonotonicClock::now`].
    ///
    /// A frame that was passed over for a newer one is discarded. One whose time the server does not know is left out.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<PresentFeedback>, X11Error> {
        self.read()?;
        let mut feedback = std::mem::take(&mut self.waiting);
        if feedback.is_empty() {
            return Ok(feedback);
        }
        if let Some(offset) = self.offset(clock) {
            offset.apply(&mut feedback);
        }
        Ok(feedback)
    }

    /// By how much times may be off because two clocks cannot be read at once; none before [`poll`](Self::poll) has answers.
    #[must_use]
    pub fn clock_error(&self) -> Option<Duration> {
        self.best.map(|offset| offset.error)
    }

    /// The connection, to wait on.
    pub(super) const fn connection(&self) -> &RustConnection<S> {
        &self.connection
    }

    /// The newest frame of which something was reported.
    pub(super) const fn newest(&self) -> Option<u64> {
        self.newest
    }

    /// Reads what has arrived, without waiting.
    pub(super) fn read(&mut self) -> Result<(), X11Error> {
        while let Some(event) = self.connection.poll_for_event()? {
            if let Event::PresentCompleteNotify(event) = event
                && event.kind == CompleteKind::PIXMAP
            {
                let report = self.report(&event);
                self.waiting.extend(report);
            }
        }
        Ok(())
    }

    fn report(&mut self, event: &CompleteNotifyEvent) -> Option<PresentFeedback> {
        let id = self.extend(event.serial);
        if event.mode == CompleteMode::SKIP {
            return Some(PresentFeedback::discarded(id));
        }
        (event.ust > 0).then_some(PresentFeedback {
            id,
            presented: Some(Duration::from_micros(event.ust)),
            refresh: Duration::ZERO,
            reliable: event.mode == CompleteMode::FLIP,
        })
    }

    /// The number of 64 bits with these last 32 that is nearest to the newest.
    fn extend(&mut self, serial: u32) -> u64 {
        let id = self.newest.map_or(u64::from(serial), |newest| {
            let ahead = serial.wrapping_sub(newest as u32).cast_signed();
            newest.saturating_add_signed(ahead.into())
        });
        self.newest = self.newest.max(Some(id));
        id
    }

    fn offset(&mut self, ours: &MonotonicClock) -> Option<Offset> {
        let read = Offset::read(PresentationClock::Monotonic, ours);
        self.best = [self.best, read]
            .into_iter()
            .flatten()
            .min_by_key(|offset| offset.error);
        self.best
    }
}
