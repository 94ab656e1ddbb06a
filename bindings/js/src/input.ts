// Keys, buttons, pointer and wheel with timestamps: each event reaches exactly one step.

import { type EvenstepErrorCode, fail, finite, integer, objectOf } from "./errors.js";
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

const FULL = "the buffer is full";

/** An event that is further from its frame than this many nanoseconds has a time of another clock. */
const FAR = 1e9;

/** An event as it is recorded: of the fields of an `InputEvent` those of its kind. */
interface Recorded {
  kind: InputEvent["kind"];
  readonly key?: Key;
  x?: number;
  y?: number;
  time?: number;
}

interface Waiting {
  readonly event: Recorded;
  /** Nanoseconds after the buffer's first time. */
  at: number;
  /** The tick of its step; infinite while it waits for its frame. */
  tick: number;
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

const sum = (one: Motion | undefined, { x, y }: Motion): Motion => ({ x: (one?.x ?? 0) + x, y: (one?.y ?? 0) + y });

interface Pressed {
  isHeld: boolean;
  presses: number;
  releases: number;
}

/** Whether it is motion or a turn of the wheel. */
const isMotion = ({ event }: Waiting): boolean => "x" in event;

/** Whether it waits for its frame. */
const isAhead = ({ tick }: Waiting): boolean => tick === Infinity;

/** Reduces an event to its state: of a press, that the key is held. */
function reduce(waiting: Waiting): void {
  if (waiting.event.kind === "press") waiting.event.kind = "hold";
  waiting.isState = true;
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
  readonly #counts = { waiting: 0, late: 0, reordered: 0, refused: 0, paused: 0, foreign: 0 };
  /** The number of the last frame, and its clock. */
  #frame = -1;
  #clock: FrameClock | undefined;

  // The step.
  readonly #keys = new Map<Key, Pressed>();
  #seen: Recorded[] = [];
  /** The step that was begun last. */
  #tick = -1;
  #movedX = 0;
  #movedY = 0;
  #turnedX = 0;
  #turnedY = 0;

  /** A buffer with room for `capacity` presses and releases between two steps, and the same for motion. */
  constructor(capacity = 1024, options: InputOptions = {}) {
    const { keepPauses = false, clock } = objectOf(options, "the options");
    this.#keepPauses = keepPauses;
    this.#following = clock;
    this.#capacity = integer(capacity, "the capacity", 1, 1 << 20);
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

  #pushAt(time: Time, event: Recorded): void {
    split(this.#following?.timeAt(time) ?? time, "at");
    const { millis, nanos } = parts;
    const at = this.#line(millis, nanos);
    const events = this.#events;
    this.#counts.foreign += Number(at + FAR < this.#lastNow);
    this.#ahead += Number(at > this.#lastNow + FAR);
    const isLate = at + this.#delay < this.#reached || at < this.#pauseEnd;
    const isPaused = !this.#keepPauses && at >= this.#pauseBegin && at < this.#pauseEnd;
    let index = events.length;
    while (index > 0 && events[index - 1]!.at > at) index--;
    const isReordered = index < events.length;
    event.time = millis + nanos / 1e6;
    if (!this.#insert(index, { event, at, tick: isLate ? 0 : Infinity, isState: isPaused, isOpen: false })) return;
    this.#counts.reordered += Number(isReordered);
    this.#counts.late += Number(isLate);
  }

  /** Takes an event for the next step that runs: after the events that have a tick, before those that wait for their frame. */
  #push(event: Recorded, { length }: readonly never[]): void {
    const events = this.#events;
    if (length > 0) this.#fail("Type", event, `no time; ${event.kind}At(at, …) takes one`);
    if (event.kind === "motion") {
      this.#open = sum(this.#open, event as Motion);
      return;
    }
    const index = events.filter((waiting) => !isAhead(waiting)).length;
    const at = Math.min(Math.max(this.#lastLate(), events[index - 1]?.at ?? -Infinity), events[index]?.at ?? Infinity);
    event.time = this.#millis(at);
    this.#insert(index, { event, at, tick: 0, isState: false, isOpen: !this.#keepPauses });
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
  #insert(index: number, waiting: Waiting): boolean {
    const events = this.#events;
    const { isState: isPaused } = waiting;
    const moves = isMotion(waiting);
    const isFull = !moves && this.#others >= this.#capacity;
    if (isFull && this.#keepPauses) {
      this.#counts.refused++;
      this.#fail("Full", waiting.event, FULL);
    }
    this.#counts.paused += Number(isPaused);
    if (isPaused && moves) return false;
    // The next step, unless an older event waits for a later one.
    if (!isAhead(waiting) || !isAhead(events[index] ?? waiting)) waiting.tick = events[index - 1]?.tick ?? 0;
    if (isPaused || isFull) reduce(waiting);
    events.splice(index, 0, waiting);
    index = this.#replace(index);
    this.#counts.refused += Number(isFull && !isPaused);
    if (moves) {
      this.#addUp();
    } else if (this.#others > this.#capacity + STATES) {
      events.splice(index, 1);
      this.#fail("Full", waiting.event, FULL);
    }
    return true;
  }

  /** The number of events that are no motion, which has room of its own. */
  get #others(): number {
    return this.#events.filter((waiting) => !isMotion(waiting)).length;
  }

  #fail(code: EvenstepErrorCode, { kind }: Recorded, why: string): never {
    fail(code, `InputBuffer.${kind}`, why);
  }

  /**
   * Removes the states before a state that replaces them, up to the next event that is neither a state nor motion. Returns its index
   * afterwards.
   */
  #replace(index: number): number {
    const events = this.#events;
    const { isState, event: newer } = events[index]!;
    for (let at = index - 1; isState && at >= 0; at--) {
      const older = events[at]!;
      if (isMotion(older)) continue;
      if (!older.isState) break;
      const { kind, key } = older.event;
      if (newer.kind !== "releaseAll" && (kind === "releaseAll" || key !== newer.key)) continue;
      events.splice(at, 1);
      index--;
    }
    return index;
  }

  /** Reduces all open events with a tick to states. */
  #reduce(): void {
    for (let index = 0; index < this.#events.length; index++) {
      const waiting = this.#events[index]!;
      if (!waiting.isOpen) continue;
      this.#counts.paused += Number(!waiting.isState);
      if (isMotion(waiting)) {
        this.#events.splice(index--, 1);
      } else {
        reduce(waiting);
        index = this.#replace(index);
      }
    }
  }

