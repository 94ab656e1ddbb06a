import { Canvas, disc, drawField, line, takeTouches, type Field, type Point } from "../canvas";
import { Figure, button, element, rows, setText } from "../figure";
import { problems } from "../link";
import { jitter, menu, refreshRates } from "../settings";
import { colours } from "../theme";
import { HockeyFigure } from "../wasm/core/core";
import { COLUMNS, ROWS, drawCharge, drawCursor, drawForces, type Charge } from "./board";

/** The step by which keys move a charge, in metres, and change it, in µC. */
const [MOVE, CHANGE] = [1, 25];

/** The largest charge that a player may place, in µC. */
const LARGEST = 200;

/** Twenty shots: how far their ends lie apart in metres, and their paths. */
interface Volley {
  spread: number;
  paths: Point[][];
}

/** The two ways of shooting: the puck's steps follow the frames, or are equal; and their colours. */
const WAYS = [["20 shots, a step per frame", "raw"], ["20 shots, equal steps", "smooth"]] as const;

export class Hockey extends Figure<HockeyFigure> {
  /** The volleys with the present charges, in the order of `WAYS`; undefined before they are shot. */
  private volleys: Volley[] | undefined;
  /** Their boards, which are drawn again only when something on them has changed. */
  private readonly volleyBoards: Canvas[];
  private readonly field: Field;
  private readonly radius: number;
  private puck: Point = [0, 0];
  private cursor: Point = [30, 20];
  private chosen = -1;
  private readonly message = element("p", "message");
  private readonly board: HTMLCanvasElement;
  /** The command that prints the same hash. */
  private readonly command = element("code");
  /** Buttons for the charge that is chosen. */
  private readonly charging = [
    button(`− ${CHANGE} µC`, () => this.alter(-CHANGE)),
    button(`+ ${CHANGE} µC`, () => this.alter(CHANGE)),
    button("Remove", () => this.remove()),
  ];
  /** What the keys do. */
  private readonly keys: Record<string, () => void> = {
    ArrowLeft: () => this.moveCursor(-MOVE, 0),
    ArrowRight: () => this.moveCursor(MOVE, 0),
    ArrowUp: () => this.moveCursor(0, MOVE),
    ArrowDown: () => this.moveCursor(0, -MOVE),
    Enter: () => this.placeOrLetGo(),
    " ": () => this.placeOrLetGo(),
    "+": () => this.alter(CHANGE),
    "=": () => this.alter(CHANGE),
    "-": () => this.alter(-CHANGE),
    Delete: () => this.remove(),
    Backspace: () => this.remove(),
    s: () => this.shoot(),
    S: () => this.shoot(),
  };

  // It has states to show before its first frame.
  protected override hasBegun = true;

  constructor(root: HTMLElement) {
    const levels = HockeyFigure.levels().map((name, index): [string, string] => [String(index + 1), `${index + 1} · ${name}`]);
    super(root, [
      menu("level", "Level", levels, "3"),
      refreshRates(0),
      jitter(2),
      { key: "charges", label: "Charges", kind: "text", value: "none" },
    ]);
    const [width, height, radius] = Array.from(HockeyFigure.field()) as [number, number, number];
    [this.field, this.radius] = [[width, height], radius];
    this.board = this.canvas("The board", 2 / 3, 220);
    this.message.setAttribute("role", "status");
    // At the board: on a phone the other buttons are a screen below.
    const shoot = button("Shoot", () => this.shoot());
    shoot.classList.add("main");
    const atBoard = element("div", "actions");
    atBoard.append(shoot, ...this.charging);
    this.stage.append(atBoard, this.message);
    this.volleyBoards = this.columns(WAYS.map(([title]) => title)).map(
      (place, index) => new Canvas(place, WAYS[index]![0], 2 / 3, 150, (pen, width, height) => this.drawVolley(pen, width, height, index)),
    );
    this.listen();
    const native = element("p", "native", "The same shot as a native program, which prints tick and hash: ");
    native.append(this.command);
    this.controls.before(native);
    this.actions.append(
      button("Show a solution", () => this.set("charges", "solution")),
      button("Take charges away", () => this.set("charges", "none")),
    );
  }

  protected create(): HockeyFigure {
    const simulation = open(Number(this.getText("level")), this.getText("charges"));
    this.apply(simulation);
    this.puck = simulation.advance(0) as unknown as Point;
    this.chosen = Math.min(this.chosen, rows(simulation.placed(), 3).length - 1);
    this.message.textContent = `${simulation.left} charges left to place. Bring the puck to the goal.`;
    return simulation;
  }

  protected override build(): void {
    super.build();
    // A solution is written out, and what could not be placed is taken away.
    this.set("charges", this.simulation.charges || "none");
  }

  private apply(simulation: HockeyFigure): void {
    this.volleys = undefined;
    simulation.set_display(this.getNumber("display"), this.getNumber("jitter"));
  }

  protected override changed(key: string): void {
    if (key === "display" || key === "jitter") return this.apply(this.simulation);
    if (key === "level") this.set("charges", "none");
    this.build();
    this.redraw();
  }

  private placed(): Charge[] {
    return rows<Charge>(this.simulation.placed(), 3);
  }

  /** Places other charges, and chooses one of them. Says why if the level refuses them. */
  private place(charges: Charge[], chosen: number): void {
    const [width, height] = this.field;
    const onGrid = (value: number, most: number) => Math.round(2 * Math.max(0, Math.min(most, value))) / 2;
    const texts = charges.map(([x, y, charge]) => [onGrid(x, width), onGrid(y, height), Math.max(-LARGEST, Math.min(LARGEST, charge))].join());
    const text = texts.join(";") || "none";
    try {
      new HockeyFigure(Number(this.getText("level")), text).free();
    } catch (error) {
      this.message.textContent = `${String(error)}.`;
      return;
    }
    this.chosen = chosen;
    this.set("charges", text);
  }

