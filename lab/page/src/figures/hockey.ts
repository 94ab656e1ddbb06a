import { Canvas } from "../canvas";
import { Figure, button, element, jitter, refreshRates } from "../figure";
import { leadTo, problems, writeAddress, type Setting } from "../link";
import { colours } from "../theme";
import { HockeyFigure } from "../wasm/core/core";
import { COLUMNS, ROWS, drawCharge, drawCursor, drawForces, drawTrail, scaleFor } from "./board";

/** The step by which keys move a charge, in metres, and change it, in µC. */
const [MOVE, CHANGE] = [1, 25];

const STEPPING: Setting = {
  key: "stepping",
  label: "Steps",
  kind: "choice",
  options: [
    ["fixed", "fixed, 60 a second"],
    ["variable", "one per frame"],
  ],
  value: "fixed",
};

/** Twenty shots: how far their ends lie apart in metres, and their paths. */
interface Volley {
  spread: number;
  paths: Float64Array[];
}

/** The two ways of shooting: the puck's steps follow the frames, or are equal. */
const WAYS = ["variable", "fixed"] as const;

export class Hockey extends Figure {
  private game!: HockeyFigure;
  /** The volleys with the present charges, in the order of `WAYS`; undefined before they are shot. */
  private volleys: Volley[] | undefined;
  /** Their boards, which are drawn again only when something on them has changed. */
  private readonly volleyBoards: Canvas[] = [];
  private puck: [number, number] = [0, 0];
  /** Paths of earlier shots with these charges. */
  private earlier: Float64Array[] = [];
  private cursor: [number, number] = [30, 20];
  private chosen = -1;
  private dragging = false;
  private readonly message = element("p", "message");
  private readonly board: HTMLCanvasElement;

  constructor(root: HTMLElement) {
    const levels = HockeyFigure.levels();
    super(root, "hockey", [
      {
        key: "level",
        label: "Level",
        kind: "choice",
        options: levels.map((name, index) => [String(index + 1), `${index + 1} · ${name}`]),
        value: "3",
      },
      STEPPING,
      refreshRates(0),
      jitter(2),
      { key: "charges", label: "Charges", kind: "text", value: "none" },
    ]);
    this.board = this.canvas("The board", 2 / 3, 220, (pen, width, height) => this.draw(pen, width, height)).element;
    this.message.setAttribute("role", "status");
    // At the board: on a phone the other buttons are a screen below.
    const shoot = button("Shoot", () => this.shoot());
    shoot.classList.add("main");
    this.stage.append(shoot, this.message);
    this.addVolleys();
    this.listen();
    this.actions.append(
      button("Show a solution", () => this.setCharges("solution")),
      button("Take charges away", () => this.setCharges("none")),
      button("Copy link", () => void this.copyLink()),
    );
    this.start();
  }

  /** Two more boards: twenty shots with a step per frame, beside twenty with equal steps. */
  private addVolleys(): void {
    const pair = element("div", "pair");
    this.stage.append(pair);
    WAYS.forEach((way, index) => {
      const [half, title] = [element("div"), element("p", "title")];
      title.textContent = way === "variable" ? "20 shots, a step per frame" : "20 shots, equal steps";
      half.append(title);
      pair.append(half);
      this.volleyBoards.push(
        new Canvas(half, title.textContent, 2 / 3, 150, (pen, width, height) => this.drawVolley(pen, width, height, index)),
      );
    });
  }

  private shootVolleys(): Volley[] {
    return (this.volleys ??= WAYS.map((way) => {
      const numbers = this.game.volley(way === "variable");
      const paths: Float64Array[] = [];
      for (let at = 1; at < numbers.length; ) {
        const end = at + 1 + 2 * numbers[at]!;
        paths.push(numbers.subarray(at + 1, end));
        at = end;
      }
      return { spread: numbers[0]!, paths };
    }));
  }

  protected build(): void {
    this.game?.free();
    this.game = open(Number(this.getText("level")), this.getText("charges"));
    this.earlier = [];
    this.chosen = -1;
    this.applyDisplay();
    this.takeBack();
    this.set("charges", this.game.charges || "none");
  }

  private applyDisplay(): void {
    this.volleys = undefined;
    this.game.set_display(this.getNumber("display"), this.getNumber("jitter"));
  }

  protected changed(key: string): void {
    if (!this.game) return;
    if (key === "level") {
      this.set("charges", "none");
      this.build();
    } else if (key === "display" || key === "jitter") {
      this.applyDisplay();
    }
  }

  private setCharges(charges: string): void {
    this.set("charges", charges);
    this.build();
    this.redraw();
  }

  /** The charges have changed, so earlier paths are no longer comparable. */
  private charged(): void {
    [this.earlier, this.volleys] = [[], undefined];
    this.takeBack();
    this.set("charges", this.game.charges || "none");
    this.redraw();
  }

