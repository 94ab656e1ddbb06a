/// <reference lib="esnext.disposable" preserve="true" />
// The base class of objects in WebAssembly: they hold its memory and free it.

import { OBJECTS_FREE } from "./calls.js";
import { EvenstepError } from "./errors.js";
import { Local } from "./local.js";
import type { Wasm } from "./wasm.js";
import { check } from "./status.js";

// Older browsers lack it.
const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

/** Frees objects that the garbage collector has found. */
const unreachable = new FinalizationRegistry((free: () => void) => free());

let numberOf: (object: Handle) => number;

/** An object that holds memory. Dispose of it, leave it to `using`, or let the garbage collector find it. */
export abstract class Handle extends Local {
  /** Its number in the WebAssembly; 0 after `dispose`. */
  #number: number;
  readonly #free: () => void;
  /** @internal */
  constructor(wasm: Wasm, kind: number, a?: number, b?: number) {
    super();
    check(wasm.call(0, kind, a, b), "new");
    const number = (this.#number = wasm.numberAt(0));
    this.#free = () => wasm.call(0, OBJECTS_FREE, number);
    unreachable.register(this, this.#free, this);
  }

  /** Frees its memory. Using the object afterwards throws an error; disposing of it again does nothing. */
  dispose(): void {
    if (this.#number === 0) return;
    unreachable.unregister(this);
    this.#number = 0;
    this.#free();
  }

  /** Calls `dispose`, for `using`. */
  [dispose](): void {
    this.dispose();
  }

  static {
    numberOf = (object) => object.#number;
  }
}

/** The number of an object that is not disposed of. */
export function held(object: Handle): number {
  const number = numberOf(object);
  if (number === 0) {
    throw new EvenstepError("Disposed", `this ${object.constructor.name} was disposed of; create another one`);
  }
  return number;
}
