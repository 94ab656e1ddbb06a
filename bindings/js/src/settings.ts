// Settings that a timestep and a schedule share.

import { atLeastNormal, DEFAULT_MAX_DELTA, type Policy, terms } from "./accumulator.js";
import { refuse, whole } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { type Ratio, type Time, nanoseconds, ratio } from "./time.js";

/**
 * The policy for steps that do not fit into a frame. `"drop"` drops them. `carry` keeps them, up to a simulated time, and grants them in
 * later frames. `stretch` keeps them, and lets simulated time run faster by at most a factor.
 */
export type Overrun = "drop" | { readonly carry: Time } | { readonly stretch: Ratio };

/** Options of the constructor. */
export interface ClockOptions {
  /** Smooths frame times: a `DisplayClock`, or your own filter. A filter serves only one object. */
  readonly filter?: DeltaFilter;
  /** The longest accepted time between two frames. Unless set, it is 250 ms where time that does not fit is dropped, and has no limit where
   * it is kept. */
  readonly maxDelta?: Time;
  /** The policy for steps that do not fit into a frame; they are dropped unless set. */
  readonly overrun?: Overrun;
  /** How fast simulated time runs; 1 unless set. */
  readonly timeScale?: Ratio;
}

/** Converts an overrun policy for the accumulator. */
export function policy(overrun: Overrun): Policy {
  const keeps = { maxDelta: undefined, maxBacklog: 1n << 64n, speed: undefined };
  if (overrun === "drop") return { ...keeps, maxDelta: DEFAULT_MAX_DELTA, maxBacklog: 0n };
  if (typeof overrun === "object" && overrun !== null) {
    if ("carry" in overrun) return { ...keeps, maxBacklog: nanoseconds(overrun.carry, "carry") };
    if ("stretch" in overrun) return { ...keeps, speed: atLeastNormal(terms(...ratio(overrun.stretch, "stretch"))) };
  }
  refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
}

/** Nanoseconds as milliseconds, or `undefined`. */
export const untilNextStep = (nanos: bigint | undefined): number | undefined => (nanos === undefined ? undefined : Number(nanos) / 1e6);

/** A tick, or the tick of a step. */
export function tickOf(step: number | { readonly tick: number }): number {
  return whole(typeof step === "number" ? step : step?.tick, "the tick", 0, Number.MAX_SAFE_INTEGER);
}
