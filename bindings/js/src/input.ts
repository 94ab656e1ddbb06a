// Keys, buttons, pointer and wheel with timestamps: each event reaches exactly one step.

import { type Progress, least } from "./accumulator.js";
import { fail, finite, objectOf, whole } from "./errors.js";
import { tickOf } from "./frame.js";
import { type Time, parts, split } from "./time.js";
import { type FixedTimestep, timestepOf } from "./timestep.js";

/** The name or number of a key or button, such as `event.code`. */
export type Key = string | number;

/**
 * An event that reached its step. Its time is in milliseconds. "hold" replaces a press in a pause: the key is held, and the press does
 * not count.
 */
export type InputEvent =
  | { readonly kind: "press" | "release" | "hold"; readonly key: Key; readonly time: number }
  | { readonly kind: "motion" | "wheel"; readonly x: number; readonly y: number; readonly time: number }
  | { readonly kind: "releaseAll"; readonly time: number };

/** Counts of events that were late, out of order or refused. */
export interface InputCounts {
  /** Events that wait for their step. */
  readonly waiting: number;
  /** Events that arrived after the frame of their time. They went to the next step. */
  readonly late: number;
  /** Events that arrived after a later event. They were put before it. */
  readonly reordered: number;
  /** Events that arrived while the buffer was full. Unless an error was thrown, their state was kept. */
  readonly refused: number;
  /** Events of pauses, of which only the state was kept. */
  readonly paused: number;
}

/** Options of the constructor. */
export interface InputOptions {
  /**
   * Keeps the events of a pause for the first step after it. A full buffer then accepts motion only, and throws an error with the code
   * `Full` for the rest.
   */
  readonly keepPauses?: boolean;
}

/** The number of states beyond the capacity, one for each key. */
const STATES = 1024;

type Kind = InputEvent["kind"];

interface Waiting {
  /** Nanoseconds after the buffer's first time. */
  readonly at: number;
  /** The tick of its step, once that is known. */
  tick: number;
  kind: Kind;
  readonly key: Key | undefined;
  x: number;
  y: number;
  readonly time: number;
  /** Whether the event was reduced to the state of its keys. Later states may replace it. */
  isState: boolean;
}

interface Pressed {
  isHeld: boolean;
  presses: number;
  releases: number;
}

function isMotion({ kind }: Waiting): boolean {
  return kind === "motion" || kind === "wheel";
}

/** Reduces an event to its state: of a press, that the key is held. */
function reduce(waiting: Waiting): void {
  if (waiting.kind === "press") waiting.kind = "hold";
  waiting.isState = true;
}

/** Whether a state makes an older state redundant. */
function replaces(newer: Waiting, older: Waiting): boolean {
  const isOfKey = older.kind === "hold" || older.kind === "release";
  if (newer.kind === "releaseAll") return isOfKey || older.kind === "releaseAll";
  return (newer.kind === "hold" || newer.kind === "release") && isOfKey && newer.key === older.key;
}

/** The tick of the step that contains a moment of a frame: `since` after its beginning, of `interval` in all. */
function tickAt({ first, begin, end, perStep }: Progress, since: bigint, interval: bigint): number {
  if (interval === 0n || end <= begin) return Number(first + least(begin, end) / perStep);
  return Number(first + (begin * interval + (end - begin) * least(since, interval)) / (perStep * interval));
}

/**
 * An input buffer. Push events as they arrive, with times on the same clock as those passed to `beginFrame`. In each step, read which
 * keys are held and were pressed, and the motion. A tap that is shorter than a step is counted exactly once.
 *
 * Presses, motion and turns of the wheel during a pause, while simulated time stands still, reach no step. The states of keys are
 * tracked during the pause: keys that were released in it are up afterwards. Of presses and releases for which there is no room the
 * states of keys are kept too, so no release is lost. Motion has room of its own, of the same size; beyond it, it is added to motion shortly before.
 */
