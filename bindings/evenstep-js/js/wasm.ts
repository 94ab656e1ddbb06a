// WebAssembly, which is in this package as text: nothing is fetched, so it runs wherever modules do.

import { decode } from "./encoding.js";
import { type Time, parts, split } from "./time.js";

/** The status of a call that has nothing to hand out. */
export const NONE = 100;

/** What the bindings of a module have. */
interface Bindings {
  initSync(module: { module: Uint8Array<ArrayBuffer> }): { readonly memory: WebAssembly.Memory };
  slots(): number;
  call(object: number, what: number, a: number, b: number, c: number, d: number): number;
}

/** A module: its objects, and the slots in its memory where results are. Views of memory are others when it has grown. */
export class Wasm {
  readonly #bindings: Bindings;
  readonly #memory: WebAssembly.Memory;
  readonly #slots: number;
  #numbers = new Float64Array();
  #integers = new BigInt64Array();

  /** Of a module that is started now. */
  constructor(bindings: Bindings, encoded: string, often: bigint) {
    this.#bindings = bindings;
    this.#memory = bindings.initSync({ module: decode(encoded, often) }).memory;
    this.#slots = bindings.slots();
  }

  /** Lets an object do something: numbers of src/calls.rs. Object 0 creates and frees objects. Answers with a status. */
  call(object: number, what: number, a = 0, b = 0, c = 0, d = 0): number {
    return this.#bindings.call(object, what, a, b, c, d);
  }

  /** The same with a time, in the first two numbers, and two others. */
  timed(object: number, what: number, time: Time, name: string, c?: number, d?: number): number {
    split(time, name);
    return this.call(object, what, parts.millis, parts.nanos, c, d);
  }

  /** A number in a slot: one of the result of the last call. */
  numberAt(slot: number): number {
    this.#renew();
    return this.#numbers[slot]!;
  }

  /** An integer in a slot, likewise. */
  integerAt(slot: number): bigint {
    this.#renew();
    return this.#integers[slot]!;
  }

  /** Puts a number into a slot, for the next call. */
  put(slot: number, number: number): void {
    this.#renew();
    this.#numbers[slot] = number;
  }

  /** A view of floats in memory. */
  floatsAt(address: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, count);
  }

  /** A view of memory that has grown is empty, as they are at first. */
  #renew(): void {
    if (this.#numbers.length > 0) return;
    this.#numbers = new Float64Array(this.#memory.buffer, this.#slots);
    this.#integers = new BigInt64Array(this.#memory.buffer, this.#slots);
  }
}
