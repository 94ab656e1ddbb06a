// A clock that follows the refreshes of a display: crates/evenstep/src/filter/refresh_clock.rs says how and why.

import { shifted } from "./display-clock.js";
import { type Elapsed, FollowingClock, ONE } from "./followed-time.js";
import { type Ratio, type Terms, rate } from "./time.js";

const HITCH = 250_000_000;
const SETTLED = 256;
const FIRST = 16;
const PERIOD_SHIFT = 9;
/** The period is counted in 2^-16 ns. */
const UNITS = 0x1_0000;
const SHORTEST = 65_536;
/** The longest pattern, and the greatest change of the speed. */
const PATTERNS = [[8, 0.02], [64, 0.005]] as const;
const GIVEN_UP = 0.025;
const LOCK_SHARE = 6;
const UNLOCK_SHARE = 5;
const EARLY = [[32, 12], [64, 8]] as const;
const PHASE_SHIFT = 4;
const SPREAD_SHIFT = 6;

/**
 * A clock that follows the display, if that shows a frame in every refresh: each refresh brings the same part of a step, so that pictures that
 * are not blended are shown evenly:
 *
 *     const timestep = new FixedTimestep([262144, 4389], { clock: new RefreshClock([262144, 4389]) });
 *
 * The simulation is then faster or slower by up to 2 %, or by up to 0.5 % in a pattern of more than 8 refreshes: `speed` says by how much.
 * Without a period, or a pattern of at most 64 refreshes, it steps aside, and is a `DisplayClock`. It needs 256 frames to know.
 */
export class RefreshClock extends FollowingClock {
  readonly #rate: Terms;
  /** The pattern: `steps` in every `refreshes`. No steps if there is none. */
  #steps = 0;
  #refreshes = 1;
  /** What a refresh brings: nanoseconds, and a rest over `refreshes` times the numerator of the rate; and the rests so far. */
  #whole = 0;
  #rest = 0;
  #rests = 0;
  #phase = 0;
  #spread = 0;
  #frames = 0;
  /** The time between refreshes. */
  #period = UNITS;

  /** A clock for this number of steps a second. */
  constructor(steps: Ratio) {
    super();
    this.#rate = rate(steps, "the rate");
  }

  /** Whether the display has a period that it knows, and a pattern. */
  get isFollowing(): boolean {
    return this.#steps > 0;
  }

  protected get rate(): number {
    return this.#steps === 0 ? ONE : Math.floor((this.#whole * ONE) / this.#nanos);
  }

  protected get rateNow(): number {
    return this.rate;
  }

  protected goOn(): void {}

  get #nanos(): number {
    return Math.floor(this.#period / UNITS);
  }

  protected advance({ passed, even, time }: Elapsed): number {
    if (passed > HITCH) {
      this.#phase = 0;
      return even + (this.#steps > 0 ? this.#alignment(time + even) : 0);
    }
    if (this.#frames === 0 || (this.#frames < FIRST && passed * 8 < this.#nanos * 5)) {
      this.#frames = 1;
      this.#phase = this.#spread = 0;
      this.#period = Math.max(passed, SHORTEST) * UNITS;
      return even;
    }
    this.#frames = Math.min(this.#frames + 1, 0xffff_ffff);
    const nearest = Math.max(Math.floor((passed + Math.floor(this.#nanos / 2)) / this.#nanos), 1);
    const deviation = Math.floor((passed * UNITS) / nearest) - this.#period;
    this.#period += shifted(deviation, Math.min(31 - Math.clz32(this.#frames), PERIOD_SHIFT));
    this.#period = Math.max(this.#period, SHORTEST * UNITS);
    const period = this.#nanos;
    const since = this.#phase + passed;
    const count = Math.floor((since + Math.floor(period / 2)) / period);
    const distance = since - count * period;
    this.#spread += shifted(Math.abs(distance) - this.#spread, SPREAD_SHIFT);
    this.#phase = distance - shifted(distance, PHASE_SHIFT);

    const ofRefresh = (period * this.#rate.numer) / (1e9 * this.#rate.denom);
    if (this.#steps === 0) {
      if (EARLY.some(([frames, share]) => this.#frames === frames && this.#spread * share >= period)) this.#frames = 0;
      if (this.#frames < SETTLED) return even;
      if (this.#spread * LOCK_SHARE >= period) this.#frames = 0;
      else if (this.#choose(ofRefresh)) return even + this.#alignment(time + even);
      return even;
    }
    const wanted = ofRefresh * this.#refreshes;
    const isOff = this.#steps - wanted > GIVEN_UP * wanted || wanted - this.#steps > GIVEN_UP * wanted;
    if (isOff || this.#spread * UNLOCK_SHARE > period) {
      this.#steps = this.#frames = 0;
      return even;
    }
    const denom = this.#refreshes * this.#rate.numer;
    const rests = this.#rests + count * this.#rest;
    this.#rests = rests % denom;
    return count * this.#whole + Math.floor(rests / denom);
  }

  /** Takes the shortest pattern that is near enough. Returns whether there is one. */
  #choose(ofRefresh: number): boolean {
    for (const [longest, tolerance] of PATTERNS) {
      for (let refreshes = 1; refreshes <= longest; refreshes++) {
        const wanted = ofRefresh * refreshes;
        const steps = Math.floor(wanted + 0.5);
        if (steps >= 1 && steps < 1e6 && Math.abs(steps - wanted) <= tolerance * wanted) {
          this.#take(steps, refreshes);
          return true;
        }
      }
    }
    return false;
  }

  #take(steps: number, refreshes: number): void {
    const denom = BigInt(refreshes) * BigInt(this.#rate.numer);
    const pattern = BigInt(this.#rate.denom) * 1_000_000_000n * BigInt(steps);
    this.#steps = steps;
    this.#refreshes = refreshes;
    this.#whole = Number(pattern / denom);
    this.#rest = Number(pattern % denom);
    this.#rests = 0;
  }

  /** What brings a time to the middle between two refreshes that end steps. */
  #alignment(time: number): number {
    const refresh = BigInt(this.#rate.denom) * 1_000_000_000n;
    const units = BigInt(this.#rate.numer) * BigInt(this.#refreshes);
    const within = (BigInt(time) * units) % refresh;
    return Number((refresh / 2n + (within <= refresh / 2n ? 0n : refresh) - within) / units);
  }
}
