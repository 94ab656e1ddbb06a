// The accumulator: divides time into steps, like crates/evenstep/src/step in Rust, and to the same digits.
//
// Time is counted in units of 1/n ns for a rate of n/d Hz: a nanosecond and a step are whole numbers of them. Amounts are doubles
// while all sums of a frame stay below 2⁵³, as in nearly every program, and bigints otherwise. The same code counts in both: it uses
// only operators that both have.

import { fail, integer, refuse } from "./errors.js";
import { ExactTime } from "./exact.js";
import { Frame, type Writable } from "./frame.js";
import { type Ratio, type Terms, type Time, nanoseconds, ratio } from "./time.js";

/**
 * The policy for steps that do not fit into a frame. `"drop"` drops them. `carry` keeps them, up to a simulated time, and grants them in
 * later frames. `stretch` keeps them, and lets simulated time run faster by at most a factor.
 */
export type Overrun = "drop" | { readonly carry: Time } | { readonly stretch: Ratio };

/** A policy: the longest backlog, unless that is all time; and the speed at which it is released. */
interface Policy {
  readonly maxBacklog?: bigint;
  readonly speed?: Terms;
}

const DROP: Policy = { maxBacklog: 0n };

const BILLION = 1_000_000_000n;
const MAX_STEPS = 0xffff_ffff;
/** The most units that arrive in a frame, and the most that are ever kept back. */
const MAX_UNITS = 1n << 62n;
/** Longer than any delta. */
const EVER = 1n << 64n;
const LARGEST_ALPHA = 1 - 2 ** -24;
const SAFE = Number.MAX_SAFE_INTEGER;
/** Up to this, a step, a backlog and the time that arrives in a frame are counted in doubles: their sum is below 2⁵³. */
const HALF_SAFE = 2 ** 51;
/** The longest accepted delta unless set, if time that does not fit is dropped; also the one that `maxSteps` follows from. */
const DEFAULT_MAX_DELTA = 250_000_000n;

const least = <Whole extends number | bigint>(one: Whole, other: Whole): Whole => (one < other ? one : other);
const most = <Whole extends number | bigint>(one: Whole, other: Whole): Whole => (one > other ? one : other);
const ceil = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;
/** Rounded down, exactly for doubles below 2⁵³ too. */
const quotient = (amount: number, by: number): number => (amount - (amount % by)) / by;

const NORMAL: Terms = { numer: 1, denom: 1 };

/** The faster of a speed and normal speed. */
const atLeastNormal = (speed: Terms): Terms => (speed.numer > speed.denom ? speed : NORMAL);

/** A bigint, declared as the number that it stands for. */
const asBigint = BigInt as unknown as (whole: number | bigint) => number;

/** What a frame is counted with, all in doubles or all in bigints, which are declared as numbers here. */
interface Numbers {
  readonly zero: number;
  readonly perStep: number;
  readonly perNano: number;
  readonly numer: number;
  readonly denom: number;
  readonly speedNumer: number;
  readonly speedDenom: number;
  readonly maxBacklog: number;
}

/** In `Resuming`, the next delta is the pause's last. */
const RUNNING = 0;
const PAUSED = 1;
const RESUMING = 2;

/** The part of a timestep that takes the time between frames and grants steps. */
export class Accumulator {
  /** @internal The plan for the last frame. */
  readonly frame: Writable<Frame>;
  /** @internal Whether there was a frame since the beginning or the last reset. */
  hasBegun = false;
  /** @internal The speed of simulated time in the last frame. */
  speed = 1;
  #tick = 0;
  #maxSteps = 0;
  /** Whether time passed, even if the overrun policy dropped it. */
  #hasTime = false;

