// The accumulator: divides time into steps, like crates/evenstep/src/step in Rust, and to the same digits.
//
// Time is counted in units of 1/n ns for a rate of n/d Hz: a nanosecond and a step are whole numbers of them. Amounts are doubles
// while all sums of a frame stay below 2⁵³, as in nearly every program, and bigints otherwise. The same code counts in both: it uses
// only operators that both have.

import { ExactTime } from "./exact.js";
import type { Terms } from "./time.js";

/** The policy for steps that do not fit: the longest accepted delta unless set, the longest backlog, and the speed at which it is released. */
export interface Policy {
  readonly maxDelta: bigint | undefined;
  readonly maxBacklog: bigint;
  readonly speed: Terms | undefined;
}

/** Nanoseconds, exactly: a number up to 2⁵³, and beyond that a bigint. */
export type Nanos = number | bigint;

/** The simulated time by which a frame advanced, in units of which `perStep` make a step; counted from the step `first`. */
export interface Progress {
  readonly first: bigint;
  readonly begin: bigint;
  readonly end: bigint;
  readonly perStep: bigint;
}

const BILLION = 1_000_000_000n;
const MAX_STEPS = 0xffff_ffff;
/** The most units that arrive in a frame, and the most that are ever kept back. */
const MAX_UNITS = 1n << 62n;
const LARGEST_ALPHA = 1 - 2 ** -24;
const SAFE = Number.MAX_SAFE_INTEGER;
/** Up to this, a step, a backlog and the time that arrives in a frame are counted in doubles: their sum is below 2⁵³. */
const HALF_SAFE = 2 ** 51;
/** The longest accepted delta unless set, if time that does not fit is dropped; also the one that `maxSteps` follows from. */
export const DEFAULT_MAX_DELTA = 250_000_000n;

export const least = <Whole extends number | bigint>(one: Whole, other: Whole): Whole => (one < other ? one : other);
export const most = <Whole extends number | bigint>(one: Whole, other: Whole): Whole => (one > other ? one : other);
const ceil = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;
/** Rounded down, exactly for doubles below 2⁵³ too. */
const quotient = (amount: number, by: number): number => (amount - (amount % by)) / by;

const NORMAL: Terms = { numer: 1, denom: 1 };

/** The faster of a speed and normal speed. */
export const atLeastNormal = (speed: Terms): Terms => (speed.numer > speed.denom ? speed : NORMAL);

/** A bigint, declared as the number that it stands for. */
const asBigint = BigInt as unknown as (whole: number | bigint) => number;

/** What a frame is counted with, all in doubles or all in bigints, which are declared as numbers here. */
const numbersOf = (rate: Terms, scale: Terms, speed: Terms, maxBacklog: bigint, convert: (whole: number | bigint) => number) => ({
  zero: convert(0),
  perStep: convert(BILLION * BigInt(rate.denom)),
  perNano: convert(rate.numer),
  numer: convert(scale.numer),
  denom: convert(scale.denom),
  speedNumer: convert(speed.numer),
  speedDenom: convert(speed.denom),
  maxBacklog: convert(maxBacklog),
});
type Numbers = Readonly<ReturnType<typeof numbersOf>>;

/** In `Resuming`, the next delta is the pause's last. */
const RUNNING = 0;
const PAUSED = 1;
const RESUMING = 2;

export class Accumulator {
  /** A step in seconds. */
  readonly dt: number;
  maxSteps = 0;
  tick = 0;

  // Of the last frame.
  /** The number of steps. */
  count = 0;
  /** The number of steps that use up no time. */
  granted = 0;
  alpha = 0;
  clamped = 0n;
  paused = 0n;
  /** The number of steps. */
  dropped = 0;
  /** The speed of simulated time. */
  speed = 1;
  /** Whether time passed, even if the overrun policy dropped it. */
  #hasTime = false;

  readonly #rate: Terms;
  readonly #perStep: bigint;
  #scale: Terms = NORMAL;
  #overrun: Policy = { maxDelta: DEFAULT_MAX_DELTA, maxBacklog: 0n, speed: undefined };
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
  /** The fraction and the backlog with which the last frame began, and what was shown before it. */
  #begin = 0;
  #shownBefore = 0;
  /** The numbers that the amounts of the present frame are counted with. */
  #numbers!: Numbers;
  #doubles!: Numbers;
  #bigints!: Numbers;
  /** The longest accepted delta, and the longest delta of a frame in doubles; negative while none can be. */
  #longest: bigint | undefined;
  #longestInDoubles = -1;

  constructor(rate: Terms) {
    this.#rate = rate;
    this.#perStep = BILLION * BigInt(rate.denom);
    this.dt = rate.denom / rate.numer;
    this.#limit();
    this.#chooseNumbers();
  }

  /** The most units that a delta can bring, and the most that are kept back. */
  #most(): bigint {
    return least(this.#perStep * BigInt(MAX_STEPS), MAX_UNITS);
  }