export class InputBuffer {
  readonly #capacity: number;
  readonly #keepPauses: boolean;
  /** Events by time; first the events with a tick, then the events that wait for their frame. */
  #events: Waiting[] = [];
  /** The number of events with a tick. */
  #assigned = 0;
  /** The number of events that are motion, which have room of their own. */
  #motions = 0;
  /** The first time in whole milliseconds, from which times are counted. */
  #base: number | undefined;
  /** The end of the last frame on the timestep's time line. */
  #reached = 0;
  /** The delay with which events act. */
  #delay = 0;
  /** The time of the last frame on the clock. */
  #lastNow = 0;
  /** The last pause, on the clock. All events before its end have a tick. */
  #pauseBegin = 0;
  #pauseEnd = 0;
  #late = 0;
  #reordered = 0;
  #refused = 0;
  #paused = 0;
  /** The number of the last frame. */
  #frame = -1;

  // The step.
  readonly #keys = new Map<Key, Pressed>();
  #seen: readonly Waiting[] = [];
  #movedX = 0;
  #movedY = 0;
  #turnedX = 0;
  #turnedY = 0;

  /** A buffer with room for `capacity` presses and releases between two steps, and the same for motion. */
  constructor(capacity = 1024, options: InputOptions = {}) {
    this.#keepPauses = objectOf(options, "the options").keepPauses ?? false;
    this.#capacity = whole(capacity, "the capacity", 1, 1 << 20);
  }

  /** A time on the buffer's line, in nanoseconds. */
  #line(millis: number, nanos: number): number {
    if (this.#base === undefined) {
      this.#base = millis;
      this.#reached = this.#lastNow = this.#pauseBegin = this.#pauseEnd = -millis * 1e6;
    }
    return (millis - this.#base) * 1e6 + nanos;
  }

  #push(kind: Kind, time: Time, key?: Key, x = 0, y = 0): void {
    split(time, "the time");
    const { millis, nanos } = parts;
    const at = this.#line(millis, nanos);
    const events = this.#events;
    const waiting: Waiting = { at, tick: 0, kind, key, x, y, time: millis + nanos / 1e6, isState: false };
    const moves = isMotion(waiting);
    const isFull = !moves && events.length - this.#motions >= this.#capacity;
    if (isFull && this.#keepPauses) {
      this.#refused++;
      this.#failFull(kind);
    }
    const isPaused = !this.#keepPauses && at >= this.#pauseBegin && at < this.#pauseEnd;
    this.#paused += Number(isPaused);
    if (isPaused && moves) return;
    let index = events.length;
    while (index > 0 && events[index - 1]!.at > at) index--;
    const isLate = at + this.#delay < this.#reached || at < this.#pauseEnd;
    const isAssigned = isLate || index < this.#assigned;
    // The next step, unless an older event waits for a later one.
    if (isAssigned && index > 0) waiting.tick = events[index - 1]!.tick;
    if (isPaused || isFull) reduce(waiting);
    const isReordered = index < events.length;
    this.#assigned += Number(isAssigned);
    this.#motions += Number(moves);
    events.splice(index, 0, waiting);
    index = this.#replace(index);
    this.#refused += Number(isFull && !isPaused);
    if (events.length - this.#motions > this.#capacity + STATES) {
      this.#remove(index);
      this.#failFull(kind);
    }
    this.#reordered += Number(isReordered);
    this.#late += Number(isLate);
    if (this.#motions > Math.max(this.#capacity, 4)) this.#addUp();
  }

  #remove(index: number): void {
    const [removed] = this.#events.splice(index, 1);
    if (index < this.#assigned) this.#assigned--;
    if (isMotion(removed!)) this.#motions--;
  }

