// The accumulator: divides time into steps exactly, like crates/evenstep/src/step/timestep in Rust.
//
// Nearly every frame is plain: only time passes, and all amounts are integers below 2⁵³, which doubles represent exactly. Other
// frames are counted in bigints.

import { type Rational, add, atTick, gcd, rational } from "./exact.js";

/** A ratio in lowest terms: whole numbers below 2³². */
export interface Terms {
  readonly numer: number;
  readonly denom: number;
}

/** The policy for steps that do not fit: drop them, keep them up to a limit in nanoseconds, or keep them and catch up at a limited speed. */
export type Policy = { readonly kind: "drop" } | { readonly kind: "carry"; readonly most: bigint } | { readonly kind: "stretch"; readonly speed: Terms };

/** Nanoseconds, exactly: a number up to 2⁵³, and beyond that a bigint. */
export type Nanos = number | bigint;

/** The simulated time by which a frame advanced, in units of which `perStep` make a step; counted from the step `first - early`. */
export interface Progress {
  readonly first: bigint;
  readonly early: bigint;
  readonly begin: bigint;
  readonly end: bigint;
  readonly perStep: bigint;
}

export const BILLION = 1_000_000_000n;
const MOST_STEPS = 0xffff_ffffn;
const LARGEST_ALPHA = 1 - 2 ** -24;
const SAFE = Number.MAX_SAFE_INTEGER;
/** The longest accepted delta unless set, if time that does not fit is dropped; also the one that `maxSteps` follows from. */
const DEFAULT_MAX_DELTA = 250_000_000n;

export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const ceil = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;

/** In lowest terms. */
export function terms(numer: number, denom: number): Terms {
  const divisor = gcd(numer, denom);
  return { numer: numer / divisor, denom: denom / divisor };
}

/** The faster of a speed and normal speed. */
const atLeastNormal = (speed: Terms): Terms => (speed.numer > speed.denom ? speed : { numer: 1, denom: 1 });

/** The unit in which a timestep counts: a nanosecond of delta, a step and a second are each a whole number of it. */
class Units {
  readonly perStep: bigint;
  readonly perNano: bigint;
  readonly perNanoOfDelta: bigint;

  constructor(
    rate: Terms,
    readonly scale: Terms,
    readonly resolution = BigInt(scale.denom),
  ) {
    this.perNano = resolution * BigInt(rate.numer);
    this.perStep = BILLION * resolution * BigInt(rate.denom);
    this.perNanoOfDelta = (this.perNano / BigInt(scale.denom)) * BigInt(scale.numer);
  }

  /** The delta that is as long as the most steps. */
  get longest(): bigint | undefined {
    return this.perNanoOfDelta === 0n ? undefined : (this.perStep * MOST_STEPS) / this.perNanoOfDelta;
  }
}

/** In `Resuming`, the next delta is the pause's last. */
const RUNNING = 0;
const SUSPENDED = 1;
export const RESUMING = 2;

export class Accumulator {
  readonly rate: Terms;
  /** A step in seconds. */
  readonly dt: number;
  maxSteps = 0;
  tick = 0;
  singleSteps = 0;
  lookahead = false;

  // Of the last frame.
  /** The number of steps. */
  count = 0;
  /** The number of steps that use up no time. */
  granted = 0;
  alpha = 0;
  isBehind = false;
  isRounded = false;
  clamped = 0n;
  suspended = 0n;
  dropped = 0n;
  rounded: Rational = rational(0n, 1n);

  protected wantedScale: Terms = { numer: 1, denom: 1 };
  protected units: Units;
  protected overrun: Policy = { kind: "drop" };
  #maxDelta: bigint | undefined;
  #wantedSteps: number | undefined;
  #longest = 0n;
  protected activity: typeof RUNNING | typeof SUSPENDED | typeof RESUMING = RUNNING;
  protected letsGo = false;

  // While frames are plain, the amounts are in doubles; `leave` converts them to bigints.
  #isPlain = true;
  #fractionN = 0;
  #drawnN = 0;
  #beforeN = 0;
  #drawnBeforeN = 0;
  protected fraction = 0n;
  protected debt = 0n;
  #drawn = 0n;
  #before = 0n;
  #drawnBefore = 0n;
  /** Whether time arrived in the last frame, even if the overrun policy dropped it. */
  #hasTime = false;
  /** The longest delta of a plain frame; negative while no frame can be plain. */
  #plainMost = -1;
  #plainPerStep = 0;
  #plainPerNano = 0;

  constructor(rate: Terms) {
    this.rate = rate;
    this.dt = rate.denom / rate.numer;
    this.units = new Units(rate, this.wantedScale);
    this.#limit();
  }

  get scale(): Terms {
    return this.wantedScale;
  }

