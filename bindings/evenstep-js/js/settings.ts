// Settings that a timestep and a schedule share.

import { check, refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { type Ratio, type Time, milliseconds, ratio } from "./time.js";
import { wasm } from "./steps_wasm.js";
import { NONE } from "./wasm.js";

/**
 * What happens to steps that do not fit into a frame: they are dropped; kept, up to so much simulated time, and run as soon as
 * there is room; or kept, and simulated time then runs faster by at most a factor.
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

/** Sets the overrun policy. `drop` is the first of the three calls for it, which are in a row. */
export function setOverrun(object: number, drop: number, overrun: Overrun): void {
  if (overrun === "drop") return check(wasm.call(object, drop), "overrun");
  if (typeof overrun === "object" && overrun !== null) {
    if ("carry" in overrun) return check(wasm.timed(object, drop + 1, overrun.carry, "carry"), "overrun");
    if ("stretch" in overrun) return check(wasm.call(object, drop + 2, ...ratio(overrun.stretch, "stretch")), "overrun");
  }
  refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
}

/** Milliseconds until an object's next step, which this call says in nanoseconds; `undefined` if no time brings one. */
export function untilNextStep(object: number, what: number): number | undefined {
  return wasm.call(object, what) === NONE ? undefined : milliseconds(wasm.numberAt(0));
}

/** A tick, or that of a step. */
export function tickOf(step: number | { readonly tick: number }): number {
  return whole(typeof step === "number" ? step : step?.tick, "the tick", 0, Number.MAX_SAFE_INTEGER);
}
