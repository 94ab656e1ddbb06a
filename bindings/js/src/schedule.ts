// evenstep/schedule: tasks at different rates, stepped from one clock in one order.

import { BILLION, type Nanos, type Progress, SimClock, type Terms, ceil, least, most, terms } from "./accumulator.js";
import { fail, objectOf, whole } from "./errors.js";
import { ExactTime, type Rational, add, atTick, rational, secondsBetween } from "./exact.js";
import { FrameClock } from "./filter.js";
import { Local } from "./local.js";
import { type ClockOptions, type Overrun, policy, untilNextStep } from "./settings.js";
import { type Ratio, type Time, nanoseconds, rate, ratio } from "./time.js";

/** Options of the constructor. */
export interface ScheduleOptions extends ClockOptions {
  /** How long the oldest due step may wait, in simulated time; 250 ms unless set. */
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

/** The time that a frame of a schedule lost, exactly. */
export interface ScheduleLost {
  /** Nanoseconds that were cut off because too much time had passed. */
  readonly clamped: bigint;
  /** Nanoseconds of a known pause. */
  readonly paused: bigint;
  /** Simulated time that no task will step. */
  readonly dropped: ExactTime;
}

const MOST_TASKS = 1024;
const LARGEST_ALPHA = 1 - 2 ** -24;

const isLater = (one: Rational, other: Rational): boolean => one.numer * other.denom > other.numer * one.denom;

/** The last nanosecond of simulated time, after 584 years. */
const END = (1n << 64n) - 1n;

/** The clock of a schedule: it counts nanoseconds, in bigints. */
class ScheduleClock extends SimClock {
  /** The simulated time that has arrived and is not kept back. */
  now = 0n;

  constructor() {
    super({ numer: 1, denom: 1 });
    this.backlog = this.subnano = 0n as unknown as number;
    this.limit();
  }

  override reset(): void {
    super.reset();
    this.now = 0n;
  }

  /**
   * Takes the time since the last frame. Of it and the time kept back, time arrives up to `end`, and at most `limit` of it, both in
   * nanoseconds. Returns the dropped time, and the interval that arrived.
   */
  advanceUntil(delta: bigint, end: bigint, limit: bigint): { dropped: bigint; from: bigint; to: bigint; stoodStill: boolean } {
    this.clamped = this.paused = 0n;
    let letGo = 0n;
    if (this.dropsBacklog) {
      this.dropsBacklog = false;
      letGo = BigInt(this.backlog);
      this.backlog = this.numbers.zero;
    }
    const arrived = this.arrived(this.admit(delta as unknown as number));
    const released = BigInt(this.released(arrived));
    const taken = least(least(released, most(end - this.now, 0n)), limit);
    const unkept = BigInt(this.keepBack((released - taken) as unknown as number, this.numbers.perNano));
    this.now += taken;
    const to = least(this.now + BigInt(this.backlog), END);
    const from = most(to - most(BigInt(arrived) - unkept, 0n), 0n);
    return { dropped: letGo + unkept, from, to, stoodStill: !this.hasTime };
  }

  /** Nanoseconds of real time until a simulated time has arrived; `undefined` if it will not arrive. */
  untilArrival(end: bigint): bigint | undefined {
    if (end <= this.now) return 0n;
    return end > END ? undefined : this.untilReleased(end - this.now);
  }
}

/** In nanoseconds, rounded up. */
const nanosUp = ({ numer, denom }: Rational): bigint => ceil(numer * BILLION, denom);

/** A task: its rate, its phase in nanoseconds, and the tick of its next step. */
class Task {
  readonly dt: number;
  next = 0;

  constructor(
    readonly rate: Terms,
    readonly phase: bigint,
    now: Rational,
  ) {
    this.dt = rate.denom / rate.numer;
    // Its first step is the current one.
    const since = now.numer * BILLION - phase * now.denom;
    if (since > 0n) this.next = Number((since * BigInt(rate.numer)) / (now.denom * BILLION * BigInt(rate.denom)));
  }

