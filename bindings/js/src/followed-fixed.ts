// Ratios as whole numbers of 2^-24, as in crates/evenstep/src/filter/follow_clock/fixed.rs.

/** A ratio of 1. */
export const ONE = 0x100_0000;

/** A number of nanoseconds times a ratio, rounded down. */
export function product(nanos: number, ratio: number): number {
  const high = Math.floor(nanos / ONE);
  return high * ratio + Math.floor(((nanos - high * ONE) * ratio) / ONE);
}

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
