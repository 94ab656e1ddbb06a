// evenstep/stats: statistics of the last frames.

import { fail, finite, refuse } from "./errors.js";
import { type FixedTimestep, timestepOf } from "./timestep.js";

/** Statistics of the last 240 frames. Times are in milliseconds. */
export interface FrameReport {
  /** The number of frames recorded in all, including frames before the window. */
  readonly frames: number;
  /** The number of frames of the window with 0, 1, 2, … steps; the last element counts frames with seven or more. */
  readonly stepsPerFrame: readonly number[];
  /** The smallest, mean and largest alpha of the window; these and all fields below are zero before the first frame. */
  readonly alpha: { readonly least: number; readonly mean: number; readonly largest: number };
  /** The median frame time, its 99th percentile, and the longest. */
  readonly frameTime: { readonly median: number; readonly p99: number; readonly longest: number };
  /** Nanoseconds of real time that were clamped. */
  readonly clamped: bigint;
  /** Nanoseconds of known pauses. */
  readonly paused: bigint;
  /** The number of steps that were dropped. */
  readonly dropped: number;
  /** The animation error: the root mean square of the difference between the advance of drawn simulated time and the frame time. */
  readonly animationError: number;
}

const WINDOW = 240;

interface Sample {
  readonly delta: number;
  readonly steps: number;
  readonly alpha: number;
  readonly clamped: bigint;
  readonly paused: bigint;
  readonly dropped: bigint;
  /** In seconds; `undefined` in a pause. */
  readonly animationError: number | undefined;
}

/** Statistics of the last 240 frames. */
export class FrameStats {
  readonly #samples: Sample[] = [];
  #frames = 0;
  /** The simulated time that the last frame drew, in seconds. */
  #lastDrawn: number | undefined;
  #recorded = -1;

  /** Records the timestep's last frame: once a frame, after steps were given back. */
  record(timestep: FixedTimestep): void {
    const { clock, hasBegun } = timestepOf(timestep);
    if (!hasBegun || this.#recorded === clock.frames) {
      fail("Order", "FrameStats.record", "call it once a frame, after the timestep's beginFrame");
    }
    this.#recorded = clock.frames;
    const { speed, frame } = timestep;
    const { steps, alpha } = frame;
    const { clamped, paused, dropped } = frame.lost;
    const drawn = timestep.tick > 0 ? timestep.drawnTime.toSeconds() : undefined;
    let animationError: number | undefined;
    if (drawn !== undefined && this.#lastDrawn !== undefined && paused === 0n && speed > 0) {
      const shown = drawn - this.#lastDrawn;
      if (shown >= 0) animationError = shown - (Number(clock.delta) / 1e9) * speed;
    }
    this.#lastDrawn = drawn;
    this.#samples[this.#frames++ % WINDOW] = {
      delta: clock.delta,
      steps,
      alpha,
      clamped,
      paused,
      dropped: BigInt(dropped),
      animationError,
    };
  }

  /** A percentile of the last frame times, in milliseconds; `undefined` before the first frame. */
  frameTime(percent: number): number | undefined {
    if (finite(percent, "percent") < 0 || percent > 100) refuse("Range", "percent", percent, "from 0 to 100");
    const sorted = this.#samples.map((sample) => Number(sample.delta)).sort((one, other) => one - other);
    const rank = Math.trunc((percent / 100) * sorted.length + (1 - 1e-9));
    const nanos = sorted[Math.max(rank - 1, 0)];
    return nanos === undefined ? undefined : nanos / 1e6;
  }

  /** All statistics. It sorts the frame times, so call it only when the report is shown. */
  report(): FrameReport {
    const samples = this.#samples;
    const stepsPerFrame = new Array<number>(8).fill(0);
    for (const { steps } of samples) stepsPerFrame[Math.min(steps, 7)]!++;
    const alphas = samples.map((sample) => sample.alpha);
    const sum = (name: "clamped" | "paused" | "dropped") => samples.reduce((sum, sample) => sum + sample[name], 0n);
    const squares = samples.flatMap(({ animationError: error }) => (error === undefined ? [] : [error * error]));
    const mean = (numbers: number[]) => (numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
    return {
      frames: this.#frames,
      stepsPerFrame,
      alpha: { least: samples.length > 0 ? Math.min(...alphas) : 0, mean: mean(alphas), largest: Math.max(0, ...alphas) },
      frameTime: { median: this.frameTime(50) ?? 0, p99: this.frameTime(99) ?? 0, longest: this.frameTime(100) ?? 0 },
      clamped: sum("clamped"),
      paused: sum("paused"),
      dropped: Number(sum("dropped")),
      animationError: Math.sqrt(mean(squares)) * 1000,
    };
  }
}
