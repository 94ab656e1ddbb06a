//! Numbers that are drawn between their last two states, on the core's numbers and angles.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use evenstep::{Angle, Smoothed};

/// What the core draws.
enum Core {
    Number(Smoothed<f64>),
    Angle(Smoothed<Angle>),
}

impl Core {
    fn change(&mut self, number: impl FnOnce(&mut Smoothed<f64>), angle: impl FnOnce(&mut Smoothed<Angle>)) {
        match self {
            Self::Number(smoothed) => number(smoothed),
            Self::Angle(smoothed) => angle(smoothed),
        }
    }

    fn at(&self, alpha: f64) -> (f64, bool) {
        match self {
            Self::Number(smoothed) => (smoothed.at(alpha), smoothed.is_teleport()),
            Self::Angle(smoothed) => (smoothed.at(alpha).radians(), smoothed.is_teleport()),
        }
    }
}

pub(crate) fn answer((drawn, is_teleport): (f64, bool)) -> String {
    format!("= {:x} {}", drawn.to_bits(), u8::from(is_teleport))
}

/// This part of the script, as the core has it.
pub(crate) fn made() -> String {
    let (mut random, mut text) = (fastrand::Rng::with_seed(233), String::new());
    let bits = |number: f64| number.to_bits() as i64;
    for object in 0..24 {
        let wraps = object % 2 == 1;
        let wide = if object % 3 == 0 { 1e12 } else { 9.0 };
        let any = move |random: &mut fastrand::Rng| wide * (2.0 * random.f64() - 1.0);
        let state = any(&mut random);
        let wrap = if wraps { TAU } else { 0.0 };
        let mut core = match wraps {
            true => Core::Angle(Smoothed::new(Angle::new(state))),
            false => Core::Number(Smoothed::new(state)),
        };
        writeln!(text, "smoothed {} {}", bits(state), bits(wrap)).unwrap();
        for _ in 0..30 {
            match random.u32(..10) {
                0..5 => {
                    let state = any(&mut random);
                    core.change(
                        |number| (number.begin_step(), number.set(state)).1,
                        |angle| (angle.begin_step(), angle.set(Angle::new(state))).1,
                    );
                    writeln!(text, "smoothed_step {}", bits(state)).unwrap();
                }
                5 => {
                    core.change(Smoothed::teleport, Smoothed::teleport);
                    writeln!(text, "smoothed_teleport").unwrap();
                }
                6 => {
                    let by = any(&mut random);
                    core.change(
                        |number| number.shift(|number| *number += by),
                        |angle| angle.shift(|angle| *angle = Angle::new(angle.radians() + by)),
                    );
                    writeln!(text, "smoothed_shift {}", bits(by)).unwrap();
                }
                _ => {
                    let alpha = 1.2 * random.f64() - 0.1;
                    writeln!(text, "smoothed_at {}\n{}", bits(alpha), answer(core.at(alpha))).unwrap();
                }
            }
        }
    }
    text
}
