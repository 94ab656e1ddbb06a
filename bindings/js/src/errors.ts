// Errors.

/** The kind of error, for programs. */
export type EvenstepErrorCode =
  | "Negative"
  | "NotFinite"
  | "Ratio"
  | "Range"
  | "Size"
  | "Missing"
  | "Order"
  | "Full"
  | "Type";


/** Thrown for invalid input and calls out of order. The call has changed nothing, and the program may continue. */
export class EvenstepError extends Error {
  /** The kind of error, for programs. */
  readonly code: EvenstepErrorCode;

  /** @internal */
  constructor(code: EvenstepErrorCode, message: string) {
    super(message);
    this.name = "EvenstepError";
    this.code = code;
  }
}

/** Throws an error. `call` names the method, and `why` is the reason. */
export function fail(code: EvenstepErrorCode, call: string, why: string): never {
  throw new EvenstepError(code, `${call}: ${why}`);
}

/** A value as text for an error message. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

export function refuse(code: EvenstepErrorCode, name: string, value: unknown, wanted: string): never {
  throw new EvenstepError(code, `${name} is ${show(value)}; it must be ${wanted}`);
}

/** Throws unless options are an object. */
export function objectOf<Options extends object>(options: Options, name: string): Options {
  if (typeof options !== "object" || options === null) refuse("Type", name, options, "an object");
  return options;
}

/** Throws unless a number is an integer within its range. */
export function integer(value: number, name: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const wanted = `a whole number from ${least} to ${most}`;
  finite(value, name, wanted);
  refuse("Range", name, value, wanted);
}

/** Throws unless a number is finite. */
export function finite(value: number, name: string, wanted = "a finite number"): number {
  if (typeof value !== "number") refuse("Type", name, value, wanted);
  if (!Number.isFinite(value)) refuse("NotFinite", name, value, wanted);
  return value;
}
