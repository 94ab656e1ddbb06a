// What the clocks that follow another one have in common: crates/evenstep/src/filter/followed_time.rs says how and why.

import { AIM, DisplayClock } from "./display-clock.js";
import { fail } from "./errors.js";
import { type DeltaFilter, FrameClock } from "./filter.js";
import { type Time, parts, split } from "./time.js";

/** A ratio of 1, as a whole number of 2^-24. */
export const ONE = 0x100_0000;

/** A number of nanoseconds times a ratio, rounded down. */
export function product(nanos: number, ratio: number): number {
  const high = Math.floor(nanos / ONE);
  return high * ratio + Math.floor(((nanos - high * ONE) * ratio) / ONE);
}

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Whole nanoseconds of a time, exact up to 104 days. */
export function nanos(time: Time, name: string): number {
  split(time, name);
  return parts.millis * 1e6 + parts.nanos;
}

/** A line through a time of the page's clock and one of the clock that follows. */
interface Line {
  readonly at: number;
  readonly time: number;
  readonly rate: number;
}

const timeAt = (line: Line, at: number): number => line.time + product(at - line.at, line.rate);

/** A clock that follows another one: give it to a timestep or a loop as its `clock`. */
export abstract class FollowingClock {
  readonly #filter = new DisplayClock();
  /** The time of the first frame: whole milliseconds, and the nanoseconds beyond. All other times are counted from it. */
  #millis: number | undefined;
  #nanos = 0;
  /** Of the last frame: nanoseconds of the page's clock since the first frame, and of this clock. */
  protected now = 0;
  protected time = 0;
  #events: Line = { at: 0, time: 0, rate: ONE };
  #earlierEvents: Line = this.#events;
  #pause: "running" | "paused" | "resuming" = "running";
  #isPauseFrame = false;
  #frames: FrameClock | undefined;

  /** @internal The nanoseconds that a frame brings. */
  protected abstract advance(frame: Elapsed): number;
  /** @internal The last frame was the last of a pause. */
  protected abstract goOn(now: number): void;
  /** @internal Seconds a second in 2^-24: in the long run, and now. */
  protected abstract readonly rate: number;
  protected abstract readonly rateNow: number;

  /**
   * Begins a frame at a time of the page's clock, unless a timestep does that has the clock. Returns the milliseconds of this clock: zero in
   * the first frame. An earlier time is treated as the last frame's.
   */
  beginFrame(now: Time): number {
    const begins = this.#millis === undefined;
    if (begins) {
      split(now, "now");
      this.#millis = parts.millis;
      this.#nanos = parts.nanos;
    }
    const passed = Math.max(this.since(now, "now") - this.now, 0);
    this.now += passed;
    if (!begins) {
      const even = this.#filter.apply(passed);
      if (this.#pause === "running") this.time += Math.max(this.advance({ now: this.now, evenNow: this.evenNow, passed, even, time: this.time }), 0);
    }
    this.#isPauseFrame = this.#pause !== "running";
    if (this.#pause === "resuming") {
      this.#pause = "running";
      this.goOn(this.now);
    }
    // The end of a frame of a pause is a nanosecond later than all events before it.
    const time = Math.max(timeAt(this.#events, this.now) + (this.#isPauseFrame ? 1 : 0), this.time);
    const slower = Math.floor((Math.min(time - this.time, ONE) * this.rateNow) / (2 * ONE));
    this.#earlierEvents = this.#events;
    this.#events = { at: this.now, time, rate: this.#pause === "running" ? this.rateNow - slower : 0 };
    return this.time / 1e6;
  }

  /** The milliseconds of this clock at a time of the page's clock: for input. They never go back from one event to a later one. */
  timeAt(at: Time): number {
    const since = this.since(at, "the time");
    const time = since < this.now ? Math.min(timeAt(this.#earlierEvents, since), this.#events.time) : timeAt(this.#events, since);
    return Math.max(time, 0) / 1e6;
  }

  /** Begins a pause: time stands still from the last frame on, and presses reach no step of the timestep that has the clock. */
  pause(): void {
    this.#pause = "paused";
  }

  /** Ends a pause: time goes on from the next frame, which is the last of the pause. */
  resume(): void {
    if (this.#pause === "paused") this.#pause = "resuming";
  }

  /** Its seconds for each second of the page's clock. Resample the sound of a simulation that follows the display by it. */
  get speed(): number {
    return this.rate / ONE;
  }

  /** @internal The frame clock of the timestep that takes this clock. */
  frameClock(filter: DeltaFilter | null | undefined): FrameClock {
    if (filter) fail("Order", "the filter", "a clock that follows has one");
    if (this.#frames) fail("Order", "the clock", "another timestep has it");
    return (this.#frames = new FollowedFrames(this));
  }

  /** @internal Of the last frame, in nanoseconds since the first: its time, and that of an event at it; whether it belongs to a pause. */
  get lastFrame(): { readonly time: number; readonly eventTime: number; readonly isPause: boolean } {
    return { time: this.time, eventTime: this.#events.time, isPause: this.#isPauseFrame };
  }

  protected get isPaused(): boolean {
    return this.#pause !== "running";
  }

  protected get hasBegun(): boolean {
    return this.#millis !== undefined;
  }

  protected get evenNow(): number {
    return this.now - this.#filter.residual + AIM;
  }

  /** Nanoseconds of the page's clock since the first frame. */
  protected since(at: Time, name: string): number {
    split(at, name);
    return this.#millis === undefined ? 0 : (parts.millis - this.#millis) * 1e6 + parts.nanos - this.#nanos;
  }
}

/** The frame clock of a timestep that has a clock that follows. */
class FollowedFrames extends FrameClock {
  readonly #following: FollowingClock;
  /** The time of the last frame on the page's clock, and by the clock that follows. */
  #millis = 0;
  #nanos = 0;
  #time = 0;

  constructor(following: FollowingClock) {
    super();
    this.#following = following;
  }

  override begin(now: Time): number {
    split(now, "now");
    const { millis, nanos } = parts;
    const delta = (millis - this.#millis) * 1e6 + nanos - this.#nanos;
    if (this.frames > 0 && delta < 0) this.backwardFrames++;
    else [this.delta, this.#millis, this.#nanos] = [this.frames > 0 ? delta : 0, millis, nanos];
    this.#following.beginFrame(now);
    const { time, eventTime, isPause } = this.#following.lastFrame;
    this.millis = Math.floor(eventTime / 1e6);
    this.nanos = eventTime - this.millis * 1e6;
    this.residual = eventTime - time;
    this.filteredDelta = time - this.#time;
    this.#time = time;
    this.isPause = isPause;
    this.frames++;
    return this.filteredDelta;
  }

  override advance(): never {
    fail("Order", "FixedTimestep.advance", "a clock that follows needs the times of beginFrame");
  }
}

/** A frame: nanoseconds since the first one, and since the last one. */
export interface Elapsed {
  readonly now: number;
  readonly evenNow: number;
  readonly passed: number;
  readonly even: number;
  readonly time: number;
}
