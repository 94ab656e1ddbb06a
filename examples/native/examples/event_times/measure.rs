//! Plays each arrangement at each frame rate in a process of its own, on a server of its own, and prints a table.

use std::error::Error;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep_present::x11::RawInput;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use winit::window::{Window, WindowId};

use crate::bevy_game::BevyGame;
use crate::game::{Game, Input, Played, STEPS};
use crate::hand::tap;
use crate::plain_game::PlainGame;
use crate::xvfb_server::Xvfb;

/// Who stamps the events.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Arrangement {
    OneThread,
    TwoThreads,
    ServersTimes,
    Bevy,
    BevyServersTimes,
}

const ARRANGEMENTS: [(Arrangement, &str); 5] = [
    (Arrangement::OneThread, "one thread"),
    (Arrangement::TwoThreads, "two threads"),
    (Arrangement::ServersTimes, "server's times"),
    (Arrangement::Bevy, "Bevy"),
    (Arrangement::BevyServersTimes, "Bevy, server's times"),
];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [arrangement, hertz] = arguments.as_slice() {
        let mut all = ARRANGEMENTS.iter();
        let found = all
            .find(|(_, name)| name == arrangement)
            .ok_or("there is no such arrangement")?;
        return play(found.0, found.1, hertz.parse()?);
    }
    println!("| frames a second | arrangement | late, 5 % | median | 95 % | 99 % | presses in their step |");
    println!("|---:|---|---:|---:|---:|---:|---:|");
    for hertz in [30, 60, 144, 240, 1000] {
        for (_, name) in ARRANGEMENTS {
            let server = Xvfb::start("320x200", &[]);
            let mut command = Command::new(std::env::current_exe()?);
            command.args([name, &hertz.to_string()]).env("DISPLAY", server.name());
            let status = command.env_remove("WAYLAND_DISPLAY").status()?;
            if !status.success() {
                return Err(format!("{name} at {hertz} Hz: {status}").into());
            }
        }
    }
    Ok(())
}

/// Plays the taps once, and prints a row of the table.
fn play(arrangement: Arrangement, name: &str, hertz: u32) -> Result<(), Box<dyn Error>> {
    let events = EventLoop::<()>::with_user_event().build()?;
    let clock = MonotonicClock::new();
    let (stamps, stamped) = channel();
    let has_times = arrangement == Arrangement::BevyServersTimes;
    let (game, second): (Option<Box<dyn Game>>, _) = match arrangement {
        Arrangement::OneThread | Arrangement::ServersTimes => {
            (Some(Box::new(PlainGame::new(clock.clone(), stamped, hertz))), None)
        }
        Arrangement::TwoThreads => {
            let mut game = PlainGame::new(clock.clone(), stamped, hertz);
            let thread = thread::spawn(move || {
                while game.frame() {}
                Box::new(game).played()
            });
            (None, Some(thread))
        }
        Arrangement::Bevy | Arrangement::BevyServersTimes => {
            let game = BevyGame::new(clock.clone(), stamped, hertz, has_times);
            (Some(Box::new(game)), None)
        }
    };
    let (over, hand) = (events.create_proxy(), clock.clone());
    let hand = thread::spawn(move || {
        let tapped = tap(&hand);
        let _ = over.send_event(()); // fails if the loop has ended already
        tapped
    });
    let mut host = Host {
        clock,
        is_raw: has_times || arrangement == Arrangement::ServersTimes,
        stamps: Some(stamps),
        game,
        window: None,
    };
    events.run_app(&mut host)?;
    host.stamps = None;
    let tapped = hand.join().map_err(|_| "the hand panicked")?;
    let tapped = tapped.map_err(|failure| -> Box<dyn Error> { failure })?;
    let played = match (second, host.game) {
        (Some(thread), _) => thread.join().map_err(|_| "the game panicked")?,
        (None, Some(mut game)) => {
            while game.frame() {}
            game.played()
        }
        (None, None) => return Err("there is no game".into()),
    };
    report(hertz, name, &tapped, &played)
}

fn report(hertz: u32, name: &str, tapped: &[Duration], played: &Played) -> Result<(), Box<dyn Error>> {
    let (stamps, ticks) = (played.stamps.len(), played.ticks.len());
    if ticks != tapped.len() || (stamps != tapped.len() && stamps != 0) {
        return Err(format!("{} taps, {stamps} stamps, {ticks} in steps", tapped.len()).into());
    }
    let stamped = played.stamps.iter().zip(tapped);
    let late = stamped.map(|(stamp, tapped)| 1e3 * (stamp.as_secs_f64() - tapped.as_secs_f64()));
    let mut late: Vec<f64> = late.collect();
    late.sort_by(f64::total_cmp);
    let part = |percent: usize| match late.len() {
        0 => "not known".to_owned(),
        count => format!("{:.2} ms", late[(count - 1) * percent / 100]),
    };
    let own = |at: &Duration| (at.saturating_sub(played.origin).as_nanos() * u128::from(STEPS) / 1_000_000_000) as u64;
    let right = played.ticks.iter().zip(tapped).filter(|(tick, at)| **tick == own(at));
    println!(
        "| {hertz} | {name} | {} | {} | {} | {} | {:.0} % |",
        part(5),
        part(50),
        part(95),
        part(99),
        100.0 * right.count() as f64 / tapped.len() as f64
    );
    Ok(())
}

/// winit's loop.
struct Host {
    clock: MonotonicClock,
    /// Whether the game gets its keys from the server.
    is_raw: bool,
    stamps: Option<Sender<(Duration, Input)>>,
    /// The game, if there is one thread only.
    game: Option<Box<dyn Game>>,
    window: Option<Window>,
}

impl Host {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let window = events.create_window(Window::default_attributes())?;
        if let (true, Some(game)) = (self.is_raw, &mut self.game) {
            let id = match window.window_handle()?.as_raw() {
                RawWindowHandle::Xlib(handle) => handle.window as u32,
                RawWindowHandle::Xcb(handle) => handle.window.get(),
                _ => return Err("the window is not one of X11".into()),
            };
            game.listen(RawInput::connect(id)?);
        }
        window.request_redraw();
        self.window = Some(window);
        Ok(())
    }
}

impl ApplicationHandler for Host {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if let Err(error) = self.open(events) {
            eprintln!("{error}");
            events.exit();
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, (): ()) {
        events.exit();
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let (Some(input), Some(stamps)) = (Input::from_window_event(&event), &self.stamps) {
            let _ = stamps.send((self.clock.now(), input)); // fails if the game has ended
        }
        if let (WindowEvent::RedrawRequested, Some(game), Some(window)) = (event, &mut self.game, &self.window) {
            game.frame();
            window.request_redraw();
        }
    }
}
