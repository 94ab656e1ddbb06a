import { MARGIN, caption, cross, disc, drawWindow, line, type Across } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, percent, slider } from "../settings";
import { colours } from "../theme";
import { PresentationFigure } from "../wasm/core/core";

/** Milliseconds between refreshes of the display. */
const PERIOD = 1000 / 60;

/** The visible milliseconds of the display's time, and the factor by which they pass more slowly. */
const [WINDOW, SLOWER] = [170, 20];

/** A frame, in milliseconds of the display's time. */
interface Frame {
  number: number;
  begun: number;
  ready: number;
  presented: number;
  expected: number;
  missed: number;
}

export class Presentation extends Figure<PresentationFigure> {
  private frames: Frame[] = [];
  private count = 0;

  // It has states to show before its first frame.
  protected override hasBegun = true;

  constructor(root: HTMLElement) {
    const upTo = (value: number) => `up to ${value} ms`;
    super(root, [
      menu("clock", "The game moves on by", [
        ["timestamps", "unfiltered timestamps"],
        ["display", "the display clock"],
        ["reports", "reports from the display"],
      ], "timestamps"),
      menu("begin", "Frames begin", [["after", "right after the last one"], ["paced", "just in time"]], "after"),
      slider("late", "The clock is read late by", [0, 1, 2, 3, 5, 8], 3, upTo),
      slider("cost", "Frames take", [1, 2, 4, 6, 8, 10, 12, 14], 6, upTo),
      slider("slow", "Slow frames", [0, 1, 2, 5, 10, 20], 0, percent),
      slider("missed", "The display misses", [0, 1, 2, 5, 10, 20], 0, percent),
    ]);
    this.canvas("When the last frames began, when the game expected them to be presented, and when they were", 0.4, 250);
  }

  protected create(): PresentationFigure {
    const [clock, paced] = [this.getText("clock"), this.getText("begin") === "paced"];
    const [cost, late, slow, missed] = ["cost", "late", "slow", "missed"].map((key) => this.getNumber(key)) as [number, number, number, number];
    const simulation = new PresentationFigure(clock, paced, cost, late, slow, missed);
    [this.frames, this.count] = [[], 0];
    // The figure is full from the start.
    this.take(simulation, WINDOW);
    return simulation;
  }

  protected advance(elapsed: number): void {
    this.take(this.simulation, elapsed / SLOWER);
  }

  private take(simulation: PresentationFigure, milliseconds: number): void {
    type Row = [begun: number, ready: number, presented: number, expected: number, missed: number];
    for (const [begun, ready, presented, expected, missed] of rows<Row>(simulation.advance(milliseconds), 5)) {
      this.frames.push({ number: this.count++, begun, ready, presented, expected, missed });
    }
    const first = simulation.now - 2 * WINDOW;
    while (this.frames[0] && this.frames[0].presented < first) this.frames.shift();
  }

  protected show(): void {
    const { animation_error, latency, missed } = this.simulation;
    this.number("expected and presented differ by", `${animation_error.toFixed(2)} ms`, "lost");
    this.number("from begin to presentation", `${latency.toFixed(1)} ms`, "raw");
    this.number("refreshes without a new frame", `${missed.toFixed(1)} %`, "lost");
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const now = this.simulation.now;
    const [top, lane, expected, presented] = [height * 0.15, height * 0.1, height * 0.6, height * 0.82];
    drawWindow(pen, width, height, now, WINDOW, (across) => {
      drawRefreshes(pen, now, across, height - 26);
      for (const frame of this.frames) drawFrame(pen, frame, now, across, { begun: top + (frame.number % 3) * lane, expected, presented });
    });
    caption(pen, "frames begin and are ready", 16);
    // Below the plot, so that no text covers a line.
    pen.fillStyle = colours.smooth;
    pen.fillText("expected", MARGIN, height - 6);
    const next = MARGIN + pen.measureText("expected").width + 16;
    pen.fillStyle = colours.step;
    pen.fillText("presented", next, height - 6);
  }
}

function drawRefreshes(pen: CanvasRenderingContext2D, now: number, across: Across, bottom: number): void {
  pen.fillStyle = colours.line;
  for (let refresh = Math.ceil((now - WINDOW) / PERIOD); refresh * PERIOD <= now; refresh++) {
    pen.fillRect(across(refresh * PERIOD) - 0.5, 24, 1, bottom - 24);
  }
}

/** How far from the top a frame's three moments are drawn. */
interface Rows {
  begun: number;
  expected: number;
  presented: number;
}

function drawFrame(pen: CanvasRenderingContext2D, frame: Frame, now: number, across: Across, rows: Rows): void {
  const [begun, ready] = [across(frame.begun), across(Math.min(frame.ready, now))];
  pen.fillStyle = colours.raw;
  pen.fillRect(begun, rows.begun, Math.max(ready - begun, 2), 12);
  const [expected, presented] = [across(frame.expected), across(frame.presented)];
  const middle = rows.begun + 6;
  if (frame.ready <= now) line(pen, [[ready, middle], [across(Math.min(frame.presented, now)), middle]], colours.soft, 1, [3, 3]);
  if (frame.presented > now) return;
  line(pen, [[presented, middle], [presented, rows.presented]], colours.soft, 1, [3, 3]);
  const isOff = Math.abs(frame.expected - frame.presented) > 0.5;
  if (isOff) line(pen, [[expected, rows.expected], [presented, rows.presented]], colours.lost, 2);
  disc(pen, [expected, rows.expected], 6, colours.smooth);
  disc(pen, [expected, rows.expected], 4, colours.card);
  disc(pen, [presented, rows.presented], 5, colours.step);
  // Refreshes without a new frame.
  for (let missed = 1; missed <= frame.missed; missed++) cross(pen, [across(frame.presented - missed * PERIOD), rows.presented], 5, colours.lost, 2);
}
