// Settings that a timestep and a schedule share.

import { check, refuse, whole } from "./errors.js";
import { type Ratio, type Time, nanoseconds, rate, ratio } from "./time.js";

/**
 * What happens to steps that do not fit into a frame: they are dropped; kept, up to so much simulated time, and run as soon as
 * there is room; or kept, and simulated time then runs at most so many times as fast.
 */
export type Overrun = "drop" | { readonly carry: Time } | { readonly stretch: Ratio };

/**
 * A filter that evens out the times of frames. `"displayClock"` follows the display and is best for most programs. `{ snap: 60 }`
 * takes times near a whole number of refreshes for it, and `"snap"` estimates the refresh rate. `{ average: 8 }` is the mean of
 * the last 4, 8, 16 or 32. `{ clamp: 100 }` cuts off hitches before the filters behind it.
 */
export type Filter =
  | "displayClock"
  | "snap"
  | { readonly snap: Ratio }
  | { readonly average: 4 | 8 | 16 | 32 }
  | { readonly clamp: Time };

/** What can be set from the beginning. */
export interface ClockOptions {
  /** Filters, one after the other, eight at most. */
  readonly filters?: readonly Filter[];
  /** The longest time between two frames that is believed; 250 ms unless set. */
  readonly maxDelta?: Time;
  /** What happens to steps that do not fit into a frame; dropped unless set. */
  readonly overrun?: Overrun;
  /** How fast simulated time runs; 1 unless set. */
  readonly timeScale?: Ratio;
}

/** What the bindings of a timestep and a schedule have in common. */
interface Settable {
  add_filter(kind: number, numer: number, denom: number, window: number, maxDelta: bigint): number;
  overrun_drop(): void;
  overrun_carry(maxBacklog: bigint): number;
  overrun_stretch(numer: number, denom: number): number;
}

export function addFilters(raw: Settable, filters: readonly Filter[]): void {
  for (const filter of filters) check(addFilter(raw, filter), "filters", filters.length > 8 ? "at most 8" : undefined);
}

// The kinds are those of evenstep-flat.
function addFilter(raw: Settable, filter: Filter): number {
  if (filter === "displayClock") return raw.add_filter(1, 0, 0, 0, 0n);
  if (filter === "snap") return raw.add_filter(3, 0, 0, 0, 0n);
  if (typeof filter === "object" && filter !== null) {
    if ("snap" in filter) return raw.add_filter(2, ...rate(filter.snap, "filters: snap"), 0, 0n);
    if ("clamp" in filter) return raw.add_filter(5, 0, 0, 0, nanoseconds(filter.clamp, "filters: clamp"));
    if ("average" in filter) {
      if (![4, 8, 16, 32].includes(filter.average)) refuse("Range", "filters: average", filter.average, "4, 8, 16 or 32");
      return raw.add_filter(4, 0, 0, filter.average, 0n);
    }
  }
  refuse("Type", "a filter", filter, '"displayClock", "snap", { snap }, { average } or { clamp }');
}

export function setOverrun(raw: Settable, overrun: Overrun): void {
  if (overrun === "drop") return raw.overrun_drop();
  if (typeof overrun === "object" && overrun !== null) {
    if ("carry" in overrun) return check(raw.overrun_carry(nanoseconds(overrun.carry, "carry")), "overrun");
    if ("stretch" in overrun) return check(raw.overrun_stretch(...ratio(overrun.stretch, "stretch")), "overrun");
  }
  refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
}

/** A tick, or that of a step. */
export function tickOf(step: number | { readonly tick: number }): number {
  return whole(typeof step === "number" ? step : step?.tick, "the tick", 0, Number.MAX_SAFE_INTEGER);
}
