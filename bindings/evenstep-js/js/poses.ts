// Many bodies: their states are read once a step, and their drawn poses written once a frame.

import {
  OBJECTS_POSES,
  POSES_ADD,
  POSES_BEGIN_STEP,
  POSES_COMMIT,
  POSES_COMMIT_ROW,
  POSES_DRAW,
  POSES_DRAWN,
  POSES_DRAW_MATRICES,
  POSES_TELEPORT,
  POSES_MATRICES,
  POSES_REMOVE,
  POSES_SHIFT,
  POSES_STATES,
} from "./calls.js";
import { EvenstepError, finite, objectOf, whole } from "./errors.js";
import { Handle, held } from "./handle.js";
import { wasm } from "./poses_wasm.js";
import { check } from "./status.js";

/** A view of the floats of rows, which is created again when they have moved in memory. */
class View {
  #view: Float32Array | undefined;

  /** A view of the floats at their current address. */
  at(address: number, count: number): Float32Array {
    const view = this.#view;
    if (view !== undefined && view.byteOffset === address && view.length === count) return view;
    return (this.#view = wasm.floatsAt(address, count));
  }

  /** Whether the floats have moved since the last view was returned. */
  isStale(address: number): boolean {
    const view = this.#view;
    return view !== undefined && (view.byteOffset !== address || view.buffer.byteLength === 0);
  }
}

/** Bodies that are drawn between their last two states, one body a row. */
abstract class Poses extends Handle {
  readonly #floats: number;
  readonly #matrix: number;
  readonly #states = new View();
  readonly #drawn = new View();
  readonly #matrices = new View();
  #length = 0;

  /** @internal */
  constructor(inSpace: boolean) {
    super(wasm, OBJECTS_POSES, Number(inSpace));
    this.#floats = inSpace ? 7 : 4;
    this.#matrix = inSpace ? 16 : 6;
  }

  #do(what: number, name: string, why?: string): void {
    check(wasm.call(held(this), what), name, why);
  }

