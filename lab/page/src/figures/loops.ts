import { compiled } from "../compiled";
import { cross, dashedCircle, disc, line, type Point } from "../canvas";
import { Figure, button, element, rows, setText } from "../figure";
import { problems } from "../link";
import { jitter, menu, perSecond, slider, timeScales } from "../settings";
import { colours } from "../theme";
import { LoopsFigure } from "../wasm/core/core";

/** The metres to either side of the middle that the ball and the spring reach, and the height of the ball's jump. */
const [BALL, SPRING, HEIGHT] = [2, 1.6, 2];

/** The displays that can be chosen above the loops, and what their buttons say. */
const CHOICES = [["30", "30 Hz"], ["60", "60 Hz"], ["144", "144 Hz"], ["this", "mine"]] as const;

/** The number of frames for which the ball leaves a mark. */
const MARKS = 26;

/** How long a line that runs stays lit, in milliseconds. */
const LIT = 300;

/** The most steps of a frame that are shown one by one. */
const STEPS = 5;

/** A loop on the page: its words, and what it has drawn. */
interface Lane {
  /** The program, and its lines with what each does in a frame. */
  code: HTMLElement;
  lines: [line: HTMLElement, part: string | undefined][];
  /** The steps of the last frame, and when a frame last had one. */
  steps: number;
  steppedAt: number;
  faults: HTMLElement;
  figures: HTMLElement;
  spring: number;
  /** The last places of the ball, the newest last. */
  ball: Point[];
  isGood: boolean;
}

export class Loops extends Figure<LoopsFigure> {
  private readonly lanes: Lane[] = [];
  private frames = 0;
  /** When the browser began its last frame, and the timer of a frame that is shown part by part. */
  private began = 0;
  private walk: number | undefined;
  private recording: { times: Float64Array; name: string } | undefined;
  private readonly message = element("p", "message");
  private readonly choices = element("div", "choices");
  /** The frames of this page so far, and their time in milliseconds. */
  private own = { frames: 0, time: 0 };

  constructor(root: HTMLElement) {
    const displays = LoopsFigure.displays().map((name): [string, string] => [name, /^\d+-\d+$/.test(name) ? `between ${name.replace("-", " and ")} Hz` : `${name} Hz`]);
    super(root, [
      menu("numbers", "Numbers", [["none", "hidden"], ["shown", "shown"]], "none"),
      menu("code", "The loops as code", [["none", "hidden"], ["rust", "Rust"], ["js", "JavaScript"]], "none"),
      menu("display", "Display", [...displays, ["this", "this one"], ["recording", "a recording"]], "144"),
      slider("rate", "Steps", [20, 25, 30, 50, 60, 100, 120, 240], 60, perSecond),
      slider("stiffness", "Stiffness", [10, 100, 1000, 5000, 20000], 5000, (value) => `${value} N/m`),
      menu("integrator", "Integrator", [
        ["explicit-euler", "Euler"],
        ["semi-implicit-euler", "semi-implicit Euler"],
        ["rk4", "Runge–Kutta 4"],
      ], "semi-implicit-euler"),
      timeScales(),
      jitter(0),
    ]);
    this.addChoices();
    LoopsFigure.titles().forEach((title) => this.addLane(title));
    this.message.setAttribute("role", "status");
    this.stage.append(this.message);
    this.actions.append(button("One frame", () => this.stepFrame()));
    this.takeFiles("Open a recording", (file) => void this.open(file));
    void this.showCode();
    if (this.getText("display") === "recording") {
      problems.push("loops.display=recording: a link cannot hold a recording; drop it on the figure.");
      this.set("display", "144");
    }
    this.showChoices();
  }