  #failFull(kind: Kind): never {
    fail("Full", `InputBuffer.${kind}`, "the buffer is full");
  }

  /**
   * Removes the states before a state that replaces them, up to the next event that is neither a state nor motion. Returns its index
   * afterwards.
   */
  #replace(index: number): number {
    const events = this.#events;
    const newer = events[index]!;
    if (!newer.isState) return index;
    for (let older = index - 1; older >= 0 && (events[older]!.isState || isMotion(events[older]!)); older--) {
      if (!replaces(newer, events[older]!)) continue;
      this.#remove(older);
      index--;
    }
    return index;
  }

  /** Reduces all events with a tick to states, from an index on. */
  #reduce(index: number): void {
    while (index < this.#assigned) {
      const waiting = this.#events[index]!;
      this.#paused += Number(!waiting.isState);
      if (isMotion(waiting)) {
        this.#remove(index);
      } else {
        reduce(waiting);
        index = this.#replace(index) + 1;
      }
    }
  }

  /**
   * Adds motion to motion of its kind a short time before it. What remains, up to a quarter of the capacity of each kind, is spread
   * evenly over the time of all motion, so that its steps stay right as far as there is room.
   */
  #addUp(): void {
    const motion = this.#events.filter(isMotion);
    const span = motion.at(-1)!.at - motion[0]!.at;
    const grain = Math.floor(span / Math.max(Math.floor(this.#capacity / 4), 1));
    const kept: Waiting[] = [];
    let assigned = 0;
    for (const [index, newer] of this.#events.entries()) {
      // What waits for its frame may belong to a pause.
      const first = index < this.#assigned ? 0 : assigned;
      if (isMotion(newer) && addTo(kept, first, grain, newer)) {
        this.#motions--;
        continue;
      }
      assigned += Number(index < this.#assigned);
      kept.push(newer);
    }
    this.#events = kept;
    this.#assigned = assigned;
  }

  /** Records that a key or button went down. Leave out repeats, `event.repeat`. */
  press(key: Key, time: Time): void {
    this.#push("press", time, key);
  }

  /** Records that a key or button went up. */
  release(key: Key, time: Time): void {
    this.#push("release", time, key);
  }

  /** Records that all held keys and buttons went up, as when the window loses the focus. */
  releaseAll(time: Time): void {
    this.#push("releaseAll", time);
  }

  /** Records that a pointer moved to the right and down by `event.movementX` and `event.movementY`. */
  motion(x: number, y: number, time: Time): void {
    this.#push("motion", time, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Records that a wheel turned by `event.deltaX` and `event.deltaY`. */
  wheel(x: number, y: number, time: Time): void {
    this.#push("wheel", time, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Assigns each event to its step. Call it once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const { accumulator, clock, hasBegun } = timestepOf(timestep);
    if (!hasBegun || clock.frames === this.#frame) {
      fail("Order", "InputBuffer.beginFrame", "call it once a frame, after the timestep's beginFrame");
    }
    this.#frame = clock.frames;
    const now = this.#line(clock.millis, clock.nanos);
    const from = this.#reached;
    this.#reached = Math.max(from, now - clock.residual);
    this.#delay = clock.maxLead;
    const events = this.#events;
    const first = this.#assigned;
    // If the filter returns no time, the next frame determines whether this one belongs to a pause.
    const lastNow = this.#lastNow;
    const hasMoved = this.#reached > from;
    const isPause = hasMoved && accumulator.stoodStill;
    if (hasMoved) this.#lastNow = Math.max(lastNow, now);
    if (isPause) {
      if (this.#pauseEnd !== lastNow) this.#pauseBegin = lastNow;
      this.#pauseEnd = this.#lastNow;
    }
    if (events.length > 0) {
      const { progress } = accumulator;
      // Events that waited for dropped steps are delivered to the next ones.
      const newest = tickAt(progress, 1n, 1n);
      for (let index = 0; index < first; index++) events[index]!.tick = Math.min(events[index]!.tick, newest);
      const interval = BigInt(this.#reached - from);
      for (let next; (next = events[this.#assigned]) !== undefined; this.#assigned++) {
        if (next.at + this.#delay >= this.#reached && next.at >= this.#pauseEnd) break;
        next.tick = tickAt(progress, BigInt(Math.max(next.at + this.#delay - from, 0)), interval);
      }
    }
    if (!this.#keepPauses && isPause) {
      let index = first;
      while (index < this.#assigned && events[index]!.at < this.#pauseBegin) index++;
      this.#reduce(index);
    }
    // The order of events is kept if the timestep was set back.
    let latest = Infinity;
    for (let index = this.#assigned - 1; index >= 0; index--) latest = this.#events[index]!.tick = Math.min(this.#events[index]!.tick, latest);
  }

  /** Begins a step and takes its events. The methods below then describe this step. */
  beginStep(step: number | { readonly tick: number }): void {
    const tick = tickOf(step);
    if (this.#frame < 0) fail("Order", "InputBuffer.beginStep", "call beginFrame first");
    if (this.#keys.size > 0) {
      for (const [key, pressed] of this.#keys) {
        if (!pressed.isHeld) this.#keys.delete(key);
        pressed.presses = pressed.releases = 0;
      }
    }
    this.#movedX = this.#movedY = this.#turnedX = this.#turnedY = 0;
    let count = 0;
    while (count < this.#assigned && this.#events[count]!.tick <= tick) count++;
    if (count === 0 && this.#seen.length === 0) return;
    this.#seen = this.#events.splice(0, count);
    this.#assigned -= count;
    this.#motions -= this.#seen.filter(isMotion).length;
    for (const event of this.#seen) this.#apply(event);
  }

  #apply({ kind, key, x, y }: Waiting): void {
    if (kind === "motion") {
      this.#movedX += x;
      this.#movedY += y;
    } else if (kind === "wheel") {
      this.#turnedX += x;
      this.#turnedY += y;
    } else if (kind === "releaseAll") {
      for (const pressed of this.#keys.values()) release(pressed);
    } else if (kind === "release") {
      const pressed = this.#keys.get(key!);
      if (pressed !== undefined) release(pressed);
    } else {
      let pressed = this.#keys.get(key!);
      if (pressed === undefined) this.#keys.set(key!, (pressed = { isHeld: false, presses: 0, releases: 0 }));
      if (!pressed.isHeld) pressed.presses += Number(kind === "press");
      pressed.isHeld = true;
    }
  }

  /** The events of this step, oldest first. */
  *events(): Generator<InputEvent, undefined> {
    for (const { kind, key, x, y, time } of this.#seen) {
      if (kind === "motion" || kind === "wheel") yield { kind, x, y, time };
      else if (kind === "releaseAll") yield { kind, time };
      else yield { kind, key: key!, time };
    }
    return undefined;
  }

  /** Whether a key is down at the end of the step. */
  isHeldAtEnd(key: Key): boolean {
    return this.#keys.get(key)?.isHeld ?? false;
  }

  /**
   * Whether a key is down at the end of the step or went down in it. Use it for a control that acts as long as it is held: a tap shorter
   * than a step then acts in one step.
   */
  isDown(key: Key): boolean {
    const pressed = this.#keys.get(key);
    return pressed !== undefined && (pressed.isHeld || pressed.presses > 0);
  }

  /** How often a key went down in the step. */
  presses(key: Key): number {
    return this.#keys.get(key)?.presses ?? 0;
  }

  /** Whether a key went up in the step, also if it is down again. */
  wasReleased(key: Key): boolean {
    return !!this.#keys.get(key)?.releases;
  }

  /** By how much the pointer moved to the right in the step. The sum over all steps is the motion that arrived. */
  get movedX(): number {
    return this.#movedX;
  }

  /** By how much the pointer moved down in the step. */
  get movedY(): number {
    return this.#movedY;
  }

  /** By how much the wheel turned to the right in the step. */
  get turnedX(): number {
    return this.#turnedX;
  }

  /** By how much the wheel turned down in the step. */
  get turnedY(): number {
    return this.#turnedY;
  }

  /** The number of events that wait for their step, and the numbers of events that were late, out of order or refused. */
  get counts(): InputCounts {
    return { waiting: this.#events.length, late: this.#late, reordered: this.#reordered, refused: this.#refused, paused: this.#paused };
  }
}

/** Adds motion to motion of its kind, from an index on, that is no more than `grain` nanoseconds older. Returns whether it did. */
function addTo(events: Waiting[], first: number, grain: number, newer: Waiting): boolean {
  for (let index = events.length - 1; index >= first; index--) {
    const older = events[index]!;
    if (newer.at - older.at > grain) return false;
    if (older.kind !== newer.kind) continue;
    older.x += newer.x;
    older.y += newer.y;
    return true;
  }
  return false;
}

function release(pressed: Pressed): void {
  if (pressed.isHeld) pressed.releases++;
  pressed.isHeld = false;
}
