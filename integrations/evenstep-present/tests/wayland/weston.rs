//! The adapter with weston, a real compositor, headless. `cargo ci --only compositors` installs it and runs these tests one after the other,
//! because they measure real time.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::PresentFeedback;
use evenstep_present::wayland::{PresentationClock, PresentationFeedback};
use tempfile::TempDir;
use wayland_client::protocol::wl_shm::Format;

use crate::client::Client;

/// Width and height in pixels.
const SIZE: (i32, i32) = (320, 240);

/// A compositor in a temporary folder. Dropping it ends the compositor.
struct Weston {
    process: Child,
    folder: TempDir,
}

impl Weston {
    /// Starts weston with a repaint window in milliseconds before each refresh.
    fn start(repaint_window: i32) -> Self {
        let folder = TempDir::new().unwrap();
        let settings = folder.path().join("weston.ini");
        std::fs::write(&settings, format!("[core]\nrepaint-window={repaint_window}\n")).unwrap();
        let process = Command::new("weston")
            .args(["--backend=headless-backend.so", "--shell=desktop-shell.so"])
            .args(["--use-pixman", "--socket=desktop", "--idle-time=0", "-c"])
            .arg(&settings)
            .env("XDG_RUNTIME_DIR", folder.path())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("weston is installed");
        Self { process, folder }
    }

    /// Its socket, once it accepts connections.
    fn socket(&mut self) -> PathBuf {
        let socket = self.folder.path().join("desktop");
        while UnixStream::connect(&socket).is_err() {
            assert_eq!(self.process.try_wait().unwrap(), None, "weston has ended");
            std::thread::yield_now();
        }
        socket
    }
}

impl Drop for Weston {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The number of frames that were presented, of reports with the times at which they arrived.
fn count_presented(reports: &[(PresentFeedback, Duration)]) -> usize {
    let presented = reports.iter().filter(|(report, _)| report.presented.is_some());
    presented.count()
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn reports_of_weston_are_on_the_programs_clock() {
        for repaint_window in [-10, 7] {
            let mut weston = Weston::start(repaint_window);
            let mut client = Client::connect(&weston.socket());
            let surface = client.create_surface();
            client.open_window(&surface);
            let ((width, height), handle) = (SIZE, client.queue.handle());
            let pool = client.create_pool(0, 4 * width * height);
            let buffer = pool.create_buffer(0, width, height, 4 * width, Format::Xrgb8888, &handle, ());
            let mut feedback = PresentationFeedback::new(&client.connection).unwrap();
            let clock = MonotonicClock::new();
            let (mut submitted, mut reports) = (Vec::new(), Vec::new());
            // weston discards frames on a busy machine. When enough are presented, the last one's report is awaited.
            while count_presented(&reports) < 50 || reports.len() < submitted.len() {
                if count_presented(&reports) < 50 {
                    submitted.push(clock.now());
                    let frame = submitted.len();
                    feedback.request(&surface, frame as u64);
                    surface.attach(Some(&buffer), 0, 0);
                    surface.damage(0, 0, width, height);
                    surface.frame(&handle, ());
                    surface.commit();
                    while client.events.callbacks < frame {
                        client.queue.blocking_dispatch(&mut client.events).unwrap();
                    }
                }
                client.roundtrip();
                let arrived = feedback.poll(&clock).unwrap();
                let now = clock.now();
                reports.extend(arrived.into_iter().map(|report| (report, now)));
            }
            assert_eq!(feedback.clock(), Some(PresentationClock::MonotonicRaw));
            // Two clocks cannot be read at the same instant.
            let error = Duration::from_millis(1);
            for (report, arrived) in &reports {
                // There is no display, so no hardware measures a time.
                assert!(!report.reliable || report.presented.is_none(), "{report:?}");
                let Some(at) = report.presented else { continue };
                let submitted = submitted[report.id as usize - 1];
                assert!(at + error >= submitted && at <= *arrived + error, "{report:?}");
            }
            let mut ids: Vec<_> = reports.iter().map(|(report, _)| report.id).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(1..=submitted.len() as u64), "{reports:?}");
        }
    }
}
