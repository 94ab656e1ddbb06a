// The view of a loop on one display, and the loop's result.

import { BOXES, HALF, RADIUS } from "./tower";

/** 64 bits of FNV-1a over the bits of numbers. */
function hash(numbers: Iterable<number>): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(Float64Array.from(numbers).buffer)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

export class Panel {
  readonly root = document.createElement("div");
  readonly #canvas = document.createElement("canvas");
  readonly #steps = document.createElement("span");
  readonly #hash = document.createElement("code");
  #rows: ArrayLike<number> = [];
  isDone = false;

  constructor(
    hz: number,
    readonly colour: "raw" | "smooth",
  ) {
    this.root.className = "panel";
    const title = document.createElement("p");
    title.className = "title";
    title.append(`${hz} Hz`, this.#steps);
    this.#canvas.width = 480;
    this.#canvas.height = 300;
    this.#canvas.role = "img";
    this.#canvas.ariaLabel = `The tower at ${hz} frames a second`;
    this.#hash.textContent = "…";
    this.root.append(title, this.#canvas, this.#hash);
  }

  get hash(): string {
    return this.#hash.textContent ?? "";
  }

  /** Shows the loop's result: the number of steps and the hash of the last state. The loop then gets no more frames. */
  finish(steps: number, state: Iterable<number>): void {
    this.isDone = true;
    this.#steps.textContent = `${steps} steps`;
    this.#hash.textContent = hash(state);
  }

  /** Draws all bodies. A row is x, y, cosine and sine of the angle, in metres; the ground is at 0. */
  draw(rows: ArrayLike<number>): void {
    this.#rows = rows;
  }

  /** Draws the newest frame on the screen. Of several frames between two refreshes of the real display only the last is visible. */
  paint(): void {
    const context = this.#canvas.getContext("2d")!;
    const { width, height } = this.#canvas;
    const scale = width / 13;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = colour("line");
    context.fillRect(0, height - 20, width, 20);
    context.lineWidth = 1.5 / scale;
    context.strokeStyle = colour("card");
    for (let row = 0; row < this.#rows.length / 4; row++) {
      const [x, y, cos, sin] = [0, 1, 2, 3].map((at) => this.#rows[4 * row + at]!) as [number, number, number, number];
      context.setTransform(scale * cos, -scale * sin, -scale * sin, -scale * cos, width / 2 + scale * x, height - 20 - scale * y);
      context.beginPath();
      if (row < BOXES) context.rect(-HALF, -HALF, 2 * HALF, 2 * HALF);
      else context.arc(0, 0, RADIUS, 0, 2 * Math.PI);
      context.fillStyle = colour(row < BOXES ? this.colour : "ink");
      context.fill();
      context.stroke();
    }
  }
}
