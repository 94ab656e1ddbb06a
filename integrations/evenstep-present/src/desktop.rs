//! A window on the Wayland compositor or X server of the environment.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::present::PresentFeedback;

use crate::error::DesktopError;
use crate::wayland;
#[cfg(feature = "x11")]
use crate::x11;

/// The window systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowSystem {
    /// A Wayland compositor.
    Wayland,
    /// An X server.
    #[cfg(feature = "x11")]
    X11,
}

impl WindowSystem {
    /// The window system of the environment: Wayland if both are available, `None` if neither is.
    #[must_use]
    pub fn of_environment() -> Option<Self> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
            return Some(Self::Wayland);
        }
        #[cfg(feature = "x11")]
        if is_set("DISPLAY") {
            return Some(Self::X11);
        }
        None
    }
}

/// A small window on either window system, and the presentation feedback of its frames.
#[derive(Debug)]
pub struct Desktop {
    window: Window,
}

#[derive(Debug)]
enum Window {
    Wayland(Box<(wayland::Window, wayland::PresentationFeedback)>),
    #[cfg(feature = "x11")]
    X11(Box<x11::Window>),
}

impl Desktop {
    /// Opens a window on the given window system.
    ///
    /// # Errors
    ///
    /// If there is no such server or compositor, it reports no presentation feedback, or it has not answered for five seconds.
    pub fn open(system: WindowSystem, title: &str) -> Result<Self, DesktopError> {
        match system {
            WindowSystem::Wayland => Self::wayland(wayland::Window::open(title)?),
            #[cfg(feature = "x11")]
            WindowSystem::X11 => Ok(Self::x11(x11::Window::open(title)?)),
        }
    }

    /// With a window that is open.
    ///
    /// # Errors
    ///
    /// If the compositor reports nothing.
    pub fn wayland(window: wayland::Window) -> Result<Self, DesktopError> {
        let feedback = wayland::PresentationFeedback::new(window.connection())?;
        let window = Window::Wayland(Box::new((window, feedback)));
        Ok(Self { window })
    }

    /// With a window that is open.
    #[cfg(feature = "x11")]
    #[must_use]
    pub fn x11(window: x11::Window) -> Self {
        let window = Window::X11(Box::new(window));
        Self { window }
    }

    /// Submits a frame. Frames are numbered from one.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn submit(&mut self, frame: u64) -> Result<(), DesktopError> {
        match &mut self.window {
            Window::Wayland(wayland) => {
                let (window, feedback) = &mut **wayland;
                feedback.request(window.surface(), frame);
                Ok(window.commit()?)
            }
            #[cfg(feature = "x11")]
            Window::X11(window) => Ok(window.present(frame)?),
        }
    }

    /// Waits until the next frame is requested, at most for this long: no frames are requested for a window that is not visible. A Wayland
    /// compositor requests frames; on an X server a request is assumed when the last frame was presented.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn wait(&mut self, at_most: Duration) -> Result<bool, DesktopError> {
        match &mut self.window {
            Window::Wayland(wayland) => Ok(wayland.0.wait(at_most)?),
            #[cfg(feature = "x11")]
            Window::X11(window) => Ok(window.wait(at_most)?),
        }
    }

    /// Reads events for this long.
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn listen(&mut self, time: Duration) -> Result<(), DesktopError> {
        match &mut self.window {
            Window::Wayland(wayland) => Ok(wayland.0.listen(time)?),
            #[cfg(feature = "x11")]
            Window::X11(window) => Ok(window.listen(time)?),
        }
    }

    /// The reports that have been read since the last call, with timestamps on the clock of [`MonotonicClock::now`].
    ///
    /// # Errors
    ///
    /// If the connection broke.
    pub fn poll(&mut self, clock: &MonotonicClock) -> Result<Vec<PresentFeedback>, DesktopError> {
        match &mut self.window {
            Window::Wayland(wayland) => Ok(wayland.1.poll(clock)?),
            #[cfg(feature = "x11")]
            Window::X11(window) => Ok(window.feedback().poll(clock)?),
        }
    }

    /// Whether the window was closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        match &self.window {
            Window::Wayland(wayland) => wayland.0.is_closed(),
            #[cfg(feature = "x11")]
            Window::X11(window) => window.is_closed(),
        }
    }

    /// The clock of the reports, if the system states it.
    #[must_use]
    pub fn clock(&self) -> Option<wayland::PresentationClock> {
        match &self.window {
            Window::Wayland(wayland) => wayland.1.clock(),
            #[cfg(feature = "x11")]
            Window::X11(_) => None,
        }
    }
}
