/// <reference lib="esnext.disposable" preserve="true" />
// What all objects have in common: they hold memory of the WebAssembly, and give it back.

import { EvenstepError } from "./errors.js";

/** What a binding has. */
interface Held {
  free(): void;
}

// Older browsers lack it.
const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

/** What `postMessage` says of an object: symbols cannot be sent, and their text is in its error. */
const BELONGS = Symbol(
  "evenstep: an object belongs to the worker that created it. Create one there, and send numbers or copies of arrays",
);

let heldBy: (object: Handle) => Held;

/** An object that holds memory. Dispose of it, leave it to `using`, or let the garbage collector find it. */
export abstract class Handle {
  #held: Held | undefined;
  /** @internal */
  readonly worker: symbol = BELONGS;

  /** @internal */
  constructor(held: object) {
    this.#held = held as Held;
  }

  /** Gives its memory back. Whoever uses it afterwards gets an error; disposing of it again does nothing. */
  dispose(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.free();
  }

  /** The same, for `using`. */
  [dispose](): void {
    this.dispose();
  }

  static {
    heldBy = (object) => {
      if (object.#held === undefined) {
        throw new EvenstepError("Disposed", `this ${object.constructor.name} was disposed of; create another one`);
      }
      return object.#held;
    };
  }
}

/** What an object holds. */
export function held<Raw>(object: Handle, kind?: { name: string; prototype: Handle }): Raw {
  if (kind !== undefined && !Object.prototype.isPrototypeOf.call(kind.prototype, object)) {
    throw new EvenstepError("Type", `a ${kind.name} was expected, and not ${object === null ? "null" : typeof object}`);
  }
  return heldBy(object) as Raw;
}
