//! The objects of a connection that matter to the proxy, and those of its own.
//!
//! A program numbers the objects that it creates: it takes the lowest number that is free, and a compositor accepts no number that
//! leaves a gap. Objects of the proxy need numbers that the program does not use. A number is free again when the compositor says so,
//! with `wl_display.delete_id`; the proxy keeps some of these messages to itself. For the program such a number stays in use, for the
//! compositor it is free, and the proxy creates its own objects under it. All other messages pass unchanged, also those of protocols
//! that nobody here knows, and no number has to be translated.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::report::{CommitTiming, PresentedFrame, Shown};
use super::wire::{self, DISPLAY, Malformed, Message, PRESENTATION};

/// The proxy keeps a number if it has fewer free ones.
const WANTED_FREE: usize = 8;

/// The most numbers that the proxy keeps for a connection.
const MAX_KEPT: usize = 1024;

/// From here on numbers are of objects that the compositor creates.
const FIRST_OF_COMPOSITOR: u32 = 0xff00_0000;

/// The most frames of a surface that wait for the compositor's reply.
const MAX_WAITING: usize = 4096;

/// The newest version of presentation feedback that is known here.
const NEWEST: u32 = 2;

/// An object of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Registry,
    Compositor,
    WindowShell,
    TimingManager,
    FifoManager,
    /// By the surface's number in this recording.
    Surface(u64),
    Timer(u64),
    Fifo(u64),
}

/// An object of the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    Presentation,
    /// For a frame, by its surface and its number in it.
    Feedback {
        surface: u64,
        frame: u64,
    },
    /// Answered; the compositor still has to free the number.
    Finished,
}

/// A surface, also after its end as long as frames wait.
#[derive(Debug, Default)]
struct Surface {
    /// Whether a buffer was attached since the last commit.
    has_new_buffer: bool,
    /// Whether it is the surface of a window or a menu, rather than of a pointer or a part.
    is_window: bool,
    is_over: bool,
    /// What the next commit asks for.
    timing: CommitTiming,
    /// The number of the first frame that waits.
    first: u64,
    /// Frames in the order of their commits; with an answer they wait for earlier ones.
    waiting: VecDeque<(PresentedFrame, bool)>,
}

/// The objects of a connection.
#[derive(Debug, Default)]
pub(super) struct Objects {
    objects: BTreeMap<u32, Object>,
    own: BTreeMap<u32, Own>,
    /// Numbers that were kept and have no object.
    free: Vec<u32>,
    surfaces: BTreeMap<u64, Surface>,
    /// The number of the newest one, counted from 1.
    last_surface: u64,
    /// The compositor's name and version of presentation feedback, and the registry that announced it.
    offer: Option<(u32, u32, u32)>,
    presentation: Option<u32>,
    /// The compositor's last error, which ends the connection.
    pub(super) error: Option<String>,
}

