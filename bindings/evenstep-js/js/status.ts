// What the WebAssembly returns when it refuses.

import { type EvenstepErrorCode, fail } from "./errors.js";

// From 1 on the numbers that the WebAssembly returns; src/objects.rs has the same.
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
  Full: "there is no room; nothing was taken",
};

/** Throws unless a status is 0. `call` names the method, and `why` says more where that helps. */
export function check(status: number, call: string, why?: string): void {
  if (status === 0) return;
  const code = codes[status] ?? "Fault";
  fail(code, call, why ?? texts[code] ?? "a fault in evenstep; please report it");
}
