import { Figure, button, element } from "../figure";
import { colours } from "../theme";
import type { PeersFigure } from "../wasm/peers/peers";

type Module = typeof import("../wasm/peers/peers");

/** The simulation's bits of the keys. */
const KEYS: Record<string, number> = { ArrowLeft: 1, ArrowRight: 2, ArrowDown: 4, ArrowUp: 8, a: 1, d: 2, s: 4, w: 8 };

/** A finger that is nearer to the puck, in metres along an axis, does not push it that way. */
const NEAR = 0.15;

/** How long the other machine is held up, in milliseconds. */
const HELD_UP = 400;

export class Peers extends Figure {
  private simulation: PeersFigure | undefined;
  /** The keys that are held, and where a finger is, in metres. */
  private keys = 0;
  private finger: [number, number] | undefined;
  private readonly board: HTMLCanvasElement;
  private readonly field: [width: number, height: number, radius: number];

  constructor(
    root: HTMLElement,
    private readonly peers: Module,
  ) {
    super(root, "peers", [
      { key: "predict", label: "Predict the other's keys", kind: "switch", value: true },
      {
        key: "delay",
        label: "There and back",
        kind: "number",
        values: [0, 20, 50, 100, 150, 200, 300, 400, 600],
        value: 150,
        show: (value) => `${value} ms`,
      },
      { key: "loss", label: "Packets lost", kind: "number", values: [0, 1, 2, 5, 10, 20, 40], value: 2, show: (value) => `${value} %` },
    ]);
    this.field = Array.from(peers.PeersFigure.field()) as [number, number, number];
    const pair = element("div", "pair");
    this.stage.append(pair);
    const boards = ["Your machine", "The other machine"].map((name, machine) => {
      const half = element("div");
      const title = element("p", "title");
      title.textContent = name;
      half.append(title);
      pair.append(half);
      const shape = this.field[1] / this.field[0];
      return this.canvas(name, shape, 180, (pen, width, height) => this.draw(pen, width, height, machine), half).element;
    });
    this.board = boards[0]!;
    this.listen();
    this.actions.append(button("Hold the other machine up for 0.4 s", () => this.simulation?.hold_up(HELD_UP)));
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.peers.PeersFigure(1, ...this.network());
  }

  protected changed(): void {
    this.simulation?.connect(...this.network());
  }

  private network(): [predicts: boolean, delay: number, loss: number] {
    return [this.getSwitch("predict"), this.getNumber("delay"), this.getNumber("loss")];
  }

  protected advance(delta: number): void {
    if (this.finger) this.simulation?.hold(this.towards(this.finger));
    this.simulation?.advance(delta);
  }

  protected show(): void {
    const { simulation } = this;
    if (!simulation) return;
    const { ahead, answers_after, certain, longest, rollbacks, speed, stood_still } = simulation;
    this.number("your puck answers after", `${answers_after.toFixed(0)} ms`, "smooth");
    this.number("ticks ahead of the other's keys", String(ahead), "step");
    this.number("rollbacks a second", String(rollbacks));
    this.number("longest rollback", `${longest} ticks`);
    this.number("speed of your machine", `${(speed * 100).toFixed(0)} %`);
    this.number("stood still for", `${(stood_still / 1000).toFixed(1)} s`, stood_still > 0 ? "lost" : "");
    const parted = simulation.hashes().length > 1;
    this.number("both machines agree", parted ? "no" : `up to tick ${certain}`, parted ? "lost" : "");
  }

  private listen(): void {
    const board = this.board;
    board.tabIndex = 0;
    board.setAttribute("role", "application");
    board.setAttribute("aria-label", "Your machine. Arrow keys push your puck, the blue one.");
    board.addEventListener("keydown", (event) => this.key(event, true));
    board.addEventListener("keyup", (event) => this.key(event, false));
    board.addEventListener("blur", () => this.hold(0));
    board.addEventListener("pointerdown", (event) => {
      board.setPointerCapture(event.pointerId);
      this.finger = this.place(event);
    });
    board.addEventListener("pointermove", (event) => {
      if (this.finger) this.finger = this.place(event);
    });
    for (const end of ["pointerup", "pointercancel"] as const) board.addEventListener(end, () => this.hold(0));
  }

  private key(event: KeyboardEvent, isDown: boolean): void {
    const key = KEYS[event.key];
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.hold(isDown ? this.keys | key : this.keys & ~key);
  }

  /** Holds these keys, and no finger any more. */
  private hold(keys: number): void {
    if (keys === this.keys && !this.finger) return;
    [this.keys, this.finger] = [keys, undefined];
    this.simulation?.hold(keys);
  }

  /** The keys that push the puck to a place. */
  private towards([x, y]: [number, number]): number {
    const [atX, atY] = this.simulation!.pucks(0) as unknown as [number, number];
    const along = (distance: number, less: number, more: number) => (distance > NEAR ? more : distance < -NEAR ? less : 0);
    return along(x - atX, 1, 2) | along(y - atY, 4, 8);
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.board.getBoundingClientRect();
    const scale = this.scale(box.width, box.height);
    return [(event.clientX - box.left) / scale, this.field[1] - (event.clientY - box.top) / scale];
  }

  private scale(width: number, height: number): number {
    return Math.min(width / this.field[0], height / this.field[1]);
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number, machine: number): void {
    const [fieldWidth, fieldHeight, radius] = this.field;
    const scale = this.scale(width, height);
    pen.transform(scale, 0, 0, -scale, 0, fieldHeight * scale);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, fieldWidth, fieldHeight);
    // The reader's own board has a border of its own, as all have that take keys.
    pen.strokeStyle = colours.line;
    pen.lineWidth = 2 / scale;
    if (machine > 0) pen.strokeRect(0, 0, fieldWidth, fieldHeight);
    const pucks = this.simulation?.pucks(machine) ?? new Float64Array();
    for (let at = 0; at < pucks.length; at += 4) {
      const [x, y, trueX, trueY] = pucks.slice(at, at + 4) as unknown as [number, number, number, number];
      pen.fillStyle = at === 0 ? colours.smooth : colours.raw;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
      if (Math.hypot(x - trueX, y - trueY) > 0.005) drawTruth(pen, trueX, trueY, radius);
    }
  }
}

/** Marks the simulated position of a puck that is drawn elsewhere. */
function drawTruth(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.strokeStyle = colours.truth;
  pen.lineWidth = 0.02;
  pen.setLineDash([0.06, 0.05]);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}
