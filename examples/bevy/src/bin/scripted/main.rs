//! For the tests: runs an app in a real window by a script, without waiting for real time, and prints the results.
//!
//! `scripted hide FOLDER`, which writes screenshots to the folder, or `scripted slow MILLISECONDS FRAMES`.

#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod display;
#[cfg(target_os = "linux")]
mod hide;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
mod slow;
#[cfg(target_os = "linux")]
mod square;
#[cfg(target_os = "linux")]
mod stage;

#[cfg(target_os = "linux")]
fn main() -> bevy::prelude::AppExit {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut app = stage::app();
    match arguments[..] {
        ["hide", folder] => hide::play(&mut app, folder),
        ["slow", millis, frames] => slow::play(
            &mut app,
            millis.parse().expect("milliseconds"),
            frames.parse().expect("a number of frames"),
        ),
        _ => {
            eprintln!("usage: scripted hide FOLDER | slow MILLISECONDS FRAMES");
            return bevy::prelude::AppExit::error();
        }
    }
    let exit = app.run();
    println!("exit={}", if exit.is_success() { "success" } else { "error" });
    exit
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("this needs X11");
}
