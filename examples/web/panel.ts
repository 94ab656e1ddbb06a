// The view of a loop on one display, and the loop's result.

/** A box or ball of a scene: half its width and height, or its radius. */
export type Shape = { readonly box: readonly [number, number] } | { readonly ball: number };

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
  readonly canvas = document.createElement("canvas");
  readonly #steps = document.createElement("span");
  readonly #hash = document.createElement("code");
  #picture: ((canvas: HTMLCanvasElement) => void) | undefined;
  isDone = false;

  constructor(
    readonly hz: number,
    readonly colour: "raw" | "smooth",
    readonly shapes: readonly Shape[],
    readonly width: number,
  ) {
    this.root.className = "panel";
    const title = document.createElement("p");
    title.className = "title";
    title.append(`${hz} Hz`, this.#steps);
    this.canvas.width = 480;
    this.canvas.height = 300;
    this.canvas.role = "img";
    this.canvas.ariaLabel = `The scene at ${hz} frames a second`;
    this.#hash.textContent = "…";
    this.root.append(title, this.canvas, this.#hash);
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

  /** Draws all shapes. A row is x, y, cosine and sine of the angle, in metres; the ground is at 0. */
  draw(rows: ArrayLike<number>): void {
    this.show(() => this.#paintShapes(rows));
  }

  /** Draws by a function instead of shapes. */
  show(paint: (canvas: HTMLCanvasElement) => void): void {
    this.#picture = paint;
  }

  /** Draws the newest frame on the screen. Of several frames between two refreshes of the real display only the last is visible. */
  paint(): void {
    this.#picture?.(this.canvas);
    this.#picture = undefined;
  }

  #paintShapes(rows: ArrayLike<number>): void {
    const context = this.canvas.getContext("2d")!;
    const { width, height } = this.canvas;
    const scale = width / this.width;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = colour("line");
    context.fillRect(0, height - 20, width, 20);
    context.lineWidth = 1.5 / scale;
    context.strokeStyle = colour("card");
    this.shapes.forEach((shape, row) => {
      const [x, y, cos, sin] = [0, 1, 2, 3].map((at) => rows[4 * row + at]!) as [number, number, number, number];
      context.setTransform(scale * cos, -scale * sin, -scale * sin, -scale * cos, width / 2 + scale * x, height - 20 - scale * y);
      context.beginPath();
      if ("box" in shape) context.rect(-shape.box[0], -shape.box[1], 2 * shape.box[0], 2 * shape.box[1]);
      else context.arc(0, 0, shape.ball, 0, 2 * Math.PI);
      context.fillStyle = colour("box" in shape ? this.colour : "ink");
      context.fill();
      context.stroke();
    });
  }
}
