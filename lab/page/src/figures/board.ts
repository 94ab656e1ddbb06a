// Drawings of the hockey board, in metres.

import { disc, line, writeOnField, type Point } from "../canvas";
import { colours } from "../theme";

/** Arrows of the field across the board. */
export const [COLUMNS, ROWS] = [30, 20];

/** The field: an arrow for the force at each of `COLUMNS` × `ROWS` places. */
export function drawForces(pen: CanvasRenderingContext2D, forces: Float64Array, width: number, height: number): void {
  pen.strokeStyle = colours.line;
  pen.lineWidth = 0.12;
  pen.beginPath();
  for (let at = 0; at < forces.length; at += 2) {
    const [fx, fy] = [forces[at]!, forces[at + 1]!];
    const force = Math.hypot(fx, fy);
    if (force < 1e-3) continue;
    const x = (((at / 2) % COLUMNS) + 0.5) * (width / COLUMNS);
    const y = (Math.floor(at / 2 / COLUMNS) + 0.5) * (height / ROWS);
    const length = Math.min(1.6, 0.5 + 0.4 * Math.log10(1 + 10 * force)) / force;
    const [dx, dy] = [fx * length, fy * length];
    pen.moveTo(x - dx / 2, y - dy / 2);
    pen.lineTo(x + dx / 2, y + dy / 2);
    pen.lineTo(x + dx / 5 - dy / 6, y + dy / 5 + dx / 6);
  }
  pen.stroke();
}

/** The cross that the arrow keys move. */
export function drawCursor(pen: CanvasRenderingContext2D, [x, y]: Point): void {
  line(pen, [[x - 1.2, y], [x + 1.2, y]], colours.ink, 0.2);
  line(pen, [[x, y - 1.2], [x, y + 1.2]], colours.ink, 0.2);
}

/** A charge: x and y in metres, and µC. */
export type Charge = [x: number, y: number, charge: number];

export function drawCharge(pen: CanvasRenderingContext2D, [x, y, charge]: Charge, own: boolean, chosen: boolean): void {
  const size = 0.7 + Math.min(1.3, Math.abs(charge) / 200);
  disc(pen, [x, y], size, charge > 0 ? colours.lost : colours.truth);
  pen.strokeStyle = chosen ? colours.ink : colours.paper;
  pen.lineWidth = chosen ? 0.35 : 0.15;
  if (own) pen.stroke();
  writeOnField(pen, charge > 0 ? "+" : "−", [x, y - 0.5], 1.6, colours.paper);
  if (own) writeOnField(pen, `${charge} µC`.replace("-", "−"), [x, y - size - 1.4], 1.3, colours.ink, colours.paper);
}
