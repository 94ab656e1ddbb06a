//! Input with its times.

use evenstep_flat::Error;
use evenstep_flat::input::Input;

use crate::call::Call;
use crate::calls::input as calls;
use crate::object::{Object, schedule, timestep};
use crate::slots::Slots;

pub(crate) fn answer(input: &mut Input, call: &Call, others: &[Object], slots: &mut Slots) -> Result<(), Error> {
    let [x, y, ..] = call.numbers;
    match call.what {
        calls::PRESS => input.press(call.count(2), call.time(0)?),
        calls::RELEASE => input.release(call.count(2), call.time(0)?),
        calls::RELEASE_ALL => input.release_all(call.time(0)?),
        calls::MOTION => input.motion(x, y, call.time(2)?),
        calls::WHEEL => input.wheel(x, y, call.time(2)?),
        calls::BEGIN_FRAME => input.begin_frame(&timestep(others, call)?.core),
        calls::BEGIN_TASK => input.begin_task(&schedule(others, call)?.core, call.count(1)),
        calls::BEGIN_STEP => input.begin_step(call.tick(0)),
        _ => {
            tell(input, call, slots);
            Ok(())
        }
    }
}

fn tell(input: &Input, call: &Call, slots: &mut Slots) {
    let key = call.count(0);
    match call.what {
        calls::EVENT => match input.event(key as usize) {
            None => slots.is_none = true,
            Some(event) => {
                let millis = (event.time / 1_000_000) as f64 + (event.time % 1_000_000) as f64 / 1e6;
                slots.number(0, f64::from(event.kind));
                slots.number(1, f64::from(event.key));
                slots.number(2, event.x);
                slots.number(3, event.y);
                slots.number(4, millis);
            }
        },
        calls::IS_HELD => slots.flag(0, input.is_held(key)),
        calls::IS_DOWN => slots.flag(0, input.is_down(key)),
        calls::PRESSES => slots.number(0, f64::from(input.presses(key))),
        calls::WAS_RELEASED => slots.flag(0, input.was_released(key)),
        calls::MOVED => {
            let ([right, down], [turned_right, turned_down]) = (input.moved(), input.turned());
            slots.number(0, right);
            slots.number(1, down);
            slots.number(2, turned_right);
            slots.number(3, turned_down);
        }
        _ => {
            let counts = input.counts();
            slots.number(0, counts.waiting as f64);
            slots.number(1, counts.late as f64);
            slots.number(2, counts.reordered as f64);
            slots.number(3, counts.refused as f64);
            slots.number(4, counts.paused as f64);
        }
    }
}
