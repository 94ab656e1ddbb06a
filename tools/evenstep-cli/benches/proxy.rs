//! What the proxy costs: by how much later a commit comes to the compositor, at 240 commits a second. Frames go directly and through the proxy in turns, so that what the machine does meanwhile happens to both.

#[cfg(target_os = "linux")]
#[path = "../tests/proxy/client.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod client;
#[cfg(target_os = "linux")]
#[path = "../tests/proxy/compositor.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod compositor;

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use evenstep_cli::proxy::Proxy;
    use wayland_client::protocol::wl_surface::WlSurface;

    use super::client::Client;
    use super::compositor::{Compositor, Presentation};

    const RATE: u32 = 240;
    const SECONDS: u32 = 20;

    pub(super) fn main() {
        let folder = tempfile::tempdir().expect("a folder");
        let (arrivals, arrived) = channel();
        let rule = move |frame| {
            arrivals.send(Instant::now()).expect("the benchmark runs");
            Presentation::new(Duration::from_millis(frame)).into()
        };
        let compositor = Compositor::start(folder.path(), 1, Some(Box::new(rule)));
        let proxy = Proxy::start(&folder.path().join("proxy"), compositor.path.clone()).expect("a proxy");
        let mut programs = [&compositor.path, proxy.path()].map(|path| {
            let mut client = Client::connect(path);
            (client.create_surface(), client, Vec::new())
        });
        let start = Instant::now();
        for frame in 0..RATE * SECONDS {
            // Each has 240 commits a second, half a period apart.
            for (half, (surface, program, times)) in (0..).zip(&mut programs) {
                let due = Duration::from_secs(1) * (2 * frame + half) / (2 * RATE);
                thread::sleep(due.saturating_sub(start.elapsed()));
                times.push(commit(program, surface, &arrived).as_nanos() as f64 / 1e3);
            }
        }
        println!("{RATE} commits a second for {SECONDS} s: from the program's write to the compositor's read");
        let [mut without, mut with] = programs.map(|(.., times)| times);
        print("directly", &mut without);
        print("through the proxy", &mut with);
        let mut added: Vec<f64> = with
            .iter()
            .zip(&without)
            .map(|(with, without)| with - without)
            .collect();
        print("the difference of sorted times", &mut added);
    }

    /// A commit with a buffer, and how long it was under way.
    fn commit(program: &mut Client, surface: &WlSurface, arrived: &Receiver<Instant>) -> Duration {
        program.attach(surface, 64);
        program.roundtrip();
        surface.commit();
        let sent = Instant::now();
        program.queue.flush().expect("the compositor runs");
        arrived.recv().expect("the compositor runs") - sent
    }

    fn print(name: &str, values: &mut [f64]) {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        println!(
            "  {name:32} min {:7.2}  5 % {:7.2}  median {:7.2}  95 % {:7.2}  99 % {:7.2}  max {:8.2} us",
            at(0.0),
            at(0.05),
            at(0.5),
            at(0.95),
            at(0.99),
            at(1.0)
        );
    }
}