impl Objects {
    /// A request of the program. Requests of the proxy that must come before it are appended to `requests`. `frame` is called for a
    /// commit with a new buffer.
    pub(super) fn request(
        &mut self,
        message: Message<'_>,
        requests: &mut Vec<u8>,
        frame: impl FnOnce(u64, bool) -> PresentedFrame,
    ) -> Result<(), Malformed> {
        let mut arguments = message.arguments();
        if message.object == DISPLAY {
            if message.opcode == 1 {
                self.objects.insert(arguments.word()?, Object::Registry);
            }
            return Ok(());
        }
        if self.own.contains_key(&message.object) || self.free.contains(&message.object) {
            return Err(Malformed::Object(message.object));
        }
        match (self.objects.get(&message.object).copied(), message.opcode) {
            // wl_registry.bind
            (Some(Object::Registry), 0) => {
                arguments.word()?;
                let object = match arguments.string()? {
                    "wl_compositor" => Object::Compositor,
                    "xdg_wm_base" => Object::WindowShell,
                    "wp_commit_timing_manager_v1" => Object::TimingManager,
                    "wp_fifo_manager_v1" => Object::FifoManager,
                    _ => return Ok(()),
                };
                arguments.word()?;
                self.objects.insert(arguments.word()?, object);
            }
            // wl_compositor.create_surface
            (Some(Object::Compositor), 0) => {
                self.last_surface += 1;
                self.objects
                    .insert(arguments.word()?, Object::Surface(self.last_surface));
                self.surfaces.insert(self.last_surface, Surface::default());
            }
            // xdg_wm_base.get_xdg_surface
            (Some(Object::WindowShell), 2) => {
                arguments.word()?;
                let surface = arguments.word()?;
                if let Some(Object::Surface(number)) = self.objects.get(&surface).copied() {
                    self.change(number, |surface| surface.is_window = true);
                }
            }
            // wp_commit_timing_manager_v1.get_timer, wp_fifo_manager_v1.get_fifo
            (Some(manager @ (Object::TimingManager | Object::FifoManager)), 1) => {
                let (own, surface) = (arguments.word()?, arguments.word()?);
                if let Some(Object::Surface(number)) = self.objects.get(&surface).copied() {
                    let object = match manager {
                        Object::TimingManager => Object::Timer(number),
                        _ => Object::Fifo(number),
                    };
                    self.objects.insert(own, object);
                }
            }
            // wp_commit_timer_v1.set_timestamp
            (Some(Object::Timer(number)), 0) => {
                let target = arguments.time()?;
                self.change(number, |surface| surface.timing.target = Some(target));
            }
            // wp_fifo_v1.set_barrier, wait_barrier
            (Some(Object::Fifo(number)), 0) => self.change(number, |surface| surface.timing.sets_barrier = true),
            (Some(Object::Fifo(number)), 1) => self.change(number, |surface| surface.timing.waits = true),
            // wl_surface.attach
            (Some(Object::Surface(number)), 1) => {
                let buffer = arguments.word()?;
                self.change(number, |surface| surface.has_new_buffer = buffer != 0);
            }
            // wl_surface.commit
            (Some(Object::Surface(number)), 6) => self.commit(number, message.object, requests, frame),
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, surface: u64, change: impl FnOnce(&mut Surface)) {
        if let Some(surface) = self.surfaces.get_mut(&surface) {
            change(surface);
        }
    }

    fn commit(
        &mut self,
        number: u64,
        object: u32,
        requests: &mut Vec<u8>,
        frame: impl FnOnce(u64, bool) -> PresentedFrame,
    ) {
        let Some(surface) = self.surfaces.get_mut(&number) else {
            return;
        };
        let timing = std::mem::take(&mut surface.timing);
        if !std::mem::take(&mut surface.has_new_buffer) {
            return;
        }
        let frame = PresentedFrame {
            timing,
            ..frame(number, surface.is_window)
        };
        let id = surface.first + surface.waiting.len() as u64;
        let request = self.presentation.and_then(|by| Some((by, self.free.pop()?)));
        // Without a number for its feedback, its fate stays unknown.
        surface.waiting.push_back((frame, request.is_none()));
        if let Some((presentation, own)) = request {
            // wp_presentation.feedback
            wire::push(requests, presentation, 1, &[object, own]);
            let feedback = Own::Feedback {
                surface: number,
                frame: id,
            };
            self.own.insert(own, feedback);
        }
    }

    /// An event of the compositor. Requests of the proxy that follow from it are appended to `requests`. Returns whether it is for the
    /// program, and not for the proxy.
    pub(super) fn event(&mut self, message: Message<'_>, requests: &mut Vec<u8>) -> Result<bool, Malformed> {
        let mut arguments = message.arguments();
        if message.object == DISPLAY {
            return match message.opcode {
                0 => {
                    let (object, code) = (arguments.word()?, arguments.word()?);
                    let text = arguments.string()?;
                    self.error = Some(format!("object {object}, code {code}: {text}"));
                    Ok(true)
                }
                1 => Ok(self.freed(arguments.word()?, requests)),
                _ => Ok(true),
            };
        }
        if let Some(own) = self.own.get(&message.object).copied() {
            self.answer(own, message)?;
            return Ok(false);
        }
        // wl_registry.global
        if message.opcode == 0 && self.objects.get(&message.object) == Some(&Object::Registry) {
            let (name, interface, version) = (arguments.word()?, arguments.string()?, arguments.word()?);
            if interface == PRESENTATION {
                self.offer = Some((message.object, name, version.min(NEWEST)));
                self.bind(requests);
            }
        }
        Ok(true)
    }

    /// A number is free again. Returns whether it is so for the program, too.
    fn freed(&mut self, id: u32, requests: &mut Vec<u8>) -> bool {
        if self.own.remove(&id).is_some() {
            self.free.push(id);
            return false;
        }
        match self.objects.remove(&id) {
            Some(Object::Registry) if self.offer.is_some_and(|(registry, ..)| registry == id) => self.offer = None,
            Some(Object::Surface(number)) => self.change(number, |surface| surface.is_over = true),
            _ => {}
        }
        let is_programs = (DISPLAY + 1..FIRST_OF_COMPOSITOR).contains(&id) && !self.free.contains(&id);
        let has_enough = self.free.len() >= WANTED_FREE || self.free.len() + self.own.len() >= MAX_KEPT;
        if !is_programs || has_enough {
            return true;
        }
        self.free.push(id);
        self.bind(requests);
        false
    }

    /// Binds presentation feedback as soon as it is offered and there is a number for it.
    fn bind(&mut self, requests: &mut Vec<u8>) {
        let Some((registry, name, version)) = self.offer.filter(|_| self.presentation.is_none()) else {
            return;
        };
        let Some(own) = self.free.pop() else { return };
        wire::push_bind(requests, registry, name, PRESENTATION, version, own);
        self.own.insert(own, Own::Presentation);
        self.presentation = Some(own);
    }

    /// An event of an object of the proxy.
    fn answer(&mut self, own: Own, message: Message<'_>) -> Result<(), Malformed> {
        let Own::Feedback { surface, frame } = own else {
            return Ok(());
        };
        let mut arguments = message.arguments();
        let shown = match message.opcode {
            // wp_presentation_feedback.presented
            1 => {
                let (at, refresh) = (arguments.time()?, Duration::from_nanos(arguments.word()?.into()));
                let _sequence = (arguments.word()?, arguments.word()?);
                Shown::Presented {
                    at,
                    refresh,
                    flags: arguments.word()?,
                }
            }
            2 => Shown::Discarded,
            _ => return Ok(()),
        };
        self.own.insert(message.object, Own::Finished);
        if let Some(surface) = self.surfaces.get_mut(&surface)
            && let Some(index) = frame.checked_sub(surface.first)
            && let Some((frame, is_answered)) = surface.waiting.get_mut(index as usize)
        {
            (frame.shown, *is_answered) = (shown, true);
        }
        Ok(())
    }

    /// Reports the frames that have a reply, for each surface in the order of its commits. At the end of the connection all others follow,
    /// as unknown.
    pub(super) fn take_frames(&mut self, is_at_end: bool, mut each: impl FnMut(PresentedFrame)) {
        self.surfaces.retain(|_, surface| {
            while let Some((_, is_answered)) = surface.waiting.front()
                && (*is_answered || is_at_end || surface.waiting.len() > MAX_WAITING)
            {
                surface
                    .waiting
                    .pop_front()
                    .into_iter()
                    .for_each(|(frame, _)| each(frame));
                surface.first += 1;
            }
            !surface.is_over || !surface.waiting.is_empty()
        });
    }
}
