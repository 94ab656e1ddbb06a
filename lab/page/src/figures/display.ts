import { measure } from "../analysis";
import { COLUMNS, drawColumns } from "../canvas";
import { Figure, button, element } from "../figure";
import { menu, perSecond, slider } from "../settings";
import { colours } from "../theme";
import { DisplayFigure } from "../wasm/core/core";

export class Display extends Figure<DisplayFigure> {
  private hidden = 0;
  /** The milliseconds and the steps of the last frames. */
  private recent: [took: number, steps: number][] = [];
  private readonly analysis = element("div", "analysis");

  constructor(root: HTMLElement) {
    super(root, [
      slider("rate", "Steps", [20, 30, 50, 60, 100, 120, 144, 240], 60, perSecond),
      menu("clock", "Time is taken from", [["frame", "the browser's frame time"], ["read", "a clock read in each frame"]], "frame"),
      menu("filter", "And filtered by", [["none", "nothing"], ["clock", "the display clock"]], "none"),
    ]);
    this.canvas("The times of the last frames and their steps", 0.36, 240);
    const open = (file: File) => measure(file, this.analysis);
    this.actions.append(
      button("Save trace", () => this.save()),
      button("Measure this display", () => open(this.recording())),
    );
    this.takeFiles("Measure a recording", open);
    this.analysis.setAttribute("role", "status");
    this.actions.after(this.analysis);
    document.addEventListener("visibilitychange", () => this.visibility());
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

  protected create(): DisplayFigure {
    [this.hidden, this.recent] = [0, []];
    const simulation = new DisplayFigure(this.getNumber("rate"));
    simulation.set_filtered(this.getText("filter") === "clock");
    return simulation;
  }

  protected override changed(key: string): void {
    if (key === "rate") {
      this.simulation.set_rate(this.getNumber("rate"));
      this.recent = [];
    } else this.simulation.set_filtered(this.getText("filter") === "clock");
  }

  protected advance(_: number, began: number): void {
    const [took, steps] = this.simulation.record(began, performance.now(), this.getText("clock") === "read");
    if (took !== undefined) this.recent = [...this.recent, [took, steps!] as [number, number]].slice(-COLUMNS);
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
    this.number("longest of the last frames", `${Math.max(0, ...this.recent.map(([took]) => took)).toFixed(1)} ms`, "raw");
    this.number("animation error", `${animation_error.toFixed(2)} ms`, "smooth");
    this.number("away", this.hidden > 0 ? `${(away / 1000).toFixed(1)} s in ${this.hidden} time${this.hidden > 1 ? "s" : ""}` : "not yet");
    this.number("lost while visible", `${lost.toFixed(0)} ms`, "lost");
    this.number("largest jump of drawn time", `${largest_advance.toFixed(1)} ms`, "smooth");
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

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const [took, steps] = [0, 1].map((column) => this.recent.map((frame) => frame[column]!)) as [number[], number[]];
    drawColumns(pen, "time of each frame", (time) => `${time.toFixed(1)} ms`, took, colours.raw, width, 0, height * 0.6);
    drawColumns(pen, "steps in each frame", String, steps, colours.step, width, height * 0.63, height - 2);
  }
}
