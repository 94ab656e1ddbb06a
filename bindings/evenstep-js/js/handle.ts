/// <reference lib="esnext.disposable" preserve="true" />
// What all objects have in common: they hold memory of the WebAssembly, and give it back.

import { OBJECTS_FREE } from "./calls.js";
import { EvenstepError, check } from "./errors.js";
import type { Wasm } from "./wasm.js";

// Older browsers lack it.
const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

/** What `postMessage` says of an object: symbols cannot be sent, and their text is in its error. */
const BELONGS = Symbol(
  "evenstep: an object belongs to the worker that created it. Create one there, and send numbers or copies of arrays",
);

/** Frees what the garbage collector finds. */
const forgotten = new FinalizationRegistry((free: () => void) => free());

let numberOf: (object: Handle) => number;

/** An object that holds memory. Dispose of it, leave it to `using`, or let the garbage collector find it. */
export abstract class Handle {
  /** Its number in the WebAssembly; 0 once it is disposed of. */
  #number: number;
  readonly #free: () => void;
  /** @internal */
  readonly worker: symbol = BELONGS;

  /** @internal */
  constructor(wasm: Wasm, kind: number, a?: number, b?: number) {
    check(wasm.call(0, kind, a, b), "new");
    const number = (this.#number = wasm.numberAt(0));
    this.#free = () => wasm.call(0, OBJECTS_FREE, number);
    forgotten.register(this, this.#free, this);
  }

  /** Gives its memory back. Whoever uses it afterwards gets an error; disposing of it again does nothing. */
  dispose(): void {
    if (this.#number === 0) return;
    forgotten.unregister(this);
    this.#number = 0;
    this.#free();
  }

  /** The same, for `using`. */
  [dispose](): void {
    this.dispose();
  }

  static {
    numberOf = (object) => object.#number;
  }
}

/** The number of an object that is not disposed of. */
export function held(object: Handle, kind?: { name: string; prototype: Handle }): number {
  if (kind !== undefined && !Object.prototype.isPrototypeOf.call(kind.prototype, object)) {
    throw new EvenstepError("Type", `a ${kind.name} was expected, and not ${object === null ? "null" : typeof object}`);
  }
  const number = numberOf(object);
  if (number === 0) {
    throw new EvenstepError("Disposed", `this ${object.constructor.name} was disposed of; create another one`);
  }
  return number;
}
