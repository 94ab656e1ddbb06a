import { FONT } from "../canvas";
import { StripChart } from "../chart";
import { Figure, button, rows } from "../figure";
import { menu, milliseconds, slider } from "../settings";
import { colours } from "../theme";
import { SpiralFigure } from "../wasm/core/core";

export class Spiral extends Figure {
  private simulation!: SpiralFigure;
  private real = 0;
  private behind = 0;
  private recent: number[] = [];
  private readonly strip: StripChart;

  constructor(root: HTMLElement) {
    super(root, "spiral", [
      slider("cost", "A step of 16.7 ms costs", [1, 5, 10, 15, 18, 20, 25, 30, 40], 20, milliseconds),
      menu("policy", "Too many steps are", [
        ["none", "run all the same"],
        ["clamp", "avoided: frames count at most 100 ms"],
        ["drop", "dropped beyond 4 a frame"],
        ["carry", "carried over, up to 0.5 s"],
        ["stretch", "caught up with, at 1.5× at most"],
      ], "none"),
    ]);
    this.canvas("Where real time went", 0.16, 110, (pen, width, height) => this.draw(pen, width, height));
    this.strip = new StripChart(this.chart(), "time of a frame", 10, [
      { label: "frame", unit: "ms", colour: "raw", stepped: true },
      { label: "behind", unit: "ms", colour: "lost", stepped: true },
    ]);
    this.actions.append(button("Hold the machine up for 0.4 s", () => this.simulation.hold_up(400)));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new SpiralFigure(this.getText("policy"));
    this.simulation.set_cost(this.getNumber("cost"));
    [this.real, this.behind, this.recent] = [0, 0, []];
    this.strip.clear();
  }

  protected override changed(key: string): void {
    if (key === "policy") this.build();
    else this.simulation.set_cost(this.getNumber("cost"));
  }

  protected advance(delta: number): void {
    this.real += delta / 1000;
    for (const [time, took, behind] of rows<[number, number, number]>(this.simulation.advance(delta), 3)) {
      if (took > 0) this.strip.add(time, [took, behind]);
      this.recent = [...this.recent.slice(-29), took];
      this.behind = behind;
    }
  }

  protected show(): void {
    const { simulated, lost, waiting } = this.simulation;
    const mean = this.recent.reduce((sum, took) => sum + took, 0) / Math.max(1, this.recent.length);
    const slow = Math.max(mean, waiting);
    this.number("frames a second", slow > 0 ? (1000 / slow).toFixed(1) : "–", "raw");
    this.number("this frame takes", `${(waiting / 1000).toFixed(1)} s`, "raw");
    this.number("simulated", `${simulated.toFixed(1)} s`, "smooth");
    this.number("given up", `${lost.toFixed(1)} s`, "lost");
    this.number("kept for later", `${this.behind.toFixed(0)} ms`, "lost");
    this.strip.draw();
  }

  protected override recoloured(): void {
    this.strip.build();
  }

  /** A bar of all real time, divided by its use. */
  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { simulated, lost } = this.simulation;
    const all = Math.max(10, this.real);
    const size = width - 24;
    const parts: [string, number, string][] = [
      ["simulated", Math.min(simulated, this.real), colours.smooth],
      ["given up", lost, colours.lost],
    ];
    pen.font = FONT;
    let x = 12;
    const top = height * 0.4;
    pen.fillStyle = colours.soft;
    pen.fillText(`${this.real.toFixed(1)} s of real time`, 12, top - 12);
    pen.fillStyle = colours.line;
    pen.fillRect(12, top, (size * this.real) / all, 28);
    for (const [name, seconds, colour] of parts) {
      const part = (size * Math.max(0, Math.min(seconds, this.real))) / all;
      pen.fillStyle = colour;
      pen.fillRect(x, top, part, 28);
      if (part > 70) {
        pen.fillStyle = colours.paper;
        pen.fillText(name, x + 8, top + 19);
      }
      x += part;
    }
    const rest = 12 + (size * this.real) / all - x;
    if (rest > 70) {
      pen.fillStyle = colours.ink;
      pen.fillText("not simulated", x + 8, top + 19);
    }
  }
}
