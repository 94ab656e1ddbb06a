import { FONT, caption, drawWindow, line, type Across } from "../canvas";
import { Figure, button, element, rows } from "../figure";
import { jitter, perSecond, refreshRates, slider, timeScales } from "../settings";
import { colours } from "../theme";
import { AccumulatorFigure } from "../wasm/core/core";

/** The visible real time, in seconds. */
const WINDOW = 2;

/** A frame: when it was shown, and its steps. */
interface Presented {
  time: number;
  delta: number;
  steps: number;
  tick: number;
  alpha: number;
  /** Milliseconds that it keeps for the next one. */
  kept: number;
}

export class Accumulator extends Figure<AccumulatorFigure> {
  private frames: Presented[] = [];
  private readonly pauseTime = button("Stop time", () => this.setPaused(!this.paused));
  private paused = false;

  constructor(root: HTMLElement) {
    super(root, [
      slider("rate", "Steps", [2, 4, 8, 10, 15, 20, 30, 50, 60, 62.5, 120, 240], 8, perSecond),
      refreshRates(20),
      jitter(0),
      timeScales(),
    ]);
    this.canvas("Frames, the accumulator and steps over the last two seconds", 0.42, 300);
    // Apart from "Pause", which stops the figure.
    const time = element("div", "actions");
    time.append(this.pauseTime, button("One step", () => this.stepOnce()));
    this.stage.append(time);
  }

  protected create(): AccumulatorFigure {
    this.frames = [];
    const simulation = new AccumulatorFigure(String(this.getNumber("rate")));
    this.apply(simulation);
    return simulation;
  }

  private apply(simulation: AccumulatorFigure): void {
    simulation.set_display(this.getNumber("display"), this.getNumber("jitter"));
    simulation.set_time_scale(this.getText("speed"));
    simulation.set_paused(this.paused);
  }

  private setPaused(paused: boolean): void {
    this.paused = paused;
    this.simulation.set_paused(paused);
    this.pauseTime.textContent = paused ? "Let time flow" : "Stop time";
  }

  /** Time flows again. */
  protected override restart(): void {
    this.setPaused(false);
    super.restart();
  }

  /** A single step shows best while time stands still. */
  private stepOnce(): void {
    this.setPaused(true);
    this.simulation.step_once();
  }

  protected override changed(key: string): void {
    if (key === "rate") this.build();
    else this.apply(this.simulation);
  }

  protected advance(elapsed: number): void {
    type Row = [delta: number, steps: number, tick: number, alpha: number, kept: number];
    for (const [delta, steps, tick, alpha, kept] of rows<Row>(this.simulation.advance(elapsed), 5)) {
      const time = (this.frames.at(-1)?.time ?? 0) + delta / 1000;
      this.frames.push({ time, delta: delta / 1000, steps, tick, alpha, kept });
    }
    const now = this.frames.at(-1)?.time ?? 0;
    while (this.frames[0] && this.frames[0].time < now - 2 * WINDOW) this.frames.shift();
  }

  protected show(): void {
    const last = this.frames.at(-1);
    this.number("alpha", last ? last.alpha.toFixed(2) : "–", "smooth");
    this.number("steps so far", String(last?.tick ?? 0), "step");
    this.number("the last frame", last ? `${(1000 * last.delta).toFixed(1)} ms in, ${last.steps} out, ${last.kept.toFixed(1)} ms kept` : "–");
    this.number("kept, frame by frame, in ms", this.frames.slice(-6).map((frame) => frame.kept.toFixed(0)).join(" "), "smooth");
    this.number("steps in the last frames", this.frames.slice(-8).map((frame) => frame.steps).join(" "), "step");
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const now = Math.max(this.frames.at(-1)?.time ?? 0, WINDOW);
    const seen = this.frames.filter((frame) => frame.time >= now - WINDOW - 0.3);
    drawWindow(pen, width, height, now, WINDOW, (across) => {
      drawFrames(pen, seen, across, height * 0.1, height * 0.1);
      drawLevel(pen, seen, across, height * 0.68, height * 0.3, width);
      drawSteps(pen, seen, across, height * 0.98, height * 0.15);
    });
    caption(pen, "time comes in, frame by frame", height * 0.07);
    caption(pen, "the accumulator, in steps", height * 0.3);
    caption(pen, "equal steps go out", height * 0.79);
  }
}

function drawFrames(pen: CanvasRenderingContext2D, frames: Presented[], across: Across, top: number, size: number): void {
  for (const frame of frames) {
    const [from, to] = [across(frame.time - frame.delta), across(frame.time)];
    pen.fillStyle = colours.line;
    pen.fillRect(from + 1, top, Math.max(to - from - 2, 1), size);
    pen.fillStyle = colours.ink;
    pen.fillRect(to - 1, top, 2, size);
  }
}

/** The level rises while time comes in, and falls by one for each step. */
function drawLevel(
  pen: CanvasRenderingContext2D,
  frames: Presented[],
  across: Across,
  floor: number,
  size: number,
  width: number,
): void {
  const most = Math.max(1.25, ...frames.map((frame) => frame.alpha + frame.steps));
  const up = (level: number) => floor - (level / most) * size;
  line(pen, [[0, up(1)], [width, up(1)]], colours.step, 1.5, [6, 4]);
  const level = frames.flatMap(({ time, delta, steps, alpha }, index): [number, number][] => [
    ...(index === 0 ? [[across(time - delta), up(0)] as [number, number]] : []),
    [across(time), up(alpha + steps)],
    [across(time), up(alpha)],
  ]);
  line(pen, level, colours.smooth, 2);
  pen.fillStyle = colours.card;
  pen.fillRect(width - 80, up(1) - 22, 70, 18);
  pen.fillStyle = colours.step;
  pen.font = FONT;
  pen.textAlign = "right";
  pen.fillText("one step", width - 16, up(1) - 8);
  line(pen, [[0, floor], [width, floor]], colours.line, 1);
}

function drawSteps(pen: CanvasRenderingContext2D, frames: Presented[], across: Across, floor: number, size: number): void {
  const most = Math.max(2, ...frames.map((frame) => frame.steps));
  // No wider than the space between two frames, so that boxes do not join.
  const apart = frames.slice(1).map(({ time }, index) => across(time) - across(frames[index]!.time));
  const side = Math.max(2, Math.min(size / most, 22, ...apart.filter((pixels) => pixels > 3)));
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  for (const frame of frames) {
    for (let step = 0; step < frame.steps; step++) {
      const [x, y] = [across(frame.time) - side / 2, floor - side * (step + 1)];
      pen.fillStyle = colours.step;
      pen.fillRect(x, y + 1, side - 1, side - 1);
      if (side < 16) continue;
      pen.fillStyle = colours.paper;
      pen.fillText(String((frame.tick - frame.steps + step) % 100), x + side / 2, y + side / 2 + 4);
    }
  }
}
