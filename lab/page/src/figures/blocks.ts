import { line } from "../canvas";
import { Figure, rows } from "../figure";
import { refreshRates, slider } from "../settings";
import { colours } from "../theme";
import type { BlocksFigure } from "../wasm/physics/physics";

type Physics = typeof import("../wasm/physics/physics");

/** Deeper than this, in metres, a block is drawn as sunk. */
const SUNK = 0.05;

/** The visible metres to the left and right of the middle, and below the floor. */
const [SIDE, BELOW] = [12, 1.5];

export class Blocks extends Figure {
  private simulation!: BlocksFigure;
  private readonly sunk = { variable: 0, fixed: 0 };
  private seconds = 0;
  /** Milliseconds that the simulation took for the last frames. */
  private costs: number[] = [];

  constructor(
    root: HTMLElement,
    private readonly physics: Physics,
  ) {
    super(root, "blocks", [
      slider("count", "Blocks", [1, 10, 30, 60, 100, 200, 300, 500, 700, 1000], 60, String),
      refreshRates(10),
    ]);
    this.columns(["a step per frame", "60 fixed steps a second"]).forEach((place, index) => {
      const way = index === 0 ? "variable" : "fixed";
      this.canvas(`Falling blocks with ${place.textContent}`, 0.9, 240, (pen, width, height) => this.draw(pen, width, height, way), place);
    });
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.physics.BlocksFigure(this.getNumber("count"));
    this.simulation.set_display(this.getNumber("display"));
    [this.seconds, this.costs] = [0, []];
  }

  protected override changed(key: string): void {
    if (key === "count") this.build();
    else this.simulation.set_display(this.getNumber("display"));
  }

  protected advance(delta: number): void {
    const start = performance.now();
    this.simulation.advance(delta);
    this.seconds += delta / 1000;
    this.costs = [...this.costs.slice(-59), performance.now() - start];
  }

  protected show(): void {
    const { variable_sunk, fixed_sunk } = this.simulation;
    const centimetres = (metres: number) => `${(metres * 100).toFixed(0)} cm`;
    this.number("a step per frame: deepest", centimetres(variable_sunk), "raw");
    this.number("a step per frame: now in the floor", String(this.sunk.variable), "raw");
    this.number("fixed steps: deepest", centimetres(fixed_sunk), "smooth");
    this.number("fixed steps: now in the floor", String(this.sunk.fixed), "smooth");
    const mean = this.costs.reduce((sum, cost) => sum + cost, 0) / Math.max(1, this.costs.length);
    this.number("both cost a frame", `${mean.toFixed(1)} ms`);
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number, way: "variable" | "fixed"): void {
    const scale = width / (2 * SIDE);
    const floor = height - BELOW * scale;
    pen.fillStyle = colours.line;
    pen.fillRect(0, floor, width, height - floor);
    const colour = way === "variable" ? colours.raw : colours.smooth;
    this.sunk[way] = 0;
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 0.5;
    type Block = [x: number, y: number, cos: number, sin: number, half: number, depth: number];
    for (const [x, y, cos, sin, half, depth] of rows<Block>(this.simulation[way](), 6)) {
      const sunk = depth > SUNK;
      if (sunk) this.sunk[way]++;
      const size = half * scale;
      pen.save();
      pen.transform(cos, -sin, sin, cos, width / 2 + x * scale, floor - y * scale);
      pen.fillStyle = sunk ? colours.lost : colour;
      pen.fillRect(-size, -size, 2 * size, 2 * size);
      pen.strokeRect(-size, -size, 2 * size, 2 * size);
      pen.restore();
    }
    line(pen, [[0, floor], [width, floor]], colours.ink, 1.5);
  }
}
