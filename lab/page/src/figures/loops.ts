import { Figure, button, element, jitter, timeScale, timeScales } from "../figure";
import { problems } from "../link";
import { colours } from "../theme";
import { LoopsFigure } from "../wasm/core/core";

/** The metres to either side of the middle that the ball and the spring reach, and the height of the ball's bounce. */
const [BALL, SPRING, HEIGHT] = [2, 1.6, 1.25];

/** The number of frames for which the ball leaves a mark. */
const MARKS = 26;

/** A loop on the page: its words, and what it has drawn. */
interface Lane {
  faults: HTMLElement;
  figures: HTMLElement;
  spring: number;
  /** The last places of the ball, the newest last. */
  ball: [x: number, y: number][];
  isGood: boolean;
}

export class Loops extends Figure {
  private simulation!: LoopsFigure;
  private readonly lanes: Lane[] = [];
  private frames = 0;
  private recording: { times: Float64Array; name: string } | undefined;
  private readonly message = element("p", "message");

  constructor(root: HTMLElement) {
    super(root, "loops", [
      {
        key: "display",
        label: "Display",
        kind: "choice",
        options: [
          ...LoopsFigure.displays().map((name): [string, string] => [name, name === "40-60" ? "between 40 and 60 Hz" : `${name} Hz`]),
          ["this", "this one"],
          ["recording", "a recording"],
        ],
        value: "30",
      },
      {
        key: "rate",
        label: "Steps",
        kind: "number",
        values: [20, 25, 30, 50, 60, 100, 120, 240],
        value: 50,
        show: (value) => `${value} a second`,
      },
      {
        key: "stiffness",
        label: "Stiffness",
        kind: "number",
        values: [10, 100, 1000, 5000, 20000],
        value: 5000,
        show: (value) => `${value} N/m`,
      },
      {
        key: "integrator",
        label: "Integrator",
        kind: "choice",
        options: [
          ["explicit-euler", "Euler"],
          ["semi-implicit-euler", "semi-implicit Euler"],
          ["rk4", "Runge–Kutta 4"],
        ],
        value: "semi-implicit-euler",
      },
      timeScales(),
      jitter(0),
    ]);
    LoopsFigure.titles().forEach((title, index) => this.addLane(title, index));
    this.message.setAttribute("role", "status");
    this.stage.append(this.message);
    this.takeRecordings();
    if (this.getText("display") === "recording") {
      problems.push("loops.display=recording: a link cannot hold a recording; drop it on the figure.");
      this.set("display", "30");
    }
    this.start();
  }

  private addLane(title: string, index: number): void {
    const [lane, head, name, faults, figures] = [
      element("div", "lane"),
      element("p", "title"),
      element("b"),
      element("span", "lost"),
      element("p", "figures"),
    ];
    name.textContent = title;
    head.append(name, " ", faults);
    lane.append(head);
    this.stage.append(lane);
    this.canvas(`${title}: a spring and a ball`, 0.1, 68, (pen, width, height) => this.draw(pen, width, height, index), lane);
    lane.append(figures);
    this.lanes.push({ faults, figures, spring: 1, ball: [], isGood: false });
  }

