// Colours of drawings: the same thing has the same colour everywhere, in light and in dark.

const names = ["ink", "soft", "line", "paper", "card", "raw", "smooth", "step", "lost", "truth"] as const;

export type Colours = Record<(typeof names)[number], string>;

/** Of the present theme. */
export let colours = read();

function read(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
}

/** Calls when the theme has changed. */
export function onThemeChange(call: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = read();
    call();
  });
}
