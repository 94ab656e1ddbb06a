//! Presentation feedback from an X server.

use std::time::Duration;

use evenstep::MonotonicClock;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event;
use x11rb::protocol::present::{
    CompleteKind, CompleteMode, CompleteNotifyEvent, ConnectionExt as _, EventMask, X11_EXTENSION_NAME,
};
use x11rb::rust_connection::RustConnection;

use crate::clock::PresentationClock;
use crate::error::X11Error;
use crate::feedback::PresentFeedback;

/// Receives presentation feedback for a window.
///
/// It has its own connection, so it takes no events away from the program, and any library can own the window. After it was made it never
/// waits. After the window is destroyed it receives nothing more.
///
/// # Identifying frames
///
/// The `id` of a frame is the serial number that was passed to `PresentPixmap`, extended beyond 32 bits. A program that presents pixmaps
/// itself chooses it. A program that draws with a graphics driver does not: Mesa's drivers count frames from one, but this was not tested
/// with any driver.
///
/// # Presentation times
///
/// Timestamps are converted from `CLOCK_MONOTONIC`, which servers on Linux use. On a server on another machine they are on another clock, and
/// a [`RefreshGrid`](crate::RefreshGrid) ignores them. They are `reliable` only where the pixmap became the contents of the
/// screen (a *flip*). A pixmap that was copied is reported when it was copied: under a compositing manager it is presented later. The
/// server announces no refresh rate.
#[derive(Debug)]
pub struct PresentationFeedback {
    connection: RustConnection,
    /// The number of the newest reported frame.
    newest: Option<u64>,
    /// Reports with timestamps on the server's clock.
    waiting: Vec<PresentFeedback>,
}

impl PresentationFeedback {
    /// Receives feedback for a window of a server by its name, for example `:1`, or of the one that the environment names. This waits for
    /// replies of the server.
    ///
    /// # Errors
    ///
    /// If there is no server, no such window or no extension `Present`.
    pub fn connect(server: Option<&str>, window: u32) -> Result<Self, X11Error> {
        let (connection, _screen) = RustConnection::connect(server)?;
        Self::on(connection, window)
    }

    /// Receives feedback on a connection that is used for nothing else.
    ///
    /// # Errors
    ///
    /// If there is no such window or no extension `Present`.
    pub fn on(connection: RustConnection, window: u32) -> Result<Self, X11Error> {
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
        })
    }

    /// The reports that have arrived since the last call, in order, with timestamps on the clock of [`MonotonicClock::now`].
    ///
    /// A frame that was skipped in favour of a newer one is reported as discarded. A frame whose time the server does not know is left out.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<PresentFeedback>, X11Error> {
        self.read()?;
        let mut feedback = std::mem::take(&mut self.waiting);
        PresentationClock::Monotonic.convert(&mut feedback, clock);
        Ok(feedback)
    }

    /// Reads the events that have arrived, without waiting.
    fn read(&mut self) -> Result<(), X11Error> {
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
        (event.ust > 0).then_some(
            PresentFeedback::new(id, Duration::from_micros(event.ust)).with_reliable(event.mode == CompleteMode::FLIP),
        )
    }

    /// The 64-bit number with these lower 32 bits that is nearest to the newest.
    fn extend(&mut self, serial: u32) -> u64 {
        let id = self.newest.map_or(u64::from(serial), |newest| {
            let ahead = serial.wrapping_sub(newest as u32).cast_signed();
            newest.saturating_add_signed(ahead.into())
        });
        self.newest = self.newest.max(Some(id));
        id
    }
}