  /**
   * Without room for more, adds motion to motion of its kind a short time before it. What remains, up to a quarter of the capacity of each kind, is spread
   * evenly over the time of all motion, so that its steps stay right as far as there is room.
   */
  #addUp(): void {
    const room = Math.max(this.#capacity, 4);
    if (this.#events.length <= room) return;
    const motion = this.#events.filter(isMotion);
    if (motion.length <= room) return;
    const span = motion.at(-1)!.at - motion[0]!.at;
    const grain = Math.floor(span / Math.max(Math.floor(this.#capacity / 4), 1));
    for (const newer of this.#events.splice(0)) {
      // What waits for its frame may belong to a pause.
      const older = this.#events.findLast((older) => older.event.kind === newer.event.kind && isAhead(older) === isAhead(newer));
      if (isMotion(newer) && older && newer.at - older.at <= grain) Object.assign(older.event, sum(older.event as Motion, newer.event as Motion));
      else this.#events.push(newer);
    }
  }

  /** Records that a key or button went down, for the next step that runs: of sources that do not say when. Leave out repeats,
   * `event.repeat`. */
  press(key: Key, ...rest: never[]): void {
    this.#push({ kind: "press", key }, rest);
  }

  /** Records that a key or button went down at a time, for the step that contains it. Leave out repeats, `event.repeat`. */
  pressAt(at: Time, key: Key): void {
    this.#pushAt(at, { kind: "press", key });
  }

  /** Records that a key or button went up. */
  release(key: Key, ...rest: never[]): void {
    this.#push({ kind: "release", key }, rest);
  }

  /** Records that a key or button went up at a time. */
  releaseAt(at: Time, key: Key): void {
    this.#pushAt(at, { kind: "release", key });
  }

  /** Records that all held keys and buttons went up, as when the window loses the focus. */
  releaseAll(...rest: never[]): void {
    this.#push({ kind: "releaseAll" }, rest);
  }

  /** Records that all held keys and buttons went up at a time. */
  releaseAllAt(at: Time): void {
    this.#pushAt(at, { kind: "releaseAll" });
  }

  /** Records that a pointer moved to the right and down. The steps of the next frame get equal parts of it. */
  motion(x: number, y: number, ...rest: never[]): void {
    this.#push({ kind: "motion", x: finite(x, "x"), y: finite(y, "y") }, rest);
  }

  /** Records that a pointer moved to the right and down by `event.movementX` and `event.movementY`, at a time. */
  motionAt(at: Time, x: number, y: number): void {
    this.#pushAt(at, { kind: "motion", x: finite(x, "x"), y: finite(y, "y") });
  }

  /** Records that a wheel turned. */
  wheel(x: number, y: number, ...rest: never[]): void {
    this.#push({ kind: "wheel", x: finite(x, "x"), y: finite(y, "y") }, rest);
  }

  /** Records that a wheel turned by `event.deltaX` and `event.deltaY`, at a time. */
  wheelAt(at: Time, x: number, y: number): void {
    this.#pushAt(at, { kind: "wheel", x: finite(x, "x"), y: finite(y, "y") });
  }

  /** Assigns each event to its step. Call it once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const { clock, hasBegun } = timestepOf(timestep);
    if (!hasBegun || (clock === this.#clock && clock.frames === this.#frame)) {
      fail("Order", "InputBuffer.beginFrame", "call it once a frame, after the timestep's beginFrame");
    }
    const now = this.#line(clock.millis, clock.nanos);
    const filteredNow = now - clock.residual;
    const events = this.#events;
    // A frame before the last one is by another clock, and begins anew.
    const isOther = this.#frame >= 0 && now < this.#lastNow;
    const begins = this.#frame < 0 || isOther;
    if (begins) {
      this.#reached = filteredNow - clock.filteredDelta;
      this.#lastNow = this.#pauseBegin = this.#pauseEnd = now - clock.delta;
    }
    // What waits has times of the other clock.
    if (isOther) for (const waiting of events) waiting.at = Math.min(waiting.at, this.#lastNow);
    const isFirst = begins && clock.delta === 0 && clock.filteredDelta === 0;
    this.#clock = clock;
    this.#frame = clock.frames;
    const from = this.#reached;
    this.#reached = Math.max(from, filteredNow);
    this.#delay = clock.maxLead;
    // If the filter returns no time, the next frame determines whether this one belongs to a pause.
    const lastNow = this.#lastNow;
    const hasMoved = this.#reached > from || clock.isPause;
    const { stoodStill } = timestep;
    if (hasMoved) this.#lastNow = Math.max(lastNow, now);
    if (hasMoved && stoodStill) {
      if (this.#pauseEnd !== lastNow) this.#pauseBegin = lastNow;
      this.#pauseEnd = this.#lastNow;
    }
    const isPause = isFirst || (stoodStill && hasMoved);
    const isKnown = isPause || !stoodStill;
    const isLost = isPause && !this.#keepPauses;
    if (events.length > 0) {
      const ahead = events.filter(isAhead);
      const interval = this.#reached - from;
      // What came before the first frame is of a pause.
      const stoodUntil = isFirst ? this.#lastNow : this.#pauseEnd;
      const lostSince = isFirst ? -Infinity : this.#pauseBegin;
      for (const waiting of ahead) {
        if (waiting.at + this.#delay >= this.#reached && waiting.at >= stoodUntil) break;
        waiting.tick = timestep.tickAt(Math.max(waiting.at + this.#delay - from, 0), interval);
        waiting.isOpen = isLost && waiting.at >= lostSince;
      }
      if (isLost) this.#reduce();
      // Events that waited for dropped steps are delivered to the next ones. The order of events is kept if the timestep was set back.
      let latest = timestep.tickAt(1, 1);
      for (let index = events.length - 1; index >= 0; index--) {
        const waiting = events[index]!;
        if (isAhead(waiting)) continue;
        latest = waiting.tick = Math.min(waiting.tick, latest);
        if (isKnown) waiting.isOpen = false;
      }
    }
    if (isLost && this.#open) {
      this.#counts.paused++;
      this.#open = undefined;
    }
    if (isKnown) this.#close();
    this.#spreadNext = Math.min(this.#spreadNext, timestep.frame.firstTick);
    this.#spreadEnd = timestep.tick;
    if (this.#ahead > 0) {
      const far = events.filter(({ at }) => at > this.#lastNow + FAR).length;
      this.#counts.foreign += Math.min(this.#ahead, far);
      this.#ahead = 0;
    }
  }

  /** The motion since the last frame belongs to no pause. */
  #close(): void {
    if (!this.#open) return;
    this.#due = sum(this.#due, this.#open);
    this.#open = undefined;
  }

  /** The part of a step of the motion without a time, once. */
  #share(tick: number): Recorded | undefined {
    if (tick < this.#spreadNext) return undefined;
    this.#close();
    const due = this.#due;
    if (!due) return undefined;
    this.#spreadNext = tick + 1;
    const left = Math.max(this.#spreadEnd - tick, 1);
    const [x, y] = [due.x / left, due.y / left];
    due.x -= x;
    due.y -= y;
    if (left === 1) this.#due = undefined;
    return { kind: "motion", x, y, time: this.#millis(this.#lastLate()) };
  }

  /** Begins a step and takes its events. The methods below then describe this step. */
  beginStep(step: number | { readonly tick: number }): void {
    const tick = tickOf(step);
    if (this.#frame < 0) fail("Order", "InputBuffer.beginStep", "call beginFrame first");
    // A step that was given back comes again with its input. The first one comes again after a reset.
    if (tick !== this.#tick || !tick) {
      for (const [key, pressed] of this.#keys) {
        if (!pressed.isHeld) this.#keys.delete(key);
        pressed.presses = pressed.releases = 0;
      }
      this.#movedX = this.#movedY = this.#turnedX = this.#turnedY = 0;
      this.#seen = [];
    }
    this.#tick = tick;
    let count = 0;
    while (count < this.#events.length && this.#events[count]!.tick <= tick) count++;
    const share = this.#share(tick);
    if (share) this.#apply(share);
    if (count) for (const { event } of this.#events.splice(0, count)) this.#apply(event);
  }

  #apply(event: Recorded): void {
    const { kind, key, x = 0, y = 0 } = event;
    this.#seen.push(event);
    if (kind === "motion") {
      this.#movedX += x;
      this.#movedY += y;
    } else if (kind === "wheel") {
      this.#turnedX += x;
      this.#turnedY += y;
    } else if (kind === "press" || kind === "hold") {
      const pressed = this.#pressed(key!);
      if (kind === "press" && !pressed.isHeld) pressed.presses++;
      pressed.isHeld = true;
      this.#keys.set(key!, pressed);
    } else {
      for (const [name, pressed] of this.#keys) {
        if ((kind === "release" && name !== key) || !pressed.isHeld) continue;
        pressed.releases++;
        pressed.isHeld = false;
      }
    }
  }

  /** The events of this step, oldest first. */
  *events(): Generator<InputEvent, undefined> {
    yield* this.#seen as InputEvent[];
    return undefined;
  }

  #pressed(key: Key): Pressed {
    return this.#keys.get(key) ?? { isHeld: false, presses: 0, releases: 0 };
  }

  /** Whether a key is down at the end of the step. */
  isHeldAtEnd(key: Key): boolean {
    return this.#pressed(key).isHeld;
  }

  /**
   * Whether a key is down at the end of the step or went down in it. Use it for a control that acts as long as it is held: a tap shorter
   * than a step then acts in one step.
   */
  isDown(key: Key): boolean {
    const { isHeld, presses } = this.#pressed(key);
    return isHeld || presses > 0;
  }

  /** How often a key went down in the step. */
  presses(key: Key): number {
    return this.#pressed(key).presses;
  }

  /** Whether a key went up in the step, also if it is down again. */
  wasReleased(key: Key): boolean {
    return this.#pressed(key).releases > 0;
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
    return { ...this.#counts, waiting: [...this.#events, this.#due, this.#open].filter(Boolean).length };
  }
}
