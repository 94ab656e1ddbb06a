//! The table of all objects of a program.

use alloc::boxed::Box;
use alloc::vec::Vec;

use evenstep_flat::Error;
use spin::mutex::SpinMutex as Mutex;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::call::Call;
use crate::calls::objects as calls;
use crate::memory::Pool;
use crate::object::Object;
use crate::rows::Poses;
use crate::slots::Slots;

/// The status of a call that succeeded.
const OK: u32 = 0;
/// The status if an earlier call has panicked, which is a bug in this library.
const FAULT: u32 = 101;

/// All objects of a program. The lock is held during a call, and for ever after a call that panicked.
static OBJECTS: Mutex<Objects> = Mutex::new(Objects::new());

/// The address of the slots in bytes.
#[wasm_bindgen]
pub fn slots() -> usize {
    OBJECTS.try_lock().map_or(0, |objects| objects.slots.address())
}

/// Calls a function of an object; object 0 creates and frees objects. Returns a status.
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
    /// The indices in `objects` that are free.
    free: Vec<usize>,
    slots: Slots,
    pool: Pool,
}

impl Objects {
    const fn new() -> Self {
        Self {
            objects: Vec::new(),
            free: Vec::new(),
            slots: Slots::new(),
            pool: Pool::new(),
        }
    }

    fn call(&mut self, object: usize, call: &Call) -> u32 {
        let result = match object.checked_sub(1) {
            None => self.create_or_free(call),
            Some(at) => self.call_object(at, call),
        };
        match result {
            Err(error) => code(error),
            Ok(()) => OK,
        }
    }

    /// Creates or frees an object.
    fn create_or_free(&mut self, call: &Call) -> Result<(), Error> {
        let object = match call.what {
            calls::POSES => Object::Poses(Box::new(Poses::new(call.is(0)))),
            _ => {
                self.free(call.count(0) as usize);
                return Ok(());
            }
        };
        let at = self.free.pop().unwrap_or(self.objects.len());
        match self.objects.get_mut(at) {
            Some(slot) => *slot = object,
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
            Object::Poses(poses) => poses.free(&mut self.pool),
            object => drop(object),
        }
    }

    /// Calls a function of an object, which is moved out of the table meanwhile because the call also needs the pool.
    fn call_object(&mut self, at: usize, call: &Call) -> Result<(), Error> {
        let entry = self.objects.get_mut(at).ok_or(Error::Missing)?;
        let mut object = core::mem::take(entry);
        let slots = &mut self.slots;
        let result = match &mut object {
            Object::Free => Err(Error::Missing),
            Object::Poses(poses) => poses.call(call, &mut self.pool, slots),
        };
        self.objects[at] = object;
        result
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
