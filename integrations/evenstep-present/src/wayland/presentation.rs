use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::present::PresentFeedback;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy as _, QueueHandle, WEnum};
use wayland_protocols::wp::presentation_time::client::wp_presentation::{self, WpPresentation};
use wayland_protocols::wp::presentation_time::client::wp_presentation_feedback::{self, Kind, WpPresentationFeedback};

use crate::clock::{Offset, PresentationClock};
use crate::wayland::answers::{Globals, must_answer};
use crate::wayland::error::WaylandError;

/// Asks a compositor when frames were shown, and takes its answers.
///
/// It has an event queue of its own on a connection that the program has anyhow, and never waits: something must read from the
/// connection, as every program's own loop does.
#[derive(Debug)]
pub struct PresentationFeedback {
    queue: EventQueue<Answers>,
    presentation: WpPresentation,
    answers: Answers,
    /// The best reading of a clock that runs as fast as the program's.
    best: Option<Offset>,
}

/// What has arrived.
#[derive(Debug, Default)]
struct Answers {
    clock: Option<u32>,
    /// Whether all that it says by itself has arrived.
    is_complete: bool,
    /// Times are the compositor's.
    feedback: Vec<PresentFeedback>,
}

impl PresentationFeedback {
    /// Asks a compositor for the protocol; this waits for its answer, for five seconds at most.
    ///
    /// # Errors
    ///
    /// If it does not speak the protocol or does not answer, or the connection breaks.
    pub fn new(connection: &Connection) -> Result<Self, WaylandError> {
        let globals = Globals::read(connection)?;
        let mut queue = connection.new_event_queue();
        let presentation = globals.bind(&queue.handle(), 1..=2)?;
        let mut answers = Answers::default();
        connection.display().sync(&queue.handle(), ());
        must_answer(connection, &mut queue, &mut answers, |answers| answers.is_complete)?;
        Ok(Self {
            queue,
            presentation,
            answers,
            best: None,
        })
    }

    /// The clock of the compositor's times; none if it has not said so.
    #[must_use]
    pub fn clock(&self) -> Option<PresentationClock> {
        self.answers.clock.map(PresentationClock::of)
    }

    /// Asks when the next frame that is committed to a surface will have been shown. The answer has the frame's `id`.
    pub fn request(&self, surface: &WlSurface, id: u64) {
        self.presentation.feedback(surface, &self.queue.handle(), id);
    }

    /// The answers that have arrived since the last call, oldest first, with times as those of [`MonotonicClock::now`]. Those of a
    /// [clock](Self::clock) that cannot be read are handed on as they are.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<PresentFeedback>, WaylandError> {
        self.queue.dispatch_pending(&mut self.answers)?;
        let mut feedback = std::mem::take(&mut self.answers.feedback);
        if feedback.is_empty() {
            return Ok(feedback);
        }
        if let Some(offset) = self.offset(clock) {
            offset.apply(&mut feedback);
        }
        Ok(feedback)
    }

    /// By how much times may be off because two clocks cannot be read at once. None before [`poll`](Self::poll) has answers on
    /// `CLOCK_MONOTONIC`; with other clocks it is that of a reading of both, about a microsecond.
    #[must_use]
    pub fn clock_error(&self) -> Option<Duration> {
        self.best.map(|offset| offset.error)
    }

    fn offset(&mut self, ours: &MonotonicClock) -> Option<Offset> {
        let theirs = self.clock()?;
        let read = Offset::read(theirs, ours)?;
        // Other clocks run at other speeds, so the newest reading counts.
        let best = self
            .best
            .filter(|best| theirs == PresentationClock::Monotonic && best.error <= read.error);
        self.best = best.or(Some(read));
        self.best
    }
}

impl Drop for PresentationFeedback {
    fn drop(&mut self) {
        if self.presentation.is_alive() {
            self.presentation.destroy();
        }
    }
}

impl Dispatch<WlCallback, ()> for Answers {
    fn event(
        answers: &mut Self,
        _: &WlCallback,
        event: wl_callback::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        answers.is_complete |= matches!(event, wl_callback::Event::Done { .. });
    }
}

impl Dispatch<WpPresentation, ()> for Answers {
    fn event(
        answers: &mut Self,
        _: &WpPresentation,
        event: wp_presentation::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wp_presentation::Event::ClockId { clk_id } = event {
            answers.clock = Some(clk_id);
        }
    }
}

impl Dispatch<WpPresentationFeedback, u64> for Answers {
    fn event(
        answers: &mut Self,
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
            } => answers.feedback.push(PresentFeedback {
                id: *id,
                presented: Some(time(tv_sec_hi, tv_sec_lo, tv_nsec)),
                refresh: Duration::from_nanos(refresh.into()),
                reliable: is_measured(flags),
            }),
            wp_presentation_feedback::Event::Discarded => answers.feedback.push(PresentFeedback::discarded(*id)),
            _ => {}
        }
    }
}

fn time(secs_high: u32, secs_low: u32, nanos: u32) -> Duration {
    let secs = u64::from(secs_high) << 32 | u64::from(secs_low);
    Duration::from_secs(secs).saturating_add(Duration::from_nanos(nanos.into()))
}

/// Whether the hardware told the time or when it began to show the picture, rather than a timer.
fn is_measured(flags: WEnum<Kind>) -> bool {
    let flags = match flags {
        WEnum::Value(flags) => flags.bits(),
        WEnum::Unknown(bits) => bits,
    };
    flags & (Kind::HwClock | Kind::HwCompletion).bits() != 0
}
