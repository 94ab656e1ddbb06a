// Recordings that are dropped on the page: measured here, uploaded nowhere.

import { button, element } from "./figure";
import type { Analysis, Chain, Comparison, Message, Score, Task } from "./messages";

/** Lets a figure take files, by a button and by dropping, measure its own recording, and show what is in them. */
export function takeFiles(figure: HTMLElement, actions: HTMLElement, own: () => File): void {
  const input = element("input");
  Object.assign(input, { type: "file", hidden: true });
  const result = element("div", "analysis");
  result.setAttribute("role", "status");
  let worker: Worker | undefined;
  const open = (task: Task | undefined) => {
    if (!task) return;
    worker?.terminate();
    worker = measure(task, result);
  };
  input.addEventListener("change", () => {
    open(input.files?.[0]);
    input.value = "";
  });
  actions.append(
    button("Measure this display", () => open(own())),
    button("Measure a recording", () => input.click()),
    button("Compare filters", () => open("filters")),
    input,
  );
  actions.after(result);
  figure.addEventListener("dragover", (event) => event.preventDefault());
  figure.addEventListener("drop", (event) => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
}

function measure(task: Task, result: HTMLElement): Worker {
  const worker = new Worker(new URL("./analysis.worker.ts", import.meta.url), { type: "module" });
  const name = task === "filters" ? "The tournament" : task.name;
  const progress = element("p");
  const cancel = button("Cancel", () => {
    worker.terminate();
    result.replaceChildren(paragraph(`${name} was not measured.`));
  });
  progress.textContent = `Reading ${name} …`;
  result.replaceChildren(progress, cancel);
  const fail = (reason: string) => result.replaceChildren(paragraph(`${reason}.`));
  worker.onmessage = (event: MessageEvent<Message>) => {
    const message = event.data;
    if (message.kind === "read") {
      progress.textContent = `Reading ${name}: ${((100 * message.bytes) / message.of).toFixed(0)} %`;
    } else if (message.kind === "measuring") progress.textContent = `Measuring ${name} …`;
    else if (message.kind === "failed") fail(message.reason);
    else if (message.kind === "scored") result.replaceChildren(...showScores(message.scores));
    else show(message.analysis, result);
  };
  worker.onerror = (event) => fail(`${name} could not be measured (${event.message})`);
  worker.postMessage(task);
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
  result.replaceChildren(
    title,
    ...analysis.warnings.map(paragraph),
    ...analysis.chains.slice(0, 5).map(showChain),
    ...(analysis.comparison ? showComparison(analysis.comparison) : []),
  );
}

/** Each strategy with the filter that suits it best. */
function showComparison({ rate_hz, outcomes, recommended }: Comparison): HTMLElement[] {
  const title = element("h3");
  title.textContent = `What a game would look like, at ${rate_hz} steps a second`;
  const strategies = [...new Set(outcomes.map((outcome) => outcome.strategy))];
  const best = strategies.map((strategy) => outcomes.find((outcome) => outcome.strategy === strategy)!);
  const rows = best.map(({ strategy, filter, error_rms_ms, error_max_ms, latency_ms }) => [
    strategy,
    filter,
    `${error_rms_ms.toFixed(2)} ms`,
    `${error_max_ms.toFixed(1)} ms`,
    `${latency_ms.toFixed(1)} ms`,
  ]);
  const code = element("pre");
  code.textContent = recommended.code;
  return [
    title,
    table(["steps and drawing", "best filter", "animation error", "largest jump", "latency"], rows),
    paragraph(`Recommended: ${recommended.strategy}, filter ${recommended.filter}. Why: ${recommended.reason}.`),
    code,
  ];
}

/** A table for each noise: frames with a wrong number of steps, the largest error and the drift, by display. */
function showScores(scores: Score[]): HTMLElement[] {
  const of = <T>(values: T[]) => [...new Set(values)];
  const displays = of(scores.map((score) => score.display_hz));
  const filters = of(scores.map((score) => score.filter));
  return of(scores.map((score) => score.noise)).flatMap((noise) => {
    const title = element("h3");
    title.textContent = `Times read with a noise of ${noise}: wrong frames of 10 000, largest error`;
    const cell = (filter: string, display: number) => {
      const is = (score: Score) => score.noise === noise && score.filter === filter && score.display_hz === display;
      const score = scores.find(is)!;
      return `${score.wrong_frames}, ${score.error_max_ms.toFixed(2)} ms`;
    };
    const rows = filters.map((filter) => [filter, ...displays.map((display) => cell(filter, display))]);
    return [title, table(["filter", ...displays.map((display) => `${Number(display.toFixed(2))} Hz`)], rows)];
  });
}

function table(header: string[], rows: string[][]): HTMLElement {
  const wide = element("div", "wide");
  wide.tabIndex = 0;
  const made = element("table");
  const row = (cells: string[], kind: "th" | "td") => {
    const line = made.insertRow();
    for (const text of cells) line.append(Object.assign(document.createElement(kind), { textContent: text }));
  };
  row(header, "th");
  for (const cells of rows) row(cells, "td");
  wide.append(made);
  return wide;
}

function showChain(chain: Chain): HTMLElement {
  const made = element("section");
  const list = element("dl", "numbers");
  const times = chain.frame_time_ms;
  const error = chain.animation_error_ms;
  const entries: [string, string][] = [
    ["program", chain.process || "–"],
    ["frames", `${chain.frames} in ${chain.seconds.toFixed(1)} s`],
    ["never displayed", chain.not_displayed === undefined ? "not recorded" : String(chain.not_displayed)],
    ["rate", `${chain.fps_average.toFixed(1)} fps, slowest 1 % ${chain.fps_low_1pct.toFixed(1)}`],
    ["frame time", `${times.median.toFixed(2)} ms, at most ${times.max.toFixed(1)}`],
    ["animation error", error ? `${error.rms.toFixed(2)} ms, at most ${error.max_abs.toFixed(1)}` : "not recorded"],
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
