// A canvas as wide as its figure, as sharp as the screen, and what several figures draw on it.

import { colours } from "./theme";

/** Draws within `width` × `height` CSS pixels. */
export type Draw = (pen: CanvasRenderingContext2D, width: number, height: number) => void;

export class Canvas {
  readonly element = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D;
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

/** The font of texts in drawings. */
export const FONT = "14px system-ui, sans-serif";

/** A filled circle. */
export function disc(pen: CanvasRenderingContext2D, [x, y]: Point, radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** A line through points, in dashes if `dash` has lengths. */
export function line(pen: CanvasRenderingContext2D, points: Point[], colour: string, width: number, dash: number[] = []): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
  pen.setLineDash([]);
}

/** A cross that reaches `size` to each side. */
export function cross(pen: CanvasRenderingContext2D, [x, y]: Point, size: number, colour: string, width: number): void {
  line(pen, [[x - size, y - size], [x + size, y + size]], colour, width);
  line(pen, [[x - size, y + size], [x + size, y - size]], colour, width);
}

/** A dashed circle: where something should be. */
export function dashedCircle(pen: CanvasRenderingContext2D, [x, y]: Point, radius: number, colour: string, width: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash([2.5 * width, 2 * width]);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

/** A field in metres, of which the lower left corner is the origin. */
export type Field = readonly [width: number, height: number];

/** Pixels per metre that show the whole field. */
function scaleOf([fieldWidth, fieldHeight]: Field, width: number, height: number): number {
  return Math.min(width / fieldWidth, height / fieldHeight);
}

/** Draws a field, in metres. */
export function drawField(pen: CanvasRenderingContext2D, field: Field, width: number, height: number, draw: () => void): void {
  const scale = scaleOf(field, width, height);
  pen.save();
  pen.transform(scale, 0, 0, -scale, 0, field[1] * scale);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, ...field);
  draw();
  pen.restore();
}

/** Where on the field a pointer is, in metres. */
export function placeOn(field: Field, board: HTMLElement, event: PointerEvent): Point {
  const box = board.getBoundingClientRect();
  const scale = scaleOf(field, box.width, box.height);
  return [(event.clientX - box.left) / scale, field[1] - (event.clientY - box.top) / scale];
}

/** Lets a canvas be reached by keys, which it takes itself. */
export function takeKeys(board: HTMLElement, label: string): void {
  board.tabIndex = 0;
  board.setAttribute("role", "application");
  board.setAttribute("aria-label", label);
}
