// The base class of all objects: they belong to the worker that created them.

/** The error of `postMessage` for an object: symbols cannot be sent, and its error contains their text. */
const BELONGS = Symbol(
  "evenstep: an object belongs to the worker that created it. Create one there, and send numbers or copies of arrays",
);

/** An object that cannot be sent to another worker. */
export abstract class Local {
  /** @internal */
  readonly worker: symbol = BELONGS;
}