  /** The units of a step and of a nanosecond, and the most that a delta can bring, and that are kept back. */
  readonly #perStep: bigint;
  readonly #perNano: bigint;
  readonly #most: bigint;
  #scale: Terms = NORMAL;
  #overrun = DROP;
  #maxDelta: bigint | undefined;
  #dropDelta = DEFAULT_MAX_DELTA;
  #wantedSteps: number | undefined;
  #lookahead = false;
  #singleSteps = 0;
  #activity: typeof RUNNING | typeof PAUSED | typeof RESUMING = RUNNING;
  #dropsBacklog = false;
  /** Simulated time below a nanosecond, in units of 1/denominator ns of the scale. */
  #subnano = 0;
  #backlog = 0;
  /** Time towards the next step, less than one. */
  #fraction = 0;
  /** The part of the step that alpha shows: the fraction, or more while it waits for time that was dropped. */
  #shown = 0;
  /** The fraction and the backlog with which the last frame began, and what was shown before it: in its numbers. */
  #begin = 0;
  #shownBefore = 0;
  /** The numbers that the amounts of the present frame are counted with. */
  #numbers!: Numbers;
  #doubles!: Numbers;
  #bigints!: Numbers;
  /** The longest accepted delta, and the longest delta of a frame in doubles; negative while none can be. */
  #longest = EVER;
  #longestInDoubles = -1;

  /** @internal */
  constructor(rate: Terms) {
    this.#perStep = BILLION * BigInt(rate.denom);
    this.#perNano = BigInt(rate.numer);
    this.#most = least(this.#perStep * BigInt(MAX_STEPS), MAX_UNITS);
    this.frame = new Frame(rate.denom / rate.numer);
    this.#limit();
    this.#chooseNumbers();
  }

