//! A program of the tutorial, in a window on an X server of its own. The program has no support for tests, so they wait for the content of
//! its window.

use std::process::{Child, Command};

use crate::desktop::Desktop;
use crate::pictures::Picture;
use crate::play::wait_for;
use crate::xvfb_server::Xvfb;

/// The position of the square in the window, in pixels, and its brightness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Square {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) brightness: u8,
}

pub(crate) struct Tutorial {
    pub(crate) desktop: Desktop,
    program: Child,
    _server: Xvfb,
}

impl Tutorial {
    pub(crate) fn start(program: &str) -> Self {
        let server = Xvfb::start("800x600", &[]);
        let mut command = Command::new(program);
        command.env("DISPLAY", server.name()).env_remove("WAYLAND_DISPLAY");
        let program = command.env("LIBGL_ALWAYS_SOFTWARE", "1").spawn().unwrap();
        let desktop = wait_for("the window", || Desktop::connect(server.name()).ok());
        Self {
            desktop,
            program,
            _server: server,
        }
    }

    /// Waits until the square meets a condition.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(Square) -> bool) -> Square {
        wait_for(what, || {
            let picture = self.desktop.picture().ok()?;
            square(&picture).filter(|square| is_so(*square))
        })
    }

    /// Closes the window, and waits until the program has ended.
    pub(crate) fn assert_ends(mut self) {
        self.desktop.close().unwrap();
        let exit = wait_for("the end", || self.program.try_wait().unwrap());
        assert!(exit.success(), "{exit}");
    }
}

impl Drop for Tutorial {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Finds the square by its first pixel from above. The text above it has less red.
fn square(picture: &Picture) -> Option<Square> {
    let width = picture.size[0] as usize;
    let pixels = picture.bytes.as_chunks::<3>().0;
    let index = pixels.iter().position(|[red, ..]| *red > 120)?;
    Some(Square {
        left: index % width,
        top: index / width,
        brightness: pixels[index + width + 1][0],
    })
}
