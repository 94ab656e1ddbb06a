import { line } from "../canvas";
import { Figure, rows } from "../figure";
import { refreshRates, slider } from "../settings";
import { colours } from "../theme";
import { BlocksFigure } from "../wasm/physics/physics";

/** Deeper than this, in metres, a block is drawn as sunk. */
const SUNK = 0.05;

/** The visible metres to the left and right of the middle, and below the floor. */
const [SIDE, BELOW] = [12, 1.5];

/** The two ways of stepping: a title, a name in numbers, and a colour. */
const WAYS = [["a step per frame", "a step per frame", "raw"], ["60 fixed steps a second", "fixed steps", "smooth"]] as const;

export class Blocks extends Figure<BlocksFigure> {
  /** The blocks that are in the floor, of each way. */
  private readonly sunk = [0, 0];
  /** Milliseconds that the simulation took for the last frames. */
  private costs: number[] = [];
  /** The milliseconds of these frames. */
  private deltas: number[] = [];

  constructor(root: HTMLElement) {
    super(root, [
      slider("count", "Blocks", [1, 10, 30, 60, 100, 200, 300, 500, 700, 1000], 60, String),
      refreshRates(10),
    ]);
    for (const place of this.columns(WAYS.map(([title]) => title))) {
      this.canvas(`Falling blocks with ${place.textContent}`, 0.9, 240, place);
    }
  }

  protected create(): BlocksFigure {
    [this.costs, this.deltas] = [[], []];
    return new BlocksFigure(this.getNumber("count"), this.getNumber("display"));
  }

  protected advance(delta: number): void {
    // Blocks that have come to rest fall again.
    if (this.simulation.rests) this.build();
    const start = performance.now();
    this.simulation.advance(delta);
    this.costs = [...this.costs.slice(-59), performance.now() - start];
    this.deltas = [...this.deltas.slice(-59), delta];
  }

  protected show(): void {
    WAYS.forEach(([, name, colour], index) => {
      const deepest = this.simulation.deepest(index) ?? 0;
      this.number(`${name}: deepest`, `${(deepest * 100).toFixed(0)} cm`, colour);
      this.number(`${name}: now in the floor`, String(this.sunk[index]), colour);
    });
    const sum = (times: number[]) => times.reduce((sum, time) => sum + time, 0);
    this.number("both cost a frame", `${(sum(this.costs) / Math.max(1, this.costs.length)).toFixed(1)} ms`);
    this.number("share of a frame", `${((100 * sum(this.costs)) / Math.max(1, sum(this.deltas))).toFixed(0)} %`);
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    const scale = width / (2 * SIDE);
    const floor = height - BELOW * scale;
    pen.fillStyle = colours.line;
    pen.fillRect(0, floor, width, height - floor);
    this.sunk[index] = 0;
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 0.5;
    type Block = [x: number, y: number, cos: number, sin: number, half: number, depth: number];
    for (const [x, y, cos, sin, half, depth] of rows<Block>(this.simulation.boxes(index), 6)) {
      const sunk = depth > SUNK;
      if (sunk) this.sunk[index]!++;
      const size = half * scale;
      pen.save();
      pen.transform(cos, -sin, sin, cos, width / 2 + x * scale, floor - y * scale);
      pen.fillStyle = sunk ? colours.lost : colours[WAYS[index]![2]];
      pen.fillRect(-size, -size, 2 * size, 2 * size);
      pen.strokeRect(-size, -size, 2 * size, 2 * size);
      pen.restore();
    }
    line(pen, [[0, floor], [width, floor]], colours.ink, 1.5);
  }
}
