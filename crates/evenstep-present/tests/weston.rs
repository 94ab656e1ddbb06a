//! The Wayland adapter at a real compositor: weston without a screen. `cargo ci --only compositors` installs it and runs these tests.
#![cfg(target_os = "linux")]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use evenstep::MonotonicClock;
use evenstep_present::Session;
use evenstep_present::wayland::{PresentationClock, PresentationFeedback, Window};
use wayland_client::Connection;

/// A compositor without a screen, in a folder of its own; it ends with this.
struct Weston {
    process: Child,
    folder: PathBuf,
}

impl Weston {
    /// Starts one that gives programs so many milliseconds before each refresh.
    fn start(repaint_window: i32) -> Self {
        let name = format!("evenstep-weston-{}-{repaint_window}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
        let settings = folder.join("weston.ini");
        std::fs::write(&settings, format!("[core]\nrepaint-window={repaint_window}\n")).unwrap();
        let process = Command::new("weston")
            .args([
                "--backend=headless-backend.so",
                "--shell=desktop-shell.so",
                "--use-pixman",
                "--socket=wayland-test",
            ])
            .args(["--idle-time=0", "-c"])
            .arg(&settings)
            .env("XDG_RUNTIME_DIR", &folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("weston is installed");
        Self { process, folder }
    }

    fn connect(&self) -> Connection {
        let start = Instant::now();
        loop {
            if let Ok(stream) = UnixStream::connect(self.folder.join("wayland-test")) {
                return Connection::from_socket(stream).unwrap();
            }
            assert!(start.elapsed() < Duration::from_secs(30), "weston does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Weston {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Shows frames for some seconds, and gathers what is reported.
fn show(weston: &Weston, seconds: u64) -> (Session, Option<PresentationClock>) {
    let mut window = Window::open_on(weston.connect(), "test").unwrap();
    let mut feedback = PresentationFeedback::new(window.connection()).unwrap();
    let (clock, mut session) = (MonotonicClock::new(), Session::default());
    while clock.now() < Duration::from_secs(seconds) {
        let id = session.begin(clock.now());
        feedback.request(window.surface(), id);
        session.submit(clock.now());
        window.commit().unwrap();
        window.wait(Duration::from_millis(250)).unwrap();
        for report in feedback.poll(&clock).unwrap() {
            session.observe(report, clock.now());
        }
    }
    (session, feedback.clock())
}

mod compositors {
    use super::*;

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn what_weston_reports_arrives_on_the_programs_clock() {
        let weston = Weston::start(7);
        let (session, clock) = show(&weston, 4);
        let quality = session.quality();
        println!("{clock:?} {quality:#?}");
        assert_eq!(clock, Some(PresentationClock::MonotonicRaw));
        assert!(quality.frames > 50, "{quality:?}");
        assert!(
            quality.seen + 5 >= quality.frames && quality.discarded == 0,
            "{quality:?}"
        );
        // It draws for nobody: no hardware tells a time.
        assert_eq!(quality.measured, 0);
        // Frames are seen after they were handed over and before that is reported: only then is it the same clock.
        assert!(session.is_on_one_clock(), "{quality:?}");
    }

    #[test]
    #[ignore = "needs weston: cargo ci --only compositors"]
    fn the_rate_that_weston_announces_is_not_its_own() {
        let weston = Weston::start(7);
        let quality = show(&weston, 4).0.quality();
        println!("{quality:#?}");
        let (announced, interval) = (quality.announced_ms.unwrap(), quality.interval_ms.unwrap());
        assert!((announced - 16.667).abs() < 0.01, "{quality:?}");
        assert!((interval - announced).abs() > 2.0, "{quality:?}");
    }
}
