//! The table of all objects. A program holds numbers; whatever number it hands in, it reaches an object of its own or an error.
//!
//! An object belongs to the thread that made it, until that thread hands it over. So its thread alone reads and writes it, and
//! a call costs no lock. A thread remembers where its objects are, and mostly finds them by one comparison.

use core::cell::{Cell, RefCell};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use evenstep_flat::events::Events;
use evenstep_flat::input::Input;
use evenstep_flat::pace::Pacer;
use evenstep_flat::poses::Rows;
use evenstep_flat::present::RefreshGrid;
use evenstep_flat::schedule::Tasks;
use evenstep_flat::stats::Stats;
use evenstep_flat::timestep::Timestep;

use crate::status::{Status, carry_out};

/// Everything that a program can hold.
#[expect(
    clippy::large_enum_variant,
    reason = "a timestep is looked up in every frame, and takes no way more"
)]
pub(crate) enum Object {
    Timestep(Timestep),
    Tasks(Box<Tasks>),
    Rows(Box<Rows>),
    Input(Box<Input>),
    Events(Box<Events>),
    Stats(Box<Stats>),
    Pacer(Box<Pacer>),
    RefreshGrid(Box<RefreshGrid>),
}

/// A kind of object.
pub(crate) trait Kind: Sized {
    fn find(object: &mut Object) -> Option<&mut Self>;
}

macro_rules! kinds {
    ($($kind:ident)*) => {$(
        impl Kind for $kind {
            #[inline]
            fn find(object: &mut Object) -> Option<&mut Self> {
                match object {
                    Object::$kind(found) => Some(found),
                    _ => None,
                }
            }
        }
    )*};
}

kinds!(Timestep Tasks Rows Input Events Stats Pacer RefreshGrid);

const PER_CHUNK: usize = 64;
const CHUNKS: usize = 1024;

/// The owner of an object that was handed over, and of a place without one.
const HANDED_OVER: u64 = 0;
const VACANT: u64 = u64::MAX;

struct Slot {
    /// Odd while there is an object. A number that was handed out has the generation of its object.
    generation: AtomicU32,
    /// The thread to which it belongs.
    owner: AtomicU64,
    object: RefCell<Option<Object>>,
}

// SAFETY: `object` is touched only by the thread whose number `owner` is, and by one that takes a vacant place out of `Free`,
// which no other thread can then have. What a thread has in `MINE` it owns: it enters there what it owns, and takes it out before
// it gives it up. `owner` becomes a thread's number only by that thread: when it makes the object, or by
// exchange for `HANDED_OVER`, which the former owner stored (release, acquire) when it was done. An `Object` is `Send`.
unsafe impl Sync for Slot {}

static TABLE: [OnceLock<Box<[Slot]>>; CHUNKS] = [const { OnceLock::new() }; CHUNKS];

/// Places without an object: those that had one, and how many never had one.
struct Free {
    used_before: Vec<u32>,
    fresh: u32,
}

static FREE: Mutex<Free> = Mutex::new(Free {
    used_before: Vec::new(),
    fresh: 0,
});

static THREADS: AtomicU64 = AtomicU64::new(HANDED_OVER + 1);

thread_local! {
    static THREAD: Cell<u64> = const { Cell::new(0) };
}

/// This thread's number, which no other ever had.
fn this_thread() -> u64 {
    let known = THREAD.get();
    if known != 0 { known } else { number_thread() }
}

#[cold]
fn number_thread() -> u64 {
    let number = THREADS.fetch_add(1, Ordering::Relaxed);
    THREAD.set(number);
    number
}

fn slot(id: u64) -> Result<&'static Slot, Status> {
    let (index, generation) = (id as u32 as usize, (id >> 32) as u32);
    let chunk = TABLE.get(index / PER_CHUNK).and_then(OnceLock::get);
    let slot = chunk
        .and_then(|chunk| chunk.get(index % PER_CHUNK))
        .ok_or(Status::Object)?;
    let is_alive = generation % 2 == 1 && slot.generation.load(Ordering::Acquire) == generation;
    if is_alive { Ok(slot) } else { Err(Status::Object) }
}

/// How many of its objects a thread finds without the table, by the last bits of their numbers.
const KNOWN: usize = 16;

