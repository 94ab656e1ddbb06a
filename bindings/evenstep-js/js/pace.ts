// When to begin a frame, so that it is ready just in time for the display.

import {
  OBJECTS_PACER,
  PACER_COST,
  PACER_FINISH,
  PACER_PLAN,
  PACER_PLANNED,
  PACER_PLAN_FOR,
  PACER_REPORT,
  PACER_SET_LIMIT,
  PACER_SET_MARGIN,
  PACER_SET_PERCENTILE,
  PACER_SET_SAVING,
  PACER_SET_VARIABLE_REFRESH,
} from "./calls.js";
import { finite, objectOf, refuse } from "./errors.js";
import { Handle, held } from "./handle.js";
import { type Refresh, putTime } from "./present.js";
import { type Ratio, type Time, milliseconds, parts, rate, split } from "./time.js";
import { wasm } from "./display_wasm.js";
import { NONE } from "./wasm.js";
import { check } from "./status.js";

/** Options of a pacer. */
export interface PacerOptions {
  /** The percentage of frames planned to be in time; 100 unless set. */
  readonly percentile?: number;
  /** How long before its refresh a frame is planned to be ready; 1 ms unless set. */
  readonly margin?: Time;
  /** For a display that waits for the frame (variable refresh): the interval between frames less the display's shortest interval. */
  readonly variableRefresh?: Time;
  /** The most frames a second. */
  readonly limit?: Ratio;
  /** Saves power: the most frames a second, each shown for the same number of refreshes. */
  readonly saving?: Ratio;
}

/** A rate, or `undefined` for none. */
const orNone = (limit: Ratio | undefined): [number, number] => (limit === undefined ? [0, 1] : rate(limit, "the limit"));

/** When to begin a frame, and the refresh for which it is planned. Times are milliseconds. It is the same object each time. */
export class FramePlan {
  /** When to begin reading input, simulating and drawing. */
  readonly begin: number = 0;
  /** The refresh for which the frame should be ready; `undefined` if no display is known. */
  readonly shown: number | undefined = undefined;
  /** When the plan was requested. */
  readonly asked: number = 0;
  /** The time between refreshes; 0 if no display is known. */
  readonly period: number = 0;
  readonly #owner: Handle;

  /** @internal */
  constructor(owner: Handle) {
    this.#owner = owner;
  }

  /** @internal */
  read(): this {
    const at = (slot: number) => milliseconds(Number(wasm.integerAt(slot)));
    const plan = this as { -readonly [Name in keyof this]: this[Name] };
    plan.begin = at(0);
    plan.shown = wasm.integerAt(1) < 0n ? undefined : at(1);
    plan.asked = at(2);
    plan.period = at(3);
    return this;
  }

  /** The plan exactly, in nanoseconds; `shown` is -1 if no display is known. */
  get exact(): { readonly begin: bigint; readonly shown: bigint; readonly asked: bigint; readonly period: bigint } {
    wasm.call(held(this.#owner), PACER_PLANNED);
    return { begin: wasm.integerAt(0), shown: wasm.integerAt(1), asked: wasm.integerAt(2), period: wasm.integerAt(3) };
  }
}

/** The latency that pacing saved and the refreshes that frames missed, compared with a program that begins each frame at the refresh before its own. */
export interface PacerReport {
  /** The number of finished frames. */
  readonly frames: number;
  /** The sum of their waits, in nanoseconds. */
  readonly waited: bigint;
  /** The number of refreshes that frames missed. */
  readonly missed: number;
  /** The missed refreshes that frames would have met if they had begun at the refresh before. */
  readonly missedByWaiting: number;
  /** By how much the age of frames at their refresh is smaller, summed over all frames, in nanoseconds; negative if it is larger. */
  readonly latencySaved: bigint;
}

/**
 * Decides when to begin the next frame: as late as possible for it to be ready for its refresh. The later the
 * input is read, the lower is its latency.
 */
export class Pacer extends Handle {
  readonly #plan: FramePlan;

  constructor(options: PacerOptions = {}) {
    objectOf(options, "the options");
    super(wasm, OBJECTS_PACER);
    this.#plan = new FramePlan(this);
    try {
      if (options.percentile !== undefined) this.setPercentile(options.percentile);
      if (options.margin !== undefined) this.setMargin(options.margin);
      if (options.variableRefresh !== undefined) this.setVariableRefresh(options.variableRefresh);
      if (options.limit !== undefined) this.setLimit(options.limit);
      if (options.saving !== undefined) this.setSaving(options.saving);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Sets the percentage of frames planned to be in time. */
  setPercentile(percent: number): void {
    const object = held(this);
    if (finite(percent, "the percentile") < 0 || percent > 100) refuse("Range", "the percentile", percent, "from 0 to 100");
    check(wasm.call(object, PACER_SET_PERCENTILE, percent), "Pacer.setPercentile");
  }

  /** Sets how long before its refresh a frame is planned to be ready. */
  setMargin(margin: Time): void {
    check(wasm.timed(held(this), PACER_SET_MARGIN, margin, "the margin"), "Pacer.setMargin");
  }

  /** Plans for a display that waits for the frame (variable refresh). 0.3 ms is usual. */
  setVariableRefresh(margin: Time): void {
    check(wasm.timed(held(this), PACER_SET_VARIABLE_REFRESH, margin, "the margin"), "Pacer.setVariableRefresh");
  }

  /** Sets the most frames a second; `undefined` for no limit. */
  setLimit(limit: Ratio | undefined): void {
    check(wasm.call(held(this), PACER_SET_LIMIT, ...orNone(limit)), "Pacer.setLimit");
  }

  /** Saves power: limits the frames a second, and shows each for the same number of refreshes; `undefined` for no limit. */
  setSaving(most: Ratio | undefined): void {
    check(wasm.call(held(this), PACER_SET_SAVING, ...orNone(most)), "Pacer.setSaving");
  }

  /** Plans the next frame. `next` is the next refresh of the display; leave it out if no display is known. */
  nextFrame(now: Time, next?: Refresh): FramePlan {
    const object = held(this);
    if (next !== undefined) {
      objectOf(next, "the refresh");
      putTime(0, next.at, "the refresh");
      putTime(2, next.period, "the period");
    }
    split(next?.uncertainty ?? 0, "the uncertainty");
    const { millis, nanos } = parts;
    check(wasm.timed(object, next === undefined ? PACER_PLAN : PACER_PLAN_FOR, now, "now", millis, nanos), "Pacer.nextFrame");
    return this.#plan.read();
  }

  /** Records that the frame planned last is ready: drawn and submitted. */
  finish(ready: Time): void {
    const status = wasm.timed(held(this), PACER_FINISH, ready, "the time");
    check(status, "Pacer.finish", "call nextFrame first, once for each frame");
  }

  /** The cost of a frame for which the pacer plans, in nanoseconds; `undefined` before eight frames are finished. */
  get cost(): bigint | undefined {
    return wasm.call(held(this), PACER_COST) === NONE ? undefined : wasm.integerAt(0);
  }

  /** The latency that pacing saved and the refreshes that frames missed. */
  report(): PacerReport {
    wasm.call(held(this), PACER_REPORT);
    return {
      frames: Number(wasm.integerAt(0)),
      waited: wasm.integerAt(1),
      missed: Number(wasm.integerAt(2)),
      missedByWaiting: Number(wasm.integerAt(3)),
      latencySaved: wasm.integerAt(4),
    };
  }
}
