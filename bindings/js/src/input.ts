// Keys, buttons, pointer and wheel with timestamps: each event reaches exactly one step.

import { type Progress, least } from "./accumulator.js";
import { fail, finite, objectOf, refuse, whole } from "./errors.js";
import type { Following, FrameClock } from "./filter.js";
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
  /** Events of pauses, and of the time before the first frame, of which only the state was kept. */
  readonly paused: number;
  /**
   * Events whose time is over a second before the last frame or after the next: it is of another clock. The earlier ones act in the next
   * step, the later ones wait for their time.
   */
  readonly foreign: number;
}

/** Options of the constructor. */
export interface InputOptions {
  /**
   * Keeps the events of a pause for the first step after it. A full buffer then accepts motion only, and throws an error with the code
   * `Full` for the rest.
   */
  readonly keepPauses?: boolean;
  /** The clock of the timestep, if that follows a song or the display: times of events are then of the page's clock. */
  readonly clock?: Following;
}

/** The number of states beyond the capacity, one for each key. */
const STATES = 1024;

/** An event that is further from its frame than this many nanoseconds has a time of another clock. */
const FAR = 1e9;

type Kind = InputEvent["kind"];

interface Waiting {
  /** Nanoseconds after the buffer's first time. */
  at: number;
  /** The tick of its step, once that is known. */
  tick: number;
  kind: Kind;
  readonly key: Key | undefined;
  x: number;
  y: number;
  readonly time: number;
  /** Whether the event was reduced to the state of its keys. Later states may replace it. */
  isState: boolean;
  /** Whether the next frame tells if it belongs to a pause, because it has a tick and no time. */
  isOpen: boolean;
}

/** Motion without a time: each step of a frame gets an equal part of it. */
interface Motion {
  x: number;
  y: number;
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
 * An input buffer. Push events as they arrive: by the methods that end in `At` with times on the same clock as those passed to
 * `beginFrame`, so that each acts in the step of its time; by the others without, to act in the next step that runs. In each step, read
 * which keys are held and were pressed, and the motion. A tap that is shorter than a step is counted exactly once.
 *
 * Presses, motion and turns of the wheel during a pause, while simulated time stands still, and before the first frame reach no step. The states of keys are
 * tracked during the pause: keys that were released in it are up afterwards. Of presses and releases for which there is no room the
 * states of keys are kept too, so no release is lost. Motion has room of its own, of the same size; beyond it, it is added to motion shortly before.
 */
export class InputBuffer {
  readonly #capacity: number;
  readonly #keepPauses: boolean;
  readonly #following: Following | undefined;
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
  /** The last pause that was called, on the clock. All events before its end have a tick. */
  #pauseBegin = 0;
  #pauseEnd = 0;
  /** Motion without a time, of earlier frames and since the last one. The next frame tells if that belongs to a pause. */
  #due: Motion | undefined;
  #open: Motion | undefined;
  /** The first tick that has taken none of it, and the tick after the steps of the frame. */
  #spreadNext = 0;
  #spreadEnd = 0;
  /** The number of events since the last frame whose time is far after it. */
  #ahead = 0;
  #late = 0;
  #reordered = 0;
  #refused = 0;
  #paused = 0;
  #foreign = 0;
  /** The number of the last frame, and its clock. */
  #frame = -1;
  #clock: FrameClock | undefined;

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
    this.#following = options.clock;
    this.#capacity = whole(capacity, "the capacity", 1, 1 << 20);
  }

