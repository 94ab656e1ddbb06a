import { FONT, drawWalled, writeOnField, type Field } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, refreshRates } from "../settings";
import { colours } from "../theme";
import { TwoBlocksFigure } from "../wasm/physics/physics";

/** Half the size between the walls, half the side of a block, and the thickness of the walls, in metres. */
const FIELD: Field = [9.6, 6.4];
const [HALF, WALL] = [0.64, 0.4];

/** How the second block is drawn, with its label. */
const SMOOTHINGS: [value: string, label: string, name: string][] = [
  ["none", "as the last step left it", "not interpolated"],
  ["interpolate", "interpolated", "interpolated"],
  ["extrapolate", "extrapolated", "extrapolated"],
  ["hermite", "on a Hermite curve", "Hermite curve"],
  ["script", "by a script's own accumulator", "script's accumulator"],
];

/** Where a block is: x and y in metres, and its angle. */
type Block = [x: number, y: number, angle: number];

/** Where the blocks begin. */
const START: Block[] = [[-6, 3, 0.4], [6, 3, 0.4], [6, 3, 0.4]];

export class TwoBlocks extends Figure<TwoBlocksFigure> {
  /** Both blocks as they are drawn, and the second one as the last step left it. */
  private blocks = START;

  constructor(root: HTMLElement) {
    super(root, [
      refreshRates(120),
      menu("smoothing", "The second block is drawn", SMOOTHINGS.map(([value, label]) => [value, label]), "interpolate"),
      menu("threshold", "Velocity threshold", [
        ["0", "none: every hit bounces"],
        ["50", "50 px/s, which are 1 m/s"],
        ["2500", "50 taken for m/s"],
      ], "50"),
    ]);
    this.canvas("Two blocks between walls: one as the last step left it, one interpolated", 0.68, 230);
  }

  protected create(): TwoBlocksFigure {
    this.blocks = START;
    const simulation = new TwoBlocksFigure(Number(this.getText("threshold")), this.getNumber("display"));
    simulation.set_smoothing(this.getText("smoothing"));
    return simulation;
  }

  protected override changed(key: string): void {
    if (key === "smoothing") this.simulation.set_smoothing(this.getText("smoothing"));
    else this.build();
  }

  protected advance(delta: number): void {
    // Blocks that have come to rest are thrown again.
    if (this.simulation.rests) this.build();
    const shown = rows<Block>(this.simulation.advance(delta), 3).slice(-3);
    if (shown.length > 0) this.blocks = shown;
  }

  protected show(): void {
    const { raw_jump, smooth_jump, lag, speed } = this.simulation;
    this.number("raw: largest jump in a frame", `${(raw_jump * 100).toFixed(1)} cm`, "raw");
    this.number("smoothed: largest jump in a frame", `${(smooth_jump * 100).toFixed(1)} cm`, "smooth");
    this.number("smoothed: lag", `${Math.round(lag) || 0} ms`, "smooth");
    this.number("the faster block", `${speed.toFixed(0)} px/s`);
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const [raw, smooth, newest] = this.blocks as [Block, Block, Block];
    const name = SMOOTHINGS.find(([value]) => value === this.getText("smoothing"))![2];
    drawWalled(pen, FIELD, WALL, width, height, (scale) => {
      drawBlock(pen, newest, () => {
        pen.strokeStyle = colours.truth;
        pen.lineWidth = 1 / scale;
        pen.setLineDash([4 / scale, 3 / scale]);
        pen.strokeRect(-HALF, -HALF, 2 * HALF, 2 * HALF);
      });
      for (const [block, colour] of [[raw, colours.raw], [smooth, colours.smooth]] as const) {
        drawBlock(pen, block, () => {
          pen.fillStyle = colour;
          pen.fillRect(-HALF, -HALF, 2 * HALF, 2 * HALF);
        });
      }
      writeAbove(pen, raw, "not interpolated", colours.raw, scale);
      writeAbove(pen, smooth, name, colours.smooth, scale);
    });
  }
}

/** Draws a block around the origin. */
function drawBlock(pen: CanvasRenderingContext2D, [x, y, angle]: Block, draw: () => void): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  draw();
  pen.restore();
}

/** Writes above a block, within the walls. */
function writeAbove(pen: CanvasRenderingContext2D, [x, y]: Block, text: string, colour: string, scale: number): void {
  const size = 14 / scale;
  pen.font = FONT;
  const most = FIELD[0] - pen.measureText(text).width / 2 / scale;
  writeOnField(pen, text, [Math.max(-most, Math.min(most, x)), Math.min(FIELD[1] - size, y + 1.1)], size, colour);
}
