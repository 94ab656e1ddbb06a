// Strip charts: the last seconds of some values over time. The legend has the newest values, or those under the pointer.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colours, type Colours } from "./theme";

export interface Series {
  label: string;
  unit: string;
  colour: keyof Colours;
  /** Holds its value until the next. */
  stepped?: boolean;
}

export class StripChart {
  private plot: uPlot | undefined;
  private data: number[][];
  private dirty = true;

  constructor(
    private readonly parent: HTMLElement,
    private readonly title: string,
    private readonly seconds: number,
    private readonly series: Series[],
  ) {
    this.data = this.empty();
    this.build();
    new ResizeObserver(() => this.resize()).observe(parent);
  }

  private empty(): number[][] {
    return [[], ...this.series.map(() => [])];
  }

  /** Rebuilds the chart for another theme. */
  build(): void {
    this.plot?.destroy();
    const axis = { stroke: colours.soft, grid: { stroke: colours.line, width: 1 }, ticks: { stroke: colours.line } };
    const size = { width: Math.max(this.parent.clientWidth, 240), height: 190 };
    const unit = this.series[0]?.unit ?? "";
    this.plot = new uPlot(
      {
        ...size,
        title: this.title,
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: "time (s)", labelSize: 20, size: 36 },
          { ...axis, label: unit, labelSize: 20, size: 48 },
        ],
        cursor: { points: { size: 6 } },
        hooks: { setCursor: [() => this.showNewest()] },
        series: [
          { label: "time", value: (_, value) => (value == null ? "–" : `${value.toFixed(2)} s`) },
          ...this.series.map((series) => ({
            label: series.label,
            stroke: colours[series.colour],
            width: 2,
            points: { show: false },
            ...(series.stepped ? { paths: uPlot.paths.stepped!({ align: -1 }) } : {}),
            value: (_: uPlot, value: number | null) => (value == null ? "–" : `${value.toFixed(2)} ${series.unit}`),
          })),
        ],
      },
      this.data as uPlot.AlignedData,
      this.parent,
    );
    this.dirty = false;
  }

  private resize(): void {
    const width = this.parent.clientWidth;
    if (width > 0) this.plot?.setSize({ width, height: 190 });
  }

  /** Adds values at a time in seconds. */
  add(time: number, values: number[]): void {
    [time, ...values].forEach((value, index) => this.data[index]!.push(value));
    const first = this.data[0]!.findIndex((then) => then >= time - this.seconds);
    if (first > 60) this.data.forEach((column) => column.splice(0, first));
    this.dirty = true;
  }

  clear(): void {
    this.data = this.empty();
    this.dirty = true;
  }

  /** Shows the newest values in the legend, unless the pointer is on the chart. */
  private showNewest(): void {
    if (this.plot?.cursor.idx == null) this.plot?.setLegend({ idx: this.data[0]!.length - 1 }, false);
  }

  draw(): void {
    if (!this.dirty) return;
    this.dirty = false;
    const times = this.data[0]!;
    const now = times[times.length - 1] ?? 0;
    this.plot?.batch(() => {
      this.plot?.setData(this.data as uPlot.AlignedData, false);
      this.plot?.setScale("x", { min: Math.max(0, now - this.seconds), max: Math.max(this.seconds, now) });
      this.plot?.setScale("y", bounds(this.data.slice(1)));
    });
    this.showNewest();
  }
}

/** From zero, or what is below it, to a little above the largest value. */
function bounds(columns: number[][]): { min: number; max: number } {
  let [min, max] = [0, 1];
  for (const column of columns) for (const value of column) [min, max] = [Math.min(min, value), Math.max(max, value)];
  return { min, max: max * 1.1 };
}
