import { StripChart } from "../chart";
import { Figure, button, refreshRates } from "../figure";
import { colours } from "../theme";
import { PathsFigure } from "../wasm/core/core";

/** The visible metres to either side, and above the floor. */
const [SIDE, ABOVE] = [4.8, 3.2];

export class Paths extends Figure {
  private simulation!: PathsFigure;
  private last: number[] = new Array(10).fill(0);
  private time = 0;
  private readonly strip: StripChart;

  constructor(root: HTMLElement) {
    super(root, "paths", [
      {
        key: "rate",
        label: "Steps",
        kind: "number",
        values: [5, 10, 20, 30, 60],
        value: 20,
        show: (value) => `${value} a second`,
      },
      refreshRates(120),
      {
        key: "smoothing",
        label: "Smoothing",
        kind: "choice",
        options: [
          ["none", "none"],
          ["interpolate", "interpolate"],
          ["extrapolate", "extrapolate"],
          ["hermite", "Hermite curve"],
        ],
        value: "interpolate",
      },
    ]);
    this.canvas("Two blocks: drawn raw, and drawn smoothly", 0.5, 320, (pen, width, height) =>
      this.draw(pen, width, height),
    );
    this.strip = new StripChart(
      this.chart(),
      "height",
      2,
      [
        { label: "raw", unit: "m", colour: "raw", stepped: true },
        { label: "smoothed", unit: "m", colour: "smooth" },
        { label: "true", unit: "m", colour: "truth", dash: [4, 4] },
      ],
      [-0.4, 2.6],
    );
    this.actions.append(button("Teleport", () => this.simulation.teleport()));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new PathsFigure(this.getNumber("rate"));
    this.simulation.set_display(this.getNumber("display"));
    this.simulation.set_smoothing(this.getText("smoothing"));
    this.last = Array.from(this.simulation.advance(0)).slice(0, 10);
    if (this.last.length < 10) this.last = new Array(10).fill(0);
    this.time = 0;
    this.strip.clear();
  }

  protected changed(key: string): void {
    if (key === "rate") this.build();
    else if (key === "display") this.simulation.set_display(this.getNumber("display"));
    else this.simulation.set_smoothing(this.getText("smoothing"));
  }

  protected advance(delta: number): void {
    const rows = this.simulation.advance(delta);
    for (let at = 0; at < rows.length; at += 10) {
      this.last = Array.from(rows.slice(at, at + 10));
      this.time += this.last[0]! / 1000;
      this.strip.add(this.time, [this.last[5]!, this.last[8]!, this.last[2]!]);
    }
  }

  protected show(): void {
    this.number("raw: largest jump in a frame", `${(this.simulation.raw_jump * 100).toFixed(1)} cm`, "raw");
    this.number("smoothed: largest jump in a frame", `${(this.simulation.smooth_jump * 100).toFixed(1)} cm`, "smooth");
    this.number("smoothed: lag", `${Math.round(this.simulation.lag) || 0} ms`, "smooth");
    this.number("smoothed: error against the truth", `${(this.simulation.error * 100).toFixed(1)} cm`, "smooth");
    this.number("smoothed: distance from its path", `${(this.simulation.path_error * 100).toFixed(2)} cm`, "smooth");
    this.strip.draw();
  }

  protected override recoloured(): void {
    this.strip.build();
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const lane = height / 2;
    const scale = Math.min(width / (2 * SIDE), lane / ABOVE);
    const truth = this.last.slice(1, 4);
    ["raw", "smoothed"].forEach((name, row) => {
      const floor = lane * (row + 1) - 0.55 * scale;
      pen.font = "14px system-ui, sans-serif";
      pen.fillStyle = colours.soft;
      pen.fillText(name, 12, lane * row + 20);
      pen.strokeStyle = colours.line;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(0, floor + 0.35 * scale);
      pen.lineTo(width, floor + 0.35 * scale);
      pen.stroke();
      const place = ([x, y]: number[]) => [width / 2 + x! * scale, floor - y! * scale] as const;
      const block = this.last.slice(4 + 3 * row, 7 + 3 * row);
      drawBlock(pen, place(block), block[2]!, scale, row === 0 ? colours.raw : colours.smooth, true);
      drawBlock(pen, place(truth), truth[2]!, scale, colours.truth, false);
    });
  }
}

function drawBlock(
  pen: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  angle: number,
  scale: number,
  colour: string,
  filled: boolean,
): void {
  const half = 0.35 * scale;
  pen.save();
  pen.translate(x, y);
  pen.rotate(-angle);
  if (filled) {
    pen.fillStyle = colour;
    pen.fillRect(-half, -half, 2 * half, 2 * half);
  } else {
    pen.strokeStyle = colour;
    pen.setLineDash([4, 3]);
    pen.strokeRect(-half, -half, 2 * half, 2 * half);
  }
  pen.restore();
}
