// The refreshes of a display: each brings the same part of a step: crates/evenstep/src/filter/follow_clock/display.rs says why.

import { type DisplayClock, shifted } from "./display-clock.js";
import { ONE, clamp } from "./followed-fixed.js";
import type { Terms } from "./time.js";

const HITCH = 250_000_000;
const SETTLED = 256;
const PERIOD_SHIFT = 9;
/** The period is counted in 2^-16 ns. */
const UNITS = 0x1_0000;
const SHORTEST = 65_536;
/** The longest pattern, and the greatest change of the speed. */
const PATTERNS = [[8, 0.02], [64, 0.005]] as const;
const GIVEN_UP = 0.025;
const LOCK_SHARE = 8;
const UNLOCK_SHARE = 6;
const PHASE_SHIFT = 4;
const SPREAD_SHIFT = 6;

export class FollowedDisplay {
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
  /** By how much the last frame lags the page's clock at most, if the display is followed. */
  lag: number | undefined;

  constructor(rate: Terms) {
    this.#rate = rate;
  }

  get isLocked(): boolean {
    return this.#steps > 0;
  }

  /** Simulated seconds a second, in 2^-24. */
  get rate(): number {
    return this.#steps === 0 ? ONE : Math.floor((this.#whole * ONE) / this.#nanos);
  }

  get #nanos(): number {
    return Math.floor(this.#period / UNITS);
  }

  advance(passed: number, even: number, time: number, filter: DisplayClock): number {
    this.lag = undefined;
    if (filter.isStarting) {
      this.#steps = this.#frames = this.#phase = this.#spread = 0;
      this.#period = clamp(passed, SHORTEST, HITCH) * UNITS;
      return even;
    }
    if (passed > HITCH) {
      this.#phase = 0;
      return even + (this.#steps > 0 ? this.#alignment(time + even) : 0);
    }
    this.#frames = Math.min(this.#frames + 1, 0xffff_ffff);
    const nearest = Math.max(Math.floor((passed + Math.floor(this.#nanos / 2)) / this.#nanos), 1);
    const deviation = Math.floor((passed * UNITS) / nearest) - this.#period;
    this.#period += shifted(deviation, Math.min(31 - Math.clz32(this.#frames), PERIOD_SHIFT));
    this.#period = Math.max(this.#period, SHORTEST * UNITS);
    const period = this.#nanos;
    const since = this.#phase + passed;
    const half = Math.floor(period / 2);
    const count = Math.floor((since + half) / period);
    const distance = since - count * period;
    this.#spread += shifted(Math.abs(distance) - this.#spread, SPREAD_SHIFT);
    this.#phase = distance - shifted(distance, PHASE_SHIFT);

    const ofRefresh = (period * this.#rate.numer) / (1e9 * this.#rate.denom);
    if (this.#steps === 0) {
      const isKnown = this.#frames >= SETTLED && this.#spread * LOCK_SHARE < period && this.#choose(ofRefresh);
      return even + (isKnown ? this.#alignment(time + even) : 0);
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
    this.lag = distance + half;
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
    const cell = (1e9 * this.#rate.denom) / this.#rate.numer / this.#refreshes;
    const cells = time / cell;
    const within = cells - Math.floor(cells - 0.5 + 0.5);
    return Math.trunc((within <= 0.5 ? 0.5 - within : 1.5 - within) * cell);
  }
}
