import { measure } from "../analysis";
import { FONT } from "../canvas";
import { StripChart } from "../chart";
import { Figure, button, element } from "../figure";
import { menu, perSecond, slider } from "../settings";
import { colours } from "../theme";
import { DisplayFigure } from "../wasm/core/core";

/** Milliseconds of a bar of the histogram, and how many bars there are. */
const [BIN, BINS] = [1, 50];

export class Display extends Figure {
  private simulation!: DisplayFigure;
  private hidden = 0;
  private time = 0;
  private readonly strip: StripChart;
  private readonly analysis = element("div", "analysis");

  constructor(root: HTMLElement) {
    super(root, "display", [
      slider("rate", "Steps", [20, 30, 50, 60, 100, 120, 144, 240], 60, perSecond),
      menu("clock", "Time is taken from", [["frame", "the browser's frame time"], ["read", "a clock read in each frame"]], "frame"),
      menu("filter", "And filtered by", [["none", "nothing"], ["clock", "the display clock"]], "none"),
    ]);
    this.strip = new StripChart(this.chart(), "time of a frame", 5, [{ label: "frame", unit: "ms", colour: "raw" }]);
    this.canvas("How often each frame time occurred, and the steps of the last frames", 0.32, 220, (pen, width, height) =>
      this.draw(pen, width, height),
    );
    const open = (file: File) => measure(file, this.analysis);
    this.actions.append(
      button("Save trace", () => this.save()),
      button("Measure this display", () => open(this.recording())),
    );
    this.takeFiles("Measure a recording", open);
    this.analysis.setAttribute("role", "status");
    this.actions.after(this.analysis);
    document.addEventListener("visibilitychange", () => this.visibility());
    this.start();
  }

  // The figure measures the display also while it is not visible, so that the recording is complete.
  override get running(): boolean {
    return this.root.dataset.playing === "true";
  }

  private visibility(): void {
    if (document.hidden) this.simulation.pause();
    else {
      this.simulation.resume(performance.now());
      this.hidden++;
    }
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new DisplayFigure(this.getNumber("rate"));
    this.simulation.set_filtered(this.getText("filter") === "clock");
    [this.hidden, this.time] = [0, 0];
    this.strip.clear();
  }

  protected override changed(key: string): void {
    if (key === "rate") this.simulation.set_rate(this.getNumber("rate"));
    else this.simulation.set_filtered(this.getText("filter") === "clock");
  }

  protected advance(_: number, began: number): void {
    const took = this.simulation.record(began, performance.now(), this.getText("clock") === "read");
    if (took === undefined) return;
    this.time += took / 1000;
    this.strip.add(this.time, [took]);
  }

  /** The time while the figure was paused is a known pause. */
  protected override setPlaying(playing: boolean): void {
    super.setPlaying(playing);
    if (playing) this.simulation.resume(performance.now());
    else this.simulation.pause();
  }

  protected show(): void {
    const { refresh, frames, animation_error, away, lost, largest_advance } = this.simulation;
    this.number("refresh rate", frames > 30 ? `${refresh.toFixed(1)} Hz` : "measuring …", "raw");
    this.number("frames", String(frames));
    this.number("animation error", `${animation_error.toFixed(2)} ms`, "smooth");
    this.number("away", this.hidden > 0 ? `${(away / 1000).toFixed(1)} s in ${this.hidden} time${this.hidden > 1 ? "s" : ""}` : "not yet");
    this.number("lost while visible", `${lost.toFixed(0)} ms`, "lost");
    this.number("largest jump of drawn time", `${largest_advance.toFixed(1)} ms`, "smooth");
    if (this.seen) this.strip.draw();
  }

  protected override recoloured(): void {
    this.strip.build();
  }

  private recording(): File {
    return new File([this.simulation.csv()], "frame-times.csv", { type: "text/csv" });
  }

  private save(): void {
    const link = document.createElement("a");
    const file = this.recording();
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    pen.font = FONT;
    drawHistogram(pen, this.simulation.histogram(BIN, BINS), width, 0, height * 0.55);
    drawPattern(pen, this.simulation.steps(), width, height * 0.55, height * 0.45);
  }
}

function title(pen: CanvasRenderingContext2D, text: string, top: number): void {
  pen.fillStyle = colours.soft;
  pen.textAlign = "left";
  pen.fillText(text, 12, top + 16);
}

function drawHistogram(
  pen: CanvasRenderingContext2D,
  counts: Uint32Array,
  width: number,
  top: number,
  size: number,
): void {
  title(pen, "frames by their time in milliseconds", top);
  const most = Math.max(1, ...counts);
  const floor = top + size - 20;
  const step = (width - 24) / BINS;
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  counts.forEach((count, bin) => {
    const up = (count / most) * (size - 46);
    pen.fillStyle = colours.raw;
    pen.fillRect(12 + bin * step, floor - up, step - 1, up);
    pen.fillStyle = colours.soft;
    if (bin % 10 === 0) pen.fillText(String(bin * BIN), 12 + bin * step, floor + 14);
  });
  pen.font = FONT;
}

function drawPattern(pen: CanvasRenderingContext2D, steps: Uint8Array, width: number, top: number, size: number): void {
  const count = Math.max(20, Math.floor((width - 24) / 12));
  title(pen, `steps of the last ${count} frames`, top);
  const recent = steps.slice(-count);
  const most = Math.max(2, ...recent);
  const side = Math.min((size - 34) / most, 9);
  pen.fillStyle = colours.step;
  recent.forEach((many, index) => {
    for (let step = 0; step < many; step++) {
      pen.fillRect(12 + index * 12, top + size - 10 - side * (step + 1), 9, side - 1);
    }
  });
  pen.fillStyle = colours.line;
  pen.fillRect(12, top + size - 9, width - 24, 1);
}
