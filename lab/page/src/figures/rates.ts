import { FONT, disc, line, type Point } from "../canvas";
import { Figure, rows } from "../figure";
import { refreshRates, slider } from "../settings";
import { colours } from "../theme";
import { RatesFigure } from "../wasm/core/core";

/** The visible metres to either side of the middle. */
const SIDE = 1.8;
/** The frames in the strip below. */
const FRAMES = 60;

export class Rates extends Figure {
  private simulation!: RatesFigure;
  /** Steps and thoughts of the last frames. */
  private recent: [steps: number, thoughts: number][] = [];
  private sums = [0, 0];
  private places: number[] = [];

  constructor(root: HTMLElement) {
    super(root, "rates", [
      slider("thoughts", "It thinks", [1, 2, 5, 10, 30, 60], 10, (value) => `${value} times a second`),
      refreshRates(0),
    ]);
    this.canvas("A hunter follows its prey; below, the steps and thoughts of each frame", 0.5, 260, (pen, width, height) =>
      this.draw(pen, width, height),
    );
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new RatesFigure(this.getNumber("thoughts"));
    this.simulation.set_display(this.getNumber("display"));
    [this.recent, this.sums, this.places] = [[], [0, 0], [0, 0, -1, 0, 0, 0]];
  }

  protected override changed(key: string): void {
    if (key === "thoughts") this.build();
    else this.simulation.set_display(this.getNumber("display"));
  }

  protected advance(delta: number): void {
    for (const [steps, thoughts, ...places] of rows<[number, number, ...number[]]>(this.simulation.advance(delta), 8)) {
      this.recent.push([steps, thoughts]);
      this.sums = [this.sums[0]! + steps, this.sums[1]! + thoughts];
      this.places = places;
    }
    this.recent = this.recent.slice(-FRAMES);
  }

  protected show(): void {
    this.number("steps of the physics", String(this.sums[0]), "step");
    this.number("thoughts", String(this.sums[1]), "smooth");
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const scale = Math.min(width / (2 * SIDE), (height - 70) / 1.6);
    const at = (index: number): Point =>
      [width / 2 + this.places[index]! * scale, (height - 60) / 2 - this.places[index + 1]! * scale];
    const [prey, hunter, aim] = [at(0), at(2), at(4)];
    const [left, right, top, bottom] = [aim[0] - 9, aim[0] + 9, aim[1] - 9, aim[1] + 9];
    line(pen, [hunter, aim], colours.truth, 1.5, [4, 3]);
    line(pen, [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]], colours.truth, 1.5, [4, 3]);
    disc(pen, prey, 10, colours.raw);
    disc(pen, hunter, 10, colours.smooth);
    const size = (width - 24) / FRAMES;
    pen.font = FONT;
    pen.fillStyle = colours.soft;
    pen.fillText("steps and thoughts, frame by frame", 12, height - 46);
    this.recent.forEach(([steps, thoughts], index) => {
      const x = 12 + index * size;
      pen.fillStyle = colours.step;
      for (let step = 0; step < Math.min(steps, 6); step++) pen.fillRect(x, height - 6 - 5 * (step + 1), size - 1, 4);
      pen.fillStyle = colours.smooth;
      if (thoughts > 0) pen.fillRect(x, height - 40, size - 1, 5);
    });
  }
}
