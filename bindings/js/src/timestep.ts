// The fixed timestep: it takes frame times and grants equal steps.

import { Accumulator, type Overrun } from "./accumulator.js";
import { objectOf, refuse } from "./errors.js";
import { type DeltaFilter, type Following, FrameClock } from "./filter.js";
import type { Frame } from "./frame.js";
import { type Ratio, type Time, rate } from "./time.js";

/** Options of the constructor. */
export interface TimestepOptions {
  /** Smooths frame times: a `DisplayClock`, or your own filter. A filter serves only one timestep. */
  readonly filter?: DeltaFilter | null;
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
export class FixedTimestep extends Accumulator {
  /** @internal */
  readonly clock: FrameClock;

  /** A timestep with a rate in steps a second. */
  constructor(steps: Ratio, options: TimestepOptions = {}) {
    const { filter, clock, maxDelta, maxSteps, overrun = "drop", timeScale = 1, lookahead } = objectOf(options, "the options");
    super(rate(steps, "the rate"));
    this.clock = clock ? (clock.frameClock?.(filter) ?? refuse("Type", "the clock", clock, "of evenstep/follow")) : new FrameClock(filter);
    if (maxDelta !== undefined) this.setMaxDelta(maxDelta);
    this.setMaxSteps(maxSteps);
    this.setOverrun(overrun);
    this.setTimeScale(timeScale);
    if (lookahead) this.lookAhead();
  }

  /**
   * Begins a frame at a time and returns its plan, the same object each time. The first frame sets time zero and has no step. If the clock
   * goes back, time stands still until it has caught up, and `backwardFrames` counts these frames.
   */
  beginFrame(now: Time): Frame {
    return this.grant(this.clock.begin(now));
  }

  /** Begins a frame this long after the last one. Prefer `beginFrame`: rounding errors of differences add up. */
  advance(delta: Time): Frame {
    return this.grant(this.clock.advance(delta));
  }

  /** The number of frames whose time was before an earlier frame's. Browsers round times, so now and then there is one; if it grows in
   * each frame, the clock was set back, or times are from two clocks. */
  get backwardFrames(): number {
    return this.clock.backwardFrames;
  }
}

/** A timestep that a program has passed; throws if it is none. */
export const timestepOf = (timestep: FixedTimestep): FixedTimestep =>
  timestep instanceof FixedTimestep ? timestep : refuse("Type", "the timestep", timestep, "a FixedTimestep");
