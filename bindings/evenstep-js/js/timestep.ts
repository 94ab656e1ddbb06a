// The accumulator: times of frames go in, equal steps come out.

import {
  OBJECTS_TIMESTEP,
  TIMESTEP_ADVANCE,
  TIMESTEP_ADVANCE_GIVEN,
  TIMESTEP_BEGIN_FRAME,
  TIMESTEP_DELTA,
  TIMESTEP_DROP,
  TIMESTEP_EXACT,
  TIMESTEP_GIVE_BACK,
  TIMESTEP_IS_SUSPENDED,
  TIMESTEP_MAX_STEPS,
  TIMESTEP_RESET,
  TIMESTEP_RESUME,
  TIMESTEP_RESYNC,
  TIMESTEP_SET_LOOKAHEAD,
  TIMESTEP_SET_MAX_DELTA,
  TIMESTEP_SET_MAX_STEPS,
  TIMESTEP_SET_TIME_SCALE,
  TIMESTEP_STEP_ONCE,
  TIMESTEP_SUSPEND,
  TIMESTEP_TICK,
  TIMESTEP_UNSET_MAX_STEPS,
  TIMESTEP_UNTIL_NEXT_STEP,
} from "./calls.js";
import { TOO_LONG, check, objectOf, whole } from "./errors.js";
import { type ExactTime, exactAt } from "./exact.js";
import { FilteredClock } from "./filter.js";
import { Frame } from "./frame.js";
import { Handle, held } from "./handle.js";
import { type ClockOptions, type Overrun, setOverrun, untilNextStep } from "./settings.js";
import { type Ratio, type Time, milliseconds, rate, ratio } from "./time.js";
import { wasm } from "./steps_wasm.js";

/** What can be set from the beginning. */
export interface TimestepOptions extends ClockOptions {
  /** The most steps in a frame; follows from `maxDelta` unless set. */
  readonly maxSteps?: number;
  /** Runs one step ahead, so that what is blended is the present. */
  readonly lookahead?: boolean;
}

const calls = { begin: TIMESTEP_BEGIN_FRAME, given: TIMESTEP_ADVANCE_GIVEN };

/**
 * A fixed timestep. Tell it the time of each frame; it answers with equal steps, as many as are due, and with where to draw
 * between the last two.
 */
export class FixedTimestep extends Handle {
  #clock: FilteredClock | undefined;
  readonly #frame: Frame;

  /** With a rate in steps a second. */
  constructor(steps: Ratio, options: TimestepOptions = {}) {
    objectOf(options, "the options");
    super(wasm, OBJECTS_TIMESTEP, ...rate(steps, "the rate"));
    this.#frame = new Frame(this);
    try {
      if (options.filter !== undefined) this.#clock = new FilteredClock(options.filter);
      if (options.maxDelta !== undefined) this.setMaxDelta(options.maxDelta);
      if (options.maxSteps !== undefined) this.setMaxSteps(options.maxSteps);
      if (options.overrun !== undefined) this.setOverrun(options.overrun);
      if (options.timeScale !== undefined) this.setTimeScale(options.timeScale);
      if (options.lookahead) this.#do(TIMESTEP_SET_LOOKAHEAD);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #do(what: number): void {
    check(wasm.call(held(this), what), "FixedTimestep");
  }

  #ask(what: number): number {
    wasm.call(held(this), what);
    return wasm.numberAt(0);
  }

