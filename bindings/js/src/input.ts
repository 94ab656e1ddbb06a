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
   * Keeps the events of a pause for the first step after it. A full buffer then accepts no event, and throws an error with the code
   * `Full`.
   */
  readonly keepPauses?: boolean;
}

/** The number of other events that motion may pass to be merged with earlier motion. */
const MERGE_DISTANCE = 8;

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

/** The kind of state to which an event is reduced in a pause. */
function stateOf(kind: Kind): Kind | undefined {
  if (kind === "press") return "hold";
  return kind === "motion" || kind === "wheel" ? undefined : kind;
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
 * tracked during the pause: keys that were released in it are up afterwards. Of events for which there is no room the states of keys
 * are kept too, and motion is added up, so no release is lost.
 */
export class InputBuffer {
  readonly #capacity: number;
  readonly #keepPauses: boolean;
  /** Events by time; first the events with a tick, then the events that wait for their frame. */
  #events: Waiting[] = [];
  /** The number of events with a tick. */
  #assigned = 0;
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

  /** A buffer with room for `capacity` events between two steps. */
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
    const isFull = events.length >= this.#capacity;
    if (isFull && this.#keepPauses) {
      this.#refused++;
      this.#failFull(kind);
    }
    let index = events.length;
    while (index > 0 && events[index - 1]!.at > at) index--;
    const isLate = at + this.#delay < this.#reached || at < this.#pauseEnd;
    const isAssigned = isLate || index < this.#assigned;
    // The next step, unless an older event waits for a later one.
    const tick = isAssigned && index > 0 ? events[index - 1]!.tick : 0;
    const waiting: Waiting = { at, tick, kind, key, x, y, time: millis + nanos / 1e6, isState: false };
    if (!this.#keepPauses) {
      const isPaused = at >= this.#pauseBegin && at < this.#pauseEnd;
      this.#paused += Number(isPaused);
      // An event without a tick never belongs to the step of one that has a tick.
      if (!isPaused && this.#isHalfFull && addTo(events, isAssigned ? 0 : this.#assigned, index, waiting)) return;
      waiting.isState = isPaused || isFull;
      if (waiting.isState) {
        const state = stateOf(kind);
        if (state === undefined && isPaused) return;
        if (state !== undefined) {
          this.#refused += Number(!isPaused);
          waiting.kind = state;
        }
      }
    }
    const isReordered = index < events.length;
    this.#assigned += Number(isAssigned);
    events.splice(index, 0, waiting);
    index = this.#replace(index);
    if (events.length > this.#capacity + STATES) {
      events.splice(index, 1);
      this.#assigned -= Number(isAssigned);
      this.#failFull(kind);
    }
    this.#reordered += Number(isReordered);
    this.#late += Number(isLate);
  }

  #failFull(kind: Kind): never {
    fail("Full", `InputBuffer.${kind}`, "the buffer is full");
  }

  /** Whether the buffer is so full that motion is merged. */
  get #isHalfFull(): boolean {
    return 2 * this.#events.length > this.#capacity;
  }

  /** Removes the states directly before a state that replaces them. Returns its index afterwards. */
  #replace(index: number): number {
    const events = this.#events;
    const newer = events[index]!;
    if (this.#keepPauses || !newer.isState) return index;
    for (let older = index - 1; older >= 0 && events[older]!.isState; older--) {
      if (!replaces(newer, events[older]!)) continue;
      events.splice(older, 1);
      if (older < this.#assigned) this.#assigned--;
      index--;
    }
    return index;
  }

  /** Reduces all events with a tick to states, from an index on. */
  #reduce(index: number): void {
    while (index < this.#assigned) {
      const waiting = this.#events[index]!;
      this.#paused += Number(!waiting.isState);
      const state = stateOf(waiting.kind);
      if (state !== undefined) {
        waiting.kind = state;
        waiting.isState = true;
        index = this.#replace(index) + 1;
      } else {
        this.#events.splice(index, 1);
        this.#assigned--;
      }
    }
  }

  /** Merges motion that reaches the same step. */
  #mergeMotion(): void {
    const kept: Waiting[] = [];
    const assigned = this.#assigned;
    for (const [index, waiting] of this.#events.entries()) {
      if (index < assigned && addTo(kept, 0, kept.length, waiting)) this.#assigned--;
      else kept.push(waiting);
    }
    this.#events = kept;
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
    if (!this.#keepPauses) {
      if (isPause) {
        let index = first;
        while (index < this.#assigned && events[index]!.at < this.#pauseBegin) index++;
        this.#reduce(index);
      } else if (this.#isHalfFull) {
        this.#mergeMotion();
      }
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

/** Adds motion to the nearest earlier motion between two indices, if both reach the same step. */
function addTo(events: Waiting[], from: number, to: number, newer: Waiting): boolean {
  let passed = 0;
  for (let index = to - 1; index >= from; index--) {
    const older = events[index]!;
    if (older.tick !== newer.tick || passed > MERGE_DISTANCE) return false;
    if (older.kind === newer.kind && (newer.kind === "motion" || newer.kind === "wheel")) {
      older.x += newer.x;
      older.y += newer.y;
      return true;
    }
    passed += Number(!older.isState);
  }
  return false;
}

function release(pressed: Pressed): void {
  if (pressed.isHeld) pressed.releases++;
  pressed.isHeld = false;
}
