use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::present::PresentFeedback;

use crate::wayland::{self, WaylandError};
#[cfg(feature = "x11")]
use crate::x11::{self, X11Error};

/// What shows windows.
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
    /// The one that the environment names: Wayland if both are there. None if neither is.
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

/// Why there is no window, or no feedback.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DesktopError {
    /// On Wayland.
    #[error(transparent)]
    Wayland(#[from] WaylandError),
    /// On X11.
    #[cfg(feature = "x11")]
    #[error(transparent)]
    X11(#[from] X11Error),
}

/// A small window on the desktop, whichever system shows it, and what is reported of its frames.
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
    /// Opens a window at the server that the environment names.
    ///
    /// # Errors
    ///
    /// If there is none, it reports nothing, or it has not answered for five seconds.
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

    /// Hands a frame over. Numbers are counted up from one.
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

    /// Waits until the next frame is wanted, but no longer than this: none is of a window that nobody sees. A Wayland
    /// compositor says so; an X server has then shown the last one.
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

    /// Reads what arrives for so long, whatever that is.
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

    /// The reports that have been read since the last call, with times as those of [`MonotonicClock::now`].
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

    /// Whether somebody has closed the window.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        match &self.window {
            Window::Wayland(wayland) => wayland.0.is_closed(),
            #[cfg(feature = "x11")]
            Window::X11(window) => window.is_closed(),
        }
    }

    /// The clock of the reports, if the system says so.
    #[must_use]
    pub fn clock(&self) -> Option<wayland::PresentationClock> {
        match &self.window {
            Window::Wayland(wayland) => wayland.1.clock(),
            #[cfg(feature = "x11")]
            Window::X11(_) => None,
        }
    }
}
