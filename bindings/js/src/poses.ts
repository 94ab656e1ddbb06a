// Many bodies: their states are read once a step, and their drawn poses written once a frame.

import { EvenstepError, finite, objectOf } from "./errors.js";
import { Local } from "./local.js";
import { between, blendDirection, blendQuaternion, Weights } from "./rotation.js";

/** What a row did in the last step. */
const RESTED = 0;
const MOVED = 1;
const TELEPORTED = 2;

type Floats = Float32Array<ArrayBuffer>;

/** The weights of the frame that is being drawn. */
const weights = new Weights();

/** A view of the rows that there are, of an array that has room for more; made again when one of them has changed. */
class View {
  #view: Floats | undefined;

  of(array: Floats, count: number): Floats {
    const view = this.#view;
    if (view !== undefined && view.buffer === array.buffer && view.length === count) return view;
    return (this.#view = array.subarray(0, count));
  }

  /** Whether the array has moved since the last view was returned. */
  isStale(array: Floats): boolean {
    return this.#view !== undefined && this.#view.buffer !== array.buffer;
  }
}

/** Bodies that are drawn between their last two states, one body a row. */
abstract class Poses extends Local {
  /** How many numbers a position has, a state, and a matrix. */
  readonly #axes: number;
  readonly #floats: number;
  readonly #matrix: number;
  #length = 0;
  // Each array has room for more rows than there are. The program writes `next`; a commit makes it `current`.
  #next: Floats = new Float32Array(0);
  #current: Floats = new Float32Array(0);
  #previous: Floats = new Float32Array(0);
  #drawn: Floats = new Float32Array(0);
  #matrices: Floats = new Float32Array(0);
  /** What each row did in the last step, and whether its next state is a teleport. */
  #did = new Uint8Array(0);
  #teleports = new Uint8Array(0);
  readonly #views = { states: new View(), drawn: new View(), matrices: new View() };