  /** The speed of simulated time in the last frame. */
  get scaleOfFrame(): Terms {
    return this.units.scale;
  }

  /** Recomputes the limits of plain frames, after a change that may affect them. */
  #prepare(): void {
    const units = this.units;
    const isCalm = this.activity === RUNNING && !this.letsGo && units.scale === this.wantedScale && this.singleSteps === 0;
    const isEven = this.#isPlain || (this.debt === 0n && this.#drawn <= units.perStep);
    const room = BigInt(SAFE) - units.perStep;
    const longest = units.perNanoOfDelta === 0n ? this.#longest : least(this.#longest, room / units.perNanoOfDelta);
    this.#plainMost = isCalm && isEven && room >= 0n ? Math.min(Number(longest), SAFE) : -1;
    this.#plainPerStep = Number(units.perStep);
    this.#plainPerNano = Number(units.perNanoOfDelta);
  }

  #enter(): void {
    if (this.#isPlain) return;
    this.#isPlain = true;
    this.#fractionN = Number(this.fraction);
    this.#drawnN = Number(this.#drawn);
  }

  protected leave(): void {
    if (!this.#isPlain) return;
    this.#isPlain = false;
    this.#hasTime = this.count > 0 || this.#fractionN !== this.#beforeN;
    this.fraction = BigInt(this.#fractionN);
    this.#drawn = BigInt(this.#drawnN);
    this.#before = BigInt(this.#beforeN);
    this.#drawnBefore = BigInt(this.#drawnBeforeN);
    this.debt = 0n;
  }

  #limit(): void {
    // Policies that keep time have no limit besides their own.
    const accepted = this.#maxDelta ?? (this.overrun.kind === "drop" ? DEFAULT_MAX_DELTA : undefined);
    const countable = new Units(this.rate, this.wantedScale).longest;
    this.#longest = accepted === undefined ? (countable ?? BigInt(SAFE)) : least(countable ?? accepted, accepted);
    const units = new Units(this.rate, atLeastNormal(this.wantedScale));
    const steps = ceil(least(this.#maxDelta ?? DEFAULT_MAX_DELTA, units.longest!) * units.perNanoOfDelta, units.perStep);
    this.maxSteps = this.#wantedSteps ?? Number(least(steps, MOST_STEPS));
    this.#prepare();
  }

  setMaxDelta(nanos: bigint): void {
    this.#maxDelta = nanos;
    this.#limit();
  }

  setOverrun(overrun: Policy): void {
    this.overrun = overrun;
    this.#limit();
  }

  setMaxSteps(steps: number | undefined): void {
    this.#wantedSteps = steps;
    this.#limit();
  }

  setScale(scale: Terms): void {
    if (scale.numer === this.wantedScale.numer && scale.denom === this.wantedScale.denom) return;
    this.wantedScale = scale;
    // The same object if it is the scale in use.
    const { scale: former } = this.units;
    if (scale.numer === former.numer && scale.denom === former.denom) this.wantedScale = former;
    this.#limit();
  }

  lookAhead(): void {
    if (this.lookahead) return;
    this.lookahead = true;
    this.stepOnce();
  }

  stepOnce(): void {
    this.singleSteps = Math.min(this.singleSteps + 1, Number(MOST_STEPS));
    this.#prepare();
  }

  suspend(): void {
    this.activity = SUSPENDED;
    this.#prepare();
  }

  resume(): void {
    if (this.activity === SUSPENDED) this.activity = RESUMING;
    this.#prepare();
  }

  get isSuspended(): boolean {
    return this.activity !== RUNNING;
  }

  resync(): void {
    this.letsGo = true;
    if (this.activity === RUNNING) this.activity = RESUMING;
    this.#prepare();
  }

  reset(): void {
    this.units = new Units(this.rate, this.wantedScale);
    this.tick = 0;
    this.#isPlain = true;
    this.#fractionN = this.#drawnN = this.#beforeN = this.#drawnBeforeN = 0;
    this.debt = 0n;
    this.singleSteps = Number(this.lookahead);
    this.letsGo = false;
    this.count = 0;
    this.#prepare();
  }

  /** Takes the time since the last frame. */
  advance(delta: Nanos): void {
    if (!(delta <= this.#plainMost)) return this.#advanceWholly(BigInt(delta));
    if (!this.#isPlain) this.#enter();
    const perStep = this.#plainPerStep;
    const arrived = (delta as number) * this.#plainPerNano + this.#fractionN;
    // A quotient below 2⁵³ is rounded to an integer only if it is within 1/4 of it, so the remainder shows in which direction.
    let count = 0;
    let fraction = arrived;
    if (arrived >= perStep) {
      count = Math.floor(arrived / perStep);
      fraction = arrived - count * perStep;
      if (fraction < 0) {
        count--;
        fraction += perStep;
      }
    }
    if (count > this.maxSteps) return this.#advanceWholly(BigInt(delta));
    this.#beforeN = this.#fractionN;
    this.#drawnBeforeN = this.#drawnN;
    if (count > 0 || fraction > this.#drawnN) this.#drawnN = fraction;
    this.#fractionN = fraction;
    this.tick += count;
    this.count = count;
    this.alpha = Math.min(this.#drawnN / perStep, LARGEST_ALPHA);
    if (this.#wasPlain) return;
    this.#wasPlain = true;
    this.granted = 0;
    this.isBehind = this.isRounded = false;
    this.clamped = this.suspended = this.dropped = 0n;
    this.rounded = rational(0n, 1n);
  }

  /** Whether the last frame lost nothing. */
  #wasPlain = false;

  #advanceWholly(delta: bigint): void {
    this.leave();
    this.#wasPlain = false;
    this.clamped = this.suspended = this.dropped = 0n;
    this.rounded = rational(0n, 1n);
    if (this.letsGo) this.dropped = this.#letGo();
    if (this.units.scale !== this.wantedScale) this.rounded = this.rescale();
    this.#before = this.fraction + this.debt;
    this.#drawnBefore = this.#drawn;
    const { perStep } = this.units;
    const arrived = this.admit(delta) * this.units.perNanoOfDelta;
    this.#hasTime = arrived > 0n;
    const all = this.fraction + this.release(arrived);
    const due = all / perStep;
    this.fraction = all % perStep;
    const granted = least(due, BigInt(this.maxSteps));
    if (due > granted) this.dropped += this.#keepBackSteps(due - granted);
    this.#grant(Number(granted));
  }

  /** Drops the time that is kept back. Returns the number of dropped steps. */
  #letGo(): bigint {
    const all = this.fraction + this.debt;
    this.fraction = all % this.units.perStep;
    this.debt = 0n;
    this.letsGo = false;
    this.#drawn = most(this.#drawn, this.fraction);
    return all / this.units.perStep;
  }

  /** Changes to units that suit the time scale. Returns the amount that was rounded away. */
  protected rescale(): Rational {
    const former = this.units;
    // The least resolution that expresses both amounts and the new scale, or the scale's own if that exceeds 32 bits.
    const needed = former.resolution / gcd(gcd(former.resolution, this.fraction), this.debt);
    const own = BigInt(this.wantedScale.denom);
    const common = (needed / gcd(needed, own)) * own;
    const units = (this.units = new Units(this.rate, this.wantedScale, common > MOST_STEPS ? own : common));
    let residue = 0n;
    const convert = (amount: bigint): bigint => {
      const scaled = (amount % former.perStep) * units.resolution;
      residue += scaled % former.resolution;
      return (amount / former.perStep) * units.perStep + scaled / former.resolution;
    };
    this.fraction = convert(this.fraction);
    this.debt = convert(this.debt);
    const lost = residue;
    // Rounded up, so that the drawn time does not go back.
    this.#drawn = convert(this.#drawn);
    if (residue > lost) this.#drawn++;
    return rational(lost, units.perNano * former.resolution * BILLION);
  }

  /** The part of a delta that reaches the simulation. */
  protected admit(delta: bigint): bigint {
    if (this.activity !== RUNNING) {
      if (this.activity === RESUMING) this.activity = RUNNING;
      this.suspended = delta;
      return 0n;
    }
    if (delta > this.#longest && this.wantedScale.numer > 0) {
      this.clamped = delta - this.#longest;
      return this.#longest;
    }
    return delta;
  }

  /** The part of the arrived and kept-back time that may be stepped now. */
  protected release(arrived: bigint): bigint {
    const available = this.debt + arrived;
    let released = arrived === 0n ? 0n : available;
    if (arrived > 0n && this.overrun.kind === "stretch" && this.debt > 0n) {
      const { numer, denom } = atLeastNormal(this.overrun.speed);
      released = least(available, (arrived * BigInt(numer)) / BigInt(denom));
    }
    this.debt = available - released;
    return released;
  }

  #keepBackSteps(steps: bigint): bigint {
    const { perStep } = this.units;
    return this.keepBack(steps * perStep, perStep) / perStep;
  }

  /** Keeps as much time for later as the policy allows, a multiple of `grain`. Returns the time that exceeds it. */
  protected keepBack(time: bigint, grain: bigint): bigint {
    const { overrun } = this;
    if (overrun.kind === "drop") return time;
    const limit = this.units.perStep * MOST_STEPS;
    const room = overrun.kind === "carry" ? least(overrun.most * this.units.perNano, limit) : limit;
    const kept = least(time, most(room / grain - ceil(this.debt, grain), 0n) * grain);
    this.debt += kept;
    return time - kept;
  }

  #grant(granted: number): void {
    const single = this.singleSteps;
    this.singleSteps = 0;
    const wanted = Math.min(granted + single, Number(MOST_STEPS));
    const count = Math.min(wanted, SAFE - this.tick);
    this.dropped += BigInt(wanted - count);
    this.tick += count;
    this.count = count;
    this.granted = wanted - granted;
    this.#drawn = count === 0 ? most(this.#drawn, this.fraction) : this.fraction;
    this.#finish();
  }

  #finish(): void {
    this.isBehind = this.debt > 0n;
    this.isRounded = this.rounded.numer > 0n;
    const { perStep } = this.units;
    const double = (units: bigint) => Number(units >> 64n) * 2 ** 64 + Number(units & 0xffff_ffff_ffff_ffffn);
    this.alpha = Math.min(double(this.#drawn) / double(perStep), LARGEST_ALPHA);
    this.#prepare();
  }

  /** Takes back the last `unrun` steps of the last frame, or all of them if it has fewer. */
  giveBack(unrun: number): void {
    this.leave();
    this.#wasPlain = false;
    this.tick -= unrun;
    this.count -= unrun;
    if (this.count === 0) this.#drawn = most(this.#drawn, this.#drawnBefore);
    this.dropped += this.#keepBackSteps(BigInt(unrun));
    this.#finish();
  }

  protected get amounts(): [fraction: bigint, debt: bigint, drawn: bigint, before: bigint] {
    return this.#isPlain
      ? [BigInt(this.#fractionN), 0n, BigInt(this.#drawnN), BigInt(this.#beforeN)]
      : [this.fraction, this.debt, this.#drawn, this.#before];
  }

  protected time(units: bigint): Rational {
    return rational(units, this.units.perNano * BILLION);
  }

  get overstep(): Rational {
    const [fraction, debt] = this.amounts;
    return this.time(fraction + debt);
  }

  get currentTime(): Rational {
    return atTick(BigInt(this.tick), this.rate);
  }

  get drawnTime(): Rational {
    if (this.tick === 0) return rational(0n, 1n);
    return add(atTick(BigInt(this.tick - 1), this.rate), this.time(this.amounts[2]));
  }

  get extrapolatedTime(): Rational {
    return add(this.currentTime, this.time(this.amounts[2]));
  }

  /** Whether the drawn time has reached the end of the current step: the frame then shows the next state. */
  get isDrawnWhole(): boolean {
    return this.#isPlain ? this.#drawnN >= this.#plainPerStep : this.#drawn >= this.units.perStep;
  }

  /** Whether the last frame belongs to a pause: no time arrived, and no single step was requested. */
  get stoodStill(): boolean {
    if (this.#isPlain) return this.count === 0 && this.#fractionN === this.#beforeN;
    return !this.#hasTime && this.granted === 0;
  }

  get progress(): Progress {
    const [fraction, debt, , before] = this.amounts;
    const { perStep } = this.units;
    const end = BigInt(this.count) * perStep + fraction + debt;
    return { first: BigInt(this.tick - this.count), early: 0n, begin: before, end, perStep };
  }

  /** Whether simulated time will not advance with any delta, also after a pause that is about to end. */
  get standsStill(): boolean {
    return this.activity === SUSPENDED || this.wantedScale.numer === 0 || this.#longest === 0n;
  }

  /** Nanoseconds of real time until the next step is due; `undefined` if no step will become due. */
  get untilNextStep(): bigint | undefined {
    if (this.singleSteps > 0) return 0n;
    if (this.maxSteps === 0 || this.standsStill) return undefined;
    if (this.activity === RESUMING) return 0n;
    return this.afterRescale((fraction) => this.units.perStep - fraction);
  }

  /** The real time until a number of units is released, as if the new scale were in use already. */
  protected afterRescale(needed: (fraction: bigint) => bigint): bigint {
    this.leave();
    const kept = { units: this.units, fraction: this.fraction, debt: this.debt, drawn: this.#drawn };
    if (this.units.scale !== this.wantedScale) this.rescale();
    const until = this.#untilReleased(needed(this.fraction));
    this.units = kept.units;
    this.fraction = kept.fraction;
    this.debt = kept.debt;
    this.#drawn = kept.drawn;
    this.#prepare();
    return until;
  }

  #untilReleased(needed: bigint): bigint {
    const speed = this.units.perNanoOfDelta;
    const toArrive = most(ceil(most(needed - this.debt, 0n), speed), 1n);
    if (this.overrun.kind !== "stretch" || this.debt === 0n) return toArrive;
    const { numer, denom } = atLeastNormal(this.overrun.speed);
    return most(toArrive, ceil(needed * BigInt(denom), speed * BigInt(numer)));
  }
}
