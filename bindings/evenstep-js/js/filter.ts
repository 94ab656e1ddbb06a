// Frames whose times a filter evens out before they reach a timestep or a schedule.

import { TIME_WENT_BACK, TOO_LONG, check, refuse, whole } from "./errors.js";
import { type Time, parts, split } from "./time.js";
import { wasm } from "./steps_wasm.js";

/**
 * Evens out the times of frames. `evenstep/display` has such filters. Lengths are whole nanoseconds, as numbers, which hold 104
 * days exactly; a longer time goes past the filter.
 */
export interface DeltaFilter {
  /** Takes the time of the first frame, which sets the clock's beginning, in nanoseconds. */
  begin?(now: bigint): void;
  /** Takes the time since the last frame, and answers with what is to count as passed. */
  apply(delta: number): number;
  /** What came in and does not count yet; below zero if more counted than came in. */
  readonly residual: number;
  /** By how much it may be ahead of the clock at most: the same in every frame. Input is that much later. */
  readonly maxLead: number;
}

/** The numbers of what an object does with frames. */
interface Calls {
  readonly begin: number;
  readonly given: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

/** The clock of frames before a filter. */
export class FilteredClock {
  readonly #filter: DeltaFilter;
  #begun = false;
  /** The time of the last frame: whole milliseconds and the nanoseconds beyond, below a million. */
  #millis = 0;
  #nanos = 0;

  constructor(filter: DeltaFilter) {
    if (typeof filter?.apply !== "function") refuse("Type", "the filter", filter, 'an object such as Filters of "evenstep/display"');
    this.#filter = filter;
  }

  /** A frame at a time. */
  beginFrame(object: number, calls: Calls, now: Time, name: string): void {
    split(now, "now");
    if (this.#begun) {
      return this.#pass(object, calls, parts.millis - this.#millis, parts.nanos - this.#nanos, name);
    }
    const { millis, nanos } = parts;
    this.#begin(BigInt(millis) * 1_000_000n + BigInt(nanos));
    check(wasm.call(object, calls.begin, millis, nanos), name);
    this.#set(millis, nanos);
  }

  /** A frame so long after the last one. */
  advance(object: number, calls: Calls, delta: Time, name: string): void {
    split(delta, "delta");
    const { millis, nanos } = parts;
    if (!this.#begun) this.#begin(0n);
    this.#pass(object, calls, millis, nanos, name);
  }

  #begin(now: bigint): void {
    this.#filter.begin?.(now);
    this.#begun = true;
  }

  #pass(object: number, calls: Calls, millis: number, nanos: number, name: string): void {
    const borrowed = nanos < 0 ? 1 : 0;
    const wholeMillis = millis - borrowed;
    const rest = nanos + borrowed * 1e6;
    if (wholeMillis < 0) {
      if (wholeMillis < -1000) check(TIME_WENT_BACK, name);
      return this.#pass(object, calls, 0, 0, name);
    }
    const filter = this.#filter;
    const delta = whole(filter.apply(Math.min(wholeMillis * 1e6 + rest, MOST)), "the filter's answer", 0, MOST);
    const residual = whole(filter.residual, "the filter's residual", -MOST, MOST);
    const maxLead = whole(filter.maxLead, "the filter's maxLead", 0, MOST);
    wasm.put(0, maxLead);
    check(wasm.call(object, calls.given, wholeMillis, rest, delta, residual), name, TOO_LONG);
    this.#set(this.#millis + millis, this.#nanos + nanos);
  }

  #set(millis: number, nanos: number): void {
    const carried = Math.floor(nanos / 1e6);
    this.#millis = millis + carried;
    this.#nanos = nanos - carried * 1e6;
  }
}