  /** The question's answers: a display by a button, and a key that lets the ball jump. */
  private addChoices(): void {
    for (const [display, label] of CHOICES) {
      const choice = button(label, () => this.set("display", display));
      choice.dataset.display = display;
      this.choices.append(choice);
    }
    const jump = button("Jump", () => this.press());
    jump.title = "Space, while this button has the focus, or a tap on the loops";
    jump.className = "main";
    this.choices.append(jump);
    this.stage.append(this.choices);
    // A mouse acts when it goes down. A finger may be about to scroll: it acts when it goes up without having moved.
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.target instanceof HTMLCanvasElement) this.press();
    });
    this.stage.addEventListener("click", (event) => {
      const isMouse = (event as PointerEvent).pointerType === "mouse";
      if (!isMouse && event.target instanceof HTMLCanvasElement) this.press();
    });
  }

  private press(): void {
    this.simulation.press();
  }

  private showChoices(): void {
    for (const choice of this.choices.querySelectorAll<HTMLElement>("[data-display]")) {
      choice.setAttribute("aria-pressed", String(choice.dataset.display === this.getText("display")));
    }
    for (const { figures } of this.lanes) figures.hidden = this.getText("numbers") === "none";
  }

  private addLane(title: string): void {
    const [lane, head] = [element("div", "lane"), element("p", "title")];
    const [faults, figures] = [element("span", "verdict"), element("p", "figures")];
    head.append(element("b", "", title), " ", faults);
    lane.append(head);
    this.stage.append(lane);
    this.canvas(`${title}: a spring and a ball`, 0.075, 44, lane);
    const code = element("div", "code");
    lane.append(figures, code);
    this.lanes.push({ code, lines: [], steps: 0, steppedAt: -Infinity, faults, figures, spring: 1, ball: [], isGood: false });
  }

  protected override changed(key: string): void {
    this.showChoices();
    if (key === "code") void this.showCode();
    else if (key !== "numbers") this.build();
  }

  /** Shows the program of each loop in the chosen language. */
  private async showCode(): Promise<void> {
    const language = this.getText("code");
    const { programs, partOf } = language === "none" ? { programs: {}, partOf: () => undefined } : await import("../loops");
    if (language !== this.getText("code")) return;
    this.lanes.forEach((lane, index) => {
      const program = (programs as Record<string, string[]>)[language]?.[index];
      if (program === undefined) return lane.code.replaceChildren();
      const shown = element("pre");
      lane.lines = program.trimEnd().split("\n").map((line) => [element("span", "", line), partOf(line)]);
      shown.append(...lane.lines.flatMap(([line]) => [line, "\n"]));
      const copy = button("Copy", () => void this.copy(program));
      copy.setAttribute("aria-label", `Copy this program: ${LoopsFigure.titles()[index]}`);
      lane.code.replaceChildren(shown, copy);
    });
    if (this.lanes.some((lane) => lane.lines.length > 0)) this.light();
  }

  private async copy(program: string): Promise<void> {
    await navigator.clipboard.writeText(program).then(
      () => (this.message.textContent = "The program is copied."),
      () => (this.message.textContent = "This browser does not let a page copy. Select the program and copy it."),
    );
  }

  /** Shows one frame of the display, and what each loop does in it, one after the other. */
  private stepFrame(): void {
    this.setPlaying(false);
    this.hasBegun = true;
    const before = this.frames;
    for (let millisecond = 0; millisecond < 250 && this.frames === before; millisecond++) this.advance(1, performance.now());
    this.redraw();
    clearInterval(this.walk);
    let at = 0;
    this.walk = setInterval(() => this.light(++at), LIT);
    this.light(0);
  }

  /** Lights the lines that run: the part number `at` of the last frame, or what the loop does now. */
  private light(at?: number): void {
    const isSlow = at !== undefined || (this.isPlaying && this.getText("speed").startsWith("1/"));
    let isDone = true;
    for (const { lines, steps, steppedAt } of this.lanes) {
      const parts = ["clock", ...Array<string>(Math.min(steps, STEPS)).fill("step"), "draw"];
      const now = this.began - steppedAt < LIT ? "step" : "draw";
      const part = at === undefined ? now : parts[Math.min(at, parts.length - 1)];
      if (at !== undefined && at < parts.length - 1) isDone = false;
      for (const [line, own] of lines) line.classList.toggle("lit", isSlow && own === part);
    }
    if (isDone) clearInterval(this.walk);
  }

  private async open(file: File): Promise<void> {
    try {
      await compiled("analysis");
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

  protected create(): LoopsFigure {
    const simulation = new LoopsFigure(this.getNumber("rate"), this.getNumber("stiffness"), this.getText("integrator"));
    this.message.textContent = "";
    if (this.getText("display") === "recording") this.playRecording(simulation);
    else simulation.set_display(this.getText("display"), this.getNumber("jitter"));
    simulation.set_time_scale(this.getText("speed"));
    this.frames = 0;
    for (const lane of this.lanes) [lane.spring, lane.ball, lane.steppedAt] = [1, [], -Infinity];
    return simulation;
  }

  private playRecording(simulation: LoopsFigure): void {
    if (!this.recording) {
      this.message.textContent = "Open a recording, or drop it here. Until then, this display is used.";
      return;
    }
    simulation.set_recording(this.recording.times);
    this.message.textContent = `${this.recording.name}: ${this.recording.times.length} frames, over and over.`;
  }

  override start(): void {
    super.start();
    if (this.isPlaying) return;
    // Without motion the trails show where each frame drew the ball.
    this.hasBegun = true;
    for (let frame = 0; frame < 60; frame++) this.advance(1000 / 60, 0);
    this.message.textContent = "Your system asks for less motion: the trails show where each frame drew the ball. Play starts it.";
    this.redraw();
  }

  override frame(delta: number, began: number): void {
    if (delta > 0) this.own = { frames: this.own.frames + 1, time: this.own.time + delta };
    super.frame(delta, began);
  }

  protected advance(delta: number, began: number): void {
    this.began = began;
    const drawn = rows<[spring: number, x: number, y: number, steps: number]>(this.simulation.advance(delta), 4);
    drawn.forEach(([spring, x, y, steps], index) => {
      const lane = this.lanes[index % this.lanes.length]!;
      lane.spring = spring;
      lane.steps = steps;
      if (steps > 0) lane.steppedAt = began;
      lane.ball.push([x, y]);
    });
    this.frames += drawn.length / this.lanes.length;
    for (const lane of this.lanes) lane.ball = lane.ball.slice(-MARKS);
  }

  protected show(): void {
    const good: string[] = [];
    this.lanes.forEach((lane, index) => {
      const faults = this.simulation.faults(index);
      lane.isGood = faults.length === 0 && this.frames > 0;
      if (lane.isGood) good.push(LoopsFigure.titles()[index]!);
      setText(lane.faults, lane.isGood ? "no fault" : faults.join(" · "));
      lane.faults.className = `verdict ${lane.isGood ? "step" : "lost"}`;
      setText(lane.figures, this.simulation.figures(index));
    });
    if (this.isPlaying) this.light();
    this.number("without a fault", good.join(", ") || "none", "smooth");
    this.number("frames of this display", String(this.frames));
    this.number("your display", `${((1000 * this.own.frames) / this.own.time || 0).toFixed(0)} Hz`);
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    const lane = this.lanes[index]!;
    const mark = Math.min(56, width * 0.13);
    const middle = (width - mark) * 0.42;
    const colour = lane.isGood ? colours.smooth : colours.raw;
    drawSpring(pen, middle - 14, height, lane.spring, colour);
    const across = (x: number) => middle + 18 + ((x + BALL) / (2 * BALL)) * (width - mark - middle - 36);
    const up = (y: number) => height - 13 - (y / HEIGHT) * (height - 26);
    const place = ([x, y]: Point): Point => [across(x), up(y)];
    pen.fillStyle = colours.line;
    pen.fillRect(middle, height - 3, width - mark - middle, 2);
    lane.ball.forEach((ball, age) => {
      pen.globalAlpha = 0.15 + (0.5 * age) / MARKS;
      disc(pen, place(ball), 2.5, colour);
    });
    pen.globalAlpha = 1;
    disc(pen, place(lane.ball.at(-1) ?? [0, HEIGHT]), 9, colour);
    const [x, y] = this.simulation.exact();
    dashedCircle(pen, place([x!, y!]), 11, colours.truth, 1.5);
    if (this.frames > 0) drawMark(pen, width - mark / 2, height / 2, Math.min(15, mark * 0.3), lane.isGood);
  }
}

/** A mass on a spring, within `width`. If it is out of sight, the spring is torn. */
function drawSpring(pen: CanvasRenderingContext2D, width: number, height: number, position: number, colour: string): void {
  const y = height / 2;
  const isGone = Math.abs(position) > SPRING;
  const end = isGone ? width : (width * (position + SPRING)) / (2 * SPRING);
  const turns = 14;
  const spring = Array.from({ length: turns + 1 }, (_, turn): Point => {
    const wild = turn % turns === 0 ? 0 : isGone ? Math.min(height / 2 - 3, 5 + turn * 2.4) : 7;
    return [3 + ((end - 3) * turn) / turns, y + (turn % 2 === 0 ? wild : -wild)];
  });
  line(pen, [[3, y - 16], [3, y + 16], ...spring], isGone ? colours.lost : colours.soft, 1.5);
  pen.fillStyle = colour;
  if (!isGone) pen.fillRect(end - 11, y - 11, 22, 22);
}

/** A tick in the colour of what is right, or a cross in that of what is lost. */
function drawMark(pen: CanvasRenderingContext2D, x: number, y: number, size: number, isGood: boolean): void {
  pen.lineCap = "round";
  if (isGood) line(pen, [[x - size, y], [x - size / 3, y + size * 0.7], [x + size, y - size * 0.8]], colours.step, 4);
  else cross(pen, [x, y], size * 0.7, colours.lost, 4);
  pen.lineCap = "butt";
}
