//! A plain grey window whose frames cost almost nothing.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::x11::PresentationFeedback;
use x11rb::connection::Connection as _;
use x11rb::protocol::present::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, WindowClass};
use x11rb::rust_connection::RustConnection;

/// Width and height in pixels.
const SIZE: (u16, u16) = (320, 240);

pub(crate) struct Window {
    connection: RustConnection,
    pub(crate) id: u32,
    pixmap: u32,
    pub(crate) feedback: PresentationFeedback,
    pub(crate) clock: MonotonicClock,
    /// When each frame was submitted.
    pub(crate) submitted: Vec<Duration>,
    /// The reports, with the times at which they arrived.
    pub(crate) reports: Vec<(PresentFeedback, Duration)>,
}

impl Window {
    pub(crate) fn open(server: &str) -> Self {
        let (connection, screen) = RustConnection::connect(Some(server)).unwrap();
        let screen = &connection.setup().roots[screen];
        let (id, pixmap) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let ((width, height), depth) = (SIZE, screen.root_depth);
        let (class, settings) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        let (root, visual) = (screen.root, screen.root_visual);
        connection
            .create_window(depth, id, root, 0, 0, width, height, 0, class, visual, &settings)
            .unwrap();
        connection.create_pixmap(depth, pixmap, id, width, height).unwrap();
        connection.map_window(id).unwrap().check().unwrap();
        Self {
            feedback: PresentationFeedback::connect(Some(server), id).unwrap(),
            connection,
            id,
            pixmap,
            clock: MonotonicClock::new(),
            submitted: Vec::new(),
            reports: Vec::new(),
        }
    }

    /// Submits frames together, each to be presented at the next refresh. Frames are numbered from one.
    pub(crate) fn present(&mut self, count: usize) {
        for _ in 0..count {
            self.submitted.push(self.clock.now());
            let serial = self.submitted.len() as u32;
            // The whole pixmap, on no particular CRTC, without a fence, as soon as the display can.
            self.connection
                .present_pixmap(self.id, self.pixmap, serial, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &[])
                .unwrap();
        }
        self.connection.flush().unwrap();
    }

    /// Reads until this number of frames is reported.
    pub(crate) fn wait_for_reports(&mut self, count: usize) {
        while self.reports.len() < count {
            let reports = self.feedback.poll(&self.clock).unwrap();
            let arrived = self.clock.now();
            self.reports.extend(reports.into_iter().map(|report| (report, arrived)));
            std::thread::yield_now();
        }
    }
}
