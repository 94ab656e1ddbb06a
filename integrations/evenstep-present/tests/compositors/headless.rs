//! A headless compositor in its own folder; dropping it ends the process.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wayland_client::Connection;

/// The id of the unprivileged user `nobody`.
const NOBODY: u32 = 65_534;

pub(crate) struct Headless {
    process: Child,
    folder: PathBuf,
}

impl Headless {
    /// Starts weston with a repaint window in milliseconds before each refresh.
    pub(crate) fn weston(repaint_window: i32) -> Self {
        let folder = folder(&format!("weston-{repaint_window}"));
        let settings = folder.join("weston.ini");
        std::fs::write(&settings, format!("[core]\nrepaint-window={repaint_window}\n")).unwrap();
        let mut command = Command::new("weston");
        command
            .args(["--backend=headless-backend.so", "--shell=desktop-shell.so"])
            .args(["--use-pixman", "--socket=wayland-1", "--idle-time=0", "-c"])
            .arg(&settings);
        Self::start(command, folder)
    }

    pub(crate) fn sway() -> Self {
        let folder = folder("sway");
        let settings = folder.join("config");
        std::fs::write(&settings, "xwayland disable\n").unwrap();
        // It refuses to run as root; then it runs as `nobody`.
        let mut command = if std::fs::metadata(&folder).unwrap().uid() == 0 {
            std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
            let mut command = Command::new("setpriv");
            let [user, group] = ["reuid", "regid"].map(|id| format!("--{id}={NOBODY}"));
            command.args([&user, &group, "--clear-groups", "sway"]);
            command
        } else {
            Command::new("sway")
        };
        command.arg("-c").arg(&settings);
        command.env("WLR_BACKENDS", "headless").env("WLR_RENDERER", "pixman");
        command.env("WLR_LIBINPUT_NO_DEVICES", "1").env_remove("SWAYSOCK");
        Self::start(command, folder)
    }

    fn start(mut command: Command, folder: PathBuf) -> Self {
        let process = command
            .env_remove("DISPLAY")
            .env("XDG_RUNTIME_DIR", &folder)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the compositor is installed");
        Self { process, folder }
    }

    /// Connects to it; it may still be starting.
    pub(crate) fn connect(&self) -> Connection {
        let start = Instant::now();
        let stream = loop {
            match UnixStream::connect(self.folder.join("wayland-1")) {
                Ok(stream) => break stream,
                Err(error) => assert!(start.elapsed() < Duration::from_secs(30), "it does not start: {error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        Connection::from_socket(stream).unwrap()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("evenstep-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    folder
}

impl Drop for Headless {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
