// Keys, buttons, pointer and wheel with their times: each event reaches exactly one step.

import type { Progress } from "./accumulator.js";
import { fail, finite, objectOf, refuse, whole } from "./errors.js";
import type { FrameClock } from "./filter.js";
import { Local, schedules } from "./local.js";
import type { Schedule } from "./schedule.js";
import { tickOf } from "./settings.js";
import { type Time, parts, split } from "./time.js";
import { type FixedTimestep, partsOf } from "./timestep.js";

/** A key or button: whatever you call it, such as `event.code`. */
export type Key = string | number;

/**
 * An event, as it reaches its step. Its time is in milliseconds. "hold" is what is left of a press in a pause: the key is held, and was
 * not pressed.
 */
export type InputEvent =
  | { readonly kind: "press" | "release" | "hold"; readonly key: Key; readonly time: number }
  | { readonly kind: "motion" | "wheel"; readonly x: number; readonly y: number; readonly time: number }
  | { readonly kind: "releaseAll"; readonly time: number };

/** What became of events that did not come as they should. */
export interface InputCounts {
  /** Events that wait for their step. */
  readonly waiting: number;
  /** Events that came after the frame of their time; they went to the next step. */
  readonly late: number;
  /** Events that came after a later one, and went before it. */
  readonly reordered: number;
  /** Events for which there was no room. Unless an error was thrown, their state was kept. */
  readonly refused: number;
  /** Events of pauses, of which no more than their state was kept. */
  readonly paused: number;
}

/** What can be set from the beginning. */
export interface InputOptions {
  /**
   * Keeps what happens in a pause for the first step after it. A full buffer then takes nothing, and throws an error whose code
   * is `Full`.
   */
  readonly keepsPauses?: boolean;
}

/** Past how many others motion looks for motion to be added to. */
const NEAR = 8;

/** Room beyond the capacity for states, one for each key. */
const STATES = 1024;

type Kind = InputEvent["kind"];

interface Waiting {
  /** Nanoseconds after the buffer's first time. */
  readonly at: number;
  /** The step that it belongs to, once that is known. */
  tick: number;
  kind: Kind;
  readonly key: Key | undefined;
  x: number;
  y: number;
  readonly time: number;
  /** Whether it is the state that remains of an event. Later states may replace it. */
  isRest: boolean;
}

interface Pressed {
  isHeld: boolean;
  presses: number;
  releases: number;
}

/** What an event leaves in a pause. */
function stateOf(kind: Kind): Kind | undefined {
  if (kind === "press") return "hold";
  return kind === "motion" || kind === "wheel" ? undefined : kind;
}

/** Whether a rest makes an older one needless. */
function replaces(newer: Waiting, older: Waiting): boolean {
  const isOfKey = older.kind === "hold" || older.kind === "release";
  if (newer.kind === "releaseAll") return isOfKey || older.kind === "releaseAll";
  return (newer.kind === "hold" || newer.kind === "release") && isOfKey && newer.key === older.key;
}

/** The step in which a moment of a frame falls: so long after its beginning, of so long in all. */
function tickAt({ first, early, begin, end, perStep }: Progress, since: bigint, interval: bigint): number {
  let steps = (begin < end ? begin : end) / perStep;
  if (interval > 0n && end > begin) {
    const way = (end - begin) * (since < interval ? since : interval);
    const reached = (begin * interval + way) / (perStep * interval);
    const last = end / perStep;
    if (reached > steps) steps = reached < last ? reached : last;
  }
  const tick = first + steps - early;
  return tick > 0n ? Number(tick) : 0;
}

/** The same progress, less the steps that no time paid for. */
function paidFor(progress: Progress, singleSteps: number): Progress {
  if (singleSteps === 0) return progress;
  const skipped = BigInt(singleSteps) * progress.perStep;
  const end = progress.end > skipped ? progress.end - skipped : 0n;
  return end > progress.begin ? { ...progress, begin: progress.begin + skipped } : { ...progress, end };
}

