// Several rates, stepped from one clock in one order.

import {
  OBJECTS_SCHEDULE,
  SCHEDULE_ADD,
  SCHEDULE_ADVANCE,
  SCHEDULE_ADVANCE_GIVEN,
  SCHEDULE_ALPHA,
  SCHEDULE_BEGIN_FRAME,
  SCHEDULE_DROP,
  SCHEDULE_IS_BEHIND,
  SCHEDULE_LOST,
  SCHEDULE_NEXT_STEP,
  SCHEDULE_NOW,
  SCHEDULE_REFUSE,
  SCHEDULE_RESET,
  SCHEDULE_RESUME,
  SCHEDULE_SET_MAX_ADVANCE,
  SCHEDULE_SET_MAX_BEHIND,
  SCHEDULE_SET_MAX_DELTA,
  SCHEDULE_SET_SLEW,
  SCHEDULE_SET_TIME_SCALE,
  SCHEDULE_SUSPEND,
  SCHEDULE_TICK,
  SCHEDULE_UNTIL_NEXT_STEP,
} from "./calls.js";
import { TOO_LONG, check, objectOf, whole } from "./errors.js";
import { type ExactTime, exactAt } from "./exact.js";
import { FilteredClock } from "./filter.js";
import { Handle, held } from "./handle.js";
import { type ClockOptions, type Overrun, setOverrun, untilNextStep } from "./settings.js";
import { type Ratio, type Time, parts, rate, ratio, split } from "./time.js";
import { wasm } from "./steps_wasm.js";
import { NONE } from "./wasm.js";

/** What can be set from the beginning. */
export interface ScheduleOptions extends ClockOptions {
  /** How long the oldest step that is due may wait, in simulated time; 250 ms unless set. */
  readonly maxBehind?: Time;
  /** The most simulated time that arrives in a frame; unlimited unless set. */
  readonly maxAdvance?: Time;
}

/** A step of a task. */
export interface TaskStep {
  /** The task. */
  readonly task: number;
  /** The step's tick. */
  readonly tick: number;
  /** Its length in seconds. */
  readonly dt: number;
}

/** What a frame of a schedule gave up, exactly. */
export interface ScheduleLost {
  /** Nanoseconds that were cut off because too much time had passed. */
  readonly clamped: bigint;
  /** Nanoseconds of a known pause. */
  readonly suspended: bigint;
  /** Simulated time that no task will step. */
  readonly dropped: ExactTime;
  /** Simulated time that was rounded away, where the speed changed. */
  readonly rounded: ExactTime;
}

const calls = { begin: SCHEDULE_BEGIN_FRAME, given: SCHEDULE_ADVANCE_GIVEN };

/**
 * Tasks at rates of their own, such as physics at 120 Hz and decisions at 10 Hz. Their steps come in the order in which they
 * end; where several end at once, in the order in which the tasks were added.
 */
export class Schedule extends Handle implements Iterable<TaskStep> {
  #clock: FilteredClock | undefined;
  readonly #steps: { task: number; tick: number; dt: number }[] = [];
  #ran = 0;

  constructor(options: ScheduleOptions = {}) {
    objectOf(options, "the options");
    super(wasm, OBJECTS_SCHEDULE);
    try {
      if (options.filter !== undefined) this.#clock = new FilteredClock(options.filter);
      if (options.maxDelta !== undefined) this.setMaxDelta(options.maxDelta);
      if (options.maxBehind !== undefined) this.setMaxBehind(options.maxBehind);
      if (options.maxAdvance !== undefined) this.setMaxAdvance(options.maxAdvance);
      if (options.overrun !== undefined) this.setOverrun(options.overrun);
      if (options.timeScale !== undefined) this.setTimeScale(options.timeScale);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #do(what: number, a?: number): void {
    check(wasm.call(held(this), what, a), "Schedule");
  }

  #set(what: number, time: Time, name: string, method: string): void {
    check(wasm.timed(held(this), what, time, name), method);
  }

  /** Adds a task with a rate in steps a second, which end `phase` later than they would. Answers with its number: 0, 1, 2 …. */
  add(steps: Ratio, phase: Time = 0): number {
    const object = held(this);
    const [numer, denom] = rate(steps, "the rate");
    split(phase, "the phase");
    check(wasm.call(object, SCHEDULE_ADD, numer, denom, parts.millis, parts.nanos), "Schedule.add", "there are 1024 tasks already");
    return wasm.numberAt(0);
  }

