//! Presentation feedback from a Wayland compositor.

use std::time::Duration;

use evenstep::MonotonicClock;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy as _, QueueHandle, WEnum};
use wayland_protocols::wp::presentation_time::client::wp_presentation::{self, WpPresentation};
use wayland_protocols::wp::presentation_time::client::wp_presentation_feedback::{self, Kind, WpPresentationFeedback};

use crate::clock::PresentationClock;
use crate::error::WaylandError;
use crate::feedback::PresentFeedback;

/// Requests presentation feedback from a compositor and collects the reports.
///
/// It has its own event queue on the connection of the program. After it was made it never waits: the program's event loop must read from
/// the connection.
#[derive(Debug)]
pub struct PresentationFeedback {
    queue: EventQueue<Events>,
    presentation: WpPresentation,
    events: Events,
}

/// The events that have arrived.
#[derive(Debug, Default)]
struct Events {
    clock: Option<u32>,
    /// Reports with timestamps on the compositor's clock.
    feedback: Vec<PresentFeedback>,
}

impl PresentationFeedback {
    /// Binds the protocol; this waits for replies of the compositor.
    ///
    /// # Errors
    ///
    /// If the compositor does not support the protocol, or the connection breaks.
    pub fn new(connection: &Connection) -> Result<Self, WaylandError> {
        let (globals, mut queue) = registry_queue_init::<Events>(connection)?;
        let presentation = globals.bind(&queue.handle(), 1..=2, ())?;
        let mut events = Events::default();
        queue.roundtrip(&mut events)?;
        Ok(Self {
            queue,
            presentation,
            events,
        })
    }

    /// The clock of the compositor's timestamps; `None` if it has not stated it.
    #[must_use]
    pub fn clock(&self) -> Option<PresentationClock> {
        self.events.clock.map(PresentationClock::of)
    }

    /// Requests feedback for the next frame that is committed to a surface. The report has this `id`.
    pub fn request(&self, surface: &WlSurface, id: u64) {
        self.presentation.feedback(surface, &self.queue.handle(), id);
    }

    /// The reports that have arrived since the last call, oldest first, with timestamps on the clock of [`MonotonicClock::now`]. Timestamps
    /// of a [clock](Self::clock) that cannot be read are not converted.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<PresentFeedback>, WaylandError> {
        self.queue.dispatch_pending(&mut self.events)?;
        let mut feedback = std::mem::take(&mut self.events.feedback);
        if let Some(theirs) = self.clock() {
            theirs.convert(&mut feedback, clock);
        }
        Ok(feedback)
    }
}

impl Drop for PresentationFeedback {
    fn drop(&mut self) {
        if self.presentation.is_alive() {
            self.presentation.destroy();
        }
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Events {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

impl Dispatch<WpPresentation, ()> for Events {
    fn event(
        events: &mut Self,
        _: &WpPresentation,
        event: wp_presentation::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wp_presentation::Event::ClockId { clk_id } = event {
            events.clock = Some(clk_id);
        }
    }
}

impl Dispatch<WpPresentationFeedback, u64> for Events {
    fn event(
        events: &mut Self,
        _: &WpPresentationFeedback,
        event: wp_presentation_feedback::Event,
        id: &u64,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wp_presentation_feedback::Event::Presented {
                tv_sec_hi,
                tv_sec_lo,
                tv_nsec,
                refresh,
                flags,
                ..
            } => events.feedback.push(
                PresentFeedback::new(*id, time(tv_sec_hi, tv_sec_lo, tv_nsec))
                    .with_refresh(Duration::from_nanos(refresh.into()))
                    .with_reliable(is_measured(flags)),
            ),
            wp_presentation_feedback::Event::Discarded => events.feedback.push(PresentFeedback::discarded(*id)),
            _ => {}
        }
    }
}

fn time(secs_high: u32, secs_low: u32, nanos: u32) -> Duration {
    let secs = u64::from(secs_high) << 32 | u64::from(secs_low);
    Duration::from_secs(secs).saturating_add(Duration::from_nanos(nanos.into()))
}

/// Whether the hardware measured the time or the start of scan-out, rather than a timer.
fn is_measured(flags: WEnum<Kind>) -> bool {
    let flags = match flags {
        WEnum::Value(flags) => flags.bits(),
        WEnum::Unknown(bits) => bits,
    };
    flags & (Kind::HwClock | Kind::HwCompletion).bits() != 0
}
