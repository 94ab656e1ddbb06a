// The fixed timestep: it takes frame times and grants equal steps.

import { Accumulator, DEFAULT_MAX_DELTA, type Nanos, type Policy, atLeastNormal } from "./accumulator.js";
import { fail, objectOf, refuse, whole } from "./errors.js";
import type { ExactTime } from "./exact.js";
import { type DeltaFilter, type Following, FrameClock } from "./filter.js";
import { Frame } from "./frame.js";
import { type Ratio, type Time, nanoseconds, rate, ratio } from "./time.js";

/**
 * The policy for steps that do not fit into a frame. `"drop"` drops them. `carry` keeps them, up to a simulated time, and grants them in
 * later frames. `stretch` keeps them, and lets simulated time run faster by at most a factor.
 */
export type Overrun = "drop" | { readonly carry: Time } | { readonly stretch: Ratio };

/** Converts an overrun policy for the accumulator. */
function policy(overrun: Overrun): Policy {
  const keeps = { maxDelta: undefined, maxBacklog: 1n << 64n, speed: undefined };
  if (overrun === "drop") return { ...keeps, maxDelta: DEFAULT_MAX_DELTA, maxBacklog: 0n };
  if (typeof overrun === "object" && overrun !== null) {
    if ("carry" in overrun) return { ...keeps, maxBacklog: nanoseconds(overrun.carry, "carry") };
    if ("stretch" in overrun) return { ...keeps, speed: atLeastNormal(ratio(overrun.stretch, "stretch")) };
  }
  refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
}

/** Options of the constructor. */
export interface TimestepOptions {
  /** Smooths frame times: a `DisplayClock`, or your own filter. A filter serves only one timestep. */
  readonly filter?: DeltaFilter;
  /** Takes the time from a clock that follows a song or the display, a `PlaybackClock` or a `RefreshClock`; a clock serves only one timestep.
   * A pause of the clock is one of the timestep. Push events at the clock's `timeAt`. */
  readonly clock?: Following;
  /** The longest accepted time between two frames. Unless set, it is 250 ms where time that does not fit is dropped, and has no limit where
   * it is kept. */
  readonly maxDelta?: Time;
  /** The policy for steps that do not fit into a frame; they are dropped unless set. */
  readonly overrun?: Overrun;
  /** How fast simulated time runs; 1 unless set. */
  readonly timeScale?: Ratio;
  /** The most steps in a frame; unless set, as many as fit into `maxDelta`, or into 250 ms if that is not set. */
  readonly maxSteps?: number;
  /** Runs the simulation one step ahead, so that the blended state is the present. */
  readonly lookahead?: boolean;
}

/**
 * A fixed timestep. Pass it the time of each frame; it returns the equal steps that are due, and where to draw between the last two
 * states.
 */
export class FixedTimestep {
  /** @internal */
  readonly accumulator: Accumulator;
  /** @internal */
  readonly clock: FrameClock;
  /** @internal Whether there was a frame since the beginning or the last reset. */
  hasBegun = false;
  readonly #frame: Frame;

  /** A timestep with a rate in steps a second. */
  constructor(steps: Ratio, options: TimestepOptions = {}) {
    objectOf(options, "the options");
    this.accumulator = new Accumulator(rate(steps, "the rate"));
    this.clock = new FrameClock(options.filter, options.clock);
    this.#frame = new Frame(this.accumulator);
    if (options.maxDelta !== undefined) this.setMaxDelta(options.maxDelta);
    if (options.maxSteps !== undefined) this.setMaxSteps(options.maxSteps);
    if (options.overrun !== undefined) this.setOverrun(options.overrun);
    if (options.timeScale !== undefined) this.setTimeScale(options.timeScale);
    if (options.lookahead) this.accumulator.lookAhead();
  }

  /**
   * Begins a frame at a time and returns its plan, the same object each time. The first frame sets time zero and has no step. If the clock
   * goes back, time stands still until it has caught up, and `backwardFrames` counts these frames.
   */
  beginFrame(now: Time): Frame {
    return this.#grant(this.clock.begin(now));
  }

  /** The number of frames whose time was before an earlier frame's. Browsers round times, so now and then there is one; if it grows in
   * each frame, the clock was set back, or times are from two clocks. */
  get backwardFrames(): number {
    return this.clock.backwardFrames;
  }

