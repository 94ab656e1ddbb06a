// The frame clock, and a filter that smooths its times before they reach a timestep.

import type { Nanos } from "./accumulator.js";
import { TOO_LONG, fail, refuse, whole } from "./errors.js";
import { type Time, parts, split } from "./time.js";

/**
 * Smooths frame times, as `DisplayClock` does. Durations are whole nanoseconds, as numbers, which hold 104
 * days exactly; a longer time goes past the filter.
 */
export interface DeltaFilter {
  /** Takes the time since the last frame, and returns the delta for the timestep. */
  apply(delta: number): number;
  /** Time that came in and does not count yet; negative while the filter leads the clock. */
  readonly residual: number;
  /** The most by which the filter may lead the clock, the same in every frame. Input acts later by this time. */
  readonly maxLead: number;
}

/** A clock that follows another one, as of "evenstep/follow". */
export interface Following {
  beginFrame(now: Time): number;
  timeAt(at: Time): number;
  /** @internal */
  readonly lastFrame: { readonly time: number; readonly eventTime: number; readonly isPause: boolean };
}

const MOST = Number.MAX_SAFE_INTEGER;
const LONGEST = (1n << 63n) - 1n;

/** Filters and clocks that serve a frame clock. */
const serving = new WeakSet<object>();

/** The frame clock. */
export class FrameClock {
  readonly #filter: DeltaFilter | undefined;
  readonly #following: Following | undefined;
  /** The nanoseconds of the clock that follows. */
  #followed = 0;
  /** The number of frames so far. */
  frames = 0;
  /** The number of frames whose time was before an earlier frame's. */
  backwardFrames = 0;
  /** The time of the last frame on the page's clock, if another clock is followed. */
  #rawMillis = 0;
  #rawNanos = 0;
  /** Whether the last frame belongs to a pause of the clock that follows. */
  isPause = false;
  /** The time of the last frame: whole milliseconds and the nanoseconds beyond, below a million. */
  millis = 0;
  nanos = 0;
  /** The time between the last two frames, unfiltered and filtered. */
  delta: Nanos = 0;
  filteredDelta: Nanos = 0;
  /** The filter's values after the last frame. */
  residual = 0;
  maxLead = 0;

  constructor(filter: DeltaFilter | undefined, following?: Following) {
    if (following !== undefined) {
      if (typeof following?.timeAt !== "function") refuse("Type", "the clock", following, "a PlaybackClock or a RefreshClock");
      if (filter !== undefined) fail("Order", "the filter", "a clock that follows has one");
      if (serving.has(following)) fail("Order", "the clock", "another timestep has it; create a new one");
      serving.add(following);
    }
    this.#following = following;
    if (filter !== undefined) {
      if (typeof filter?.apply !== "function") refuse("Type", "the filter", filter, "an object such as a DisplayClock");
      if (serving.has(filter)) fail("Order", "the filter", "another timestep has it; create a new one");
      serving.add(filter);
    }
    this.#filter = filter;
  }

  /** Begins a frame at a time. Returns the filtered delta, zero in the first frame. */
  begin(now: Time): Nanos {
    split(now, "now");
    const { millis, nanos } = parts;
    const following = this.#following;
    if (following !== undefined) {
      const isEarlier = this.frames > 0 && (millis - this.#rawMillis || nanos - this.#rawNanos) < 0;
      if (isEarlier) this.backwardFrames++;
      else this.delta = this.frames > 0 ? (millis - this.#rawMillis) * 1e6 + nanos - this.#rawNanos : 0;
      following.beginFrame(now);
      if (!isEarlier) [this.#rawMillis, this.#rawNanos] = [millis, nanos];
      const { time, eventTime, isPause } = following.lastFrame;
      const passed = time - this.#followed;
      this.#followed = time;
      this.millis = Math.floor(eventTime / 1e6);
      this.nanos = eventTime - this.millis * 1e6;
      this.residual = eventTime - time;
      this.filteredDelta = passed;
      this.isPause = isPause;
      this.frames++;
      return passed;
    }
    if (this.frames > 0) {
      let late = millis - this.millis;
      let rest = nanos - this.nanos;
      if (rest < 0) {
        late--;
        rest += 1e6;
      }
      if (late >= 0) return this.#pass(late, rest, millis, nanos);
      // Browsers round frame times and add jitter, and clocks are set.
      const delta = this.#pass(0, 0, this.millis, this.nanos);
      this.backwardFrames++;
      return delta;
    }
    if (this.#filter !== undefined) this.#follow(this.#filter);
    this.millis = millis;
    this.nanos = nanos;
    this.frames = 1;
    return 0;
  }

  /** Begins a frame this long after the last one, or after time zero if it is the first. */
  advance(delta: Time, name: string): Nanos {
    if (this.#following !== undefined) fail("Order", name, "a clock that follows needs the times of beginFrame");
    split(delta, "delta");
    const { millis, nanos } = parts;
    const sum = this.nanos + nanos;
    const carried = sum >= 1e6 ? 1 : 0;
    const [atMillis, atNanos] = [this.millis + millis + carried, sum - carried * 1e6];
    if (BigInt(atMillis) * 1_000_000n + BigInt(atNanos) > LONGEST) fail("Range", name, TOO_LONG);
    return this.#pass(millis, nanos, atMillis, atNanos);
  }

  #pass(millis: number, nanos: number, atMillis: number, atNanos: number): Nanos {
    const number = millis * 1e6 + nanos;
    const delta: Nanos = number <= MOST ? number : BigInt(millis) * 1_000_000n + BigInt(nanos);
    let passed = delta;
    const filter = this.#filter;
    if (filter !== undefined) {
      const filtered = whole(filter.apply(Math.min(number, MOST)), "the filter's delta", 0, MOST);
      this.#follow(filter);
      passed = typeof delta === "number" ? filtered : BigInt(filtered) + delta - BigInt(MOST);
    }
    this.delta = delta;
    this.filteredDelta = passed;
    this.millis = atMillis;
    this.nanos = atNanos;
    this.frames++;
    return passed;
  }

  #follow(filter: DeltaFilter): void {
    const residual = whole(filter.residual, "the filter's residual", -MOST, MOST);
    this.maxLead = whole(filter.maxLead, "the filter's maxLead", 0, MOST);
    this.residual = residual;
  }
}
