import { FONT } from "../canvas";
import { Figure, rows } from "../figure";
import { menu, refreshRates } from "../settings";
import { colours } from "../theme";
import type { TwoBlocksFigure } from "../wasm/physics/physics";

type Physics = typeof import("../wasm/physics/physics");

/** Half the width and the height between the walls, half the side of a block, and the thickness of the walls, in metres. */
const [WIDTH, HEIGHT, HALF, WALL] = [9.6, 6.4, 0.64, 0.4];

export class TwoBlocks extends Figure {
  private simulation!: TwoBlocksFigure;
  /** Of each block as it is drawn, and of the second one as the last step left it: x and y in metres, and the angle. */
  private last: number[] = [];

  constructor(
    root: HTMLElement,
    private readonly physics: Physics,
  ) {
    super(root, "two-blocks", [
      refreshRates(120),
      menu("smoothing", "The second block is drawn", [
        ["none", "as the last step left it"],
        ["interpolate", "interpolated"],
        ["extrapolate", "extrapolated"],
        ["hermite", "on a Hermite curve"],
        ["script", "by a script's own accumulator"],
      ], "interpolate"),
      menu("threshold", "Velocity threshold", [
        ["0", "none: every hit bounces"],
        ["50", "50 px/s, which are 1 m/s"],
        ["2500", "50 taken for m/s"],
      ], "50"),
    ]);
    this.canvas("Two blocks between walls: one as the last step left it, one interpolated", 0.62, 230, (pen, width, height) =>
      this.draw(pen, width, height),
    );
    this.start();
  }

  protected build(): void {
    this.simulation?.free();
    this.simulation = new this.physics.TwoBlocksFigure(Number(this.getText("threshold")));
    this.simulation.set_display(this.getNumber("display"));
    this.simulation.set_smoothing(this.getText("smoothing"));
    this.last = [-6, 3, 0.4, 6, 3, 0.4, 6, 3, 0.4];
  }

  protected override changed(key: string): void {
    if (key === "threshold") this.build();
    else if (key === "display") this.simulation.set_display(this.getNumber("display"));
    else this.simulation.set_smoothing(this.getText("smoothing"));
  }

  protected advance(delta: number): void {
    // Blocks that have come to rest are thrown again.
    if (this.simulation.rests) this.build();
    this.last = rows<number[]>(this.simulation.advance(delta), 9).at(-1) ?? this.last;
  }

  protected show(): void {
    const { raw_jump, smooth_jump, lag, speed } = this.simulation;
    this.number("raw: largest jump in a frame", `${(raw_jump * 100).toFixed(1)} cm`, "raw");
    this.number("smoothed: largest jump in a frame", `${(smooth_jump * 100).toFixed(1)} cm`, "smooth");
    this.number("smoothed: lag", `${Math.round(lag) || 0} ms`, "smooth");
    this.number("the faster block", `${speed.toFixed(0)} px/s`);
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const scale = Math.min(width / (2 * (WIDTH + WALL)), height / (2 * (HEIGHT + WALL)));
    const place = ([x, y]: number[]) => [width / 2 + x! * scale, height / 2 - y! * scale] as const;
    pen.fillStyle = colours.line;
    const [outerX, outerY] = [(WIDTH + WALL) * scale, (HEIGHT + WALL) * scale];
    pen.fillRect(width / 2 - outerX, height / 2 - outerY, 2 * outerX, 2 * outerY);
    pen.fillStyle = colours.paper;
    pen.fillRect(width / 2 - WIDTH * scale, height / 2 - HEIGHT * scale, 2 * WIDTH * scale, 2 * HEIGHT * scale);
    const [raw, smooth, newest] = [this.last.slice(0, 3), this.last.slice(3, 6), this.last.slice(6, 9)];
    drawBlock(pen, place(newest), newest[2]!, HALF * scale, colours.truth, false);
    drawBlock(pen, place(raw), raw[2]!, HALF * scale, colours.raw, true);
    drawBlock(pen, place(smooth), smooth[2]!, HALF * scale, colours.smooth, true);
    pen.font = FONT;
    pen.textAlign = "center";
    for (const [block, name, colour] of [
      [raw, "not interpolated", colours.raw],
      [smooth, SMOOTHED[this.getText("smoothing")]!, colours.smooth],
    ] as const) {
      const [x, y] = place(block);
      const half = pen.measureText(name).width / 2 + 4;
      pen.fillStyle = colour;
      pen.fillText(name, Math.max(half, Math.min(width - half, x)), Math.max(16, y - 1.1 * scale - 6));
    }
    pen.textAlign = "left";
  }
}

/** The labels of the second block. */
const SMOOTHED: Record<string, string> = {
  none: "not interpolated",
  interpolate: "interpolated",
  extrapolate: "extrapolated",
  hermite: "Hermite curve",
  script: "script's accumulator",
};

function drawBlock(
  pen: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  angle: number,
  half: number,
  colour: string,
  filled: boolean,
): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-angle);
  if (filled) {
    pen.fillStyle = colour;
    pen.fillRect(-half, -half, 2 * half, 2 * half);
  } else {
    pen.strokeStyle = colour;
    pen.setLineDash([4, 3]);
    pen.strokeRect(-half, -half, 2 * half, 2 * half);
  }
  pen.restore();
}
