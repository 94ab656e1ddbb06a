// Numbers that are drawn between their last two states.

import { finite, refuse } from "./errors.js";

/** An object, array or tuple of numbers. */
export type Numbers<T> = { [Name in keyof T]: number };

/** A typed array of numbers. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** A new number; of an array or object, the numbers that are given. */
export type NewNumbers<T> = T extends number ? number : T extends TypedArray ? ArrayLike<number> : Partial<T>;

/** Options of a smoothed state. */
export interface SmoothedOptions<T> {
  /**
   * The period of a number, such as `2 * Math.PI` for an angle in radians or the width of a world that is left on one side and entered
   * on the other: the number is blended the shorter way. For an object or array, the periods of its numbers; 0 if a number does not
   * wrap.
   */
  readonly wrap?: T extends number ? number : T extends TypedArray ? ArrayLike<number> : { readonly [Name in keyof T]?: number };
}

/**
 * A state of the simulation, now and before the last step, which is drawn between both. A state is a number, or a plain object, array or
 * typed array of numbers. Change it by `step` in each step, and draw it `at` the frame's alpha.
 */
export interface Smoothed<T> {
  /** The current state. Assign a number; change the numbers of an object or array in place. */
  current: T;
  /** The state before the last step. */
  readonly previous: Readonly<T>;
  /** Whether the state teleported in this step. */
  readonly isTeleport: boolean;
  /** Runs a step: the current state becomes the previous one, and `simulate` gets it, to return the new numbers, or to change those of an
   * object or array in place. */
  step(simulate: (state: T) => T extends number ? number : NewNumbers<T> | number | boolean | void): void;
  /** Begins a step: the first half of `step`, where the state is not in reach of a function. Without it a frame is drawn from an older state. */
  beginStep(): void;
  /** Sets the current state; of an object or array, only the numbers that are given. */
  set(state: NewNumbers<T>): void;
  /** Sets the state before the last step; of an object or array, only the numbers that are given. Something that is spawned moving is here
   * now and was there a step ago. */
  setPrevious(state: NewNumbers<T>): void;
  /** Marks the state as teleported in this step: it is drawn at its new value, not between. */
  teleport(): void;
  /** Moves both states, when the origin of the world moves. This is not motion. */
  shift(by: NewNumbers<T>): void;
  /**
   * The state to draw at a frame's alpha, of the same kind: a typed array of integers is rounded to the nearest. A number that wraps may lie
   * outside of one period. An object or array is the same in every call: copy values that you keep.
   */
  at(alpha: number): T;
}

type Fields = Record<string, number>;

/** A difference, the shorter way if it wraps; like `Angle` in Rust. */
function way(from: number, to: number, wrap: number): number {
  const way = to - from;
  if (!wrap) return way;
  const windings = way / wrap;
  const nearest = Math.trunc(windings + Math.sign(windings) / 2);
  return Math.max(Math.min(way - nearest * wrap, wrap / 2), -wrap / 2);
}

const refuseState = (state: unknown): never => refuse("Type", "a state", state, "a number, or a plain object or array of numbers");

/** The numbers of a state, by their names. */
function fieldsOf(state: unknown): Fields {
  if (typeof state === "number") return { state };
  return typeof state === "object" && state !== null ? (state as Fields) : refuseState(state);
}

/** A copy, of the same kind. Throws for an instance of a class: a copy would lose what is private in it. */
function copyOf(state: Fields): Fields {
  if (Array.isArray(state) || "BYTES_PER_ELEMENT" in state) return (state.constructor as unknown as { from(state: Fields): Fields }).from(state);
  const prototype = Object.getPrototypeOf(state) as object | null;
  return prototype && Object.getPrototypeOf(prototype) ? refuseState(state) : { ...state };
}