  /** Takes the time of a frame. Then run its steps: `for (const step of schedule.beginFrame(now))`. */
  beginFrame(now: Time): this {
    const object = held(this);
    if (this.#clock !== undefined) this.#clock.beginFrame(object, calls, now, "Schedule.beginFrame");
    else check(wasm.timed(object, SCHEDULE_BEGIN_FRAME, now, "now"), "Schedule.beginFrame");
    this.#ran = 0;
    return this;
  }

  /** Takes the time since the last frame instead. Prefer `beginFrame`: rounded differences add up. */
  advance(delta: Time): this {
    const object = held(this);
    if (this.#clock !== undefined) this.#clock.advance(object, calls, delta, "Schedule.advance");
    else check(wasm.timed(object, SCHEDULE_ADVANCE, delta, "delta"), "Schedule.advance", TOO_LONG);
    this.#ran = 0;
    return this;
  }

  /**
   * The next step that is due; `undefined` when all have run. Run it before you ask for the next. Steps that were not asked for
   * stay due.
   */
  nextStep(): TaskStep | undefined {
    if (wasm.call(held(this), SCHEDULE_NEXT_STEP) === NONE) return undefined;
    const step = (this.#steps[this.#ran++] ??= { task: 0, tick: 0, dt: 0 });
    step.task = wasm.numberAt(0);
    step.tick = wasm.numberAt(1);
    step.dt = wasm.numberAt(2);
    return step;
  }

  /** The steps that are due. */
  *[Symbol.iterator](): Generator<TaskStep, undefined> {
    for (let step = this.nextStep(); step !== undefined; step = this.nextStep()) yield step;
    return undefined;
  }

  /** Takes back the step that came last: it stays due, and comes again first. */
  refuse(): void {
    check(wasm.call(held(this), SCHEDULE_REFUSE), "Schedule.refuse", "no step has come since the frame began");
  }

  /** What the last frame gave up. */
  get lost(): ScheduleLost {
    this.#do(SCHEDULE_LOST);
    return { clamped: wasm.integerAt(10), suspended: wasm.integerAt(11), dropped: exactAt(0), rounded: exactAt(5) };
  }

  #ofTask(task: number, what: number, name: string): number {
    check(wasm.call(held(this), what, whole(task, "the task", 0, 1023)), `Schedule.${name}`, `there is no task ${task}`);
    return wasm.numberAt(0);
  }

  /** Where to draw a task between its previous state (0) and its current one. */
  alpha(task: number): number {
    return this.#ofTask(task, SCHEDULE_ALPHA, "alpha");
  }

  /** The tick of a task's next step. */
  tick(task: number): number {
    return this.#ofTask(task, SCHEDULE_TICK, "tick");
  }

  /** The simulated time that has arrived. */
  get now(): ExactTime {
    this.#do(SCHEDULE_NOW);
    return exactAt(0);
  }

  /** Whether time is kept back for later frames. */
  get isBehind(): boolean {
    this.#do(SCHEDULE_IS_BEHIND);
    return wasm.numberAt(0) !== 0;
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no time brings one. Zero after `resume` or `resync`: the
   * next frame ends the pause, and should come at once. */
  get untilNextStep(): number | undefined {
    return untilNextStep(held(this), SCHEDULE_UNTIL_NEXT_STEP);
  }

  /** The longest time between two frames that is believed; 250 ms unless set. */
  setMaxDelta(delta: Time): void {
    this.#set(SCHEDULE_SET_MAX_DELTA, delta, "the longest delta", "Schedule.setMaxDelta");
  }

  /** How long the oldest step that is due may wait, in simulated time. Time beyond that follows the overrun policy. */
  setMaxBehind(time: Time): void {
    this.#set(SCHEDULE_SET_MAX_BEHIND, time, "the longest wait", "Schedule.setMaxBehind");
  }

  /** The most simulated time that arrives in a frame. */
  setMaxAdvance(time: Time): void {
    this.#set(SCHEDULE_SET_MAX_ADVANCE, time, "the most time", "Schedule.setMaxAdvance");
  }

  /** What happens to time that does not fit. */
  setOverrun(overrun: Overrun): void {
    setOverrun(held(this), SCHEDULE_DROP, overrun);
  }

  /** How fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    check(wasm.call(held(this), SCHEDULE_SET_TIME_SCALE, ...ratio(scale, "the time scale")), "Schedule.setTimeScale");
  }

  /** Lets simulated time run faster by this many thousandths, from -100 to 100: to fall in step with another machine. */
  setSlew(thousandths: number): void {
    this.#do(SCHEDULE_SET_SLEW, whole(thousandths, "the slew", -100, 100));
  }

  /** Begins a known pause. Steps that are due stay due. */
  suspend(): void {
    this.#do(SCHEDULE_SUSPEND);
  }

  /** Ends a known pause. The time until the next frame is its last. */
  resume(): void {
    this.#do(SCHEDULE_RESUME);
  }

  /** Starts over at time zero with the same tasks, settings and clock. */
  reset(): void {
    this.#do(SCHEDULE_RESET);
  }
}
