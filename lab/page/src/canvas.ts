// A canvas as wide as its figure, as sharp as the screen, and what several figures draw on it.

import { colours, onThemeChange } from "./theme";

type Pen = CanvasRenderingContext2D;

/** Draws within `width` × `height` CSS pixels. */
export type Draw = (pen: Pen, width: number, height: number) => void;

export class Canvas {
  readonly element = document.createElement("canvas");
  private readonly pen: Pen;
  private size = { width: 0, height: 0 };

  /** `shape` is height by width; on narrow screens it is at least `least` pixels high. */
  constructor(
    parent: HTMLElement,
    label: string,
    private readonly shape: number,
    private readonly least: number,
    private readonly draw: Draw,
  ) {
    const pen = this.element.getContext("2d");
    if (!pen) throw new Error("this browser cannot draw on a canvas");
    this.pen = pen;
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", label);
    parent.append(this.element);
    new ResizeObserver(() => this.redraw()).observe(this.element);
    onThemeChange(() => this.redraw());
  }

  /** Redraws. */
  redraw(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    const height = Math.round(Math.max(width * this.shape, this.least));
    const scale = devicePixelRatio;
    if (this.size.width !== width * scale || this.size.height !== height * scale) {
      this.size = { width: width * scale, height: height * scale };
      this.element.width = this.size.width;
      this.element.height = this.size.height;
      this.element.style.height = `${height}px`;
    }
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.pen.clearRect(0, 0, width, height);
    this.draw(this.pen, width, height);
  }
}

export type Point = readonly [x: number, y: number];

/** The font of texts in drawings, and its size in pixels. */
export const FONT = "14px system-ui, sans-serif";
const FONT_SIZE = 14;

/** The margin at the left and right of charts over time, in pixels. */
export const MARGIN = 12;

/** Writes a line of text above a chart. `base` is its baseline, in pixels from the top. */
export function caption(pen: Pen, text: string, base: number): void {
  pen.font = FONT;
  pen.fillStyle = colours.soft;
  pen.fillText(text, MARGIN, base);
}

/** A filled circle. */
export function disc(pen: Pen, [x, y]: Point, radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** A line through points, in dashes if `dash` has lengths. */
export function line(pen: Pen, points: Point[], colour: string, width: number, dash: number[] = []): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
  pen.setLineDash([]);
}

/** A cross that reaches `size` to each side. */
export function cross(pen: Pen, [x, y]: Point, size: number, colour: string, width: number): void {
  line(pen, [[x - size, y - size], [x + size, y + size]], colour, width);
  line(pen, [[x - size, y + size], [x + size, y - size]], colour, width);
}

/** A dashed circle: where something should be. */
export function dashedCircle(pen: Pen, [x, y]: Point, radius: number, colour: string, width: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash([2.5 * width, 2 * width]);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

/** The frames for which `drawColumns` has a column. */
export const COLUMNS = 60;

/** A column for each of the last frames, the newest at the right, between `top` and `floor`. Its title names the highest, as `show` writes it. */
export function drawColumns(
  pen: Pen,
  title: string,
  show: (value: number) => string,
  values: number[],
  colour: string,
  width: number,
  top: number,
  floor: number,
): void {
  const highest = Math.max(0, ...values);
  caption(pen, `${title}: at most ${show(highest)}`, top + FONT_SIZE);
  const size = (width - 2 * MARGIN) / COLUMNS;
  const left = MARGIN + (COLUMNS - values.length) * size;
  pen.fillStyle = colour;
  values.forEach((value, index) => {
    const height = (value / (highest || 1)) * (floor - top - 2 * FONT_SIZE);
    pen.fillRect(left + index * size, floor - height, size - 1, height);
  });
  pen.fillStyle = colours.line;
  pen.fillRect(MARGIN, floor, width - 2 * MARGIN, 1);
}

/** From a time to its distance from the left. */
export type Across = (time: number) => number;

/** Draws what happened in a `window` of time until now. */
export function drawWindow(pen: Pen, width: number, height: number, now: number, window: number, draw: (across: Across) => void): void {
  pen.save();
  pen.beginPath();
  pen.rect(MARGIN, 0, width - 2 * MARGIN, height);
  pen.clip();
  draw((time) => MARGIN + ((time - now + window) / window) * (width - 2 * MARGIN));
  pen.restore();
}

/** A field in metres, of which the lower left corner is the origin. */
export type Field = readonly [width: number, height: number];

/** Pixels per metre that show the whole field. */
function scaleOf([fieldWidth, fieldHeight]: Field, width: number, height: number): number {
  return Math.min(width / fieldWidth, height / fieldHeight);
}

/** Draws a field, in metres. `draw` gets the pixels per metre. */
export function drawField(pen: Pen, field: Field, width: number, height: number, draw: (scale: number) => void): void {
  const scale = scaleOf(field, width, height);
  pen.save();
  pen.transform(scale, 0, 0, -scale, 0, field[1] * scale);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, ...field);
  draw(scale);
  pen.restore();
}

