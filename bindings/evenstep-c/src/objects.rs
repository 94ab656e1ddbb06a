//! The table of all objects. A program holds their ids. A call with any 64-bit id reaches an object of the calling thread or
//! returns an error.
//!
//! An object belongs to the thread that created it until that thread hands it over. Only the owner reads and writes it, so a
//! call takes no lock. Each thread caches the slots of its objects and usually finds one by a single comparison.

use core::cell::{Cell, RefCell};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use evenstep_flat::events::Events;
use evenstep_flat::input::Input;
use evenstep_flat::poses::Rows;
use evenstep_flat::schedule::Tasks;
use evenstep_flat::stats::Stats;
use evenstep_flat::timestep::Timestep;

use crate::status::{Status, catch_panics};

/// An object of any kind.
#[expect(
    clippy::large_enum_variant,
    reason = "a timestep is accessed in every frame, without another indirection"
)]
pub(crate) enum Object {
    Timestep(Timestep),
    Tasks(Box<Tasks>),
    Rows(Box<Rows>),
    Input(Box<Input>),
    Events(Box<Events>),
    Stats(Box<Stats>),
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

kinds!(Timestep Tasks Rows Input Events Stats);

const PER_CHUNK: usize = 64;
const CHUNKS: usize = 1024;

/// `Slot::owner` of an object that was handed over and not taken over yet.
const HANDED_OVER: u64 = 0;
/// `Slot::owner` of a slot without an object.
const VACANT: u64 = u64::MAX;

struct Slot {
    /// Odd while the slot has an object. An id contains the generation of its object in the high 32 bits.
    generation: AtomicU32,
    /// The number of the thread that owns the object.
    owner: AtomicU64,
    object: RefCell<Option<Object>>,
}

// SAFETY: `object` is accessed only by the thread whose number is in `owner`, and by a thread that has taken the vacant slot out
// of `Free`, which no other thread can then take. A thread owns every slot in its `CACHE`: it adds a slot that it owns, and removes
// it before it gives up the object. Only a thread itself stores its number in `owner`: when it creates the object, or when it
// exchanges `HANDED_OVER`, which the former owner stored after its last access (release, acquire). An `Object` is `Send`.
unsafe impl Sync for Slot {}

static TABLE: [OnceLock<Box<[Slot]>>; CHUNKS] = [const { OnceLock::new() }; CHUNKS];

/// The slots without an object.
struct Free {
    /// Indices of slots that had an object before.
    used_before: Vec<u32>,
    /// The first index that was never used.
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

/// This thread's number, which is unique in the process.
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

/// The number of entries in a thread's cache, which is indexed by the low bits of an id.
const CACHE_SIZE: usize = 16;

thread_local! {
    /// Ids of this thread's objects and their slots. No other thread can destroy these objects or hand them over, so the
    /// entries are never stale.
    static CACHE: [Cell<(u64, Option<&'static Slot>)>; CACHE_SIZE] =
        const { [const { Cell::new((0, None)) }; CACHE_SIZE] };
}

/// The slot of an object of this thread.
#[inline]
fn own_slot(id: u64) -> Result<&'static Slot, Status> {
    match CACHE.with(|cache| cache[id as usize % CACHE_SIZE].get()) {
        (cached, Some(slot)) if cached == id => Ok(slot),
        _ => look_up(id),
    }
}

#[cold]
fn look_up(id: u64) -> Result<&'static Slot, Status> {
    let slot = slot(id)?;
    if slot.owner.load(Ordering::Acquire) != this_thread() {
        return Err(Status::Thread);
    }
    CACHE.with(|cache| cache[id as usize % CACHE_SIZE].set((id, Some(slot))));
    Ok(slot)
}

/// Removes an object from this thread's cache, before the thread gives it up.
fn remove_from_cache(id: u64) {
    CACHE.with(|cache| cache[id as usize % CACHE_SIZE].set((0, None)));
}

/// Calls `run` with an object of this thread.
#[inline]
pub(crate) fn with_object<K: Kind, R>(id: u64, run: impl FnOnce(&mut K) -> Result<R, Status>) -> Result<R, Status> {
    let mut object = own_slot(id)?.object.try_borrow_mut().map_err(|_| Status::Busy)?;
    let found = object.as_mut().and_then(K::find).ok_or(Status::Object)?;
    run(found)
}

/// Stores an object that this thread owns. Returns its id, which is never zero.
pub(crate) fn insert(object: Object) -> Result<u64, Status> {
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
    with_object(id, |_: &mut K| Ok(()))?;
    let slot = own_slot(id)?;
    remove_from_cache(id);
    let object = slot.object.try_borrow_mut().map_err(|_| Status::Busy)?.take();
    let generation = slot.generation.load(Ordering::Relaxed).wrapping_add(1);
    slot.generation.store(generation, Ordering::Release);
    slot.owner.store(VACANT, Ordering::Release);
    // A slot whose generation has wrapped to zero is not used again: its ids would repeat.
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

/// Gives up an object, so that another thread can take it with es_take_over: `es_hand_over(timestep.id)`. An object belongs to
/// the thread that created it, and calls from another thread return THREAD. If a thread ends without handing over its objects,
/// they can no longer be used or destroyed.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_hand_over(id: u64) -> Status {
    catch_panics(|| {
        let slot = own_slot(id)?;
        remove_from_cache(id);
        slot.owner.store(HANDED_OVER, Ordering::Release);
        Ok(())
    })
}

/// Makes this thread the owner of an object that was handed over.
/// Errors: OBJECT; THREAD if it was not handed over, or another thread took it first.
#[unsafe(no_mangle)]
pub extern "C" fn es_take_over(id: u64) -> Status {
    catch_panics(|| {
        let owner = &slot(id)?.owner;
        let taken = owner.compare_exchange(HANDED_OVER, this_thread(), Ordering::AcqRel, Ordering::Acquire);
        taken.map(drop).map_err(|_| Status::Thread)
    })
}
