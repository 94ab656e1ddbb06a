// The colours of drawings: the same subject has the same colour everywhere, in the light and the dark theme.

const names = ["ink", "soft", "line", "paper", "card", "raw", "smooth", "step", "lost", "truth"] as const;

export type Colours = Record<(typeof names)[number], string>;

/** The colours of the current theme. */
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