  /**
   * Takes the time of a frame and answers with what to do, in the same object each time. The first frame sets the clock's
   * beginning and has no step. A time that is up to a second earlier than that of the last frame, as browsers may tell, counts as the
   * last frame's. Throws if it is earlier by more.
   */
  beginFrame(now: Time): Frame {
    const object = held(this);
    if (this.#clock !== undefined) this.#clock.beginFrame(object, calls, now, "FixedTimestep.beginFrame");
    else check(wasm.timed(object, TIMESTEP_BEGIN_FRAME, now, "now"), "FixedTimestep.beginFrame");
    return this.#frame.read();
  }

  /** Takes the time since the last frame instead. Prefer `beginFrame`: rounded differences add up. */
  advance(delta: Time): Frame {
    const object = held(this);
    if (this.#clock !== undefined) this.#clock.advance(object, calls, delta, "FixedTimestep.advance");
    else check(wasm.timed(object, TIMESTEP_ADVANCE, delta, "delta"), "FixedTimestep.advance", TOO_LONG);
    return this.#frame.read();
  }

  /**
   * Takes back the last `unrun` steps of the last frame, which there was no time to run. To stop before a step, and not run it,
   * that is `frame.tick - step.tick`.
   */
  giveBack(unrun: number): Frame {
    const status = wasm.call(held(this), TIMESTEP_GIVE_BACK, whole(unrun, "unrun", 0, 0xffff_ffff));
    check(status, "FixedTimestep.giveBack", "the last frame has fewer steps, or there was none yet");
    return this.#frame.read();
  }

  /** How fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    check(wasm.call(held(this), TIMESTEP_SET_TIME_SCALE, ...ratio(scale, "the time scale")), "FixedTimestep.setTimeScale");
  }

  /** The longest time between two frames that is believed; 250 ms unless set. */
  setMaxDelta(delta: Time): void {
    check(wasm.timed(held(this), TIMESTEP_SET_MAX_DELTA, delta, "the longest delta"), "FixedTimestep.setMaxDelta");
  }

  /** The most steps in a frame; `undefined` lets it follow from the longest delta. */
  setMaxSteps(steps: number | undefined): void {
    const object = held(this);
    if (steps === undefined) wasm.call(object, TIMESTEP_UNSET_MAX_STEPS);
    else wasm.call(object, TIMESTEP_SET_MAX_STEPS, whole(steps, "the most steps", 0, 0xffff_ffff));
  }

  /** The most steps in a frame. */
  get maxSteps(): number {
    return this.#ask(TIMESTEP_MAX_STEPS);
  }

  /** What happens to steps that do not fit into a frame. */
  setOverrun(overrun: Overrun): void {
    setOverrun(held(this), TIMESTEP_DROP, overrun);
  }

  /** Grants a step with the next frame that no time pays for: to go on step by step while the time scale is 0. */
  stepOnce(): void {
    this.#do(TIMESTEP_STEP_ONCE);
  }

  /** Begins a known pause, such as of a hidden page. Its time does not reach the simulation. */
  suspend(): void {
    this.#do(TIMESTEP_SUSPEND);
  }

  /** Ends a known pause. The time until the next frame is its last. */
  resume(): void {
    this.#do(TIMESTEP_RESUME);
  }

  /** Whether there is a known pause. */
  get isSuspended(): boolean {
    return this.#ask(TIMESTEP_IS_SUSPENDED) !== 0;
  }

  /** Lets go of the time behind: for after a loading screen. */
  resync(): void {
    this.#do(TIMESTEP_RESYNC);
  }

  /** Starts over at tick 0 with the same settings, filters and clock. Events that wait to be drawn are taken back by their queue's
   * `retractFrom(0)`. */
  reset(): void {
    this.#do(TIMESTEP_RESET);
  }

  /** The tick of the next step. */
  get tick(): number {
    return this.#ask(TIMESTEP_TICK);
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no time brings one. Zero after `resume` or `resync`: the
   * next frame ends the pause, and should come at once. */
  get untilNextStep(): number | undefined {
    return untilNextStep(held(this), TIMESTEP_UNTIL_NEXT_STEP);
  }

  /** Milliseconds between the last two frames, before filters. */
  get delta(): number {
    return milliseconds(this.#ask(TIMESTEP_DELTA));
  }

  #exact(which: number, name: string): ExactTime {
    check(wasm.call(held(this), TIMESTEP_EXACT, which), `FixedTimestep.${name}`, "there was no frame yet");
    return exactAt(0);
  }

  /** Simulated time that has arrived and is not stepped yet, after the last frame. */
  get overstep(): ExactTime {
    return this.#exact(0, "overstep");
  }

  /** The simulated time of the newest state. */
  get currentTime(): ExactTime {
    return this.#exact(1, "currentTime");
  }

  /** The simulated time that the frame shows, blended at alpha. */
  get drawnTime(): ExactTime {
    return this.#exact(2, "drawnTime");
  }

  /** The simulated time that the frame shows where it is extrapolated. */
  get extrapolatedTime(): ExactTime {
    return this.#exact(3, "extrapolatedTime");
  }

  /** Simulated time that the last frame rounded away. */
  get rounded(): ExactTime {
    return this.#exact(4, "rounded");
  }
}
