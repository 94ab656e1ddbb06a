import { disc } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, slider, timeScale, timeScales } from "../settings";
import { colours } from "../theme";
import type { SnookerFigure } from "../wasm/physics/physics";

type Physics = typeof import("../wasm/physics/physics");

/** Half the width and the height of the table, and the radius of a ball, in metres. */
const [WIDTH, HEIGHT, RADIUS] = [20, 10, 0.5];

export class Snooker extends Figure {
  private simulation!: SnookerFigure;
  private balls!: Float32Array;

  constructor(
    root: HTMLElement,
    private readonly physics: Physics,
  ) {
    super(root, "snooker", [
      menu("direction", "Time runs", [["forwards", "forwards"], ["backwards", "backwards"]], "forwards"),
      timeScales(),
      slider("tick", "Go to", Array.from({ length: 61 }, (_, index) => 10 * index), 0, (value) => `step ${value}`),
    ]);
    this.canvas("A snooker table", 0.52, 200, (pen, width, height) => this.draw(pen, width, height));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.physics.SnookerFigure();
    this.changed("speed");
    this.changed("tick");
  }

  protected override changed(key: string): void {
    if (key === "tick") this.simulation.seek(this.getNumber("tick"));
    else this.simulation.set_time(...timeScale(this.getText("speed")), this.getText("direction") === "backwards");
    this.advance(0);
  }

  protected advance(delta: number): void {
    this.balls = this.simulation.advance(delta);
  }

  protected show(): void {
    this.number("step", String(this.simulation.tick), "step");
    this.number("steps simulated again", String(this.simulation.again), "step");
    this.number("hash of the state", this.simulation.hash);
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const scale = Math.min(width / (2 * WIDTH + 1), height / (2 * HEIGHT + 1));
    pen.fillStyle = colours.line;
    pen.fillRect(width / 2 - (WIDTH + 0.5) * scale, height / 2 - (HEIGHT + 0.5) * scale, (2 * WIDTH + 1) * scale, (2 * HEIGHT + 1) * scale);
    pen.fillStyle = colours.paper;
    pen.fillRect(width / 2 - WIDTH * scale, height / 2 - HEIGHT * scale, 2 * WIDTH * scale, 2 * HEIGHT * scale);
    rows<[number, number]>(this.balls, 2).forEach(([x, y], index) => {
      disc(pen, [width / 2 + x * scale, height / 2 - y * scale], RADIUS * scale, index === 0 ? colours.smooth : colours.raw);
    });
  }
}
