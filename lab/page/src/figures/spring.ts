import { StripChart } from "../chart";
import { Figure, jitter, refreshRates } from "../figure";
import { colours } from "../theme";
import { SpringFigure } from "../wasm/core/core";

/** Metres from the middle of the drawing to its side. */
const VIEW = 2.4;

export class Spring extends Figure {
  private simulation!: SpringFigure;
  private last = [0, 1, 1, 1];
  private worst = 0;
  private readonly strip: StripChart;

  constructor(root: HTMLElement) {
    super(root, "spring", [
      {
        key: "stiffness",
        label: "Stiffness",
        kind: "number",
        values: [10, 30, 100, 300, 1000, 3000, 10000],
        value: 1000,
        show: (value) => `${value} N/m`,
      },
      refreshRates(10),
      jitter(0),
    ]);
    this.canvas("Two springs, one above the other", 0.3, 190, (pen, width, height) => this.draw(pen, width, height));
    this.strip = new StripChart(
      this.chart(),
      "position",
      4,
      [
        { label: "step per frame", unit: "m", colour: "raw" },
        { label: "fixed steps", unit: "m", colour: "smooth" },
        { label: "exact", unit: "m", colour: "truth", dash: [4, 4] },
      ],
      [-VIEW, VIEW],
    );
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new SpringFigure(this.getNumber("stiffness"), 1, 240);
    this.simulation.set_display(this.getNumber("display"), this.getNumber("jitter"));
    this.last = [0, 1, 1, 1];
    this.worst = 0;
    this.strip.clear();
  }

  protected changed(): void {
    this.build();
  }

  protected advance(delta: number): void {
    const rows = this.simulation.advance(delta);
    for (let at = 0; at < rows.length; at += 4) {
      this.last = Array.from(rows.slice(at, at + 4));
      const [time, variable, fixed, exact] = this.last as [number, number, number, number];
      this.worst = Math.max(this.worst, Math.abs(fixed - exact));
      this.strip.add(time, [Math.max(-1e3, Math.min(1e3, variable)), fixed, exact]);
    }
  }

  protected show(): void {
    const exploded = this.simulation.exploded_at;
    const far = Math.abs(this.last[1]!);
    const how = exploded !== undefined ? `exploded after ${exploded.toFixed(1)} s` : `at ${far.toFixed(2)} m`;
    this.number("a step per frame", how, "raw");
    this.number("fixed steps, 240 a second", `at ${Math.abs(this.last[2]!).toFixed(2)} m`, "smooth");
    this.number("largest error of the fixed steps", `${(this.worst * 1000).toFixed(0)} mm`, "smooth");
    this.strip.draw();
  }

  protected override recoloured(): void {
    this.strip.build();
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const [, variable, fixed, exact] = this.last as [number, number, number, number];
    const names = ["a step per frame", "fixed steps"];
    [variable, fixed].forEach((position, row) => {
      const y = (height * (row + 0.55)) / 2;
      const colour = row === 0 ? colours.raw : colours.smooth;
      pen.font = "14px system-ui, sans-serif";
      pen.fillStyle = colours.soft;
      pen.fillText(names[row]!, 12, y - height * 0.17);
      drawSpring(pen, width, y, position, colour);
      drawGhost(pen, width, y, exact);
    });
  }
}

function across(width: number, position: number): number {
  return width * (0.5 + position / (2 * VIEW));
}

function drawSpring(pen: CanvasRenderingContext2D, width: number, y: number, position: number, colour: string): void {
  const x = across(width, position);
  const gone = x < 0 || x > width;
  const end = Math.max(-20, Math.min(width + 20, x));
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(8, y - 24);
  pen.lineTo(8, y + 24);
  pen.moveTo(8, y);
  const turns = 14;
  for (let turn = 1; turn < turns; turn++) {
    pen.lineTo(8 + ((end - 8) * turn) / turns, y + (turn % 2 === 0 ? 9 : -9));
  }
  pen.lineTo(end, y);
  pen.stroke();
  pen.fillStyle = colour;
  if (!gone) return pen.fillRect(x - 16, y - 16, 32, 32);
  const side = x > width ? width - 10 : 10;
  pen.textAlign = x > width ? "right" : "left";
  pen.font = "bold 16px system-ui, sans-serif";
  pen.fillText(x > width ? "out of sight →" : "← out of sight", side, y - 14);
  pen.textAlign = "left";
}

function drawGhost(pen: CanvasRenderingContext2D, width: number, y: number, position: number): void {
  pen.strokeStyle = colours.truth;
  pen.setLineDash([4, 3]);
  pen.strokeRect(across(width, position) - 18, y - 18, 36, 36);
  pen.setLineDash([]);
}
