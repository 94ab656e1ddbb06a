// Times and ratios.

import { finite, integer, refuse } from "./errors.js";
import { gcd } from "./exact.js";

/**
 * A time or a duration: milliseconds as a number, as from `performance.now()` and `requestAnimationFrame`, or nanoseconds as a bigint,
 * as from Node.js' `process.hrtime.bigint()`. Milliseconds are rounded to the nearest nanosecond.
 */
export type Time = number | bigint;

/**
 * A ratio: a number, or numerator and denominator, whole numbers below 2³². `[60000, 1001]` hertz is exactly NTSC's 59.94….
 * Numbers have the value of their decimal digits: 59.94 is exactly 5994/100, and 0.1 is a tenth.
 */
export type Ratio = number | readonly [numerator: number, denominator: number];

const MAX_U32 = 0xffff_ffff;

/** The largest whole millisecond that nanoseconds of 63 bits hold. */
export const LATEST = 9_223_372_036_853;

/** The result of the last `split`: whole milliseconds, and nanoseconds beyond. It is shared, so that no frame allocates it. */
export const parts = { millis: 0, nanos: 0 };

const wanted = "milliseconds, not negative, or nanoseconds as a bigint";

/** Splits a time into `parts`. Only the nanoseconds are rounded, and only once. */
export function split(time: Time, name: string): void {
  if (typeof time !== "bigint") finite(time, name, wanted);
  if (time < 0) refuse("Negative", name, time, wanted);
  if (typeof time === "bigint") {
    parts.millis = Number(time / 1_000_000n);
    parts.nanos = Number(time % 1_000_000n);
  } else {
    parts.millis = Math.trunc(time);
    parts.nanos = Math.round((time - parts.millis) * 1e6);
  }
  if (parts.millis > LATEST) refuse("Range", name, time, "below 292 years");
}

/** A duration in nanoseconds. */
export function nanoseconds(time: Time, name: string): bigint {
  split(time, name);
  return BigInt(parts.millis) * 1_000_000n + BigInt(parts.nanos);
}

/** A ratio in lowest terms: whole numbers below 2³². */
export interface Terms {
  readonly numer: number;
  readonly denom: number;
}

function terms(numer: number, denom: number): Terms {
  const divisor = gcd(numer, denom);
  return { numer: numer / divisor, denom: denom / divisor };
}

/** The terms of a rate. Throws if they are not exact. */
export function rate(value: Ratio, name: string): Terms {
  const exact = ratio(value, name);
  if (typeof value === "number" && exact.numer / exact.denom !== value) {
    refuse("Ratio", name, value, "exact as numerator and denominator, such as [60000, 1001]");
  }
  if (exact.numer === 0) refuse("Ratio", name, value, "above zero");
  return exact;
}

/** The terms of a ratio: as given, or from as many decimal digits of a number as fit. */
export function ratio(value: Ratio, name: string): Terms {
  if (Array.isArray(value)) {
    return terms(integer(value[0], `${name}[0]`, 0, MAX_U32), integer(value[1], `${name}[1]`, 1, MAX_U32));
  }
  const wanted = `a number from 0 to ${MAX_U32}, or numerator and denominator`;
  const number = finite(value as number, name, wanted);
  if (number < 0 || number > MAX_U32) refuse("Range", name, value, wanted);
  let denom = 1;
  while (Math.round(number * denom) / denom !== number && denom < 1e9 && Math.round(number * denom * 10) <= MAX_U32) denom *= 10;
  return terms(Math.round(number * denom), denom);
}
