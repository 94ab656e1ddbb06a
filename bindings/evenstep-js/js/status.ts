// Errors of the WebAssembly.

import { type EvenstepErrorCode, fail } from "./errors.js";

// The index is the status that the WebAssembly returns; src/objects.rs has the same numbers.
const codes: EvenstepErrorCode[] = [
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
];

const texts: Partial<Record<EvenstepErrorCode, string>> = {
  Negative: "a time is negative",
  NotFinite: "a number is NaN or infinite",
  Ratio: "a rate needs a numerator and a denominator above zero, a time scale a denominator above zero",
  Range: "a number is outside its range",
  Size: "an array is shorter than it must be",
  Missing: "there is no such row or task",
  Order: "called out of order",
  Full: "the buffer or list is full; nothing was added",
};

/** Throws unless a status is 0. `call` names the method, and `why` is a more precise reason. */
export function check(status: number, call: string, why?: string): void {
  if (status === 0) return;
  const code = codes[status] ?? "Fault";
  fail(code, call, why ?? texts[code] ?? "a bug in evenstep; please report it");
}
