// Settings that a timestep and a schedule share.

import { type Policy, terms } from "./accumulator.js";
import { refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { type Ratio, type Time, nanoseconds, ratio } from "./time.js";

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

/** An overrun policy, as the accumulator takes it. */
export function policy(overrun: Overrun): Policy {
  if (overrun === "drop") return { kind: "drop" };
  if (typeof overrun === "object" && overrun !== null) {
    if ("carry" in overrun) return { kind: "carry", most: nanoseconds(overrun.carry, "carry") };
    if ("stretch" in overrun) return { kind: "stretch", speed: terms(...ratio(overrun.stretch, "stretch")) };
  }
  refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
}

/** Nanoseconds as milliseconds, if there are any. */
export const untilNextStep = (nanos: bigint | undefined): number | undefined => (nanos === undefined ? undefined : Number(nanos) / 1e6);

/** A tick, or that of a step. */
export function tickOf(step: number | { readonly tick: number }): number {
  return whole(typeof step === "number" ? step : step?.tick, "the tick", 0, Number.MAX_SAFE_INTEGER);
}
