import { COLUMNS, disc, drawColumns, line, type Point } from "../canvas";
import { Figure, rows } from "../figure";
import { refreshRates, slider } from "../settings";
import { colours } from "../theme";
import { RatesFigure } from "../wasm/core/core";

/** The visible metres to either side of the middle. */
const SIDE = 1.8;

/** The steps and the thoughts of a frame; then prey, hunter and where it aims, x and y of each in metres. */
type RecentFrame = [steps: number, thoughts: number, ...places: number[]];

export class Rates extends Figure<RatesFigure> {
  private recent: RecentFrame[] = [];
  private sums: [steps: number, thoughts: number] = [0, 0];

  constructor(root: HTMLElement) {
    super(root, [
      slider("thoughts", "It thinks", [1, 2, 5, 10, 30, 60], 10, (value) => `${value} times a second`),
      refreshRates(0),
    ]);
    this.canvas("A hunter follows its prey; below, the steps and thoughts of each frame", 0.5, 260);
  }

  protected create(): RatesFigure {
    [this.recent, this.sums] = [[], [0, 0]];
    return new RatesFigure(this.getNumber("thoughts"), this.getNumber("display"));
  }

  protected advance(delta: number): void {
    const frames = rows<RecentFrame>(this.simulation.advance(delta), 8);
    for (const [steps, thoughts] of frames) this.sums = [this.sums[0] + steps, this.sums[1] + thoughts];
    this.recent = [...this.recent, ...frames].slice(-COLUMNS);
  }

  protected show(): void {
    this.number("steps of the physics", String(this.sums[0]), "step");
    this.number("thoughts", String(this.sums[1]), "smooth");
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const [, , ...places] = this.recent.at(-1) ?? [0, 0, 0, 0, -1, 0, 0, 0];
    const scale = Math.min(width / (2 * SIDE), (height - 110) / 1.6);
    const at = (index: number): Point =>
      [width / 2 + places[index]! * scale, (height - 100) / 2 - places[index + 1]! * scale];
    const [prey, hunter, aim] = [at(0), at(2), at(4)];
    const [left, right, top, bottom] = [aim[0] - 9, aim[0] + 9, aim[1] - 9, aim[1] + 9];
    line(pen, [hunter, aim], colours.truth, 1.5, [4, 3]);
    line(pen, [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]], colours.truth, 1.5, [4, 3]);
    disc(pen, prey, 10, colours.raw);
    disc(pen, hunter, 10, colours.smooth);
    drawColumns(pen, "steps in each frame", String, this.recent.map(([steps]) => steps), colours.step, width, height - 104, height - 54);
    drawColumns(pen, "thoughts in each frame", String, this.recent.map(([, thoughts]) => thoughts), colours.smooth, width, height - 50, height - 2);
  }
}
