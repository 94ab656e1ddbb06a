import { Canvas, disc, drawField, placeOn, takeKeys, type Field, type Point } from "../canvas";
import { Figure, button, element, rows } from "../figure";
import { leadTo, problems, writeAddress } from "../link";
import { jitter, menu, refreshRates } from "../settings";
import { colours } from "../theme";
import { HockeyFigure } from "../wasm/core/core";
import { COLUMNS, ROWS, drawCharge, drawCursor, drawForces, drawTrail, type Charge } from "./board";

/** The step by which keys move a charge, in metres, and change it, in µC. */
const [MOVE, CHANGE] = [1, 25];

/** The largest charge that a player may place, in µC. */
const LARGEST = 200;

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
  private readonly volleyBoards: Canvas[];
  private puck: Point = [0, 0];
  private cursor: Point = [30, 20];
  private chosen = -1;
  private dragging = false;
  private readonly message = element("p", "message");
  private readonly board: HTMLCanvasElement;

  constructor(root: HTMLElement) {
    const levels = HockeyFigure.levels().map((name, index): [string, string] => [String(index + 1), `${index + 1} · ${name}`]);
    super(root, "hockey", [
      menu("level", "Level", levels, "3"),
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
    const titles = ["20 shots, a step per frame", "20 shots, equal steps"];
    this.volleyBoards = this.columns(titles).map(
      (place, index) => new Canvas(place, titles[index]!, 2 / 3, 150, (pen, width, height) => this.drawVolley(pen, width, height, index)),
    );
    this.listen();
    this.actions.append(
      button("Show a solution", () => this.set("charges", "solution")),
      button("Take charges away", () => this.set("charges", "none")),
      button("Copy link", () => void this.copyLink()),
    );
    this.start();
  }

  protected build(): void {
    this.game?.free();
    this.game = open(Number(this.getText("level")), this.getText("charges"));
    this.chosen = Math.min(this.chosen, this.placed().length - 1);
    const [, , x, y] = this.game.field();
    this.puck = [x!, y!];
    this.message.textContent = `${this.game.left} charges left to place. Bring the puck to the goal.`;
    this.applyDisplay();
    this.set("charges", this.game.charges || "none");
  }

  private applyDisplay(): void {
    this.volleys = undefined;
    this.game.set_display(this.getNumber("display"), this.getNumber("jitter"));
  }

  protected override changed(key: string): void {
    if (key === "display" || key === "jitter") return this.applyDisplay();
    if (key === "level") this.set("charges", "none");
    this.build();
    this.redraw();
  }

  private placed(): Charge[] {
    return rows<Charge>(this.game.placed(), 3);
  }

  private field(): Field {
    const [width, height] = this.game.field();
    return [width!, height!];
  }

  /** Places other charges, and chooses one of them. Says why if the level refuses them. */
  private place(charges: Charge[], chosen: number): void {
    const [width, height] = this.field();
    const onGrid = (value: number, most: number) => Math.round(2 * Math.max(0, Math.min(most, value))) / 2;
    const texts = charges.map(([x, y, charge]) => [onGrid(x, width), onGrid(y, height), Math.max(-LARGEST, Math.min(LARGEST, charge))].join());
    try {
      new HockeyFigure(Number(this.getText("level")), texts.join(";") || "none").free();
    } catch (error) {
      this.message.textContent = `${String(error)}.`;
      return;
    }
    this.chosen = chosen;
    this.set("charges", texts.join(";") || "none");
  }

  private shoot(): void {
    this.game.shoot();
    this.setPlaying(true);
    this.message.textContent = "The puck is on its way.";
    this.redraw();
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
    takeKeys(board, "The board. Arrow keys move, Enter places or lets go of a charge, plus and minus change it, Delete removes it, S shoots.");
    board.addEventListener("pointerdown", (event) => this.press(event));
    board.addEventListener("pointermove", (event) => {
      if (!this.dragging) return;
      this.cursor = placeOn(this.field(), board, event);
      this.moveChosen();
    });
    for (const end of ["pointerup", "pointercancel"] as const) board.addEventListener(end, () => (this.dragging = false));
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

  private press(event: PointerEvent): void {
    this.cursor = placeOn(this.field(), this.board, event);
    const near = this.nearest(2);
    if (near >= 0) this.chosen = near;
    else this.add();
    this.dragging = this.chosen >= 0;
    if (this.dragging) this.board.setPointerCapture(event.pointerId);
    this.redraw();
  }

  /** The player's charge that is nearest to the cursor, within a distance in metres; −1 if there is none. */
  private nearest(within: number): number {
    const distances = this.placed().map(([x, y]) => Math.hypot(x - this.cursor[0], y - this.cursor[1]));
    return distances.findIndex((distance) => distance < within && distance === Math.min(...distances));
  }

  private add(): void {
    const placed = this.placed();
    this.place([...placed, [...this.cursor, 4 * CHANGE]], placed.length);
  }

  private moveChosen(): void {
    this.change(([, , charge]) => [...this.cursor, charge]);
  }

  private alter(by: number): void {
    this.change(([x, y, charge]) => [x, y, charge + by]);
  }

  /** Changes the chosen charge. */
  private change(change: (charge: Charge) => Charge): void {
    if (this.chosen >= 0) this.place(this.placed().map((charge, index) => (index === this.chosen ? change(charge) : charge)), this.chosen);
  }

  /** Whether the key means something here. */
  private key(key: string): boolean {
    const moves: Record<string, Point> = {
      ArrowLeft: [-MOVE, 0],
      ArrowRight: [MOVE, 0],
      ArrowUp: [0, MOVE],
      ArrowDown: [0, -MOVE],
    };
    const move = moves[key];
    if (move) {
      const [width, height] = this.field();
      this.cursor = [
        Math.max(0, Math.min(width, Math.round(this.cursor[0]) + move[0])),
        Math.max(0, Math.min(height, Math.round(this.cursor[1]) + move[1])),
      ];
      this.moveChosen();
    } else if (key === "Enter" || key === " ") {
      this.placeOrLetGo();
    } else if (key === "+" || key === "=") {
      this.alter(CHANGE);
    } else if (key === "-") {
      this.alter(-CHANGE);
    } else if (key === "Delete" || key === "Backspace") {
      this.place(this.placed().filter((_, index) => index !== this.chosen), -1);
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
    else if ((this.chosen = this.nearest(1)) < 0) this.add();
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    this.drawBoard(pen, width, height, (radius) => {
      drawTrail(pen, this.game.trail(), colours.smooth, 0.3);
      this.drawCharges(pen);
      disc(pen, this.puck, radius, colours.smooth);
      if (document.activeElement === this.board) drawCursor(pen, this.cursor);
    });
  }

  private drawVolley(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    this.drawBoard(pen, width, height, (radius) => {
      const colour = WAYS[index] === "variable" ? colours.raw : colours.smooth;
      const { paths } = this.shootVolleys()[index]!;
      for (const path of paths) drawTrail(pen, path, colour, 0.15);
      this.drawCharges(pen);
      for (const path of paths) disc(pen, [path.at(-2)!, path.at(-1)!], radius, colour);
    });
  }

  /** Draws the field, its walls and its goal, and lets `draw` draw on it in metres, which gets the radius of the puck. */
  private drawBoard(pen: CanvasRenderingContext2D, width: number, height: number, draw: (radius: number) => void): void {
    const field = this.field();
    drawField(pen, field, width, height, () => {
      drawForces(pen, this.game.forces(COLUMNS, ROWS), ...field);
      pen.fillStyle = colours.soft;
      type Wall = [left: number, low: number, right: number, high: number];
      for (const [left, low, right, high] of rows<Wall>(this.game.walls(), 4)) pen.fillRect(left, low, right - left, high - low);
      const [x, low, high] = this.game.goal();
      pen.fillStyle = colours.step;
      pen.fillRect(x!, low!, 0.8, high! - low!);
      draw(this.game.field()[4]!);
    });
  }

  private drawCharges(pen: CanvasRenderingContext2D): void {
    for (const charge of rows<Charge>(this.game.given(), 3)) drawCharge(pen, charge, false, false);
    this.placed().forEach((charge, index) => drawCharge(pen, charge, true, index === this.chosen));
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
