// How the last frames went.

import { check, finite, refuse } from "./errors.js";
import { RawStats, type RawTimestep } from "./generated/steps/bindings.js";
import { Handle, held } from "./handle.js";
import { milliseconds } from "./time.js";
import { FixedTimestep } from "./timestep.js";
import { memory } from "./steps_memory.js";

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
  /** By how much pictures moved on more, or less, than the time at which they were seen: root of the mean square. */
  readonly animationError: number;
}

/** Statistics of the last 240 frames. */
export class FrameStats extends Handle {
  readonly #raw: RawStats;
  readonly #slots: number;

  constructor() {
    const raw = RawStats.create();
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
  }

  #open(): RawStats {
    held(this);
    return this.#raw;
  }

  /** Records the timestep's last frame: once a frame, after steps were given back. */
  record(timestep: FixedTimestep): void {
    const why = "call it once a frame, after the timestep's beginFrame";
    check(this.#open().record(held<RawTimestep>(timestep, FixedTimestep)), "FrameStats.record", why);
  }

  /** Milliseconds that so many percent of the last frames do not exceed; `undefined` before the first frame. */
  frameTime(percent: number): number | undefined {
    const raw = this.#open();
    if (finite(percent, "percent") < 0 || percent > 100) refuse("Range", "percent", percent, "from 0 to 100");
    const nanos = raw.frame_time(percent);
    return nanos === undefined ? undefined : milliseconds(nanos);
  }

  /** All of it. It sorts the frames: call it as often as somebody reads it. */
  report(): FrameReport {
    this.#open().report();
    const at = (slot: number) => memory.numbers[this.#slots + slot]!;
    const integer = (slot: number) => memory.integers[this.#slots + slot]!;
    return {
      frames: at(0),
      stepsPerFrame: Array.from({ length: 8 }, (_, steps) => at(9 + steps)),
      alpha: { least: at(1), mean: at(2), largest: at(3) },
      frameTime: { median: milliseconds(at(4)), p99: milliseconds(at(5)), longest: milliseconds(at(6)) },
      clamped: integer(17),
      suspended: integer(18),
      dropped: at(7),
      animationError: at(8) * 1000,
    };
  }
}
