//! What the proxy costs: by how much later a commit comes to the compositor, and the share of a processor that it takes at 240 commits
//! a second. Frames go directly and through the proxy in turns, so that what the machine does meanwhile happens to both.

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::{Read as _, Write as _};
    use std::net::Shutdown;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::Path;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use evenstep_present::proxy::{Proxy, Report, Shown};

    const RATE: u32 = 240;
    const SECONDS: u32 = 20;

    pub(super) fn main() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("compositor");
        let (arrivals, arrived) = channel();
        let listener = UnixListener::bind(&path).expect("a socket");
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let arrivals = arrivals.clone();
                thread::spawn(move || compositor(stream, &arrivals));
            }
        });
        let proxy = Proxy::start(&folder.path().join("proxy"), path.clone()).expect("a proxy");
        let (mut direct, mut proxied) = (Program::connect(&path), Program::connect(proxy.path()));
        let (mut without, mut with, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut ran = running_time();
        let start = Instant::now();
        for frame in 0..RATE * SECONDS {
            // Each has 240 commits a second, half a period apart.
            for (program, times, half) in [(&mut direct, &mut without, 0), (&mut proxied, &mut with, 1)] {
                let due = Duration::from_secs(1) * (2 * frame + half) / (2 * RATE);
                thread::sleep(due.saturating_sub(start.elapsed()));
                times.push(program.commit(&arrived).as_nanos() as f64 / 1e3);
            }
            if frame % RATE == RATE - 1 {
                let now = running_time();
                shares.push((now - ran).as_secs_f64() * 100.0);
                ran = now;
            }
        }
        println!("{RATE} commits a second for {SECONDS} s: from the program's write to the compositor's read");
        print("directly", &mut without, "us");
        print("through the proxy", &mut with, "us");
        let mut added: Vec<f64> = with
            .iter()
            .zip(&without)
            .map(|(with, without)| with - without)
            .collect();
        print("the difference of sorted times", &mut added, "us");
        print("processor, each second", &mut shares, "% of a core");
        drop((direct, proxied));
        while proxy.connections() > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let frames = proxy.end().filter_map(|report| match report {
            Report::Frame(frame) => Some(frame),
            _ => None,
        });
        let presented = frames.filter(|frame| matches!(frame.shown, Shown::Presented { .. }));
        println!(
            "  {} of {} frames were reported as presented",
            presented.count(),
            RATE * SECONDS
        );
    }

    /// How long the threads of the proxy have run.
    fn running_time() -> Duration {
        let tasks = fs::read_dir("/proc/self/task").expect("Linux").flatten();
        let ours = tasks.filter(|task| {
            let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            matches!(name.trim(), "connection" | "proxy")
        });
        let nanos = ours.map(|task| {
            let times = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let first = times.split(' ').next().and_then(|nanos| nanos.parse().ok());
            first.unwrap_or(0)
        });
        Duration::from_nanos(nanos.sum())
    }

    fn print(name: &str, values: &mut [f64], unit: &str) {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        println!(
            "  {name:32} min {:7.2}  5 % {:7.2}  median {:7.2}  95 % {:7.2}  99 % {:7.2}  max {:8.2} {unit}",
            at(0.0),
            at(0.05),
            at(0.5),
            at(0.95),
            at(0.99),
            at(1.0)
        );
    }

    fn push(out: &mut Vec<u8>, words: &[u32]) {
        out.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    }

    /// A message whose only argument after some words is a string.
    fn string(text: &str) -> Vec<u32> {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let length = bytes.len() as u32;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let words = bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word));
        [length].into_iter().chain(words).collect()
    }

    fn message(object: u32, opcode: u32, arguments: &[u32]) -> Vec<u32> {
        let length = 8 + 4 * arguments.len() as u32;
        [&[object, length << 16 | opcode], arguments].concat()
    }

    struct Program {
        stream: UnixStream,
    }

    impl Program {
        fn connect(path: &Path) -> Self {
            let mut stream = UnixStream::connect(path).expect("a compositor");
            let bind = [vec![1], string("wl_compositor"), vec![4, 4]].concat();
            let mut out = Vec::new();
            push(&mut out, &message(1, 1, &[2]));
            push(&mut out, &message(1, 0, &[3]));
            push(&mut out, &message(2, 0, &bind));
            push(&mut out, &message(4, 0, &[5]));
            // Their numbers are what feedback needs.
            for id in 6..26 {
                push(&mut out, &message(1, 0, &[id]));
            }
            stream.write_all(&out).expect("it goes on");
            let mut reader = stream.try_clone().expect("a descriptor");
            thread::spawn(move || while reader.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {});
            thread::sleep(Duration::from_millis(200));
            Self { stream }
        }

        /// A commit with a buffer, and how long it was under way.
        fn commit(&mut self, arrived: &Receiver<Instant>) -> Duration {
            let mut out = Vec::new();
            push(&mut out, &message(5, 1, &[900, 0, 0]));
            push(&mut out, &message(5, 2, &[0, 0, 64, 64]));
            push(&mut out, &message(5, 6, &[]));
            let sent = Instant::now();
            self.stream.write_all(&out).expect("it goes on");
            arrived.recv().expect("the compositor runs") - sent
        }
    }

    impl Drop for Program {
        fn drop(&mut self) {
            // Its reader has the socket, too.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Answers what the proxy and the program ask, and tells when commits come. Each frame is presented at once.
    fn compositor(mut stream: UnixStream, arrivals: &Sender<Instant>) {
        let (mut input, mut buffer) = (Vec::new(), [0; 4096]);
        let mut asked = None;
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            let now = Instant::now();
            input.extend(&buffer[..count]);
            let mut out = Vec::new();
            while let Some((words, length)) = first(&input) {
                match (words[0], words[1] & 0xffff) {
                    (1, 0) => {
                        push(&mut out, &message(words[2], 0, &[0]));
                        push(&mut out, &message(1, 1, &[words[2]]));
                    }
                    (1, 1) => {
                        for (name, interface) in [(1, "wl_compositor"), (2, "wp_presentation")] {
                            let arguments = [vec![name], string(interface), vec![1]].concat();
                            push(&mut out, &message(words[2], 0, &arguments));
                        }
                    }
                    (2, 0) if words[2] == 2 => push(&mut out, &message(words[words.len() - 1], 0, &[1])),
                    (5, 6) => {
                        arrivals.send(now).expect("the benchmark runs");
                        if let Some(feedback) = asked.take() {
                            push(&mut out, &message(feedback, 1, &[0, 5, 0, 0, 0, 0, 1]));
                            push(&mut out, &message(1, 1, &[feedback]));
                        }
                    }
                    // wp_presentation.feedback for the surface.
                    (_, 1) if words.len() == 4 && words[2] == 5 => asked = Some(words[3]),
                    _ => {}
                }
                input.drain(..length);
            }
            if stream.write_all(&out).is_err() {
                return;
            }
        }
    }

    /// The first message of some bytes in words, and its length in bytes.
    fn first(input: &[u8]) -> Option<(Vec<u32>, usize)> {
        let words: Vec<u32> = input
            .as_chunks()
            .0
            .iter()
            .map(|word| u32::from_ne_bytes(*word))
            .collect();
        let length = (*words.get(1)? >> 16) as usize;
        (input.len() >= length).then(|| (words[..length / 4].to_vec(), length))
    }
}