  /** When a step begins. */
  at(tick: number): Rational {
    return add(atTick(BigInt(tick), this.rate), rational(this.phase, BILLION));
  }
}

/**
 * Tasks at different rates, such as physics at 120 Hz and decisions at 10 Hz. Their steps come in the order in which they
 * end; where several end at once, in the order in which the tasks were added.
 */
export class Schedule extends Local implements Iterable<TaskStep> {
  readonly #tasks: Task[] = [];
  readonly #scaled = new ScheduleClock();
  /** @internal */
  readonly clock: FrameClock;
  readonly #steps: { task: number; tick: number; dt: number }[] = [];
  #ran = 0;
  #maxBehind = 250_000_000n;
  #maxAdvance: bigint | undefined;
  #last: Task | undefined;
  #arrival = { dropped: 0n, from: 0n, to: 0n, stoodStill: true };

  constructor(options: ScheduleOptions = {}) {
    objectOf(options, "the options");
    super();
    this.clock = new FrameClock(options.filter);
    if (options.maxDelta !== undefined) this.setMaxDelta(options.maxDelta);
    if (options.maxBehind !== undefined) this.setMaxBehind(options.maxBehind);
    if (options.maxAdvance !== undefined) this.setMaxAdvance(options.maxAdvance);
    if (options.overrun !== undefined) this.setOverrun(options.overrun);
    if (options.timeScale !== undefined) this.setTimeScale(options.timeScale);
  }

  /** Adds a task with a rate in steps a second, which end `phase` later than they would. Returns its number: 0, 1, 2 …. */
  add(steps: Ratio, phase: Time = 0): number {
    const reduced = terms(...rate(steps, "the rate"));
    const late = nanoseconds(phase, "the phase");
    if (this.#tasks.length >= MOST_TASKS) fail("Full", "Schedule.add", "there are 1024 tasks already");
    const longest = 0xffff_ffffn * BILLION;
    return this.#tasks.push(new Task(reduced, late < longest ? late : longest, this.#now)) - 1;
  }

  get #now(): Rational {
    return rational(this.#scaled.now, BILLION);
  }

  /** The task whose step ends first; if several end at once, the one that was added first. */
  get #first(): [task: Task, end: Rational] | undefined {
    let first: [Task, Rational] | undefined;
    for (const task of this.#tasks) {
      const end = task.at(task.next + 1);
      if (first === undefined || isLater(first[1], end)) first = [task, end];
    }
    return first;
  }

  #advance(delta: Nanos): this {
    this.#last = undefined;
    const end = this.#first?.[1];
    const until = end === undefined ? END : least(nanosUp(end) + this.#maxBehind, END);
    this.#arrival = this.#scaled.advanceUntil(BigInt(delta), until, this.#maxAdvance ?? END);
    this.#ran = 0;
    return this;
  }

  /** Begins a frame at a time. Then run its steps: `for (const step of schedule.beginFrame(now))`. */
  beginFrame(now: Time): this {
    return this.#advance(this.clock.begin(now, "Schedule.beginFrame"));
  }

  /** Begins a frame this long after the last one. Prefer `beginFrame`: rounding errors of differences add up. */
  advance(delta: Time): this {
    return this.#advance(this.clock.advance(delta, "Schedule.advance"));
  }

  /** @internal Whether the last frame belongs to a pause. */
  get stoodStill(): boolean {
    return this.#arrival.stoodStill;
  }

  /** @internal The progress of a task in the last frame; `undefined` if there is no such task. */
  progress(number: number): Progress | undefined {
    const task = this.#tasks[number];
    if (task === undefined) return undefined;
    const { from, to } = this.#arrival;
    const [perNano, perStep] = [BigInt(task.rate.numer), BILLION * BigInt(task.rate.denom)];
    // Whole steps before the first one, so that nothing is negative.
    const phase = task.phase * perNano;
    const early = ceil(phase, perStep);
    const since = from * perNano + early * perStep - phase;
    const begin = since % perStep;
    return { first: since / perStep, early, begin, end: begin + (to - from) * perNano, perStep };
  }

