// Exact simulated time.

import { wasm } from "./steps_wasm.js";

/** An exact time: whole seconds and a fraction of a second below 1, in lowest terms. */
export class ExactTime {
  /** Whole seconds. */
  readonly seconds: bigint;
  /** The numerator of the fraction of a second. */
  readonly numerator: bigint;
  /** Its denominator. */
  readonly denominator: bigint;

  /** @internal */
  constructor(seconds: bigint, numerator: bigint, denominator: bigint) {
    this.seconds = seconds;
    this.numerator = numerator;
    this.denominator = denominator;
  }

  /** In seconds, rounded to a number. */
  toSeconds(): number {
    return Number(this.seconds) + Number(this.numerator) / Number(this.denominator);
  }

  /** In seconds, exactly, such as "3 + 1/60". */
  toString(): string {
    return this.numerator === 0n ? `${this.seconds}` : `${this.seconds} + ${this.numerator}/${this.denominator}`;
  }
}

/** The exact time in five slots from one on. */
export function exactAt(slot: number): ExactTime {
  const part = (at: number) => BigInt.asUintN(64, wasm.integerAt(slot + at));
  return new ExactTime(part(0), (part(1) << 64n) | part(2), (part(3) << 64n) | part(4));
}
