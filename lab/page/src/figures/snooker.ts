import { Figure, timeScale, timeScales } from "../figure";
import { colours } from "../theme";
import type { SnookerFigure } from "../wasm/physics/physics";

type Physics = typeof import("../wasm/physics/physics");

/** Half the width and the height of the table, and the radius of a ball, in metres. */
const [WIDTH, HEIGHT, RADIUS] = [20, 10, 0.5];

export class Snooker extends Figure {
  private simulation: SnookerFigure | undefined;
  private balls: Float32Array = new Float32Array();

  constructor(
    root: HTMLElement,
    private readonly physics: Physics,
  ) {
    super(root, "snooker", [
      {
        key: "direction",
        label: "Time runs",
        kind: "choice",
        options: [
          ["forwards", "forwards"],
          ["backwards", "backwards"],
        ],
        value: "forwards",
      },
      timeScales(),
      {
        key: "tick",
        label: "Go to",
        kind: "number",
        values: Array.from({ length: 61 }, (_, index) => 10 * index),
        value: 0,
        show: (value) => `step ${value}`,
      },
    ]);
    this.canvas("A snooker table", 0.52, 200, (pen, width, height) => this.draw(pen, width, height));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.physics.SnookerFigure();
    this.setTime();
    this.simulation.seek(this.getNumber("tick"));
    this.balls = this.simulation.advance(0);
  }

  private setTime(): void {
    this.simulation?.set_time(...timeScale(this.getText("speed")), this.getText("direction") === "backwards");
  }

  protected changed(key: string): void {
    if (key !== "tick") return this.setTime();
    this.simulation?.seek(this.getNumber("tick"));
    this.balls = this.simulation?.advance(0) ?? this.balls;
  }

  protected advance(delta: number): void {
    this.balls = this.simulation?.advance(delta) ?? this.balls;
  }

  protected show(): void {
    if (!this.simulation) return;
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
    for (let at = 0; at < this.balls.length; at += 2) {
      pen.fillStyle = at === 0 ? colours.smooth : colours.raw;
      pen.beginPath();
      pen.arc(width / 2 + this.balls[at]! * scale, height / 2 - this.balls[at + 1]! * scale, RADIUS * scale, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}