/** The implementation of the type of the same name. */
export const Smoothed = class Smoothed {
  // A number is stored as the only field of an object.
  readonly #show: (state: Fields) => unknown;
  readonly #previous: Fields;
  readonly #current: Fields;
  readonly #drawn: Fields;
  readonly #names: readonly string[];
  /** The periods, 0 without one. */
  readonly #wrap: Fields = {};
  /** Whether it draws integers only. */
  #rounds = false;
  #isTeleport = false;

  constructor(state: unknown, options?: { wrap?: unknown }) {
    this.#show = typeof state === "number" ? ({ state }) => state : (state) => state;
    const copy = (): Fields => copyOf(fieldsOf(state));
    this.#previous = copy();
    this.#current = copy();
    this.#drawn = copy();
    this.#names = Object.keys(this.#drawn);
    for (const name of this.#names) this.#wrap[name] = 0;
    this.set(this.#drawn);
    this.#change(options?.wrap ?? {}, this.#wrap);
    for (const name of this.#names) {
      const wrap = this.#wrap[name]!;
      if (wrap < 0) refuse("Range", "wrap", wrap, "a number above zero");
      this.#drawn[name] = 0.5;
      this.#rounds = this.#drawn[name] !== 0.5;
    }
    Object.preventExtensions(this.#current);
  }

  /** Sets the numbers of some names, or adds to them; or throws and changes none. */
  #change(numbers: unknown, changed: Fields, isSum = false): void {
    const given = fieldsOf(numbers);
    const names = Object.keys(given);
    // A promise, a date and a map have no numbers of their own.
    if (names.length === 0) copyOf(given);
    for (const name of names) {
      if (this.#wrap[name] === undefined) refuse("Missing", "a name", name, "one of the state's");
      finite(given[name]!, name);
    }
    for (const name of names) changed[name] = isSum ? changed[name]! + given[name]! : given[name]!;
  }

  get current(): unknown {
    return this.#show(this.#current);
  }

  set current(state: unknown) {
    this.set(state);
  }

  get previous(): unknown {
    return this.#show(this.#previous);
  }

  get isTeleport(): boolean {
    return this.#isTeleport;
  }

  step(simulate: (state: unknown) => unknown): void {
    if (typeof simulate !== "function") refuse("Type", "step", simulate, "a function");
    const { current } = this;
    if (typeof current === "number") {
      const next = simulate(current);
      finite(next as number, "the new state");
      this.beginStep();
      this.set(next);
    } else {
      this.beginStep();
      const next = simulate(current);
      // Other values are those of an assignment: `(state) => (state.x += 2)`.
      if (next && typeof next === "object") this.set(next);
    }
  }

  beginStep(): void {
    for (const name of this.#names) this.#previous[name] = this.#current[name]!;
    this.#isTeleport = false;
  }

  set(state: unknown): void {
    this.#change(state, this.#current);
  }

  setPrevious(state: unknown): void {
    this.#change(state, this.#previous);
    this.#isTeleport = false;
  }

  teleport(): void {
    this.#isTeleport = true;
  }

  shift(by: unknown): void {
    this.#change(by, this.#previous, true);
    this.#change(by, this.#current, true);
  }

  at(alpha: number): unknown {
    finite(alpha, "alpha");
    for (const name of this.#names) {
      const from = this.#previous[name]!;
      const to = this.#current[name]!;
      const wrap = this.#wrap[name]!;
      // What was written in place is not checked before.
      finite(from, name);
      finite(to, name);
      let drawn = alpha <= 0 ? from : alpha >= 1 || this.#isTeleport ? to : from + way(from, to, wrap) * alpha;
      if (this.#rounds) drawn = Math.round(drawn);
      this.#drawn[name] = drawn;
      // Beyond what its kind of number holds: a period back.
      if (this.#rounds && wrap && this.#drawn[name] !== drawn) this.#drawn[name] = drawn - Math.sign(drawn) * wrap;
    }
    return this.#show(this.#drawn);
  }
} as unknown as {
  new (state: number, options?: SmoothedOptions<number>): Smoothed<number>;
  new <T extends TypedArray>(state: T, options?: SmoothedOptions<T>): Smoothed<T>;
  new <T extends object & Numbers<T>>(state: T, options?: SmoothedOptions<T>): Smoothed<T>;
};
