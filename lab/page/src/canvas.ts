// A canvas as wide as its figure, as sharp as the screen.

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