  /** A time on the buffer's line, in nanoseconds. */
  #line(millis: number, nanos: number): number {
    if (this.#base === undefined) {
      this.#base = millis;
      this.#reached = this.#lastNow = this.#pauseBegin = this.#pauseEnd = -millis * 1e6;
      // Those without a time are older than the first time.
      for (const event of this.#events) event.at = this.#reached;
    }
    return (millis - this.#base) * 1e6 + nanos;
  }

  #pushAt(kind: Kind, time: Time, key?: Key, x = 0, y = 0): void {
    split(this.#following?.timeAt(time) ?? time, "at");
    const { millis, nanos } = parts;
    const at = this.#line(millis, nanos);
    const events = this.#events;
    this.#foreign += Number(this.#frame >= 0 && at + FAR < this.#lastNow);
    this.#ahead += Number(at > this.#lastNow + FAR);
    const isLate = at + this.#delay < this.#reached || at < this.#pauseEnd;
    const isPaused = !this.#keepPauses && at >= this.#pauseBegin && at < this.#pauseEnd;
    let index = events.length;
    while (index > 0 && events[index - 1]!.at > at) index--;
    const isReordered = index < events.length;
    const waiting = { at, tick: 0, kind, key, x, y, time: millis + nanos / 1e6, isState: isPaused, isOpen: false };
    if (!this.#insert(index, waiting, isLate)) return;
    this.#reordered += Number(isReordered);
    this.#late += Number(isLate);
  }

  /** Takes an event for the next step that runs: after the events that have a tick, before those that wait for their frame. */
  #push(kind: Kind, rest: readonly unknown[], key?: Key, x = 0, y = 0): void {
    if (rest.length > 0) refuse("Type", `InputBuffer.${kind}`, rest[0], `no time; ${kind}At(at, …) takes one`);
    if (kind === "motion") {
      this.#open = { x: (this.#open?.x ?? 0) + x, y: (this.#open?.y ?? 0) + y };
      return;
    }
    const events = this.#events;
    const index = this.#assigned;
    const at = Math.min(Math.max(this.#lastLate(), events[index - 1]?.at ?? -Infinity), events[index]?.at ?? Infinity);
    this.#insert(index, { at, tick: 0, kind, key, x, y, time: this.#millis(at), isState: false, isOpen: !this.#keepPauses }, true);
  }

  /** The latest time that is late. */
  #lastLate(): number {
    return this.#reached - this.#delay - 1;
  }

  /** A time of the line in milliseconds of the clock. */
  #millis(at: number): number {
    return Math.max(at / 1e6 + (this.#base ?? 0), 0);
  }

  /** Inserts an event, or the state that is left of it. Returns whether it is there. */
  #insert(index: number, waiting: Waiting, isLate: boolean): boolean {
    const events = this.#events;
    const { isState: isPaused, kind } = waiting;
    const moves = isMotion(waiting);
    const isFull = !moves && events.length - this.#motions >= this.#capacity;
    if (isFull && this.#keepPauses) {
      this.#refused++;
      this.#failFull(kind);
    }
    this.#paused += Number(isPaused);
    if (isPaused && moves) return false;
    const isAssigned = isLate || index < this.#assigned;
    // The next step, unless an older event waits for a later one.
    if (isAssigned && index > 0) waiting.tick = events[index - 1]!.tick;
    if (isPaused || isFull) reduce(waiting);
    this.#assigned += Number(isAssigned);
    this.#motions += Number(moves);
    events.splice(index, 0, waiting);
    index = this.#replace(index);
    this.#refused += Number(isFull && !isPaused);
    if (events.length - this.#motions > this.#capacity + STATES) {
      this.#remove(index);
      this.#failFull(kind);
    }
    if (this.#motions > Math.max(this.#capacity, 4)) this.#addUp();
    return true;
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

  /** Reduces all open events with a tick to states. */
  #reduce(): void {
    let index = 0;
    while (index < this.#assigned) {
      const waiting = this.#events[index]!;
      if (!waiting.isOpen) {
        index++;
        continue;
      }
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

  /** Records that a key or button went down, for the next step that runs: of sources that do not say when. Leave out repeats,
   * `event.repeat`. */
  press(key: Key, ...rest: never[]): void {
    this.#push("press", rest, key);
  }

  /** Records that a key or button went down at a time, for the step that contains it. Leave out repeats, `event.repeat`. */
  pressAt(at: Time, key: Key): void {
    this.#pushAt("press", at, key);
  }

  /** Records that a key or button went up. */
  release(key: Key, ...rest: never[]): void {
    this.#push("release", rest, key);
  }

  /** Records that a key or button went up at a time. */
  releaseAt(at: Time, key: Key): void {
    this.#pushAt("release", at, key);
  }

  /** Records that all held keys and buttons went up, as when the window loses the focus. */
  releaseAll(...rest: never[]): void {
    this.#push("releaseAll", rest);
  }

  /** Records that all held keys and buttons went up at a time. */
  releaseAllAt(at: Time): void {
    this.#pushAt("releaseAll", at);
  }

  /** Records that a pointer moved to the right and down. The steps of the next frame get equal parts of it. */
  motion(x: number, y: number, ...rest: never[]): void {
    this.#push("motion", rest, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Records that a pointer moved to the right and down by `event.movementX` and `event.movementY`, at a time. */
  motionAt(at: Time, x: number, y: number): void {
    this.#pushAt("motion", at, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Records that a wheel turned. */
  wheel(x: number, y: number, ...rest: never[]): void {
    this.#push("wheel", rest, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Records that a wheel turned by `event.deltaX` and `event.deltaY`, at a time. */
  wheelAt(at: Time, x: number, y: number): void {
    this.#pushAt("wheel", at, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Takes the begin of a frame for its own, if that is its first, or if it is before the last one, and so by another clock. Returns whether
   * it does. */
  #startsOver(now: number, filteredNow: number, delta: number, filteredDelta: number): boolean {
    const isOther = this.#frame >= 0 && now < this.#lastNow;
    if (this.#frame >= 0 && !isOther) return false;
    this.#reached = filteredNow - filteredDelta;
    this.#lastNow = this.#pauseBegin = this.#pauseEnd = now - delta;
    // What waits has times of the other clock.
    if (isOther) for (const event of this.#events) event.at = Math.min(event.at, this.#lastNow);
    return true;
  }

  /** Assigns each event to its step. Call it once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const { accumulator, clock, hasBegun } = timestepOf(timestep);
    if (!hasBegun || (clock === this.#clock && clock.frames === this.#frame)) {
      fail("Order", "InputBuffer.beginFrame", "call it once a frame, after the timestep's beginFrame");
    }
    const now = this.#line(clock.millis, clock.nanos);
    const filteredNow = now - clock.residual;
    const [delta, filteredDelta] = [Number(clock.delta), Number(clock.filteredDelta)];
    const isFirst = this.#startsOver(now, filteredNow, delta, filteredDelta) && delta === 0 && filteredDelta === 0;
    this.#clock = clock;
    this.#frame = clock.frames;
    const from = this.#reached;
    this.#reached = Math.max(from, filteredNow);
    this.#delay = clock.maxLead;
    const events = this.#events;
    const first = this.#assigned;
    // If the filter returns no time, the next frame determines whether this one belongs to a pause.
    const lastNow = this.#lastNow;
    const hasMoved = this.#reached > from || clock.isPause;
    const { stoodStill } = accumulator;
    if (hasMoved) this.#lastNow = Math.max(lastNow, now);
    if (hasMoved && stoodStill) {
      if (this.#pauseEnd !== lastNow) this.#pauseBegin = lastNow;
      this.#pauseEnd = this.#lastNow;
    }
    const isPause = isFirst || (stoodStill && hasMoved);
    if (events.length > 0) {
      const { progress } = accumulator;
      // Events that waited for dropped steps are delivered to the next ones.
      const newest = tickAt(progress, 1n, 1n);
      for (let index = 0; index < first; index++) events[index]!.tick = Math.min(events[index]!.tick, newest);
      const interval = BigInt(this.#reached - from);
      // What came before the first frame is of a pause.
      const stoodUntil = isFirst ? this.#lastNow : this.#pauseEnd;
      for (let next; (next = events[this.#assigned]) !== undefined; this.#assigned++) {
        if (next.at + this.#delay >= this.#reached && next.at >= stoodUntil) break;
        next.tick = tickAt(progress, BigInt(Math.max(next.at + this.#delay - from, 0)), interval);
      }
    }
    if (isPause && !this.#keepPauses) {
      const begin = isFirst ? -Infinity : this.#pauseBegin;
      for (const event of events.slice(first, this.#assigned)) event.isOpen = event.at >= begin;
      this.#reduce();
      if (this.#open !== undefined) this.#paused++;
      this.#open = undefined;
    }
    if (isPause || !stoodStill) {
      for (let index = 0; index < this.#assigned; index++) this.#events[index]!.isOpen = false;
      this.#close();
    }
    this.#spreadNext = Math.min(this.#spreadNext, accumulator.tick - accumulator.count);
    this.#spreadEnd = accumulator.tick;
    if (this.#ahead > 0) {
      const far = this.#events.filter(({ at }) => at > this.#lastNow + FAR).length;
      this.#foreign += Math.min(this.#ahead, far);
      this.#ahead = 0;
    }
    // The order of events is kept if the timestep was set back.
    let latest = Infinity;
    for (let index = this.#assigned - 1; index >= 0; index--) latest = this.#events[index]!.tick = Math.min(this.#events[index]!.tick, latest);
  }

  /** The motion since the last frame belongs to no pause. */
  #close(): void {
    if (this.#open === undefined) return;
    this.#due = { x: (this.#due?.x ?? 0) + this.#open.x, y: (this.#due?.y ?? 0) + this.#open.y };
    this.#open = undefined;
  }

  /** The part of a step of the motion without a time, once. */
  #share(tick: number): Waiting | undefined {
    if (tick < this.#spreadNext) return undefined;
    this.#close();
    const due = this.#due;
    if (due === undefined) return undefined;
    this.#spreadNext = tick + 1;
    const left = Math.max(this.#spreadEnd - tick, 1);
    const [x, y] = [due.x / left, due.y / left];
    due.x -= x;
    due.y -= y;
    if (left === 1) this.#due = undefined;
    const at = this.#lastLate();
    return { at, tick, kind: "motion", key: undefined, x, y, time: this.#millis(at), isState: false, isOpen: false };
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
    const share = this.#share(tick);
    if (count === 0 && share === undefined && this.#seen.length === 0) return;
    const taken = this.#events.splice(0, count);
    this.#assigned -= count;
    this.#motions -= taken.filter(isMotion).length;
    this.#seen = share === undefined ? taken : [share, ...taken];
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
    const waiting = this.#events.length + Number(this.#due !== undefined) + Number(this.#open !== undefined);
    return { waiting, late: this.#late, reordered: this.#reordered, refused: this.#refused, paused: this.#paused, foreign: this.#foreign };
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
