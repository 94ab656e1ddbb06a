// Filters that even out the times of frames.

import {
  FILTERS_ADD,
  FILTERS_APPLY,
  FILTERS_BEGIN,
  FILTERS_FILTERED_OUT,
  FILTERS_FRAME_ID,
  FILTERS_OBSERVE,
  FILTERS_REFRESH_HZ,
  OBJECTS_FILTERS,
} from "./calls.js";
import { TOO_LONG, refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { Handle, held } from "./handle.js";
import { type Feedback, observe } from "./present.js";
import { type Ratio, type Time, parts, rate, split } from "./time.js";
import { wasm } from "./display_wasm.js";
import { check } from "./status.js";

/**
 * A filter that smooths the times of frames. `"displayClock"` follows the display and is best for most programs.
 * `"presentClock"` follows what `observe` is told of presented frames, and must come first. `{ snap: 60 }`
 * takes times near a whole number of refreshes for it, and `"snap"` estimates the refresh rate. `{ average: 8 }` is the mean of
 * the last 4, 8, 16 or 32. `{ clamp: 100 }` cuts off hitches before the filters behind it.
 */
export type Filter =
  | "displayClock"
  | "presentClock"
  | "snap"
  | { readonly snap: Ratio }
  | { readonly average: 4 | 8 | 16 | 32 }
  | { readonly clamp: Time };

/**
 * Filters, one after the other, eight at most: `new FixedTimestep(60, { filter: new Filters("displayClock") })`. They serve one
 * timestep or schedule.
 */
export class Filters extends Handle implements DeltaFilter {
  #residual = 0;
  #maxLead = 0;

  constructor(...filters: readonly Filter[]) {
    super(wasm, OBJECTS_FILTERS);
    try {
      const why = filters.length > 8 ? "at most 8" : '"presentClock" must come first';
      for (const filter of filters) check(add(held(this), filter), "filters", why);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** A number that is never 0 where there is one. */
  #ask(what: number): number | undefined {
    wasm.call(held(this), what);
    return wasm.numberAt(0) || undefined;
  }

  /** Takes the time of the first frame; a timestep or schedule calls it. */
  begin(now: bigint): void {
    const status = wasm.timed(held(this), FILTERS_BEGIN, now, "now");
    check(status, "Filters", "they serve another timestep or schedule already; create others");
  }

  /** Takes the nanoseconds since the last frame, and returns those for the timestep; a timestep or schedule calls it. */
  apply(delta: number): number {
    const object = held(this);
    check(wasm.call(object, FILTERS_APPLY, whole(delta, "delta", 0, Number.MAX_SAFE_INTEGER)), "Filters.apply", TOO_LONG);
    this.#residual = wasm.numberAt(1);
    this.#maxLead = wasm.numberAt(2);
    return wasm.numberAt(0);
  }

  /** Nanoseconds that came in and do not count yet; below zero if more counted than came in. */
  get residual(): number {
    held(this);
    return this.#residual;
  }

  /** By how many nanoseconds they may be ahead of the clock at most. */
  get maxLead(): number {
    held(this);
    return this.#maxLead;
  }

  /** The display's refresh rate in hertz, to which a display clock among them is locked; `undefined` if it is not. */
  get refreshHz(): number | undefined {
    return this.#ask(FILTERS_REFRESH_HZ);
  }

  /** Nanoseconds that clamps among them have cut off. */
  get filteredOut(): bigint {
    wasm.call(held(this), FILTERS_FILTERED_OUT);
    return wasm.integerAt(0);
  }

  /**
   * The number under which `observe` takes a report of the last frame; `undefined` for the first frame, which sets the clock's
   * beginning, and unless `"presentClock"` is among them.
   */
  get frameId(): number | undefined {
    return this.#ask(FILTERS_FRAME_ID);
  }

  /** Takes the system's report of a frame, and the time at which it arrived, for `"presentClock"`. */
  observe(feedback: Feedback, arrived: Time): void {
    observe(held(this), FILTERS_OBSERVE, feedback, arrived, "Filters.observe", 'set "presentClock" and begin a frame first');
  }
}

// The kinds are those of evenstep-flat.
function add(object: number, filter: Filter): number {
  if (filter === "displayClock") return wasm.call(object, FILTERS_ADD, 1);
  if (filter === "presentClock") return wasm.call(object, FILTERS_ADD, 6);
  if (filter === "snap") return wasm.call(object, FILTERS_ADD, 3);
  if (typeof filter === "object" && filter !== null) {
    if ("snap" in filter) return wasm.call(object, FILTERS_ADD, 2, ...rate(filter.snap, "filters: snap"));
    if ("clamp" in filter) {
      split(filter.clamp, "filters: clamp");
      return wasm.call(object, FILTERS_ADD, 5, parts.millis, parts.nanos);
    }
    if ("average" in filter) {
      if (![4, 8, 16, 32].includes(filter.average)) refuse("Range", "filters: average", filter.average, "4, 8, 16 or 32");
      return wasm.call(object, FILTERS_ADD, 4, filter.average);
    }
  }
  refuse("Type", "a filter", filter, '"displayClock", "presentClock", "snap", { snap }, { average } or { clamp }');
}

