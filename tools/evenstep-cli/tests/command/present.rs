//! `evenstep present`. The crate `evenstep-present` tests the measurements; `cargo ci --only compositors` tests them with a real
//! compositor.

use crate::common::command;

#[test]
fn without_a_desktop_the_error_names_the_requirements() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let mut command = command();
    command.args(["present", "--out"]).arg(&out);
    command
        .env_remove("WAYLAND_SOCKET")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("DISPLAY")
        .env("XDG_RUNTIME_DIR", folder.path());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
    assert!(
        text.contains("WAYLAND_DISPLAY") && text.contains("an X server"),
        "{text}"
    );
    assert!(output.stdout.is_empty() && !out.exists());
}

#[cfg(not(feature = "x11"))]
#[test]
fn without_the_feature_x11_an_x_server_is_an_error_that_names_the_feature() {
    let output = command().args(["present", "--on", "x11"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("--features x11"), "{text}");
}

#[test]
fn a_cost_that_could_not_be_stopped_is_refused() {
    for arguments in [
        &["--pacing", "--cost", "1001"][..],
        &["--cost", "5"],
        &["--pacing", "--limit", "0"],
    ] {
        let output = command().arg("present").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

/// A desktop that accepts requests and never answers.
#[cfg(target_os = "linux")]
mod silent {
    use std::io::Read;
    #[cfg(feature = "x11")]
    use std::net::TcpListener;
    use std::os::unix::net::UnixListener;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, Command};

    use crate::common::{names, stoppable};

    enum Desktop {
        Wayland(UnixListener, tempfile::TempDir),
        #[cfg(feature = "x11")]
        X11(TcpListener),
    }

    impl Desktop {
        /// One of each kind that is compiled in.
        fn all() -> Vec<Self> {
            let folder = tempfile::tempdir().unwrap();
            let wayland = UnixListener::bind(folder.path().join("desktop")).unwrap();
            wayland.set_nonblocking(true).unwrap();
            vec![
                Self::Wayland(wayland, folder),
                #[cfg(feature = "x11")]
                Self::x_server(),
            ]
        }

        #[cfg(feature = "x11")]
        fn x_server() -> Self {
            // The number of an X server's display is that of its port, counted from 6000.
            let ports = (16_000..).step_by(7).map(|port| TcpListener::bind(("127.0.0.1", port)));
            let x11 = ports.flatten().next().unwrap();
            x11.set_nonblocking(true).unwrap();
            Self::X11(x11)
        }

        /// The command that shows frames on this desktop.
        fn present(&self) -> Command {
            let mut command = stoppable();
            for other in ["WAYLAND_SOCKET", "WAYLAND_DISPLAY", "DISPLAY"] {
                command.env_remove(other);
            }
            match self {
                Self::Wayland(_, folder) => command.env("WAYLAND_DISPLAY", folder.path().join("desktop")),
                #[cfg(feature = "x11")]
                Self::X11(desktop) => {
                    let display = desktop.local_addr().unwrap().port() - 6000;
                    command.env("DISPLAY", format!("127.0.0.1:{display}"))
                }
            };
            command.arg("present");
            command
        }

        /// Waits until the command has sent a request, and therefore waits for the answer.
        fn hear(&self, child: &mut Child) -> Box<dyn Read> {
            loop {
                let connection: std::io::Result<Box<dyn Read>> = match self {
                    Self::Wayland(desktop, _) => desktop.accept().map(|(stream, _)| Box::new(stream) as _),
                    #[cfg(feature = "x11")]
                    Self::X11(desktop) => desktop.accept().map(|(stream, _)| Box::new(stream) as _),
                };
                assert!(child.try_wait().unwrap().is_none(), "it has ended");
                let Ok(mut connection) = connection else { continue };
                while connection.read_exact(&mut [0; 12]).is_err() {
                    assert!(child.try_wait().unwrap().is_none(), "it has ended");
                }
                return connection;
            }
        }
    }

    #[test]
    fn every_signal_ends_the_wait_for_a_desktop_that_never_replies() {
        for desktop in Desktop::all() {
            for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
                let folder = tempfile::tempdir().unwrap();
                let mut command = desktop.present();
                let mut child = command.arg("--out").arg(folder.path().join("out.csv")).spawn().unwrap();
                let connection = desktop.hear(&mut child);
                let sent = Command::new("kill")
                    .args(["-s", signal, &child.id().to_string()])
                    .status();
                assert!(sent.unwrap().success());
                assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
                assert!(names(folder.path()).is_empty());
                drop(connection);
            }
        }
    }

    #[test]
    #[ignore = "waits as long as the command does: five seconds"]
    fn a_desktop_that_never_replies_is_an_error_of_one_line() {
        let tell = |desktop: Desktop| {
            let output = desktop.present().output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
            assert!(text.contains("for 5 s; see whether it was stopped or hangs"), "{text}");
        };
        std::thread::scope(|scope| {
            for desktop in Desktop::all() {
                scope.spawn(|| tell(desktop));
            }
        });
    }
}

/// `cargo ci --only compositors` installs what these need.
#[cfg(all(target_os = "linux", feature = "x11"))]
mod compositors {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// An X server without a screen. Dropping it ends the server.
    struct Xvfb(Child);

    impl Xvfb {
        /// Starts the server. Also returns its display name.
        fn start() -> (Self, String) {
            let mut process = Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
                // Without this option the server restarts after each command.
                .arg("-noreset")
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("Xvfb is installed");
            let mut number = String::new();
            BufReader::new(process.stdout.take().unwrap())
                .read_line(&mut number)
                .unwrap();
            (Self(process), format!(":{}", number.trim()))
        }
    }

    impl Drop for Xvfb {
        fn drop(&mut self) {
            // The server removes its lock file when it is asked to end.
            let _ = Command::new("kill").arg(self.0.id().to_string()).status();
            let _ = self.0.wait();
        }
    }

    #[test]
    #[ignore = "needs Xvfb: cargo ci --only compositors"]
    fn on_an_x_server_it_measures_every_clock_and_every_way_to_begin() {
        let (_server, name) = Xvfb::start();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let present = |arguments: &[&str]| {
            let mut command = command();
            command
                .args(["present", "--json", "--seconds", "3.5", "--out"])
                .arg(&out);
            let output = command
                .args(arguments)
                .env_remove("WAYLAND_SOCKET")
                .env_remove("WAYLAND_DISPLAY")
                .env("DISPLAY", &name)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
            let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let analysis = command_analyze(&out);
            (json, analysis)
        };
        let (report, analysis) = present(&[]);
        assert_eq!(report["errors"].as_array().unwrap().len(), 3, "{report}");
        assert!(report["seen"].as_u64() > Some(50), "{report}");
        assert!(
            analysis.contains("timestamps") && analysis.contains("feedback"),
            "{analysis}"
        );
        let (report, analysis) = present(&["--pacing", "--on", "x11"]);
        let ways = report["ways"].as_array().unwrap();
        assert_eq!(ways.len(), 4, "{report}");
        assert!(
            ways.iter().all(|way| way["latency_mean_ms"].as_f64() > Some(5.0)),
            "{report}"
        );
        assert!(
            analysis.contains("paced") && analysis.contains("no pacing"),
            "{analysis}"
        );
    }

    fn command_analyze(file: &std::path::Path) -> String {
        let output = command().arg("analyze").arg(file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}
