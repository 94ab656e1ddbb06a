// Settings in the page's address: `?spring.stiffness=1000&hockey.level=2#hockey`. Settings with their default value are left out, and
// the fragment is the section of the figure whose setting was changed last.

/** A setting: a number of a list, a choice of words, a switch, or a text that its figure understands. */
export type Setting = {
  key: string;
  label: string;
} & (
  | { kind: "number"; values: number[]; value: number; show: (value: number) => string }
  | { kind: "choice"; options: [value: string, label: string][]; value: string }
  | { kind: "switch"; value: boolean }
  | { kind: "text"; value: string }
);

export type Value = number | string | boolean;

/** The errors in the address, as sentences. */
export const problems: string[] = [];

const known = new Set<string>();

/** Milliseconds between changes of the address: browsers refuse more than 100 in 30 s (Safari) or 200 in 10 s (others). */
const PAUSE = 350;

/** The current settings. The address follows them. */
const query = new URLSearchParams(location.search);
let fragment = location.hash;
let lastWritten = -Infinity;
let waiting: number | undefined;

/** The value that the address gives a setting of a figure, or the setting's default. */
export function read(figure: string, setting: Setting): Value {
  const name = `${figure}.${setting.key}`;
  known.add(name);
  const text = query.get(name);
  if (text === null) return setting.value;
  const value = parse(setting, text);
  if (value === undefined) {
    problems.push(`${name}=${text} is not ${wanted(setting)}; it is left at ${setting.value}.`);
    return setting.value;
  }
  return value;
}

function parse(setting: Setting, text: string): Value | undefined {
  switch (setting.kind) {
    case "number": {
      const number = Number(text);
      return text.trim() !== "" && setting.values.includes(number) ? number : undefined;
    }
    case "choice":
      return setting.options.some(([value]) => value === text) ? text : undefined;
    case "switch":
      return text === "on" ? true : text === "off" ? false : undefined;
    case "text":
      return text;
  }
}

function wanted(setting: Setting): string {
  switch (setting.kind) {
    case "number":
      return `one of ${setting.values.join(", ")}`;
    case "choice":
      return `one of ${setting.options.map(([value]) => value).join(", ")}`;
    case "switch":
      return "on or off";
    case "text":
      return "a text";
  }
}

/** Collects settings in the address that no figure knows, except those of figures that have not read their settings yet. */
export function findUnknown(pending: string[] = []): void {
  for (const name of query.keys()) {
    if (known.has(name) || pending.some((figure) => name.startsWith(`${figure}.`))) continue;
    known.add(name);
    problems.push(`${name} is unknown; it is ignored.`);
  }
}

/** Lets the address lead to a figure. */
export function leadTo(figure: HTMLElement): void {
  fragment = `#${figure.closest("section")!.id}`;
}

/** Writes a setting into the page's address: at once, or soon if it changes often. */
export function write(figure: string, setting: Setting, value: Value): void {
  const name = `${figure}.${setting.key}`;
  if (value === setting.value) query.delete(name);
  else query.set(name, typeof value === "boolean" ? (value ? "on" : "off") : String(value));
  if (performance.now() - lastWritten >= PAUSE) writeAddress();
  else waiting ??= setTimeout(writeAddress, PAUSE);
}

addEventListener("hashchange", () => (fragment = location.hash));

/** Brings the address up to date, and returns it. A browser that refuses is asked again later. */
export function writeAddress(): string {
  clearTimeout(waiting);
  waiting = undefined;
  lastWritten = performance.now();
  const text = query.toString();
  const address = `${location.pathname}${text && "?"}${text}${fragment}`;
  try {
    history.replaceState(null, "", address);
  } catch {
    waiting = setTimeout(writeAddress, 10 * PAUSE);
  }
  return new URL(address, location.href).href;
}