/** Draws a field between walls, in metres, by its half size and the thickness of the walls. Its middle is the origin. */
export function drawWalled(pen: Pen, [x, y]: Field, wall: number, width: number, height: number, draw: (scale: number) => void): void {
  const field: Field = [2 * (x + wall), 2 * (y + wall)];
  drawField(pen, field, width, height, (scale) => {
    pen.fillStyle = colours.line;
    pen.fillRect(0, 0, ...field);
    pen.translate(x + wall, y + wall);
    pen.fillStyle = colours.paper;
    pen.fillRect(-x, -y, 2 * x, 2 * y);
    draw(scale);
  });
}

/** Writes centred text on a field. Its letters are as high as `size`, in metres; a colour around it lets it be read on a wall. */
export function writeOnField(pen: Pen, text: string, [x, y]: Point, size: number, colour: string, around = ""): void {
  pen.save();
  pen.transform(size / FONT_SIZE, 0, 0, -size / FONT_SIZE, x, y);
  pen.font = FONT;
  pen.textAlign = "center";
  if (around) {
    pen.strokeStyle = around;
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeText(text, 0, 0);
  }
  pen.fillStyle = colour;
  pen.fillText(text, 0, 0);
  pen.restore();
}

/** What a board does with presses and drags. Places are in metres. */
export interface Touches {
  /** Whether something is dragged from a place, so that a finger there does not scroll the page. */
  grabs(at: Point): boolean;
  /** A press, then the places of its drag. */
  touch(at: Point, isPress: boolean): void;
  /** Whether a finger presses where nothing is dragged only by a tap: it may also scroll the page. */
  byTap: boolean;
  end(): void;
}

/** A finger that has moved farther than this, in CSS pixels, does not tap. */
const TAP = 8;

/** Lets a canvas be reached by keys, and be pressed and dragged on. A finger that begins where nothing is dragged scrolls the page. */
export function takeTouches(board: HTMLElement, label: string, field: Field, touches: Touches): void {
  board.tabIndex = 0;
  board.setAttribute("role", "application");
  board.setAttribute("aria-label", label);
  const place = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = board.getBoundingClientRect();
    const scale = scaleOf(field, box.width, box.height);
    return [(clientX - box.left) / scale, field[1] - (clientY - box.top) / scale];
  };
  /** Where the finger that may tap came down. */
  let tap: PointerEvent | undefined;
  board.addEventListener("touchstart", (event) => {
    if (touches.grabs(place(event.touches[0]!))) event.preventDefault();
  }, { passive: false });
  board.addEventListener("pointerdown", (event) => {
    const at = place(event);
    if (touches.byTap && event.pointerType !== "mouse" && !touches.grabs(at)) {
      tap = event;
      return;
    }
    board.setPointerCapture(event.pointerId);
    touches.touch(at, true);
  });
  board.addEventListener("pointermove", (event) => {
    if (!tap && board.hasPointerCapture(event.pointerId)) touches.touch(place(event), false);
    if (tap && Math.hypot(event.clientX - tap.clientX, event.clientY - tap.clientY) > TAP) tap = undefined;
  });
  for (const name of ["pointerup", "pointercancel"] as const) {
    board.addEventListener(name, (event) => {
      if (tap && name === "pointerup") touches.touch(place(event), true);
      tap = undefined;
      touches.end();
    });
  }
}
