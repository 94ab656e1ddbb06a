// What is thrown.

/** What is wrong, as a word for programs. */
export type EvenstepErrorCode =
  | "Fault"
  | "Negative"
  | "NotFinite"
  | "Ratio"
  | "Range"
  | "Size"
  | "Missing"
  | "Order"
  | "TimeWentBack"
  | "Full"
  | "Type"
  | "Disposed";

/** What is wrong with a delta that is out of range. */
export const TOO_LONG = "all deltas exceed 292 years";

/** Bad input, or a call out of order. Nothing has changed when it is thrown, and the program may go on. */
export class EvenstepError extends Error {
  /** What is wrong, as a word for programs. */
  readonly code: EvenstepErrorCode;

  /** @internal */
  constructor(code: EvenstepErrorCode, message: string) {
    super(message);
    this.name = "EvenstepError";
    this.code = code;
  }
}

/** Throws. `call` names the method, and `why` says what is wrong. */
export function fail(code: EvenstepErrorCode, call: string, why: string): never {
  throw new EvenstepError(code, `${call}: ${why}`);
}

/** A value as an error shows it. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

export function refuse(code: EvenstepErrorCode, name: string, value: unknown, wanted: string): never {
  throw new EvenstepError(code, `${name} is ${show(value)}; it must be ${wanted}`);
}

/** Sees that options are an object. */
export function objectOf<Options extends object>(options: Options, name: string): Options {
  if (typeof options !== "object" || options === null) refuse("Type", name, options, "an object, or left out");
  return options;
}

/** Sees that a number is whole and within its range. */
export function whole(value: number, name: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const wanted = `a whole number from ${least} to ${most}`;
  finite(value, name, wanted);
  refuse("Range", name, value, wanted);
}

/** Sees that a number is finite. */
export function finite(value: number, name: string, wanted = "a finite number"): number {
  if (typeof value !== "number") refuse("Type", name, value, wanted);
  if (!Number.isFinite(value)) refuse("NotFinite", name, value, wanted);
  return value;
}