  private takeBack(): void {
    this.game.take_back();
    const [, , x, y] = this.game.field();
    this.puck = [x!, y!];
    this.message.textContent = `${this.game.left} charges left to place. Bring the puck to the goal.`;
  }

  private shoot(): void {
    if (this.game.outcome !== "ready") this.earlier = [...this.earlier.slice(-7), this.game.trail()];
    this.game.shoot(this.getText("stepping") === "variable");
    this.setPlaying(true);
    this.message.textContent = "The puck is on its way.";
    this.redraw();
  }

  protected override restart(): void {
    this.earlier = [];
    this.takeBack();
    this.redraw();
  }

  protected advance(delta: number): void {
    if (this.game.outcome !== "running") return;
    const [x, y] = this.game.advance(delta);
    this.puck = [x!, y!];
    const outcome = this.game.outcome;
    if (outcome === "running") return;
    this.message.textContent = outcome === "goal" ? "Goal!" : `Missed: ${outcome}. Change a charge and shoot again.`;
  }

  protected show(): void {
    this.number("outcome", this.game.outcome, this.game.outcome === "goal" ? "step" : "");
    this.number("charges left", String(this.game.left));
    this.number("hash of the state", this.game.hash || "–");
    const isNew = this.volleys === undefined;
    const [variable, fixed] = this.shootVolleys();
    if (isNew) this.recoloured();
    this.number("20 shots, a step per frame: spread", `${variable!.spread.toFixed(2)} m`, "raw");
    this.number("20 shots, equal steps: spread", `${fixed!.spread.toFixed(2)} m`, "smooth");
    const same = this.earlier.every((trail) => isSame(trail, this.game.trail()));
    const done = this.game.outcome !== "running" && this.game.outcome !== "ready";
    const verdict = this.earlier.length === 0 ? "shoot twice" : !done ? "…" : same ? "the same" : "another each time";
    this.number("paths", verdict, done && this.earlier.length > 0 ? (same ? "smooth" : "raw") : "");
  }

  protected override recoloured(): void {
    for (const board of this.volleyBoards) board.redraw();
  }

  private async copyLink(): Promise<void> {
    leadTo(this.root);
    const link = writeAddress();
    try {
      await navigator.clipboard.writeText(link);
      this.message.textContent = "The link to this level with these charges is copied.";
    } catch {
      this.message.textContent = `Copy the page's address: ${link}`;
    }
  }

  private listen(): void {
    const board = this.board;
    board.tabIndex = 0;
    board.setAttribute("role", "application");
    board.setAttribute(
      "aria-label",
      "The board. Arrow keys move, Enter places or lets go of a charge, plus and minus change it, Delete removes it, S shoots.",
    );
    board.addEventListener("pointerdown", (event) => this.press(event));
    board.addEventListener("pointermove", (event) => {
      if (this.dragging) this.drag(this.place(event));
    });
    board.addEventListener("pointerup", () => (this.dragging = false));
    board.addEventListener("pointercancel", () => (this.dragging = false));
    board.addEventListener("wheel", (event) => {
      if (this.chosen < 0 || document.activeElement !== board) return;
      event.preventDefault();
      this.alter(event.deltaY < 0 ? CHANGE : -CHANGE);
    });
    board.addEventListener("keydown", (event) => {
      if (this.key(event.key)) event.preventDefault();
    });
    board.addEventListener("focus", () => this.redraw());
    board.addEventListener("blur", () => this.redraw());
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.board.getBoundingClientRect();
    const [width, height] = this.game.field() as unknown as [number, number];
    const scale = scaleFor(box.width, box.height, width, height);
    return [(event.clientX - box.left) / scale, height - (event.clientY - box.top) / scale];
  }

  private press(event: PointerEvent): void {
    this.cursor = this.place(event);
    const near = this.nearest(this.cursor, 2);
    if (near >= 0) this.chosen = near;
    else this.add();
    this.dragging = this.chosen >= 0;
    if (this.dragging) this.board.setPointerCapture(event.pointerId);
    this.redraw();
  }

  private drag(to: [number, number]): void {
    this.cursor = to;
    this.moveChosen();
  }

  private nearest([x, y]: [number, number], within: number): number {
    const placed = this.game.placed();
    let best = -1;
    for (let at = 0, least = within; at < placed.length; at += 3) {
      const distance = Math.hypot(placed[at]! - x, placed[at + 1]! - y);
      if (distance < least) [best, least] = [at / 3, distance];
    }
    return best;
  }

  private add(): void {
    this.try(() => {
      this.game.place(...this.cursor, 4 * CHANGE);
      this.chosen = this.game.placed().length / 3 - 1;
    });
  }

  private moveChosen(): void {
    const charge = this.game.placed()[this.chosen * 3 + 2];
    if (charge !== undefined) this.try(() => this.game.change(this.chosen, ...this.cursor, charge));
  }

