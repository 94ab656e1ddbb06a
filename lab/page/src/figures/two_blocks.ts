import { FONT, MARGIN, caption, drawWalled, line, writeOnField, type Field, type Point } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, refreshRates } from "../settings";
import { colours } from "../theme";
import { TwoBlocksFigure } from "../wasm/physics/physics";

/** Half the size between the walls, half the side of a block, and the thickness of the walls, in metres. */
const FIELD: Field = [9.6, 6.4];
const [HALF, WALL] = [0.64, 0.4];

/** Pixels in a metre. */
const PIXELS = 50;

/** How the second block is drawn, with its label. */
const SMOOTHINGS: [value: string, label: string, name: string][] = [
  ["none", "as the last step left it", "not interpolated"],
  ["interpolate", "interpolated", "interpolated"],
  ["extrapolate", "extrapolated", "extrapolated"],
  ["hermite", "on a Hermite curve", "Hermite curve"],
  ["script", "by a script's own accumulator", "script's accumulator"],
];

/** The curves of its height: the column of their numbers, their name, colour and dashes. */
const CURVES = [
  [1, "newest state", () => colours.truth, [3, 3]],
  [2, "interpolated", () => colours.smooth, []],
  [3, "extrapolated", () => colours.lost, []],
] as const satisfies [number, string, () => string, number[]][];

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
    this.canvas("The height of the second block over the last two seconds: by steps, interpolated and extrapolated", 0.3, 200);
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
    this.number("raw: largest jump in a frame", `${(raw_jump * PIXELS).toFixed(1)} px`, "raw");
    this.number("smoothed: largest jump in a frame", `${(smooth_jump * PIXELS).toFixed(1)} px`, "smooth");
    this.number("smoothed: lag", `${Math.round(lag) || 0} ms`, "smooth");
    this.number("the faster block", `${speed.toFixed(0)} px/s`);
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void {
    if (index === 1) return this.drawCurves(pen, width, height);
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

  /** The height of the second block over the last two seconds, below it the floor. */
  private drawCurves(pen: CanvasRenderingContext2D, width: number, height: number): void {
    type Row = [delta: number, newest: number, interpolated: number, extrapolated: number];
    const frames = rows<Row>(this.simulation.curves(), 4);
    const [top, bottom] = [26, height - 24];
    const up = (metres: number) => bottom - ((metres - HALF + FIELD[1]) / (2 * FIELD[1])) * (bottom - top);
    caption(pen, "height of the second block, two seconds", 16);
    line(pen, [[MARGIN, up(HALF - FIELD[1])], [width - MARGIN, up(HALF - FIELD[1])]], colours.line, 2);
    let label = MARGIN;
    for (const [column, name, colour, dash] of CURVES) {
      let time = 2 - frames.reduce((sum, [delta]) => sum + delta, 0);
      const points = frames.map((frame): Point => {
        time += frame[0];
        return [MARGIN + (time / 2) * (width - 2 * MARGIN), up(frame[column])];
      });
      line(pen, points, colour(), 1.8, dash);
      pen.fillStyle = colour();
      pen.fillText(name, label, height - 6);
      label += pen.measureText(name).width + 16;
    }
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
