import { Figure, refreshRates } from "../figure";
import { colours } from "../theme";
import type { SceneFigure } from "../wasm/physics/physics";

type Physics = typeof import("../wasm/physics/physics");

/** The visible part of a scene: metres from left to right, and below and above height 0. */
export type View = {
  scene: string;
  label: string;
  width: number;
  below: number;
  above: number;
  /** Where the left side is, or which outline the middle follows. */
  left?: number;
  follows?: number;
};

export const views: View[] = [
  { scene: "bridge", label: "A car on a bridge of hinged planks", width: 30, below: 4, above: 6, follows: 16 },
  { scene: "platforms", label: "Lifts with boxes and a character", width: 29, below: 6, above: 7, left: -3 },
];

export class SceneView extends Figure {
  private simulation: SceneFigure | undefined;

  constructor(
    root: HTMLElement,
    private readonly physics: Physics,
    private readonly view: View,
  ) {
    super(root, view.scene, [refreshRates(0)]);
    this.canvas(view.label, (view.below + view.above) / view.width, 180, (pen, width, height) => this.draw(pen, width, height));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.physics.SceneFigure(this.view.scene);
    this.changed();
  }

  protected changed(): void {
    this.simulation?.set_display(this.getNumber("display"));
  }

  protected advance(delta: number): void {
    this.simulation?.advance(delta);
    if (this.simulation?.is_over) this.build();
  }

  protected show(): void {
    this.number("steps", String(this.simulation?.steps ?? 0), "step");
    this.number("state after 300 steps", this.simulation?.marked || "not yet", "smooth");
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { view } = this;
    const outlines = this.simulation?.outlines() ?? new Float32Array();
    // The whole width is shown; where the least height of a canvas leaves room, it is above.
    const scale = width / view.width;
    const left = view.left ?? outlines[7 * (view.follows ?? 0)]! - width / scale / 2;
    pen.translate(-left * scale, height - view.below * scale);
    pen.scale(scale, -scale);
    this.drawGround(pen);
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 1 / scale;
    for (let at = 0; at < outlines.length; at += 7) drawOutline(pen, outlines.subarray(at, at + 7));
  }

  private drawGround(pen: CanvasRenderingContext2D): void {
    const ground = this.simulation?.ground() ?? new Float64Array();
    pen.fillStyle = colours.line;
    for (let at = 0; at < ground.length; at += 5) {
      const [x, y, toX, toY, slopes] = ground.subarray(at, at + 5) as unknown as [number, number, number, number, number];
      pen.beginPath();
      pen.moveTo(x, slopes ? -this.view.below : y);
      pen.lineTo(x, y);
      pen.lineTo(toX, slopes ? toY : y);
      pen.lineTo(toX, slopes ? -this.view.below : toY);
      if (!slopes) pen.lineTo(x, toY);
      pen.fill();
    }
  }
}

function drawOutline(pen: CanvasRenderingContext2D, outline: Float32Array): void {
  const [x, y, cos, sin, width, height, round] = outline as unknown as [
    number, number, number, number, number, number, number,
  ];
  pen.save();
  pen.transform(cos, sin, -sin, cos, x, y);
  pen.beginPath();
  pen.roundRect(-width, -height, 2 * width, 2 * height, round ? Math.min(width, height) : 0);
  pen.fillStyle = colours.smooth;
  pen.fill();
  pen.stroke();
  if (round && width === height) {
    // A spoke shows that the disc turns.
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.lineTo(width, 0);
    pen.stroke();
  }
  pen.restore();
}