  /** The steps that are due. Those that a loop leaves out stay due. */
  *[Symbol.iterator](): Generator<TaskStep, undefined> {
    for (;;) {
      this.#last = undefined;
      const first = this.#first;
      if (first === undefined || isLater(first[1], this.#now)) return undefined;
      const [task] = first;
      const step = (this.#steps[this.#ran++] ??= { task: 0, tick: 0, dt: 0 });
      step.task = this.#tasks.indexOf(task);
      step.tick = task.next++;
      step.dt = task.dt;
      this.#last = task;
      yield step;
    }
  }

  /** Takes back the step that was returned last: it stays due, and is returned again next. */
  refuse(): void {
    if (this.#last === undefined) fail("Order", "Schedule.refuse", "no step has come since the frame began");
    this.#last.next--;
    this.#last = undefined;
  }

  /** The time that the last frame lost. */
  get lost(): ScheduleLost {
    const { clamped, paused } = this.#scaled;
    return { clamped, paused, dropped: new ExactTime(rational(this.#arrival.dropped, BILLION)) };
  }

  #task(number: number, name: string): Task {
    return this.#tasks[whole(number, "the task", 0, MOST_TASKS - 1)] ?? fail("Missing", `Schedule.${name}`, `there is no task ${number}`);
  }

  /** Where to draw a task between its previous state (0) and its current state (1). */
  alpha(task: number): number {
    const found = this.#task(task, "alpha");
    return Math.min(Math.max(secondsBetween(found.at(found.next), this.#now), 0) / found.dt, LARGEST_ALPHA);
  }

  /** The tick of a task's next step. */
  tick(task: number): number {
    return this.#task(task, "tick").next;
  }

  /** The simulated time that has arrived. */
  get now(): ExactTime {
    return new ExactTime(this.#now);
  }

  /** Whether time is kept back for later frames. */
  get isBehind(): boolean {
    return this.#scaled.isBehind;
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no step will become due. Zero after `resume`: the next frame
   * ends the pause, and should begin at once. */
  get untilNextStep(): number | undefined {
    const end = this.#first?.[1];
    if (end === undefined || (isLater(end, this.#now) && this.#maxAdvance === 0n)) return undefined;
    return untilNextStep(this.#scaled.untilArrival(nanosUp(end)));
  }

  /** Sets the longest accepted time between two frames. Unless set, it is 250 ms where time that does not fit is dropped, and has no limit
   * where it is kept. */
  setMaxDelta(delta: Time): void {
    this.#scaled.setMaxDelta(nanoseconds(delta, "the longest delta"));
  }

  /** Sets how long the oldest due step may wait, in simulated time. Time beyond that follows the overrun policy. */
  setMaxBehind(time: Time): void {
    this.#maxBehind = nanoseconds(time, "the longest wait");
  }

  /** Sets the most simulated time that arrives in a frame. */
  setMaxAdvance(time: Time): void {
    this.#maxAdvance = nanoseconds(time, "the most time");
  }

  /** Sets the policy for time that does not fit. */
  setOverrun(overrun: Overrun): void {
    this.#scaled.setOverrun(policy(overrun));
  }

  /** Sets how fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    this.#scaled.setScale(terms(...ratio(scale, "the time scale")));
  }

  /** Begins a known pause. Steps that are due stay due. */
  pause(): void {
    this.#scaled.pause();
  }

  /** Ends a known pause. The time until the next frame is its last. */
  resume(): void {
    this.#scaled.resume(false);
  }

  /** Starts over at time zero with the same tasks, settings and clock. */
  reset(): void {
    this.#scaled.reset();
    this.#last = undefined;
    this.#arrival = { dropped: 0n, from: 0n, to: 0n, stoodStill: true };
    for (const task of this.#tasks) task.next = 0;
  }
}
