//! A game in a real window, on an X server without a screen: the window is resized, minimised, covered and closed, and the game runs no steps
//! while it is covered.
//!
//! A program of its own, because the loop of winit runs on the main thread, and finds its X server by a variable of the process.

#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod script;
#[cfg(target_os = "linux")]
#[path = "../../../native/tests/windows/xvfb_server.rs"]
mod xvfb_server;

/// Starts a server, and itself again for the script.
#[cfg(target_os = "linux")]
fn main() {
    const IS_SCRIPT: &str = "EVENSTEP_SCRIPT";
    if std::env::var_os(IS_SCRIPT).is_some() {
        return script::play();
    }
    if !std::env::args().any(|argument| argument == "--include-ignored") {
        println!("ignored, because it needs Xvfb: run it with `-- --include-ignored`");
        return;
    }
    let server = xvfb_server::Xvfb::start("1280x720", &[]);
    let mut script = std::process::Command::new(std::env::current_exe().unwrap());
    let ended = script
        .env(IS_SCRIPT, "")
        .env("DISPLAY", server.name())
        .status()
        .unwrap();
    assert!(ended.success(), "{ended}");
}

#[cfg(not(target_os = "linux"))]
fn main() {}
