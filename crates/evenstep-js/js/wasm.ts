// WebAssembly, which is in this package as text: nothing is fetched, so it runs wherever modules do.

import { decode } from "./encoding.js";

/** What the bindings of a module have. */
type Init = (module: { module: Uint8Array<ArrayBuffer> }) => { readonly memory: WebAssembly.Memory };

/** The memory of a module. Its arrays are others when it has grown. */
export class Memory {
  readonly #memory: WebAssembly.Memory;
  #floats: Float64Array;
  #integers: BigInt64Array;

  /** Of a module that is started now. */
  constructor(init: Init, encoded: string, letters: string) {
    this.#memory = init({ module: decode(encoded, letters) }).memory;
    this.#floats = new Float64Array(this.#memory.buffer);
    this.#integers = new BigInt64Array(this.#memory.buffer);
  }

  /** All of it as numbers. */
  get numbers(): Float64Array {
    if (this.#floats.length === 0) this.#floats = new Float64Array(this.#memory.buffer);
    return this.#floats;
  }

  /** All of it as integers. */
  get integers(): BigInt64Array {
    if (this.#integers.length === 0) this.#integers = new BigInt64Array(this.#memory.buffer);
    return this.#integers;
  }

  /** A view of floats in it. */
  floatsAt(address: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, count);
  }
}
