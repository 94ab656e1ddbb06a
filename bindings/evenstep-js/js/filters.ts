// Filters that smooth frame times.

import {
  FILTERS_ADD,
  FILTERS_APPLY,
  FILTERS_BEGIN,
  FILTERS_FILTERED_OUT,
  FILTERS_REFRESH_HZ,
  OBJECTS_FILTERS,
} from "./calls.js";
import { TOO_LONG, refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { Handle, held } from "./handle.js";
import { type Ratio, type Time, parts, rate, split } from "./time.js";
import { wasm } from "./display_wasm.js";
import { check } from "./status.js";

/**
 * A filter that smooths frame times. `"displayClock"` follows the display and is best for most programs. `{ snap: 60 }` rounds
 * deltas near a whole number of refreshes to it; `"snap"` does the same and estimates the refresh rate. `{ average: 8 }` is the mean of
 * the last 8 deltas; 4, 16 and 32 are possible too. `{ clamp: 100 }` limits deltas to 100 ms before the following filters.
 */
export type Filter =
  | "displayClock"
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
      for (const filter of filters) check(add(held(this), filter), "filters", "at most 8");
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Takes the time of the first frame; a timestep or schedule calls it. */
  begin(now: bigint): void {
    const status = wasm.timed(held(this), FILTERS_BEGIN, now, "now");
    check(status, "Filters", "another timestep or schedule has these filters; create new ones");
  }

  /** Takes the nanoseconds since the last frame, and returns those for the timestep; a timestep or schedule calls it. */
  apply(delta: number): number {
    const object = held(this);
    check(wasm.call(object, FILTERS_APPLY, whole(delta, "delta", 0, Number.MAX_SAFE_INTEGER)), "Filters.apply", TOO_LONG);
    this.#residual = wasm.numberAt(1);
    this.#maxLead = wasm.numberAt(2);
    return wasm.numberAt(0);
  }

  /** Nanoseconds that came in and do not count yet; negative while the filters lead the clock. */
  get residual(): number {
    held(this);
    return this.#residual;
  }

  /** The most nanoseconds by which the filters may lead the clock. */
  get maxLead(): number {
    held(this);
    return this.#maxLead;
  }

  /** The refresh rate in hertz to which a display clock among the filters is locked; `undefined` while none is locked. */
  get refreshHz(): number | undefined {
    wasm.call(held(this), FILTERS_REFRESH_HZ);
    return wasm.numberAt(0) || undefined;
  }

  /** Nanoseconds that clamps among the filters have cut off. */
  get filteredOut(): bigint {
    wasm.call(held(this), FILTERS_FILTERED_OUT);
    return wasm.integerAt(0);
  }
}

// The kinds are those of evenstep-flat.
function add(object: number, filter: Filter): number {
  if (filter === "displayClock") return wasm.call(object, FILTERS_ADD, 1);
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
  refuse("Type", "a filter", filter, '"displayClock", "snap", { snap }, { average } or { clamp }');
}