  #address(what: number): number {
    wasm.call(held(this), what);
    return wasm.numberAt(0);
  }

  /** Calls a function of a row. */
  #doRow(what: number, name: string, row: number, why?: string): void {
    check(wasm.call(held(this), what, this.#row(row)), name, why);
  }

  #row(row: number): number {
    if (!Number.isInteger(row) || row < 0 || row >= this.#length) {
      throw new EvenstepError("Missing", `there is no row ${String(row)}; there are ${this.#length}`);
    }
    return row;
  }

  /** @internal */
  protected addRow(state: readonly number[]): number {
    const object = held(this);
    state.forEach((number, at) => wasm.put(at, finite(number, `number ${at} of the state`)));
    check(wasm.call(object, POSES_ADD), "add");
    return this.#length++;
  }

  /** The number of rows. */
  get length(): number {
    return this.#length;
  }

  /** Removes a row; the last one takes its number. */
  remove(row: number): void {
    this.#doRow(POSES_REMOVE, "remove", row);
    this.#length--;
  }

  /**
   * The states of all rows: write them after a step, then call `commit`. It is a view of memory: read this property again after
   * rows were added.
   */
  get states(): Float32Array {
    return this.#states.at(this.#address(POSES_STATES), this.#length * this.#floats);
  }

  /**
   * Takes the states of all rows after a step, from your array or from `states`. Rows that have not moved cost next to nothing.
   */
  commit(states?: ArrayLike<number>): void {
    const address = this.#address(POSES_STATES);
    const count = this.#length * this.#floats;
    if (states === undefined) {
      if (this.#states.isStale(address)) {
        const why = "these writes are lost: memory has moved since `states` was read; read it once per step";
        throw new EvenstepError("Order", `commit: ${why}`);
      }
    } else {
      if (objectOf(states, "the states").length < count) {
        throw new EvenstepError("Size", `commit: the array has ${states.length} numbers; ${this.#length} rows need ${count}`);
      }
      this.states.set(states instanceof Float32Array ? states.subarray(0, count) : Array.from(states).slice(0, count));
    }
    this.#do(POSES_COMMIT, "commit", "a state is NaN or infinite; no row was taken");
  }

  /** Begins a step in which only rows that move are committed, one by one. */
  beginStep(): void {
    this.#do(POSES_BEGIN_STEP, "beginStep");
  }

  /** Takes the state of one row from `states`, after `beginStep`. */
  commitRow(row: number): void {
    this.#doRow(POSES_COMMIT_ROW, "commitRow", row, "the state is NaN or infinite; it was not taken");
  }

  /** Marks the next state of a row as a teleport: it is drawn at its new pose, not between. */
  teleport(row: number): void {
    this.#doRow(POSES_TELEPORT, "teleport", row);
  }

  /** @internal */
  protected shiftRow(row: number, x: number, y: number, z: number): void {
    const object = held(this);
    check(wasm.call(object, POSES_SHIFT, this.#row(row), finite(x, "x"), finite(y, "y"), finite(z, "z")), "shift");
  }

  /**
   * Writes the drawn poses of all rows at `alpha`, in the layout of `states`, to your array, or returns a view of memory that is valid
   * until the next `draw`.
   */
  draw(alpha: number): Float32Array;
  draw<Floats extends Float32Array>(alpha: number, into: Floats): Floats;
  draw(alpha: number, into?: Float32Array): Float32Array {
    const object = held(this);
    room(into, this.#length * this.#floats);
    drawn(wasm.call(object, POSES_DRAW, alpha), "draw", alpha);
    return copied(this.drawn, into);
  }

  /** The poses of the last `draw`. A view of memory: read this property again after rows were added. */
  get drawn(): Float32Array {
    return this.#drawn.at(this.#address(POSES_DRAWN), this.#length * this.#floats);
  }

  /** Like `draw`, but with matrices, column by column: 3 columns of 2 in the plane, 4 of 4 in space. */
  drawMatrices(alpha: number): Float32Array;
  drawMatrices<Floats extends Float32Array>(alpha: number, into: Floats): Floats;
  drawMatrices(alpha: number, into?: Float32Array): Float32Array {
    const object = held(this);
    const count = this.#length * this.#matrix;
    room(into, count);
    drawn(wasm.call(object, POSES_DRAW_MATRICES, alpha), "drawMatrices", alpha);
    return copied(this.#matrices.at(this.#address(POSES_MATRICES), count), into);
  }
}

function drawn(status: number, name: string, alpha: number): void {
  if (status !== 0) check(status, name, `alpha is ${alpha}`);
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

/** Bodies in the plane. A row is x, y, and cosine and sine of the angle. */
export class Poses2 extends Poses {
  constructor() {
    super(false);
  }

  /** Adds a row for a body at rest, at a position and an angle in radians. Returns its number. */
  add(x: number, y: number, angle = 0): number {
    return this.addRow([x, y, Math.cos(angle), Math.sin(angle)]);
  }

  /** Writes a row into `states`. */
  set(row: number, x: number, y: number, angle: number): void {
    const states = this.states;
    const at = whole(row, "the row", 0, Math.max(0, this.length - 1)) * 4;
    states[at] = x;
    states[at + 1] = y;
    states[at + 2] = Math.cos(angle);
    states[at + 3] = Math.sin(angle);
  }

  /** Moves both states of a row and keeps the motion between them, for when the origin of the world moves. */
  shift(row: number, x: number, y: number): void {
    this.shiftRow(row, x, y, 0);
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
    super(true);
  }

  /** Adds a row for a body at rest, at a position and in a rotation. Returns its number. */
  add(x: number, y: number, z: number, rotation: Quaternion = UPRIGHT): number {
    objectOf(rotation, "the rotation");
    return this.addRow([x, y, z, rotation.x, rotation.y, rotation.z, rotation.w]);
  }

  /** Writes a row into `states`. */
  set(row: number, x: number, y: number, z: number, rotation: Quaternion): void {
    const states = this.states;
    const at = whole(row, "the row", 0, Math.max(0, this.length - 1)) * 7;
    states[at] = x;
    states[at + 1] = y;
    states[at + 2] = z;
    states[at + 3] = rotation.x;
    states[at + 4] = rotation.y;
    states[at + 5] = rotation.z;
    states[at + 6] = rotation.w;
  }

  /** Moves both states of a row and keeps the motion between them, for when the origin of the world moves. */
  shift(row: number, x: number, y: number, z: number): void {
    this.shiftRow(row, x, y, z);
  }
}
