import { FONT, caption } from "../canvas";
import { Figure, rows } from "../figure";
import { slider } from "../settings";
import { colours } from "../theme";
import { ScrollFigure } from "../wasm/core/core";

/** The two ways of scrolling: a name, and a colour. */
const WAYS = [["by the frame", "raw"], ["in equal steps", "smooth"]] as const;

type Row = [left: number, direction: number, took: number, speed: number, slowest: number, fastest: number];

export class Scroll extends Figure<ScrollFigure> {
  private machines!: [Row, Row];
  private map!: number[];

  constructor(root: HTMLElement) {
    super(root, [slider("objects", "Objects in the middle", [0, 10, 20, 40, 60, 80], 40, String)]);
    for (const [name] of WAYS) this.canvas(`A map that scrolls ${name}`, 0.13, 96);
  }

  protected create(): ScrollFigure {
    const simulation = new ScrollFigure(this.getNumber("objects"));
    this.map = Array.from(simulation.map());
    this.take(simulation, 0);
    return simulation;
  }

  private take(simulation: ScrollFigure, milliseconds: number): void {
    this.machines = rows<Row>(simulation.advance(milliseconds), 6) as [Row, Row];
  }

  protected advance(delta: number): void {
    this.take(this.simulation, delta);
  }

  protected show(): void {
    this.machines.forEach(([, , took, speed, slowest, fastest], way) => {
      const [name, colour] = WAYS[way]!;
      this.number(`${name}: frames a second`, took > 0 ? (1000 / took).toFixed(0) : "–", colour);
      this.number(`${name}: speed`, `${speed.toFixed(0)} px/s`, colour);
      this.number(`${name}: slowest and fastest`, fastest > 0 ? `${slowest.toFixed(0)} to ${fastest.toFixed(0)} px/s` : "–", colour);
    });
  }

  /** The window on the map: a grid, its objects, the pointer at an edge; below, where the window is on the map. */
  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, way: number): void {
    const [all, visible, ...objects] = this.map as [number, number, ...number[]];
    const [left, direction] = this.machines[way]!;
    const [name, colour] = WAYS[way]!;
    const scale = width / visible;
    const floor = height - 10;
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 20, width, floor - 20);
    pen.save();
    pen.beginPath();
    pen.rect(0, 20, width, floor - 20);
    pen.clip();
    pen.fillStyle = colours.line;
    for (let x = 0; x <= all; x += 60) pen.fillRect((x - left) * scale, 20, 1, floor - 20);
    pen.fillStyle = colours[colour];
    objects.forEach((x, index) => pen.fillRect((x - left) * scale - 5, 26 + ((index * 29) % Math.max(1, floor - 44)), 10, 10));
    pen.restore();
    pen.fillStyle = colours.line;
    pen.fillRect(0, floor + 3, width, 5);
    pen.fillStyle = colours[colour];
    pen.fillRect((Math.max(0, left) / all) * width, floor + 3, (visible / all) * width, 5);
    caption(pen, name, 14);
    pen.font = FONT;
    pen.fillStyle = colours.ink;
    pen.textAlign = direction > 0 ? "right" : "left";
    pen.fillText(direction > 0 ? "▶" : "◀", direction > 0 ? width - 4 : 4, (20 + floor) / 2 + 5);
    pen.textAlign = "left";
  }
}