  private alter(by: number): void {
    const [x, y, charge] = this.game.placed().slice(this.chosen * 3, this.chosen * 3 + 3);
    if (charge !== undefined) this.try(() => this.game.change(this.chosen, x!, y!, charge + by));
  }

  /** Does something that the level may refuse, and shows the reason if it does. */
  private try(change: () => void): void {
    try {
      change();
      this.charged();
    } catch (error) {
      this.message.textContent = `${String(error)}.`;
    }
  }

  /** Whether the key means something here. */
  private key(key: string): boolean {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-MOVE, 0],
      ArrowRight: [MOVE, 0],
      ArrowUp: [0, MOVE],
      ArrowDown: [0, -MOVE],
    };
    const move = moves[key];
    const [width, height] = this.game.field();
    if (move) {
      this.cursor = [
        Math.max(0, Math.min(width!, Math.round(this.cursor[0]) + move[0])),
        Math.max(0, Math.min(height!, Math.round(this.cursor[1]) + move[1])),
      ];
      this.moveChosen();
    } else if (key === "Enter" || key === " ") {
      this.placeOrLetGo();
    } else if (key === "+" || key === "=") {
      this.alter(CHANGE);
    } else if (key === "-") {
      this.alter(-CHANGE);
    } else if (key === "Delete" || key === "Backspace") {
      this.game.remove(this.chosen);
      this.chosen = -1;
      this.charged();
    } else if (key === "s" || key === "S") {
      this.shoot();
    } else {
      return false;
    }
    this.redraw();
    return true;
  }

  private placeOrLetGo(): void {
    if (this.chosen >= 0) this.chosen = -1;
    else if ((this.chosen = this.nearest(this.cursor, 1)) < 0) this.add();
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const radius = this.drawField(pen, width, height);
    for (const trail of this.earlier) drawTrail(pen, trail, colours.truth, 0.25);
    const stepping = this.getText("stepping") === "variable" ? colours.raw : colours.smooth;
    drawTrail(pen, this.game.trail(), stepping, 0.3);
    this.drawCharges(pen);
    drawDisc(pen, this.puck, radius, stepping);
    if (document.activeElement === this.board) drawCursor(pen, this.cursor);
    pen.restore();
  }

  private drawVolley(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    const radius = this.drawField(pen, width, height);
    const colour = WAYS[index] === "variable" ? colours.raw : colours.smooth;
    const { paths } = this.shootVolleys()[index]!;
    for (const path of paths) drawTrail(pen, path, colour, 0.15);
    this.drawCharges(pen);
    for (const path of paths) drawDisc(pen, [path.at(-2)!, path.at(-1)!], radius, colour);
    pen.restore();
  }

  /** Draws what stands on the board, and lets `pen` draw in metres until it is restored. Returns the radius of the puck. */
  private drawField(pen: CanvasRenderingContext2D, width: number, height: number): number {
    const [fieldWidth, fieldHeight, , , radius] = this.game.field() as unknown as [
      number, number, number, number, number,
    ];
    const scale = scaleFor(width, height, fieldWidth, fieldHeight);
    pen.save();
    pen.transform(scale, 0, 0, -scale, 0, fieldHeight * scale);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, fieldWidth, fieldHeight);
    drawForces(pen, this.game.forces(COLUMNS, ROWS), fieldWidth, fieldHeight);
    this.drawLandmarks(pen);
    return radius;
  }

  private drawLandmarks(pen: CanvasRenderingContext2D): void {
    pen.fillStyle = colours.soft;
    const walls = this.game.walls();
    for (let at = 0; at < walls.length; at += 4) {
      const [left, low, right, high] = walls.slice(at, at + 4);
      pen.fillRect(left!, low!, right! - left!, high! - low!);
    }
    const [x, low, high] = this.game.goal();
    pen.fillStyle = colours.step;
    pen.fillRect(x!, low!, 0.8, high! - low!);
  }

  private drawCharges(pen: CanvasRenderingContext2D): void {
    const given = this.game.given();
    for (let at = 0; at < given.length; at += 3) drawCharge(pen, given.slice(at, at + 3), false, false);
    const placed = this.game.placed();
    for (let at = 0; at < placed.length; at += 3) {
      drawCharge(pen, placed.slice(at, at + 3), true, at / 3 === this.chosen);
    }
  }
}

/** The game that the address asks for, or its level without charges if that is not possible. */
function open(level: number, charges: string): HockeyFigure {
  try {
    return new HockeyFigure(level, charges);
  } catch (error) {
    problems.push(`hockey.charges=${charges}: ${String(error)}; the level starts without charges.`);
    return new HockeyFigure(level, "none");
  }
}

function drawDisc(pen: CanvasRenderingContext2D, [x, y]: [number, number], radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