/** A frame of a timestep, or of a task. */
interface Moved {
  readonly stoodStill: boolean;
  readonly granted: number;
  readonly progress: Progress;
}

/**
 * An input buffer. Push events as they arrive, with their times of the clock that `beginFrame` is told; ask in each step what is
 * held, was pressed and has moved. A tap that is shorter than a step is counted exactly once.
 *
 * Presses, motion and turns of the wheel in a pause, while simulated time stands still, reach no step. Held keys are known after it all the
 * same: keys that were released in the pause are up. The same is kept of events for which there is no room, and motion adds up, so that
 * no release is lost.
 */
export class InputBuffer extends Local {
  readonly #capacity: number;
  readonly #keepsPauses: boolean;
  /** By time; first those that have a tick, then those that wait for their frame. */
  #events: Waiting[] = [];
  /** How many have a tick. */
  #placed = 0;
  /** The whole milliseconds from which times are counted. */
  #base: number | undefined;
  /** How far the timestep's time line reached in the last frame. */
  #reached = 0;
  /** By how much events act later than they happened. */
  #delay = 0;
  /** The time of the last frame on the clock. */
  #told = 0;
  /** The last pause, on the clock. All events before its end have a tick. */
  #pauseBegin = 0;
  #pauseEnd = 0;
  #late = 0;
  #reordered = 0;
  #refused = 0;
  #paused = 0;
  /** The frame that it was told last. */
  #frame = -1;

  // The step.
  readonly #keys = new Map<Key, Pressed>();
  #seen: readonly Waiting[] = [];
  #movedX = 0;
  #movedY = 0;
  #turnedX = 0;
  #turnedY = 0;

  /** With room for `capacity` events between two steps. */
  constructor(capacity = 1024, options: InputOptions = {}) {
    super();
    this.#keepsPauses = objectOf(options, "the options").keepsPauses ?? false;
    this.#capacity = whole(capacity, "the capacity", 1, 1 << 20);
  }

  /** A time on the buffer's line, in nanoseconds. */
  #line(millis: number, nanos: number): number {
    if (this.#base === undefined) {
      this.#base = millis;
      this.#reached = this.#told = this.#pauseBegin = this.#pauseEnd = -millis * 1e6;
    }
    return (millis - this.#base) * 1e6 + nanos;
  }

  #push(kind: Kind, time: Time, key?: Key, x = 0, y = 0): void {
    split(time, "the time");
    const { millis, nanos } = parts;
    const at = this.#line(millis, nanos);
    const events = this.#events;
    const isFull = events.length >= this.#capacity;
    if (isFull && this.#keepsPauses) {
      this.#refused++;
      this.#failFull(kind);
    }
    let place = events.length;
    while (place > 0 && events[place - 1]!.at > at) place--;
    const isLate = at + this.#delay < this.#reached || at < this.#pauseEnd;
    const isPlaced = isLate || place < this.#placed;
    // The next step, unless an older event waits for a later one.
    const tick = isPlaced && place > 0 ? events[place - 1]!.tick : 0;
    const waiting: Waiting = { at, tick, kind, key, x, y, time: millis + nanos / 1e6, isRest: false };
    if (!this.#keepsPauses) {
      const isPaused = at >= this.#pauseBegin && at < this.#pauseEnd;
      this.#paused += Number(isPaused);
      // An event without a tick never belongs to the step of one that has a tick.
      if (!isPaused && this.#isHalfFull && addTo(events, isPlaced ? 0 : this.#placed, place, waiting)) return;
      waiting.isRest = isPaused || isFull;
      if (waiting.isRest) {
        const state = stateOf(kind);
        if (state === undefined && isPaused) return;
        if (state !== undefined) {
          this.#refused += Number(!isPaused);
          waiting.kind = state;
        }
      }
    }
    const isReordered = place < events.length;
    this.#placed += Number(isPlaced);
    events.splice(place, 0, waiting);
    place = this.#replace(place);
    if (events.length > this.#capacity + STATES) {
      events.splice(place, 1);
      this.#placed -= Number(isPlaced);
      this.#failFull(kind);
    }
    this.#reordered += Number(isReordered);
    this.#late += Number(isLate);
  }

