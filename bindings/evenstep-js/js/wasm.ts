// WebAssembly, which this package contains as text: nothing is fetched, so it runs wherever modules do.

import { decode } from "./encoding.js";

/** The generated bindings of a module. */
interface Bindings {
  initSync(module: { module: Uint8Array<ArrayBuffer> }): { readonly memory: WebAssembly.Memory };
  slots(): number;
  call(object: number, what: number, a: number, b: number, c: number, d: number): number;
}

/** A module: its objects, and the slots in its memory for results. Views of memory are created again when it has grown. */
export class Wasm {
  readonly #bindings: Bindings;
  readonly #memory: WebAssembly.Memory;
  readonly #slots: number;
  #numbers = new Float64Array();

  /** Decodes and starts a module. */
  constructor(bindings: Bindings, encoded: string, often: bigint) {
    this.#bindings = bindings;
    this.#memory = bindings.initSync({ module: decode(encoded, often) }).memory;
    this.#slots = bindings.slots();
  }

  /** Calls a function of an object; `what` is a number of src/calls.rs. Object 0 creates and frees objects. Returns a status. */
  call(object: number, what: number, a = 0, b = 0, c = 0, d = 0): number {
    return this.#bindings.call(object, what, a, b, c, d);
  }

  /** A number of the last call's result, in a slot. */
  numberAt(slot: number): number {
    this.#renew();
    return this.#numbers[slot]!;
  }

  /** Writes a number to a slot, for the next call. */
  put(slot: number, number: number): void {
    this.#renew();
    this.#numbers[slot] = number;
  }

  /** A view of floats in memory. */
  floatsAt(address: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, count);
  }

  /** Creates the views of the slots if they are empty, as at first and after memory has grown. */
  #renew(): void {
    if (this.#numbers.length > 0) return;
    this.#numbers = new Float64Array(this.#memory.buffer, this.#slots);
  }
}
