// Exact simulated time.

export function gcd<Whole extends number | bigint>(one: Whole, other: Whole): Whole {
  while (other) [one, other] = [other, (one % other) as Whole];
  return one;
}

/** An exact time: whole seconds and a fraction of a second below 1, in lowest terms. */
export class ExactTime {
  /** Whole seconds. */
  readonly seconds: bigint;
  /** The numerator of the fraction of a second. */
  readonly numerator: bigint;
  /** Its denominator. */
  readonly denominator: bigint;

  /** @internal */
  constructor(units: bigint, perSecond: bigint) {
    const rest = units % perSecond;
    const divisor = gcd(perSecond, rest);
    this.seconds = units / perSecond;
    this.numerator = rest / divisor;
    this.denominator = perSecond / divisor;
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
