// Many bodies: their states are read once a step, and their drawn poses written once a frame.

import { EvenstepError, finite, objectOf } from "./errors.js";
import { between, blendDirection, blendQuaternion, Weights } from "./rotation.js";

type Floats = Float32Array<ArrayBuffer>;
type Bytes = Uint8Array<ArrayBuffer>;

/** The weights of the frame that is being drawn. */
const weights = new Weights();

/** A state before a step whose commit may be still to come: the row's state as it was given, and whether that waited for a commit. */
interface Spawned {
  readonly previous: Floats;
  readonly present: Floats;
  readonly isSet: boolean;
}

/** Bodies that are drawn between their last two states, one body a row. */
abstract class Poses {
  /** How many numbers a position has, and a state. */
  readonly #axes: number;
  readonly #floats: number;
  #length = 0;
  // The states have room for more rows than there are. The program writes `next`; a commit makes it `current`.
  #next: Floats = new Float32Array(0);
  #current: Floats = new Float32Array(0);
  #previous: Floats = new Float32Array(0);
  #drawn: Floats = new Float32Array(0);
  /** The rows that there are of `previous` and of `current`: views, made again when the number or the memory of the rows has changed. */
  #rows: readonly Floats[] = [];
  /** Whether each row moves from its previous state to its current one, and whether its next state is a teleport. */
  #moves: Bytes = new Uint8Array(0);
  #teleports: Bytes = new Uint8Array(0);
  /** The states that `setPrevious` has given since the last commit, by row, for the step that the next one takes. */
  readonly #spawned = new Map<number, Spawned>();
  /** Whether each row was added since the last commit. */
  #isNew: Bytes = new Uint8Array(0);

  /** @internal */
  constructor(axes: 2 | 3) {
    this.#axes = axes;
    this.#floats = axes === 3 ? 7 : 4;
  }

