//! With any messages, ticks never go back and the speed keeps its bounds.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use evenstep::{Rate, TimeScale};
use evenstep_net::{InputReport, Pong, TickSync};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Event {
    Pong([Duration; 5]),
    /// A pong whose times are near the last frame's.
    NearPong {
        way: u32,
        at_the_server: u32,
        simulated: Duration,
    },
    Input {
        tick: u64,
        early: i64,
    },
    /// A report of one of the last ticks.
    NearInput {
        back: u8,
        early: i32,
    },
    Frame {
        delta: u32,
        steps: u8,
        overstep: u32,
    },
    AnyFrame {
        now: Duration,
        tick: u64,
        overstep: Duration,
    },
    Scale(u32, u32),
}

fuzz_target!(|input: (u32, u32, Duration, Vec<Event>)| {
    let (numer, denom, margin, events) = input;
    let Ok(rate) = Rate::new(numer, denom) else { return };
    let mut sync = TickSync::new(rate).with_margin(margin);
    let (mut now, mut local, mut game) = (Duration::ZERO, 0_u64, TimeScale::NORMAL);
    let mut last = None;
    for event in events {
        let overstep = match event {
            Event::Pong([sent, received, replied, arrived, simulated]) => {
                sync.observe_pong(Pong {
                    sent,
                    received,
                    replied,
                    arrived,
                    simulated,
                });
                continue;
            }
            Event::NearPong {
                way,
                at_the_server,
                simulated,
            } => {
                let sent = now.saturating_sub(Duration::from_nanos(way.into()));
                let replied = Duration::from_nanos(at_the_server.into());
                sync.observe_pong(Pong {
                    sent,
                    received: Duration::ZERO,
                    replied,
                    arrived: now,
                    simulated,
                });
                continue;
            }
            Event::Input { tick, early } => {
                sync.observe_input(InputReport { tick, early });
                continue;
            }
            Event::NearInput { back, early } => {
                let tick = sync.tick(local).unwrap_or(0).saturating_sub(back.into());
                sync.observe_input(InputReport {
                    tick,
                    early: early.into(),
                });
                continue;
            }
            Event::Scale(numer, denom) => {
                game = TimeScale::new(numer, denom).unwrap_or(game);
                continue;
            }
            Event::Frame { delta, steps, overstep } => {
                now = now.saturating_add(Duration::from_nanos(delta.into()));
                local = local.saturating_add(steps.into());
                Duration::from_nanos(overstep.into())
            }
            Event::AnyFrame {
                now: any,
                tick,
                overstep,
            } => {
                (now, local) = (any, tick);
                overstep
            }
        };
        let adjustment = sync.advance(now, local, overstep.into(), game);
        assert!((0.1..=1.23 + 1e-9).contains(&adjustment.slew.as_f64()));
        assert!(!game.is_paused() || adjustment.speed.is_paused());
        let tick = sync.tick(local);
        assert!(tick >= last);
        last = tick;
    }
});