  private shoot(): void {
    this.simulation.shoot();
    this.setPlaying(true);
    this.message.textContent = "The puck is on its way.";
    this.redraw();
  }

  private shootVolleys(): Volley[] {
    return (this.volleys ??= WAYS.map((_, way) => {
      const numbers = this.simulation.volley(way === 0);
      const paths: Point[][] = [];
      for (let at = 1; at < numbers.length; ) {
        const end = at + 1 + 2 * numbers[at]!;
        paths.push(rows<[number, number]>(numbers.subarray(at + 1, end), 2));
        at = end;
      }
      return { spread: numbers[0]!, paths };
    }));
  }

  protected advance(delta: number): void {
    if (this.simulation.outcome !== "running") return;
    this.puck = this.simulation.advance(delta) as unknown as Point;
    const outcome = this.simulation.outcome;
    if (outcome === "running") return;
    this.message.textContent = outcome === "goal" ? "Goal!" : `Missed: ${outcome}. Change a charge and shoot again.`;
  }

  protected show(): void {
    const { outcome, left, hash, tick } = this.simulation;
    for (const button of this.charging) button.disabled = this.chosen < 0;
    this.number("outcome", outcome, outcome === "goal" ? "step" : "");
    this.number("charges left", String(left));
    this.number("hash of the state", hash || "–", "hash");
    this.number("after tick", hash ? String(tick) : "–");
    const command = `cargo run --release -p evenstep-scenes --example hockey ${this.getText("level")} "${this.getText("charges")}"`;
    setText(this.command, command);
    const isNew = this.volleys === undefined;
    this.shootVolleys().forEach(({ spread }, way) => {
      const [title, colour] = WAYS[way]!;
      this.number(`${title}: spread`, `${spread.toFixed(2)} m`, colour);
      if (isNew) this.volleyBoards[way]!.redraw();
    });
  }

  private listen(): void {
    const board = this.board;
    const label = "The board. Arrow keys move, Enter places or lets go of a charge, plus and minus change it, Delete removes it, S shoots.";
    takeTouches(board, label, this.field, {
      grabs: (at) => this.nearest(at, 2) >= 0,
      touch: (at, isPress) => this.touch(at, isPress),
      byTap: true,
      end: () => {},
    });
    board.addEventListener("keydown", (event) => {
      const act = this.keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
      this.redraw();
    });
    board.addEventListener("focus", () => this.redraw());
    board.addEventListener("blur", () => this.redraw());
  }

  private touch(at: Point, isPress: boolean): void {
    this.cursor = at;
    if (!isPress) return this.moveChosen();
    const near = this.nearest(at, 2);
    if (near >= 0) this.chosen = near;
    else this.add();
    this.redraw();
  }

  /** The player's charge that is nearest to a place, within a distance in metres; −1 if there is none. */
  private nearest([atX, atY]: Point, within: number): number {
    const distances = this.placed().map(([x, y]) => Math.hypot(x - atX, y - atY));
    return distances.findIndex((distance) => distance < within && distance === Math.min(...distances));
  }

  private add(): void {
    const placed = this.placed();
    this.place([...placed, [...this.cursor, 4 * CHANGE]], placed.length);
  }

  private moveCursor(x: number, y: number): void {
    const [width, height] = this.field;
    const [atX, atY] = this.cursor.map(Math.round) as [number, number];
    this.cursor = [Math.max(0, Math.min(width, atX + x)), Math.max(0, Math.min(height, atY + y))];
    this.moveChosen();
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

  private remove(): void {
    this.place(this.placed().filter((_, index) => index !== this.chosen), -1);
  }

  private placeOrLetGo(): void {
    if (this.chosen >= 0) this.chosen = -1;
    else if ((this.chosen = this.nearest(this.cursor, 1)) < 0) this.add();
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    this.drawBoard(pen, width, height, () => {
      line(pen, rows<[number, number]>(this.simulation.trail(), 2), colours.smooth, 0.3);
      this.drawCharges(pen);
      disc(pen, this.puck, this.radius, colours.smooth);
      if (document.activeElement === this.board) drawCursor(pen, this.cursor);
    });
  }

  private drawVolley(pen: CanvasRenderingContext2D, width: number, height: number, way: number): void {
    this.drawBoard(pen, width, height, () => {
      const colour = colours[WAYS[way]![1]];
      const { paths } = this.shootVolleys()[way]!;
      for (const path of paths) line(pen, path, colour, 0.15);
      this.drawCharges(pen);
      for (const path of paths) disc(pen, path.at(-1)!, this.radius, colour);
    });
  }

  /** Draws the field, its walls and its goal, and lets `draw` draw on it in metres. */
  private drawBoard(pen: CanvasRenderingContext2D, width: number, height: number, draw: () => void): void {
    drawField(pen, this.field, width, height, () => {
      drawForces(pen, this.simulation.forces(COLUMNS, ROWS), ...this.field);
      pen.fillStyle = colours.soft;
      type Wall = [left: number, low: number, right: number, high: number];
      for (const [left, low, right, high] of rows<Wall>(this.simulation.walls(), 4)) pen.fillRect(left, low, right - left, high - low);
      const [x, low, high] = this.simulation.goal();
      pen.fillStyle = colours.step;
      pen.fillRect(x!, low!, 0.8, high! - low!);
      draw();
    });
  }

  private drawCharges(pen: CanvasRenderingContext2D): void {
    for (const charge of rows<Charge>(this.simulation.given(), 3)) drawCharge(pen, charge, false, false);
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