  /** @internal */
  constructor(axes: 2 | 3) {
    super();
    this.#axes = axes;
    this.#floats = axes === 3 ? 7 : 4;
    this.#matrix = axes === 3 ? 16 : 6;
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
    numbers(state);
    const row = this.#length;
    if (row === this.#did.length) this.#grow(Math.max(8, 2 * row));
    this.#length++;
    for (const states of [this.#next, this.#current, this.#previous]) states.set(state, this.#at(row));
    this.#did[row] = RESTED;
    this.#teleports[row] = 0;
    return row;
  }

  #grow(rows: number): void {
    const longer = (old: Floats, floats: number): Floats => {
      const array = new Float32Array(rows * floats);
      array.set(old);
      return array;
    };
    const marks = (old: Uint8Array): Uint8Array<ArrayBuffer> => {
      const array = new Uint8Array(rows);
      array.set(old);
      return array;
    };
    this.#next = longer(this.#next, this.#floats);
    this.#current = longer(this.#current, this.#floats);
    this.#previous = longer(this.#previous, this.#floats);
    this.#drawn = longer(this.#drawn, this.#floats);
    this.#matrices = longer(this.#matrices, this.#matrix);
    this.#did = marks(this.#did);
    this.#teleports = marks(this.#teleports);
  }

  /** @internal Where a row begins in `states`. */
  protected placeOf(row: number): number {
    return this.#at(row);
  }

  /** @internal Writes a number of `states` that is known to be good. */
  protected put(at: number, number: number): void {
    this.#next[at] = number;
  }

  /** @internal */
  protected shiftRow(row: number, by: readonly number[]): void {
    const at = this.#at(row);
    numbers(by);
    for (const states of [this.#next, this.#current, this.#previous]) {
      by.forEach((number, axis) => {
        states[at + axis] = states[at + axis]! + Math.fround(number);
      });
    }
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
    this.#did[row] = this.#did[last]!;
    this.#teleports[row] = this.#teleports[last]!;
    this.#length--;
  }

  /**
   * The states of all rows: write them after a step, then call `commit`. It is a view of memory: read this property again after
   * rows were added or removed.
   */
  get states(): Float32Array {
    return this.#views.states.of(this.#next, this.#length * this.#floats);
  }

  /** Takes the states of all rows after a step, from your array or from `states`. */
  commit(states?: ArrayLike<number>): void {
    const count = this.#length * this.#floats;
    if (states === undefined) {
      if (this.#views.states.isStale(this.#next)) {
        const why = "these writes are lost: memory has moved since `states` was read; read it once per step";
        throw new EvenstepError("Order", `commit: ${why}`);
      }
    } else if (objectOf(states, "the states").length < count) {
      throw new EvenstepError("Size", `commit: the array has ${states.length} numbers; ${this.#length} rows need ${count}`);
    }
    const from = states ?? this.#next;
    // The product is NaN if a number is NaN or infinite, also in single precision.
    let zero = 0;
    for (let at = 0; at < count; at++) zero += Math.fround(from[at]!) * 0;
    if (zero !== 0) throw new EvenstepError("NotFinite", "commit: a state is NaN or infinite; no row was taken");
    if (from !== this.#next) for (let at = 0; at < count; at++) this.#next[at] = from[at]!;
    this.beginStep();
    for (let row = 0; row < this.#length; row++) this.#take(row, row * this.#floats);
  }

  /** Begins a step in which only rows that move are committed, one by one. */
  beginStep(): void {
    this.#previous.set(this.#current);
    this.#did.fill(RESTED);
  }

  /** Takes the state of one row from `states`, after `beginStep`. */
  commitRow(row: number): void {
    const at = this.#at(row);
    for (let n = at; n < at + this.#floats; n++) {
      if (!Number.isFinite(this.#next[n])) {
        throw new EvenstepError("NotFinite", "commitRow: the state is NaN or infinite; it was not taken");
      }
    }
    this.#take(row, at);
  }

  #take(row: number, at: number): void {
    const next = this.#next;
    const current = this.#current;
    let moved = false;
    for (let n = at; n < at + this.#floats; n++) {
      const number = next[n]!;
      moved ||= number !== current[n];
      current[n] = number;
    }
    if (this.#teleports[row] !== 0) {
      this.#teleports[row] = 0;
      this.#did[row] = TELEPORTED;
    } else if (moved && this.#did[row] === RESTED) {
      this.#did[row] = MOVED;
    }
  }

  /** Marks the next state of a row as a teleport: it is drawn at its new pose, not between. */
  teleport(row: number): void {
    this.#at(row);
    this.#teleports[row] = 1;
  }

  /**
   * Writes the drawn poses of all rows at `alpha`, in the layout of `states`, to your array, or returns a view of memory that is valid
   * until the next `draw`.
   */
  draw(alpha: number): Float32Array;
  draw<Floats extends Float32Array>(alpha: number, into: Floats): Floats;
  draw(alpha: number, into?: Float32Array): Float32Array {
    room(into, this.#length * this.#floats);
    this.#blend(alpha);
    return copied(this.drawn, into);
  }

  /** The poses of the last `draw`. A view of memory: read this property again after rows were added. */
  get drawn(): Float32Array {
    return this.#views.drawn.of(this.#drawn, this.#length * this.#floats);
  }

  /** Like `draw`, but with matrices, column by column: 3 columns of 2 in the plane, 4 of 4 in space. */
  drawMatrices(alpha: number): Float32Array;
  drawMatrices<Floats extends Float32Array>(alpha: number, into: Floats): Floats;
  drawMatrices(alpha: number, into?: Float32Array): Float32Array {
    room(into, this.#length * this.#matrix);
    this.#blend(alpha);
    for (let row = 0; row < this.#length; row++) {
      const write = this.#axes === 3 ? matrix3 : matrix2;
      write(this.#drawn, row * this.#floats, this.#matrices, row * this.#matrix);
    }
    return copied(this.#views.matrices.of(this.#matrices, this.#length * this.#matrix), into);
  }

  /** Writes the poses at `alpha` into `drawn`. */
  #blend(alpha: number): void {
    if (Number.isNaN(alpha) || typeof alpha !== "number") {
      throw new EvenstepError("NotFinite", `draw: alpha is ${String(alpha)}`);
    }
    const previous = this.#previous;
    const current = this.#current;
    const drawn = this.#drawn;
    const did = this.#did;
    const axes = this.#axes;
    const floats = this.#floats;
    const rows = this.#length;
    drawn.set(alpha <= 0 ? previous : current);
    if (alpha <= 0 || alpha >= 1) return;
    weights.set(alpha);
    for (let row = 0; row < rows; row++) {
      if (did[row] !== MOVED) continue;
      let at = row * floats;
      for (let axis = 0; axis < axes; axis++, at++) drawn[at] = between(previous[at]!, current[at]!, weights.alpha);
      if (axes === 3) blendQuaternion(previous, current, at, weights, drawn, at);
      else blendDirection(previous, current, at, weights, drawn, at);
    }
  }
}

/** Throws unless all numbers of a state are finite in single precision. */
function numbers(state: readonly number[]): void {
  state.forEach(single);
}

/** Throws unless a number of a state is finite in single precision. */
function single(number: number, place: number): void {
  if (typeof number === "number" && Number.isFinite(Math.fround(number))) return;
  const name = `number ${place} of the state`;
  finite(number, name);
  finite(Math.fround(number), name, "a finite number in single precision");
}

function room(into: Float32Array | undefined, count: number): void {
  if (into !== undefined && objectOf(into, "the array").length < count) {
    throw new EvenstepError("Size", `draw: the array has ${into.length} floats; ${count} are needed`);
  }
}

function copied(view: Float32Array, into: Float32Array | undefined): Float32Array {
  into?.set(view);
  return into ?? view;
}

function matrix2(pose: Float32Array, at: number, out: Float32Array, to: number): void {
  const [cos, sin] = [pose[at + 2]!, pose[at + 3]!];
  out[to] = cos;
  out[to + 1] = sin;
  out[to + 2] = -sin;
  out[to + 3] = cos;
  out[to + 4] = pose[at]!;
  out[to + 5] = pose[at + 1]!;
}

/** K. Shoemake, *Animating Rotation with Quaternion Curves*, 1985. */
function matrix3(pose: Float32Array, at: number, out: Float32Array, to: number): void {
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

  /** Writes a row into `states`. */
  set(row: number, x: number, y: number, angle: number): void {
    const at = this.placeOf(row);
    single(x, 0);
    single(y, 1);
    finite(angle, "the angle");
    this.put(at, x);
    this.put(at + 1, y);
    this.put(at + 2, Math.cos(angle));
    this.put(at + 3, Math.sin(angle));
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
  constructor() {
    super(3);
  }

  /** Adds a row for a body at rest, at a position and in a rotation. Returns its number. */
  add(x: number, y: number, z: number, rotation: Quaternion = UPRIGHT): number {
    objectOf(rotation, "the rotation");
    return this.addRow([x, y, z, rotation.x, rotation.y, rotation.z, rotation.w]);
  }

  /** Writes a row into `states`. */
  set(row: number, x: number, y: number, z: number, rotation: Quaternion): void {
    const at = this.placeOf(row);
    const { x: i, y: j, z: k, w } = objectOf(rotation, "the rotation");
    single(x, 0);
    single(y, 1);
    single(z, 2);
    single(i, 3);
    single(j, 4);
    single(k, 5);
    single(w, 6);
    this.put(at, x);
    this.put(at + 1, y);
    this.put(at + 2, z);
    this.put(at + 3, i);
    this.put(at + 4, j);
    this.put(at + 5, k);
    this.put(at + 6, w);
  }

  /** Moves both states of a row and keeps the motion between them, for when the origin of the world moves. */
  shift(row: number, x: number, y: number, z: number): void {
    this.shiftRow(row, [x, y, z]);
  }
}
