// Settings that a timestep and a schedule share.

import { check, refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { type Ratio, type Time, nanoseconds, ratio } from "./time.js";

/**
 * What happens to steps that do not fit into a frame: they are dropped; kept, up to so much simulated time, and run as soon as
 * there is room; or kept, and simulated time then runs at most so many times as fast.
 */
export type Overrun = "drop" | { readonly carry: Time } | { readonly stretch: Ratio };

/** What can be set from the beginning. */
export interface ClockOptions {
  /** Evens out the times of frames: `Filters` of `evenstep/display`, or one of yours. It serves this object alone. */
  readonly filter?: DeltaFilter;
  /** The longest time between two frames that is believed; 250 ms unless set. */
  readonly maxDelta?: Time;
  /** What happens to steps that do not fit into a frame; dropped unless set. */
  readonly overrun?: Overrun;
  /** How fast simulated time runs; 1 unless set. */
  readonly timeScale?: Ratio;
}

/** What the bindings of a timestep and a schedule have in common. */
interface Settable {
  overrun_drop(): void;
  overrun_carry(maxBacklog: bigint): number;
  overrun_stretch(numer: number, denom: number): number;
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
