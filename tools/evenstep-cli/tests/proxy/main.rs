//! The recorder's proxy between programs and a compositor that knows what became of each frame.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use evenstep_cli::proxy::{PresentedFrame, Proxy, ProxyError, Report, Shown, ShownTimeReader, TimingMeter};
use proptest::prelude::*;
use tempfile::TempDir;

#[expect(dead_code, reason = "the tests of adapters use more of it")]
mod client;
mod compositor;

use crate::client::Client;
use crate::compositor::{Compositor, Fate, Presentation, REFRESH, Running, Truth};

/// The number of `CLOCK_MONOTONIC`.
const CLOCK: u32 = 1;

/// A compositor with this rule, and a proxy before it.
fn start(rule: Option<Box<dyn FnMut(u64) -> Fate + Send>>) -> (Running, Proxy, TempDir) {
    let folder = TempDir::new().unwrap();
    let running = Compositor::start(folder.path(), CLOCK, rule);
    let proxy = Proxy::start(&folder.path().join("proxy"), running.path.clone()).unwrap();
    (running, proxy, folder)
}

/// The frames of all connections, after they have ended.
fn frames(proxy: Proxy) -> (Vec<PresentedFrame>, Vec<Option<String>>) {
    wait_until(|| proxy.connections() == 0);
    let (mut frames, mut faults) = (Vec::new(), Vec::new());
    for report in proxy.end() {
        match report {
            Report::Frame(frame) => frames.push(frame),
            Report::Ended { fault, lost, .. } => {
                assert_eq!(lost, 0);
                faults.push(fault);
            }
        }
    }
    (frames, faults)
}

fn wait_until(is_so: impl Fn() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// What a program does next. Surfaces are counted from 0 among those that it has.
#[derive(Clone, Debug)]
enum Act {
    Create,
    /// With a buffer of a width, and with a request for feedback of its own or a frame callback.
    Frame {
        surface: usize,
        width: i32,
        asks: bool,
        callback: bool,
    },
    /// A commit without a new buffer.
    Commit {
        surface: usize,
    },
    Hide {
        surface: usize,
    },
    Destroy {
        surface: usize,
    },
    Restart,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        1 => Just(Act::Create),
        12 => (0..4_usize, 1..64, any::<bool>(), any::<bool>())
            .prop_map(|(surface, width, asks, callback)| Act::Frame { surface, width, asks, callback }),
        2 => (0..4_usize).prop_map(|surface| Act::Commit { surface }),
        1 => (0..4_usize).prop_map(|surface| Act::Hide { surface }),
        1 => (0..4_usize).prop_map(|surface| Act::Destroy { surface }),
        1 => Just(Act::Restart),
    ];
    prop::collection::vec(act, 1..60)
}

/// The start of presentation times.
const START: Duration = Duration::from_secs(1_000);