  #failFull(kind: Kind): never {
    fail("Full", `InputBuffer.${kind}`, "there is no room; nothing was taken");
  }

  /** Whether motion is no longer to take room of its own. */
  get #isHalfFull(): boolean {
    return 2 * this.#events.length > this.#capacity;
  }

  /** Removes the rests right before one that it replaces. Answers with its place then. */
  #replace(place: number): number {
    const events = this.#events;
    const newer = events[place]!;
    if (this.#keepsPauses || !newer.isRest) return place;
    for (let older = place - 1; older >= 0 && events[older]!.isRest; older--) {
      if (!replaces(newer, events[older]!)) continue;
      events.splice(older, 1);
      if (older < this.#placed) this.#placed--;
      place--;
    }
    return place;
  }

  /** Leaves the states of all events that have a tick, from a place on. */
  #reduce(place: number): void {
    while (place < this.#placed) {
      const waiting = this.#events[place]!;
      this.#paused += Number(!waiting.isRest);
      const state = stateOf(waiting.kind);
      if (state !== undefined) {
        waiting.kind = state;
        waiting.isRest = true;
        place = this.#replace(place) + 1;
      } else {
        this.#events.splice(place, 1);
        this.#placed--;
      }
    }
  }

  /** Merges events that reach the same step. */
  #addUp(): void {
    const kept: Waiting[] = [];
    const placed = this.#placed;
    for (const [place, waiting] of this.#events.entries()) {
      if (place < placed && addTo(kept, 0, kept.length, waiting)) this.#placed--;
      else kept.push(waiting);
    }
    this.#events = kept;
  }

  #begin(clock: FrameClock, moved: Moved): void {
    this.#frame = clock.frames;
    const now = this.#line(clock.millis, clock.nanos);
    const from = this.#reached;
    this.#reached = Math.max(from, now - clock.residual);
    this.#delay = clock.maxLead;
    const events = this.#events;
    const first = this.#placed;
    // Where the filter lets no time pass, the next frame determines whether this one belongs to a pause.
    const told = this.#told;
    const hasMoved = this.#reached > from;
    const isPause = hasMoved && moved.stoodStill;
    if (hasMoved) this.#told = Math.max(told, now);
    if (isPause) {
      if (this.#pauseEnd !== told) this.#pauseBegin = told;
      this.#pauseEnd = this.#told;
    }
    if (events.length > 0) {
      const progress = paidFor(moved.progress, moved.granted);
      // Events that waited for dropped steps are delivered to the next ones.
      const newest = tickAt(progress, 1n, 1n);
      for (let place = 0; place < first; place++) events[place]!.tick = Math.min(events[place]!.tick, newest);
      const interval = BigInt(this.#reached - from);
      for (let next; (next = events[this.#placed]) !== undefined; this.#placed++) {
        if (next.at + this.#delay >= this.#reached && next.at >= this.#pauseEnd) break;
        next.tick = tickAt(progress, BigInt(Math.max(next.at + this.#delay - from, 0)), interval);
      }
    }
    if (!this.#keepsPauses) {
      if (isPause) {
        let place = first;
        while (place < this.#placed && events[place]!.at < this.#pauseBegin) place++;
        this.#reduce(place);
      } else if (this.#isHalfFull) {
        this.#addUp();
      }
    }
    // A timestep that was set back does not unsettle the order of events.
    let least = Infinity;
    for (let place = this.#placed - 1; place >= 0; place--) least = this.#events[place]!.tick = Math.min(this.#events[place]!.tick, least);
  }

  /** A key or button went down. Leave out repeats, `event.repeat`. */
  press(key: Key, time: Time): void {
    this.#push("press", time, key);
  }

  /** A key or button went up. */
  release(key: Key, time: Time): void {
    this.#push("release", time, key);
  }

  /** Everything that is held went up: when the window loses the focus. */
  releaseAll(time: Time): void {
    this.#push("releaseAll", time);
  }

  /** A pointer moved to the right and down, by `event.movementX` and `event.movementY`. */
  motion(x: number, y: number, time: Time): void {
    this.#push("motion", time, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** A wheel turned, by `event.deltaX` and `event.deltaY`. */
  wheel(x: number, y: number, time: Time): void {
    this.#push("wheel", time, undefined, finite(x, "x"), finite(y, "y"));
  }

  /** Gives each event its step: once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const { accumulator, clock, hasBegun } = partsOf(timestep);
    if (!hasBegun || clock.frames === this.#frame) {
      fail("Order", "InputBuffer.beginFrame", "call it once a frame, after the timestep's beginFrame");
    }
    this.#begin(clock, accumulator);
  }

  /** The same for a task of a schedule. Each task that takes input has a buffer of its own. */
  beginTask(schedule: Schedule, task: number): void {
    const { clock, progress: progressOf } = schedules.get(schedule) ?? refuse("Type", "the schedule", schedule, 'a Schedule of "evenstep/schedule"');
    const progress = progressOf(whole(task, "the task", 0, 1023));
    if (progress === undefined) fail("Missing", "InputBuffer.beginTask", "there is no such task");
    if (clock.frames === 0 || clock.frames === this.#frame) {
      fail("Order", "InputBuffer.beginTask", "call it once a frame, after the schedule's beginFrame");
    }
    this.#begin(clock, { stoodStill: progress.begin === progress.end, granted: 0, progress });
  }

  /** Begins a step and takes its events. What the methods below answer is then that of this step. */
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
    while (count < this.#placed && this.#events[count]!.tick <= tick) count++;
    if (count === 0 && this.#seen.length === 0) return;
    this.#seen = this.#events.splice(0, count);
    this.#placed -= count;
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
      for (const pressed of this.#keys.values()) letGo(pressed);
    } else if (kind === "release") {
      const pressed = this.#keys.get(key!);
      if (pressed !== undefined) letGo(pressed);
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
  isHeld(key: Key): boolean {
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

  /** By how much the pointer moved to the right in the step. Over all steps it adds up to the motion that arrived. */
  get movedX(): number {
    return this.#movedX;
  }

  /** By how much it moved down. */
  get movedY(): number {
    return this.#movedY;
  }

  /** By how much the wheel turned to the right in the step. */
  get turnedX(): number {
    return this.#turnedX;
  }

  /** By how much it turned down. */
  get turnedY(): number {
    return this.#turnedY;
  }

  /** How many events wait, and counts of those that were late, out of order or refused. */
  get counts(): InputCounts {
    return { waiting: this.#events.length, late: this.#late, reordered: this.#reordered, refused: this.#refused, paused: this.#paused };
  }
}

/** Adds motion to the nearest before it, within these places, if both reach the same step. */
function addTo(events: Waiting[], from: number, to: number, newer: Waiting): boolean {
  let passed = 0;
  for (let place = to - 1; place >= from; place--) {
    const older = events[place]!;
    if (older.tick !== newer.tick || passed > NEAR) return false;
    if (older.kind === newer.kind && (newer.kind === "motion" || newer.kind === "wheel")) {
      older.x += newer.x;
      older.y += newer.y;
      return true;
    }
    passed += Number(!older.isRest);
  }
  return false;
}

function letGo(pressed: Pressed): void {
  if (pressed.isHeld) pressed.releases++;
  pressed.isHeld = false;
}
