// Several rates, stepped from one clock in one order.

import { check, whole } from "./errors.js";
import { type ExactTime, exactAt } from "./exact.js";
import { RawSchedule } from "./generated/steps/bindings.js";
import { FilteredClock } from "./filter.js";
import { Handle, held } from "./handle.js";
import { type ClockOptions, type Overrun, setOverrun } from "./settings.js";
import { type Ratio, type Time, milliseconds, nanoseconds, parts, rate, ratio, split } from "./time.js";
import { memory } from "./steps_memory.js";

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

/**
 * Tasks at rates of their own, such as physics at 120 Hz and decisions at 10 Hz. Their steps come in the order in which they
 * end; where several end at once, in the order in which the tasks were added.
 */
export class Schedule extends Handle implements Iterable<TaskStep> {
  readonly #raw: RawSchedule;
  readonly #slots: number;
  #clock: FilteredClock | undefined;
  readonly #steps: { task: number; tick: number; dt: number }[] = [];
  #ran = 0;

  constructor(options: ScheduleOptions = {}) {
    const raw = RawSchedule.create();
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
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

  #open(): RawSchedule {
    held(this);
    return this.#raw;
  }

  /** Adds a task of so many steps a second, which end `phase` later than they would. Answers with its number: 0, 1, 2 …. */
  add(steps: Ratio, phase: Time = 0): number {
    const raw = this.#open();
    check(raw.add(...rate(steps, "the rate"), nanoseconds(phase, "the phase")), "Schedule.add", "there are 1024 tasks already");
    return memory.numbers[this.#slots]!;
  }

  /** Takes the time of a frame. Then run its steps: `for (const step of schedule.beginFrame(now))`. */
  beginFrame(now: Time): this {
    const raw = this.#open();
    if (this.#clock !== undefined) this.#clock.beginFrame(raw, now, "Schedule.beginFrame");
    else {
      split(now, "now");
      check(raw.begin_frame(parts.millis, parts.nanos), "Schedule.beginFrame");
    }
    this.#ran = 0;
    return this;
  }

  /** Takes the time since the last frame instead. Prefer `beginFrame`: rounded differences add up. */
  advance(delta: Time): this {
    const raw = this.#open();
    if (this.#clock !== undefined) this.#clock.advance(raw, delta, "Schedule.advance");
    else {
      split(delta, "delta");
      check(raw.advance(parts.millis, parts.nanos), "Schedule.advance", "all deltas exceed 292 years");
    }
    this.#ran = 0;
    return this;
  }

  /**
   * The next step that is due; `undefined` when all have run. Run it before you ask for the next. Steps that were not asked for
   * stay due.
   */
  nextStep(): TaskStep | undefined {
    const raw = this.#open();
    if (raw.next_step() !== 0) return undefined;
    const numbers = memory.numbers;
    const step = (this.#steps[this.#ran++] ??= { task: 0, tick: 0, dt: 0 });
    step.task = numbers[this.#slots]!;
    step.tick = numbers[this.#slots + 1]!;
    step.dt = numbers[this.#slots + 2]!;
    return step;
  }

  /** The steps that are due. */
  *[Symbol.iterator](): Generator<TaskStep, undefined> {
    for (let step = this.nextStep(); step !== undefined; step = this.nextStep()) yield step;
    return undefined;
  }

  /** Takes back the step that came last: it stays due, and comes again first. */
  refuse(): void {
    check(this.#open().refuse(), "Schedule.refuse", "no step has come since the frame began");
  }

  /** What the last frame gave up. */
  get lost(): ScheduleLost {
    this.#open();
    const integers = memory.integers;
    const [clamped, suspended] = [integers[this.#slots + 3]!, integers[this.#slots + 4]!];
    return { clamped, suspended, dropped: exactAt(this.#slots + 5), rounded: exactAt(this.#slots + 10) };
  }

  #ofTask(task: number, which: "alpha" | "tick"): number {
    const raw = this.#open();
    whole(task, "the task", 0, 1023);
    check(raw[which](task), `Schedule.${which}`, `there is no task ${task}`);
    return memory.numbers[this.#slots]!;
  }

  /** Where to draw a task between its previous state (0) and its current one. */
  alpha(task: number): number {
    return this.#ofTask(task, "alpha");
  }

  /** The tick of a task's next step. */
  tick(task: number): number {
    return this.#ofTask(task, "tick");
  }

  /** The simulated time that has arrived. */
  get now(): ExactTime {
    this.#open().now();
    return exactAt(this.#slots + 15);
  }

  /** Whether time is kept back for later frames. */
  get isBehind(): boolean {
    return this.#open().is_behind();
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no time brings one. */
  get untilNextStep(): number | undefined {
    const nanos = this.#open().until_next_step();
    return nanos === undefined ? undefined : milliseconds(nanos);
  }

  /** The longest time between two frames that is believed; 250 ms unless set. */
  setMaxDelta(delta: Time): void {
    check(this.#open().set_max_delta(nanoseconds(delta, "the longest delta")), "Schedule.setMaxDelta");
  }

  /** How long the oldest step that is due may wait, in simulated time. Time beyond that follows the overrun policy. */
  setMaxBehind(time: Time): void {
    check(this.#open().set_max_behind(nanoseconds(time, "the longest wait")), "Schedule.setMaxBehind");
  }

  /** The most simulated time that arrives in a frame. */
  setMaxAdvance(time: Time): void {
    check(this.#open().set_max_advance(nanoseconds(time, "the most time")), "Schedule.setMaxAdvance");
  }

  /** What happens to time that does not fit. */
  setOverrun(overrun: Overrun): void {
    setOverrun(this.#open(), overrun);
  }

  /** How fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    check(this.#open().set_time_scale(...ratio(scale, "the time scale")), "Schedule.setTimeScale");
  }

  /** Lets simulated time run faster by so many thousandths, from -100 to 100: to fall in step with another machine. */
  setSlew(thousandths: number): void {
    check(this.#open().set_slew(whole(thousandths, "the slew", -100, 100)), "Schedule.setSlew");
  }

  /** Begins a known pause. Steps that are due stay due. */
  suspend(): void {
    this.#open().suspend();
  }

  /** Ends a known pause. The time until the next frame is its last. */
  resume(): void {
    this.#open().resume();
  }

  /** Starts over at time zero with the same tasks, settings and clock. */
  reset(): void {
    this.#open().reset();
  }
}