/// What becomes of frames, by a seed.
fn fate(seed: u64, frame: u64) -> Fate {
    let random = (seed ^ frame.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20;
    match random % 10 {
        0 | 1 => Fate::Discarded,
        2 if seed.is_multiple_of(3) => Fate::Never,
        _ => Fate::Presented(Presentation {
            late: (random >> 24) as u32 % 4,
            ..Presentation::new(START + REFRESH * frame as u32 + Duration::from_nanos(random % 1_000_000))
        }),
    }
}

/// The answers to the requests that a program made itself until it ended, and how many there were.
type OwnAnswers = (Vec<Option<u64>>, usize);

/// Does it all as a program, with roundtrips, and returns when each frame was committed: between two times.
fn play(acts: &[Act], proxy: &Proxy) -> (Vec<[Duration; 2]>, Vec<OwnAnswers>) {
    let mut client = Client::connect(proxy.path());
    let (mut commits, mut answers, mut asked) = (Vec::new(), Vec::new(), 0);
    for act in acts {
        let pick = |surface: &usize| {
            let surfaces: Vec<_> = client.surfaces.iter().flatten().cloned().collect();
            surfaces.get(surface % surfaces.len().max(1)).cloned()
        };
        match act {
            Act::Create => drop(client.create_surface()),
            Act::Frame {
                surface,
                width,
                asks,
                callback,
            } => {
                let Some(surface) = pick(surface) else { continue };
                client.attach(&surface, *width);
                if *asks {
                    client.ask(&surface);
                    asked += 1;
                }
                if *callback {
                    surface.frame(&client.queue.handle(), ());
                }
                let before = proxy.now();
                surface.commit();
                client.roundtrip();
                commits.push([before, proxy.now()]);
            }
            Act::Commit { surface } => {
                let Some(surface) = pick(surface) else { continue };
                surface.commit();
            }
            Act::Hide { surface } => {
                let Some(surface) = pick(surface) else { continue };
                surface.attach(None, 0, 0);
                surface.commit();
            }
            Act::Destroy { surface } => {
                let Some(surface) = pick(surface) else { continue };
                surface.destroy();
                let gone = client.surfaces.iter_mut().find(|of| of.as_ref() == Some(&surface));
                *gone.unwrap() = None;
            }
            Act::Restart => {
                client.roundtrip();
                answers.push((std::mem::take(&mut client.events.answers), std::mem::take(&mut asked)));
                drop(client);
                wait_until(|| proxy.connections() == 0);
                client = Client::connect(proxy.path());
            }
        }
        client.roundtrip();
    }
    answers.push((client.events.answers, asked));
    (commits, answers)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_frame_of_any_program_is_reported_with_its_presentation(acts in acts(), seed: u64) {
        let (running, proxy, _folder) = start(Some(Box::new(move |frame| fate(seed, frame))));
        let (commits, answers) = play(&acts, &proxy);
        let (frames, faults) = frames(proxy);
        prop_assert!(faults.iter().all(Option::is_none), "{faults:?}");
        let truth = running.shared.truth.lock().unwrap().clone();
        prop_assert_eq!((frames.len(), commits.len()), (truth.len(), truth.len()));
        // Frames are reported when their fate is known: in the order of commits within a surface only.
        let mut left: Vec<Option<&PresentedFrame>> = frames.iter().map(Some).collect();
        for (Truth { client, surface, fate }, [before, after]) in truth.iter().zip(&commits) {
            let first = left.iter_mut().find(|frame| {
                frame.is_some_and(|frame| (frame.connection, frame.surface) == (*client, *surface))
            });
            let frame = first.and_then(Option::take).expect("a report of each frame");
            prop_assert!(frame.committed >= *before && frame.committed <= *after);
            prop_assert_eq!(frame.process, std::process::id());
            match (frame.shown, fate) {
                (Shown::Presented { at, refresh, flags }, Fate::Presented(truth)) => {
                    prop_assert_eq!((at, refresh, flags), (truth.at, truth.refresh, truth.flags));
                }
                (Shown::Discarded, Fate::Discarded) => {}
                // An answer that comes late may not come before the end.
                (Shown::Unknown, Fate::Never | Fate::Presented(Presentation { late: 1.., .. })) => {}
                other => prop_assert!(false, "{other:?}"),
            }
        }
        // The program has its own answers and no others.
        for (answers, asked) in answers {
            prop_assert!(answers.len() <= asked);
            for answer in answers.into_iter().flatten() {
                let is_one = |truth: &Truth| matches!(truth.fate, Fate::Presented(of) if of.at.as_nanos() == u128::from(answer));
                prop_assert!(truth.iter().any(is_one));
            }
        }
    }
}

#[test]
fn several_programs_at_once_are_distinguished() {
    let rule = |frame| Presentation::new(START + Duration::from_millis(frame)).into();
    let (running, proxy, _folder) = start(Some(Box::new(rule)));
    let mut clients = [(); 2].map(|()| {
        let mut client = Client::connect(proxy.path());
        (client.create_surface(), client)
    });
    for frame in 0..40 {
        let (surface, client) = &mut clients[usize::from(frame % 3 == 0)];
        client.show(surface);
    }
    drop(clients);
    let (frames, _) = frames(proxy);
    let truth = running.shared.truth.lock().unwrap();
    for (number, count) in [(1, 26), (2, 14)] {
        let reported = frames.iter().filter(|frame| frame.connection == number);
        let reported: Vec<_> = reported.map(|frame| frame.shown).collect();
        let truth = truth.iter().filter(|truth| truth.client == number);
        let truth: Vec<_> = truth.map(|truth| truth.fate).collect();
        assert_eq!((reported.len(), truth.len()), (count, count));
        for (shown, fate) in reported.iter().zip(truth) {
            assert!(matches!((shown, fate), (Shown::Presented { at, .. }, Fate::Presented(known)) if *at == known.at));
        }
    }
}

#[test]
fn a_program_that_never_waits_loses_no_message_and_no_descriptor() {
    let (running, proxy, _folder) = start(Some(Box::new(|_| Fate::Discarded)));
    let mut client = Client::connect(proxy.path());
    let surface = client.create_surface();
    for word in 1..=300 {
        client.create_pool(word, 64).destroy();
        if word % 3 == 0 {
            client.attach(&surface, 4);
            surface.commit();
        }
    }
    client.roundtrip();
    let pools = running.shared.pools.lock().unwrap().clone();
    let words: Vec<u64> = pools.into_iter().filter(|word| *word != 0).collect();
    assert_eq!(words, (1..=300).collect::<Vec<u64>>());
    drop(client);
    let (frames, _) = frames(proxy);
    assert_eq!(frames.len(), 100);
    // All come before the compositor has freed a number for the proxy; of frames beyond those nothing is known.
    assert!(
        frames
            .iter()
            .all(|frame| !matches!(frame.shown, Shown::Presented { .. }))
    );
}

#[test]
fn a_compositor_without_feedback_leaves_the_times_of_commits() {
    let (_running, proxy, _folder) = start(None);
    assert!(!proxy.has_presentation_times());
    let mut client = Client::connect(proxy.path());
    let surface = client.create_surface();
    for _ in 0..10 {
        client.show(&surface);
    }
    drop(client);
    let (frames, _) = frames(proxy);
    assert_eq!(frames.len(), 10);
    assert!(frames.is_sorted_by(|one, other| one.committed < other.committed));
    assert!(frames.iter().all(|frame| frame.shown == Shown::Unknown));
}

#[test]
fn malformed_messages_end_their_connection_with_a_reason_and_no_other() {
    let (_running, proxy, _folder) = start(Some(Box::new(|_| Fate::Discarded)));
    let mut good = Client::connect(proxy.path());
    let bad: [(&[u32], &str); 4] = [
        (&[1, 3 << 16], "a message of 3 bytes"),
        (&[1, (8 << 16) | 1], "with arguments that cannot be"),
        (
            &[1, (12 << 16) | 1, 2, 2, 16 << 16, 1, u32::MAX],
            "with arguments that cannot be",
        ),
        (&[1, 10 << 16, 0], "a message of 10 bytes"),
    ];
    for (words, reason) in bad {
        let mut stream = UnixStream::connect(proxy.path()).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        stream.write_all(&bytes).unwrap();
        let mut end = Vec::new();
        let _ = stream.read_to_end(&mut end);
        let fault = proxy.reports().iter().find_map(|report| match report {
            Report::Ended { fault, .. } => fault,
            _ => None,
        });
        assert!(fault.as_ref().is_some_and(|fault| fault.contains(reason)), "{fault:?}");
    }
    good.roundtrip();
    drop(good);
    assert_eq!(frames(proxy).1, [None]);
}

#[test]
fn a_compositor_that_sends_nonsense_ends_the_connection() {
    let folder = TempDir::new().unwrap();
    let running = Compositor::start(folder.path(), CLOCK, Some(Box::new(|_| Fate::Discarded)));
    let place = folder.path().join("place");
    std::os::unix::fs::symlink(&running.path, &place).unwrap();
    let proxy = Proxy::start(&folder.path().join("proxy"), place.clone()).unwrap();
    std::fs::remove_file(&place).unwrap();
    let nonsense = UnixListener::bind(&place).unwrap();
    let _program = UnixStream::connect(proxy.path()).unwrap();
    nonsense.accept().unwrap().0.write_all(&[0xff; 7]).unwrap();
    // Seven bytes are no message yet; the end comes in the middle of it.
    let ended = proxy.reports().recv().unwrap();
    assert!(matches!(&ended, Report::Ended { fault: None, .. }), "{ended:?}");
    let _program = UnixStream::connect(proxy.path()).unwrap();
    nonsense.accept().unwrap().0.write_all(&[0xff; 8]).unwrap();
    let ended = proxy.reports().recv().unwrap();
    assert!(
        matches!(&ended, Report::Ended { fault: Some(fault), .. } if fault.contains("the compositor sent a message of 65535 bytes")),
        "{ended:?}"
    );
}

#[test]
fn a_socket_in_use_and_a_compositor_that_is_not_there_are_refused() {
    let (running, proxy, folder) = start(Some(Box::new(|_| Fate::Discarded)));
    let refused = Proxy::start(proxy.path(), running.path.clone()).unwrap_err();
    assert!(matches!(refused, ProxyError::Socket { .. }), "{refused}");
    let refused = Proxy::start(&folder.path().join("other"), folder.path().join("nothing")).unwrap_err();
    assert!(matches!(refused, ProxyError::Unreachable { .. }), "{refused}");
    let path = proxy.path().to_owned();
    drop(proxy);
    assert!(!path.exists());
}

#[test]
fn frames_of_windows_have_the_simulated_times_that_the_program_writes() {
    let (_running, proxy, folder) = start(Some(Box::new(|_| Fate::Discarded)));
    let path = folder.path().join("frame-log");
    proxy.read_shown_times(ShownTimeReader::create(&path).unwrap());
    let mut log = std::fs::File::options().write(true).open(&path).unwrap();
    let mut client = Client::connect(proxy.path());
    let [window, pointer] = [(); 2].map(|()| client.create_surface());
    client.make_window(&window);
    for frame in 0..6_u32 {
        let line = match frame {
            // No line, no number, and a line in two pieces.
            3 => String::new(),
            4 => "soon\n".to_owned(),
            _ => format!("{}\n", 1_000 * frame),
        };
        for piece in [&line[..line.len() / 2], &line[line.len() / 2..]] {
            log.write_all(piece.as_bytes()).unwrap();
        }
        for surface in [&pointer, &window] {
            client.attach(surface, 4);
            surface.commit();
        }
        client.roundtrip();
    }
    drop(client);
    let (frames, _) = frames(proxy);
    let times = |surface| {
        let frames = frames.iter().filter(move |frame| frame.surface == surface);
        let times = frames.map(|frame| frame.simulated.map(|time| time.as_nanos()));
        times.collect::<Vec<_>>()
    };
    assert_eq!(times(1), [Some(0), Some(1_000), Some(2_000), None, None, Some(5_000)]);
    assert_eq!(times(2), [None; 6]);
}

/// A fault of a compositor that is asked for frames at a time, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimingFault {
    Early,
    Late,
    /// The frame before is on the screen for less than a refresh, or never.
    Overtaken,
}