  /** The place of a row's first number. */
  #at(row: number): number {
    if (!Number.isInteger(row) || row < 0 || row >= this.#length) {
      throw new EvenstepError("Missing", `there is no row ${String(row)}; there are ${this.#length}`);
    }
    return row * this.#floats;
  }

  /** @internal */
  protected addRow(state: readonly number[]): number {
    state.forEach(single);
    const row = this.#length;
    if (row === this.#moves.length) this.#grow(Math.max(8, 2 * row));
    this.#length++;
    for (const states of [this.#next, this.#current, this.#previous]) states.set(state, this.#at(row));
    this.#moves[row] = this.#teleports[row] = 0;
    this.#isNew[row] = 1;
    return row;
  }

  #grow(rows: number): void {
    this.#next = longer(this.#next, rows * this.#floats);
    this.#current = longer(this.#current, rows * this.#floats);
    this.#previous = longer(this.#previous, rows * this.#floats);
    this.#rows = [];
    this.#moves = longer(this.#moves, rows);
    this.#teleports = longer(this.#teleports, rows);
    this.#isNew = longer(this.#isNew, rows);
  }

  /** @internal Writes a next state that is known to be good: four numbers in the plane, seven in space. An array would be garbage for each row. */
  protected write(row: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number): void {
    const at = this.#at(row);
    const next = this.#next;
    next[at] = a;
    next[at + 1] = b;
    next[at + 2] = c;
    next[at + 3] = d;
    if (this.#axes === 2) return;
    next[at + 4] = e;
    next[at + 5] = f;
    next[at + 6] = g;
  }

  /** @internal The row has its present state already, by `add`, `set` or `commit`. */
  protected writePrevious(row: number, state: readonly number[]): void {
    const at = this.#at(row);
    state.forEach(single);
    const floats = this.#floats;
    const present = this.#next.slice(at, at + floats);
    const isSet = this.#differs(present, at);
    if (!isSet) {
      this.#previous.set(state, at);
      this.#moves[row] = 1;
    }
    if (isSet || this.#isNew[row] === 1) this.#spawned.set(row, { previous: Float32Array.from(state), present, isSet });
    this.#teleports[row] = 0;
  }

  /** Whether a state differs from the current one of a row. */
  #differs(state: Floats, at: number): boolean {
    return state.some((number, place) => number !== this.#current[at + place]);
  }

  /** @internal */
  protected shiftRow(row: number, by: readonly number[]): void {
    const at = this.#at(row);
    by.forEach(single);
    for (const states of [this.#next, this.#current, this.#previous]) {
      by.forEach((number, axis) => {
        states[at + axis] = states[at + axis]! + Math.fround(number);
      });
    }
    const spawned = this.#spawned.get(row);
    by.forEach((number, axis) => {
      if (spawned) for (const states of [spawned.previous, spawned.present]) states[axis] = states[axis]! + Math.fround(number);
    });
  }

  /** The number of rows. */
  get length(): number {
    return this.#length;
  }

  /** Removes a row; the last one takes its number. */
  remove(row: number): void {
    const to = this.#at(row);
    const last = this.#length - 1;
    const from = this.#at(last);
    for (const states of [this.#next, this.#current, this.#previous]) states.copyWithin(to, from, from + this.#floats);
    this.#moves[row] = this.#moves[last]!;
    this.#teleports[row] = this.#teleports[last]!;
    this.#isNew[row] = this.#isNew[last]!;
    const spawned = this.#spawned.get(last);
    this.#spawned.delete(last);
    this.#spawned.delete(row);
    if (spawned && row < last) this.#spawned.set(row, spawned);
    this.#length--;
  }

  /** Takes the states of all rows after a step: those that `set` has written, or those of your array. */
  commit(states?: ArrayLike<number>): void {
    const floats = this.#floats;
    const count = this.#length * floats;
    const next = this.#next;
    if (states !== undefined) {
      if (objectOf(states, "the states").length < count) {
        throw new EvenstepError("Size", `commit: the array has ${states.length} numbers; ${this.#length} rows need ${count}`);
      }
      // The product is NaN if a number is NaN or infinite, also in single precision.
      let zero = 0;
      for (let at = 0; at < count; at++) zero += Math.fround(states[at]!) * 0;
      if (zero !== 0) throw new EvenstepError("NotFinite", "commit: a state is NaN or infinite; no row was taken");
      for (let at = 0; at < count; at++) next[at] = states[at]!;
    }
    const current = this.#current;
    this.#previous.set(current);
    for (let row = 0; row < this.#length; row++) {
      let moves = false;
      for (let at = row * floats; at < (row + 1) * floats; at++) {
        moves ||= next[at] !== current[at];
        current[at] = next[at]!;
      }
      const spawned = this.#spawned.get(row);
      // A new row that has moved since has made another step.
      if (spawned && (spawned.isSet || !this.#differs(spawned.present, row * floats))) {
        this.#previous.set(spawned.previous, row * floats);
        moves = true;
      }
      this.#moves[row] = Number(moves && this.#teleports[row] === 0);
      this.#teleports[row] = this.#isNew[row] = 0;
    }
    // An empty map, too, gets new memory when it is cleared.
    if (this.#spawned.size > 0) this.#spawned.clear();
  }

  /** Marks the next state of a row as a teleport: it is drawn at its new pose, not between. */
  teleport(row: number): void {
    this.#at(row);
    this.#teleports[row] = 1;
  }

  /**
   * Writes the drawn poses of all rows at `alpha`, row by row, to your array, or returns an array that is valid until the next `draw`.
   */
  draw(alpha: number): Float32Array;
  draw<Into extends Float32Array>(alpha: number, into: Into): Into;
  draw(alpha: number, into: Float32Array = (this.#drawn = sized(this.#drawn, this.#length * this.#floats))): Float32Array {
    const count = this.#length * this.#floats;
    room(into, count);
    if (Number.isNaN(alpha) || typeof alpha !== "number") {
      throw new EvenstepError("NotFinite", `draw: alpha is ${String(alpha)}`);
    }
    if (this.#rows[0]?.length !== count) this.#rows = [this.#previous, this.#current].map((states) => states.subarray(0, count));
    const [previous, current, axes, floats] = [this.#rows[0]!, this.#rows[1]!, this.#axes, this.#floats];
    into.set(alpha <= 0 ? previous : current);
    if (alpha <= 0 || alpha >= 1) return into;
    weights.set(alpha);
    for (let row = 0; row < this.#length; row++) {
      if (this.#moves[row] === 0) continue;
      let at = row * floats;
      for (let axis = 0; axis < axes; axis++, at++) into[at] = between(previous[at]!, current[at]!, weights.alpha);
      if (axes === 3) blendQuaternion(previous, current, at, weights, into);
      else blendDirection(previous, current, at, weights, into);
    }
    return into;
  }
}

/** A longer array with the same numbers. */
function longer<Numbers extends Floats | Bytes>(old: Numbers, length: number): Numbers {
  const array = new (old.constructor as new (length: number) => Numbers)(length);
  array.set(old);
  return array;
}

/** An array of a length: the old one if it has it. */
const sized = (old: Floats, length: number): Floats => (old.length === length ? old : new Float32Array(length));

/** Throws unless a number of a state is finite in single precision. */
function single(number: number, place: number): void {
  if (typeof number === "number" && Math.abs(Math.fround(number)) < Infinity) return;
  const name = `number ${place} of the state`;
  finite(number, name);
  finite(Math.fround(number), name, "a finite number in single precision");
}

function room(into: Float32Array, count: number): void {
  if (objectOf(into, "the array").length < count) {
    throw new EvenstepError("Size", `draw: the array has ${into.length} floats; ${count} are needed`);
  }
}

/** K. Shoemake, *Animating Rotation with Quaternion Curves*, 1985. */
function writeMatrix(pose: Float32Array, at: number, out: Float32Array, to: number): void {
  const f = Math.fround;
  const [i, j, k, w] = [pose[at + 3]!, pose[at + 4]!, pose[at + 5]!, pose[at + 6]!];
  const [i2, j2, k2] = [f(i + i), f(j + j), f(k + k)];
  const [ii, jj, kk] = [f(i * i2), f(j * j2), f(k * k2)];
  const [ij, ik, jk] = [f(i * j2), f(i * k2), f(j * k2)];
  const [wi, wj, wk] = [f(w * i2), f(w * j2), f(w * k2)];
  out[to] = 1 - f(jj + kk);
  out[to + 1] = ij + wk;
  out[to + 2] = ik - wj;
  out[to + 3] = 0;
  out[to + 4] = ij - wk;
  out[to + 5] = 1 - f(ii + kk);
  out[to + 6] = jk + wi;
  out[to + 7] = 0;
  out[to + 8] = ik + wj;
  out[to + 9] = jk - wi;
  out[to + 10] = 1 - f(ii + jj);
  out[to + 11] = 0;
  out[to + 12] = pose[at]!;
  out[to + 13] = pose[at + 1]!;
  out[to + 14] = pose[at + 2]!;
  out[to + 15] = 1;
}

/** Bodies in the plane. A row is x, y, and cosine and sine of the angle. */
export class Poses2 extends Poses {
  constructor() {
    super(2);
  }

  /** Adds a row for a body at rest, at a position and an angle in radians. Returns its number. */
  add(x: number, y: number, angle = 0): number {
    finite(angle, "the angle");
    return this.addRow([x, y, Math.cos(angle), Math.sin(angle)]);
  }

  /** Writes the next state of a row; `commit` takes it. */
  set(row: number, x: number, y: number, angle: number): void {
    single(x, 0);
    single(y, 1);
    finite(angle, "the angle");
    this.write(row, x, y, Math.cos(angle), Math.sin(angle), 0, 0, 0);
  }

  /** Sets the state that a row had a step ago, after `add`, `set` or `commit` has given it the present one: something that is spawned moving
   * is here now and was there a step ago. */
  setPrevious(row: number, x: number, y: number, angle: number): void {
    finite(angle, "the angle");
    this.writePrevious(row, [x, y, Math.cos(angle), Math.sin(angle)]);
  }

  /** Moves both states of a row and keeps the motion between them, for when the origin of the world moves. */
  shift(row: number, x: number, y: number): void {
    this.shiftRow(row, [x, y]);
  }
}

/** A rotation as a unit quaternion. */
export interface Quaternion {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
}

const UPRIGHT: Quaternion = { x: 0, y: 0, z: 0, w: 1 };

/** Bodies in space. A row is x, y, z, and the rotation as a unit quaternion x, y, z, w. */
export class Poses3 extends Poses {
  #matrices: Floats = new Float32Array(0);

  constructor() {
    super(3);
  }

  /** Adds a row for a body at rest, at a position and in a rotation. Returns its number. */
  add(x: number, y: number, z: number, rotation: Quaternion = UPRIGHT): number {
    objectOf(rotation, "the rotation");
    return this.addRow([x, y, z, rotation.x, rotation.y, rotation.z, rotation.w]);
  }

  /** Writes the next state of a row; `commit` takes it. */
  set(row: number, x: number, y: number, z: number, rotation: Quaternion = UPRIGHT): void {
    const { x: i, y: j, z: k, w } = objectOf(rotation, "the rotation");
    single(x, 0);
    single(y, 1);
    single(z, 2);
    single(i, 3);
    single(j, 4);
    single(k, 5);
    single(w, 6);
    this.write(row, x, y, z, i, j, k, w);
  }

  /** Sets the state that a row had a step ago, after `add`, `set` or `commit` has given it the present one: something that is spawned moving
   * is here now and was there a step ago. */
  setPrevious(row: number, x: number, y: number, z: number, rotation: Quaternion = UPRIGHT): void {
    const { x: i, y: j, z: k, w } = objectOf(rotation, "the rotation");
    this.writePrevious(row, [x, y, z, i, j, k, w]);
  }

  /** Moves both states of a row and keeps the motion between them, for when the origin of the world moves. */
  shift(row: number, x: number, y: number, z: number): void {
    this.shiftRow(row, [x, y, z]);
  }

  /** Like `draw`, but with matrices: 4 columns of 4 for each row. */
  drawMatrices(alpha: number): Float32Array;
  drawMatrices<Into extends Float32Array>(alpha: number, into: Into): Into;
  drawMatrices(alpha: number, into: Float32Array = (this.#matrices = sized(this.#matrices, this.length * 16))): Float32Array {
    room(into, this.length * 16);
    const drawn = this.draw(alpha);
    for (let row = 0; row < this.length; row++) writeMatrix(drawn, row * 7, into, row * 16);
    return into;
  }
}
