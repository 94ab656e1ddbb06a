import { Figure, refreshRates } from "../figure";
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
  private places = new Float64Array(6);

  constructor(root: HTMLElement) {
    super(root, "rates", [
      {
        key: "thoughts",
        label: "It thinks",
        kind: "number",
        values: [1, 2, 5, 10, 30, 60],
        value: 10,
        show: (value) => `${value} times a second`,
      },
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
    [this.recent, this.sums] = [[], [0, 0]];
  }

  protected changed(key: string): void {
    if (key === "thoughts") this.build();
    else this.simulation.set_display(this.getNumber("display"));
  }

  protected advance(delta: number): void {
    const rows = this.simulation.advance(delta);
    for (let at = 0; at < rows.length; at += 9) {
      const [steps, thoughts] = [rows[at + 1]!, rows[at + 2]!];
      this.recent.push([steps, thoughts]);
      this.sums = [this.sums[0]! + steps, this.sums[1]! + thoughts];
      this.places = rows.slice(at + 3, at + 9);
    }
    this.recent = this.recent.slice(-FRAMES);
  }

  protected show(): void {
    this.number("steps of the physics", String(this.sums[0]), "step");
    this.number("thoughts", String(this.sums[1]), "smooth");
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const scale = Math.min(width / (2 * SIDE), (height - 70) / 1.6);
    const at = (index: number) =>
      [width / 2 + this.places[index]! * scale, (height - 60) / 2 - this.places[index + 1]! * scale] as const;
    const [prey, hunter, aim] = [at(0), at(2), at(4)];
    pen.strokeStyle = colours.truth;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(...hunter);
    pen.lineTo(...aim);
    pen.stroke();
    pen.strokeRect(aim[0] - 9, aim[1] - 9, 18, 18);
    pen.setLineDash([]);
    for (const [[x, y], colour] of [[prey, colours.raw], [hunter, colours.smooth]] as const) {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(x, y, 10, 0, 2 * Math.PI);
      pen.fill();
    }
    const size = (width - 24) / FRAMES;
    pen.font = "14px system-ui, sans-serif";
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
