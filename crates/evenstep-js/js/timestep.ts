// The accumulator: times of frames go in, equal steps come out.

import { check, whole } from "./errors.js";
import { type ExactTime, exactAt } from "./exact.js";
import { FilteredClock } from "./filter.js";
import { Frame } from "./frame.js";
import { RawTimestep } from "./generated/steps/bindings.js";
import { Handle, held } from "./handle.js";
import { type ClockOptions, type Overrun, setOverrun } from "./settings.js";
import { type Ratio, type Time, milliseconds, nanoseconds, parts, rate, ratio, split } from "./time.js";

/** What can be set from the beginning. */
export interface TimestepOptions extends ClockOptions {
  /** The most steps in a frame; follows from `maxDelta` unless set. */
  readonly maxSteps?: number;
  /** Runs one step ahead, so that what is blended is the present. */
  readonly lookahead?: boolean;
}

function create(value: Ratio): RawTimestep {
  const [numer, denom] = rate(value, "the rate");
  return RawTimestep.create(numer, denom)!;
}

/**
 * A fixed timestep. Tell it the time of each frame; it answers with equal steps, as many as are due, and with where to draw
 * between the last two.
 */
export class FixedTimestep extends Handle {
  readonly #raw: RawTimestep;
  readonly #slots: number;
  #clock: FilteredClock | undefined;
  readonly #frame: Frame;

  /** With so many steps a second. */
  constructor(steps: Ratio, options: TimestepOptions = {}) {
    const raw = create(steps);
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
    this.#frame = new Frame(this, this.#slots);
    try {
      if (options.filter !== undefined) this.#clock = new FilteredClock(options.filter);
      if (options.maxDelta !== undefined) this.setMaxDelta(options.maxDelta);
      if (options.maxSteps !== undefined) this.setMaxSteps(options.maxSteps);
      if (options.overrun !== undefined) this.setOverrun(options.overrun);
      if (options.timeScale !== undefined) this.setTimeScale(options.timeScale);
      if (options.lookahead) check(raw.set_lookahead(), "lookahead");
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #open(): RawTimestep {
    held(this);
    return this.#raw;
  }

  /**
   * Takes the time of a frame and answers with what to do, in the same object each time. The first frame sets the clock's
   * beginning and has no step. Throws if the time is earlier than that of the last frame.
   */
  beginFrame(now: Time): Frame {
    const raw = this.#open();
    if (this.#clock !== undefined) this.#clock.beginFrame(raw, now, "FixedTimestep.beginFrame");
    else {
      split(now, "now");
      check(raw.begin_frame(parts.millis, parts.nanos), "FixedTimestep.beginFrame");
    }
    return this.#frame.read(this.#slots);
  }

  /** Takes the time since the last frame instead. Prefer `beginFrame`: rounded differences add up. */
  advance(delta: Time): Frame {
    const raw = this.#open();
    if (this.#clock !== undefined) this.#clock.advance(raw, delta, "FixedTimestep.advance");
    else {
      split(delta, "delta");
      check(raw.advance(parts.millis, parts.nanos), "FixedTimestep.advance", "all deltas exceed 292 years");
    }
    return this.#frame.read(this.#slots);
  }

  /**
   * Takes back the last `unrun` steps of the last frame, which there was no time to run. To stop before a step, and not run it,
   * that is `frame.tick - step.tick`.
   */
  giveBack(unrun: number): Frame {
    const raw = this.#open();
    whole(unrun, "unrun", 0, 0xffff_ffff);
    check(raw.give_back(unrun), "FixedTimestep.giveBack", "the last frame has fewer steps, or there was none yet");
    return this.#frame.read(this.#slots);
  }

  /** How fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    check(this.#open().set_time_scale(...ratio(scale, "the time scale")), "FixedTimestep.setTimeScale");
  }

  /** The longest time between two frames that is believed; 250 ms unless set. */
  setMaxDelta(delta: Time): void {
    check(this.#open().set_max_delta(nanoseconds(delta, "the longest delta")), "FixedTimestep.setMaxDelta");
  }

  /** The most steps in a frame; `undefined` lets it follow from the longest delta. */
  setMaxSteps(steps: number | undefined): void {
    const raw = this.#open();
    raw.set_max_steps(steps === undefined ? undefined : whole(steps, "the most steps", 0, 0xffff_ffff));
  }

  /** The most steps in a frame. */
  get maxSteps(): number {
    return this.#open().max_steps();
  }

  /** What happens to steps that do not fit into a frame. */
  setOverrun(overrun: Overrun): void {
    setOverrun(this.#open(), overrun);
  }

  /** Grants a step with the next frame that no time pays for: to go on step by step while the time scale is 0. */
  stepOnce(): void {
    this.#open().step_once();
  }

  /** Begins a known pause, such as of a hidden page. Its time does not reach the simulation. */
  suspend(): void {
    this.#open().suspend();
  }

  /** Ends a known pause. The time until the next frame is its last. */
  resume(): void {
    this.#open().resume();
  }

  /** Whether there is a known pause. */
  get isSuspended(): boolean {
    return this.#open().is_suspended();
  }

  /** Lets go of the time behind: for after a loading screen. */
  resync(): void {
    this.#open().resync();
  }

  /** Starts over at tick 0 with the same settings, filters and clock. */
  reset(): void {
    this.#open().reset();
  }

  /** The tick of the next step. */
  get tick(): number {
    return this.#open().tick();
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no time brings one. */
  get untilNextStep(): number | undefined {
    const nanos = this.#open().until_next_step();
    return nanos === undefined ? undefined : milliseconds(nanos);
  }

  /** Milliseconds between the last two frames, before filters. */
  get delta(): number {
    return milliseconds(this.#open().delta());
  }

  #exact(which: number, name: string): ExactTime {
    check(this.#open().exact(which), `FixedTimestep.${name}`, "there was no frame yet");
    return exactAt(this.#slots + 11);
  }

  /** Simulated time that has arrived and is not stepped yet, after the last frame. */
  get overstep(): ExactTime {
    return this.#exact(0, "overstep");
  }

  /** The simulated time of the newest state. */
  get currentTime(): ExactTime {
    return this.#exact(1, "currentTime");
  }

  /** The simulated time that the picture shows, blended at alpha. */
  get drawnTime(): ExactTime {
    return this.#exact(2, "drawnTime");
  }

  /** The simulated time that the picture shows where it is extrapolated. */
  get extrapolatedTime(): ExactTime {
    return this.#exact(3, "extrapolatedTime");
  }

  /** Simulated time that the last frame rounded away. */
  get rounded(): ExactTime {
    return this.#exact(4, "rounded");
  }
}
