// The WebAssembly, which is in this package as text: nothing is fetched, so it runs wherever modules do.

import { initSync } from "./generated/bindings.js";
import { encoded } from "./generated/encoded.js";
import { decode } from "./encoding.js";

const { memory } = initSync({ module: decode(encoded) });

let floats = new Float64Array(memory.buffer);
let integers = new BigInt64Array(memory.buffer);

/** All memory as numbers. It is another array when memory has grown. */
export function numbersInMemory(): Float64Array {
  if (floats.length === 0) floats = new Float64Array(memory.buffer);
  return floats;
}

/** All memory as integers. */
export function integersInMemory(): BigInt64Array {
  if (integers.length === 0) integers = new BigInt64Array(memory.buffer);
  return integers;
}

/** A view of floats in memory. */
export function floatsAt(address: number, count: number): Float32Array {
  return new Float32Array(memory.buffer, address, count);
}
