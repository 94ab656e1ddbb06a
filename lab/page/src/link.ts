// Settings in the page's address: `?spring.stiffness=1000&hockey.level=2#hockey`. Settings with their default value are left out, and
// the fragment is the section of the figure whose setting was changed last.

import type { Setting, Value } from "./settings";

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
  if (setting.kind === "text") return text;
  const values: Value[] = setting.kind === "number" ? setting.values : setting.options.map(([value]) => value);
  const value = values.find((value) => String(value) === text);
  if (value !== undefined) return value;
  problems.push(`${name}=${text} is not one of ${values.join(", ")}; it is left at ${setting.value}.`);
  return setting.value;
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

/** The address of a figure with its settings, and no other's. */
export function linkTo(figure: HTMLElement): string {
  const own = [...query].filter(([name]) => name.startsWith(`${figure.dataset.figure}.`));
  const text = new URLSearchParams(own).toString();
  return new URL(`${location.pathname}${text && "?"}${text}#${figure.closest("section")!.id}`, location.href).href;
}

/** Writes a setting into the page's address: at once, or soon if it changes often. */
export function write(figure: string, setting: Setting, value: Value): void {
  const name = `${figure}.${setting.key}`;
  if (value === setting.value) query.delete(name);
  else query.set(name, String(value));
  if (performance.now() - lastWritten >= PAUSE) writeAddress();
  else waiting ??= setTimeout(writeAddress, PAUSE);
}

addEventListener("hashchange", () => (fragment = location.hash));

/** Brings the address up to date. A browser that refuses is asked again later. */
function writeAddress(): void {
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
}
