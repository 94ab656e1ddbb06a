// The base class of all objects: they belong to the worker that created them.

import type { Progress } from "./accumulator.js";
import type { FrameClock } from "./filter.js";

/** The error of `postMessage` for an object: symbols cannot be sent, and its error contains their text. */
const BELONGS = Symbol(
  "evenstep: an object belongs to the worker that created it. Create one there, and send numbers or copies of arrays",
);

/** An object that cannot be sent to another worker. */
export abstract class Local {
  /** @internal */
  readonly worker: symbol = BELONGS;
}

/** The parts of a schedule that an input buffer uses. */
export interface ScheduleParts {
  readonly clock: FrameClock;
  /** The progress of a task in the last frame; `undefined` if there is no such task. */
  progress(task: number): Progress | undefined;
  /** Whether the last frame belongs to a pause. */
  stoodStill(): boolean;
}

/** The parts of all schedules. A program with input and without schedules does not load the code of schedules. */
export const schedules = new WeakMap<object, ScheduleParts>();
