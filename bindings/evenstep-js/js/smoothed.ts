// Numbers that are drawn between their last two states.

import { refuse } from "./errors.js";

/** An object, array or tuple of numbers. */
export type Numbers<T> = { [Name in keyof T]: number };

/** Where numbers wrap. */
export interface SmoothedOptions<T> {
  /**
   * What a number wraps at, such as `2 * Math.PI` for an angle in radians or the width of a world that is left on one side and
   * entered on the other: it is drawn on the shorter way. For an object or array, those of its numbers that wrap; 0 does not.
   */
  readonly wrap?: T extends number ? number : { readonly [Name in keyof T]?: number };
}

/**
 * A state of the simulation, now and before the last step; drawn between both. It is a number, or an object or array of
 * numbers. Call `beginStep` before each step, change the current state in it, and draw `at` the frame's alpha.
 */
export interface Smoothed<T> {
  /** The state now. A number is assigned; the numbers of an object or array may be changed in place. */
  current: T;
  /** The state before the last step. */
  readonly previous: Readonly<T>;
  /** Whether the state teleported in the present step. */
  readonly isTeleport: boolean;
  /** Begins a step: the current state becomes the previous one. */
  beginStep(): void;
  /** Sets the current state; of an object or array, those of its numbers that are given. */
  set(state: T extends number ? number : Partial<T>): void;
  /** Says that the state teleports in the present step: it is drawn at its new value, not between. */
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

/** A way, the shorter one round if it wraps; as `Angle` has it in Rust. */
function way(from: number, to: number, wrap: number | undefined): number {
  const way = to - from;
  if (!wrap) return way;
  const windings = way / wrap;
  const limit = (number: number, most: number): number => Math.max(Math.min(number, most), -most);
  // As a conversion to 64 bits saturates.
  const nearest = limit(Math.trunc(windings + Math.sign(windings) / 2), 2 ** 63);
  return limit(way - nearest * wrap, wrap / 2);
}

/** A state that is drawn between its last two values; see the type of the same name. */
export const Smoothed = class Smoothed {
  // A number is kept as the only one of an object.
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

  /** Takes numbers for some names, all or none. */
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

  beginStep(): void {
    Object.assign(this.#previous, this.#current);
    this.#isTeleport = false;
  }

  set(state: unknown): void {
    this.#change(state, (name, number) => {
      this.#current[name] = number;
    });
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
  new <T extends Numbers<T>>(state: T, options?: SmoothedOptions<T>): Smoothed<T>;
};

function isNumber(name: string, value: unknown): void {
  if (typeof value !== "number") refuse("Type", name, value, "a number");
  if (Number.isNaN(value)) refuse("NotFinite", name, value, "a number");
}
