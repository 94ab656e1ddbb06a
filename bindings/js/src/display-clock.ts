// The default filter: a second-order phase-locked loop, with the integers of crates/evenstep/src/filter/display_clock.rs.

import type { DeltaFilter } from "./filter.js";
import { integer } from "./errors.js";

// Nanoseconds. The reason for each is in the Rust source.
/** The residual that it returns to. */
export const AIM = -2_000_000;
const MAX_LAG = 3_000_000;
const MAX_LEAD = 4_000_000;
const HITCH = 250_000_000;
/** Gains as powers of two: 1/512 and 1/128. */
const PERIOD_SHIFT = 9;
const PHASE_SHIFT = 7;
/** After so many frames in a row at the same bound the period is another. */
const RELOCK = 32;
/** The period is counted in 2^-16 ns; every number here is whole and below 2^53. */
const UNITS = 0x1_0000;

/**
 * Evens out the times of frames, never further from the clock than 4 ms ahead and 3 ms behind. It outputs the estimated time between
 * frames, corrected by 1/128 of the deviation from the clock. A delta beyond 250 ms is passed on in its frame. It serves one timestep:
 * `new FixedTimestep(60, { filter: new DisplayClock() })`.
 */
export class DisplayClock implements DeltaFilter {
  #period = 0;
  #residual = 0;
  #frames = 0;
  #atBound = 0;

  /** The most nanoseconds by which it may lead the clock. */
  readonly maxLead: number = MAX_LEAD;

  /** Nanoseconds that came in and do not count yet; negative while it leads the clock. */
  get residual(): number {
    return this.#residual;
  }

  /** Takes the nanoseconds since the last frame, and returns those for the timestep, which calls it. */
  apply(delta: number): number {
    integer(delta, "delta", 0, Number.MAX_SAFE_INTEGER);
    if (delta > HITCH) {
      const given = delta + this.#residual - AIM;
      if (given > Number.MAX_SAFE_INTEGER) return delta;
      this.#residual = AIM;
      return given;
    }
    const given = this.#even(delta);
    this.#residual += delta - given;
    return given;
  }

  #even(delta: number): number {
    const owed = this.#residual + delta;
    if (this.#frames === 0) {
      this.#startOver(delta);
      return Math.max(owed - AIM, 0);
    }
    this.#frames = Math.min(this.#frames + 1, 0xffff_ffff);
    const age = 31 - Math.clz32(this.#frames);
    this.#period += shifted(delta * UNITS - this.#period, Math.min(age, PERIOD_SHIFT));
    const period = Math.floor(this.#period / UNITS);
    const wanted = period + shifted(owed - AIM - period, Math.min(age + 1, PHASE_SHIFT));
    const given = Math.max(Math.min(Math.max(wanted, owed - MAX_LAG), owed + MAX_LEAD), 0);
    const side = Math.sign(given - wanted);
    this.#atBound = side === Math.sign(this.#atBound) ? this.#atBound + side : side;
    if (Math.abs(this.#atBound) >= RELOCK) this.#startOver(delta);
    return given;
  }

  #startOver(delta: number): void {
    this.#period = delta * UNITS;
    this.#frames = 1;
    this.#atBound = 0;
  }
}

/** An arithmetic shift, which rounds down. A division by a power of two is exact. */
export const shifted = (value: number, bits: number): number => Math.floor(value / 2 ** bits);
