import { dashedCircle, disc, drawField, takeTouches, type Field, type Point } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, milliseconds, percent, slider } from "../settings";
import { colours } from "../theme";
import { PeersFigure } from "../wasm/peers/peers";

/** The simulation's bits of the keys. */
const KEYS: Record<string, number> = { ArrowLeft: 1, ArrowRight: 2, ArrowDown: 4, ArrowUp: 8, a: 1, d: 2, s: 4, w: 8 };

/** A finger that is nearer to the puck, in metres along an axis, does not push it that way. */
const NEAR = 0.15;

/** A puck of a machine: where it is drawn and where it is simulated, in metres. */
type Puck = [x: number, y: number, trueX: number, trueY: number];

export class Peers extends Figure<PeersFigure> {
  /** The keys that are held, and where a finger is, in metres. */
  private keys = 0;
  private finger: Point | undefined;
  private readonly field: Field;
  private readonly radius: number;

  constructor(root: HTMLElement) {
    super(root, [
      menu("predict", "The other's keys", [["on", "are predicted"], ["off", "are waited for"]], "on"),
      slider("delay", "There and back", [0, 20, 50, 100, 150, 200, 300, 400, 600], 150, milliseconds),
      slider("loss", "Packets lost", [0, 1, 2, 5, 10, 20, 40], 2, percent),
    ]);
    const [width, height, radius] = Array.from(PeersFigure.field()) as [number, number, number];
    [this.field, this.radius] = [[width, height], radius];
    const names = ["Your machine", "The other machine"];
    const [board] = this.columns(names).map((place, machine) => this.canvas(names[machine]!, height / width, 180, place));
    this.listen(board!);
  }

  protected create(): PeersFigure {
    return new PeersFigure(this.getText("predict") === "on", this.getNumber("delay"), this.getNumber("loss"));
  }

  protected advance(delta: number): void {
    if (this.finger) this.simulation.hold(this.towards(this.finger));
    this.simulation.advance(delta);
  }

  protected show(): void {
    const { agree, ahead, answers_after, certain, longest, rollbacks, stood_still } = this.simulation;
    this.number("your puck answers after", `${answers_after.toFixed(0)} ms`, "smooth");
    this.number("ticks ahead of the other's keys", String(ahead), "step");
    this.number("rollbacks a second", String(rollbacks));
    this.number("longest rollback", `${longest} ticks`);
    this.number("stood still for", `${(stood_still / 1000).toFixed(1)} s`, stood_still > 0 ? "lost" : "");
    this.number("both machines agree", agree ? `up to tick ${certain}` : "no", agree ? "" : "lost");
  }

  private listen(board: HTMLElement): void {
    const label = "Your machine. Arrow keys push your puck, the blue one.";
    takeTouches(board, label, this.field, {
      grabs: ([x, y]) => {
        const [atX, atY] = rows<Puck>(this.simulation.pucks(0), 4)[0]!;
        return Math.hypot(x - atX, y - atY) < 2 * this.radius;
      },
      touch: (at) => (this.finger = at),
      byTap: false,
      end: () => this.hold(0),
    });
    board.addEventListener("keydown", (event) => this.key(event, true));
    board.addEventListener("keyup", (event) => this.key(event, false));
    board.addEventListener("blur", () => this.hold(0));
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
    this.simulation.hold(keys);
  }

  /** The keys that push the puck to a place. */
  private towards([x, y]: Point): number {
    const [atX, atY] = rows<Puck>(this.simulation.pucks(0), 4)[0]!;
    const along = (distance: number, less: number, more: number) => (distance > NEAR ? more : distance < -NEAR ? less : 0);
    return along(x - atX, 1, 2) | along(y - atY, 4, 8);
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, machine: number): void {
    drawField(pen, this.field, width, height, () => {
      // The reader's own board has a border of its own, as all have that take keys.
      pen.strokeStyle = colours.line;
      pen.lineWidth = 0.02;
      if (machine > 0) pen.strokeRect(0, 0, ...this.field);
      rows<Puck>(this.simulation.pucks(machine), 4).forEach(([x, y, trueX, trueY], player) => {
        disc(pen, [x, y], this.radius, player === 0 ? colours.smooth : colours.raw);
        // The simulated position of a puck that is drawn elsewhere.
        if (Math.hypot(x - trueX, y - trueY) > 0.005) dashedCircle(pen, [trueX, trueY], this.radius, colours.truth, 0.02);
      });
    });
  }
}
