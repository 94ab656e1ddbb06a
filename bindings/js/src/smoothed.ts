// Numbers that are drawn between their last two states.

import { refuse } from "./errors.js";

/** An object, array or tuple of numbers. */
export type Numbers<T> = { [Name in keyof T]: number };

/** Options of a smoothed state. */
export interface SmoothedOptions<T> {
  /**
   * The period of a number, such as `2 * Math.PI` for an angle in radians or the width of a world that is left on one side and entered
   * on the other: the number is blended the shorter way. For an object or array, the periods of its numbers; 0 if a number does not
   * wrap.
   */
  readonly wrap?: T extends number ? number : { readonly [Name in keyof T]?: number };
}

/**
 * A state of the simulation, now and before the last step, which is drawn between both. A state is a number, or an object or array of
 * numbers. Change it by `step` in each step, and draw it `at` the frame's alpha.
 */
export interface Smoothed<T> {
  /** The current state. Assign a number; change the numbers of an object or array in place. */
  current: T;
  /** The state before the last step. */
  readonly previous: Readonly<T>;
  /** Whether the state teleported in this step. */
  readonly isTeleport: boolean;
  /** Runs a step: the current state becomes the previous one, and `simulate` gets it, to return the new number, or to change the numbers of an
   * object or array in place. */
  step(simulate: (state: T) => T extends number ? number : unknown): void;
  /** Begins a step: the first half of `step`, where the state is not in reach of a function. Without it a frame is drawn from an older state. */
  beginStep(): void;
  /** Sets the current state; of an object or array, only the numbers that are given. */
  set(state: T extends number ? number : Partial<T>): void;
  /** Sets the state before the last step; of an object or array, only the numbers that are given. Something that is spawned moving is here
   * now and was there a step ago. */
  setPrevious(state: T extends number ? number : Partial<T>): void;
  /** Marks the state as teleported in this step: it is drawn at its new value, not between. */
  teleport(): void;
  /** Moves both states, when the origin of the world moves. This is not motion. */
  shift(by: T extends number ? number : Partial<T>): void;
  /**
   * The state to draw at a frame's alpha. A number that wraps may lie outside of one period. An object or array is the same in every
   * call: copy values that you keep.
   */
  at(alpha: number): T;
}

type Fields = Record<string, number>;

/** A difference, the shorter way if it wraps; like `Angle` in Rust. */
function way(from: number, to: number, wrap: number | undefined): number {
  const way = to - from;
  if (!wrap) return way;
  const windings = way / wrap;
  const limit = (number: number, most: number): number => Math.max(Math.min(number, most), -most);
  // Like a saturating conversion to 64 bits in Rust.
  const nearest = limit(Math.trunc(windings + Math.sign(windings) / 2), 2 ** 63);
  return limit(way - nearest * wrap, wrap / 2);
}

/** The implementation of the type of the same name. */
export const Smoothed = class Smoothed {
  // A number is stored as the only field of an object.
  readonly #show: (state: Fields) => unknown;
  readonly #previous: Fields;
  readonly #current: Fields;
  readonly #drawn: Fields;
  readonly #wrap: Fields;
  #isTeleport = false;

  constructor(state: unknown, options?: { wrap?: unknown }) {
    this.#show = typeof state === "number" ? ({ state }) => state : (state) => state;
    const copy = (): Fields => (Array.isArray(state) ? [...state] : { ...this.#fields(state) }) as Fields;
    this.#previous = copy();
    this.#current = copy();
    this.#drawn = copy();
    this.#wrap = {};
    this.#change(state, () => {});
    this.#change(options?.wrap ?? {}, (name, wrap) => {
      if (!(wrap >= 0 && wrap < Infinity)) refuse("Range", "wrap", wrap, "a number above zero");
      this.#wrap[name] = wrap;
    });
  }

  /** The numbers of a state. */
  #fields(state: unknown): Fields {
    if (typeof state === "number") return { state };
    return typeof state === "object" && state !== null ? (state as Fields) : refuse("Type", "a state", state, "of numbers");
  }

  /** Sets the numbers of some names, or throws and sets none. */
  #change(numbers: unknown, change: (name: string, number: number) => void): void {
    const given = Object.entries(this.#fields(numbers));
    for (const [name, number] of given) {
      if (!Object.keys(this.#current).includes(name)) refuse("Missing", "a name", name, "one of the state's");
      isNumber(name, number);
    }
    for (const [name, number] of given) change(name, number);
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
    if (typeof current !== "number") {
      this.beginStep();
      simulate(current);
      return;
    }
    const next = simulate(current);
    isNumber("the new state", next);
    this.beginStep();
    this.set(next);
  }

  beginStep(): void {
    Object.assign(this.#previous, this.#current);
    this.#isTeleport = false;
  }

  set(state: unknown): void {
    this.#change(state, (name, number) => {
      this.#current[name] = number;
    });
  }

  setPrevious(state: unknown): void {
    this.#change(state, (name, number) => {
      this.#previous[name] = number;
    });
    this.#isTeleport = false;
  }

  teleport(): void {
    this.#isTeleport = true;
  }

  shift(by: unknown): void {
    this.#change(by, (name, number) => {
      this.#previous[name]! += number;
      this.#current[name]! += number;
    });
  }

  at(alpha: number): unknown {
    isNumber("alpha", alpha);
    for (const name in this.#drawn) {
      const from = this.#previous[name]!;
      const to = this.#current[name]!;
      this.#drawn[name] =
        alpha <= 0 ? from : alpha >= 1 || this.#isTeleport ? to : from + way(from, to, this.#wrap[name]) * alpha;
    }
    return this.#show(this.#drawn);
  }
} as unknown as {
  new (state: number, options?: SmoothedOptions<number>): Smoothed<number>;
  new <T extends object & Numbers<T>>(state: T, options?: SmoothedOptions<T>): Smoothed<T>;
};

function isNumber(name: string, value: unknown): void {
  if (typeof value !== "number") refuse("Type", name, value, "a number");
  if (Number.isNaN(value)) refuse("NotFinite", name, value, "a number");
}
