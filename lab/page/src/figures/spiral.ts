import { COLUMNS, MARGIN, caption, drawColumns } from "../canvas";
import { Figure, button, rows } from "../figure";
import { menu, milliseconds, slider } from "../settings";
import { colours } from "../theme";
import { SpiralFigure } from "../wasm/core/core";

export class Spiral extends Figure<SpiralFigure> {
  private real = 0;
  /** What the last frames took, and how far the simulation was behind after them, in milliseconds. */
  private recent: [took: number, behind: number][] = [];

  constructor(root: HTMLElement) {
    super(root, [
      slider("cost", "A step of 16.7 ms costs", [1, 5, 10, 15, 18, 20, 25, 30, 40], 20, milliseconds),
      menu("policy", "Too many steps are", [
        ["none", "run all the same"],
        ["clamp", "avoided: frames count at most 100 ms"],
        ["drop", "dropped beyond 5 a frame"],
        ["carry", "carried over, up to 0.5 s"],
        ["stretch", "caught up with, at 1.5× at most"],
        ["slow", "avoided: time slows down by the measured cost"],
        ["lock", "one: locked at 30 a second, longer when late"],
      ], "none"),
    ]);
    this.canvas("Where real time went", 0.16, 110);
    this.canvas("The time of each of the last frames, and what was kept for later", 0.3, 220);
    this.actions.append(button("Hold the machine up for 0.4 s", () => this.simulation.hold_up(400)));
  }

  protected create(): SpiralFigure {
    [this.real, this.recent] = [0, []];
    const simulation = new SpiralFigure(this.getText("policy"));
    simulation.set_cost(this.getNumber("cost"));
    return simulation;
  }

  protected override changed(key: string): void {
    if (key === "policy") this.build();
    else this.simulation.set_cost(this.getNumber("cost"));
  }

  protected advance(delta: number): void {
    this.real += delta / 1000;
    this.recent = [...this.recent, ...rows<[number, number]>(this.simulation.advance(delta), 2)].slice(-COLUMNS);
  }

  protected show(): void {
    const { simulated, lost, waiting, longest_step } = this.simulation;
    const last = this.recent.slice(-30);
    const mean = last.reduce((sum, [took]) => sum + took, 0) / Math.max(1, last.length);
    const slow = Math.max(mean, waiting);
    this.number("frames a second", slow > 0 ? (1000 / slow).toFixed(1) : "–", "raw");
    this.number("this frame so far", `${(waiting / 1000).toFixed(1)} s`, "raw");
    this.number("simulated", `${simulated.toFixed(1)} s`, "smooth");
    this.number("given up", `${lost.toFixed(1)} s`, "lost");
    this.number("longest step", `${longest_step.toFixed(1)} ms`, "step");
    this.number("kept for later", `${(last.at(-1)?.[1] ?? 0).toFixed(0)} ms`, "lost");
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    if (index === 0) return this.drawShares(pen, width, height);
    // Microseconds: a step is no whole number of nanoseconds.
    const [took, behind] = [0, 1].map((column) => this.recent.map((frame) => Math.round(1000 * frame[column]!) / 1000)) as [number[], number[]];
    const show = (time: number) => `${time.toFixed(0)} ms`;
    drawColumns(pen, "time of each frame", show, took, colours.raw, width, 0, height * 0.6);
    drawColumns(pen, "kept for later", show, behind, colours.lost, width, height * 0.63, height - 2);
  }

  /** A bar of all real time, divided by its use. */
  private drawShares(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { simulated, lost } = this.simulation;
    const all = Math.max(10, this.real);
    const size = width - 2 * MARGIN;
    const parts: [string, number, string][] = [
      ["simulated", Math.min(simulated, this.real), colours.smooth],
      ["given up", lost, colours.lost],
    ];
    let x = MARGIN;
    const top = height * 0.4;
    caption(pen, `${this.real.toFixed(1)} s of real time`, top - 12);
    pen.fillStyle = colours.line;
    pen.fillRect(MARGIN, top, (size * this.real) / all, 28);
    for (const [name, seconds, colour] of parts) {
      const part = (size * Math.max(0, Math.min(seconds, this.real))) / all;
      pen.fillStyle = colour;
      pen.fillRect(x, top, part, 28);
      if (part > pen.measureText(name).width + 16) {
        pen.fillStyle = colours.paper;
        pen.fillText(name, x + 8, top + 19);
      }
      x += part;
    }
    const rest = MARGIN + (size * this.real) / all - x;
    if (rest > pen.measureText("not simulated").width + 16) {
      pen.fillStyle = colours.ink;
      pen.fillText("not simulated", x + 8, top + 19);
    }
  }
}