thread_local! {
    /// This thread's objects and their places. No other thread can destroy them or hand them over, so what is here is so.
    static MINE: [Cell<(u64, Option<&'static Slot>)>; KNOWN] = const { [const { Cell::new((0, None)) }; KNOWN] };
}

/// The place of an object of this thread.
#[inline]
fn own_slot(id: u64) -> Result<&'static Slot, Status> {
    match MINE.with(|mine| mine[id as usize % KNOWN].get()) {
        (known, Some(slot)) if known == id => Ok(slot),
        _ => look_up(id),
    }
}

#[cold]
fn look_up(id: u64) -> Result<&'static Slot, Status> {
    let slot = slot(id)?;
    if slot.owner.load(Ordering::Acquire) != this_thread() {
        return Err(Status::Thread);
    }
    MINE.with(|mine| mine[id as usize % KNOWN].set((id, Some(slot))));
    Ok(slot)
}

/// Forgets an object that is no longer this thread's.
fn forget(id: u64) {
    MINE.with(|mine| mine[id as usize % KNOWN].set((0, None)));
}

/// Runs with an object of this thread.
#[inline]
pub(crate) fn with<K: Kind, R>(id: u64, run: impl FnOnce(&mut K) -> Result<R, Status>) -> Result<R, Status> {
    let mut object = own_slot(id)?.object.try_borrow_mut().map_err(|_| Status::Busy)?;
    let found = object.as_mut().and_then(K::find).ok_or(Status::Object)?;
    run(found)
}

/// Keeps an object for this thread. Returns its number, which is never zero.
pub(crate) fn keep(object: Object) -> Result<u64, Status> {
    let index = {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        match free.used_before.pop() {
            Some(index) => index,
            None if free.fresh as usize >= CHUNKS * PER_CHUNK => return Err(Status::Objects),
            None => {
                free.fresh += 1;
                free.fresh - 1
            }
        }
    };
    let chunk = TABLE[index as usize / PER_CHUNK].get_or_init(|| (0..PER_CHUNK).map(|_| Slot::vacant()).collect());
    let slot = &chunk[index as usize % PER_CHUNK];
    *slot.object.try_borrow_mut().map_err(|_| Status::Busy)? = Some(object);
    slot.owner.store(this_thread(), Ordering::Release);
    let generation = slot.generation.load(Ordering::Relaxed).wrapping_add(1);
    slot.generation.store(generation, Ordering::Release);
    Ok(u64::from(generation) << 32 | u64::from(index))
}

/// Destroys an object of this thread, if it is of this kind.
pub(crate) fn destroy<K: Kind>(id: u64) -> Result<(), Status> {
    with(id, |_: &mut K| Ok(()))?;
    let slot = own_slot(id)?;
    forget(id);
    let object = slot.object.try_borrow_mut().map_err(|_| Status::Busy)?.take();
    let generation = slot.generation.load(Ordering::Relaxed).wrapping_add(1);
    slot.generation.store(generation, Ordering::Release);
    slot.owner.store(VACANT, Ordering::Release);
    // A place whose numbers are used up stays empty.
    if generation != 0 {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.used_before.push(id as u32);
    }
    drop(object);
    Ok(())
}

impl Slot {
    const fn vacant() -> Self {
        Self {
            generation: AtomicU32::new(0),
            owner: AtomicU64::new(VACANT),
            object: RefCell::new(None),
        }
    }
}

/// Hands an object over to whichever thread takes it with es_take_over next: `es_hand_over(timestep.id)`. An object belongs to
/// the thread that created it, and calls from another one return THREAD. Objects whose thread has ended without handing them
/// over are out of reach.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_hand_over(id: u64) -> Status {
    carry_out(|| {
        let slot = own_slot(id)?;
        forget(id);
        slot.owner.store(HANDED_OVER, Ordering::Release);
        Ok(())
    })
}

/// Makes an object that was handed over this thread's own.
/// Errors: OBJECT; THREAD if it was not handed over, or another thread was faster.
#[unsafe(no_mangle)]
pub extern "C" fn es_take_over(id: u64) -> Status {
    carry_out(|| {
        let owner = &slot(id)?.owner;
        let taken = owner.compare_exchange(HANDED_OVER, this_thread(), Ordering::AcqRel, Ordering::Acquire);
        taken.map(drop).map_err(|_| Status::Thread)
    })
}
