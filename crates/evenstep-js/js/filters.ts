// Filters that even out the times of frames.

import { check, refuse, whole } from "./errors.js";
import { memory } from "./display_memory.js";
import type { DeltaFilter } from "./filter.js";
import { RawFilters } from "./generated/display/bindings.js";
import { Handle, held } from "./handle.js";
import { type Feedback, observe } from "./present.js";
import { type Ratio, type Time, nanoseconds, rate } from "./time.js";

/**
 * A filter that evens out the times of frames. `"displayClock"` follows the display and is best for most programs.
 * `"presentClock"` follows what `observe` is told of frames that were seen, and must come first. `{ snap: 60 }`
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
  readonly #raw: RawFilters;
  readonly #slots: number;

  constructor(...filters: readonly Filter[]) {
    const raw = RawFilters.create();
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
    try {
      const why = filters.length > 8 ? "at most 8" : '"presentClock" must come first';
      for (const filter of filters) check(add(raw, filter), "filters", why);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #open(): RawFilters {
    held(this);
    return this.#raw;
  }

  /** Takes the time of the first frame; a timestep or schedule calls it. */
  begin(now: bigint): void {
    const raw = this.#open();
    check(raw.begin(nanoseconds(now, "now")), "Filters", "they serve another timestep or schedule already; create others");
  }

  /** Takes the nanoseconds since the last frame, and answers with those that are to count; a timestep or schedule calls it. */
  apply(delta: number): number {
    const raw = this.#open();
    check(raw.apply(whole(delta, "delta", 0, Number.MAX_SAFE_INTEGER)), "Filters.apply", "all deltas exceed 292 years");
    return memory.numbers[this.#slots]!;
  }

  /** Nanoseconds that came in and do not count yet; below zero if more counted than came in. */
  get residual(): number {
    this.#open();
    return memory.numbers[this.#slots + 1]!;
  }

  /** By how many nanoseconds they may be ahead of the clock at most. */
  get maxLead(): number {
    this.#open();
    return memory.numbers[this.#slots + 2]!;
  }

  /** The display's refresh rate in hertz, to which a display clock among them is locked; `undefined` if it is not. */
  get refreshHz(): number | undefined {
    return this.#open().refresh_hz() || undefined;
  }

  /** Nanoseconds that clamps among them have cut off. */
  get filteredOut(): bigint {
    return this.#open().filtered_out();
  }

  /**
   * The number under which `observe` takes a report of the last frame; `undefined` for the first frame, which sets the clock's
   * beginning, and unless `"presentClock"` is among them.
   */
  get frameId(): number | undefined {
    return this.#open().frame_id() || undefined;
  }

  /** Takes what the system reports of a frame, and when the report arrived, for `"presentClock"`. */
  observe(feedback: Feedback, arrived: Time): void {
    observe(this.#open(), feedback, arrived, "Filters.observe", 'set "presentClock" and begin a frame first');
  }
}

// The kinds are those of evenstep-flat.
function add(raw: RawFilters, filter: Filter): number {
  if (filter === "displayClock") return raw.add(1, 0, 0, 0, 0n);
  if (filter === "presentClock") return raw.add(6, 0, 0, 0, 0n);
  if (filter === "snap") return raw.add(3, 0, 0, 0, 0n);
  if (typeof filter === "object" && filter !== null) {
    if ("snap" in filter) return raw.add(2, ...rate(filter.snap, "filters: snap"), 0, 0n);
    if ("clamp" in filter) return raw.add(5, 0, 0, 0, nanoseconds(filter.clamp, "filters: clamp"));
    if ("average" in filter) {
      if (![4, 8, 16, 32].includes(filter.average)) refuse("Range", "filters: average", filter.average, "4, 8, 16 or 32");
      return raw.add(4, 0, 0, filter.average, 0n);
    }
  }
  refuse("Type", "a filter", filter, '"displayClock", "presentClock", "snap", { snap }, { average } or { clamp }');
}