  /** The longest delta whose sums fit into 64 bits, as other languages count them. */
  #countable(scale: Terms): bigint {
    if (scale.numer === 0) return EVER;
    const denom = BigInt(scale.denom);
    return least((this.#most / this.#perNano) * denom, EVER - denom) / BigInt(scale.numer);
  }

  /** @internal Sets the longest accepted delta for as long as none is set and time that does not fit is dropped. */
  setDropDelta(nanos: bigint): void {
    this.#dropDelta = nanos;
    this.#limit();
  }

  /** Computes what follows from the settings. */
  #limit(): void {
    const scale = this.#scale;
    const { maxBacklog = MAX_UNITS, speed = NORMAL } = this.#overrun;
    const accepted = this.#maxDelta ?? (this.#overrun === DROP ? this.#dropDelta : EVER);
    this.#longest = scale.numer === 0 ? EVER : least(this.#countable(scale), accepted);
    const largestBacklog = least(maxBacklog * this.#perNano, this.#most);
    const numbers = (convert: (whole: number | bigint) => number): Numbers => ({
      zero: convert(0),
      perStep: convert(this.#perStep),
      perNano: convert(this.#perNano),
      numer: convert(scale.numer),
      denom: convert(scale.denom),
      speedNumer: convert(speed.numer),
      speedDenom: convert(speed.denom),
      maxBacklog: convert(largestBacklog),
    });
    this.#doubles = numbers(Number);
    this.#bigints = numbers(asBigint);
    this.#numbers = typeof this.#backlog === "bigint" ? this.#bigints : this.#doubles;
    // A product with the scale below 2⁵³, and no more than 2⁵¹ units, also with a nanosecond from the rest of the scale.
    const fits = Math.min(2 ** 52 / scale.numer, ((HALF_SAFE / this.#doubles.perNano - 1) * scale.denom) / scale.numer, SAFE);
    const isEven = this.#doubles.perStep <= HALF_SAFE && speed.numer * speed.denom <= SAFE;
    this.#longestInDoubles = isEven ? Math.min(fits, Number(this.#longest)) : -1;
    const faster = atLeastNormal(scale);
    const delta = least(this.#maxDelta ?? DEFAULT_MAX_DELTA, this.#countable(faster));
    const simulated = ceil(delta * BigInt(faster.numer), BigInt(faster.denom));
    this.#maxSteps = this.#wantedSteps ?? Math.min(Number(ceil(simulated * this.#perNano, this.#perStep)), MAX_STEPS);
  }

  /** Sets how fast simulated time runs: 0.5 is half as fast, 0 stands still. */
  setTimeScale(scale: Ratio): void {
    const terms = ratio(scale, "the time scale");
    const subnano = (BigInt(this.#subnano) * BigInt(terms.denom)) / BigInt(this.#scale.denom);
    this.#subnano = typeof this.#subnano === "bigint" ? asBigint(subnano) : Number(subnano);
    this.#scale = terms;
    this.#limit();
  }

  /** Sets the longest accepted time between two frames. Unless set, it is 250 ms where time that does not fit is dropped, and has no limit
   * where it is kept. */
  setMaxDelta(delta: Time): void {
    this.#maxDelta = nanoseconds(delta, "the longest delta");
    this.#limit();
  }

  /** Sets the most steps in a frame; `undefined` for as many as fit into the longest accepted time if that is set, or into 250 ms. */
  setMaxSteps(steps: number | undefined): void {
    this.#wantedSteps = steps === undefined ? undefined : integer(steps, "the most steps", 0, MAX_STEPS);
    this.#limit();
  }

  /** Sets the policy for steps that do not fit into a frame. */
  setOverrun(overrun: Overrun): void {
    const given = Object(overrun) as Exclude<Overrun, "drop">;
    if (overrun === "drop") this.#overrun = DROP;
    else if ("carry" in given) this.#overrun = { maxBacklog: nanoseconds(given.carry, "carry") };
    else if ("stretch" in given) this.#overrun = { speed: atLeastNormal(ratio(given.stretch, "stretch")) };
    else refuse("Type", "overrun", overrun, '"drop", { carry } or { stretch }');
    this.#limit();
  }

  /** @internal */
  lookAhead(): void {
    this.#lookahead = true;
    this.stepOnce();
  }

  /** Grants one more step in the next frame without using up any time: to go on step by step in a pause. */
  stepOnce(): void {
    this.#singleSteps++;
  }

  /** Begins a known pause, such as of a hidden page, at the next `beginFrame`: the steps of the present frame still run. Its time does not
   * reach the simulation. */
  pause(): void {
    this.#activity = PAUSED;
  }

  /** Ends a known pause. The time until the next frame is its last. Steps that were kept back before it are run. */
  resume(): void {
    if (this.isPaused) this.#activity = RESUMING;
  }

  /** Ends a known pause and drops the steps that were kept back before it. Without a pause, for a load that was noticed too late: the time
   * until the next frame counts as paused. */
  resumeDropping(): void {
    this.#dropsBacklog = true;
    this.#activity = RESUMING;
  }

  /** Whether there is a known pause. */
  get isPaused(): boolean {
    return this.#activity === PAUSED;
  }

  /** Starts over at tick 0 with the same settings, filters and clock. To remove events that have not been presented yet, call
   * `retractFrom(0)` of their queue. */
  reset(): void {
    this.#subnano = this.#backlog = this.#fraction = this.#shown = this.#numbers.zero;
    this.hasBegun = this.#dropsBacklog = false;
    this.#tick = 0;
    this.#singleSteps = Number(this.#lookahead);
  }

  /** The tick of the next step. */
  get tick(): number {
    return this.#tick;
  }

  /** @internal Takes the time since the last frame, and returns the plan for this one. */
  grant(delta: number): Frame {
    this.hasBegun = true;
    const isDouble = delta <= this.#longestInDoubles;
    if (isDouble && this.#numbers === this.#doubles && this.#backlog <= HALF_SAFE) return this.#grant(delta);
    this.#convert(true);
    this.#grant(asBigint(delta));
    return this.#chooseNumbers();
  }

  #grant(delta: number): Frame {
    const { frame } = this;
    const { perStep } = this.#numbers;
    frame.lost.clamped = frame.lost.paused = 0n;
    frame.lost.dropped = this.#dropsBacklog ? this.#letGo() : 0;
    this.speed = this.#scale.numer / this.#scale.denom;
    this.#begin = this.#fraction + this.#backlog;
    this.#shownBefore = this.#shown;
    const available = this.#fraction + this.#released(this.#arrived(this.#accept(delta)));
    this.#fraction = available;
    let due = 0;
    if (available >= perStep) {
      // Without a division in the usual frame.
      due = 1;
      this.#fraction = available - perStep;
      if (this.#fraction >= perStep) {
        this.#fraction = available % perStep;
        due = Number((available - this.#fraction) / perStep);
      }
      if (due > this.#maxSteps) {
        this.#keepBack(due - this.#maxSteps);
        due = this.#maxSteps;
      }
    }
    let count = due;
    if (this.#singleSteps > 0) {
      count = Math.min(due + this.#singleSteps, MAX_STEPS);
      this.#singleSteps = 0;
    }
    frame.singleSteps = count - due;
    this.#tick += count;
    frame.steps = count;
    if (count > 0 || this.#fraction > this.#shown) this.#shown = this.#fraction;
    return this.#show();
  }

  /** The part of a delta that reaches the simulation, as the same kind of number. */
  #accept(delta: number): number {
    if (this.#activity !== RUNNING) {
      if (this.#activity === RESUMING) this.#activity = RUNNING;
      this.frame.lost.paused = BigInt(delta);
      return this.#numbers.zero;
    }
    // In doubles a delta is not longer.
    const longest = this.#longest;
    if (!(delta > longest)) return delta;
    this.frame.lost.clamped = BigInt(delta) - longest;
    return asBigint(longest);
  }

  /** The simulated time of an accepted delta. */
  #arrived(nanos: number): number {
    const { numer, denom, perNano } = this.#numbers;
    const scaled = nanos * numer;
    this.#hasTime = scaled > 0;
    if (this.#scale.denom === 1) return scaled * perNano;
    const parts = scaled + this.#subnano;
    this.#subnano = parts % denom;
    return ((parts - this.#subnano) / denom) * perNano;
  }

  /** The part of the arrived time and the backlog that may be used now. */
  #released(arrived: number): number {
    if (!(this.#backlog > 0) || !(arrived > 0)) return arrived;
    const available = this.#backlog + arrived;
    let released = available;
    if (this.#overrun.speed) {
      const { speedNumer, speedDenom } = this.#numbers;
      const rest = arrived % speedDenom;
      released = least(available, ((arrived - rest) / speedDenom) * speedNumer + quotient(rest * speedNumer, speedDenom));
    }
    this.#backlog = available - released;
    return released;
  }

  /** Keeps as many steps for later as the policy allows, and drops the others. */
  #keepBack(steps: number): void {
    const { maxBacklog, perStep, zero } = this.#numbers;
    const wanted = this.#numbers === this.#doubles ? steps : asBigint(steps);
    const kept = least(wanted, quotient(most(maxBacklog - this.#backlog, zero), perStep));
    this.#backlog += kept * perStep;
    this.frame.lost.dropped += Number(wanted - kept);
  }

  /** Drops the backlog. Returns the number of dropped steps. */
  #letGo(): number {
    const { perStep, zero } = this.#numbers;
    const overstep = this.#fraction + this.#backlog;
    this.#dropsBacklog = false;
    this.#backlog = zero;
    this.#fraction = overstep % perStep;
    this.#shown = most(this.#shown, this.#fraction);
    return Number((overstep - this.#fraction) / perStep);
  }

  /** Shows the amounts in the plan. */
  #show(): Frame {
    const { frame } = this;
    frame.firstTick = this.#tick - frame.steps;
    frame.tick = this.#tick;
    frame.alpha = Math.min(Number(this.#shown) / this.#doubles.perStep, LARGEST_ALPHA);
    frame.isBehind = this.#backlog > 0;
    return frame as Frame;
  }

  /** Counts in bigints, or in doubles. */
  #convert(isLarge: boolean): void {
    const numbers = isLarge ? this.#bigints : this.#doubles;
    if (this.#numbers === numbers) return;
    this.#numbers = numbers;
    const convert = isLarge ? asBigint : Number;
    this.#subnano = convert(this.#subnano);
    this.#backlog = convert(this.#backlog);
    this.#fraction = convert(this.#fraction);
    this.#shown = convert(this.#shown);
  }

  /** Counts in doubles if all amounts are small enough. */
  #chooseNumbers(): Frame {
    this.#convert(this.#doubles.perStep > HALF_SAFE || this.#backlog > HALF_SAFE);
    return this.#show();
  }

  /**
   * Takes back the last `unrun` steps of the last frame, for which the program had no time. To stop before a step, without running it,
   * `unrun` is `frame.tick - step.tick`.
   */
  giveBack(unrun: number): Frame {
    integer(unrun, "unrun", 0, this.hasBegun ? this.frame.steps : 0);
    this.#convert(true);
    this.#tick -= unrun;
    this.frame.steps -= unrun;
    if (this.frame.steps === 0) this.#shown = most(this.#shown, asBigint(this.#shownBefore));
    this.#keepBack(unrun);
    return this.#chooseNumbers();
  }

  #exact(units: bigint): ExactTime {
    if (!this.hasBegun) fail("Order", "FixedTimestep", "there was no frame yet");
    return new ExactTime(units, this.#perNano * BILLION);
  }

  /** Simulated time that has arrived and has not been stepped yet, after the last frame. */
  get overstep(): ExactTime {
    return this.#exact(BigInt(this.#fraction + this.#backlog));
  }

  /** The simulated time that the frame shows, blended at alpha. */
  get drawnTime(): ExactTime {
    return this.#exact(this.#tick === 0 ? 0n : BigInt(this.#tick - 1) * this.#perStep + BigInt(this.#shown));
  }

  /** @internal Whether the drawn time has reached the end of the current step: the frame then shows the next state. */
  get isDrawnWhole(): boolean {
    return this.#shown >= this.#numbers.perStep;
  }

  /** @internal Whether the last frame belongs to a pause: no time arrived, and no single step was requested. */
  get stoodStill(): boolean {
    return !this.#hasTime && this.frame.singleSteps === 0;
  }

  /** @internal The tick of the step that contains a moment of the last frame: `since` after its beginning, of `interval` in all. */
  tickAt(since: number, interval: number): number {
    const { firstTick, steps, singleSteps } = this.frame;
    const begin = BigInt(this.#begin);
    const end = most(BigInt(steps - singleSteps) * this.#perStep + BigInt(this.#fraction + this.#backlog), 0n);
    let passed = least(end - begin, 0n);
    if (end > begin && interval > 0) passed = ((end - begin) * BigInt(Math.min(since, interval))) / BigInt(interval);
    // Single steps use up no time and come first.
    return firstTick + (end > begin ? singleSteps : 0) + Number((begin + passed) / this.#perStep);
  }

  /** Milliseconds of real time until the next step is due; `undefined` if no step will become due. Zero after `resume`: the
   * next frame ends the pause, and should begin at once. */
  get untilNextStep(): number | undefined {
    if (this.#singleSteps > 0) return 0;
    const { numer, denom } = this.#scale;
    if (this.#maxSteps === 0 || this.isPaused || numer === 0 || this.#longest === 0n) return undefined;
    if (this.#activity === RESUMING) return 0;
    const needed = this.#doubles.perStep - Number(this.#fraction);
    const backlog = Number(this.#backlog);
    let toArrive = Math.max(needed - backlog, 1);
    const { speed } = this.#overrun;
    if (speed && backlog > 0) toArrive = Math.max(toArrive, (needed * speed.denom) / speed.numer);
    const simulated = Math.ceil(Math.ceil(toArrive) / this.#doubles.perNano);
    return Math.ceil((simulated * denom - Number(this.#subnano)) / numer) / 1e6;
  }
}
