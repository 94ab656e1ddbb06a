// Exact simulated time.

/** A number of seconds: not in lowest terms. */
export interface Rational {
  readonly numer: bigint;
  readonly denom: bigint;
}

export function gcd<Whole extends number | bigint>(one: Whole, other: Whole): Whole {
  while (other) [one, other] = [other, (one % other) as Whole];
  return one;
}

export const rational = (numer: bigint, denom: bigint): Rational => ({ numer, denom });

export const add = (one: Rational, other: Rational): Rational =>
  rational(one.numer * other.denom + other.numer * one.denom, one.denom * other.denom);

/** When a tick begins. */
export const atTick = (tick: bigint, rate: { readonly numer: number; readonly denom: number }): Rational =>
  rational(tick * BigInt(rate.denom), BigInt(rate.numer));

/** The difference of two times as a number of seconds, rounded. */
export function secondsBetween(from: Rational, to: Rational): number {
  return new ExactTime(add(to, rational(-from.numer, from.denom))).toSeconds();
}

const MOST_SECONDS = 0xffff_ffff_ffff_ffffn;

/** An exact time: whole seconds and a fraction of a second below 1, in lowest terms. */
export class ExactTime {
  /** Whole seconds. */
  readonly seconds: bigint;
  /** The numerator of the fraction of a second. */
  readonly numerator: bigint;
  /** Its denominator. */
  readonly denominator: bigint;

  /** @internal */
  constructor({ numer, denom }: Rational) {
    const rest = numer % denom;
    const divisor = gcd(denom, rest);
    const isEndless = numer / denom >= MOST_SECONDS;
    this.seconds = isEndless ? MOST_SECONDS : numer / denom;
    this.numerator = isEndless ? 0n : rest / divisor;
    this.denominator = isEndless ? 1n : denom / divisor;
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
