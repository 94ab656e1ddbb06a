//! For the tests: plays the games by a script, in a real window and without waiting for real time, and prints the results.
//!
//! `scripted falling_blocks FOLDER`, `scripted shooter HERTZ FOLDER`, `scripted hide FOLDER` or `scripted two_windows FOLDER`; screenshots are
//! written to the folder.

#[cfg(target_os = "linux")]
mod blocks;
#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod hide;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
mod shots;
#[cfg(target_os = "linux")]
mod stage;
#[cfg(target_os = "linux")]
mod two_windows;

#[cfg(target_os = "linux")]
fn main() -> bevy::prelude::AppExit {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut app = stage::app();
    match arguments[..] {
        ["falling_blocks", folder] => blocks::play(&mut app, folder),
        ["shooter", hertz, folder] => shots::play(&mut app, hertz.parse().expect("a refresh rate"), folder),
        ["hide", folder] => hide::play(&mut app, folder),
        ["two_windows", folder] => two_windows::play(&mut app, folder),
        _ => {
            eprintln!("say: scripted falling_blocks FOLDER, shooter HERTZ FOLDER, hide FOLDER or two_windows FOLDER");
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
