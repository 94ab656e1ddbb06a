// What is thrown.

/** What is wrong, as a word for programs. */
export type EvenstepErrorCode = (typeof codes)[number];

// From 1 on the numbers that the WebAssembly answers with; src/objects.rs has the same.
const codes = [
  "Fault",
  "Negative",
  "NotFinite",
  "Ratio",
  "Range",
  "Size",
  "Missing",
  "Order",
  "TimeWentBack",
  "Full",
  "Type",
  "Disposed",
] as const;

/** The status of a time that is more than a second earlier than that of the last frame. */
export const TIME_WENT_BACK = codes.indexOf("TimeWentBack");

/** What is wrong with a delta that is out of range. */
export const TOO_LONG = "all deltas exceed 292 years";

const texts: Partial<Record<EvenstepErrorCode, string>> = {
  Negative: "a time is negative",
  NotFinite: "a number is NaN or infinite",
  Ratio: "a rate needs a numerator and a denominator above zero, a time scale a denominator above zero",
  Range: "a number is outside its range",
  Size: "an array is shorter than it must be",
  Missing: "there is no such row or task",
  Order: "called out of order",
  TimeWentBack:
    "the time is more than a second earlier than that of the last frame; take all times from one clock, such as the argument of requestAnimationFrame",
  Full: "there is no room; nothing was taken",
};

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

/** Throws unless a status is 0. `call` names the method, and `why` says more where that helps. */
export function check(status: number, call: string, why?: string): void {
  if (status === 0) return;
  const code = codes[status] ?? "Fault";
  throw new EvenstepError(code, `${call}: ${why ?? texts[code] ?? "a fault in evenstep; please report it"}`);
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
  const wanted = `a whole number from ${least} to ${most}`;
  if (typeof value !== "number") refuse("Type", name, value, wanted);
  if (!Number.isFinite(value)) refuse("NotFinite", name, value, wanted);
  if (!Number.isInteger(value) || value < least || value > most) refuse("Range", name, value, wanted);
  return value;
}

/** Sees that a number is finite. */
export function finite(value: number, name: string): number {
  if (typeof value !== "number") refuse("Type", name, value, "a number");
  if (!Number.isFinite(value)) refuse("NotFinite", name, value, "a finite number");
  return value;
}