  /** Begins a frame this long after the last one. Prefer `beginFrame`: rounding errors of differences add up. */
  advance(delta: Time): Frame {
    return this.#grant(this.clock.advance(delta, "FixedTimestep.advance"));
  }

  #grant(delta: Nanos): Frame {
    this.accumulator.advance(delta);
    this.hasBegun = true;
    return this.#frame.read(this.accumulator);
  }

  /**
   * Takes back the last `unrun` steps of the last frame, for which the program had no time. To stop before a step, without running it,
   * `unrun` is `frame.tick - step.tick`.
   */
  giveBack(unrun: number): Frame {
    const why = "the last frame has fewer steps, or there was none yet";
    whole(unrun, "unrun", 0, 0xffff_ffff);
    if (!this.hasBegun) fail("Order", "FixedTimestep.giveBack", why);
    if (unrun > this.accumulator.count) fail("Range", "FixedTimestep.giveBack", why);
    this.accumulator.giveBack(unrun);
    return this.#frame.read(this.accumulator);
  }

  /** Sets how fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    this.accumulator.setScale(ratio(scale, "the time scale"));
  }

  /** Sets the longest accepted time between two frames. Unless set, it is 250 ms where time that does not fit is dropped, and has no limit
   * where it is kept. */
  setMaxDelta(delta: Time): void {
    this.accumulator.setMaxDelta(nanoseconds(delta, "the longest delta"));
  }

  /** Sets the most steps in a frame; `undefined` for as many as fit into the longest accepted time if that is set, or into 250 ms. */
  setMaxSteps(steps: number | undefined): void {
    this.accumulator.setMaxSteps(steps === undefined ? undefined : whole(steps, "the most steps", 0, 0xffff_ffff));
  }

  /** Sets the policy for steps that do not fit into a frame. */
  setOverrun(overrun: Overrun): void {
    this.accumulator.setOverrun(policy(overrun));
  }

  /** Grants one more step in the next frame without using up any time: to go on step by step in a pause. */
  stepOnce(): void {
    this.accumulator.stepOnce();
  }

  /** Begins a known pause, such as of a hidden page, at the next `beginFrame`: the steps of the present frame still run. Its time does not
   * reach the simulation. */
  pause(): void {
    this.accumulator.pause();
  }

  /** Ends a known pause. The time until the next frame is its last. Steps that were kept back before it are run. */
  resume(): void {
    this.accumulator.resume();
  }

  /** Ends a known pause and drops the steps that were kept back before it. Without a pause, for a load that was noticed too late: the time
   * until the next frame counts as paused. */
  resumeDropping(): void {
    this.accumulator.resumeDropping();
  }

  /** Whether there is a known pause. */
  get isPaused(): boolean {
    return this.accumulator.isPaused;
  }

  /** Starts over at tick 0 with the same settings, filters and clock. To remove events that have not been presented yet, call
   * `retractFrom(0)` of their queue. */
  reset(): void {
    this.accumulator.reset();
    this.hasBegun = false;
  }

  /** The tick of the next step. */
  get tick(): number {
    return this.accumulator.tick;
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no step will become due. Zero after `resume`: the
   * next frame ends the pause, and should begin at once. */
  get untilNextStep(): number | undefined {
    const nanos = this.accumulator.untilNextStep;
    return nanos === undefined ? undefined : Number(nanos) / 1e6;
  }

  #exact(name: "overstep" | "drawnTime"): ExactTime {
    if (!this.hasBegun) fail("Order", `FixedTimestep.${name}`, "there was no frame yet");
    return this.accumulator[name];
  }

  /** Simulated time that has arrived and has not been stepped yet, after the last frame. */
  get overstep(): ExactTime {
    return this.#exact("overstep");
  }

  /** The simulated time that the frame shows, blended at alpha. */
  get drawnTime(): ExactTime {
    return this.#exact("drawnTime");
  }
}

/** A timestep that a program has passed; throws if it is none. */
export const timestepOf = (timestep: FixedTimestep): FixedTimestep =>
  timestep instanceof FixedTimestep ? timestep : refuse("Type", "the timestep", timestep, "a FixedTimestep");