  /** A recording is chosen by a button, or dropped. */
  private takeRecordings(): void {
    const input = element("input");
    Object.assign(input, { type: "file", hidden: true });
    input.addEventListener("change", () => {
      void this.open(input.files?.[0]);
      input.value = "";
    });
    this.actions.append(button("Open a recording", () => input.click()), input);
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.open(event.dataTransfer?.files[0]);
    });
  }

  private async open(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const [analysis, bytes] = await Promise.all([import("../wasm/analysis/analysis"), file.arrayBuffer()]);
      await analysis.default();
      this.recording = { times: analysis.frame_times(new Uint8Array(bytes), file.name), name: file.name };
    } catch (error) {
      this.message.textContent = `${String(error)}.`;
      return;
    }
    if (this.getText("display") === "recording") this.restart();
    else this.set("display", "recording");
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new LoopsFigure(this.getNumber("rate"), this.getNumber("stiffness"), this.getText("integrator"));
    this.message.textContent = "";
    if (this.getText("display") === "recording") this.playRecording();
    else this.simulation.set_display(this.getText("display"), this.getNumber("jitter"));
    this.simulation.set_time_scale(...timeScale(this.getText("speed")));
    this.frames = 0;
    for (const lane of this.lanes) [lane.spring, lane.ball] = [1, []];
  }

  private playRecording(): void {
    if (!this.recording) {
      this.message.textContent = "Open a recording, or drop it here. Until then, this display is used.";
      return;
    }
    this.simulation.set_recording(this.recording.times);
    this.message.textContent = `${this.recording.name}: ${this.recording.times.length} frames, over and over.`;
  }

  protected changed(): void {
    this.build();
  }

  protected advance(delta: number): void {
    const rows = this.simulation.advance(delta);
    const width = 3 * this.lanes.length;
    for (let at = 0; at < rows.length; at += width) {
      this.frames++;
      this.lanes.forEach((lane, index) => {
        const [spring, x, y] = rows.subarray(at + 3 * index, at + 3 * index + 3);
        lane.spring = spring!;
        lane.ball.push([x!, y!]);
      });
    }
    for (const lane of this.lanes) lane.ball = lane.ball.slice(-MARKS);
  }

  protected show(): void {
    const good: string[] = [];
    this.lanes.forEach((lane, index) => {
      const faults = this.simulation.faults(index);
      lane.isGood = faults.length === 0 && this.frames > 0;
      if (lane.isGood) good.push(LoopsFigure.titles()[index]!);
      setText(lane.faults, faults.join(" · "));
      setText(lane.figures, describe(this.simulation.figures(index)));
    });
    this.number("without a fault", good.join(", ") || "–", "smooth");
    this.number("frames of this display", String(this.frames));
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    const lane = this.lanes[index]!;
    const mark = Math.min(56, width * 0.13);
    const middle = (width - mark) * 0.42;
    const colour = lane.isGood ? colours.smooth : colours.raw;
    drawSpring(pen, middle - 14, height, lane.spring, colour);
    const across = (x: number) => middle + 18 + ((x + BALL) / (2 * BALL)) * (width - mark - middle - 36);
    const up = (y: number) => height - 13 - (y / HEIGHT) * (height - 26);
    pen.fillStyle = colours.line;
    pen.fillRect(middle, height - 3, width - mark - middle, 2);
    lane.ball.forEach(([x, y], age) => {
      pen.globalAlpha = 0.15 + (0.5 * age) / MARKS;
      pen.fillStyle = colour;
      dot(pen, across(x), up(y), 2.5);
    });
    pen.globalAlpha = 1;
    const [x, y] = lane.ball.at(-1) ?? [0, HEIGHT];
    dot(pen, across(x), up(y), 9);
    const [exactX, exactY] = this.simulation.exact();
    pen.strokeStyle = colours.truth;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.arc(across(exactX!), up(exactY!), 11, 0, 2 * Math.PI);
    pen.stroke();
    pen.setLineDash([]);
    if (this.frames > 0) drawMark(pen, width - mark / 2, height / 2, Math.min(15, mark * 0.3), lane.isGood);
  }
}

/** The figures of a loop in a line: speed, energy, jerks, latency, lost time. */
function describe(figures: Float64Array): string {
  const [speed, energy, , jerk, latency, lost] = figures as unknown as [number, number, number, number, number, number];
  const parts = [
    `speed ${speed.toFixed(2)}×`,
    `energy ${energy < 100 ? `${energy.toFixed(2)}×` : "without end"}`,
    `jerks ${jerk.toFixed(1)} mm`,
    `latency ${latency.toFixed(1)} ms`,
    `lost ${lost.toFixed(2)} s`,
  ];
  return parts.join(" · ");
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function dot(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** A mass on a spring, within `width`. If it is out of sight, the spring is torn. */
function drawSpring(pen: CanvasRenderingContext2D, width: number, height: number, position: number, colour: string): void {
  const y = height / 2;
  const isGone = Math.abs(position) > SPRING;
  const end = isGone ? width : (width * (position + SPRING)) / (2 * SPRING);
  pen.strokeStyle = isGone ? colours.lost : colours.soft;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(3, y - 16);
  pen.lineTo(3, y + 16);
  pen.moveTo(3, y);
  const turns = 14;
  for (let turn = 1; turn < turns; turn++) {
    const wild = isGone ? Math.min(height / 2 - 3, 5 + turn * 2.4) : 7;
    pen.lineTo(3 + ((end - 3) * turn) / turns, y + (turn % 2 === 0 ? wild : -wild));
  }
  pen.lineTo(end, y);
  pen.stroke();
  pen.fillStyle = colour;
  if (!isGone) pen.fillRect(end - 11, y - 11, 22, 22);
}

/** A tick in the colour of what is right, or a cross in that of what is lost. */
function drawMark(pen: CanvasRenderingContext2D, x: number, y: number, size: number, isGood: boolean): void {
  pen.strokeStyle = isGood ? colours.step : colours.lost;
  pen.lineWidth = 4;
  pen.lineCap = "round";
  pen.beginPath();
  if (isGood) {
    pen.moveTo(x - size, y);
    pen.lineTo(x - size / 3, y + size * 0.7);
    pen.lineTo(x + size, y - size * 0.8);
  } else {
    pen.moveTo(x - size * 0.7, y - size * 0.7);
    pen.lineTo(x + size * 0.7, y + size * 0.7);
    pen.moveTo(x - size * 0.7, y + size * 0.7);
    pen.lineTo(x + size * 0.7, y - size * 0.7);
  }
  pen.stroke();
  pen.lineCap = "butt";
}
