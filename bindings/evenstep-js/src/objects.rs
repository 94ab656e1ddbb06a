//! What a program holds.

use alloc::boxed::Box;
use alloc::vec::Vec;

use evenstep_flat::Error;
use spin::mutex::SpinMutex as Mutex;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::call::Call;
use crate::calls::objects as calls;
#[cfg(feature = "poses")]
use crate::memory::Pool;
use crate::object::Object;
#[cfg(feature = "poses")]
use crate::rows::Poses;
use crate::slots::Slots;
#[cfg(feature = "display")]
use crate::{filters, present};

/// Done.
const OK: u32 = 0;
/// There is nothing to hand out.
const NONE: u32 = 100;
/// A call before has stopped half-way, which is a fault of ours.
const FAULT: u32 = 101;

/// All objects of a program. They are in use by one call at a time, or by one that a fault of ours has ended.
static OBJECTS: Mutex<Objects> = Mutex::new(Objects::new());

/// Where the slots are, in bytes.
#[wasm_bindgen]
pub fn slots() -> usize {
    OBJECTS.try_lock().map_or(0, |objects| objects.slots.address())
}

/// Lets an object do what it is asked to: 0 creates and frees objects. Returns a status.
#[wasm_bindgen]
pub fn call(object: usize, what: u32, a: f64, b: f64, c: f64, d: f64) -> u32 {
    let numbers = [a, b, c, d];
    match OBJECTS.try_lock() {
        Some(mut objects) => objects.call(object, &Call { what, numbers }),
        None => FAULT,
    }
}

/// Objects by their numbers, from 1 on.
struct Objects {
    objects: Vec<Object>,
    /// The places in it that are free.
    free: Vec<usize>,
    slots: Slots,
    #[cfg(feature = "poses")]
    pool: Pool,
}

impl Objects {
    const fn new() -> Self {
        Self {
            objects: Vec::new(),
            free: Vec::new(),
            slots: Slots::new(),
            #[cfg(feature = "poses")]
            pool: Pool::new(),
        }
    }

    fn call(&mut self, object: usize, call: &Call) -> u32 {
        self.slots.is_none = false;
        let answer = match object.checked_sub(1) {
            None => self.arrange(call),
            Some(at) => self.answer(at, call),
        };
        match answer {
            Err(error) => code(error),
            Ok(()) if self.slots.is_none => NONE,
            Ok(()) => OK,
        }
    }

    /// Creates or frees an object.
    fn arrange(&mut self, call: &Call) -> Result<(), Error> {
        let object = match call.what {
            #[cfg(feature = "poses")]
            calls::POSES => Object::Poses(Box::new(Poses::new(call.is(0)))),
            #[cfg(feature = "display")]
            calls::FILTERS => Object::Filters(Box::default()),
            #[cfg(feature = "display")]
            calls::GRID => Object::Grid(Box::default()),
            #[cfg(feature = "display")]
            calls::PACER => Object::Pacer(Box::default()),
            _ => {
                self.free(call.count(0) as usize);
                return Ok(());
            }
        };
        let at = self.free.pop().unwrap_or(self.objects.len());
        match self.objects.get_mut(at) {
            Some(place) => *place = object,
            None => self.objects.push(object),
        }
        self.slots.number(0, (at + 1) as f64);
        Ok(())
    }

    fn free(&mut self, object: usize) {
        let at = object.wrapping_sub(1);
        let Some(object) = self.objects.get_mut(at) else {
            return;
        };
        if !matches!(object, Object::Free) {
            self.free.push(at);
        }
        match core::mem::take(object) {
            #[cfg(feature = "poses")]
            Object::Poses(poses) => poses.free(&mut self.pool),
            object => drop(object),
        }
    }

    /// The object is out of its place meanwhile, as the memory that it shows is in the pool.
    fn answer(&mut self, at: usize, call: &Call) -> Result<(), Error> {
        let place = self.objects.get_mut(at).ok_or(Error::Missing)?;
        let mut object = core::mem::take(place);
        let slots = &mut self.slots;
        let answer = match &mut object {
            Object::Free => Err(Error::Missing),
            #[cfg(feature = "poses")]
            Object::Poses(poses) => poses.answer(call, &mut self.pool, slots),
            #[cfg(feature = "display")]
            Object::Filters(filters) => filters::answer(filters, call, slots),
            #[cfg(feature = "display")]
            Object::Grid(grid) => present::answer(grid, call, slots),
            #[cfg(feature = "display")]
            Object::Pacer(pacer) => pacer.answer(call, slots),
        };
        self.objects[at] = object;
        answer
    }
}

/// The status of an error. `js/status.ts` has the same numbers.
const fn code(error: Error) -> u32 {
    match error {
        Error::Negative => 1,
        Error::NotFinite => 2,
        Error::Ratio => 3,
        Error::Range => 4,
        Error::Size => 5,
        Error::Missing => 6,
        Error::Order => 7,
        Error::TimeWentBack => 8,
        Error::Full => 9,
    }
}