/// The fault at a frame, by a seed: one in three frames has one, and the frame before none.
fn timing_fault(seed: u64, frame: u64) -> Option<TimingFault> {
    let random = (seed ^ (frame / 3).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40;
    let faults = [TimingFault::Early, TimingFault::Late, TimingFault::Overtaken];
    (frame % 3 == 2).then(|| faults[(random % 3) as usize])
}

#[test]
fn a_hundred_faults_of_a_compositor_are_named_and_measured_to_a_microsecond() {
    let (refresh, seed) = (REFRESH, 71);
    // Far ahead of the clock, so that every commit is in time. Frames take four refreshes.
    let begin = Duration::from_secs(1 << 33);
    let target =
        move |frame: u64| begin + refresh * (4 * frame as u32) + Duration::from_nanos(frame * 7919 % 1_000_000);
    let off = move |frame: u64| Duration::from_nanos(1_500 + frame * 104_729 % 9_000_000);
    let presented = move |frame: u64| match timing_fault(seed, frame) {
        Some(TimingFault::Early) => target(frame) - off(frame),
        Some(TimingFault::Late) => target(frame) + refresh + off(frame),
        _ => target(frame) + off(frame),
    };
    let rule = move |frame: u64| {
        let at = match timing_fault(seed, frame + 1) {
            // Shown just before the next frame, or never.
            Some(TimingFault::Overtaken) if frame.is_multiple_of(2) => return Fate::Discarded,
            Some(TimingFault::Overtaken) => presented(frame + 1) - refresh / 2,
            _ => presented(frame),
        };
        Presentation::new(at).into()
    };
    let (_running, proxy, _folder) = start(Some(Box::new(rule)));
    let mut client = Client::connect(proxy.path());
    let surface = client.create_surface();
    let (timer, fifo) = client.pace(&surface);
    for frame in 0..300 {
        let (secs, nanos) = (target(frame).as_secs(), target(frame).subsec_nanos());
        timer.set_timestamp((secs >> 32) as u32, secs as u32, nanos);
        fifo.set_barrier();
        fifo.wait_barrier();
        client.show(&surface);
    }
    drop(client);
    let (frames, _) = frames(proxy);
    let (mut meter, mut named) = (TimingMeter::default(), 0);
    for (number, frame) in (0_u64..).zip(&frames) {
        let verdict = meter.judge(frame);
        let Shown::Presented { at, .. } = frame.shown else {
            continue;
        };
        assert_eq!(frame.timing.target, Some(target(number)));
        let error = i64::try_from(at.as_nanos() as i128 - target(number).as_nanos() as i128).unwrap();
        assert!(
            (verdict.from_target.unwrap() - error).abs() <= 1_000,
            "{number}: {verdict:?}"
        );
        // The frame that another one overtakes is late itself.
        let is_overtaken = timing_fault(seed, number + 1) == Some(TimingFault::Overtaken);
        let fault = timing_fault(seed, number);
        assert_eq!(
            verdict.is_early,
            fault == Some(TimingFault::Early),
            "{number}: {verdict:?}"
        );
        assert_eq!(
            verdict.is_late,
            fault == Some(TimingFault::Late) || is_overtaken,
            "{number}: {verdict:?}"
        );
        let is_violated = fault == Some(TimingFault::Overtaken);
        assert_eq!(
            verdict.is_fifo_violated.unwrap_or_default(),
            is_violated,
            "{number}: {verdict:?}"
        );
        named += u64::from(fault.is_some());
    }
    assert_eq!((frames.len(), named), (300, 100));
}

#[test]
fn a_commit_without_a_buffer_takes_its_time_with_it_and_other_surfaces_keep_theirs() {
    let (_running, proxy, _folder) = start(Some(Box::new(|_| Fate::Discarded)));
    let mut client = Client::connect(proxy.path());
    let [one, other] = [(); 2].map(|()| client.create_surface());
    let ((timer, _), (_, fifo)) = (client.pace(&one), client.pace(&other));
    timer.set_timestamp(0, 5, 7);
    one.commit();
    fifo.wait_barrier();
    for surface in [&one, &other] {
        client.attach(surface, 4);
        surface.commit();
    }
    client.roundtrip();
    drop(client);
    let (frames, _) = frames(proxy);
    let timing = |surface| frames.iter().find(|frame| frame.surface == surface).unwrap().timing;
    assert_eq!((timing(1).target, timing(1).waits), (None, false));
    assert!(timing(2).waits && !timing(2).sets_barrier);
}
