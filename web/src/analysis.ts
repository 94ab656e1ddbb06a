// Recordings that are dropped on the page: measured here, uploaded nowhere.

import type { Message } from "./analysis.worker";
import { button, element } from "./figure";

/** What `evenstep analyze --json` prints of a file, as far as it is shown. */
export interface Analysis {
  file: string;
  format: string;
  warnings: string[];
  chains: Chain[];
}

interface Chain {
  process: string;
  frames: number;
  displayed?: number;
  not_displayed?: number;
  seconds: number;
  fps_average: number;
  fps_low_1pct: number;
  frame_time_ms: { median: number; p99: number; max: number };
  animation_error_ms?: { rms: number; p99_abs: number; max_abs: number };
  stutter_time_pct: number;
  hitches: unknown[];
  diagnosis: { kind: string; evidence: string; cure: string }[];
}

/** Lets a figure take files, by a button and by dropping, and shows what is in them. */
export function takeFiles(figure: HTMLElement, actions: HTMLElement): void {
  const input = element("input");
  Object.assign(input, { type: "file", hidden: true });
  const result = element("div", "analysis");
  result.setAttribute("role", "status");
  let worker: Worker | undefined;
  const open = (file: File | undefined) => {
    if (!file) return;
    worker?.terminate();
    worker = measure(file, result);
  };
  input.addEventListener("change", () => {
    open(input.files?.[0]);
    input.value = "";
  });
  actions.append(
    button("Measure a recording", () => input.click()),
    input,
  );
  actions.after(result);
  figure.addEventListener("dragover", (event) => event.preventDefault());
  figure.addEventListener("drop", (event) => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
}

function measure(file: File, result: HTMLElement): Worker {
  const worker = new Worker(new URL("./analysis.worker.ts", import.meta.url), { type: "module" });
  const said = element("p");
  const cancel = button("Cancel", () => {
    worker.terminate();
    result.replaceChildren(paragraph(`${file.name} was not measured.`));
  });
  said.textContent = `Reading ${file.name} …`;
  result.replaceChildren(said, cancel);
  const fail = (reason: string) => result.replaceChildren(paragraph(`${reason}.`));
  worker.onmessage = (event: MessageEvent<Message>) => {
    const message = event.data;
    if (message.kind === "read") {
      said.textContent = `Reading ${file.name}: ${((100 * message.bytes) / message.of).toFixed(0)} %`;
    } else if (message.kind === "measuring") said.textContent = `Measuring ${file.name} …`;
    else if (message.kind === "failed") fail(message.reason);
    else show(message.analysis, result);
  };
  worker.onerror = (event) => fail(`${file.name} could not be measured (${event.message})`);
  worker.postMessage(file);
  return worker;
}

function paragraph(text: string): HTMLElement {
  const made = element("p");
  made.textContent = text;
  return made;
}

function show(analysis: Analysis, result: HTMLElement): void {
  const title = element("h3");
  title.textContent = `${analysis.file} (${analysis.format})`;
  result.replaceChildren(title, ...analysis.warnings.map(paragraph), ...analysis.chains.slice(0, 5).map(showChain));
}

function showChain(chain: Chain): HTMLElement {
  const made = element("section");
  const list = element("dl", "numbers");
  const times = chain.frame_time_ms;
  const error = chain.animation_error_ms;
  const entries: [string, string][] = [
    ["program", chain.process || "–"],
    ["frames", `${chain.frames} in ${chain.seconds.toFixed(1)} s`],
    ["never shown", chain.not_displayed === undefined ? "not told" : String(chain.not_displayed)],
    ["rate", `${chain.fps_average.toFixed(1)} fps, slowest 1 % ${chain.fps_low_1pct.toFixed(1)}`],
    ["frame time", `${times.median.toFixed(2)} ms, at most ${times.max.toFixed(1)}`],
    ["animation error", error ? `${error.rms.toFixed(2)} ms, at most ${error.max_abs.toFixed(1)}` : "not told"],
    ["stutter", `${chain.stutter_time_pct.toFixed(2)} %, ${chain.hitches.length} hitches`],
  ];
  for (const [name, text] of entries) {
    const [entry, term, value] = [element("div"), element("dt"), element("dd")];
    term.textContent = name;
    value.textContent = text;
    entry.append(term, value);
    list.append(entry);
  }
  const found = chain.diagnosis.map(({ kind, evidence, cure }) =>
    paragraph(`${kind.replaceAll("-", " ")}: ${evidence}; ${cure}.`),
  );
  made.append(list, ...found);
  return made;
}