  /** The longest delta whose sums fit into 64 bits, as other languages count them. */
  #countable(scale: Terms): bigint | undefined {
    if (scale.numer === 0) return undefined;
    const denom = BigInt(scale.denom);
    return least((this.#most() / BigInt(this.#rate.numer)) * denom, (1n << 64n) - denom) / BigInt(scale.numer);
  }

  /** Sets the longest accepted delta for as long as none is set and time that does not fit is dropped. */
  setDropDelta(nanos: bigint): void {
    this.#dropDelta = nanos;
    this.#limit();
  }

  /** Computes what follows from the settings. */
  #limit(): void {
    const [rate, scale] = [this.#rate, this.#scale];
    const { maxBacklog, speed = NORMAL } = this.#overrun;
    const countable = this.#countable(scale);
    const accepted = this.#maxDelta ?? (this.#overrun.maxDelta && this.#dropDelta);
    this.#longest = countable === undefined || accepted === undefined ? countable : least(countable, accepted);
    const largestBacklog = least(maxBacklog * BigInt(rate.numer), this.#most());
    this.#doubles = numbersOf(rate, scale, speed, largestBacklog, Number);
    this.#bigints = numbersOf(rate, scale, speed, largestBacklog, asBigint);
    this.#numbers = typeof this.#backlog === "bigint" ? this.#bigints : this.#doubles;
    // A product with the scale below 2⁵³, and no more than 2⁵¹ units, also with a nanosecond from the rest of the scale.
    const fits = Math.min(2 ** 52 / scale.numer, ((HALF_SAFE / rate.numer - 1) * scale.denom) / scale.numer, SAFE);
    const isEven = this.#doubles.perStep <= HALF_SAFE && speed.numer * speed.denom <= SAFE;
    this.#longestInDoubles = isEven ? Math.min(fits, Number(this.#longest ?? SAFE)) : -1;
    const faster = atLeastNormal(scale);
    const delta = least(this.#maxDelta ?? DEFAULT_MAX_DELTA, this.#countable(faster)!);
    const simulated = ceil(delta * BigInt(faster.numer), BigInt(faster.denom));
    this.maxSteps = this.#wantedSteps ?? Math.min(Number(ceil(simulated * BigInt(rate.numer), this.#perStep)), MAX_STEPS);
  }

  setMaxDelta(nanos: bigint): void {
    this.#maxDelta = nanos;
    this.#limit();
  }

  setMaxSteps(steps: number | undefined): void {
    this.#wantedSteps = steps;
    this.#limit();
  }

  setOverrun(overrun: Policy): void {
    this.#overrun = overrun;
    this.#limit();
  }

  setScale(scale: Terms): void {
    if (scale.numer === this.#scale.numer && scale.denom === this.#scale.denom) return;
    const subnano = (BigInt(this.#subnano) * BigInt(scale.denom)) / BigInt(this.#scale.denom);
    this.#subnano = typeof this.#subnano === "bigint" ? asBigint(subnano) : Number(subnano);
    this.#scale = scale;
    this.#limit();
  }

  lookAhead(): void {
    this.#lookahead = true;
    this.stepOnce();
  }

  stepOnce(): void {
    this.#singleSteps = Math.min(this.#singleSteps + 1, MAX_STEPS);
  }

  pause(): void {
    this.#activity = PAUSED;
  }

  resume(): void {
    if (this.#activity === PAUSED) this.#activity = RESUMING;
  }

  resumeDropping(): void {
    this.#dropsBacklog = true;
    this.#activity = RESUMING;
  }

  get isPaused(): boolean {
    return this.#activity === PAUSED;
  }

  reset(): void {
    this.#subnano = this.#backlog = this.#fraction = this.#shown = this.#begin = this.#shownBefore = this.#numbers.zero;
    this.#dropsBacklog = false;
    this.tick = this.count = 0;
    this.#singleSteps = Number(this.#lookahead);
  }

  /** Takes the time since the last frame. */
  advance(delta: Nanos): void {
    const isDouble = typeof delta === "number" && delta <= this.#longestInDoubles;
    if (isDouble && this.#numbers === this.#doubles && this.#backlog <= HALF_SAFE) return this.#advance(delta);
    this.#convert(this.#bigints, asBigint);
    this.#advance(asBigint(delta));
    this.#chooseNumbers();
  }

  #advance(delta: number): void {
    const { perStep } = this.#numbers;
    this.clamped = this.paused = 0n;
    this.dropped = this.#dropsBacklog ? this.#letGo() : 0;
    this.speed = this.#scale.numer / this.#scale.denom;
    this.#begin = this.#fraction + this.#backlog;
    this.#shownBefore = this.#shown;
    const available = this.#fraction + this.#released(this.#arrived(this.#admit(delta)));
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
      if (due > this.maxSteps) {
        this.#keepBack(due - this.maxSteps);
        due = this.maxSteps;
      }
    }
    let count = due;
    if (this.#singleSteps > 0) {
      count = Math.min(due + this.#singleSteps, MAX_STEPS);
      this.#singleSteps = 0;
    }
    this.granted = count - due;
    if (this.tick + count > SAFE) {
      this.dropped += count - (SAFE - this.tick);
      count = SAFE - this.tick;
    }
    this.tick += count;
    this.count = count;
    if (count > 0 || this.#fraction > this.#shown) this.#shown = this.#fraction;
    this.#show();
  }

  /** The part of a delta that reaches the simulation, as the same kind of number. */
  #admit(delta: number): number {
    if (this.#activity !== RUNNING) {
      if (this.#activity === RESUMING) this.#activity = RUNNING;
      this.paused = BigInt(delta);
      return this.#numbers.zero;
    }
    // In doubles a delta is not longer.
    const longest = this.#longest;
    if (typeof delta === "bigint" && longest !== undefined && delta > longest) {
      this.clamped = BigInt(delta) - longest;
      return asBigint(longest);
    }
    return delta;
  }

  /** The simulated time of an admitted delta. */
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
    if (this.#overrun.speed !== undefined) {
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
    this.dropped += Number(wanted - kept);
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

  #show(): void {
    this.alpha = Math.min(Number(this.#shown) / this.#doubles.perStep, LARGEST_ALPHA);
  }

  /** Counts in other numbers. */
  #convert(numbers: Numbers, convert: (amount: number) => number): void {
    if (this.#numbers === numbers) return;
    this.#numbers = numbers;
    this.#subnano = convert(this.#subnano);
    this.#backlog = convert(this.#backlog);
    this.#fraction = convert(this.#fraction);
    this.#shown = convert(this.#shown);
    this.#begin = convert(this.#begin);
    this.#shownBefore = convert(this.#shownBefore);
  }

  /** Counts in doubles if all amounts are small enough. */
  #chooseNumbers(): void {
    const isSmall = this.#doubles.perStep <= HALF_SAFE && this.#backlog <= HALF_SAFE && this.#begin <= SAFE;
    if (isSmall) this.#convert(this.#doubles, Number);
    else this.#convert(this.#bigints, asBigint);
  }

  /** Takes back the last `unrun` steps of the last frame, which has as many. */
  giveBack(unrun: number): void {
    this.#convert(this.#bigints, asBigint);
    this.tick -= unrun;
    this.count -= unrun;
    if (this.count === 0) this.#shown = most(this.#shown, this.#shownBefore);
    this.#keepBack(unrun);
    this.#chooseNumbers();
    this.#show();
  }

  /** Whether time is kept back for later frames. */
  get isBehind(): boolean {
    return this.#backlog > 0;
  }

  #exact(units: bigint): ExactTime {
    return new ExactTime(units, BigInt(this.#rate.numer) * BILLION);
  }

  get overstep(): ExactTime {
    return this.#exact(BigInt(this.#fraction + this.#backlog));
  }

  get drawnTime(): ExactTime {
    return this.#exact(this.tick === 0 ? 0n : BigInt(this.tick - 1) * this.#perStep + BigInt(this.#shown));
  }

  /** Whether the drawn time has reached the end of the current step: the frame then shows the next state. */
  get isDrawnWhole(): boolean {
    return this.#shown >= this.#numbers.perStep;
  }

  /** Whether the last frame belongs to a pause: no time arrived, and no single step was requested. */
  get stoodStill(): boolean {
    return !this.#hasTime && this.granted === 0;
  }

  /** The progress of the last frame. Single steps use up no time and come first. */
  get progress(): Progress {
    const [begin, perStep] = [BigInt(this.#begin), this.#perStep];
    const end = BigInt(this.count - this.granted) * perStep + BigInt(this.#fraction + this.#backlog);
    const first = this.tick - this.count + (end > begin ? this.granted : 0);
    return { first: BigInt(first), begin, end: most(end, 0n), perStep };
  }

  /** Nanoseconds of real time until the next step is due; `undefined` if no step will become due. */
  get untilNextStep(): bigint | undefined {
    if (this.#singleSteps > 0) return 0n;
    const { numer, denom } = this.#scale;
    if (this.maxSteps === 0 || this.isPaused || numer === 0 || this.#longest === 0n) return undefined;
    if (this.#activity === RESUMING) return 0n;
    const needed = this.#perStep - BigInt(this.#fraction);
    const backlog = BigInt(this.#backlog);
    let toArrive = most(needed - backlog, 1n);
    const { speed } = this.#overrun;
    if (speed !== undefined && backlog > 0n) toArrive = most(toArrive, ceil(needed * BigInt(speed.denom), BigInt(speed.numer)));
    const simulated = ceil(toArrive, BigInt(this.#rate.numer));
    return ceil(simulated * BigInt(denom) - BigInt(this.#subnano), BigInt(numer));
  }
}
