// Settings in the page's address: `?spring.stiffness=1000&hockey.level=2`. What is at its default is left out.

/** What can be set: a number of a list, a choice of words, a switch, or a text that its figure understands. */
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

/** What was in the address and could not be read, in sentences. */
export const problems: string[] = [];

const known = new Set<string>();

/** The value that the address gives a setting of a figure, or the setting's default. */
export function read(figure: string, setting: Setting): Value {
  const name = `${figure}.${setting.key}`;
  known.add(name);
  const text = new URLSearchParams(location.search).get(name);
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

/** Notes what the address has that no figure knows, except for a figure that has not read its settings yet. */
export function findUnknown(pending?: string): void {
  for (const name of new URLSearchParams(location.search).keys()) {
    if (known.has(name) || name.startsWith(`${pending}.`)) continue;
    known.add(name);
    problems.push(`${name} is unknown; it is ignored.`);
  }
}

/** The page's address with a setting of a figure at a value. */
export function withSetting(figure: string, setting: Setting, value: Value): string {
  const query = new URLSearchParams(location.search);
  const name = `${figure}.${setting.key}`;
  if (value === setting.value) query.delete(name);
  else query.set(name, typeof value === "boolean" ? (value ? "on" : "off") : String(value));
  const text = query.toString();
  return `${location.pathname}${text && "?"}${text}${location.hash}`;
}

/** Writes a setting into the page's address. */
export function write(figure: string, setting: Setting, value: Value): void {
  history.replaceState(null, "", withSetting(figure, setting, value));
}
