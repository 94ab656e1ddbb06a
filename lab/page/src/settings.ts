// The settings of figures, which the reader changes by controls and by the page's address.

/** A setting: a number of a list, a choice of words, or a text that its figure understands and that has no control. */
export type Setting = {
  key: string;
  label: string;
} & (
  | { kind: "number"; values: number[]; value: number; show: (value: number) => string }
  | { kind: "choice"; options: [value: string, label: string][]; value: string }
  | { kind: "text"; value: string }
);

export type Value = number | string;

/** A number of a list, by a slider. */
export function slider(key: string, label: string, values: number[], value: number, show: (value: number) => string): Setting {
  return { key, label, kind: "number", values, value, show };
}

/** One of some words, by a menu. */
export function menu(key: string, label: string, options: [value: string, label: string][], value: string): Setting {
  return { key, label, kind: "choice", options, value };
}

export const perSecond = (value: number) => `${value} a second`;
export const milliseconds = (value: number) => `${value} ms`;
export const percent = (value: number) => `${value} %`;

/** The refresh rates that a figure can emulate, in hertz; 0 is the real display. */
export function refreshRates(value: number): Setting {
  const rates = [10, 15, 20, 24, 30, 40, 50, 60, 75, 90, 120, 144, 165, 240, 0];
  return slider("display", "Display", rates, value, (value) => (value === 0 ? "this one" : `${value} Hz`));
}

/** The largest errors of measured frame times, in milliseconds. */
export function jitter(value: number): Setting {
  return slider("jitter", "Jitter", [0, 1, 2, 5, 10], value, (value) => `±${value} ms`);
}

/** How fast simulated time passes. */
export function timeScales(): Setting {
  const options = ["1/10", "1/4", "1/2", "1", "2", "4"].map((scale): [string, string] => [scale, `${scale}×`]);
  return menu("speed", "Speed", options, "1");
}
