import { disc, drawWalled } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, slider, timeScales } from "../settings";
import { colours } from "../theme";
import { SnookerFigure } from "../wasm/physics/physics";

/** Half the width and the height of the table, the thickness of its walls, and the radius of a ball, in metres. */
const [WIDTH, HEIGHT, WALL, RADIUS] = [20, 10, 0.5, 0.5];

export class Snooker extends Figure<SnookerFigure> {
  private balls!: Float32Array;

  // It has states to show before its first frame.
  protected override hasBegun = true;

  constructor(root: HTMLElement) {
    super(root, [
      menu("direction", "Time runs", [["forwards", "forwards"], ["backwards", "backwards"]], "forwards"),
      timeScales(),
      slider("tick", "Go to", Array.from({ length: 61 }, (_, index) => 10 * index), 0, (value) => `step ${value}`),
    ]);
    this.canvas("A snooker table", 21 / 41, 160);
  }

  protected create(): SnookerFigure {
    const simulation = new SnookerFigure();
    this.apply(simulation);
    simulation.seek(this.getNumber("tick"));
    this.balls = simulation.advance(0);
    return simulation;
  }

  private apply(simulation: SnookerFigure): void {
    simulation.set_time(this.getText("speed"), this.getText("direction") === "backwards");
  }

  protected override changed(key: string): void {
    if (key === "tick") this.simulation.seek(this.getNumber("tick"));
    else this.apply(this.simulation);
    this.balls = this.simulation.advance(0);
  }

  protected advance(delta: number): void {
    this.balls = this.simulation.advance(delta);
    this.follow("tick", this.simulation.tick);
  }

  /** From the first step again. */
  protected override restart(): void {
    this.follow("tick", 0);
    super.restart();
  }

  protected show(): void {
    this.number("step", String(this.simulation.tick), "step");
    this.number("steps simulated again", String(this.simulation.again), "step");
    this.number("hash of the state", this.simulation.hash, "hash");
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    drawWalled(pen, [WIDTH, HEIGHT], WALL, width, height, () => {
      rows<[number, number]>(this.balls, 2).forEach((ball, index) => {
        disc(pen, ball, RADIUS, index === 0 ? colours.smooth : colours.raw);
      });
    });
  }
}
