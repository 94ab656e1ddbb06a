// How the last frames went.

import { OBJECTS_STATS, STATS_FRAME_TIME, STATS_RECORD, STATS_REPORT } from "./calls.js";
import { check, finite, refuse } from "./errors.js";
import { Handle, held } from "./handle.js";
import { milliseconds } from "./time.js";
import { FixedTimestep } from "./timestep.js";
import { wasm } from "./steps_wasm.js";
import { NONE } from "./wasm.js";

/** How the last 240 frames went. Times are in milliseconds. */
export interface FrameReport {
  /** Frames recorded in all, also those that have left the window. */
  readonly frames: number;
  /** How many frames of the window ran 0, 1, 2, … steps; the last number counts those with seven or more. */
  readonly stepsPerFrame: readonly number[];
  /** The least, mean and largest alpha of the window; zero before the first frame, as all that follows. */
  readonly alpha: { readonly least: number; readonly mean: number; readonly largest: number };
  /** The time that half of the frames do not exceed, that 99 % do not exceed, and that of the longest. */
  readonly frameTime: { readonly median: number; readonly p99: number; readonly longest: number };
  /** Nanoseconds of real time that were clamped. */
  readonly clamped: bigint;
  /** Nanoseconds of known pauses. */
  readonly suspended: bigint;
  /** Steps that were dropped. */
  readonly dropped: number;
  /** By how much the advance of shown simulated time differs from the time between presentations: root of the mean square. */
  readonly animationError: number;
}

/** Statistics of the last 240 frames. */
export class FrameStats extends Handle {
  constructor() {
    super(wasm, OBJECTS_STATS);
  }

  /** Records the timestep's last frame: once a frame, after steps were given back. */
  record(timestep: FixedTimestep): void {
    const why = "call it once a frame, after the timestep's beginFrame";
    check(wasm.call(held(this), STATS_RECORD, held(timestep, FixedTimestep)), "FrameStats.record", why);
  }

  /** A percentile of the last frame times, in milliseconds; `undefined` before the first frame. */
  frameTime(percent: number): number | undefined {
    const object = held(this);
    if (finite(percent, "percent") < 0 || percent > 100) refuse("Range", "percent", percent, "from 0 to 100");
    return wasm.call(object, STATS_FRAME_TIME, percent) === NONE ? undefined : milliseconds(wasm.numberAt(0));
  }

  /** All of it. It sorts the frames: call it as often as somebody reads it. */
  report(): FrameReport {
    wasm.call(held(this), STATS_REPORT);
    return {
      frames: wasm.numberAt(0),
      stepsPerFrame: Array.from({ length: 8 }, (_, steps) => wasm.numberAt(9 + steps)),
      alpha: { least: wasm.numberAt(1), mean: wasm.numberAt(2), largest: wasm.numberAt(3) },
      frameTime: { median: milliseconds(wasm.numberAt(4)), p99: milliseconds(wasm.numberAt(5)), longest: milliseconds(wasm.numberAt(6)) },
      clamped: wasm.integerAt(17),
      suspended: wasm.integerAt(18),
      dropped: wasm.numberAt(7),
      animationError: wasm.numberAt(8) * 1000,
    };
  }
}
