// Numbers that are drawn between their last two states.

import { refuse } from "./errors.js";

/** An object, array or tuple of numbers. */
export type Numbers<T> = { [Name in keyof T]: number };

/** Where numbers wrap. */
export interface SmoothedOptions<T> {
  /**
   * What a number wraps at, such as `2 * Math.PI` for an angle in radians or the width of a world that is left on one side and
   * entered on the other: it is drawn on the shorter way. For an object or array, those of its numbers that wrap.
   */
  readonly wrap?: T extends number ? number : { readonly [Name in keyof T]?: number | undefined };
}

/**
 * A state of the simulation and what it was before the last step; drawn between both. It is a number, or an object or array of
 * numbers. Call `beginStep` before each step, change the current state in it, and draw `at` the frame's alpha.
 */
export interface Smoothed<T> {
  /** The state now. A number is assigned; the numbers of an object or array may be changed in place. */
  current: T;
  /** The state before the last step. */
  readonly previous: Readonly<T>;
  /** Whether the state jumped in the present step. */
  readonly isJump: boolean;
  /** Begins a step: what is current becomes the previous state. */
  beginStep(): void;
  /** Sets the current state; of an object or array, those of its numbers that are given. */
  set(state: T extends number ? number : Partial<T>): void;
  /** Says that the state jumps in the present step: it is drawn at its new place, not on a way there. */
  teleport(): void;
  /** Moves both states, for when the origin of the world moves. That is no motion. */
  shift(by: T extends number ? number : Partial<T>): void;
  /**
   * The state to be drawn at a frame's alpha. A number that wraps may come out beyond where it wraps. An object or array is the same
   * one in every call: copy what you want to keep.
   */
  at(alpha: number): T;
}

type Fields = Record<string, number>;

/** The name of the one field of a number that is no object's. */
const ALONE = "state";

/** A way, the shorter one round if it wraps; as `Angle` has it in Rust. */
function way(from: number, to: number, wrap: number): number {
  const way = to - from;
  if (wrap === 0) return way;
  const windings = way / wrap;
  // As a conversion to 64 bits saturates.
  const nearest = Math.min(Math.max(Math.trunc(windings + (windings < 0 ? -0.5 : 0.5)), -(2 ** 63)), 2 ** 63);
  return Math.max(Math.min(way - nearest * wrap, wrap / 2), -wrap / 2);
}

/** A state that is drawn between its last two values; see the type of the same name. */
export const Smoothed = class Smoothed {
  readonly #isAlone: boolean;
  readonly #names: readonly string[];
  readonly #wraps: readonly number[];
  readonly #previous: Fields;
  readonly #current: Fields;
  readonly #drawn: Fields;
  #isJump = false;

  constructor(state: unknown, options: { wrap?: unknown } | null = {}) {
    this.#isAlone = typeof state === "number";
    const fields = this.#fields(state);
    this.#names = Object.keys(fields);
    const copy = (): Fields => (Array.isArray(state) ? [...state] : { ...fields }) as Fields;
    [this.#previous, this.#current, this.#drawn] = [copy(), copy(), copy()];
    const wraps = this.#fields(options?.wrap ?? (this.#isAlone ? 0 : {}));
    for (const [name, number] of Object.entries(fields)) isNumber(name, number);
    for (const name of Object.keys(wraps)) this.#find(name);
    this.#wraps = this.#names.map((name) => {
      const wrap = wraps[name] ?? 0;
      return typeof wrap === "number" && wrap >= 0 && wrap < Infinity ? wrap : refuse("Range", "wrap", wrap, "a number above zero");
    });
  }

  #fields(state: unknown): Fields {
    if (this.#isAlone) return { [ALONE]: state as number };
    if (typeof state === "object" && state !== null) return state as Fields;
    refuse("Type", "the state", state, "a number, or an object or array of numbers");
  }

  #find(name: string): void {
    if (!this.#names.includes(name)) refuse("Missing", "a name", name, `one of the state's: ${this.#names.join(", ")}`);
  }

  /** Takes numbers for both or one of the states, all or none. */
  #change(numbers: unknown, change: (name: string, number: number) => void): void {
    const given = Object.entries(this.#fields(numbers));
    for (const [name, number] of given) {
      this.#find(name);
      isNumber(name, number);
    }
    for (const [name, number] of given) change(name, number);
  }

  #show(state: Fields): unknown {
    return this.#isAlone ? state[ALONE] : state;
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

  get isJump(): boolean {
    return this.#isJump;
  }

  beginStep(): void {
    for (const name of this.#names) this.#previous[name] = this.#current[name]!;
    this.#isJump = false;
  }

  set(state: unknown): void {
    this.#change(state, (name, number) => {
      this.#current[name] = number;
    });
  }

  teleport(): void {
    this.#isJump = true;
  }

  shift(by: unknown): void {
    this.#change(by, (name, number) => {
      this.#previous[name]! += number;
      this.#current[name]! += number;
    });
  }

  at(alpha: number): unknown {
    isNumber("alpha", alpha);
    const drawn = this.#drawn;
    for (const [at, name] of this.#names.entries()) {
      const from = this.#previous[name]!;
      const to = this.#current[name]!;
      if (alpha <= 0) drawn[name] = from;
      else if (alpha >= 1 || this.#isJump) drawn[name] = to;
      else drawn[name] = from + way(from, to, this.#wraps[at]!) * alpha;
    }
    return this.#show(drawn);
  }
} as unknown as {
  new (state: number, options?: SmoothedOptions<number>): Smoothed<number>;
  new <T extends Numbers<T>>(state: T, options?: SmoothedOptions<T>): Smoothed<T>;
};

function isNumber(name: string, value: unknown): void {
  if (typeof value !== "number") refuse("Type", name, value, "a number");
  if (Number.isNaN(value)) refuse("NotFinite", name, value, "a number");
}
