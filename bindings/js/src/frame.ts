// The plan for a frame.

import { integer } from "./errors.js";

/** A step of the simulation. */
export interface Step {
  /** Its tick. Ticks count steps from 0. */
  readonly tick: number;
  /** Its length in seconds, the same for every step. */
  readonly dt: number;
}

/** A tick, or the tick of a step. */
export function tickOf(step: number | { readonly tick: number }): number {
  return integer(typeof step === "number" ? step : step?.tick, "the tick", 0, Number.MAX_SAFE_INTEGER);
}

/** The time and steps that a frame lost, exactly. */
export interface Lost {
  /** Nanoseconds that were cut off because too much time had passed. They never reached the simulation. */
  readonly clamped: bigint;
  /** Nanoseconds of a known pause. */
  readonly paused: bigint;
  /** The number of due steps that were dropped. */
  readonly dropped: number;
}

/** As its maker writes it. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] extends Lost ? Writable<T[Name]> : T[Name] };

/**
 * The plan for a frame: run its steps, `for (const step of frame)`, then draw at `alpha`. A second `for` simulates them again. The
 * frame and its steps are the same objects in every frame: copy values that you keep.
 */
export class Frame implements Iterable<Step> {
  /** The tick of its first step. */
  readonly firstTick: number = 0;
  /** The number of steps that the simulation has completed after this frame's steps; the tick of the next step. Exact up to 2⁵³. */
  readonly tick: number = 0;
  /** Where to draw between the previous state (0) and the current one; below 1, also as a 32-bit float. */
  readonly alpha: number = 0;
  /** The length of every step, in seconds. */
  readonly dt: number;
  /** The number of steps. */
  readonly steps: number = 0;
  /** The number of steps that `stepOnce` requested, which use up no time. */
  readonly singleSteps: number = 0;
  /** Whether time is kept back for later frames. */
  readonly isBehind: boolean = false;
  /** The time and steps that the frame lost. */
  readonly lost: Lost = { clamped: 0n, paused: 0n, dropped: 0 };
  #steps: Steps;

  /** @internal */
  constructor(dt: number) {
    this.dt = dt;
    this.#steps = new Steps(this);
  }

  [Symbol.iterator](): Iterator<Step, undefined> {
    // A nested loop over the same frame has its own counter.
    if (!this.#steps.done) this.#steps = new Steps(this);
    return this.#steps.start();
  }
}

/** Iterates over the steps of a frame, with the same objects each time; it is its own result. */
class Steps implements Iterator<Step, undefined> {
  readonly #frame: Frame;
  readonly #steps: { tick: number; dt: number }[] = [];
  #next = 0;
  done = true;
  value: Step | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  start(): this {
    this.#next = 0;
    this.done = false;
    return this;
  }

  next(): IteratorResult<Step, undefined> {
    const frame = this.#frame;
    if (this.#next >= frame.steps) return this.return();
    const step = (this.#steps[this.#next] ??= { tick: 0, dt: frame.dt });
    step.tick = frame.firstTick + this.#next++;
    this.value = step;
    return this as IteratorResult<Step, undefined>;
  }

  return(): IteratorResult<Step, undefined> {
    this.done = true;
    this.value = undefined;
    return this as IteratorResult<Step, undefined>;
  }
}
