// What objects have in common: they belong to the worker that created them.

import type { Progress } from "./accumulator.js";
import type { FrameClock } from "./filter.js";

/** What `postMessage` says of an object: symbols cannot be sent, and their text is in its error. */
const BELONGS = Symbol(
  "evenstep: an object belongs to the worker that created it. Create one there, and send numbers or copies of arrays",
);

/** An object that cannot be sent to another worker. */
export abstract class Local {
  /** @internal */
  readonly worker: symbol = BELONGS;
}

/** What an input buffer asks a schedule. */
export interface ScheduleParts {
  readonly clock: FrameClock;
  /** How far a task moved on in the last frame; `undefined` for no task. */
  progress(task: number): Progress | undefined;
}

/** Those of all schedules: who takes input need not load what schedules are made of. */
export const schedules = new WeakMap<object, ScheduleParts>();
